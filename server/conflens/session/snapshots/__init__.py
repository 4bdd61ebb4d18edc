"""Profiler snapshots of a session: recorded, imported in a process of their own, stored, diagnosed."""
