"""What is inferred of an option from how its value is used: type, unit, default, allowed values, names."""
