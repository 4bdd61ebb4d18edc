"""Names of options: relaxed spellings, and the nearest name to a misspelled one."""
