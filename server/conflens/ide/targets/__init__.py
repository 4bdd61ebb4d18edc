"""What lies under a cursor or stands in a text: options, keys, names."""
