"""HOCON and JSON, read only."""
