"""Worker processes that lower files, and how they talk to the session."""
