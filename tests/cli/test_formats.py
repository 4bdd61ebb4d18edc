"""The three formats and the verdicts, on an analysis made by hand."""

import json

import attrs
import msgspec
import pytest

from cli.flowing import PATH as FLOWING
from cli.flowing import flowing
from cli.judged import judged, with_verdicts
from cli.projects import PATH, analysis
from conflens.base.system import MemorySystem
from conflens.checking.check import findings
from conflens.checking.results import Code
from conflens.cli.errors import FINDINGS, OK
from conflens.cli.flows import flows
from conflens.cli.main import main
from conflens.cli.report import contract, markdown, tables
from conflens.cli.report.report import report, verdict_name
from conflens.cli.scan import scan
from conflens.sensitivity.results import Evidence, Label, Reason, Verdict
from conflens.session.analysis import Analysis
from session.support import session


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    pass


class _Document(_Strict):
    path: str
    line: int


class _Read(_Strict):
    path: str
    line: int
    column: int
    method: str
    api: str
    default: str | None


class _Reason(_Strict):
    text: str
    toward: bool
    path: str | None
    line: int | None


class _Limit(_Strict):
    bound: str
    value: str
    exclusive: bool
    effect: str
    to: str | None
    path: str | None
    line: int | None


class _Slope(_Strict):
    expression: str
    kind: str
    unit: str | None
    path: str
    line: int


class _Relation(_Strict):
    option: str
    kind: str
    path: str
    line: int
    when: str | None


class _Properties(_Strict):
    limits: list[_Limit]
    slopes: list[_Slope]
    direction: dict[str, str]
    relations: list[_Relation]
    felt_by: list[str]
    entries: dict[str, str]
    monotone: bool | None


class _Sensitivity(_Strict):
    """``by`` and ``note`` stand there only when a person decided."""

    label: str
    evidence: str
    score: float | None
    reasons: list[_Reason]
    by: str = ""
    note: str = ""


class _Operation(_Strict):
    kind: str
    api: str
    subkind: str | None
    path: str
    line: int
    column: int
    method: str


class _Step(_Strict):
    path: str
    line: int
    column: int
    role: str
    text: str


class _Flow(_Strict):
    """With what stands beside the contract: how sure the path is, and how many there are."""

    dependency: str
    pattern: str
    distance: int
    operation: _Operation
    steps: list[_Step]
    confidence: str
    reasons: list[str]
    paths: int


class _Cold(_Strict):
    path: str
    line: int
    column: int
    method: str
    text: str
    reason: str


class _Option(_Strict):
    name: str
    domain: str
    type: str
    defaults: list[str]
    values: list[str]
    documented: list[_Document]
    verdicts: list[str]
    sensitivity: _Sensitivity
    reads: list[_Read]
    flows: list[_Flow]
    cold: list[_Cold]
    properties: _Properties
    aliases: list[dict[str, str]]


class _Problem(_Strict):
    path: str
    line: int
    code: str
    message: str


class _Stats(_Strict):
    files: int
    lines: int
    seconds: float
    peak_mb: float
    cached_files: int


class _Contract(_Strict):
    """``design.md`` §6, to the letter."""

    schema: str
    stats: _Stats
    options: list[_Option]
    problems: list[_Problem]


def test_json_follows_the_contract_exactly() -> None:
    found = msgspec.json.decode(contract.encode(report(analysis())), type=_Contract)
    assert found.schema == "conflens/1"
    assert [option.name for option in found.options] == ["pool.quiet", "pool.size", "pool.wait"]
    size = found.options[1]
    assert size.type == "integer"
    assert size.defaults == ["4", "8"]
    assert size.sensitivity == _Sensitivity("unknown", "none", None, [])
    assert (size.flows, size.properties) == ([], _Properties([], [], {}, [], [], {}, None))
    assert found.options[2].documented == [_Document("docs/options.md", 3)]


def test_flows_are_in_the_contract() -> None:
    found = msgspec.json.decode(contract.encode(report(flowing())), type=_Contract)
    size = found.options[1]
    assert [(flow.dependency, flow.pattern) for flow in size.flows] == [
        ("direct", "data"),
        ("loop", "loop-bound"),
        ("branch", "branch-constant"),
        ("loop", "loop-bound"),
        ("branch", "branch-unrelated"),
    ]
    for flow in size.flows:
        assert flow.steps[0].role == "read"
        assert flow.steps[-1].role == "operation"
        assert (flow.steps[-1].path, flow.steps[-1].line, flow.steps[-1].column) == (
            flow.operation.path,
            flow.operation.line,
            flow.operation.column,
        )


