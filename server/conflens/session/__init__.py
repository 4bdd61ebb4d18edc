"""Inputs, revisions, incremental rebuild, workers and the on-disk cache; publishes ``Analysis``.

Absent: analysis itself (layers below) and any protocol (``lsp``, ``cli``).
"""
