"""Command lines in scripts, unit and container files: `-D` and `NAME=value`."""
