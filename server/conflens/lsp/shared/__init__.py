"""What several request handlers need: workspace edits, files outside the editor, snapshots, file watching."""
