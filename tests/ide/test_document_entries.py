"""An entry for an undocumented option in the form of its sibling's, as the document after it."""

from __future__ import annotations

import attrs
import pytest

from checking.keys_support import analyse
from conflens.ide.code_actions.document_entries import entry, page_name
from conflens.options.model import Option, OptionType
from ide.toy import project

KEYS = """class Keys {
  /** How long to wait | at most. */ static final String T = "net.timeout";
  static final int FIVE = 5;
}
"""
USES = """class A {
  int t = Integer.getInteger(Keys.T, 5);
  String h = System.getProperty("net.host");
}
"""
SAID = "How long to wait | at most. (integer, in ms; default 5)"


def after(
    path: str, text: str, complete: bool = True, uses: str = USES, **changes: object
) -> str | None:
    """The document with the entry for ``net.timeout``; ``None`` if there is none."""
    found = project({"Keys.java": KEYS, "A.java": uses, path: text}, complete)
    (option,) = (o for o in found.analysis.options.options if o.name == "net.timeout")
    changed: Option = attrs.evolve(option, **changes)  # type: ignore[arg-type]
    made = entry(found.analysis, changed)
    if made is None:
        return None
    assert made.path == path
    assert made.sibling == "net.host"
    data, place = text.encode(), made.edit.place
    assert place.start == place.end
    return (data[: place.start] + made.edit.text.encode() + data[place.end :]).decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "| Name | Type | Default | Description |\n|---|---|---|---|\n| `net.host` | string | `x` | 😀 |\n| z | | | |\n",
            "| Name | Type | Default | Description |\n|---|---|---|---|\n| `net.host` | string | `x` | 😀 |\n"
            "| `net.timeout` | integer | `5` | How long to wait \\| at most. |\n| z | | | |\n",
        ),
        (
            "Option | What\r\n--- | ---\r\n`net.host` | 😀",
            "Option | What\r\n--- | ---\r\n`net.host` | 😀\r\n`net.timeout` | How long to wait \\| at most.",
        ),
        (
            "| Option | What |\n|---|---|\n| `net.host` | Either `a|b` or `c|d` |\n",
            "| Option | What |\n|---|---|\n| `net.host` | Either `a|b` or `c|d` |\n"
            "| `net.timeout` | How long to wait \\| at most. |\n",
        ),
        (
            "# 😀\n\n- **`net.host`** (string): the host\n  and more\n- `z`\n",
            f"# 😀\n\n- **`net.host`** (string): the host\n  and more\n- **`net.timeout`**: {SAID}\n- `z`\n",
        ),
        (
            "* `net.host` - the host\n\nText.\n",
            f"* `net.host` - the host\n* `net.timeout` - {SAID}\n\nText.\n",
        ),
        (
            "# O\n\n### `net.host`\n\nThe host.\n\n```\n# no\n```\n\n### z\n",
            "# O\n\n### `net.host`\n\nThe host.\n\n```\n# no\n```\n\n### `net.timeout`\n\n"
            "How long to wait | at most.\n\nType: integer, in ms. Default: `5`.\n\n### z\n",
        ),
        (
            "## net.host\n\nThe host.\n",
            "## net.host\n\nThe host.\n\n## net.timeout\n\nHow long to wait | at most.\n\n"
            "Type: integer, in ms. Default: `5`.\n",
        ),
    ],
)  # fmt: skip
def test_markdown(text: str, expected: str) -> None:
    assert after("GUIDE.md", text) == expected


def test_a_row_that_goes_on_behind_the_column_of_its_name_is_not_copied() -> None:
    text = "| What | Option |\n|---|---|\n| The host | `net.host` | x |\n"
    assert after("GUIDE.md", text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "net.host:: The host.\nMore.\nz.y:: last\n",
            f"net.host:: The host.\nMore.\nnet.timeout:: {SAID}\nz.y:: last\n",
        ),
        (
            "`net.host`::\n  The host.\n\nText.\n",
            f"`net.host`::\n  The host.\n`net.timeout`::\n  {SAID}\n\nText.\n",
        ),
        (
            "|===\n|Name |Default |Description\n\n|`net.host` |`x` |The host\n|===\n",
            "|===\n|Name |Default |Description\n\n|`net.host` |`x` |The host\n"
            "|`net.timeout` |`5` |How long to wait \\| at most.\n|===\n",
        ),
    ],
)
def test_asciidoc(text: str, expected: str) -> None:
    assert after("guide.adoc", text) == expected


