"""Hovers over option reads in Java and over keys and placeholders in config files."""
