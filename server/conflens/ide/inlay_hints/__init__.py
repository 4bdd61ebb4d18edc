"""Inlay hints in Java and in config files."""