def test_hadoop() -> None:
    text = (
        "<configuration>\n\n  <property>\n    <name>net.host</name>\n    <value>x</value>\n"
        "    <final>true</final>\n    <description>The host.\n    </description>\n  </property>\n\n"
        "</configuration>\n"
    )
    new = (
        "\n  <property>\n    <name>net.timeout</name>\n    <value>5</value>\n"
        "    <description>How long to wait | at most.\n    </description>\n  </property>\n"
    )
    expected = text.replace("  </property>\n", f"  </property>\n{new}")
    assert after("conf/x-default.xml", text) == expected


@pytest.mark.parametrize(
    "type_", [OptionType.PASSWORD, OptionType.CLASS, OptionType.LIST, OptionType.UNKNOWN]
)
def test_hadoop_has_no_value_where_one_could_change_something(type_: OptionType) -> None:
    text = "<configuration>\n  <property>\n    <name>net.host</name>\n    <value>x</value>\n  </property>\n</configuration>\n"
    new = "  <property>\n    <name>net.timeout</name>\n  </property>\n"
    expected = text.replace("  </property>\n", f"  </property>\n{new}")
    assert after("conf/x-default.xml", text, type=type_) == expected
    read_twice = USES.replace("}\n", "  int u = Integer.getInteger(Keys.T, 6);\n}\n")
    assert after("conf/x-default.xml", text, uses=read_twice) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "# The host 😀\nnet.host = a\\\n  b\nz=1\n",
            f"# The host 😀\nnet.host = a\\\n  b\n# {SAID}\n#net.timeout = 5\nz=1\n",
        ),
        (
            "z=1\r\n\r\n# The host\r\n#net.host=a\r\n\r\ny=2\r\n",
            f"z=1\r\n\r\n# The host\r\n#net.host=a\r\n\r\n# {SAID}\r\n#net.timeout=5\r\n\r\ny=2\r\n",
        ),
    ],
)
def test_properties(text: str, expected: str) -> None:
    assert after("conf/x.properties", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "net:\n  # The host\n  host: x\n  list:\n  - a\n",
            f"net:\n  # The host\n  host: x\n  # {SAID}\n  # timeout: 5\n  list:\n  - a\n",
        ),
        (
            "# The host\nnet.host: x\n\nz: 1\n",
            f"# The host\nnet.host: x\n# {SAID}\n# net.timeout: 5\n\nz: 1\n",
        ),
    ],
)
def test_yaml(text: str, expected: str) -> None:
    assert after("conf/x.yaml", text) == expected


def test_unknown_fields_stay_empty() -> None:
    text = "| Name | Default | Description |\n|---|---|---|\n| net.host | x | y |\n"
    row = "| net.timeout |  | To be described. |\n"
    assert after("GUIDE.md", text, description="", defaults=()) == text + row


def test_without_a_sibling_there_is_no_entry() -> None:
    assert after("GUIDE.md", "Nothing of interest.\n") is None
    assert after("GUIDE.md", "- `net.host`: x\n", complete=False) is None
    assert after("GUIDE.md", "- `net.host`: x\n", name="net.*") is None


# -- which page ------------------------------------------------------------------------------------

STORE = (
    "class StoreConfig {\n"
    '  static final int A = Integer.getInteger("mappedFileSizeCommitLog", 1);\n'
    '  static final int B = Integer.getInteger("mappedFileSizeConsumeQueue", 2);\n'
    '  static final int C = Integer.getInteger("compactionMappedFileSize", 3);\n'
    '  static final int D = Integer.getInteger("flushInterval", 4);\n'
    "  int sum() { return A + B + C + D; }\n}\n"
)
CONTROLLER = (
    'class Controller { int a = Integer.getInteger("allAckInSync", 1);'
    ' int b = Integer.getInteger("controllerAddr", 2); int sum() { return a + b; } }\n'
)


def table(*names: str, note: str = "what") -> str:
    rows = "".join(f"| `{name}` | {note} |\n" for name in names)
    return f"| Name | Description |\n|---|---|\n{rows}"


def added_to(name: str, java: str = STORE, **pages: str) -> tuple[str, str, str]:
    """The page that is proposed for an option, what it is called there, and the sibling; ``__`` in a page's name is a slash."""
    paths = {f"{path.replace('__', '/')}.md": text for path, text in pages.items()}
    analysis = analyse({"Store.java": java, "Controller.java": CONTROLLER, **paths})
    (option,) = (one for one in analysis.options.options if one.name == name)
    made = entry(analysis, option)
    assert made is not None
    return made.path, page_name(analysis, made.path), made.sibling


