"""What editors show of flows, rendered to text: hovers, chips, lenses, findings, trees, pages."""

from __future__ import annotations

import attrs
import pytest

from conflens.checking.results import Code, Severity
from conflens.flow.results import FlowTable
from conflens.ide.code_lens.java import lens_text, lenses
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.hover import flows as flow_hover
from conflens.ide.hover.java import MAX_LINES, hover
from conflens.ide.inlay_hints.java import MAX_WIDTH, hints
from conflens.ide.inlay_hints.parts import nearest, open_effect
from conflens.ide.navigation.call_hierarchy import MAX_NODES, Node, children, parents, roots
from conflens.ide.pages.flows import MAX_OPERATIONS, page
from conflens.ide.settings.settings import Annotations, Settings
from conflens.render.phrases import Wording
from ide.toy import CURSOR, Project, project

KEY = "system-property", "net.buffer"
WORDING = Wording(labels={"system-property": "system property"})
SERVER = """
class Server {
    void start() {
        int n = Integer.getInteger("net.buffer", 5);
        int size = n * 2; // step net.buffer compute
        byte[] b = new byte[size]; // <- net.buffer direct memory
        if (n > 0) {
            out.write(b); // <- net.buffer branch io
            for (int i = 0; i < n; i++) {
                out.flush(); // <- net.buffer loop io +1
                log.sync(b); // <- net.buffer loop io +2 medium class-wide field cell
                synchronized (this) { // <- net.buffer loop lock +2 low dynamic dispatch
                }
            }
        }
    }
}
"""
TWO_READS = """
class A {
    void a() { use(Integer.getInteger("net.buffer", 5)); }
    void b() { use(Integer.getInteger("net.buffer", 5)); }
    void c() {
        Thread.sleep(1); // <- net.buffer branch lock
        out.write(1); // <- net.buffer#2 loop io
    }
}
"""


ALL = Settings(annotations=Annotations.ALL)


def cursor(text: str, at: str) -> Project:
    """Put the cursor behind ``at``, or before it if it is one word."""
    start = text.index(at) + (len(at) if " " in at else 0)
    return project({"A.java": text[:start] + CURSOR + text[start:]})


def hovered(text: str, at: str) -> str:
    found = cursor(text, at)
    result = hover(found.analysis, found.path, found.offset, Settings(), WORDING)
    if result is None:
        return ""
    assert len(result.markdown.splitlines()) <= MAX_LINES
    return f"{found.show(result.place)}\n\n{result.markdown}"


def chipped(text: str, settings: Settings | None = None) -> list[str]:
    found = project({"A.java": text})
    size = len(text.encode())
    return [
        " · ".join(part for part in (hint.label, hint.effect) if part)
        for hint in hints(found.analysis, "A.java", 0, size, settings or ALL)
    ]


# Hovers.


def test_a_read_counts_the_operations_it_reaches_and_links_the_nearest() -> None:
    assert hovered(SERVER, '"net.buffer"') == (
        """
A.java:4:36 "net.buffer"

**`net.buffer`** · system property

Whole number. Default `5`.

Reaches 4 operations; the nearest are `new byte[size]` [A.java:6](A.java#L6) (sized), `out.write(b)` [A.java:8](A.java#L8) \
(conditional) and `out.flush()` [A.java:10](A.java#L10) (repeated). 1 more with low confidence.
""".strip()
    )


def test_a_read_shows_its_own_reach_and_the_total_if_different() -> None:
    first = hovered(TWO_READS, "void a() { use(Integer.getInteger(")
    assert "Reaches `Thread.sleep(1)`" in first
    assert first.endswith(
        "All reads of the option together reach 2 operations.\n\nAlso read in [A.java:4](A.java#L4)."
    )
    second = hovered(TWO_READS, "void b() { use(Integer.getInteger(")
    assert "Reaches `out.write(1)` " in second
    assert "together" not in second


def test_a_declaration_shows_what_all_reads_reach() -> None:
    text = TWO_READS.replace('"net.buffer"', "K").replace(
        "class A {", 'class A {\n    static final String K = "net.buffer";'
    )
    shown = hovered(text, "String K")
    assert "Reaches `out.write(1)` " in shown
    assert "together" not in shown


def test_uncertain_flows_are_marked_and_not_counted() -> None:
    text = SERVER.replace("io\n", "io low guess\n").replace(
        "direct memory", "direct memory low guess"
    )
    text = text.replace("+1", "+1 low guess").replace("medium", "low")
    shown = hovered(text, '"net.buffer"')
    assert shown.splitlines()[-1] == (
        "May reach 5 operations with low confidence; the nearest are `new byte[size]` [A.java:6](A.java#L6) (sized), `out.write(b)` "
        "[A.java:8](A.java#L8) (conditional) and `out.flush()` [A.java:10](A.java#L10) (repeated)."
    )


