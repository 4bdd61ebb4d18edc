"""Editor features: one file each, free functions from a published analysis to a plain result.

Terms: a *cursor* is a byte offset in a file; a *target* is what of an option lies under it
(``cursor``). Results are frozen attrs classes of places, texts and enums.  An ``Analysis`` is only
read, never kept.
Invariant: a feature that is switched off in ``Settings`` answers with nothing.

Absent: protocol types, positions in lines and columns of a client, anything that waits.
"""
