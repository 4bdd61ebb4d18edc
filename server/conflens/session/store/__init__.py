"""The cache on disk: facts, flows and forests between two runs."""
