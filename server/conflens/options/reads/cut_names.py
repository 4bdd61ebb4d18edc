"""What bounds leave open in the names of reads, in sentences that say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conflens.options.sites import Site
from conflens.program.templates import LIMIT, MOST, reason_of


def cut_names(sites: Iterable[Site]) -> Iterator[tuple[int, str]]:
    """Yield where reads may have more names than are looked at, and what is to be said there."""
    for site in sites:
        count = len(site.names)
        if count in (LIMIT, MOST):
            yield (
                site.at,
                f"this read may have more than {count:,} option names, of which only {count:,} are analysed",
            )
        known = any(isinstance(part, str) for template in site.names for part in template)
        if site.sure and not known:
            continue  # listed as a read whose name is not known, with the reason
        for reason in dict.fromkeys(filter(None, map(reason_of, site.names))):
            yield site.at, f"not all names of the option that is read here are known: {reason}"
