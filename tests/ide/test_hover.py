"""Hover: the Markdown a person reads, beside the source it is about."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from conflens.checking.results import Severity
from conflens.ide.hover.java import MAX_LINES, hover
from conflens.ide.settings.settings import Settings
from conflens.options.model import OptionType
from conflens.render.phrases import Wording
from ide.toy import project
from session.support import session

WORDING = Wording(labels={"system-property": "system property", "yaml": "YAML key"})


def check(files: dict[str, str], expected: str, complete: bool = True, **changes: object) -> None:
    found = project(files, complete, **changes)
    result = hover(found.analysis, found.path, found.offset, Settings(), WORDING)
    shown = "" if result is None else f"{found.show(result.place)}\n\n{result.markdown}"
    assert shown == expected.strip("\n")
    assert len(shown.splitlines()) <= MAX_LINES + 2


CONSTANTS = """
class Keys {
    /** How long a client waits for an answer. */
    static final String TIMEOUT = "net.timeout";
    static final int TIMEOUT_DEFAULT = 30;
}
"""


def test_a_read_through_a_constant() -> None:
    check(
        {
            "Keys.java": CONSTANTS,
            "A.java": """
class A {
    void run() { int t = Integer.getInteger(Keys.TIM<|>EOUT, Keys.TIMEOUT_DEFAULT); }
    void stop() { int t = Integer.getInteger(Keys.TIMEOUT, 30); }
}
""",
            "docs/options.md": "# Options\n\n- `net.timeout`: waits this long.\n",
        },
        """
A.java:3:45 Keys.TIMEOUT

**`net.timeout`** · system property

Whole number in milliseconds. Default `30`.

How long a client waits for an answer.

