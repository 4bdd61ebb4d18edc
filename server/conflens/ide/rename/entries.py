"""What texts call an option of each element of a list, or of each value of a map.

The option's name has ``*`` for the index or key: ``toy.pools.*.size``.  Texts write ``toy.pools.x.size``, ``toy.pools[0].size`` or, as
environment variables, ``TOY_POOLS_X_SIZE``.
Invariants: linear in the texts; a variable that may as well be one of another option is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from conflens.ide.rename.key_names import forms, is_relaxed
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.variables import is_variable
from conflens.options.binding.expand import kebab
from conflens.options.model import Option
from conflens.session.analysis import Analysis

_ENTRY = r"(?:\[[^\]\s\[]{1,80}\]|\.[A-Za-z0-9_\-]{1,80})"
_WORD = "[A-Z0-9_]{1,40}"
_MOST_FOUND = 300
"""Entries that texts may name; each is looked for in all of them."""
_MOST = 2
"""Names with more ``*`` are left out."""
_BEFORE = r"(?:(?<![A-Za-z0-9_.\]])|(?<=-D))"
_AFTER = r"(?![A-Za-z0-9_\[])(?!\.[A-Za-z0-9_])"


def entries_of(
    analysis: Analysis, options: Iterable[Option], name: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of single entries, and the environment variables, that texts hold of options of one ``name``.
    Raises ``RefusedError`` where these are too many."""
    options = tuple(options)
    if not 0 < name.count(".*") <= _MOST or not name.rpartition(".")[2].strip("*"):
        return (), ()
    relaxed = any(is_relaxed(analysis, option) for option in options)
    spelled = dict.fromkeys((name, *(forms(name) if relaxed else ())))
    dotted = [_pattern(form, ".*", _ENTRY) for form in spelled if not is_variable(form)]
    shapes = re.compile(f"{_BEFORE}(?:{'|'.join(dotted)}){_AFTER}".encode())
    variables = _variables([name]) if relaxed else None
    last = re.sub(r"[^a-z0-9]", "", name.rpartition(".")[2].lower()).encode()
    found: dict[str, None] = {}
    seen: dict[str, None] = {}
    for text in _texts(analysis):
        if last[:3] not in text.lower():
            continue
        found.update((one[0].decode(), None) for one in shapes.finditer(text))
        if variables is not None:
            seen.update((one[0].decode(), None) for one in variables.finditer(text))
    if seen:
        keys = {option.key for option in options}
        others = [
            one.name
            for one in analysis.options.options
            if one.key not in keys
            and is_relaxed(analysis, one)
            and one.name.startswith(name.partition("*")[0])
            and one.name.count("*") <= _MOST
        ]
        other = _variables(others) if others else None
        seen = {one: None for one in seen if other is None or not other.fullmatch(one.encode())}
    if len(found) + len(seen) > _MOST_FOUND:
        raise RefusedError(
            f"Config files and documents name more than {_MOST_FOUND} entries of {name}. Rename them by hand."
        )
    return tuple(found), tuple(seen)


def _variables(names: Iterable[str]) -> re.Pattern[bytes]:
    """Return a pattern of the environment variables that set options of these names."""
    found = []
    for name in names:
        for join in ("_", ""):
            parts = [
                re.sub(r"[^A-Za-z0-9]", "_", kebab(part).replace("-", join)).upper()
                for part in name.split(".")
            ]
            found.append("_".join(_WORD if part == "_" else part for part in parts))
    return re.compile(f"(?<![A-Za-z0-9_])(?:{'|'.join(found)})(?![A-Za-z0-9_])".encode())


def _pattern(name: str, gap: str, entry: str) -> str:
    return entry.join(map(re.escape, name.split(gap)))


def _texts(analysis: Analysis) -> Iterator[bytes]:
    for path in sorted({*analysis.documents.harvests, *analysis.config_files}):
        text = analysis.document_text(path)
        if text is not None:
            yield text
