"""The counts of the specification follow its programs."""

from __future__ import annotations

import pytest

from reference.spec_counts import SPEC, front_page
from spec.cases import load


def test_another_program_is_counted() -> None:
    cases = load(SPEC)
    last = next(case for case in reversed(cases) if case.flows)
    before, after = front_page(cases), front_page([*cases, last])
    assert f"{len(cases)} programs" in before and f"{len(cases) + 1} programs" in after
    count = sum(case.page == last.page for case in cases)
    assert f"]({last.page}.md) | {count} |" in before
    assert f"]({last.page}.md) | {count + 1} |" in after


def test_a_page_of_flows_that_is_not_listed_is_an_error() -> None:
    cases = load(SPEC)
    last = next(case for case in cases if case.flows)
    other = type(last)("flows/other: a", last.files, last.verdicts)
    with pytest.raises(ValueError, match="does not list flows/other"):
        front_page([*cases, other])
