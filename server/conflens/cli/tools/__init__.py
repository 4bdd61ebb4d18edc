"""The commands `serve` and `dump-facts`."""
