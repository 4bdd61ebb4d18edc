"""Where the data files of ``grammars/`` are read from.

Purpose: one function that gives the bytes of a packaged data file, wherever ConfLens runs from.
In an installed wheel the files lie inside the package, in ``conflens/_grammars``; in a source
checkout they lie in ``grammars``, next to ``server``. The packaged copy wins.

Absent: any reading of the content (that is each loader's task) and any cache.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGED = Path(__file__).resolve().parents[1] / "_grammars"
_CHECKOUT = Path(__file__).resolve().parents[3] / "grammars"


def grammar_file(relative: str) -> bytes:
    """The bytes of a file under ``grammars/``; ``relative`` is written with ``/``.

    Raises FileNotFoundError, naming the file, when neither place has it.
    """
    for place in (_PACKAGED / relative, _CHECKOUT / relative):
        if place.is_file():
            return place.read_bytes()
    raise FileNotFoundError(
        f"ConfLens lacks its data file {relative}: neither packaged nor in a source checkout"
    )
