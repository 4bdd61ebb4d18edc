"""The list of options and its order."""
