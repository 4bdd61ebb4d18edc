"""Units, lists of values and bounds: what a document surely states of them, and what it only seems to."""

import pytest

from conflens.documents import NOTHING, DocumentIndex, Stated, harvest
from conflens.documents.stated import _UNIT_OF, column, stated


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Session timeout in milliseconds", "ms"),
        ("Interval, in ms, between checks.", "ms"),
        ("How long to wait (in seconds) for it", "s"),
        ("Pause (ms).", "ms"),
        ("The maximum number of bytes to read.", "bytes"),
        ("Number of minutes after which it is deleted.", "min"),
        ("Wait so long. The value is specified in hours.", "h"),
        ("Units: KB", "KB"),
        ("Supports time unit suffixes; if none is given, seconds is assumed.", "s"),
        ("Waits for the server(s) of a group", ""),
        ("Takes several time unit suffixes. In milliseconds", ""),
        ("Timeout in seconds. The pause is in milliseconds.", ""),
        ("Throttle in bytes per second", ""),
        ("Rate in bytes/s", ""),
        ("Number of servers. They answer within seconds.", ""),
        ("Sleeps. Ends in days of work", ""),
        ("Time in minutes or hours", ""),
        ("Fails in 30 seconds", ""),
        ("Timeout in \u017fecond\u017f", "s"),
        ("Size in \u212ab", "KB"),
        ("", ""),
    ],
)
def test_units(text: str, unit: str) -> None:
    assert stated(text).unit == unit


@pytest.mark.parametrize("unit", _UNIT_OF)
def test_a_unit_that_is_found_in_prose_is_known(unit: str) -> None:
    texts = (f"Timeout in {unit}", f"Pause ({unit}).", f"The number of {unit}", f"Units: {unit}")
    assert {stated(text).unit for text in texts} <= {_UNIT_OF[unit], ""}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The mode. Valid values: [none, gzip, snappy]", ("none", "gzip", "snappy")),
        ("Valid values are: DEFAULT, STRICT and ALLOW_ALL", ("DEFAULT", "STRICT", "ALLOW_ALL")),
        ("Possible values are simple (no security), and kerberos", ("simple", "kerberos")),
        ('Committer to use, one of: "file", "magic".', ("file", "magic")),
        ("One of `a`, `b` or `c`; else it fails.", ("a", "b", "c")),
        ("This may be set to either 128, 192 or 256.", ("128", "192", "256")),
        ("The possible values for this field are DENY, SAMEORIGIN.", ("DENY", "SAMEORIGIN")),
        ("Must be one of A|B.", ("A", "B")),
        ("Some of the valid values: A, B", ()),
        ("Valid values: A, B, etc.", ()),
        ("Valid values: A, B, ...", ()),
        ("Valid values include A, B", ()),
        ("Comma-separated list. Possible values are a, b and c.", ()),
        ("Possible values are false for one mode and true for another.", ()),
        ("Possible values are: false: all methods. true: one.", ()),
        ("One of the servers, chosen at random.", ()),
        ("Must be either resolved or ignored.", ()),
        ("Allowed values: any", ()),
        ("Can take one of the two values: 'a' to select A and 'b' to select B", ()),
        ("Valid values: a, a", ()),
    ],
)
def test_values(text: str, values: tuple[str, ...]) -> None:
    assert stated(text).values == values


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Must be between 1 and 100.", 1, 100),
        ("Valid range: 0.5 - 0.9", 0.5, 0.9),
        ("It must be at least 3.", 3, None),
        ("It must be <= 8, or it fails", None, 8),
        ("Must be between 1 and 100 seconds.", None, None),
        ("Should be between 1 and 100.", None, None),
        ("Must be at least 3 times the interval.", None, None),
        ("Must be between 9 and 1.", None, None),
    ],
)
def test_bounds(text: str, low: float | None, high: float | None) -> None:
    assert (stated(text).minimum, stated(text).maximum) == (low, high)


@pytest.mark.parametrize(
    ("head", "cell", "said"),
    [
        ("Valid Values:", "[0,...]", Stated(minimum=0)),
        ("Valid Values", "[0,...,100]", Stated(minimum=0, maximum=100)),
        ("Valid Values", "[none, gzip]", Stated(values=("none", "gzip"))),
        ("Valid Values", "(case insensitive) [PLAIN, SSL]", Stated(values=("PLAIN", "SSL"))),
        ("Valid Values", "non-empty string", NOTHING),
        ("Valid Values", "[a, b, ...]", NOTHING),
        ("Values", "`a` \\| `b`", Stated(values=("a", "b"))),
        ("Values", "a<br>b", Stated(values=("a", "b"))),
        ("Range", "1-65535", Stated(minimum=1, maximum=65535)),
        ("Range", ">= 2", Stated(minimum=2)),
        ("Unit", "ms", Stated(unit="ms")),
        ("Units", "widgets", NOTHING),
        ("Type", "int (ms)", Stated(unit="ms")),
        ("Type", "enum (A, B)", Stated(values=("A", "B"))),
        ("Type", "string", NOTHING),
        ("Description", "one, two", NOTHING),
    ],
)
def test_columns(head: str, cell: str, said: Stated) -> None:
    assert column(head, cell) == said


