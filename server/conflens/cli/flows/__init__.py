"""The command `flows`: options, the operations they reach, and the paths."""
