"""Schemas and loaders of the knowledge kept as data under ``grammars/``."""