Documented in [options.md:3](docs/options.md#L3).

Also read in [A.java:4](A.java#L4).
""",
    )


def test_the_description_comes_from_a_document_when_the_source_has_none() -> None:
    check(
        {
            "A.java": 'class A { String s = System.get<|>Property("log.dir"); }',
            "conf/app.properties": "# Where logs go.\nlog.dir=/var/log\n",
        },
        """
A.java:1:29 getProperty

**`log.dir`** · system property

Text.

Where logs go.

Documented in [app.properties:2](conf/app.properties#L2).
""",
    )


def test_conflicting_defaults_list_their_places() -> None:
    check(
        {
            "A.java": 'class A { int a = Integer.getInteger("po<|>ol.size", 4); }',
            "B.java": 'class B { int b = Integer.getInteger("pool.size", 8); }',
        },
        """
A.java:1:38 "pool.size"

**`pool.size`** · system property

Whole number. ⚠ defaults differ: `4` in [A.java:1](A.java#L1) and `8` in [B.java:1](B.java#L1).
""",
    )


def test_a_declaration_lists_its_reads_and_counts_the_rest() -> None:
    reads = "\n".join(f"    int v{i} = Integer.getInteger(Keys.TIMEOUT);" for i in range(9))
    check(
        {
            "Keys.java": CONSTANTS.replace(" TIMEOUT =", " TIME<|>OUT ="),
            "A.java": f"class A {{\n{reads}\n}}\n",
        },
        """
Keys.java:4:25 TIMEOUT

**`net.timeout`** · system property

Whole number in milliseconds.

How long a client waits for an answer.

Read in 9 places, such as [A.java:2](A.java#L2), [A.java:3](A.java#L3) and [A.java:4](A.java#L4).
""",
    )


SILENT = """
A.java:1:42 "x.fast"

**`x.fast`** · system property

True or false.
"""


def test_undocumented_is_shown_if_others_are_documented_and_the_analysis_is_complete() -> None:
    files = {
        "A.java": 'class A { boolean b = Boolean.getBoolean("x<|>.fast"); }',
        "B.java": 'class B { boolean b = Boolean.getBoolean("x.slow"); }',
        "README.md": "Nothing here.\n",
    }
    check(files, SILENT)
    files["docs/options.md"] = "- `x.slow`: goes slowly.\n"
    files["B.java"] = """class B {
    boolean b = Boolean.getBoolean("x.slow");
    boolean c = Boolean.getBoolean("x.f<|>ast");
}
"""
    files["A.java"] = files["A.java"].replace("<|>", "")
    elsewhere = "\n\nNot documented in this project.\n\nAlso read in [A.java:1](A.java#L1)."
    there = SILENT.replace("A.java:1:42", "B.java:3:36").rstrip("\n")
    check(files, there + elsewhere)
    check(files, there + elsewhere.replace("Not documented in this project.\n\n", ""), False)


def test_undocumented_is_left_to_the_diagnostic_if_there_is_one() -> None:
    files = {
        "A.java": 'class A { boolean b = Boolean.getBoolean("x<|>.fast"); }',
        "B.java": 'class B { boolean b = Boolean.getBoolean("x.slow"); }',
        "docs/options.md": "- `x.slow`: goes slowly.\n",
    }
    check(files, SILENT)
    found = project(files)
    for settings in (Settings(diagnostics=False), Settings(undocumented=Severity.OFF)):
        result = hover(found.analysis, found.path, found.offset, settings, WORDING)
        assert result is not None
        assert result.markdown.endswith("Not documented in this project.")


def test_html_in_descriptions_is_not_shown() -> None:
    check(
        {"A.java": 'class A { boolean b = Boolean.getBoolean("x<|>.fast"); }'},
        f"{SILENT}\nIf `true` & set goes — by x.\\<name\\> — fast.",
        description="If <code>true</code> &amp; set<p> goes &mdash; by x.<name> &mdash; <b>fast</b>.",
    )


def test_code_spans_and_escapes_of_descriptions_keep_their_meaning() -> None:
    check(
        {"A.java": 'class A { boolean b = Boolean.getBoolean("x<|>.fast"); }'},
        f"{SILENT}\nTakes `Map<K>` for \\*, snake\\_case and a lone \\`.",
        description="Takes `Map<K>` for \\*, snake_case and a lone `.",
    )


def test_a_first_sentence_that_only_repeats_the_name_is_omitted() -> None:
    files = {"A.java": 'class A { int a = Integer.getInteger("x<|>.max", 5); }'}
    head = 'A.java:1:38 "x.max"\n\n**`x.max`** · system property\n\nWhole number. Default `5`.\n\n'
    for lead in ("System property `x.max`.", "System property <code>x.max</code> (default: 5)."):
        check(files, f"{head}The most.", description=f"{lead} The most.")
    for whole in (
        "System property `x.max` (default: 5 per processor). The most.",
        "System property `x.max`.",
        "Takes over from `x.min`. The most.",
    ):
        check(files, f"{head}{whole}", description=whole)


def test_a_last_sentence_that_only_gives_the_default_is_omitted() -> None:
    files = {"A.java": 'class A { int a = Integer.getInteger("x<|>.max", 5); }'}
    head = 'A.java:1:38 "x.max"\n\n**`x.max`** · system property\n\nWhole number. Default `5`.\n\n'
    for tail in ("Default: 5.", "Defaults to `5`", "Default is 5."):
        check(files, f"{head}The most.", description=f"the most. {tail}")
    check(files, f"{head}The most. Default: 6.", description="The most. Default: 6.")


def test_a_long_description_ends_after_a_sentence_and_never_within_a_code_span() -> None:
    files = {"A.java": 'class A { boolean b = Boolean.getBoolean("x<|>.fast"); }'}
    first = "Runs fast " + "and faster " * 20 + "today."
    check(files, f"{SILENT}\n{first}", description=f"{first} {'More of it ' * 20}")
    long = f"Runs {'fast ' * 50}`{'as the wind ' * 10}`"
    check(files, f"{SILENT}\nRuns {'fast ' * 50}".rstrip() + "…", description=long)


def test_unknown_facts_are_not_mentioned() -> None:
    check(
        {"A.java": 'class A { String s = System.getProperty("a<|>.b"); }'},
        """
A.java:1:41 "a.b"

**`a.b`** · system property
""",
        type=OptionType.UNKNOWN,
    )


def test_modes_list_their_values_and_inferred_types_name_their_evidence() -> None:
    files = {"A.java": 'class A { String s = System.getProperty("a<|>.b"); }'}
    head = '\nA.java:1:41 "a.b"\n\n**`a.b`** · system property\n\n'
    check(
        files,
        f"{head}One of `sync` or `async`.",
        type=OptionType.MODE,
        values=("sync", "async"),
        why="compared with constants",
    )
    check(
        files,
        f"{head}File or folder (passed to java.io.File).",
        type=OptionType.FILE,
        why="passed to java.io.File",
    )
    named = {"type": OptionType.FILE, "why": "named a.b"}
    check(files, f"{head}File or folder (judging by its name).", **named)
    check(files, f"{head}Class name.", type=OptionType.CLASS, why="returned by Conf.getClass")
    switch = {"type": OptionType.BOOLEAN, "why": "switch without argument"}
    check(files, f"{head}Flag without a value.", **switch)
    check(files, f"{head}Size in KB.", type=OptionType.SIZE, unit="KB")
    check(files, f"{head}A count.", type=OptionType.INTEGER, unit="count")


def test_a_secret_shows_no_default() -> None:
    check(
        {"A.java": 'class A { String s = System.getProperty("a<|>.b", "hunter2"); }'},
        '\nA.java:1:41 "a.b"\n\n**`a.b`** · system property\n\nSecret.',
        type=OptionType.PASSWORD,
    )


def test_other_arguments_and_places_have_no_hover() -> None:
    for text in (
        'class A { int a = Integer.getInteger("a.b", <|>5); }',
        'class A { int a = Inte<|>ger.getInteger("a.b", 5); }',
        'class A { i<|>nt a = Integer.getInteger("a.b", 5); }',
    ):
        check({"A.java": text}, "")


def test_a_bound_field_and_its_use() -> None:
    config = "class Config { /*bound*/ int cache<|>_size = 64; }"
    expected = """

**`cache_size`** · YAML key

Whole number. Default `64`.

"""
    load = "class B { void go() { use(config.cache_size); } }"
    check(
        {"Config.java": config, "B.java": load},
        f"\nConfig.java:1:30 cache_size{expected}Read in [B.java:1](B.java#L1).",
    )
    check(
        {
            "Config.java": config.replace("<|>", ""),
            "B.java": load.replace("cache_", "cache<|>_"),
        },
        f"\nB.java:1:34 cache_size{expected}".rstrip(),
    )


def test_columns_and_markup_with_unusual_text() -> None:
    check(
        {
            "Käse.java": (
                'class A { String s = "😀" + System.getProperty("ä<|>.`x`_*", "[a](b)"); }'
            )
        },
        """
Käse.java:1:47 "ä.`x`_*"

**``ä.`x`_*``** · system property

Text. Default `[a](b)`.
""",
    )


def test_disabled() -> None:
    found = project({"A.java": 'class A { String s = System.getProperty("a<|>.b"); }'})
    off = Settings(hover=False)
    assert hover(found.analysis, found.path, found.offset, off, WORDING) is None


def test_of_nested_placeholders_the_one_whose_name_is_touched_is_shown() -> None:
    text = """import org.springframework.beans.factory.annotation.Value;
class A { @Value("${app.a.outer:${app.mid:${app.deepest:7}}}") int n; }"""
    for name in ("app.a.outer", "app.mid", "app.deepest"):
        analysis = session(MemorySystem({"A.java": text})).scan()
        found = hover(analysis, "A.java", text.index(name) + 1, Settings(), WORDING)
        assert found is not None and found.markdown.startswith(f"**`{name}`**")
