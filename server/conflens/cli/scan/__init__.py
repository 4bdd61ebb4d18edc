"""The commands `scan` and `stats`."""