def said_of(path: str, text: str, name: str) -> Stated:
    index = DocumentIndex.build({path: harvest(path, text)})
    return index.find(name)[0].said


def test_a_table_of_markdown() -> None:
    text = (
        "| Property | Default (ms) | Values | Description |\n|---|---|---|---|\n"
        "| `a.mode` | | `x`, `y` | The mode |\n| `a.wait` | 5 | | How long |\n"
    )
    assert said_of("a.md", text, "a.mode").values == ("x", "y")
    assert said_of("a.md", text, "a.wait").unit == "ms"


def test_a_page_of_kafka() -> None:
    text = (
        '<h4><a id="ack.mode"></a><a href="#x">ack.mode</a></h4><p>How many. In ms.</p><table><tbody>'
        "<tr><th>Type:</th><td>string</td></tr><tr><th>Default:</th><td>all</td></tr>"
        "<tr><th>Valid Values:</th><td>[all, -1, 0, 1]</td></tr></tbody></table>"
    )
    assert said_of("a.html", text, "ack.mode").values == ("all", "-1", "0", "1")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a-default.xml", "<configuration><property><name>a.b</name><description>Time in seconds.</description></property></configuration>"),
        ("a.properties", "# Time in seconds\n#a.b=1\n"),
        ("a.yaml", "# Time in seconds\n# a.b: 1\n"),
        ("a.yaml", "a.b: 1 # time in seconds\n"),
        ("a.adoc", "`a.b`:: Time in seconds\n"),
        ("a.rst", "``a.b``\n  Time in seconds\n"),
        ("a.md", "- `a.b`: time in seconds\n"),
        ("spring-configuration-metadata.json", '{"properties": [{"name": "a.b", "description": "Time in seconds."}]}'),
    ],
)  # fmt: skip
def test_every_format_passes_on_the_values_its_description_states(path: str, text: str) -> None:
    assert said_of(path, text, "a.b").unit == "s"


def test_a_list_below_a_heading() -> None:
    text = "### `a.mode`\n\nThe mode.\n\n- Type: string\n- **Valid values:** x, y\n\n## Other\n\n- Valid values: z, w\n"
    assert said_of("a.md", text, "a.mode").values == ("x", "y")
    apart = "### `a.mode`\n\nThe mode.\n\n## Other\n\n- Valid values: z, w\n"
    assert said_of("a.md", apart, "a.mode") == NOTHING


def test_reference_pages_in_restructured_text() -> None:
    text = "``a.mode``\n  The mode.\n\n  * Type: string\n  * Valid Values: [x, y]\n\n``a.other``\n  Else.\n"
    assert said_of("a.rst", text, "a.mode").values == ("x", "y")
    assert said_of("a.rst", text, "a.other") == NOTHING
    text = ".. option:: --wait\n\n   How long.\n   :unit: ms\n"
    assert said_of("a.rst", text, "--wait").unit == "ms"


def test_hints_of_spring() -> None:
    text = (
        '{"properties": [{"name": "a.b"}, {"name": "a.c"}, {"name": "a.d"}], "hints": ['
        '{"name": "a.b", "values": [{"value": "x"}, {"value": true}]},'
        '{"name": "a.c", "values": [{"value": "x"}], "providers": [{"name": "any"}]},'
        '{"name": "a.d", "values": "torn"}]}'
    )
    path = "additional-spring-configuration-metadata.json"
    assert said_of(path, text, "a.b").values == ("x", "true")
    assert said_of(path, text, "a.c") == said_of(path, text, "a.d") == NOTHING


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("FAST | SAFE | OFF", ("FAST", "SAFE", "OFF")),
        ("fast|safe.", ("fast", "safe")),
        ("FAST | SAFE | ...", ()),
        ("Like FAST | SAFE", ()),
        ("FAST | FAST", ()),
        ("FAST", ()),
    ],
)
def test_words_with_bars_between_them_and_nothing_else(text: str, values: tuple[str, ...]) -> None:
    assert stated(text).values == values
