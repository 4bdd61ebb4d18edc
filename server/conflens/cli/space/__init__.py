"""``conflens space``: a search space for a tuner."""
