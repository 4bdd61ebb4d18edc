"""The commands `diagnose` and `record`: which options explain a slow run, in every output format."""
