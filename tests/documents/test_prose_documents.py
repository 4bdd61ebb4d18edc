"""Documentation written for people: which names are entries, which are only mentioned."""

from textwrap import dedent

import pytest

from conflens.base.prose import shorten
from conflens.documents import harvest
from conflens.documents.names import canonical, is_name_like
from conflens.documents.prose import stated_default
from documents.support import entries, shown, texts


def check(path: str, text: str, *expected: str) -> None:
    assert shown(path, dedent(text).removeprefix("\n")) == list(expected)


def test_markdown_table_takes_its_columns_from_the_header() -> None:
    check(
        "docs/options.md",
        """
        | Property | Default | Description |
        | --- | :-: | --- |
        | port | `80` | Where to listen. |
        | `pool.a`, `pool.b` | - | Two of [them](x.md). |
        | not a name | 1 | Prose. |
        """,
        "3:3 port = 80 # Where to listen.",
        "4:4 pool.a # Two of them.",
        "4:14 pool.b # Two of them.",
    )


def test_a_plain_word_in_an_unrelated_table_is_no_entry() -> None:
    assert entries("a.md", "| Month | Sales |\n|---|---|\n| june | 5 |\n| max.size | 6 |\n") == [
        "max.size"
    ]


def test_markdown_headings_of_one_name_are_entries_described_below() -> None:
    check(
        "a.md",
        """
        # Settings
        ## cache.size
        Bytes to keep. Defaults to 512.

        ## `port` {#port}

        | a | b |
        Cache_dir
        ---------
        Where.
        """,
        "2:4 cache.size = 512 # Bytes to keep. Defaults to 512.",
        "5:5 port",
        "8:1 Cache_dir # Where.",
    )


def test_markdown_list_items_that_start_with_a_name_are_entries() -> None:
    check(
        "a.md",
        """
        * *maxClientCnxns* :
            (Java system property: **zk.maxClientCnxns**)
            Limits connections. The default is 60.
        - `port` (required): where to listen
        - **timeout** - how long
        - Note: nothing
        - **Note**: nothing
        - clientPort is mentioned in a sentence
        **`depth`**: how deep
        """,
        "1:4 maxClientCnxns = 60 # (Java system property: zk.maxClientCnxns) Limits connections."
        " The default is 60.",
        "2:30 zk.maxClientCnxns = 60 # (Java system property: zk.maxClientCnxns) Limits connections."
        " The default is 60.",
        "4:4 port # (required) where to listen",
        "5:5 timeout # how long",
        "9:4 depth # how deep",
    )


def test_plain_words_count_in_code_spans_and_never_in_prose() -> None:
    text = "The port and timeout of `limit`, or `--depth 3`, `size=5` and `run the server`."
    found = texts("a.md", text)
    assert {"limit", "size"} <= found
    assert not {"port", "timeout", "server", "run"} & found


def test_name_like_words_count_anywhere_and_keep_their_first_place() -> None:
    found = harvest("a.txt", "See maxSize.\nAlso a.b-c, max_idle and maxSize.\n").words
    assert found == {"maxSize": (1, 5), "a.b-c": (2, 6), "max_idle": (2, 13)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a.b.", {"a.b"}),
        ("(a.b)", {"a.b"}),
        ("'a.b'=\"c.d\"", {"a.b", "c.d"}),
        ("x/a.b/c.d", {"a.b", "c.d"}),
        ("-Da.b=1 -Dport=2", {"a.b", "port"}),
        ("--max-heap --port", {"max-heap", "--port"}),
        ("call maxSize() or Type#maxSize or @MaxSize.x", set()),
        ("https://example.org/a.b?maxSize=1", set()),
        ("fs.<scheme>.impl", {"fs.*.impl"}),
        ("fs.{scheme}.impl fs.${scheme}.impl fs.[scheme].impl", {"fs.*.impl"}),
        ("at fs.rpc.[node name].port now", {"fs.rpc.*.port"}),
        ("fs.*.impl", {"fs.*.impl"}),
        ("xa.b a.bx", {"xa.b", "a.bx"}),
        ("${user.home} $APP_HOME", {"user.home", "APP_HOME"}),
        ("😀a.b", {"a.b"}),
        ("_a.b_ and _-Dc.d=1_ and _maxSize_", {"a.b", "c.d", "maxSize"}),
    ],
)
def test_word_boundaries(text: str, names: set[str]) -> None:
    assert set(harvest("a.txt", text).words) == names


def test_examples_in_a_configuration_language_mention_their_keys() -> None:
    text = dedent(
        """\
        ```yaml
        server:
          port: 80
        ```
        ```java
        int depth = 3;
        ```
        ```
        limit=5
        ```
        """
    )
    assert shown("a.md", text) == ["~2:1 server", "~3:3 server.port", "~9:1 limit"]


def test_html_tables_in_markdown() -> None:
    text = "# T\n<table><tr><td><h5>ask.timeout</h5></td><td>Wait.</td></tr></table>\n"
    assert shown("a.md", text) == ["2:20 ask.timeout # Wait."]


def test_asciidoc_terms_titles_and_tables() -> None:
    check(
        "a.adoc",
        """
        = Manual
        == cache.size
        Bytes to keep.

        `port`:: Where to listen.
        [[x]]idle_time::
        How long.

        [cols="1,1,2",options="header"]
        |===
        |Name |Default |Description

        |depth
        |`3`
        a|Levels,
        all of them.

        |a.b |1 |One.
        |===
        [source,properties]
        ----
        limit=5
        ----
        """,
        "2:4 cache.size # Bytes to keep.",
        "5:2 port # Where to listen.",
        "6:6 idle_time # How long.",
        "13:2 depth = 3 # Levels, all of them.",
        "18:2 a.b = 1 # One.",
        "~22:1 limit",
    )


