"""Flows as JSON, in a terminal and as Markdown, on flows made by hand."""

import json
from typing import Any

import pytest

from cli.flowing import PATH, SOURCE, flowing
from conflens.base.span import Place
from conflens.cli.errors import BadInputError
from conflens.cli.flows import flows
from conflens.cli.flows import paths as chains
from conflens.cli.flows import paths_markdown as chains_markdown
from conflens.cli.main import main
from conflens.cli.report import contract, markdown, tables
from conflens.cli.report.chosen_options import choose
from conflens.cli.report.contract import Shown
from conflens.cli.report.reached import Selection, compact, kinds
from conflens.cli.report.report import report
from conflens.cli.report.steps import MAX_TEXT, Steps, visible
from conflens.flow.results import Confidence, Dependency
from conflens.session.analysis import Analysis


def options(analysis: Analysis, shown: Shown | None = None) -> dict[str, Any]:
    """The options of the JSON contract by name."""
    found = json.loads(contract.encode(report(analysis), shown))
    return {option["name"]: option for option in found["options"]}


def test_a_flow_in_json_follows_the_contract() -> None:
    flow = options(flowing())["pool.size"]["flows"][1]
    assert {key: flow[key] for key in ("dependency", "pattern", "distance", "paths")} == {
        "dependency": "loop",
        "pattern": "loop-bound",
        "distance": 0,
        "paths": 5,
    }
    assert flow["operation"] == {
        "kind": "io",
        "subkind": None,
        "api": "OutputStream.write",
        "path": PATH,
        "line": 11,
        "column": 22,
        "method": "Pool.fill",
    }
    assert [
        (step["line"], step["column"], step["role"], step["text"]) for step in flow["steps"]
    ] == [
        (3, 16, "read", 'Integer.getInteger("pool.size", 4)'),
        (3, 9, "store", 'size = Integer.getInteger("pool.size", 4)'),
        (13, 36, "load", "size < 2"),
        (8, 9, "guard", "for (int i = 0; i < size; i++)"),
        (11, 22, "operation", "write(i)"),
    ]
    assert {step["path"] for step in flow["steps"]} == {PATH}
    assert "more_paths" not in flow


def test_columns_of_steps_count_code_points() -> None:
    buffer = options(flowing())["pool.size"]["flows"][0]
    line = SOURCE.split("\n")[4]
    assert buffer["operation"]["column"] == line.index("new byte") + 1


def test_a_call_below_a_branch_is_shown_as_guard_and_a_member_by_its_line() -> None:
    lock = options(flowing())["pool.size"]["flows"][4]
    assert [(step["role"], step["text"]) for step in lock["steps"][2:]] == [
        ("guard", "touch(size)"),
        ("operation", "synchronized void touch(int n) { }"),
    ]
    assert lock["operation"]["method"] == "Pool.touch"
    assert lock["confidence"] == "low"
    assert lock["reasons"] == ["a field is one cell for all objects"]


def test_statement_heads_end_before_their_bodies() -> None:
    found = options(flowing())["pool.size"]["flows"]
    assert found[2]["steps"][2]["text"] == 'if (size > 3 && ok(")"))'
    assert found[3]["steps"][2]["text"] == "do … while (size < 2)"
    assert found[3]["steps"][2]["line"] == 13


def test_each_option_lists_where_its_analysis_stops() -> None:
    found = options(flowing())
    assert found["pool.size"]["cold"] == [
        {
            "path": PATH,
            "line": 21,
            "column": 35,
            "method": "Pool.ok",
            "text": "s.isEmpty()",
            "reason": "no caller is known",
        }
    ]
    assert found["pool.wait"]["cold"] == found["pool.wait"]["flows"] == []


@pytest.mark.parametrize(("paths", "more"), [(None, 2), (2, 1), (9, 2)])
def test_more_paths_on_request(paths: int | None, more: int) -> None:
    flow = options(flowing(), Shown(paths=paths))["pool.size"]["flows"][1]
    assert len(flow["more_paths"]) == more
    assert flow["more_paths"][0]["reasons"] == ["dynamic dispatch over 9 targets"]
    assert flow["more_paths"][0]["distance"] == 1
    assert flow["paths"] == 5


