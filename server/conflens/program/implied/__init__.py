"""Members that no code declares: accessors, constructors and builders that annotations stand for."""
