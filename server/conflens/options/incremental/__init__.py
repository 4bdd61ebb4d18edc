"""Flows of options kept over edits: what an edit changed in a body, and which flows it touches."""