@pytest.mark.parametrize("text", [None, SOURCE[:-5]])
def test_places_in_a_file_that_changed_since_have_no_text(text: str | None) -> None:
    flow = options(flowing(on_disk=text))["pool.size"]["flows"][1]
    assert [step["line"] for step in flow["steps"]] == [3, 3, 13, 8, 10]
    assert {step["text"] for step in flow["steps"]} == {""}


def test_a_long_instruction_is_cut() -> None:
    long = SOURCE.replace('ok(")")', f'ok("{"x" * 5000}")')
    flow = options(flowing(long, long))["pool.size"]["flows"][2]
    text = flow["steps"][2]["text"]
    assert len(text) == MAX_TEXT
    assert text.startswith('if (size > 3 && ok("xxx')
    assert text.endswith("…")


def test_each_text_is_read_once_and_each_instruction_rendered_once() -> None:
    analysis = flowing()
    asked: list[str] = []

    class Counting:
        def text(self, path: str) -> bytes | None:
            asked.append(path)
            return SOURCE.encode()

    object.__setattr__(analysis, "texts", Counting())
    steps = Steps(analysis)
    flow = analysis.flows.of_option(("system-property", "pool.size")).flows[1]
    shown = [[steps.spot(step.ref, step.instr) for step in flow.paths[0].steps] for _ in range(3)]
    assert asked == [PATH]
    assert all(one is other for one, other in zip(shown[0], shown[2], strict=True))


@pytest.mark.parametrize(
    ("selection", "shown"),
    [
        (Selection(), 5),
        (Selection(Confidence.MEDIUM), 4),
        (Selection(Confidence.HIGH), 2),
        (Selection(kinds=frozenset({"io"})), 3),
        (Selection(kinds=frozenset({"disk"})), 0),
        (Selection(dependencies=frozenset({Dependency.BRANCH})), 2),
        (Selection(Confidence.HIGH, frozenset({"io"}), frozenset({Dependency.LOOP})), 1),
    ],
)
def test_a_selection_of_flows(selection: Selection, shown: int) -> None:
    assert len(options(flowing(), Shown(selection))["pool.size"]["flows"]) == shown


def test_compact_counts_put_loops_first_and_declared_kinds_last() -> None:
    found = {
        (Dependency.DIRECT, "disk"): 2,
        (Dependency.DIRECT, "memory"): 1,
        (Dependency.LOOP, "thread"): 3,
    }
    assert compact(found) == "loop·thread 3, direct·memory 1, direct·disk 2"
    assert kinds(found) == ("memory", "thread", "disk")
    assert compact({}) == ""


def test_flows_in_a_terminal() -> None:
    lines = list(chains.chains(report(flowing()), Shown()))
    assert "pool.size  (system property, integer)" in lines
    assert "  5 flows to 4 operations; confidence: 2 high, 2 medium, 1 low" in lines
    start = lines.index("            memory  io  lock")
    assert lines[start + 1 : start + 4] == [
        "    direct       1   ·     ·",
        "    branch       ·   1     1",
        "    loop         ·   2     ·",
    ]
    start = lines.index("  2. loop · io  OutputStream.write in Pool.fill")
    assert lines[start + 1 : start + 8] == [
        "     loop-bound, high confidence",
        f'       1. {PATH}:3   read       Integer.getInteger("pool.size", 4)',
        f'       2. {PATH}:3   store      size = Integer.getInteger("pool.size", 4)',
        f"       3. {PATH}:13  load       size < 2",
        f"       4. {PATH}:8   guard      for (int i = 0; i < size; i++)",
        f"       5. {PATH}:11  operation  write(i)",
        "     and 4 more paths (--paths all shows more)",
    ]
    assert "       because: a field is one cell for all objects" in lines
    start = lines.index("  goes cold:")
    assert lines[start + 1] == f"    {PATH}:21  no caller is known: s.isEmpty()"
    assert lines[-1] == ".conflens.toml:3: unknown key {nmae} [workspace-file]"
    start = lines.index("pool.wait  (system property, integer)")
    assert lines[start + 1] == "  reaches no operation"


