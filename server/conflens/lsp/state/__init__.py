"""State of the server: workspace folders, open documents, and the view that a request is answered from."""
