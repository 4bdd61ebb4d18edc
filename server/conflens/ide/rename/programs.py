"""Which files are known to be in one program with the text under the cursor.

Those are the files of its module; of the Java files of one module those are not that only different programs reach
(``program.sharing``).  A file beside the modules that have code is for any: it is in one program with the code that changes with it if all
of that is of one module, and with no other.

Modules that depend on each other are not looked at: the name of an artifact is often that of another program's, too, and what
collects others, for a report or an image, makes no program of them.  In doubt files do not meet: unlike for checks, code without a build file
is no part of the modules beside it.
"""

from __future__ import annotations

from collections.abc import Set

from conflens.session.analysis import Analysis


def met(analysis: Analysis, start: str, code: Set[str], paths: Set[str]) -> frozenset[str]:
    """Return those of some ``paths`` that meet with the file ``start``; ``code`` are the Java files that change."""
    modules, recognised = analysis.program.modules, analysis.recognised
    home = modules.at(start)
    homes = {home}
    if start not in analysis.program.files and home not in recognised.coded:
        found = {modules.at(path) for path in code}
        homes |= found if len(found) == 1 else set()
    return frozenset(
        path
        for path in paths
        if path == start or (modules.at(path) in homes and _share(analysis, start, path))
    )


def _share(analysis: Analysis, one: str, other: str) -> bool:
    """Whether two files of one module, if both are Java, can be parts of one program."""
    files, at = analysis.program.files, analysis.program.modules.at
    if one not in files or other not in files or at(one) != at(other):
        return True
    sharing = analysis.recognised.sharing
    return sharing is None or sharing.shared(one, other)