def test_where_the_analysis_stops_is_shown_only_if_nothing_was_reached() -> None:
    cold = "    void x() { lib.take(1); // cold net.buffer passed to *unknown* library\n }"
    alone = "class A {\n" + cold + '\n  void a() { Integer.getInteger("net.buffer", 5); }\n}\n'
    assert hovered(alone, '"net.buffer"').splitlines()[-1] == (
        "No operation found. The analysis stops at [A.java:2](A.java#L2): passed to \\*unknown\\* library."
    )
    assert "stops" not in hovered(
        SERVER.replace("class Server {", "class Server {\n" + cold), '"net.buffer"'
    )


def test_without_flows_a_hover_does_not_mention_them() -> None:
    shown = hovered('class A { int a = Integer.getInteger("net.buffer", 5); }', '"net.buffer"')
    assert shown.splitlines()[-1] == "Whole number. Default `5`."


def test_an_operation_shows_which_options_reach_it_and_how() -> None:
    assert hovered(SERVER, "write") == (
        "A.java:8:17 write\n\n**`out.write`** · io operation\n\nReached by\n\n"
        "- [`net.buffer`](A.java#L4) · branch (branch-unrelated)"
    )
    assert hovered(SERVER, "synchronized").splitlines()[-1] == (
        "- [`net.buffer`](A.java#L4) · loop (loop-bound), 2 call levels below"
        " · low confidence: dynamic dispatch"
    )


def test_an_operation_lists_up_to_five_options_most_certain_first() -> None:
    marks = "".join(f" // <- x.o{i} branch io{' low why' if i == 0 else ''}\n" for i in range(8))
    reads = "".join(f'    int o{i} = Integer.getInteger("x.o{i}", 1);\n' for i in range(8))
    lines = [
        f"  void m{i}() {{\n out.write(1);{mark}\n }}" for i, mark in enumerate(marks.splitlines())
    ]
    one = "class A {\n" + reads + "\n".join(lines) + "\n}\n"
    found = project({"A.java": one})
    table = found.analysis.flows
    (target,) = {flow.operation for flow in table.of_option(("system-property", "x.o3")).flows}
    moved = {
        key: attrs.evolve(
            reach,
            flows=tuple(attrs.evolve(flow, operation=target) for flow in reach.flows) * 2,
        )
        for key, reach in table.options.items()
    }
    analysis = attrs.evolve(found.analysis, flows=FlowTable(moved))
    place = nearest_write(one, "m3")
    result = flow_hover.operation_paragraphs(analysis, "A.java", place, WORDING)
    assert result is not None
    names = [line.split("`")[1] for line in result[1][-1].splitlines()[:-1]]
    assert names == ["x.o1", "x.o2", "x.o3", "x.o4", "x.o5"]
    assert result[1][-1].splitlines()[-1] == "- and 3 more options"


def nearest_write(text: str, method: str) -> int:
    return text.index("write", text.index(f"void {method}("))


@pytest.mark.parametrize(
    "at", ["out.write", "b); //", "(int i", "int size", "class Server", "log.sync"]
)
def test_other_places_have_no_hover(at: str) -> None:
    start = SERVER.index(at)
    found = project({"A.java": SERVER[:start] + CURSOR + SERVER[start:]})
    assert hover(found.analysis, "A.java", found.offset, Settings(), WORDING) is None
    assert roots(found.analysis, "A.java", found.offset, WORDING) == ()


def test_an_unreached_operation_has_no_hover() -> None:
    assert hovered("class A { void a() { out.write(1); } }", "write") == ""


# Hints, where all options are annotated.


def test_a_hint_names_kinds_loops_first_and_nothing_of_low_confidence() -> None:
    assert chipped(SERVER) == ["repeats I/O operations, controls I/O oper…"]


def test_hints_can_be_switched_off() -> None:
    text = SERVER.replace('"net.buffer"', "K").replace(
        "class Server {", 'class Server {\n    static final String K = "net.buffer";'
    )
    off = attrs.evolve(ALL, flow_hints=False)
    assert chipped(text, off) == ["net.buffer"]
    assert chipped(text, attrs.evolve(ALL, inlay_hints=False)) == []


def test_each_read_has_a_hint_of_its_own_and_the_same_is_said_once_in_a_method() -> None:
    assert chipped(TWO_READS) == [
        "controls lock operations",
        "repeats I/O operations, controls lock ope…",
    ]