def test_restructured_directives_titles_lists_and_tables() -> None:
    check(
        "a.rst",
        """
        cache.size
        ----------

        Bytes to keep.

        .. confval:: port
           :default: ``80``

           Where to listen.

        idle_time
            How long.

        :max.depth: Levels.

        .. list-table::
           :header-rows: 1

           * - Option
             - Default
             - Description
           * - limit
             - 5
             - At most.

        +--------+----------+
        | Name   | Meaning  |
        +========+==========+
        | a.b    | First    |
        |        | line.    |
        +--------+----------+

        ======  =========
        Key     Meaning
        ======  =========
        c.d     Second.
        ======  =========

        .. code-block:: yaml

           shown: 1

        Use ``literal`` here.
        """,
        "1:1 cache.size # Bytes to keep.",
        "6:14 port = 80 # Where to listen.",
        "11:1 idle_time # How long.",
        "14:2 max.depth # Levels.",
        "22:8 limit = 5 # At most.",
        "29:3 a.b # First line.",
        "36:1 c.d # Second.",
        "~41:4 shown",
        "~43:7 literal",
    )


def test_html_headings_terms_items_and_rows() -> None:
    check(
        "a.html",
        """
        <html><head><style>.a.b { }</style><script>var maxSize = x.y;</script></head><body>
        <ul><li><h4><a id="batch.size"></a><a href="#b">batch.size</a></h4>
        <p>Bytes in a batch.</p>
        <table><tbody><tr><th>Type:</th><td>int</td></tr><tr><th>Default:</th><td>16384</td></tr>
        </tbody></table></li>
        <li><code>port</code>: where to listen</li></ul>
        <dl><dt><tt>depth</tt></dt><dd>Levels.<p>More.</p></dd></dl>
        <table><tr><th>Name</th><th>Description</th></tr>
        <tr><td>idle</td><td>How &lt;long&gt;</td></tr></table>
        <p>See <code>limit</code> and ordinary words.</p><!-- hidden.name -->
        """,
        "2:49 batch.size = 16384 # Bytes in a batch.",
        "6:11 port # where to listen",
        "7:13 depth # Levels. More.",
        "9:9 idle # How <long>",
        "~10:14 limit",
    )
    assert not {"hidden.name", "x.y", "maxSize"} & texts(
        "a.html", "<script>x.y</script><!-- hidden.name --><style>maxSize</style>"
    )


def test_xml_documentation_with_property_elements() -> None:
    text = (
        '<document><property name="language">GUI language. Defaults to "en".</property></document>'
    )
    assert shown("xdocs/a.xml", text) == ['1:27 language = en # GUI language. Defaults to "en".']


def test_usage_texts() -> None:
    assert shown("usage.txt", "Options:\n  -p, --port <n>   the port\n  --max-size N  most\n") == [
        "2:3 -p # the port",
        "2:7 --port # the port",
        "3:5 max-size # most",
    ]


def test_tables_of_any_width_and_wrapped_names() -> None:
    text = "|====\n|Name |Description\n\n|a.b |One.\n\n|c.d |Two.\n|====\n\n|===\n|e.f |Three.\n|===\n"
    assert [one.name for one in harvest("a.adoc", text).mentions] == ["a.b", "c.d", "e.f"]
    text = '<document><properties><property name="org.example. web.SIZE"><p>Big.</p></property></properties></document>'
    (mention,) = harvest("docs/a.xml", text).mentions
    assert (mention.name, mention.description) == ("org.example.web.SIZE", "Big.")


def test_a_table_of_changes_states_the_new_default() -> None:
    text = "| Name | Old Default Value | New Default Value |\n|--|--|--|\n| pool.size | 10 | 0 |\n"
    (mention,) = harvest("upgrade.md", text).mentions
    assert (mention.name, mention.default) == ("pool.size", "0")


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("Defaults to 60.", "60"),
        ("The default is `fast`, which", "fast"),
        ("default value of 400, set", "400"),
        ("(default 0)", "0"),
        ("Default: 10 seconds.", "10 seconds"),
        ("The default is 0.02.", "0.02"),
        ("Default is true", "true"),
        ("The default is 100,000.", "100000"),
        ("Defaults to 1,2", "1"),
        ("Unlike the agent's port (`agent.port`, default 11800), it is private.", None),
        ("The port (default 11800).", "11800"),
        ("Defaults to 2 times the tick.", None),
        ("Defaults to the same value.", None),
        ("The default behaviour is good", None),
        ("by default we bind", None),
        ("Set to flush/3 by default", None),
        ("", None),
        (None, None),
    ],
)
def test_stated_defaults(text: str | None, default: str | None) -> None:
    assert stated_default(text) == default


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        *((name, True) for name in ("maxSize", "a.b", "a-b", "a_b", "FOO_BAR", "*")),
        *((name, False) for name in ("port", "Port", "PORT", "log4j", "")),
    ],
)
def test_name_like(name: str, answer: bool) -> None:
    assert is_name_like(name) is answer


def test_canonical_names() -> None:
    assert canonical("a.<x>.{y}.${z}.[w].*") == "a.*.*.*.*.*"
    assert canonical("--max-size") == "max-size"
    assert canonical("--port") == "--port"


def test_shortening_prefers_sentences_then_words() -> None:
    assert shorten("One. Two three four.", 10) == "One."
    assert shorten("One, i.e. the first of all", 14) == "One, i.e. the…"
    assert shorten("x" * 50, 10) == "x" * 9 + "…"
    assert shorten(" a \n b ", 10) == "a b"
