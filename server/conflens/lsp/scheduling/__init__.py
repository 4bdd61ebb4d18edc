"""When work runs: the writer thread, turns of queued requests, tasks with progress, garbage collection."""
