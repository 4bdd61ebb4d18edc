"""The findings of a project, or of some of its files, as every format of ``check`` writes them.

Invariant: findings are those of ``checking.check``, sorted by path and place, as loud as they are by default or as the
project says, so that editor and CI agree unless a user has set something else.  Fixes that move a secret are left to the
editor: a report is kept and uploaded.
Absent: the formats (``table_format``, ``json_format``, ``sarif_format``), arguments, exit codes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import attrs

from conflens.base.span import Place
from conflens.base.text import Encoding, LineIndex
from conflens.checking.check import every
from conflens.checking.harmless import with_safe_fixes
from conflens.checking.moved_secrets import without_secret_fixes
from conflens.checking.results import Code, Finding, Reason
from conflens.cli.progress import Progress
from conflens.cli.report.report import WORKSPACE
from conflens.session.analysis import Analysis, Problem
from conflens.session.inputs.named_files import CODE as NAMED_FILE

MALFORMED = "malformed-file"
"""The code of problems in the form of a config file."""


class Spots:
    """Places as lines and columns from 1; a file's text is read once."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._lines: dict[str, LineIndex | None] = {}

    def region(self, place: Place, encoding: Encoding) -> tuple[int, int, int, int]:
        """Return line and column of the start, and of the exclusive end."""
        line, column = self._position(place.path, place.start, encoding)
        last, end = self._position(place.path, place.end, encoding)
        return line + 1, column + 1, last + 1, end + 1

    def _position(self, path: str, offset: int, encoding: Encoding) -> tuple[int, int]:
        if path not in self._lines:
            text = self._analysis.text(path)
            self._lines[path] = None if text is None else LineIndex.of(text)
        lines = self._lines[path]
        if lines is None:
            return self._analysis.position(path, offset, encoding)
        return lines.position(offset, encoding)


@attrs.frozen
class Checked:
    """What was found.  ``findings`` are wanted, ``suppressed`` are not; ``files`` were looked at.  ``problems`` are mistakes
    in workspace files, and config files that cannot be read or are not well-formed, because of which findings may be
    missing."""

    analysis: Analysis = attrs.field(repr=False)
    findings: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    files: int
    problems: tuple[Problem, ...]

    def hidden(self, reason: Reason) -> int:
        """Return how many findings are suppressed for a reason."""
        return sum(finding.suppressed is reason for finding in self.suppressed)


def paths(analysis: Analysis) -> tuple[str, ...]:
    """Return all files that can have findings, sorted."""
    known = {*analysis.program.files, *analysis.config_files, *analysis.documents.harvests}
    return tuple(sorted(known))


def within(known: Iterable[str], wanted: Iterable[str]) -> tuple[str, ...]:
    """Return those of the ``known`` files that are ``wanted``, or lie in a folder that is; ``""`` wants all."""
    whole = frozenset(wanted)
    if "" in whole:
        return tuple(known)
    return tuple(path for path in known if not whole.isdisjoint(_around(path)))


def _around(path: str) -> Iterator[str]:
    """A path and the folders that it lies in."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def checked(
    analysis: Analysis,
    files: tuple[str, ...],
    codes: Collection[Code] = (),
) -> Checked:
    """Return the findings in ``files``; of these ``codes`` only, if any are given."""
    findings: list[Finding] = []
    suppressed: list[Finding] = []
    with Progress("checking files") as progress:
        found = every(analysis, files)
        for number, of_file in enumerate(found, 1):
            safe = with_safe_fixes(analysis.config_files, of_file)
            for finding in without_secret_fixes(analysis, safe):
                if not codes or finding.code in codes:
                    (findings if finding.suppressed is None else suppressed).append(finding)
            progress(number, len(files))
    problems = [
        problem for problem in analysis.problems if problem.code in (WORKSPACE, NAMED_FILE)
    ]
    problems += _malformed(analysis, files)
    once = _told_once(analysis, findings, suppressed)
    return Checked(analysis, once, tuple(suppressed), len(files), tuple(problems))


def _told_once(
    analysis: Analysis, findings: Iterable[Finding], suppressed: Iterable[Finding]
) -> tuple[Finding, ...]:
    """Leave out that a document states another default than code where code is told that already, or should not be."""
    found = tuple(findings)
    told = {
        finding.options or finding.name
        for finding in (*found, *suppressed)
        if finding.code is Code.DEFAULT_MISMATCH and finding.place.path in analysis.program.files
    }
    return tuple(
        finding
        for finding in found
        if finding.code is not Code.DEFAULT_MISMATCH
        or finding.place.path in analysis.program.files
        or (finding.options or finding.name) not in told
    )


def _malformed(analysis: Analysis, files: Iterable[str]) -> Iterator[Problem]:
    """Yield the faults in the form of config files of this project; a parser would stop at the first."""
    for path in files:
        file = analysis.config_files.get(path)
        if file is None or not file.faults or not analysis.recognised.is_meant(path):
            continue
        fault = file.faults[0]
        line, column = file.lines.position(fault.start, Encoding.UTF32)
        yield Problem(path, line + 1, column + 1, MALFORMED, fault.message)
