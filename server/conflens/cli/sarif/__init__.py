"""SARIF: what all commands that write it share, and the log of `scan` and `flows`."""
