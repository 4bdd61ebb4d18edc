"""The settings of the editor: each defined once."""
