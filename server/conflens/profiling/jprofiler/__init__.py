"""Exports of JProfiler: hot spots as XML, and tables as CSV."""
