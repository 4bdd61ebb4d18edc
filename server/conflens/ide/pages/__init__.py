"""Pages opened in the editor: flows, sensitivity, diagnosis, status."""
