"""A diagnosis as table, JSON, Markdown, SARIF and speedscope, on one made by hand."""

import json
import re
from collections.abc import Iterable
from io import BytesIO
from typing import Any
from urllib.parse import quote

import attrs
import msgspec
import pytest

from cli.diagnosed import (
    FLUSH,
    HOSTILE,
    JOBS,
    PATH,
    SECRET,
    SERVE,
    SYNC,
    VIOLATION,
    analysis,
    diagnosis,
    hostile,
)
from conflens.cli.diagnose import sarif_format as diagnosis_sarif
from conflens.cli.diagnose import speedscope_format as diagnosis_speedscope
from conflens.cli.diagnose import table_format as diagnosis_table
from conflens.cli.diagnose.document import Document, document_of, encode_document
from conflens.cli.report.steps import Steps
from conflens.diagnosis.results import Diagnosis, Joint, Value
from conflens.flow.results import Dependency
from conflens.profiling.reading import Source
from conflens.profiling.speedscope import read_speedscope
from conflens.render.diagnosis import diagnosis_page
from conflens.render.phrases import Wording

KEYS = {
    "": "schema summary baseline violation totals violated seconds scaling hotspots options shares differences"
    " unexplained scale notes costs",
    "costs": "kind unit before after change noise significant runs",
    "totals": "kind unit before after",
    "seconds": "before after",
    "hotspots": "kind class method descriptor path line before after share variation change"
    " significant note chains",
    "hotspots.chains": "frames before after",
    "hotspots.chains.frames": "class method path line",
    "options": "name domain verdict explained dependencies before after same secret reason under chains",
    "options.under": "kind share before dependencies",
    "options.chains": "dependency explained effect hotspot joint spawned hold steps frames",
    "options.chains.hotspot": "class method kind",
    "options.chains.hold": "path line column text",
    "options.chains.steps": "path line column role text",
    "options.chains.frames": "class method path line",
    "shares": "name domain kind share dependencies",
    "differences": "name origin before after option",
    "differences.option": "name domain",
}
"""What a program that reads the JSON can count on."""


def encoded(found: Diagnosis | None = None, top: int | None = None) -> dict[str, Any]:
    project = analysis()
    steps = Steps(project)
    made: dict[str, Any] = json.loads(
        encode_document(document_of(found or diagnosis(project), steps, top))
    )
    return made


def table(found: Diagnosis, capsys: pytest.CaptureFixture[str], top: int | None = None) -> str:
    diagnosis_table.show_diagnosis(found, Steps(analysis()), top)
    return capsys.readouterr().out


def markdown(found: Diagnosis, top: int | None = None) -> str:
    wording = Wording(link=lambda path, line: f"{quote(path)}#L{line}")
    return diagnosis_page(analysis(), found, wording, top)


def keys_of(value: object, at: str = "") -> Iterable[tuple[str, str]]:
    if isinstance(value, list):
        for item in value:
            yield from keys_of(item, at)
    elif isinstance(value, dict) and not at.endswith("dependencies"):
        yield at, " ".join(value)
        for key, item in value.items():
            yield from keys_of(item, f"{at}.{key}".lstrip("."))


def test_json_has_exactly_the_keys_and_types_of_the_contract() -> None:
    found = encoded(attrs.evolve(diagnosis(analysis()), seconds=(3.0, 4.5)))
    assert dict(keys_of(found)) == KEYS
    assert found["schema"] == "conflens/1"
    project = analysis()
    document = document_of(diagnosis(project), Steps(project))
    assert msgspec.json.decode(encode_document(document), type=Document, strict=True) == document


def test_json_contains_an_option_and_its_chain() -> None:
    option = encoded()["options"][0]
    chain = option.pop("chains")[0]
    assert option == {
        "name": "pool.jobs",
        "domain": "system-property",
        "verdict": "likely",
        "explained": 0.71,
        "dependencies": {"loop": 0.71},
        "before": "4",
        "after": "64",
        "same": False,
        "secret": False,
        "reason": "It controls how often Service.pack runs.",
        "under": [
            {"kind": "cpu", "share": 0.9, "before": 0.84, "dependencies": {"loop": 0.9}},
            {"kind": "allocation", "share": 1.0, "before": 1.0, "dependencies": {"loop": 1.0}},
        ],
    }
    frames = chain.pop("frames")
    assert chain == {
        "dependency": "loop",
        "explained": 0.5,
        "effect": "4 times as often",
        "hotspot": {"class": "java.util.zip.Deflater", "method": "deflate", "kind": "cpu"},
        "joint": 1,
        "spawned": False,
        "hold": {"path": PATH, "line": 5, "column": 9, "text": "for (int i = 0; i < jobs; i++)"},
        "steps": [
            {
                "path": PATH,
                "line": 4,
                "column": 20,
                "role": "read",
                "text": 'Integer.getInteger("pool.jobs", 4)',
            },
            {
                "path": PATH,
                "line": 5,
                "column": 9,
                "role": "guard",
                "text": "for (int i = 0; i < jobs; i++)",
            },
        ],
    }
    assert frames == [
        {"class": "", "method": "thread worker-*", "path": None, "line": None},
        {"class": "p.Service", "method": "serve", "path": PATH, "line": 6},
        {"class": "p.Service", "method": "pack", "path": PATH, "line": 14},
        {"class": "java.util.zip.Deflater", "method": "deflate", "path": None, "line": None},
    ]


