"""TOML, read tolerantly with exact places, and written."""
