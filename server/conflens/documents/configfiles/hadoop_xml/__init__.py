"""Hadoop's configuration XML, read and written."""
