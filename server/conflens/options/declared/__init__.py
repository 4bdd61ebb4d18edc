"""Options that are declared: by annotations, definition objects, placeholders, and in `.conflens.toml`."""
