"""Names of which only the last part is known: a word without a sign that is asked of an object whose prefix nobody tells.

Libraries that know the whole name of every setting have a word alone only where somebody declares it.  Any other is asked of a part that was
taken out, handed on and stored in a way that is not followed; ``*`` stands for what is in front of it.
Absent: prefixes that are known (``prefixes``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

import attrs

from conflens.models.load import Models
from conflens.options.sites import Site
from conflens.program.templates import UNKNOWN, concat, known_text


def placed(
    models: Models, sites: Mapping[str, tuple[Site, ...]], declared: Set[tuple[str, str]]
) -> dict[str, tuple[Site, ...]]:
    """Return the sites of each file, with ``*`` in front of words that are no whole names; ``declared``: domains and names."""
    signs = {row.domain: row.declared for row in models.domains if row.declared}
    return {path: tuple(_placed(signs, own, declared)) for path, own in sites.items()}


def _placed(
    signs: Mapping[str, str], sites: Iterable[Site], declared: Set[tuple[str, str]]
) -> Iterator[Site]:
    for site in sites:
        sign = signs.get(site.domain)
        name = known_text(site.names) if sign is not None else None
        if sign is None or not name or sign in name or (site.domain, name) in declared:
            yield site
        else:
            yield attrs.evolve(site, names=concat(concat(UNKNOWN, ((sign,),)), site.names))
