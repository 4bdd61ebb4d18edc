"""The counts on the front page of the specification: how many programs there are, and of each page of flows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from spec.cases import Case, load

PATH = "tests/spec/README.md"
SPEC = Path(__file__).resolve().parents[1] / "spec"
_COUNTED = re.compile(
    r"(<!-- Counts made by `make reference` -->\n).*?(?=<!-- end -->)", re.DOTALL
)
_ROW = re.compile(r"(?<=\]\()(flows/[\w-]+)\.md\) \| *\d* *\|")


def front_page(cases: Sequence[Case] | None = None) -> str:
    """Return the front page with the counts of these programs, of all if none are given.

    Raises ``ValueError`` if it lacks the place for them, or a page of flows.
    """
    cases = load(SPEC) if cases is None else cases
    text = (SPEC / "README.md").read_text(encoding="utf-8")
    pages = Counter(case.page for case in cases if case.flows)
    if _COUNTED.search(text) is None:
        raise ValueError(f"{PATH} has no place for counts")
    if missing := pages.keys() - set(_ROW.findall(text)):
        raise ValueError(f"{PATH} does not list {', '.join(sorted(missing))}")
    text = _ROW.sub(lambda row: f"{row[1]}.md) | {pages[row[1]]} |", text)
    return _COUNTED.sub(lambda found: f"{found[1]}{_counts(cases)}\n", text)


def _counts(cases: Sequence[Case]) -> str:
    flows = [case for case in cases if case.flows]
    clean = sum(
        any(verdict.kind == "clean" for found in case.verdicts.values() for verdict in found)
        for case in flows
    )
    gaps = [case.gaps for case in cases if case.gaps]
    return (
        f"{len(cases)} programs, {len(flows)} of them about flows; {clean} of these state that some line stays clean.\n"
        f"{sum(gaps)} known gaps in {len(gaps)} programs."
    )