def test_a_hint_opens_the_operations() -> None:
    found = project({"A.java": SERVER})
    (hint,) = hints(found.analysis, "A.java", 0, len(SERVER), ALL)
    opened = open_effect(found.analysis, KEY, hint.read, WORDING)
    assert opened is not None
    assert [found.show(place) for place in opened.places] == [
        "A.java:6:20 new byte[size]",
        "A.java:8:17 write",
        "A.java:10:21 flush",
        "A.java:11:21 sync",
    ]
    assert nearest(found.analysis, KEY, hint.read) == opened.places[0]
    assert opened.tooltip.splitlines()[0] == "Reaches 4 costly operations:"
    gone = attrs.evolve(hint.read, start=hint.read.start + 1)
    assert open_effect(found.analysis, KEY, gone, WORDING) is None


LOGGED = """
class A {
    void a() {
        int n = Integer.getInteger("net.buffer", 5);
        Logger.info(n); // <- net.buffer direct log
        Logger.warn(n); // <- net.buffer direct log
        out.write(1); // <- net.buffer branch io +2
    }
}
"""


def test_log_calls_are_counted_separately_and_come_last() -> None:
    shown = hovered(LOGGED, '"net.buffer"')
    assert "`out.write(1)` [A.java:7](A.java#L7)" in shown.splitlines()[-1].split(",")[0]
    assert chipped(LOGGED) == ["controls I/O operations"]
    assert "**`Logger.info`** · log operation" in hovered(LOGGED, "info")
    text = page(project({"A.java": LOGGED}).analysis, KEY, WORDING)
    assert text is not None
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert [head.split("`")[1] for head in heads] == ["out.write", "Logger.info", "Logger.warn"]


def test_an_option_that_only_logs_has_no_hint_and_no_lens() -> None:
    only = LOGGED.replace("branch io +2", "branch io low guess").replace('"net.buffer", 5', "K, 5")
    only = only.replace("class A {", 'class A {\n    static final String K = "net.buffer";')
    assert chipped(only) == ["net.buffer"]
    assert lensed(only) == ["1 read"]


def test_hints_fit_into_the_width_that_editors_show() -> None:
    kinds = ("io", "lock", "memory", "thread", "compute")
    body = "".join(
        f"        out.{kind}{number}(1); // <- net.buffer loop {kind}\n"
        for kind in kinds
        for number in range(12)
    )
    for name in ("K", "a.b", "net.buffer.of.the.quite.long.option.name.of.all"):
        constant = f'    static final String K = "{name}";\n' if name != "K" else ""
        read = "Integer.getInteger(K)" if constant else 'Integer.getInteger("K")'
        text = f"class A {{\n{constant}    void a() {{\n        {read};\n{body}    }}\n}}\n"
        (shown,) = chipped(text.replace("net.buffer loop", f"{name} loop"))
        assert len(shown) <= MAX_WIDTH
        assert shown.endswith("…")


# Lenses.


def lensed(text: str, settings: Settings | None = None) -> list[str]:
    found = project({"A.java": text})
    shown = []
    settings = settings or ALL
    for lens in lenses(found.analysis, "A.java", settings):
        told = lens_text(found.analysis, "A.java", lens.symbol, lens.place.start, settings)
        assert told is not None
        shown.append(told.title)
    return shown


DECLARED = SERVER.replace('"net.buffer"', "K").replace(
    "class Server {", 'class Server {\n    static final String K = "net.buffer";'
)


def test_a_lens_says_what_an_option_does() -> None:
    assert lensed(DECLARED) == [
        "repeats I/O operations, controls I/O operations, sizes buffers · 1 read"
    ]
    assert lensed(DECLARED, attrs.evolve(ALL, flow_lenses=False)) == ["1 read"]
    assert lensed(DECLARED, Settings()) == []


@pytest.mark.parametrize(
    ("marks", "title"),
    [
        (("branch lock", "branch lock"), "controls lock operations"),
        (("branch lock", "branch io"), "controls I/O operations and lock operations"),
        (("branch memory", "loop memory"), "repeats allocations, controls allocations"),
        (("direct memory", "direct memory"), "sizes buffers"),
        (("direct thread", "direct io"), "is passed to I/O operations and thread operations"),
        (("loop compute", "loop compute"), "repeats computations"),
        (("loop metric", "loop metric"), "repeats metric operations"),
    ],
)
def test_the_text_of_lenses(marks: tuple[str, ...], title: str) -> None:
    lines = "".join(f"        out.a(1); // <- a.b {mark}\n" for mark in marks)
    text = 'class A {\n    static final String K = "a.b";\n    int a = Integer.getInteger(K);\n'
    assert lensed(f"{text}    void a() {{\n{lines}    }}\n}}\n") == [f"{title} · 1 read"]


