"""The scripts of ``flows/``: their tables, their scoring, their draws."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path

import attrs
import pytest

from conflens.base.span import Place
from conflens.facts import ir
from conflens.flow import results
from conflens.flow.results import Confidence, Dependency, FlowTable, Pattern, StepRole
from conflens.models.workspace import parse_workspace
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
from corpus.fetch import FetchError
from corpus.flows import diagconfig, learnconf, recall, sample
from corpus.flows.diagconfig import Record
from corpus.flows.reported import Chain, Reported, Shown, Spot, reported
from corpus.flows.systems import SPECS, SYSTEMS, System, named, sources

DEPENDENCIES = {dependency.value for dependency in Dependency}
PATTERNS = {pattern.value for pattern in Pattern}
KINDS = {"memory", "io", "lock", "thread", "compute"}


def spot(path: str, line: int, method: str = "A.run", member: tuple[int, int] = (1, 99)) -> Spot:
    return Spot(path, (line, line), member, method)


def flow(
    option: str,
    line: int,
    dependency: str = "direct",
    pattern: str = "data",
    kind: str = "io",
    confidence: str = "high",
    guards: Iterable[int] = (),
    path: str = "A.java",
) -> Reported:
    steps = (
        Shown("read", spot(path, 1)),
        *(Shown("guard", spot(path, guard)) for guard in guards),
        Shown("operation", spot(path, line)),
    )
    return Reported(
        option,
        "system-property",
        dependency,
        pattern,
        kind,
        "Files.write",
        spot(path, line),
        confidence,
        (Chain(steps, confidence, (), 0),),
    )


def row(option: str, operation: str, dependency: str = "direct", pattern: str = "") -> recall.Row:
    places = recall.places(operation)
    return recall.Row(
        "h2", tuple(option.split("|")), "", places, "io", dependency, pattern, "", ""
    )


# -- the tables ----------------------------------------------------------------------------------


def test_the_recall_table_is_valid() -> None:
    table = recall.rows()
    assert len(table) >= 60
    for system in recall.SYSTEMS:
        own = [line for line in table if line.system == system]
        assert len(own) >= 10, system
        assert {line.dependency for line in own} == DEPENDENCIES, system
    assert {line.dependency for line in table} == DEPENDENCIES
    assert {line.kind for line in table} == KINDS
    assert {line.pattern for line in table} <= PATTERNS | {""}
    assert {line.how for line in table} == {"drawn", "chosen"}
    assert all(line.operations and line.note and ":" in line.read for line in table)
    keys = [(line.system, line.options, line.operations, line.dependency) for line in table]
    assert len(set(keys)) == len(keys)


def test_the_learnconf_table_is_valid() -> None:
    table = learnconf.cases()
    assert {case.system for case in table} <= set(learnconf.SYSTEMS)
    assert sum(case.source == learnconf.LEARNCONF for case in table) >= 15
    assert {case.option for case in table if case.source == "figure-4"} == {
        "memtable_flush_writers",
        "COMPRESS",
        "compress",
        "jobs",
    }
    for case in table:
        assert case.dependency in DEPENDENCIES, case.option
        assert set(case.patterns) <= PATTERNS, case.option
        assert set(filter(None, case.paper.split("|"))) <= PATTERNS, case.option
        assert case.operations, case.option
        assert case.note, case.option


def test_every_declared_specification_is_valid() -> None:
    files = sorted(SPECS.glob("*.toml"))
    assert {file.stem for file in files} >= set(diagconfig.SYSTEMS)
    for file in files:
        model, problems = parse_workspace(file.name, file.read_text(encoding="utf-8"))
        assert problems == (), file.name
        assert model.reads or model.field_reads, file.name
    assert all(system.spec for system in SYSTEMS.values() if system.needs_spec)


# -- systems -------------------------------------------------------------------------------------


def test_systems_by_name_and_folder() -> None:
    (h2, none), (kanzi, folder) = named(["h2", "kanzi=/some/where"], ())
    assert (h2.name, none, kanzi.name, folder) == ("h2", None, "kanzi", Path("/some/where"))
    assert [system.name for system, _ in named([], ("kafka",))] == ["kafka"]
    with pytest.raises(FetchError, match="no system is called nothing"):
        named(["nothing"], ())


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="no sources of sunflow"):
        sources(SYSTEMS["sunflow"], tmp_path / "none")


def test_names_used_by_diagconfig() -> None:
    assert SYSTEMS["kanzi"].called("verbose") == "verbosity"
    assert SYSTEMS["kanzi"].called("jobs") == "jobs"
    assert SYSTEMS["batik"].called("KEY_WIDTH") == "WIDTH"


# -- the plain form ------------------------------------------------------------------------------

JAVA = """\
class A {
  final int size = Integer.getInteger("a.size");

