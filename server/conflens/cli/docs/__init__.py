"""The command `docs`: a reference page of all options."""
