"""Words and views that the editor and the command line share: how options, flows and verdicts are put into text.

Absent: anything of one editor feature (``ide``) or one output format (``cli``).
"""