def test_json_places_hotspots_at_their_declarations_and_contains_no_nan() -> None:
    found = encoded()["hotspots"]
    assert [(item["method"], item["path"], item["line"]) for item in found] == [
        ("deflate", None, None),
        ("pack", PATH, 13),
        ("flush", PATH, 17),
        ("new byte[]", None, None),
    ]
    assert (found[2]["before"], found[2]["change"]) == (0.0, None)
    single = encoded(diagnosis(analysis(), single=True))["hotspots"][0]
    assert (single["before"], single["variation"], single["change"]) == (None, None, None)


def test_top_omits_lower_ranks() -> None:
    found = encoded(top=1)
    assert [len(found[key]) for key in ("options", "hotspots", "shares")] == [1, 1, 1]
    assert len(encoded()["options"]) == 3


def test_the_table_starts_with_the_headline_and_fits_on_a_screen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = table(diagnosis(analysis()), capsys).splitlines()
    assert lines[0] == (
        "The slow run costs 283 % more CPU time (350 ms before, 1.34 s now). Likely causes: pool.jobs (92 % of the added CPU"
        " time, 912 of 990 ms),"
    )
    rows = [re.split(r"\s{2,}", line) for line in lines]
    assert ["CPU", "350 ms", "1.34 s", "+283 %"] in rows
    part = "92 % CPU, 912 of 990 ms"
    assert ["1", "pool.jobs", "likely cause", part, "4 → 64", f"{PATH}:5"] in rows
    assert ["Service.flush", "CPU", "7 %", "new", "90 ms", "disk.sync"] in rows
    assert "7.9 % of the added CPU time (78 of 990 ms) ran under no likely cause." in lines
    assert "Stacks of bad.jfr end after five frames." in lines
    assert len(lines) < 45


def test_the_table_counts_omitted_rows(capsys: pytest.CaptureFixture[str]) -> None:
    found = diagnosis(analysis())
    many = attrs.evolve(found, suspects=found.suspects * 5, hotspots=found.hotspots * 6)
    shown = table(many, capsys)
    assert "and 5 more options (--top shows more)" in shown
    assert "and 14 more hotspots (--top shows more)" in shown
    assert len(shown.splitlines()) < 50
    assert "--top" not in table(many, capsys, top=99)


def test_a_hotspot_that_may_be_chance_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    found = diagnosis(analysis())
    first = attrs.evolve(found.hotspots[0], significant=False)
    shown = table(attrs.evolve(found, hotspots=(first,)), capsys)
    assert "800 ms ?" in shown
    assert "?: perhaps by chance" in shown


def test_without_a_baseline_nothing_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    shown = table(diagnosis(analysis(), single=True), capsys)
    assert shown.startswith(
        "The run costs 1.34 s of CPU time. Contributing options: pool.jobs (90 % of CPU time, 1.21 of 1.34 s)"
    )
    assert "→" not in shown
    assert "before" not in shown.split("\n", 2)[2]
    assert "+" not in shown
    page = markdown(diagnosis(analysis(), single=True))
    assert "Snapshot: `bad.jfr`." in page
    assert "before" not in page


def test_hotspots_of_one_name_are_distinguished_by_their_callers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = diagnosis(analysis())
    first, second = found.hotspots[0], found.hotspots[2]
    other = attrs.evolve(
        first, chains=(attrs.evolve(first.chains[0], frames=first.chains[0].frames[2:]),)
    )
    flush = attrs.evolve(
        first,
        chains=(attrs.evolve(first.chains[0], frames=(*second.chains[0].frames, first.method)),),
    )
    for shown in (
        table(attrs.evolve(found, hotspots=(other, flush)), capsys),
        markdown(attrs.evolve(found, hotspots=(other, flush))),
    ):
        assert "Deflater.deflate in Service.pack" in shown
        assert "Deflater.deflate in Service.flush" in shown


def test_without_causes_the_options_that_run_most_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = attrs.evolve(diagnosis(analysis()), suspects=())
    shown = table(found, capsys)
    assert "No option was found that explains it." in shown
    rows = [re.split(r"\s{2,}", line) for line in shown.splitlines()]
    part = "90 % of CPU time, 1.21 of 1.34 s"
    assert ["1", "pool.jobs", "90 % CPU, 1.21 of 1.34 s in all"] in [
        [cell for cell in row if cell] for row in rows
    ]
    assert f"| 1 | `pool.jobs` |  | {part} |  |" in markdown(found)


