"""Which options similar to another one are documented: those of its class, and those of its namespaces.

Only options that may be the project's own count, and in one class only those of one domain: a class may read what it needs
from everywhere.

Terms
    coverage   how an option is documented: by an ``ENTRY`` of a document, by a text in its declaration from which pages are
               generated (``STATED``; ``left_out`` tells of which none are), or by running text that names it (``NAMED``).
    namespace  a name's beginning up to and with a ``.``; of an environment variable up to its first ``_``.  What only says
               whose a name is (``org.example.``) is none.

Invariant: what is looked at for one option is bounded, and found once for each class and namespace.
Absent: whether the option itself is documented (``documentation``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from enum import IntEnum
from itertools import islice

import attrs

from conflens.base.words import by_length
from conflens.checking.left_out import LeftOut
from conflens.checking.other_meanings import is_something_else
from conflens.checking.subject import Subject
from conflens.documents import MentionKind
from conflens.documents.names import is_name_like
from conflens.options.model import Option

_REVERSED = frozenset({"com", "org", "net", "io", "dev", "edu", "gov"})
_VARIABLE = "environment"
_OF_AN_OWNER = 2
_DEEPEST = 8
_LOOKED_AT = 300
_OF_A_CLASS = 3_000
_SHOWN = 2


class Coverage(IntEnum):
    """See the module text; the higher the more."""

    NONE = 0
    NAMED = 1
    STATED = 2
    ENTRY = 3


@attrs.frozen
class Near:
    """Documented options similar to one that is not: what they share (``where``: ``class``, ``namespace`` or ``kind``), and their coverage.

    ``left_out``: the declaration describes the option itself as well, but the pages that list the others leave it out.
    ``where`` is ``nowhere`` if no document has any name that begins like the option: ``names`` is then that beginning.
    """

    names: tuple[str, ...]
    where: str
    coverage: Coverage
    left_out: bool = False


class Neighbours:
    """Neighbours in one subject."""

    def __init__(self, subject: Subject) -> None:
        """Nothing is looked at yet."""
        self._subject = subject
        self.left_out = LeftOut(subject)
        self._classes: dict[tuple[str, str, str], tuple[tuple[int, str, Coverage], ...]] = {}
        self._bound: dict[str, tuple[tuple[str, Coverage], ...]] = {}
        self._namespaces: dict[str, tuple[tuple[str, Coverage], ...]] = {}

    def coverage(self, option: Option) -> Coverage:
        """Return how an option is documented.  Usage texts of switches are not pages, and options that libraries read do not count."""
        if option.pattern or self._subject.recognised.reserved.holds(
            option.name, (option.domain,)
        ):
            return Coverage.NONE
        found = self._subject.documented(option)
        best = () if found and is_something_else(self._subject, option, found) else found[:1]
        if any(ref.kind is MentionKind.ENTRY for ref in best):
            return Coverage.ENTRY
        if option.stated and not option.domain.startswith("command"):
            return Coverage.NONE if self.left_out.holds(option) else Coverage.STATED
        named = bool(best) and is_name_like(option.name)
        return Coverage.NAMED if named else Coverage.NONE

    def has_entries(self, option: Option) -> bool:
        """Tell whether documents describe an option of the same class, or directly in the same namespace, as an entry."""
        if any(coverage is Coverage.ENTRY for _, _, coverage in self._beside(option)):
            return True
        near = next(_namespaces(option.name), "")
        return any(coverage is Coverage.ENTRY for _, coverage in self._within(near))

    def near(self, option: Option) -> Near | None:
        """Return the most similar documented options."""
        found = self._near(option)
        out = found is not None and self.left_out.holds(option)
        return attrs.evolve(found, left_out=True) if found is not None and out else found

    def _near(self, option: Option) -> Near | None:
        """Return the most similar documented options of its class, or else of its namespaces.

        A flat name of a bound class may stand in one file with those of other classes; all variables of the environment do.
        """
        beside = self._beside(option)
        if beside:
            best = max(coverage for _, _, coverage in beside)
            at = option.declarations[0].place.start
            found = sorted((abs(place - at), name) for place, name, one in beside if one is best)
            return _near([name for _, name in found], "class", best)
        for namespace in _namespaces(option.name):
            within = self._within(namespace)
            if within:
                best = max(coverage for _, coverage in within)
                alike = [name for name, one in within if one is best]
                alike.sort(key=lambda name: -_parts_alike(name, option.name))
                return _near(alike, "namespace", best)
        if _is_flat(option) or option.domain == _VARIABLE:
            flat = self._flat(option.domain)
            if flat:
                best = max(coverage for _, coverage in flat)
                return _near([name for name, one in flat if one is best], "kind", best)
        return None

    def _beside(self, option: Option) -> list[tuple[int, str, Coverage]]:
        """Return the others of the classes that declare an option, with where they are declared."""
        found: list[tuple[int, str, Coverage]] = []
        for declaration in option.declarations:
            owner = declaration.symbol.rpartition(".")[0]
            if owner:
                found += self._of_class(declaration.place.path, owner, option.domain)
        return [one for one in found if one[1] != option.name]

    def _of_class(
        self, path: str, owner: str, domain: str
    ) -> tuple[tuple[int, str, Coverage], ...]:
        known = self._classes.get((path, owner, domain))
        if known is None:
            known = self._classes[path, owner, domain] = tuple(
                (declaration.place.start, option.name, coverage)
                for declaration, owners in self._subject.options.declarations_in.get(path, ())[
                    :_OF_A_CLASS
                ]
                if declaration.symbol.rpartition(".")[0] == owner
                for option in owners
                if option.domain == domain
                and (coverage := self.coverage(option)) is not Coverage.NONE
            )
        return known

    def _flat(self, domain: str) -> tuple[tuple[str, Coverage], ...]:
        known = self._bound.get(domain)
        if known is None:
            bound = (
                one
                for one in self._subject.options.options
                if one.domain == domain and (_is_flat(one) or domain == _VARIABLE)
            )
            known = self._bound[domain] = tuple(
                (option.name, coverage)
                for option in islice(bound, _OF_A_CLASS)
                if (coverage := self.coverage(option)) is not Coverage.NONE
            )
        return known

    def _within(self, namespace: str) -> tuple[tuple[str, Coverage], ...]:
        if not namespace:
            return ()
        known = self._namespaces.get(namespace)
        if known is None:
            known = self._namespaces[namespace] = tuple(
                (option.name, coverage)
                for option in self._beginning_with(namespace)
                if (coverage := self.coverage(option)) is not Coverage.NONE
            )
        return known

    def _beginning_with(self, namespace: str) -> Iterator[Option]:
        options = self._subject.options.options
        at = bisect_left(options, namespace, key=lambda option: option.name)
        for option in options[at : at + _LOOKED_AT]:
            if not option.name.startswith(namespace):
                return
            yield option


def own_beginning(name: str) -> str:
    """Return the widest namespace of a name of several parts that says more than whose it is."""
    return list(_namespaces(name))[-1]


def _is_flat(option: Option) -> bool:
    return "." not in option.name and any(one.kind == "field" for one in option.declarations)


def _parts_alike(one: str, other: str) -> int:
    """Return how many parts two names begin with are the same."""
    pairs = enumerate(zip(one.split("."), other.split("."), strict=False))
    return next((at for at, (left, right) in pairs if left != right), one.count("."))


def _near(names: list[str], where: str, coverage: Coverage) -> Near:
    distinct = list(dict.fromkeys(names))[:_SHOWN]
    return Near(tuple(sorted(distinct, key=by_length)), where, coverage)


def _namespaces(name: str) -> Iterator[str]:
    """Yield the namespaces of a name, the narrowest first."""
    parts = name.split(".")
    if len(parts) == 1:
        head, mark, _ = name.partition("_")
        if mark and head and name.isupper():
            yield f"{head}_"
        return
    least = _OF_AN_OWNER if parts[0] in _REVERSED else 1
    for count in range(min(len(parts) - 1, _DEEPEST), least - 1, -1):
        yield ".".join(parts[:count]) + "."
