"""Renaming an option wherever it is read, set or documented."""
