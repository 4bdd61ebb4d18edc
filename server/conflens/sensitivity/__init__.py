"""Is an option performance-sensitive: features, classifier, explanation and evaluation (DiagConfig §3.1).

The only importer of scikit-learn is ``fitting`` (and ``evaluation`` through it); a server never loads
it, because a forest is fitted in a process of its own and kept as plain numbers (``forest``).
"""
