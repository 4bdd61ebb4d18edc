"""What documents describe without naming it in full, and whether they describe anything at all.

A page on one class or section lists its members by the last parts of their names, in a table below a heading.  Such an entry
is taken for an option where the same page lists the same for most others in its namespace.
A file that lists at least a third of the options documents them even without descriptions: users look for options there, as in
the config file that ships with a server.
Absent: entries with whole names (``documentation``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from conflens.checking.subject import Subject
from conflens.documents import DocumentRef, MentionKind
from conflens.options.model import Option

_PAGE = re.compile(
    r"\.(?:md|markdown|mdx|adoc|asciidoc|asc|rst|rest|html?|xhtml|txt)\Z", re.IGNORECASE
)
_FEWEST = 3
_SHARE = 0.5
_ENOUGH = 10
_LEAST = 0.05
_LISTED = 1 / 3
"""The least share of the options in a file that counts as a list of them."""
_FEW = 20
"""Options of which nothing can be said by shares."""
_LOOKED_AT = 300
_PAGES = 50


class Described:
    """What is described in one subject, found out once."""

    def __init__(self, subject: Subject) -> None:
        """Nothing is looked at yet."""
        self._subject = subject
        self._pages: dict[str, tuple[str, ...]] = {}
        self._sections: dict[str, tuple[int, Counter[str]]] = {}
        self._anything: bool | None = None

    def by_last_part(self, option: Option) -> bool:
        """Tell whether a page lists an option, and most others in its namespace, by the last parts of their names."""
        parent, _, last = option.name.rpartition(".")
        pages = self._listing(last) if parent else ()
        if not pages:
            return False
        count, found = self._section(f"{parent}.")
        return any(found[page] >= max(_FEWEST, _SHARE * count) for page in pages)

    def anything(self) -> bool:
        """Tell whether documents describe more than a few options, or one lists many; otherwise a missing one is not worth reporting."""
        if self._anything is None:
            self._anything = self._is_anything_described()
        return self._anything

    def _is_anything_described(self) -> bool:
        count = found = 0
        listed = Counter[str]()
        for option in self._subject.options.options:
            if option.pattern or not option.reads:
                continue
            count += 1
            refs = self._subject.documented(option)
            found += self._is_described(option, refs)
            if found == _ENOUGH:
                return True
            listed.update({ref.path for ref in refs if ref.kind is MentionKind.ENTRY})
        most = max(listed.values(), default=0)
        return found > _LEAST * count or count < _FEW or most >= max(_FEWEST, _LISTED * count)

    def _is_described(self, option: Option, refs: Sequence[DocumentRef]) -> bool:
        if option.stated and not option.domain.startswith("command"):
            return True
        entered = any(ref.kind is MentionKind.ENTRY and ref.description for ref in refs[:1])
        return entered or self.by_last_part(option)

    def _listing(self, name: str) -> tuple[str, ...]:
        """Return the pages that have an entry for a name."""
        known = self._pages.get(name)
        if known is None:
            documents = self._subject.documents
            known = self._pages[name] = tuple(
                path
                for path in documents.postings.get(name, ())[:_PAGES]
                if _PAGE.search(path)
                and any(
                    mention.kind is MentionKind.ENTRY
                    for mention in documents.harvests[path].by_name.get(name, ())
                )
            )
        return known

    def _section(self, namespace: str) -> tuple[int, Counter[str]]:
        """Return how many options lie directly in a namespace, and how many of them each page lists."""
        known = self._sections.get(namespace)
        if known is None:
            options = self._subject.options.options
            at = bisect_left(options, namespace, key=lambda option: option.name)
            lasts: dict[str, None] = {}
            for option in options[at : at + _LOOKED_AT]:
                if not option.name.startswith(namespace):
                    break
                last = option.name[len(namespace) :]
                if "." not in last and "*" not in last:
                    lasts[last] = None
            pages = Counter(page for last in lasts for page in self._listing(last))
            known = self._sections[namespace] = len(lasts), pages
        return known
