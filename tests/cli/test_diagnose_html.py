"""The HTML report: one file that is safe, complete without its script, and small; and the flame graph's columns."""

import base64
import hashlib
import json
import random
import re
from html.parser import HTMLParser
from typing import Any

import attrs
from typing_extensions import override

from cli.diagnosed import (
    BASELINE,
    DEFLATE,
    FLUSH,
    HOSTILE,
    JOBS,
    PACK,
    SECRET,
    SERVE,
    SERVICE,
    SIZE,
    SYNC,
    VIOLATION,
    analysis,
    diagnosis,
    hostile,
)
from conflens.cli.diagnose.flame_graph import WHOLE, Graph, graphs
from conflens.cli.diagnose.html_format import html_page
from conflens.cli.report.steps import Steps
from conflens.diagnosis.results import Diagnosis, Total, Value
from conflens.profiling.building import FrameTable, TreeBuilder
from conflens.profiling.model import EventKind, Frame, Series, Snapshot, Unit

OPTIONS = (JOBS, SYNC, SIZE)


class Page(HTMLParser):
    """What a browser would make of a page: elements with their attributes, texts, and contents of blocks."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.blocks: list[tuple[dict[str, str | None], str]] = []
        self.open: list[str] = []
        self.feed(data.decode())
        self.close()

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.open.append(tag)
        if tag in ("script", "style"):
            self.blocks.append((dict(attrs), ""))

    @override
    def handle_endtag(self, tag: str) -> None:
        assert tag in self.open, f"</{tag}> without a beginning"
        while self.open.pop() != tag:
            pass

    @override
    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            kept, before = self.blocks[-1]
            self.blocks[-1] = kept, before + data
        else:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    @property
    def data(self) -> dict[str, Any]:
        (block,) = [text for kept, text in self.blocks if kept.get("id") == "data"]
        found: dict[str, Any] = json.loads(block)
        return found


def page(found: Diagnosis | None = None, top: int | None = None) -> bytes:
    project = analysis()
    made = found or diagnosis(project)
    baseline = [BASELINE] if made.baseline else []
    return html_page(made, Steps(project), baseline, [VIOLATION], top)


def test_the_page_allows_only_its_own_style_and_script() -> None:
    data = page()
    made = Page(data)
    (policy,) = [
        kept["content"]
        for tag, kept in made.elements
        if tag == "meta" and kept.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    rules = dict(part.split(" ", 1) for part in policy.split("; "))
    assert set(rules) == {"default-src", "style-src", "script-src", "base-uri", "form-action"}
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for kind, number in (("style-src", 0), ("script-src", 2)):
        digest = hashlib.sha256(made.blocks[number][1].encode()).digest()
        assert rules[kind] == f"'sha256-{base64.b64encode(digest).decode()}'"
    assert [kept.get("type") for kept, _ in made.blocks] == [None, "application/json", None]
    for tag, kept in made.elements:
        assert not {"src", "href", "style", "action"} & set(kept), tag
        assert not [name for name in kept if name.startswith("on")], tag
    assert not re.search(rb"https?:|url\(|@import|import\(|fetch\(|innerHTML|eval\(", data)


def test_the_page_is_complete_without_its_script() -> None:
    text = Page(page()).text
    for part in (
        "The slow run costs 283 % more CPU time (350 ms before, 1.34 s now). Likely causes: pool.jobs (92 %",
        "Baseline: good.jfr. Slow run: bad.jfr.",
        "pool.jobs92 % likely cause · 4 → 64 92 % of the added CPU time, 912 of 990 ms",
        "redacted, differs",
        "By loop: Deflater.deflate, 800 ms CPU, 200 ms before, 4 times as often",
        'read Integer.getInteger("pool.jobs", 4) src/p/Größe #1.java:4',
        "calls Service.pack src/p/Größe #1.java:14",
        "Service.flush src/p/Größe #1.java:17",
        "/a → not set",
        "Stacks of bad.jfr end after five frames.",
    ):
        assert part in text


def test_hostile_names_are_text() -> None:
    safe, made = Page(page()), Page(page(hostile(analysis())))
    assert {tag for tag, _ in made.elements} <= {tag for tag, _ in safe.elements}
    assert len(made.blocks) == 3
    assert made.blocks[2] == safe.blocks[2]
    names = {name for _, kept in made.elements for name in kept}
    assert names <= {name for _, kept in safe.elements for name in kept}
    assert "<script>alert(1)</script>" in made.text
    assert all(char.isprintable() or char == "\n" for char in "".join(made.texts))
    (block,) = [text for kept, text in made.blocks if kept.get("id") == "data"]
    assert not set("<>&") & set(block)
    assert block.isascii()
    assert made.data["options"][0].startswith("a|b`<script>")
    assert HOSTILE not in made.text


def test_the_page_contains_no_secret() -> None:
    found = diagnosis(analysis())
    first = attrs.evolve(found.suspects[0], values=Value(SECRET, SECRET, False, secret=True))
    assert SECRET.encode() not in page(attrs.evolve(found, suspects=(first,)))


def test_a_single_snapshot_is_not_compared() -> None:
    made = Page(page(diagnosis(analysis(), single=True)))
    assert "before" not in made.text
    assert {graph["before"] is None for graph in made.data["graphs"]} == {True}


def test_lower_ranks_are_counted() -> None:
    text = Page(page(top=1)).text
    assert "And 2 more options." in text
    assert "And 3 more hotspots." in text
    assert "buffer.size" not in text


def test_a_page_of_an_empty_diagnosis() -> None:
    found = diagnosis(analysis())
    nothing = attrs.evolve(found, totals=(), hotspots=(), suspects=(), under={}, differences=())
    assert "The snapshots hold no call chains." in Page(page(nothing)).text


def drawn(
    found: Diagnosis | None = None, before: Snapshot | None = BASELINE, nodes: int = 100
) -> list[Graph]:
    project = analysis()
    baseline = [before] if before is not None else []
    made = found or diagnosis(project)
    return graphs(made, project.program, baseline, [VIOLATION], OPTIONS, nodes)


def shown(graph: Graph) -> list[str]:
    """Nodes as indented lines: name, weights in percent of the violation, numbers of options."""
    marks, own = dict(graph.labels), dict(graph.own_labels)
    depth = {-1: -1}
    lines = {}
    for node, (above, name) in enumerate(zip(graph.parent, graph.name, strict=True)):
        depth[node] = depth[above] + 1
        before = f" {graph.before[node] * 100 // WHOLE}" if graph.before is not None else ""
        label = "".join(
            f" {kind}{found[node]}" for kind, found in (("", marks), ("own", own)) if node in found
        )
        text = graph.names[name][0] if name >= 0 else "all"
        lines[node] = (
            f"{'  ' * depth[node]}{text}{before} {graph.width[node] * 100 // WHOLE}{label}"
        )
    return list(lines.values())


def test_a_graph_merges_both_sides_and_lines_and_shows_options() -> None:
    cpu, memory = drawn()
    assert (cpu.kind, cpu.unit, cpu.scale) == (EventKind.CPU, Unit.NANOSECONDS, 1340e6)
    assert shown(cpu) == [
        "all 26 100",
        "  thread worker-* 26 100",
        "    Service.serve 26 100",
        "      Service.pack 22 89 (0,)",
        "      Service.flush 0 6 (1,)",
        "        Deflater.deflate 14 59",
    ]
    assert cpu.own[2] * 100 // WHOLE == 3
    assert shown(memory)[-1] == "        new byte[] 25 100 (2,)"
    assert memory.left_out == 0


def test_heavier_nodes_are_kept_first() -> None:
    (cpu, _) = drawn(nodes=8)
    assert shown(cpu) == [
        "all 26 100",
        "  thread worker-* 26 100",
        "    Service.serve 26 100",
        "      Service.pack 22 89 (0,)",
    ]
    assert cpu.left_out == 2


def test_a_baseline_without_call_chains_colours_nothing() -> None:
    table = FrameTable()
    flat = TreeBuilder(table)
    flat.add([table.number(PACK)], 100, 1)
    series = Series(EventKind.CPU, Unit.NANOSECONDS, flat.tree(), flat=True)
    cpu, memory = drawn(before=attrs.evolve(BASELINE, series=(series,)))
    assert cpu.before is None
    assert memory.before is None


def test_weights_are_scaled_to_the_totals_of_the_diagnosis() -> None:
    found = diagnosis(analysis())
    total = Total(EventKind.CPU, Unit.NANOSECONDS, 2.0, 1.0)
    (cpu,) = drawn(attrs.evolve(found, totals=(total,)))
    assert cpu.before is not None
    assert (cpu.scale, cpu.before[0], cpu.width[0]) == (2.0, WHOLE, WHOLE // 2)


def test_accessors_between_a_call_and_its_influence_point_do_not_hide_it() -> None:
    table = FrameTable()
    tree = TreeBuilder(table)
    glue = Frame(SERVICE, "access$000", "(Lp/Service;)V")
    chain = [table.number(frame) for frame in (SERVE, glue, FLUSH)]
    tree.add(chain, 5, 1)
    tree.add([table.number(DEFLATE), table.number(FLUSH)], 5, 1)
    violation = attrs.evolve(
        VIOLATION, series=(Series(EventKind.CPU, Unit.NANOSECONDS, tree.tree()),)
    )
    project = analysis()
    (cpu, _) = graphs(diagnosis(project), project.program, [], [violation], OPTIONS)
    assert [line.strip() for line in shown(cpu) if "(1,)" in line] == ["Service.flush 50 (1,)"]
    assert len([line for line in shown(cpu) if "Service.flush" in line]) == 2


def test_a_large_tree_makes_a_small_page() -> None:
    chance = random.Random(5)
    table = FrameTable()
    tree = TreeBuilder(table)
    frames = [
        table.number(Frame(f"com.example.packages{at % 99}.Klass{at}", f"method{at}", "(I)V", at))
        for at in range(6_000)
    ]
    while tree.size < 60_000:
        tree.add([chance.choice(frames) for _ in range(30)], chance.randrange(1, 9_000), 1)
    series = tuple(
        Series(kind, Unit.NANOSECONDS, tree.tree()) for kind in (EventKind.CPU, EventKind.WALL)
    )
    snapshot = attrs.evolve(VIOLATION, series=series)
    project = analysis()
    found = diagnosis(project, single=True)
    totals = tuple(Total(one.kind, one.unit, None, float(one.total)) for one in series)
    data = html_page(attrs.evolve(found, totals=totals), Steps(project), [], [snapshot])
    made = Page(data).data["graphs"]
    assert sum(len(graph["parent"]) for graph in made) <= 20_000
    assert min(len(graph["parent"]) for graph in made) > 5_000
    assert len(data) < 3_000_000
    for graph in made:
        below = [0] * len(graph["parent"])
        for node, above in enumerate(graph["parent"][1:], 1):
            assert above < node
            below[above] += graph["width"][node]
        rounding = 100
        assert all(
            sum_ <= width + rounding for sum_, width in zip(below, graph["width"], strict=True)
        )
        assert graph["width"][0] == WHOLE


def test_frames_that_differ_only_by_line_are_merged() -> None:
    table = FrameTable()
    tree = TreeBuilder(table)
    for line in (6, 7, 8):
        tree.add([table.number(SERVE._replace(line=line))], 1, 1)
    series = Series(EventKind.CPU, Unit.SAMPLES, tree.tree())
    project = analysis()
    (cpu, _) = graphs(
        diagnosis(project), project.program, [], [attrs.evolve(VIOLATION, series=(series,))], ()
    )
    assert shown(cpu) == ["all 100", "  Service.serve 100"]
    assert cpu.names == [("Service.serve", "p.Service.serve([B)V")]
    assert FLUSH.method not in str(cpu.names)
