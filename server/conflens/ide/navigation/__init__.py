"""Definition, references, call hierarchy and symbols of options."""
