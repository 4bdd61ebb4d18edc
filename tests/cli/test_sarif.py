"""SARIF: the structure that the standard asks for, and what must stay the same under edits.

The classes below say which properties of SARIF 2.1.0 are written, and of which form each must be;
anything else is refused (section numbers of the standard).
"""

import re
from typing import Annotated, Any
from urllib.parse import unquote

import attrs
import msgspec
import pytest
from msgspec import Meta

from cli.flowing import PATH, SOURCE, flowing
from cli.judged import judged, with_verdicts
from conflens.cli.report.contract import Shown
from conflens.cli.report.reached import Selection
from conflens.cli.report.report import report
from conflens.cli.sarif import log as sarif
from conflens.cli.sarif.log import (
    FINGERPRINT,
    MAX_STEPS,
    OPTION_FINGERPRINT,
    cut,
    encode_log,
)
from conflens.cli.sarif.parts import message, uri
from conflens.documents import DocumentIndex, harvest
from conflens.facts.lower import lower
from conflens.flow.results import Confidence, FlowTable, Path, Reach
from conflens.sensitivity.results import Evidence, Label, Reason, Verdict
from conflens.session.analysis import Analysis

_Text = Annotated[str, Meta(min_length=1)]
_One = Annotated[int, Meta(ge=1)]
_Reference = Annotated[str, Meta(pattern=r"^(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+$")]


