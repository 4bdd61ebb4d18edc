"""Findings for a terminal: file by file, one line each, and a summary in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from conflens.base.text import Encoding
from conflens.base.words import count
from conflens.checking.results import Reason, Severity
from conflens.cli.check.collecting import Checked, Spots
from conflens.cli.report.steps import visible

_LOUDEST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.INFORMATION, Severity.HINT)
_WIDTH = max(map(len, _LOUDEST_FIRST))
_HIDDEN = {
    Reason.BASELINE: "in the baseline",
    Reason.COMMENT: "by comment",
    Reason.RULE: "by rule",
}


def lines(found: Checked) -> Iterator[str]:
    """Yield the lines of the table."""
    spots = Spots(found.analysis)
    for path, findings in groupby(found.findings, key=lambda finding: finding.place.path):
        yield visible(path)
        placed = []
        for finding in findings:
            line, column, *_ = spots.region(finding.place, Encoding.UTF32)
            placed.append((f"{line}:{column}", finding))
        width = max(len(where) for where, _ in placed)
        for where, finding in placed:
            said = visible(" ".join(finding.message.split()))
            yield f"  {where:<{width}}  {finding.severity:<{_WIDTH}}  {said}  [{finding.code}]"
        yield ""
    yield summary(found)


def summary(found: Checked) -> str:
    """Return what was found in one sentence."""
    paths = {finding.place.path for finding in found.findings}
    if paths:
        numbers = Counter(finding.severity for finding in found.findings)
        kinds = ", ".join(_amount(numbers[one], one) for one in _LOUDEST_FIRST if numbers[one])
        words = f"{count(len(found.findings), 'finding')} in {count(len(paths), 'file')}: {kinds}"
    else:
        words = f"No findings in {count(found.files, 'file')}"
    hidden = [(found.hidden(reason), words) for reason, words in _HIDDEN.items()]
    listed = ", ".join(f"{number:,} {words}" for number, words in hidden if number)
    if listed:
        words += f"; {len(found.suppressed):,} suppressed ({listed})"
    return f"{words}."


def _amount(number: int, severity: Severity) -> str:
    if severity is Severity.INFORMATION:
        return f"{number:,} information"
    return count(number, severity)
