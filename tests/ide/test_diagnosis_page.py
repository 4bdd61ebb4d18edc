"""The report of a diagnosis as a page: its address, what it tells, and that names stay names."""

from __future__ import annotations

from urllib.parse import unquote

import attrs

from cli.diagnosed import JOBS, PATH, analysis, diagnosis, hostile
from conflens.diagnosis.results import Diagnosis, Verdict
from conflens.ide.pages.diagnosis import report_of, report_uri
from conflens.profiling.model import EventKind
from conflens.render.diagnosis import diagnosis_page
from conflens.render.phrases import Wording

WORDING = Wording(link=lambda path, line: f"{path.split('/')[-1].split('#')[0].strip()}:{line}")
PLACE = "[Größe \\#1.java:{0}](Größe:{0})"


def page(found: Diagnosis, top: int | None = None) -> list[str]:
    text = diagnosis_page(analysis(), found, WORDING, top)
    assert text.endswith("\n")
    return text.splitlines()


def test_the_address_survives_clients_that_normalize_it() -> None:
    for folder in ("/srv/a", "/srv/my projécts 100%", "C:\\x?y#z"):
        uri = report_uri(folder)
        assert report_of(uri) == folder
        if "%" not in folder and "?" not in folder:
            path, _, query = uri.partition("?")
            assert report_of(f"{path}?{unquote(query)}") == folder
    for other in (
        "file:///a.md",
        "conflens:/flows/a/b.md?x",
        "conflens:/diagnosis/x.md?a",
        "http://[x",
    ):
        assert report_of(other) is None


def test_the_page_shows_costs_and_likely_causes() -> None:
    lines = page(diagnosis(analysis()))
    assert lines[:10] == [
        "# Diagnosis",
        "",
        "**The slow run costs 283 % more CPU time (350 ms before, 1.34 s now). Likely causes: pool.jobs"
        " (92 % of the added CPU time, 912 of 990 ms), disk.sync (9.5 %, 93.8 of 990 ms).**",
        "",
        "Baseline: `good.jfr`. Slow run: `bad.jfr`.",
        "",
        "| kind | before | now | change |",
        "| --- | ---: | ---: | ---: |",
        "| CPU | 350 ms | 1.34 s | +283 % |",
        "| allocation | 4.10 kB | 16.4 kB | +300 % |",
    ]
    at = lines.index("## Options")
    assert lines[at + 4 : at + 7] == [
        "| 1 | `pool.jobs` | likely cause | 92 % of the added CPU time, 912 of 990 ms | 4 → 64"
        f" | {PLACE.format(5)} |",
        "| 2 | `disk.sync` | likely cause | 9.5 % of the added CPU time, 93.8 of 990 ms | redacted, differs"
        f" | {PLACE.format(8)} |",
        f"| 3 | `buffer.size` | same value in both runs |  | 64 in both | {PLACE.format(14)} |",
    ]


def test_a_chain_is_shown_step_by_step() -> None:
    lines = page(diagnosis(analysis()))
    at = lines.index("## Why `pool.jobs` is suspected")
    serve, pack = "[`Service.serve`](Größe:6)", "[`Service.pack`](Größe:14)"
    assert lines[at + 1 : at + 13] == [
        "",
        "It controls how often Service.pack runs.",
        "",
        "It controls how often code runs (loop):",
        "",
        f'1. read `Integer.getInteger("pool.jobs", 4)` in Service.serve, {PLACE.format(4)}',
        f"2. guard `for (int i = 0; i < jobs; i++)` in Service.serve, {PLACE.format(5)}",
        "",
        "What runs from there:",
        "",
        f"- {serve} → {pack} → `Deflater.deflate`: 800 ms CPU, 200 ms before (4 times as often)",
        f"- {serve} → {pack}: 400 ms CPU, 100 ms before (4 times as often)",
    ]
    assert "## Why `disk.sync` is suspected" in lines
    assert "## Why `buffer.size` is suspected" not in lines


def test_without_a_likely_cause_the_chains_of_the_first_option_are_shown() -> None:
    found = diagnosis(analysis())
    quiet = tuple(attrs.evolve(item, verdict=Verdict.UNCHANGED) for item in found.suspects)
    lines = page(attrs.evolve(found, suspects=quiet))
    assert "## Why `pool.jobs` is suspected" in lines
    assert "No option was found that explains it.**" in lines[2]


def test_chains_that_are_equal_from_the_influence_point_on_are_shown_once() -> None:
    found = diagnosis(analysis())
    first = found.suspects[0]
    many = attrs.evolve(first, causes=first.causes * 4)
    told, again = (
        [line for line in page(one) if line.startswith("- [")]
        for one in (found, attrs.evolve(found, suspects=(many, *found.suspects[1:])))
    )
    assert told and again == told


def test_omitted_rows_are_counted() -> None:
    found = diagnosis(analysis())
    first = found.suspects[0]
    causes = [
        attrs.evolve(cause, hotspot=attrs.evolve(cause.hotspot, kind=kind))
        for kind in (EventKind.CPU, EventKind.WALL, EventKind.IO, EventKind.LOCK)
        for cause in first.causes
    ]
    many = attrs.evolve(first, causes=tuple(causes))
    lines = page(attrs.evolve(found, suspects=(many,) * 9), top=2)
    assert "And 7 more options." in lines
    assert "And 4 more such options." in lines
    assert "And 2 more hotspots." in lines
    assert "- and 5 more chains" in lines


def test_an_unexplained_hotspot_is_shown_with_its_callers() -> None:
    found = diagnosis(analysis())
    lines = page(attrs.evolve(found, suspects=found.suspects[1:]))
    at = lines.index("Hotspots that no option was found for, and how they are called:")
    assert lines[at + 2] == (
        "- 800 ms CPU, 200 ms before: `thread worker-*` → [`Service.serve`](Größe:6)"
        " → [`Service.pack`](Größe:14) → `Deflater.deflate`"
    )


def test_a_long_chain_keeps_both_ends() -> None:
    found = diagnosis(analysis())
    cause = found.suspects[0].causes[0]
    frames = cause.chain.frames
    deep = attrs.evolve(cause.chain, frames=(*frames[:2], *frames[2:3] * 50, frames[-1]))
    option = attrs.evolve(found.suspects[0], causes=(attrs.evolve(cause, chain=deep),))
    (line,) = [
        line
        for line in page(attrs.evolve(found, suspects=(option,)))
        if line.startswith("- [`Service.serve`]") and "36 more frames" in line
    ]
    assert line.count("→") == 16
    assert "→ `Deflater.deflate`: " in line


def test_a_page_is_readable_if_the_file_of_an_influence_point_is_gone() -> None:
    project = analysis()
    found = diagnosis(project)
    gone = attrs.evolve(project, program=project.program.with_files({PATH: None}))
    lines = diagnosis_page(gone, found, WORDING).splitlines()
    assert any(line.startswith("| 1 | `pool.jobs` |") for line in lines)
    assert JOBS in found.under


def test_hostile_names_are_escaped() -> None:
    text = "\n".join(page(hostile(analysis())))
    assert not {char for char in text if not char.isprintable()} - {"\n"}
    assert "\\<script\\>" in text
    assert text.count("# Diagnosis") == 1