def test_sensitivity_verdicts_are_in_the_contract() -> None:
    found = msgspec.json.decode(contract.encode(report(judged())), type=_Contract)
    assert {option.name: option.sensitivity for option in found.options} == {
        "fs.*.impl": _Sensitivity("unknown", "none", None, []),
        "pool.size": _Sensitivity(
            "sensitive",
            "strong",
            0.9123,
            [
                _Reason("controls how often I/O runs", True, FLOWING, 11),
                _Reason("is the name of a file", False, None, None),
                _Reason("sizes a buffer", True, FLOWING, 5),
            ],
        ),
        "pool.wait": _Sensitivity(
            "insensitive",
            "measured",
            0.75,
            [_Reason("waits", True, None, None)],
            "person",
            "measured, no | effect",
        ),
    }


def test_no_verdict_before_the_classifier_has_run() -> None:
    early = attrs.evolve(judged().sensitivity, ready=False)
    found = report(attrs.evolve(judged(), sensitivity=early))
    assert not found.judged
    decoded = msgspec.json.decode(contract.encode(found), type=_Contract)
    assert {option.sensitivity.label for option in decoded.options} == {"unknown"}
    assert {option.sensitivity.score for option in decoded.options} == {None}


def test_columns_count_code_points_from_1() -> None:
    found = msgspec.json.decode(contract.encode(report(analysis())), type=_Contract)
    reads = [(read.path, read.line, read.column) for read in found.options[1].reads]
    assert reads == [(PATH, 3, 13), (PATH, 4, 21)]


def test_findings_without_an_option_are_problems() -> None:
    found = msgspec.json.decode(contract.encode(report(analysis())), type=_Contract)
    assert [(item.path, item.line, item.code) for item in found.problems] == [
        (".conflens.toml", 3, "workspace"),
        ("src/Größe.java", 7, "unresolved-name"),
        ("src/Größe.java", 8, "syntax"),
        ("src/gen/Parser.java", 1, "left-out"),
    ]


def test_text_that_is_not_unicode_is_escaped() -> None:
    name = b"src/\xff.java".decode("utf-8", "surrogateescape")
    for encode in (contract.encode_any, contract.encode_compact):
        assert json.loads(encode({"path": name})) == {"path": name}


def verdicts(made: Analysis) -> dict[tuple[str, str], tuple[str, ...]]:
    reported = report(made).options
    return {
        (option.domain, option.name): option.verdicts for option in reported if option.verdicts
    }


def test_verdicts() -> None:
    assert verdicts(analysis()) == {
        ("system-property", "pool.size"): ("conflicting-default", "undocumented"),
        ("system-property", "pool.quiet"): ("undocumented", "unused-read"),
    }


FIRM = Reason("sizes a thread pool", True)

SENSITIVE = with_verdicts(
    analysis(),
    {
        ("system-property", "pool.size"): Verdict(Label.SENSITIVE, 0.9, (FIRM,), Evidence.STRONG),
        ("system-property", "pool.wait"): Verdict(Label.SENSITIVE, 0.8, (FIRM,), Evidence.STRONG),
        ("system-property", "pool.quiet"): Verdict(Label.INSENSITIVE, 0.1),
    },
)
"""``pool.wait`` is documented."""


def test_a_sensitive_option_without_documentation_has_its_own_finding() -> None:
    assert verdicts(SENSITIVE) == {
        ("system-property", "pool.size"): (
            "conflicting-default",
            "undocumented",
            "sensitive-undocumented",
        ),
        ("system-property", "pool.quiet"): ("undocumented", "unused-read"),
    }


@pytest.mark.parametrize("made", [analysis(), SENSITIVE])
def test_verdicts_agree_with_the_findings_at_places(made: Analysis) -> None:
    expected = {
        (verdict_name(Code.UNUSED_READ if code is Code.DEAD_OPTION else code), option.name)
        for code, name in ((finding.code, finding.name) for finding in findings(made, PATH))
        for option in made.options.options
        if option.name in name.split(", ")
    }
    given = {(verdict, name) for (_, name), found in verdicts(made).items() for verdict in found}
    both = {name for verdict, name in given if verdict == "sensitive-undocumented"}
    assert given - {("undocumented", name) for name in both} == expected


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    tables.show(report(analysis()), None)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "3 options with 4 reads in 1 file (9 lines)"
    rows = [line.split() for line in lines if line.startswith("pool.")]
    assert rows == [
        ["pool.quiet", "1", "Größe.java:6"],
        ["pool.size", "integer", "4,", "8", "2", "Größe.java:3"],
        ["pool.wait", "time", "ms", "100", "1", "options.md:3", "Größe.java:5"],
    ]
    assert "1 option with defaults that differ between reads" in lines
    assert "1 read whose option name is only known at run time" in lines
    assert "1 path left out: generated" in lines
    assert ".conflens.toml:3: unknown key `nmae` [workspace]" in lines
    assert lines[-1] == "0.50 s, 80 MB at most"


