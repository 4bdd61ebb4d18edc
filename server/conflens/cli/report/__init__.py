"""An analysis as plain data and text: the JSON contract, tables, Markdown, steps of a path."""
