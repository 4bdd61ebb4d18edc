"""All findings of a file: how loud they are, which are suppressed, what may be said before all files are seen."""

from __future__ import annotations

import attrs

from checking.keys_support import analyse
from conflens.checking.check import findings, undocumented_options
from conflens.checking.option_codes import option_codes
from conflens.checking.results import SEVERITIES, Code, Finding, Reason, Severity
from conflens.checking.suppression import Policy, Rule
from conflens.session.analysis import Analysis

JAVA = """
class A {
  int a() { return use(Integer.getInteger("pool.size", 4)); }
  int b() { return use(Integer.getInteger("pool.size", 8)); }
  void c() { Integer.getInteger("pool.dead", 1); }
  int d() { return use(Integer.getInteger("pool.known", 1)); }
  byte[] e() { return new byte[Integer.getInteger("pool.buffer", 1)]; }
}
"""
FILES = {"A.java": JAVA, "README.md": "# Options\n\n- `pool.known`: what it is.\n"}
DOMAIN = "system-property"


def analysis(**changes: object) -> Analysis:
    return attrs.evolve(analyse(FILES), **changes)  # type: ignore[arg-type]


def codes(found: tuple[Finding, ...]) -> set[tuple[str, str]]:
    return {(str(finding.code), finding.name) for finding in found}


def test_every_code_has_its_usual_severity() -> None:
    found = findings(analysis(), "A.java")
    assert codes(found) == {
        ("conflicting-default", "pool.size"),
        ("dead-option", "pool.dead"),
        ("undocumented-option", "pool.size"),
        ("undocumented-option", "pool.dead"),
        ("undocumented-option", "pool.buffer"),
    }
    assert all(finding.severity is SEVERITIES[finding.code] for finding in found)
    assert [finding.place for finding in found] == sorted(finding.place for finding in found)


def test_severities_are_the_callers() -> None:
    louder = {Code.CONFLICTING_DEFAULT: Severity.ERROR, Code.UNDOCUMENTED_OPTION: Severity.OFF}
    found = findings(analysis(), "A.java", louder)
    assert codes(found) == {("conflicting-default", "pool.size"), ("dead-option", "pool.dead")}
    assert {finding.severity for finding in found if finding.name == "pool.size"} == {
        Severity.ERROR
    }


def test_severities_of_the_project_override_those_of_the_caller() -> None:
    policy = Policy(severities={Code.CONFLICTING_DEFAULT: Severity.HINT})
    found = findings(analysis(policy=policy), "A.java", {Code.CONFLICTING_DEFAULT: Severity.ERROR})
    assert {one.severity for one in found if one.code is Code.CONFLICTING_DEFAULT} == {
        Severity.HINT
    }


def test_unused_reads_of_a_dead_option_are_reported_where_dead_options_are_not() -> None:
    off = {Code.DEAD_OPTION: Severity.OFF}
    assert ("unused-read", "pool.dead") in codes(findings(analysis(), "A.java", off))
    assert ("unused-read", "pool.dead") not in codes(findings(analysis(), "A.java"))


def test_paths_to_operations_are_shown_if_asked_for() -> None:
    on = {Code.REACHES_OPERATION: Severity.INFORMATION}
    (found,) = (
        finding
        for finding in findings(analysis(), "A.java", on)
        if finding.code is Code.REACHES_OPERATION
    )
    assert (found.name, found.severity) == ("pool.buffer", Severity.INFORMATION)
    assert "new byte[" in found.message
    assert [text.partition(":")[0] for _, text in found.related][::-1][0] == "operation"


def test_an_incomplete_analysis_reports_only_what_cannot_change() -> None:
    found = findings(analysis(complete=False), "A.java")
    assert codes(found) == {("conflicting-default", "pool.size"), ("unused-read", "pool.dead")}
    assert undocumented_options(analysis(complete=False)) == frozenset()


def test_suppressed_findings_are_marked() -> None:
    policy = Policy(rules=(Rule(Code.UNDOCUMENTED_OPTION, "pool.b*"),))
    made = analysis(policy=policy)
    suppressed = [one for one in findings(made, "A.java") if one.suppressed is not None]
    assert [(one.name, one.suppressed) for one in suppressed] == [("pool.buffer", Reason.RULE)]
    assert undocumented_options(made) == {(DOMAIN, "pool.size"), (DOMAIN, "pool.dead")}


def test_codes_by_option_know_no_severity_and_no_suppression() -> None:
    policy = Policy(rules=(Rule(None),), severities={Code.UNUSED_READ: Severity.OFF})
    assert option_codes(analysis(policy=policy)) == {
        (DOMAIN, "pool.size"): (Code.CONFLICTING_DEFAULT, Code.UNDOCUMENTED_OPTION),
        (DOMAIN, "pool.dead"): (Code.UNDOCUMENTED_OPTION, Code.UNUSED_READ),
        (DOMAIN, "pool.buffer"): (Code.UNDOCUMENTED_OPTION,),
    }
