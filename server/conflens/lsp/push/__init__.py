"""What the server sends unasked: diagnostics, refreshes, reports of progress and state."""