def every_format(found: Diagnosis, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    project = analysis()
    steps = Steps(project)
    return {
        "table": table(found, capsys),
        "markdown": markdown(found),
        "json": encode_document(document_of(found, steps)).decode(),
        "sarif": diagnosis_sarif.encode_diagnosis(found, steps).decode(),
        "speedscope": diagnosis_speedscope.encode_profile(
            found, project.program, [VIOLATION]
        ).decode(),
    }


def test_no_format_contains_a_secret(capsys: pytest.CaptureFixture[str]) -> None:
    found = diagnosis(analysis())
    first = attrs.evolve(found.suspects[0], values=Value(SECRET, SECRET, False, secret=True))
    for form, text in every_format(attrs.evolve(found, suspects=(first,)), capsys).items():
        assert SECRET not in text, form


def test_hostile_names_are_plain_text_in_every_format(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = every_format(hostile(analysis()), capsys)
    for form, text in found.items():
        kept = (
            {"\n"} if form in ("table", "markdown") else {"\n", "\u202e"}
        )  # programs get names as they are
        odd = {char for char in text if not char.isprintable()} - kept
        assert not odd, (form, odd)
    assert json.loads(found["json"])["options"][0]["name"] == HOSTILE
    log = json.loads(found["sarif"])["runs"][0]["results"][0]
    assert log["message"]["text"].isprintable()
    assert "](" not in log["message"]["text"]
    assert log["properties"]["option"] == HOSTILE


def test_hostile_names_break_no_table_in_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    text = every_format(hostile(analysis()), capsys)["markdown"]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    bars = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
    assert set(bars) == {5, 7, 4}
    outside = re.sub(r"(`+).*?[^`]\1(?!`)", "", text)
    assert not re.search(r"(?<!\\)<", outside)
    assert not re.search(r"(?<!\\)\]\(y\)", outside)


def test_sarif_has_a_result_for_each_likely_cause_with_its_steps() -> None:
    project = analysis()
    log = json.loads(diagnosis_sarif.encode_diagnosis(diagnosis(project), Steps(project)))
    (run,) = log["runs"]
    results = run["results"]
    assert [item["properties"]["option"] for item in results] == ["pool.jobs", "disk.sync"]
    first = results[0]
    assert (
        first["ruleId"] == run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "cause/loop"
    )
    assert first["message"]["text"] == (
        "Option 'pool.jobs' (system property) controls how often costly code runs:"
        " 92 % of the added CPU time, 912 of 990 ms."
    )
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == quote(PATH)
    assert place["region"]["startLine"] == 5
    (thread,) = first["codeFlows"][0]["threadFlows"]
    assert [
        (item["kinds"], item["location"]["physicalLocation"]["region"]["startLine"])
        for item in thread["locations"]
    ] == [(["read"], 4), (["guard"], 5), (["call"], 13)]
    single = diagnosis(project, single=True)
    alone = json.loads(diagnosis_sarif.encode_diagnosis(single, Steps(project)))
    found = alone["runs"][0]["results"]
    assert [item["level"] for item in results] == ["warning"] * 2
    assert [item["level"] for item in found] == ["note"] * 3
    again = json.loads(diagnosis_sarif.encode_diagnosis(diagnosis(project), Steps(project), 1))
    assert len(again["runs"][0]["results"]) == 1


def test_a_speedscope_file_names_options_on_frames_and_can_be_imported() -> None:
    project = analysis()
    data = diagnosis_speedscope.encode_profile(diagnosis(project), project.program, [VIOLATION])
    names = {frame["name"] for frame in json.loads(data)["shared"]["frames"]}
    assert "p.Service.pack  [pool.jobs · loop]" in names
    assert "p.Service.flush  [disk.sync · branch]" in names
    assert "p.Service.serve" in names

    source = Source(BytesIO(data), "x.json", lambda done: None)
    again = read_speedscope(source, None)
    assert [series.total for series in again.series] == [1_340_000_000, 16_384]


def test_labels_of_own_work_do_not_apply_to_callees() -> None:
    project = analysis()
    found = attrs.evolve(
        diagnosis(project),
        holds={
            Joint(SERVE[:3], None): ((SYNC, Dependency.BRANCH),),
            Joint(SERVE[:3], FLUSH[:3]): ((JOBS, Dependency.LOOP), (SYNC, Dependency.BRANCH)),
        },
    )
    data = diagnosis_speedscope.encode_profile(found, project.program, [VIOLATION])
    names = {frame["name"] for frame in json.loads(data)["shared"]["frames"]}
    assert "p.Service.serve  [disk.sync · branch]" in names
    assert "p.Service.flush  [pool.jobs · loop, disk.sync · branch]" in names
    assert "p.Service.pack" in names
