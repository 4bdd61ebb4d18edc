"""Words of names and families of operations: rows of ``grammars/sensitivity/vocabulary.toml``.

Terms
    words    a group of words that option names or documents use for one thing (threads, places, ...).
    family   operations that a person would call alike; an operation has the first one that matches.
    subkind  what an engineer calls the kind of a family's operations (``database``, ``cache``), beside their own kind of five.
    place    a group of words of method names that tell when their code runs.

Invariant: rows are read once and never change.  Absent: which group makes an option sensitive; the
classifier learns that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fnmatch import translate
from functools import lru_cache

import attrs
import tomli

from conflens.models.resources import grammar_file
from conflens.sensitivity import lexicon as lexicons
from conflens.sensitivity.lexicon import Lexicon, singular, split

FILE = "sensitivity/vocabulary.toml"


@attrs.frozen
class Words:
    """A group of words; ``says`` completes "its name …" (empty: it explains nothing)."""

    name: str
    says: str
    documentation: bool
    terms: frozenset[str] = attrs.field(repr=False)


@attrs.frozen
class Family:
    """Operations that are called alike; ``sizes`` and ``happens`` are phrases for explanations.

    ``cheap`` ones seldom matter; an argument of one with ``resource`` sizes something, of one that ``paces`` says
    how long or how often; ``quiet`` ones only tell a person; a ``monitor`` is mostly free.  What sizes
    one that ``decides`` matters whatever it is called.  An ``object`` must be used to cost anything.  ``subkind`` is empty
    where the kind says enough.
    """

    name: str
    subkind: str
    sizes: str
    happens: str
    cheap: bool
    resource: bool
    quiet: bool
    paces: bool
    monitor: bool
    decides: bool
    object: bool
    pattern: re.Pattern[str] = attrs.field(repr=False)


@attrs.frozen
class Vocabulary:
    """All rows; see the module text.  ``subkinds`` have the kind of which most of their operations are."""

    words: tuple[Words, ...]
    families: tuple[Family, ...]
    subkinds: Mapping[str, str]
    places: Mapping[str, frozenset[str]]
    lexicon: Lexicon
    _known: dict[str, Family | None] = attrs.field(init=False, factory=dict, repr=False)

    def family(self, api: str) -> Family | None:
        """Return the family of an operation by what a person calls it."""
        if api not in self._known:
            self._known[api] = next((f for f in self.families if f.pattern.match(api)), None)
        return self._known[api]

    def subkind(self, api: str) -> str:
        """Return the subkind of an operation by what a person calls it; empty without one."""
        family = self.family(api)
        return family.subkind if family is not None else ""

    def spoken(self, texts: Iterable[str], documentation: bool = False) -> frozenset[str]:
        """Return the groups whose words occur in names, or in documents."""
        found = {word for text in texts for word in split(text)}
        groups = (g for g in self.words if g.documentation == documentation)
        return frozenset(group.name for group in groups if not found.isdisjoint(group.terms))


@lru_cache(maxsize=1)
def packaged() -> Vocabulary:
    """Return the packaged vocabulary."""
    rows = tomli.loads(grammar_file(FILE).decode())
    return Vocabulary(
        tuple(
            Words(
                row["name"],
                row.get("says", ""),
                row.get("of") == "documentation",
                frozenset(map(singular, row["terms"].split())),
            )
            for row in rows["words"]
        ),
        tuple(
            Family(
                row["name"],
                row.get("subkind", ""),
                row["sizes"],
                row["happens"],
                row.get("cheap", False),
                row.get("resource", False),
                row.get("quiet", False),
                row.get("paces", False),
                row.get("monitor", False),
                row.get("decides", False),
                row.get("object", False),
                re.compile("|".join(translate(_literal(call)) for call in row["calls"])),
            )
            for row in rows["family"]
        ),
        {row["name"]: row["kind"] for row in rows["subkind"]},
        {row["name"]: frozenset(map(singular, row["terms"].split())) for row in rows["place"]},
        lexicons.packaged(),
    )


def _literal(pattern: str) -> str:
    """Only ``*`` is special: brackets are those of arrays."""
    return pattern.replace("[", "[[]")
