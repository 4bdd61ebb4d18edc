"""Ids, spans, text, cancellation and the file-system interface: what every layer may use."""