def test_the_table_marks_sensitive_options(capsys: pytest.CaptureFixture[str]) -> None:
    tables.show(report(judged()), None)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    heads = [line for line in lines if line.lstrip().startswith("option")]
    assert {" ".join(line.split()) for line in heads} == {
        "option type default reads reaches sensitive documented where"
    }
    at = heads[0].index("sensitive")
    marks = {
        line.split()[0]: line[at : at + 4].strip()
        for line in lines
        if line.startswith(("pool.", "fs."))
    }
    assert marks["pool.size"] == "yes"
    assert marks["pool.wait"] == "no"
    assert (
        "1 option performance-sensitive, 1 unknown (conflens sensitivity PATH tells why)" in lines
    )


def test_the_table_marks_nothing_before_the_classifier_has_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tables.show(report(flowing()), None)
    assert "sensitiv" not in capsys.readouterr().out
    assert "sensitiv" not in "".join(markdown.lines(report(flowing()), None))


def test_scan_explains_missing_sensitivity_verdicts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = (
        "conflens: nothing is said of sensitivity: the classifier has not looked at the options\n"
    )
    for made, expected in ((flowing(), said), (judged(), "")):
        monkeypatch.setattr(scan, "analyse", lambda _, made=made: made)
        monkeypatch.setattr(flows, "analyse", lambda _, made=made: made)
        for form in ("table", "markdown", "json"):
            assert main(["scan", ".", "--format", form]) == OK
            assert capsys.readouterr().err == expected
        for form in ("json", "sarif"):
            assert main(["flows", ".", "--format", form]) == OK
            assert capsys.readouterr().err == expected
        assert main(["flows", "."]) == OK
        assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("made", "status"), [(SENSITIVE, FINDINGS), (with_verdicts(analysis(), {}), OK)]
)
def test_a_sensitive_option_without_documentation_can_fail_a_build(
    monkeypatch: pytest.MonkeyPatch, made: Analysis, status: int
) -> None:
    monkeypatch.setattr(scan, "analyse", lambda _: made)
    assert main(["scan", ".", "--fail-on", "sensitive-undocumented"]) == status


def test_a_limit_shows_the_first_options_of_each_domain(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tables.show(report(analysis()), 1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("pool.")] == ["pool.quiet"]
    assert "and 2 more" in lines


def test_markdown() -> None:
    lines = list(markdown.lines(report(analysis()), None))
    assert lines[:3] == [
        "# Configuration options",
        "",
        "3 options with 4 reads in 1 file (9 lines).",
    ]
    assert "## system property (3)" in lines
    assert "| `pool.size` | integer | `4, 8` | 2 |  |  | Größe.java:3 |" in lines


def test_markdown_marks_sensitive_options() -> None:
    lines = list(markdown.lines(report(judged()), None))
    assert (
        "| option | type | default | reads | reaches | sensitive | documented | where |" in lines
    )
    assert "| --- | --- | --- | ---: | --- | --- | --- | --- |" in lines
    size = next(line for line in lines if line.startswith("| `pool.size`"))
    assert size.endswith(" | yes |  | Pool%.java:3 |")
    wait = next(line for line in lines if line.startswith("| `pool.wait`"))
    assert wait == "| `pool.wait` | integer |  | 1 |  | no |  | Pool%.java:3 |"


def test_limits_of_an_option_follow_the_contract() -> None:
    source = 'class T { int n() { int n = Integer.getInteger("a.n", 9); if (n < 2) { n = 2; } return n; } byte[] all() { return new byte[n()]; } }'
    scanned = session(MemorySystem({"src/T.java": source})).scan()
    found = msgspec.json.decode(contract.encode(report(scanned)), type=_Contract)
    assert found.options[0].properties == _Properties(
        [_Limit("lower", "2", False, "raised", "2", "src/T.java", 1)],
        [_Slope("max(v, 2)", "memory", "bytes", "src/T.java", 1)],
        {"memory": "up"},
        [],
        [],
        {},
        True,
    )
