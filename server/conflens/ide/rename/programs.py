"""Which files are known to meet with the text under the cursor in one program.

Two files of one module meet, and files of modules of which one depends on the other, or that something depends on together.  Of the
Java files of one module, those do not that only different programs reach (``program.sharing``).  A file beside the modules that have
code is for any: it meets with the code that changes with it if all of that meets, and with no other.

In doubt files do not meet: unlike for checks, code without a build file is no part of the modules beside it.
"""

from __future__ import annotations

from collections.abc import Set
from itertools import combinations

from conflens.session.analysis import Analysis

_MOST_MODULES = 60
"""Modules with code that changes; of more, not all pairs are looked at."""


def met(analysis: Analysis, start: str, code: Set[str], paths: Set[str]) -> frozenset[str]:
    """Return those of some ``paths`` that meet with the file ``start``; ``code`` are the Java files that change."""
    modules, recognised = analysis.program.modules, analysis.recognised
    home = modules.at(start)
    homes = {home}
    if start not in analysis.program.files and home not in recognised.coded:
        found = {modules.at(path) for path in code}
        if len(found) <= _MOST_MODULES and all(
            modules.meet(one, other) for one, other in combinations(found, 2)
        ):
            homes |= found
    near = {
        module
        for module in {modules.at(path) for path in paths}
        if any(modules.meet(one, module) for one in homes)
    }
    return frozenset(
        path
        for path in paths
        if path == start or (modules.at(path) in near and _share(analysis, start, path))
    )


def _share(analysis: Analysis, one: str, other: str) -> bool:
    """Whether two files of one module, if both are Java, can be parts of one program."""
    files, at = analysis.program.files, analysis.program.modules.at
    if one not in files or other not in files or at(one) != at(other):
        return True
    sharing = analysis.recognised.sharing
    return sharing is None or sharing.shared(one, other)
