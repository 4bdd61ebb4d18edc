"""Workspace folders and open documents: their sessions, their texts, their diagnostics, and views to answer requests from."""
