"""What the client tells: each function changes the server's state, on the loop, and returns at
once."""
