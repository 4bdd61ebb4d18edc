"""What a session reads: Java files lowered to facts, documents harvested, config files parsed."""
