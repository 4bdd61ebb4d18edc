"""What editors show of flows, rendered to text: hovers, chips, lenses, findings, trees, pages."""

from __future__ import annotations

import attrs
import pytest

from conflens.checking.results import Code, Severity
from conflens.flow.results import FlowTable
from conflens.ide.code_lens.java import LensKind, lens_text, lenses
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.hover import flows as flow_hover
from conflens.ide.hover.java import MAX_LINES, hover
from conflens.ide.inlay_hints.java import MAX_WIDTH, hints
from conflens.ide.inlay_hints.parts import nearest, open_chip
from conflens.ide.navigation.call_hierarchy import MAX_NODES, Node, children, parents, roots
from conflens.ide.pages.flows import MAX_OPERATIONS, page
from conflens.ide.settings.settings import Settings
from conflens.operations.flows import shown_kind
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
        " · ".join(part for part in (hint.label, *(chip.text for chip in hint.chips)) if part)
        for hint in hints(found.analysis, "A.java", 0, size, settings or Settings())
    ]


# Hovers.


def test_a_read_counts_the_operations_it_reaches_and_links_the_nearest() -> None:
    assert hovered(SERVER, '"net.buffer"') == (
        """
A.java:4:36 "net.buffer"

**`net.buffer`** · system property

Whole number. Default `5`.

| reaches | io | memory |
| --- | ---: | ---: |
| direct |  | 1 |
| branch | 1 |  |
| loop | 2 |  |

Nearest: `new byte[size]` [A.java:6](A.java#L6) (direct), `out.write(b)` [A.java:8](A.java#L8) \
(branch) and `out.flush()` [A.java:10](A.java#L10) (loop). 1 more with low confidence.
""".strip()
    )


def test_a_read_shows_its_own_reach_and_the_total_if_different() -> None:
    first = hovered(TWO_READS, "void a() { use(Integer.getInteger(")
    assert "| reaches | lock |" in first
    assert first.endswith(
        "All its reads together reach 2 operations.\n\nAlso read in [A.java:4](A.java#L4)."
    )
    second = hovered(TWO_READS, "void b() { use(Integer.getInteger(")
    assert "| reaches | io | lock |" in second
    assert "together" not in second


def test_a_declaration_shows_what_all_reads_reach() -> None:
    text = TWO_READS.replace('"net.buffer"', "K").replace(
        "class A {", 'class A {\n    static final String K = "net.buffer";'
    )
    shown = hovered(text, "String K")
    assert (
        "| reaches | io | lock |\n| --- | ---: | ---: |\n| branch |  | 1 |\n| loop | 1 |  |"
        in shown
    )
    assert "together" not in shown


def test_uncertain_flows_are_marked_and_not_counted() -> None:
    text = SERVER.replace("io\n", "io low guess\n").replace(
        "direct memory", "direct memory low guess"
    )
    text = text.replace("+1", "+1 low guess").replace("medium", "low")
    shown = hovered(text, '"net.buffer"')
    assert "|" not in shown
    assert shown.splitlines()[-1] == (
        "With low confidence: `new byte[size]` [A.java:6](A.java#L6) (direct), `out.write(b)` "
        "[A.java:8](A.java#L8) (branch) and `out.flush()` [A.java:10](A.java#L10) (loop) and 2 more."
    )