def test_a_lens_opens_the_reads_and_a_guess_is_not_worded() -> None:
    found = project({"A.java": DECLARED})
    (lens,) = lenses(found.analysis, "A.java", ALL)
    text = lens_text(found.analysis, "A.java", lens.symbol, lens.place.start, ALL)
    assert text is not None and text.option is not None and text.option.key == KEY
    assert [found.show(place) for place in text.places] == ["A.java:5:36 K"]
    guess = (
        'class A {\n static final String K = "a.b";\n int a = Integer.getInteger(K);\n'
        " void a() { out.a(); // <- a.b loop io low why\n }\n}\n"
    )
    assert lensed(guess) == ["1 read"]


# Findings.


def test_the_path_is_a_diagnostic_only_if_enabled() -> None:
    found = project({"A.java": SERVER})
    assert diagnostics(found.analysis, "A.java", Settings()) == ()
    (finding,) = diagnostics(found.analysis, "A.java", Settings(flow_diagnostics=Severity.HINT))
    assert (finding.code, finding.severity) == (Code.REACHES_OPERATION, Severity.HINT)
    assert found.show(finding.place) == 'A.java:4:36 "net.buffer"'
    assert finding.message == (
        "net.buffer sizes new byte[size] (direct, memory), and reaches 3 more."
    )
    assert [f"{found.show(place)} | {text}" for place, text in finding.related] == [
        'A.java:4:25 getInteger | read: Integer.getInteger("net.buffer", 5)',
        "A.java:5:13 size = n * 2 | compute: size = n * 2",
        "A.java:6:20 new byte[size] | operation: new byte[size]",
    ]


# Trees.


def drawn(found: Project, backward: bool = False) -> str:
    lines: list[str] = []

    def draw(node: Node, depth: int) -> None:
        lines.append(
            f"{'  ' * depth}{node.name} | {node.detail} | {found.show(node.place).split(' ')[0]}"
        )
        below = (
            parents(found.analysis, node.trail, WORDING)
            if backward
            else children(found.analysis, node.trail)
        )
        for child in below:
            draw(child, depth + 1)

    for root in roots(found.analysis, found.path, found.offset, WORDING):
        draw(root, 0)
    return "\n".join(lines)


def test_the_tree_of_a_read_merges_paths_with_a_common_start() -> None:
    assert drawn(cursor(SERVER, '"net.buffer"')) == (
        """
net.buffer | system property | A.java:4:36
  size = n * 2 | compute · Server.start | A.java:5:13
    new byte[] | memory, direct (data) · Server.start | A.java:6:20
    out.write | io, branch (branch-unrelated) · Server.start | A.java:8:17
    out.flush | io, loop (loop-bound), 1 call level below · Server.start | A.java:10:21
    log.sync | io, loop (loop-bound), 2 call levels below · medium confidence: class-wide field cell · Server.start | A.java:11:21
    synchronized | lock, loop (loop-bound), 2 call levels below · low confidence: dynamic dispatch · Server.start | A.java:12:17
""".strip()
    )


def test_the_tree_of_a_declaration_starts_with_its_reads() -> None:
    text = TWO_READS.replace('"net.buffer"', "K").replace(
        "class A {", 'class A {\n    static final String K = "net.buffer";'
    )
    assert drawn(cursor(text, "String K")) == (
        """
net.buffer | system property | A.java:3:25
  Integer.getInteger(K, 5) | read · A.a | A.java:4:28
    Thread.sleep | lock, branch (branch-unrelated) · A.c | A.java:7:16
  Integer.getInteger(K, 5) | read · A.b | A.java:5:28
    Thread.sleep | lock, branch (branch-unrelated) · A.c | A.java:7:16
    out.write | io, loop (loop-bound) · A.c | A.java:8:13
""".strip()
    )


def test_the_tree_of_an_operation_leads_back_to_the_options() -> None:
    found = cursor(SERVER, "flush")
    assert drawn(found, backward=True) == (
        """
out.flush | io operation | A.java:10:21
  size = n * 2 | compute · Server.start | A.java:5:13
    net.buffer | system property | A.java:4:25
""".strip()
    )
    assert drawn(found) == "out.flush | io operation | A.java:10:21"


