"""One module for each format of documents: from text to mentions of names."""