def test_where_the_analysis_stops_is_shown_only_if_nothing_was_reached() -> None:
    cold = "    void x() { lib.take(1); // cold net.buffer passed to *unknown* library\n }"
    alone = "class A {\n" + cold + '\n  void a() { Integer.getInteger("net.buffer", 5); }\n}\n'
    assert hovered(alone, '"net.buffer"').splitlines()[-1] == (
        "No operation was found; the trail goes cold in [A.java:2](A.java#L2): passed to \\*unknown\\* library."
    )
    assert "cold" not in hovered(
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


# Chips.


def test_hint_parts_count_loops_first_and_nothing_of_low_confidence() -> None:
    assert chipped(SERVER) == ["loop·io \N{MULTIPLICATION SIGN}2 · memory · branch·io"]


def test_excess_kinds_are_summed_up_in_one_hint_part() -> None:
    text = SERVER.replace(" low dynamic dispatch", "")
    assert chipped(text) == ["loop·io \N{MULTIPLICATION SIGN}2 · loop·lock · memory · +1"]


def test_the_name_precedes_the_hint_parts_and_both_can_be_disabled() -> None:
    text = SERVER.replace('"net.buffer"', "K").replace(
        "class Server {", 'class Server {\n    static final String K = "net.buffer";'
    )
    assert chipped(text) == ["net.buffer · loop·io \N{MULTIPLICATION SIGN}2 · memory · +1"]
    assert chipped(text, Settings(flow_hints=False)) == ["net.buffer"]
    assert chipped(text, Settings(inlay_hints=False)) == []


def test_each_read_has_its_own_hint_parts_and_equal_ones_appear_once_in_a_method() -> None:
    assert chipped(TWO_READS) == ["branch·lock", "loop·io · branch·lock"]
    same = (
        TWO_READS.replace("    void b() {", "").replace("5)); }\n", "5));\n", 1).replace("#2", "")
    )
    assert chipped(same) == ["loop·io · branch·lock"]


def test_a_hint_part_opens_its_operations() -> None:
    found = project({"A.java": SERVER})
    (hint,) = hints(found.analysis, "A.java", 0, len(SERVER), Settings())
    shown = []
    for chip in hint.chips:
        opened = open_chip(found.analysis, KEY, hint.read, chip.dependency, chip.kind, WORDING)
        first = nearest(found.analysis, KEY, hint.read, chip.dependency, chip.kind)
        assert opened is not None and first is not None
        shown.append((found.show(first), [found.show(place) for place in opened.places]))
    assert shown == [
        ("A.java:10:21 flush", ["A.java:10:21 flush", "A.java:11:21 sync"]),
        ("A.java:6:20 new byte[size]", ["A.java:6:20 new byte[size]"]),
        ("A.java:8:17 write", ["A.java:8:17 write"]),
    ]
    opened = open_chip(found.analysis, KEY, hint.read, None, "", WORDING)
    assert opened is not None
    assert opened.tooltip.splitlines()[0] == "Reaches 4 operations:"
    gone = attrs.evolve(hint.read, start=hint.read.start + 1)
    assert open_chip(found.analysis, KEY, gone, None, "", WORDING) is None


LOGGED = """
class A {
    void a() {
        int n = Integer.getInteger("net.buffer", 5);
        Logger.info(n); // <- net.buffer direct io
        Logger.warn(n); // <- net.buffer direct io
        out.write(1); // <- net.buffer branch io +2
    }
}
"""


def test_log_calls_are_counted_separately_and_come_last() -> None:
    shown = hovered(LOGGED, '"net.buffer"')
    assert "| reaches | io | log |" in shown
    assert "| direct |  | 2 |" in shown and "| branch | 1 |  |" in shown
    assert shown.splitlines()[-1].startswith("Nearest: `out.write(1)` [A.java:7](A.java#L7)")
    assert chipped(LOGGED) == ["branch·io"]
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


@pytest.mark.parametrize(
    ("api", "log"),
    [
        ("Logger.debug", True),
        ("Log.warn", True),
        ("Throwable.printStackTrace", True),
        ("PrintStream.println", False),
        ("FileLog.write", False),
        ("Logger[]", False),
    ],
)
def test_which_calls_are_log_calls(api: str, log: bool) -> None:
    (option,) = project({"A.java": LOGGED}).analysis.flows.options.values()
    operation = option.flows[0].operation._replace(api=api)
    assert shown_kind(operation) == ("log" if log else "io")
    assert shown_kind(operation._replace(kind="lock")) == "lock"


def test_hint_parts_fit_the_width_that_editors_show() -> None:
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
        assert shown.split(" · ")[-1].startswith("+")


# Lenses.


def lensed(text: str, settings: Settings | None = None) -> list[str]:
    found = project({"A.java": text})
    shown = []
    for lens in lenses(found.analysis, "A.java", settings or Settings()):
        args = found.analysis, "A.java", lens.symbol, lens.place.start, lens.kind
        told = lens_text(*args)
        assert told is not None
        shown.append(told.title)
    return shown


DECLARED = SERVER.replace('"net.buffer"', "K").replace(
    "class Server {", 'class Server {\n    static final String K = "net.buffer";'
)


def test_a_lens_shows_what_an_option_does() -> None:
    assert lensed(DECLARED) == ["1 read", "repeats 2 I/O, gates 1 I/O, sizes 1 buffer"]
    assert lensed(DECLARED, Settings(flow_lenses=False)) == ["1 read"]


@pytest.mark.parametrize(
    ("marks", "title"),
    [
        (("branch lock", "branch lock"), "gates 2 locks"),
        (("branch lock", "branch io"), "gates 1 I/O and 1 lock"),
        (("branch memory", "loop memory"), "repeats 1 allocation, gates 1 allocation"),
        (("direct memory", "direct memory"), "sizes 2 buffers"),
        (("direct thread", "direct io"), "feeds 1 I/O and 1 thread"),
        (("loop compute", "loop compute"), "repeats 2 computations"),
        (("loop metric", "loop metric"), "repeats 2 metric operations"),
    ],
)
def test_the_text_of_lenses(marks: tuple[str, ...], title: str) -> None:
    lines = "".join(f"        out.a(1); // <- a.b {mark}\n" for mark in marks)
    text = 'class A {\n    static final String K = "a.b";\n    int a = Integer.getInteger(K);\n'
    assert lensed(f"{text}    void a() {{\n{lines}    }}\n}}\n") == ["1 read", title]


def test_a_lens_opens_the_operations_and_low_confidence_has_no_lens() -> None:
    found = project({"A.java": DECLARED})
    lens = next(
        lens
        for lens in lenses(found.analysis, "A.java", Settings())
        if lens.kind is LensKind.FLOWS
    )
    text = lens_text(found.analysis, "A.java", lens.symbol, lens.place.start, lens.kind)
    assert text is not None and text.option is not None and text.option.key == KEY
    assert [found.show(place).split(" ")[0] for place in text.places] == [
        "A.java:7:20",
        "A.java:9:17",
        "A.java:11:21",
        "A.java:12:21",
    ]
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
    assert open_chip(gone, KEY, read.place, None, "", WORDING) is None


# Thousands.


def test_lists_are_capped_and_counts_are_not() -> None:
    body = "".join(f"        out.w{i}(1); // <- net.buffer loop io\n" for i in range(300))
    head = '    static final String K = "net.buffer";\n    void a() {\n        Integer.getInteger(K);\n'
    text = f"class A {{\n{head}{body}    }}\n}}\n"
    found = cursor(text, "Integer.getInteger(K")
    assert "| loop | 300 |" in hovered(text, "String K")
    assert chipped(text) == ["net.buffer · loop·io \N{MULTIPLICATION SIGN}300"]
    assert lensed(text) == ["1 read", "repeats 300 I/O"]
    (root,) = roots(*attrs.astuple(cursor(text, "String K"), recurse=False), WORDING)
    (read,) = children(found.analysis, root.trail)
    assert len(children(found.analysis, read.trail)) == MAX_NODES
    shown = page(found.analysis, KEY, WORDING)
    assert shown is not None and shown.count("\n## ") == MAX_OPERATIONS
    assert "And 250 more operations, less sure or further away than these." in shown
    opened = open_chip(
        found.analysis, KEY, found.analysis.options.options[0].reads[0].place, None, "", WORDING
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
        "Nearest: `socket.connect(…)` [A.java:5](A.java#L5) (branch) and "
        "`write(…)` [A.java:6](A.java#L6) (branch)."
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
