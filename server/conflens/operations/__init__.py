"""Performance operations: which instructions of a program cost time or memory, and in what way.

``find`` tells the operations of one body, ``constants`` which sizes never change, ``content`` which
objects hold what I/O has read.  Knowledge about libraries is rows (``models``); what the language
itself costs (arrays, ``synchronized``) is here.  Absent: options and how they reach operations.
"""
