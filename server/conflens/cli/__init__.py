"""The command line: arguments in, one call of a session, text or JSON out.

Terms: a *command* is one module with ``run(arguments) -> exit code``; a *report* is the plain form of
an ``Analysis`` that every format is written from.
Invariants: standard output carries results only, standard error reasons and progress; a command is
imported when it runs, so that ``--version`` answers at once and ``scan`` loads no protocol.
Exit codes: 0 done, 1 findings that ``--fail-on`` names, 2 bad input, 130 interrupted.

Absent: analysis (``session`` and below) and how findings look in an editor (``lsp``).
"""
