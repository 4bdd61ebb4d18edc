"""The protocol itself: message loop, capabilities of the client, positions and URIs converted."""
