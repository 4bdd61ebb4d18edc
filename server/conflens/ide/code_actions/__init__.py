"""Quick fixes, verdict actions, and entries added to documents."""