class _Strict(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    pass


class _Message(_Strict):
    """§3.11."""

    text: _Text


class _Artifact(_Strict):
    """§3.4."""

    uri: _Reference
    uri_base_id: _Text


class _Region(_Strict):
    """§3.30."""

    start_line: _One
    start_column: _One
    end_line: _One
    end_column: _One


class _Physical(_Strict):
    """§3.29."""

    artifact_location: _Artifact
    region: _Region


class _Logical(_Strict):
    """§3.33."""

    fully_qualified_name: _Text
    kind: str


class _Location(_Strict):
    """§3.28."""

    physical_location: _Physical
    logical_locations: list[_Logical] = []
    message: _Message | None = None


class _Step(_Strict):
    """§3.38."""

    location: _Location
    kinds: list[_Text]


class _Thread(_Strict):
    """§3.37."""

    locations: Annotated[list[_Step], Meta(min_length=1)]
    message: _Message | None = None


class _CodeFlow(_Strict):
    """§3.36."""

    thread_flows: Annotated[list[_Thread], Meta(min_length=1)]
    message: _Message


class _Result(_Strict):
    """§3.27."""

    rule_id: _Text
    rule_index: Annotated[int, Meta(ge=0)]
    level: str
    message: _Message
    locations: Annotated[list[_Location], Meta(min_length=1, max_length=1)]
    partial_fingerprints: dict[str, _Text]
    properties: dict[str, Any]
    code_flows: Annotated[list[_CodeFlow], Meta(min_length=1)] = []


class _Level(_Strict):
    """§3.50."""

    level: str


class _Rule(_Strict):
    """§3.49."""

    id: _Text
    name: Annotated[str, Meta(pattern=r"^[A-Z][A-Za-z0-9]*$")]
    short_description: _Message
    full_description: _Message
    default_configuration: _Level
    properties: dict[str, list[str]]


class _Driver(_Strict):
    """§3.19."""

    name: _Text
    rules: list[_Rule]
    version: str = ""


class _Tool(_Strict):
    """§3.18."""

    driver: _Driver


class _Notification(_Strict):
    """§3.58."""

    level: str
    message: _Message


class _Invocation(_Strict):
    """§3.20."""

    execution_successful: bool
    tool_configuration_notifications: list[_Notification] = []


class _Base(_Strict):
    """§3.14.14: the place of the project on this machine is nobody's business."""

    description: _Message


class _Run(_Strict):
    """§3.14."""

    tool: _Tool
    invocations: list[_Invocation]
    column_kind: str
    original_uri_base_ids: dict[str, _Base]
    results: list[_Result]


class _Log(msgspec.Struct, forbid_unknown_fields=True):
    """§3.13."""

    schema: str = msgspec.field(name="$schema")
    version: str
    runs: Annotated[list[_Run], Meta(min_length=1, max_length=1)]


def run_of(analysis: Analysis, shown: Shown | None = None) -> _Run:
    log = msgspec.json.decode(encode_log(report(analysis), shown or Shown()), type=_Log)
    assert log.version == "2.1.0"
    assert log.schema.endswith("/sarif-schema-2.1.0.json")
    return log.runs[0]


def fingerprints(run: _Run) -> list[str]:
    return [result.partial_fingerprints[FINGERPRINT] for result in run.results]


def test_a_log_has_the_structure_of_the_standard() -> None:
    run = run_of(flowing(), Shown(paths=None))
    assert run.column_kind == "utf16CodeUnits"
    assert list(run.original_uri_base_ids) == ["%SRCROOT%"]
    assert run.tool.driver.name == "ConfLens"
    rules = [rule.id for rule in run.tool.driver.rules]
    assert rules == ["direct/memory", "loop/io", "branch/io", "branch/lock"]
    assert [rule.name for rule in run.tool.driver.rules][:2] == ["DirectMemory", "LoopIo"]
    assert [result.rule_id for result in run.results] == [
        rules[result.rule_index] for result in run.results
    ]
    assert len(run.results) == 5
    assert {result.level for result in run.results} == {"note"}
    assert len({rule.id for rule in run.tool.driver.rules}) == len(rules)


def test_a_result_describes_the_flow() -> None:
    result = run_of(flowing()).results[1]
    assert result.message.text == (
        "Option 'pool.size' (system property) controls how often"
        " OutputStream.write (io) in Pool.fill runs."
    )
    assert result.locations[0].logical_locations[0].fully_qualified_name == "p.Pool.fill()"
    assert result.properties["pattern"] == "loop-bound"
    assert result.properties["paths"] == 5
    steps = result.code_flows[0].thread_flows[0].locations
    assert [step.kinds for step in steps] == [
        ["read"],
        ["store"],
        ["load"],
        ["guard"],
        ["operation"],
    ]
    assert [step.location.message.text for step in steps if step.location.message][3] == (
        "guard: for (int i = 0; i < size; i++)"
    )
    assert steps[-1].location.physical_location == result.locations[0].physical_location


def test_regions_count_utf16_units_and_contain_the_source() -> None:
    lines = SOURCE.encode("utf-16-le").split("\n".encode("utf-16-le"))
    expected = ["new byte[size]", "write(i)", "write(i)", "out.flush()", "touch"]
    for result, text in zip(run_of(flowing()).results, expected, strict=True):
        region = result.locations[0].physical_location.region
        assert region.start_line == region.end_line
        line = lines[region.start_line - 1]
        part = line[2 * (region.start_column - 1) : 2 * (region.end_column - 1)]
        assert part.decode("utf-16-le") == text


def test_uris_are_relative_and_encoded() -> None:
    places = {
        step.location.physical_location.artifact_location.uri
        for result in run_of(flowing()).results
        for step in result.code_flows[0].thread_flows[0].locations
    }
    assert places == {"src/gr%C3%B6%C3%9Fe%20%231/Pool%25.java"}
    assert unquote(places.pop()) == PATH


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("a:b/C.java", "a%3Ab/C.java"),
        ("a?b&c=d/C.java", "a%3Fb%26c%3Dd/C.java"),
        (b"a/\xff.java".decode("utf-8", "surrogateescape"), "a/%FF.java"),
        ("a/😀\\b.java", "a/%F0%9F%98%80%5Cb.java"),
    ],
)
def test_uri(path: str, encoded: str) -> None:
    assert uri(path) == encoded