def test_flows_report_what_a_selection_or_a_limit_omits() -> None:
    shown = Shown(Selection(Confidence.HIGH), None)
    lines = list(chains.chains(report(flowing()), shown))
    assert "  2 flows to 2 operations; confidence: 2 high; 3 flows not shown" in lines
    assert "     path 3: loop-bound, 1 call away, low confidence" in lines
    assert "     and 2 more paths (the others are not kept)" in lines


def test_names_and_source_cannot_contain_control_characters() -> None:
    assert visible("a\x1b[31mb\u202e") == "a\ufffd[31mb\ufffd"
    source = SOURCE.replace('ok(")")', 'ok("\x1b[31m")')
    lines = list(chains.chains(report(flowing(source, source)), Shown()))
    assert not [line for line in lines if not line.isprintable()]
    assert any('ok("\ufffd[31m")' in line for line in lines)


def test_overview(capsys: pytest.CaptureFixture[str]) -> None:
    flows.show(report(flowing()), Shown(), "table", whole=False)
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[0] == "1 of 3 options reach 4 operations in 5 flows"
    row = next(line for line in lines if line.startswith("pool.size"))
    assert "loop·io 2, branch·io 1, branch·lock 1, direct·memory 1" in row
    assert "2 / 2 / 1" in row
    assert "pool.wait" not in out


def test_the_tables_of_scan_count_certain_flows_only(capsys: pytest.CaptureFixture[str]) -> None:
    tables.show(report(flowing()), None)
    lines = capsys.readouterr().out.splitlines()
    row = next(line for line in lines if line.startswith("pool.size"))
    assert "loop·io 2, branch·io 1, direct·memory 1 " in row
    page = list(markdown.lines(report(flowing()), None))
    row = next(line for line in page if line.startswith("| `pool.size`"))
    assert row.split(" | ")[4] == "loop·io 2, branch·io 1, direct·memory 1"


def test_markdown_links_are_encoded_and_source_is_code() -> None:
    lines = list(chains_markdown.chains(report(flowing()), Shown()))
    assert "## `pool.size`" in lines
    target = "src/gr%C3%B6%C3%9Fe%20%231/Pool%25.java#L10"
    assert f'3. [Pool%.java:10]({target}) guard `if (size > 3 && ok(")"))`' in lines
    assert "| branch | · | 1 | 1 |" in lines
    assert "### 1. direct · memory new byte\\[\\] in Pool.buffer" in lines
    assert "and 4 more paths (--paths all shows more)" in lines
    page = list(chains_markdown.overview(report(flowing()), Shown()))
    assert page[2] == "1 of 3 options reach 4 operations in 5 flows."
    assert any(line.startswith("| `pool.size` | system property | loop·io 2,") for line in page)


@pytest.mark.parametrize(
    ("names", "domain", "found"),
    [
        ((), None, ["fs.*.impl", "pool.size", "pool.wait"]),
        (("pool.size",), None, ["pool.size"]),
        (("pool.*",), None, ["pool.size", "pool.wait"]),
        (("pool.*", "fs.*.impl"), None, ["fs.*.impl", "pool.size", "pool.wait"]),
        (("fs.s3.impl",), None, ["fs.*.impl"]),
        (("*",), "hadoop", ["fs.*.impl"]),
        ((), "system property", ["pool.size", "pool.wait"]),
        (("pool.s[hi]ze",), None, ["pool.size"]),
    ],
)
def test_options_by_name_glob_and_domain(
    names: tuple[str, ...], domain: str | None, found: list[str]
) -> None:
    chosen = choose(report(flowing()).options, names, domain)
    assert [option.name for option in chosen] == found