def test_the_page_of_the_class_is_proposed() -> None:
    first = table("allAckInSync", "controllerAddr", "flushInterval")
    second = table("flushInterval", "mappedFileSizeCommitLog", "mappedFileSizeConsumeQueue")
    found = added_to("compactionMappedFileSize", docs__a__deploy=first, docs__best=second)
    assert found == ("docs/best.md", "best.md", "mappedFileSizeConsumeQueue")
    found = added_to("compactionMappedFileSize", docs__a__page=second, docs__b__page=first)
    assert found[:2] == ("docs/a/page.md", "docs/a/page.md")


def test_descriptions_and_words_in_common_count_more() -> None:
    java = STORE.replace(
        "sum() {", 'when() { return Integer.getInteger("deleteWhen", 5); }\n  int sum() {'
    )
    near, far = table("mappedFileSizeCommitLog"), table("flushInterval", "deleteWhen")
    found = added_to("compactionMappedFileSize", java, docs__near=near, docs__far=far)
    assert found[0] == "docs/near.md"
    files = {"Store.java": java, "conf/app.properties": "flushInterval=1\ndeleteWhen=2\n"}
    analysis = analyse({**files, "docs/b.md": table("flushInterval", "deleteWhen")})
    (option,) = (one for one in analysis.options.options if one.name == "mappedFileSizeCommitLog")
    made = entry(analysis, option)
    assert made is not None and made.path == "docs/b.md"


def test_the_page_of_the_namespace_is_proposed() -> None:
    java = (
        'class A { int a = Integer.getInteger("net.pool.size", 1); int s() { return a; } }'
        'class B { int b = Integer.getInteger("net.pool.idle", 1); int s() { return b; } }'
        'class C { int c = Integer.getInteger("net.host.port", 1); int s() { return c; } }'
        'class D { int d = Integer.getInteger("net.pool.max", 1); int s() { return d; } }'
    )
    first, second = (
        table("net.host.port", "controllerAddr"),
        table("net.pool.size", "net.pool.max"),
    )
    assert added_to("net.pool.idle", java, docs__a=first, docs__b=second)[0] == "docs/b.md"


def test_a_page_in_another_writing_system_comes_last() -> None:
    names = ("flushInterval", "mappedFileSizeCommitLog", "mappedFileSizeConsumeQueue")
    chinese = table(*names, note="每次刷盘的时间间隔 单位毫秒 仅在异步刷盘时有效果")
    pages = {"docs__cn__page": chinese, "docs__en__page": table(names[0])}
    assert added_to("compactionMappedFileSize", **pages)[0] == "docs/en/page.md"
    del pages["docs__en__page"]
    assert added_to("compactionMappedFileSize", **pages)[0] == "docs/cn/page.md"


def test_without_siblings_the_nearest_name_decides() -> None:
    java = (
        'class A { int a = Integer.getInteger("net.pool.size", 1); int s() { return a; } }'
        'class B { int b = Integer.getInteger("net.host.port", 1); int s() { return b; } }'
    )
    pages = {"docs__a": table("controllerAddr", "allAckInSync"), "docs__b": table("net.host.port")}
    assert added_to("net.pool.size", java, **pages)[0] == "docs/b.md"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "# O\n\n- `net.host`: the host\n\n  And more.\n- `z`\n"),
        ("a.md", "# O\n\n- `net.host`: the host\n\n  - one\n  - two\n- `z`\n"),
        ("a.md", "# O\n\n* `net.host`: the host\n```\nx\n\n* y\n```\n* `z`: z\n"),
        ("a.md", "### `net.host`\n\nThe host.\n\nNext\n====\n\nText.\n"),
        ("a.md", "## `net.host`\n\n````\n```\n# x\n"),
        ("a.adoc", "|===\n|Name |What\n\n|`net.host` |the host\nof all\n|`z` |z\n|===\n"),
        ("a.adoc", '[cols="1,1a"]\n|===\n|Name |What\n\n|`net.host` |The host\n\n* one\n|===\n'),
        ("a.adoc", "|===\n|Name |What\n\n|`net.host`\n|The host\n\nof all.\n\n|`z`\n|z\n|===\n"),
        ("a.adoc", "`net.host`:: the host\n+\n----\nx:: y\n----\n`z`:: z\n"),
        ("a.adoc", "* `net.host`: the host\n+\n----\n\n* x\n----\n* `z`: z\n"),
    ],
)
def test_an_entry_that_goes_on_behind_what_is_recognised_is_no_example(
    path: str, text: str
) -> None:
    assert after(path, text) is None


def test_a_fence_ends_with_marks_of_its_own_kind() -> None:
    text = "## `net.host`\n\n````\n```\n# x\n````\n\n## `z`\n"
    made = after("a.md", text)
    assert made is not None and made.startswith(text.removesuffix("## `z`\n"))