def test_braces_and_brackets_have_no_meaning_in_messages() -> None:
    assert message("a {0} [b](1)") == {"text": "a {{0}} [b] (1)"}
    notes = run_of(flowing()).invocations[0].tool_configuration_notifications
    assert [note.message.text for note in notes] == [".conflens.toml:3: unknown key {{nmae}}"]
    steps = run_of(flowing()).results[4].code_flows[0].thread_flows[0].locations
    assert steps[-1].location.message == _Message(
        "operation: synchronized void touch(int n) {{ }}"
    )


def test_paths_are_code_flows() -> None:
    result = run_of(flowing(), Shown(paths=None)).results[1]
    assert [flow.message.text for flow in result.code_flows] == [
        "loop-bound, high confidence",
        "loop-bound, low confidence: dynamic dispatch over 9 targets",
        "loop-bound, low confidence: dynamic dispatch over 9 targets",
    ]
    assert len(run_of(flowing()).results[1].code_flows) == 1


def test_fingerprints_are_unique_and_have_one_form() -> None:
    found = fingerprints(run_of(flowing()))
    assert len(set(found)) == 5
    assert all(re.fullmatch(r"[0-9a-f]{32}", item) for item in found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("package p;", "package p;\n\n// more\n"),
        ("class Pool {", "class Pool {\n    int other; void first() { int x = 1; }\n"),
        ("        do {", "        int more = 2;\n        do {"),
        ("    synchronized void", "    /** Touches. */\n    synchronized   void"),
    ],
)
def test_edits_elsewhere_change_no_fingerprint(old: str, new: str) -> None:
    edited = SOURCE.replace(old, new)
    assert edited != SOURCE
    assert fingerprints(run_of(flowing(edited, edited))) == fingerprints(run_of(flowing()))


def test_another_method_has_another_fingerprint() -> None:
    made = flowing()
    facts = lower(SOURCE.replace("touch(int n)", "touch(long n)").encode())
    changed = attrs.evolve(made, program=made.program.with_files({PATH: facts}))
    before, after = fingerprints(run_of(made)), fingerprints(run_of(changed))
    assert after[:4] == before[:4]
    assert after[4] != before[4]


def test_a_selection_does_not_change_the_remaining_fingerprints() -> None:
    analysis = flowing()
    reach = analysis.flows.of_option(("system-property", "pool.size"))
    twice = Reach((*reach.flows[1:], attrs.evolve(reach.flows[0], total=2), reach.flows[0]))
    analysis = attrs.evolve(analysis, flows=FlowTable({("system-property", "pool.size"): twice}))
    everything = fingerprints(run_of(analysis))
    assert len(set(everything)) == 6
    memory = run_of(analysis, Shown(Selection(kinds=frozenset({"memory"}))))
    assert fingerprints(memory) == everything[4:]


