"""Configuration XML whose elements and attributes are keys."""
