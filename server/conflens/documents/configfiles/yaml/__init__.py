"""YAML, read tolerantly with exact places, and written."""
