"""The commands `sensitivity`, `train` and `evaluate`."""
