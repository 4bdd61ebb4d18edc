"""YAML as configuration: the functions of a ``parsing.Dialect``.

``yaml_scan`` reads block style and ``yaml_flow`` flow style, both into ``yaml_emit``; ``yaml_scalars`` knows how scalars end
and what they say; ``yaml_context`` is about cursors, ``yaml_write`` and ``yaml_move`` about changes.
A scalar that an alias brings has the alias as its place, everything else that one brings is where it is written.
Absent: types but for ``null``; comments; line ends that only YAML 1.1 knows (NEL, LS, PS).
"""

from __future__ import annotations

from conflens.documents.configfiles.model import Parsed
from conflens.documents.configfiles.yaml.cursor import context
from conflens.documents.configfiles.yaml.move import renamed
from conflens.documents.configfiles.yaml.scalars import value_text
from conflens.documents.configfiles.yaml.scan import Scanner
from conflens.documents.configfiles.yaml.write import added, key_text

__all__ = ("added", "context", "key_text", "parse", "renamed", "value_text")


def parse(text: str) -> Parsed:
    """Return the assignments of a text (line ends may be LF, CRLF or CR)."""
    scanner = Scanner(text)
    scanner.run()
    scanner.finish()
    found = tuple(one for one in scanner.emitter.out if one is not None)
    return Parsed(found, tuple(scanner.emitter.faults))
