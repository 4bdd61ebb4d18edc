"""Diagnostics of a file: its findings by the settings of a user."""