@pytest.mark.parametrize(
    ("names", "domain", "reason"),
    [
        (("pol.size",), None, "no option matches 'pol.size' among 3 options; did you mean 'pool."),
        (("POOL.SIZE",), None, "did you mean 'pool.size'?"),
        (("wait",), None, "did you mean 'pool.wait'?"),
        (("pool.*", "zzz*"), None, "no option matches 'zzz*' among 3 options"),
        (("pool.size",), "hadoop", "no option matches 'pool.size' among 1 option"),
        ((), "hadop", "no option is in the domain 'hadop'; did you mean 'hadoop'?"),
        ((), "zzz", "there are hadoop, system-property"),
    ],
)
def test_a_selection_without_a_match_is_bad_input(
    names: tuple[str, ...], domain: str | None, reason: str
) -> None:
    with pytest.raises(BadInputError) as caught:
        choose(report(flowing()).options, names, domain)
    assert reason in str(caught.value)


def test_rendering_flows_is_linear_in_their_instructions() -> None:
    """A table of 50,000 flows over few instructions reads and looks no more than one flow does."""
    analysis = flowing()
    key = ("system-property", "pool.size")
    reach = analysis.flows.of_option(key)
    many = [reach.flows[index % 5] for index in range(50_000)]
    steps = Steps(analysis)
    placed = 0
    position = type(steps)._spot

    def counted(self: Steps, ref: Any, index: int) -> Any:
        nonlocal placed
        placed += 1
        return position(self, ref, index)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Steps, "_spot", counted)
        for flow in many:
            for step in flow.paths[0].steps:
                steps.spot(step.ref, step.instr)
    assert placed == 11


def test_the_place_is_that_of_the_read() -> None:
    analysis = flowing()
    read = analysis.options.options[1].reads[0]
    flow = analysis.flows.of_option(("system-property", "pool.size")).flows[0]
    first = flow.paths[0].steps[0]
    spot = Steps(analysis).spot(first.ref, first.instr)
    assert Place(spot.path, spot.start, spot.end) == read.place


def printed(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], *arguments: str
) -> bytes:
    """What a command prints about the project above."""
    monkeypatch.setattr(f"conflens.cli.{arguments[0]}.{arguments[0]}.analyse", lambda _: flowing())
    assert main([arguments[0], "PATH", *arguments[1:]]) == 0
    return capsysbinary.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "flows_shown", "more"),
    [
        (("scan",), 5, 0),
        (("scan", "--all-paths"), 5, 2),
        (("flows",), 5, 0),
        (("flows", "--option", "pool.s*", "--paths", "2"), 5, 1),
        (("flows", "--option", "pool.size", "--paths", "all"), 5, 2),
        (("flows", "--min-confidence", "medium", "--paths", "all"), 4, 2),
        (("flows", "--kind", "io,lock", "--dependency", "branch"), 2, 0),
        (("flows", "--kind", "memory", "--domain", "system-property"), 1, 0),
    ],
)
def test_arguments_select_flows_and_paths(
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    arguments: tuple[str, ...],
    flows_shown: int,
    more: int,
) -> None:
    found = json.loads(printed(monkeypatch, capsysbinary, *arguments, "--format", "json"))
    size = next(option for option in found["options"] if option["name"] == "pool.size")
    assert len(size["flows"]) == flows_shown
    assert sum(len(flow.get("more_paths", ())) for flow in size["flows"]) == more


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("table", b"  2. loop \xc2\xb7 io  OutputStream.write in Pool.fill\n"),
        ("markdown", b"### 2. loop \xc2\xb7 io OutputStream.write in Pool.fill\n"),
        ("sarif", b'"ruleId":"loop/io"'),
    ],
)
def test_each_format_of_flows(
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    form: str,
    words: bytes,
) -> None:
    named = ("flows", "--option", "pool.size", "--format", form)
    out = printed(monkeypatch, capsysbinary, *named)
    assert words in out
    assert b"fs.*.impl" not in out


def test_a_kind_declared_by_the_project_is_not_a_typo(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    out = printed(monkeypatch, capsysbinary, "flows", "--kind", "disk", "--option", "pool.size")
    assert b"\n  5 flows not shown\n" in out
    monkeypatch.setattr("conflens.cli.flows.flows.analyse", lambda _: flowing())
    assert main(["flows", "PATH", "--kind", "memry"]) == 2
    assert b"did you mean 'memory'?" in capsysbinary.readouterr().err
