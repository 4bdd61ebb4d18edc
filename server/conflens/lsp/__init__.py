"""The language server: converts requests to calls of ``ide`` and their results back.

Terms: a *folder* is a workspace folder with its own session; a *document* is a file open in the
editor; the *writer* is the one thread that calls sessions; a request is *fresh* when the published
analysis has seen the text its document has now.
Invariants: the event loop owns all state here, the writer owns the sessions, and what passes
between them is immutable.  Requests are answered on the loop from a published analysis and never
wait for the writer, but for a moment (``requests``).  Standard output carries protocol messages
only.

Absent: what is said about options (``ide``), and finding it out (``session``).
"""