def test_the_number_of_steps_stays_within_the_limit_of_services(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert MAX_STEPS == 10_000
    monkeypatch.setattr(sarif, "MAX_STEPS", 8)
    result = run_of(flowing(), Shown(paths=None)).results[1]
    threads = [flow.thread_flows[0] for flow in result.code_flows]
    assert [len(thread.locations) for thread in threads] == [5, 3]
    assert threads[1].locations[0].kinds == ["read"]
    assert threads[1].locations[-1].kinds == ["operation"]
    assert result.code_flows[1].message.text.endswith("(2 steps in the middle left out)")
    assert threads[1].message == _Message("1 more path left out; a result has 8 steps")


@pytest.mark.parametrize(
    ("sizes", "limit", "kept"),
    [
        ([3, 3], 6, [(3, 0), (3, 0)]),
        ([3, 3], 5, [(3, 0), (2, 1)]),
        ([3, 3], 4, [(3, 0)]),
        ([30_000], 10_000, [(10_000, 20_000)]),
    ],
)
def test_cut(sizes: list[int], limit: int, kept: list[tuple[int, int]]) -> None:
    step = flowing().flows.of_option(("system-property", "pool.size")).flows[0].paths[0].steps[0]
    paths = [Path((step,) * size, Confidence.HIGH, (), 0) for size in sizes]
    assert [(len(steps), left_out) for steps, left_out in cut(paths, limit)] == kept


def test_without_findings_the_log_has_no_results() -> None:
    run = run_of(attrs.evolve(flowing(), flows=FlowTable()))
    assert run.results == run.tool.driver.rules == []


def test_a_removed_file_still_has_lines() -> None:
    result = run_of(flowing(on_disk=None)).results[1]
    assert result.locations[0].physical_location.region.start_line == 10
    steps = result.code_flows[0].thread_flows[0].locations
    assert steps[0].location.message == _Message("read: the option is read")


def sensitive(label: Label = Label.SENSITIVE) -> Analysis:
    """``pool.size`` is undocumented in a project that documents options of its kind."""
    text = "| option | default |\n| --- | --- |\n| `pool.wait` | `4` |\n"
    documents = DocumentIndex.build({"docs/a.md": harvest("docs/a.md", text)})
    verdict = Verdict(label, 0.9, (Reason("sizes a {buffer}", True),), Evidence.STRONG)
    keys = [("system-property", "pool.size"), ("system-property", "pool.wait")]
    analysis = with_verdicts(flowing(), dict.fromkeys(keys, verdict))
    return attrs.evolve(analysis, documents=documents)


def test_a_sensitive_option_without_documentation_is_a_result() -> None:
    run = run_of(sensitive())
    *flows, found = run.results
    assert [result.rule_id for result in flows] == [
        result.rule_id for result in run_of(flowing()).results
    ]
    assert {result.properties["sensitivity"] for result in run.results} == {"sensitive"}
    assert (found.rule_id, found.level) == ("sensitive-undocumented", "note")
    assert run.tool.driver.rules[found.rule_index].id == "sensitive-undocumented"
    assert found.message.text == (
        "Option 'pool.size' (system property) is not documented in this project, but"
        " is performance-sensitive because it sizes a {{buffer}}."
    )
    region = found.locations[0].physical_location.region
    line = SOURCE.split("\n")[region.start_line - 1]
    assert line[region.start_column - 1 : region.end_column - 1] == '"pool.size"'
    assert found.code_flows == []
    assert re.fullmatch(r"[0-9a-f]{32}", found.partial_fingerprints[OPTION_FINGERPRINT])


@pytest.mark.parametrize(
    "made", [sensitive(Label.INSENSITIVE), sensitive(Label.UNKNOWN), judged(), flowing()]
)
def test_no_result_for_an_option_that_is_only_one_of_both(made: Analysis) -> None:
    rules = {rule.id for rule in run_of(made).tool.driver.rules}
    assert rules == {"direct/memory", "loop/io", "branch/io", "branch/lock"}


def test_flows_have_no_sensitivity_before_the_classifier_has_run() -> None:
    early = attrs.evolve(sensitive().sensitivity, ready=False)
    for made in (flowing(), attrs.evolve(sensitive(), sensitivity=early)):
        results = run_of(made).results
        assert len(results) == 5
        assert not any("sensitivity" in result.properties for result in results)


@pytest.mark.parametrize(("kind", "rules"), [("memory", 2), ("thread", 0)])
def test_a_selection_that_hides_an_option_hides_its_result(kind: str, rules: int) -> None:
    shown = Shown(Selection(kinds=frozenset({kind})))
    assert len(run_of(sensitive(), shown).results) == rules


def test_a_sensitive_option_that_reaches_nothing_is_a_result() -> None:
    (found,) = run_of(attrs.evolve(sensitive(), flows=FlowTable())).results
    assert found.rule_id == "sensitive-undocumented"


def test_edits_elsewhere_do_not_change_the_fingerprint_of_an_option() -> None:
    made = sensitive()
    edited = SOURCE.replace("package p;", "package p;\n\n// more\n")
    moved = attrs.evolve(
        flowing(edited, edited), documents=made.documents, sensitivity=made.sensitivity
    )
    assert (
        run_of(moved).results[-1].partial_fingerprints
        == run_of(made).results[-1].partial_fingerprints
    )
