"""Configuration options: where they are read, how they are named, and what is known of each.

``model`` says what an option is; ``discover`` finds them in a ``Program``.  Absent: documents
(``documents``), performance (``flow``, ``operations``), and the protocol.
"""
