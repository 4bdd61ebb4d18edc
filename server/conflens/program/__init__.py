"""The join over facts: names, types, hierarchy, members, expression types and constants.

``Program`` is immutable to its users; inside it remembers what it has worked out.  Absent: options,
data flow, and any reading of files.
"""
