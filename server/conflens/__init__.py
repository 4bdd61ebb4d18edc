"""ConfLens: configuration options of Java projects and what they do to performance."""
