"""Names of options as they are being written: what of a name is left, and whether what is typed leads there.

Terms: see ``completion``.  A *loose* name is of a domain where case, ``-`` and ``_`` do not count.  Invariant: linear in the
length of the name.
"""

from __future__ import annotations

import attrs

_BREAKS = ".-_/[:"
_IGNORED = frozenset("-_")


@attrs.frozen
class Rest:
    """What can be written of an option; ``whole`` if that is all of it, else a fixed part before a name that a person must
    choose.  What was typed stands in it from ``begin`` to ``end``."""

    name: str
    whole: bool
    begin: int
    end: int

    def found_by(self, typed: str) -> str:
        """Return a text that begins with what was typed, so that clients that compare beginnings keep it."""
        if self.name.startswith(typed):
            return self.name
        return f"{typed}{self.name[self.end :]} {self.name}"


def rest_below(name: str, parents: str, typed: str, loose: bool) -> Rest | None:
    """Return the rest of an option's name below ``parents`` (joined by ``.``) if what is typed leads there."""
    if parents:
        name = _below(name, parents, loose)
    whole = "*" not in name
    if not whole:
        name, whole = _instance(name, typed)
        if not whole and name == typed:
            return None
    found = _matched(name, typed, loose) if name else None
    return None if found is None else Rest(name, whole, *found)


def _below(name: str, parents: str, loose: bool) -> str:
    """The rest of a name below the sections, empty if it lies elsewhere."""
    if name.startswith(parents):
        return name[len(parents) + 1 :] if name[len(parents) : len(parents) + 1] == "." else ""
    if "*" not in name and not (loose and _squeezed(name).startswith(_squeezed(parents))):
        return ""
    above, parts = parents.split("."), name.split(".")
    if len(above) >= len(parts):
        return ""
    for one, part in zip(above, parts, strict=False):
        if one != part and not _alike(one, part, loose):
            return ""
    return ".".join(parts[len(above) :])


def _alike(written: str, part: str, loose: bool) -> bool:
    if "*" in part:
        head, _, tail = part.partition("*")
        long = len(written) > len(head) + len(tail)
        return long and written.startswith(head) and written.endswith(tail)
    return loose and _squeezed(written) == _squeezed(part)


def _instance(pattern: str, typed: str) -> tuple[str, bool]:
    """What can be written of a pattern: up to the first dynamic part that is not typed; all of it if none is left.  Empty while
    a dynamic part is being typed."""
    done, rest = "", pattern
    while "*" in rest:
        head, _, rest = rest.partition("*")
        done += head
        if not typed.startswith(done) or typed == done:
            return done, False
        dynamic, dot, _ = typed[len(done) :].partition(".")
        if not dot:
            return "", False
        done += dynamic
    return done + rest, True


def _matched(name: str, typed: str, loose: bool) -> tuple[int, int] | None:
    """Where what is typed stands in a name: at its start, or at the start of a word."""
    if not typed:
        return 0, 0
    low, wanted = name.lower(), typed.lower()
    if len(low) != len(name):  # a few letters are longer in lower case
        low, wanted = name, typed
    at = low.find(wanted)
    while at >= 0:
        if at == 0 or low[at - 1] in _BREAKS or (name[at].isupper() and name[at - 1].islower()):
            return at, at + len(wanted)
        at = low.find(wanted, at + 1)
    squeezed = _squeezed(typed) if loose else ""
    if not squeezed or not _squeezed(name).startswith(squeezed):
        return None
    left = len(squeezed)
    for at, character in enumerate(low):
        left -= character not in _IGNORED
        if left == 0:
            return 0, at + 1
    return None


def _squeezed(text: str) -> str:
    return text.lower().replace("-", "").replace("_", "")
