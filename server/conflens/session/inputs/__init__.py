"""Which files belong to a project: settings, ignore patterns, policy."""
