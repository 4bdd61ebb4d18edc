"""Calls of unknown libraries that read options, told by the names that they are given."""
