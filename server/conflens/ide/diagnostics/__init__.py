"""Diagnostics of a file, and whether an option counts as documented."""