  byte[] run() {
    for (int i = 0;
        i < size;
        i++) {
      use(i);
    }
    return new byte[
        size
    ];
  }

  void use(int i) {
  }
}
"""


def instruction(program: Program, method: str, kind: type) -> tuple[MemberRef, int]:
    for number, member in enumerate(program.files["A.java"].members):
        if member.name == method:
            ref = program.ref("A.java", number)
            for index, instr in enumerate(program.body(ref).code):
                if isinstance(instr, kind):
                    return ref, index
    raise AssertionError(f"no {kind.__name__} in {method}")


def test_places_of_reported_flows(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(JAVA, encoding="utf-8")
    session = open_session(str(tmp_path), SessionOptions(cache=False, workers=0))
    try:
        analysis = session.scan()
    finally:
        session.dispose()
    program = analysis.program
    read = instruction(program, "size", ir.Call)
    loop = instruction(program, "run", ir.Loop)
    array = instruction(program, "run", ir.NewArray)
    path = results.Path(
        (
            results.Step(*read, StepRole.READ),
            results.Step(*loop, StepRole.GUARD),
            results.Step(*array, StepRole.OPERATION),
        ),
        Confidence.MEDIUM,
        ("class-wide field cell",),
        1,
    )
    made = results.Flow(
        results.Operation(*array, "memory", "new byte[]"),
        Dependency.LOOP,
        Pattern.LOOP_BOUND,
        (path,),
        4,
    )
    key = ("system-property", "a.size")
    place = Place("A.java", 0, 1)
    table = FlowTable({key: results.Reach((made,))}, {(key, place): results.Reach((made,))})
    (found,) = reported(attrs.evolve(analysis, flows=table))
    assert (found.option, found.dependency, found.pattern) == ("a.size", "loop", "loop-bound")
    assert (found.kind, found.confidence, found.total) == ("memory", "medium", 4)
    assert found.operation.lines == (10, 12)
    assert found.operation.member == (4, 13)
    assert found.operation.method == "A.run"
    (chain,) = found.chains
    assert [step.role for step in chain.steps] == ["read", "guard", "operation"]
    assert chain.steps[0].spot.place == "A.java:2"
    (guard,) = chain.guards()
    assert guard.lines == (5, 6)
    assert guard.at("A.java", 6)
    assert not guard.at("A.java", 8)
    assert guard.near("A.java", 13)
    assert not guard.near("A.java", 15)
    assert not guard.at("B.java", 6)


# -- recall --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flows", "outcome"),
    [
        ([], recall.MISSED),
        ([flow("a", 7)], recall.FOUND),
        ([flow("a", 8)], recall.MISSED),
        ([flow("a", 7, path="B.java")], recall.MISSED),
        ([flow("a", 7, "branch", "branch-constant")], recall.OTHERWISE),
        ([flow("b", 7)], recall.BY_OTHERS),
        ([flow("b", 7), flow("a", 7, "loop"), flow("a", 7)], recall.FOUND),
    ],
)
def test_outcomes_of_a_row(flows: list[Reported], outcome: str) -> None:
    (verdict,) = recall.score([row("a", "A.java:7")], flows)
    assert verdict.outcome == outcome


def test_rows_with_alternatives() -> None:
    wanted = row("a|b", "A.java:7|B.java:9")
    assert recall.score([wanted], [flow("b", 9, path="B.java")])[0].outcome == recall.FOUND
    assert recall.score([wanted], [flow("b", 9)])[0].outcome == recall.MISSED


def test_of_several_flows_the_one_with_the_right_pattern_is_kept() -> None:
    wanted = row("a", "A.java:7", "branch", "branch-unrelated")
    flows = [
        flow("a", 7, "branch", "branch-constant"),
        flow("a", 7, "branch", "branch-unrelated", kind="lock"),
    ]
    verdicts = recall.score([wanted], flows)
    assert verdicts[0].flow is flows[1]
    (line,) = recall.lines("h2", verdicts, frozenset())
    assert "recall 1/1" in line
    assert "pattern 1/1, kind 0/1" in line


def test_rows_without_a_pattern_do_not_count_for_patterns() -> None:
    verdicts = recall.score([row("a", "A.java:7"), row("a", "A.java:8")], [flow("a", 7)])
    head, *rest = recall.lines("h2", verdicts, frozenset({recall.MISSED}))
    assert "recall 1/2" in head
    assert "pattern 0/0" in head
    assert len(rest) == 2
    assert "A.java:8" in rest[0]


# -- the sample ----------------------------------------------------------------------------------


def many(confidence: str, dependency: str, count: int, option: str = "many") -> list[Reported]:
    return [flow(option, line, dependency, confidence=confidence) for line in range(count)]


def test_sampling_is_reproducible_and_covers_every_stratum() -> None:
    flows = many("high", "direct", 30) + many("low", "direct", 30) + many("high", "loop", 1)
    first = sample.draw(flows, 3, "1")
    assert first == sample.draw(list(reversed(flows)), 3, "1")
    assert first != sample.draw(flows, 3, "2")
    strata = [sample.stratum(found) for found in first]
    assert strata.count(("direct", "high")) == 3
    assert strata.count(("direct", "low")) == 3
    assert strata.count(("loop", "high")) == 1


def test_an_option_with_many_flows_does_not_fill_the_sample() -> None:
    flows = many("high", "direct", 1000) + [flow(f"few.{n}", 1) for n in range(9)]
    drawn = sample.draw(flows, 10, "1")
    assert len({found.option for found in drawn}) >= 5
    assert len(set(drawn)) == 10


def test_the_sample_grows_until_it_is_large_enough() -> None:
    systems = {"a": tuple(many("high", "direct", 50)), "b": tuple(many("low", "loop", 3))}
    drawn = sample.fill(systems, 2, "1", 20)
    assert len(drawn) >= 20
    assert sum(name == "b" for name, _ in drawn) == 3
    assert len(sample.fill(systems, 2, "1", 1000)) == 53


def test_a_flow_is_shown_with_its_source(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("read()\nif (x)\nwrite()\n", encoding="utf-8")
    text = "\n".join(sample.shown(1, "h2", flow("a", 3, "branch", guards=[2]), tmp_path))
    assert "h2: a (system-property)" in text
    assert [line.strip() for line in text.splitlines() if " | " in line] == [
        "1 | read()",
        "2 | if (x)",
        "3 | write()",
    ]
    line = sample.record("h2", flow("a", 3, "branch", guards=[2]))
    assert tuple(line) == sample.COLUMNS
    assert (line["read"], line["guard"], line["at"]) == ("A.java:1", "A.java:2", "A.java:3")
    assert line["verdict"] == ""


def judged(path: Path, columns: tuple[str, ...], *lines: dict[str, str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns)
        table.writeheader()
        table.writerows(lines)
    return path


def test_precision_of_a_judged_sample(tmp_path: Path) -> None:
    lines = [
        {"confidence": "high", "verdict": "right"},
        {"confidence": "high", "verdict": "right"},
        {"confidence": "low", "verdict": "unclear"},
        {"confidence": "low", "verdict": "right"},
    ]
    result = sample.precision(judged(tmp_path / "p.csv", sample.COLUMNS, *lines))
    assert result.share("high") == 1
    assert result.share("low") == 0.5
    assert result.share() == 0.75
    assert result.share("medium") == 0
    path = judged(tmp_path / "q.csv", sample.COLUMNS, {"confidence": "high", "verdict": ""})
    with pytest.raises(ValueError, match=r"q\.csv:2: no verdict"):
        sample.precision(path)


# -- DiagConfig ----------------------------------------------------------------------------------


def test_records_in_our_terms(tmp_path: Path) -> None:
    line = {
        "option": "a",
        "class": "p.A$B",
        "method": "run",
        "java_line": 7,
        "dependency": "if",
        "operation_kind": "array",
        "operation": "new byte[]",
        "source": "x/src/p/A.java",
    }
    file = tmp_path / "x.jsonl"
    same = {**line, "jimple": "another"}
    bare = {**line, "java_line": None, "source": None, "dependency": "loop"}
    file.write_text("\n".join(json.dumps(item) for item in (line, same, bare)), encoding="utf-8")
    first, second = diagconfig.records(file)
    assert first == Record("a", "p.A$B", "run", -1, "loop", "memory", "new byte[]")
    assert second == Record("a", "p.A$B", "run", 7, "branch", "memory", "new byte[]")


def record(line: int, dependency: str = "direct", kind: str = "io") -> Record:
    return Record("a", "A", "run", line, dependency, kind, "write", "x/A.java")


def test_the_file_of_a_class() -> None:
    nested = Record("a", "p.q.A$B", "run", 1, "direct", "io", "w", "x/src/q/A.java")
    assert diagconfig.file_of(nested, ("p/q/A.java",)) == "p/q/A.java"
    assert diagconfig.file_of(nested, ("module/p/q/A.java",)) == "module/p/q/A.java"
    assert diagconfig.file_of(nested, ("q/A.java",)) == "q/A.java"
    assert diagconfig.file_of(nested, ("xp/q/A.java", "A.jav")) is None


@pytest.mark.parametrize(
    ("wanted", "flows", "level"),
    [
        (record(7), [], diagconfig.NOTHING),
        (record(7), [flow("a", 7)], diagconfig.REPORTED),
        (record(7), [flow("a", 8)], diagconfig.REPORTED),
        (record(7), [flow("a", 7, kind="lock")], diagconfig.OTHER_KIND),
        (record(7), [flow("a", 20)], diagconfig.SAME_METHOD),
        (record(7), [flow("a", 7, "loop", guards=[6])], diagconfig.SAME_METHOD),
        (record(7), [flow("a", 7, path="B.java")], diagconfig.ELSEWHERE),
        (record(7), [flow("a", 9, path="B.java"), flow("a", 7)], diagconfig.REPORTED),
        (record(3, "branch"), [flow("a", 9, "branch", guards=[3])], diagconfig.REPORTED),
        (record(9, "branch"), [flow("a", 9, "branch", guards=[3])], diagconfig.SAME_METHOD),
        (record(-1, "loop"), [flow("a", 9, "loop", guards=[3])], diagconfig.REPORTED),
    ],
)
def test_levels(wanted: Record, flows: list[Reported], level: str) -> None:
    assert diagconfig.level(wanted, "A.java", flows) == level


def test_a_class_without_source() -> None:
    assert diagconfig.level(record(7), None, [flow("a", 7)]) == diagconfig.NO_SOURCE


def test_comparing_and_drawing(tmp_path: Path) -> None:
    system = System("x", renamed={"long.a": "a"})
    missing = [record(line, "loop") for line in range(20, 40)]
    compared = diagconfig.compare(
        system, [record(7), *missing], ["A.java"], [flow("long.a", 7), flow("b", 30)]
    )
    assert [item.level for item in compared[:2]] == [diagconfig.REPORTED, diagconfig.SAME_METHOD]
    drawn = diagconfig.draw(compared, 5, "1")
    assert len(drawn) == 5
    assert drawn == diagconfig.draw(list(reversed(compared)), 5, "1")
    assert all(item.level in diagconfig.UNREPORTED for item in drawn)
    assert len(diagconfig.draw(compared, 100, "1")) == 20
    lines = [diagconfig.line_of(item) for item in drawn]
    assert tuple(lines[0]) == diagconfig.COLUMNS
    with pytest.raises(ValueError, match="no verdict"):
        diagconfig.classified(judged(tmp_path / "a.csv", diagconfig.COLUMNS, *lines))
    for line in lines:
        line["verdict"] = diagconfig.OVER_TAINT
    lines[0]["verdict"] = diagconfig.OUR_MISS
    counts = diagconfig.classified(judged(tmp_path / "b.csv", diagconfig.COLUMNS, *lines))
    assert counts == {diagconfig.OVER_TAINT: 4, diagconfig.OUR_MISS: 1}


# -- LearnConf -----------------------------------------------------------------------------------


def case(source: str = learnconf.LEARNCONF, paper: str = "loop-bound") -> learnconf.Case:
    operations = recall.places("A.java:7")
    patterns = ("loop-bound", "sync-loop")
    return learnconf.Case(source, "h2", "a", "", operations, "loop", patterns, paper, "")


@pytest.mark.parametrize(
    ("flows", "outcome"),
    [
        ([], learnconf.MISSED),
        ([flow("b", 7, "loop", "loop-bound")], learnconf.MISSED),
        ([flow("a", 8, "loop", "loop-bound")], learnconf.MISSED),
        ([flow("a", 7, "loop", "loop-stride")], learnconf.WRONG),
        ([flow("a", 7), flow("a", 7, "loop", "sync-loop")], learnconf.RIGHT),
    ],
)
def test_patterns(flows: list[Reported], outcome: str) -> None:
    assert learnconf.judge(case(), flows).outcome == outcome


def test_the_figure_requires_the_dependency() -> None:
    figure = case("figure-4")
    stride = flow("a", 7, "loop", "loop-stride")
    assert learnconf.judge(figure, [stride]).outcome == learnconf.RIGHT
    assert learnconf.judge(figure, [flow("a", 7, "branch", "loop-bound")]).outcome == "wrong"


def test_the_promised_share_excludes_what_the_paper_leaves_open() -> None:
    right = [flow("a", 7, "loop", "loop-bound")]
    verdicts = [
        learnconf.judge(case(), right),
        learnconf.judge(case(), []),
        learnconf.judge(case(paper=""), []),
        learnconf.judge(case("figure-4"), []),
    ]
    assert learnconf.promised(verdicts) == (1, 2)


# -- judged samples -----------------------------------------------------------------------------


def test_precision_of_the_judged_samples() -> None:
    result = sample.precision(sample.TABLE)
    assert sum(result.judged.values()) >= 100
    assert result.share("high") >= 0.90
    assert result.share() >= 0.75
    classes = diagconfig.classified(diagconfig.TABLE)
    assert sum(classes.values()) >= 60
    assert classes[diagconfig.OUR_MISS] <= 0.10 * sum(classes.values())
