"""Snapshots of profilers: what a run cost, by call chain and kind of event, and how it was configured.

Importers read streams and know formats; nothing here knows the project's source or its options, opens a
file or starts a process.
"""
