"""Completion of option names, keys and values."""