def test_the_paths_back_to_several_options_stay_separate() -> None:
    found = cursor(
        """
class A {
    void a() {
        int x = Integer.getInteger("x.a", 5);
        f(x); // step x.a argument
    }
    void b() {
        int x = Integer.getInteger("x.b", 5);
        g(x); // step x.b argument
    }
    void c() {
        out.write(1); // <- x.a loop io // <- x.b branch io
    }
}
""",
        "write",
    )
    assert drawn(found, backward=True) == (
        """
out.write | io operation | A.java:12:13
  f(x) | argument · A.a | A.java:5:9
    x.a | system property | A.java:4:25
  g(x) | argument · A.b | A.java:9:9
    x.b | system property | A.java:8:25
""".strip()
    )


def test_a_read_without_flows_has_no_tree() -> None:
    assert drawn(cursor('class A { int a = Integer.getInteger("a.b"); }', '"a.b"')) == ""


def test_an_address_that_no_longer_exists_has_no_steps() -> None:
    (root,) = roots(*attrs.astuple(cursor(SERVER, '"net.buffer"'), recurse=False), WORDING)
    other = project({"A.java": "class Server {}"})
    assert children(other.analysis, root.trail) == ()


def test_flows_of_a_removed_member_are_omitted_everywhere() -> None:
    found = cursor(SERVER, '"net.buffer"')
    other = project({"A.java": 'class B { static int a = Integer.getInteger("net.buffer", 5); }'})
    (option,) = other.analysis.options.options
    reach = found.analysis.flows.of_option(KEY)
    stale = FlowTable({KEY: reach}, {(KEY, read.place): reach for read in option.reads})
    analysis = attrs.evolve(other.analysis, flows=stale)
    read = option.reads[0]
    gone = attrs.evolve(analysis, program=project({"B.java": "class B {}"}).analysis.program)
    for known in (analysis, gone):
        assert hover(known, "A.java", read.name_place.start, Settings(), WORDING) is not None
        assert page(known, KEY, WORDING) is not None
        assert isinstance(roots(known, "A.java", read.name_place.start, WORDING), tuple)
        diagnostics(known, "A.java", Settings(flow_diagnostics=Severity.HINT))
    assert open_effect(gone, KEY, read.place, WORDING) is None


# Thousands.


def test_lists_are_capped_and_counts_are_not() -> None:
    body = "".join(f"        out.w{i}(1); // <- net.buffer loop io\n" for i in range(300))
    head = '    static final String K = "net.buffer";\n    void a() {\n        Integer.getInteger(K);\n'
    text = f"class A {{\n{head}{body}    }}\n}}\n"
    found = cursor(text, "Integer.getInteger(K")
    assert "Reaches 300 operations; the nearest are " in hovered(text, "String K")
    assert chipped(text) == ["net.buffer · repeats I/O operations"]
    assert lensed(text) == ["repeats I/O operations · 1 read"]
    (root,) = roots(*attrs.astuple(cursor(text, "String K"), recurse=False), WORDING)
    (read,) = children(found.analysis, root.trail)
    assert len(children(found.analysis, read.trail)) == MAX_NODES
    shown = page(found.analysis, KEY, WORDING)
    assert shown is not None and shown.count("\n## ") == MAX_OPERATIONS
    assert "And 250 more operations, less sure or further away than these." in shown
    opened = open_effect(
        found.analysis, KEY, found.analysis.options.options[0].reads[0].place, WORDING
    )
    assert opened is not None and opened.tooltip.splitlines()[-1] == "- and 295 more"


def test_an_operation_with_long_arguments_is_named_without_them() -> None:
    text = """
class A {
    void a() {
        Integer.getInteger("net.buffer", 5);
        socket.connect(new InetSocketAddress("localhost", 1234)); // <- net.buffer branch io
        a.first("a rather long argument").second("another").write("and more"); // <- net.buffer branch thread
    }
}
"""
    assert hovered(text, '"net.buffer"').splitlines()[-1] == (
        "Reaches `socket.connect(…)` [A.java:5](A.java#L5) (conditional) and "
        "`write(…)` [A.java:6](A.java#L6) (conditional)."
    )


def test_among_equally_near_operations_different_apis_are_listed() -> None:
    lines = "".join(
        f"        out.{name}({number}); // <- net.buffer {way}\n"
        for number, (name, way) in enumerate(
            [
                ("a", "branch lock"),
                ("a", "branch lock"),
                ("b", "direct lock"),
                ("c", "loop lock"),
                ("d", "loop lock +1"),
            ]
        )
    )
    text = f'class A {{\n    void a() {{\n        Integer.getInteger("net.buffer");\n{lines}    }}\n}}'
    last = hovered(text, '"net.buffer"').splitlines()[-1]
    assert [part.split("`")[0] for part in last.split("`out.")[1:]] == ["c(3)", "b(2)", "a(0)"]
