"""Entries in documents are sure only where nothing around them can belong to a neighbour; others are to be confirmed."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.ide.code_actions.document_entries import entry
from session.support import session

JAVA = """class A {
 /** The most. */ int c = Integer.getInteger("pool.max", 6);
 /** Size of the pool. */ int a = Integer.getInteger("pool.size", 4);
 /** How long to idle. */ int b = Integer.getInteger("pool.idle", 5);
}
"""
LIST = "# Options\n\n- `pool.size`: The size of the pool.\n"
SECTION = "# Options\n\n## `pool.size`\n\nThe size.\n\n"
ROWS = "| name | description |\n| --- | --- |\n| `pool.size` | The size |\n"
TITLES = "|===\n|Name |Description |Default\n\n"


def sure(path: str, text: str) -> bool:
    analysis = session(MemorySystem({"A.java": JAVA, path: text})).scan()
    option = next(one for one in analysis.options.options if one.name == "pool.idle")
    made = entry(analysis, option)
    assert made is not None
    return made.sure


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("R.md", LIST),
        ("R.md", f"{LIST}- `pool.max`: The most.\n\nText.\n"),
        ("R.md", f"{SECTION}## `pool.max`\n\nThe most.\n"),
        ("R.md", f"{SECTION}### Example\n\nx\n\n## `pool.max`\n\nThe most.\n"),
        ("R.md", f"{ROWS}| `pool.max` | The most |\n\nText.\n"),
        ("R.adoc", f"{TITLES}|`pool.size` |The size |4\n|`pool.max` |x |5\n|===\n"),
        ("R.adoc", '[cols="1,2*"]\n|===\n|`pool.size` |x |4\n|`pool.max` |x |5\n|===\n'),
        ("R.adoc", "= O\n\n`pool.size`:: The size.\n`pool.max`:: The most.\n\nText.\n"),
        ("R.adoc", "= O\n\n* `pool.size`: The size.\n\n== More\n"),
        ("a.properties", "# The size\npool.size=4\n# The most\npool.max=3\n"),
        ("a.yml", "pool:\n  # The size\n  size: 4\n  # The most\n  max: 3\n"),
    ],
)
def test_plain_documents(path: str, text: str) -> None:
    assert sure(path, text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("R.md", f"{LIST}</details>\n\nText.\n"),
        ("R.md", f"{LIST}<!-- END OPTIONS -->\n\nText.\n"),
        ("R.md", f"{LIST}:::\n\nText.\n"),
        ("R.md", f"{LIST}* small\n* large\n"),
        ("R.md", f'{SECTION}<a name="pool-max"></a>\n## `pool.max`\n\nThe most.\n'),
        ("R.md", f"{SECTION}<pre>\n# in a file\npool.size=3\n</pre>\n\n## `pool.max`\n\nx\n"),
        ("R.md", f"{ROWS}| | of the pool |\n| `pool.max` | x |\n"),
        ("R.md", ROWS.replace("`pool.size`", "`pool.size`, `pool.max`")),
        ("R.adoc", "= O\n\n* `pool.size`: The size.\n** small: 4\n* `pool.max`: x\n"),
        ("R.adoc", "= O\n\n* `pool.size`: The size.\n\n. small: 4\n\n* `pool.max`: x\n"),
        ("R.adoc", f"{TITLES}|`pool.size` |The size\n|4\n\n|`pool.max` |x\n|5\n|===\n"),
        ("a.properties", "pool.size=a\\\\\npool.max=3\n"),
        ("a.properties", "pool.size=4\n# ^ the size\npool.max=3\n"),
        ("R.md", "* `pool.size`\n\nThe size.\n\n* `pool.max`\n\nThe most.\n"),
        ("R.md", "1. `pool.size`\n\nThe size.\n\n2. `pool.max`\n\nThe most.\n"),
        ("R.md", "- `pool.size`: The size. <!-- see\n- `pool.max` too -->\n- `pool.x`: x\n"),
        ("R.md", "- `pool.size`: The size, `a\n- b`\n"),
        ("R.md", ROWS.replace("`pool.size`", "`pool.size`<br>`pool.max`")),
        ("R.md", ROWS.replace("`pool.size`", "[`pool.size`](#poolsize)")),
        ("R.md", "| text | name |\n|---|---|\n| sizes | `pool.size`, `pool.max` |\n"),
        ("R.md", "name | text\n---|---\n`pool.size` | sizes\ngoes on\n"),
        ("R.adoc", "= O\n\n* `pool.size`: x\n\nsmall:: 4\n\n* `pool.max`: x\n"),
        ("R.adoc", "= O\n\n* `pool.size`: x\n\n1. small\n\n* `pool.max`: x\n"),
        ("R.adoc", "= O\n\n`pool.size`:: x\n`small`::: 4\n`pool.max`:: x\n"),
        ("R.adoc", "= O\n\n`pool.size`:: x\n\n`small`;; 4\n\n`pool.max`:: x\n"),
        ("R.adoc", "= O\n\n*pool.size*:: x\n\n* small\n\n*pool.max*:: x\n"),
        ("R.adoc", "= O\n\n- `pool.size`: x\n\nNOTE: at most 64\n\n- `pool.max`: x\n"),
        ("R.adoc", "= O\n\n////\n* `pool.size`: x\n* `pool.max`: x\n////\n"),
        ("R.adoc", '[cols="1,1,1"]\n|===\n|Name |Text\n|Unit\n\n|`pool.size` |x\n|s\n|===\n'),
        ("R.adoc", f"{TITLES}|`pool.size` |x .2+|4\n|`pool.max` |x\n|===\n"),
        ("a.properties", "pool.size=4\n! ^ the size\npool.max=3\n"),
        ("a.properties", "# Size\npool.size=4\n# 4 is enough\n\n# Most\npool.max=3\n"),
        ("a.yml", "pool:\n  size: 4\n\n  # ^ the size\n  max: 3\n"),
        ("a.yml", "# pool:\n#   size: 4\n#   max: 3\nother: 1\n"),
        ("R.md", "## `pool.size`\n\nThe size.\n\n(pool-max)=\n## `pool.max`\n\nx\n"),
        ("R.md", "- `pool.size`: small\n- `pool.size`: large\n"),
        ("R.md", "- `pool.size`: The size.\n- `small`: 4\n- `pool.max`: x\n"),
        ("R.md", ROWS + "| `pool.size` | large |\n| `pool.max` | x |\n"),
        ("R.md", ROWS + '| " | large |\n| `pool.max` | x |\n'),
        ("R.adoc", f"{TITLES}|`pool.size` |small |4\n| |large |64\n|`pool.max` |x |5\n|===\n"),
        ("a.properties", "# Size\npool.size=4\n#pool.size=64\npool.max=3\n"),
        ("a.properties", "# Size\npool.size=4\n# Default: 4. The size.\npool.max=3\n"),
        ("a.yml", "pool:\n  # Size\n  size:\n  #  small: 4\n  max: 3\n"),
        ("a.yml", "pool:\n  # Size\n  size: 4 # a\n          # b\n  max: 3\n"),
        ("a.yml", "pool:\n  {{- if x }}\n  size: 4\n  {{- end }}\n  max: 3\n"),
    ],
)
def test_documents_with_more_around_an_entry(path: str, text: str) -> None:
    assert not sure(path, text)


ITEMS = "- `pool.size`: The size of the pool.\n- `pool.max`: The most.\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("R.md", f"# Options\n\n## Removed options, which must not be set any more\n\n{ITEMS}"),
        ("R.md", f"# Options\n\n## Deprecated\n\n### The pool\n\n{ITEMS}"),
        ("R.md", f"Removed options\n===============\n\n{ITEMS}"),
        ("R.md", f"# Options\n\nThese are no longer read:\n\n{ITEMS}"),
        ("R.md", f"# Options\n\nPlease don't set these.\n\n{ITEMS}"),
        ("R.md", f"# Options\n\n- Legacy, do not use:\n  {ITEMS.replace(chr(10) + '-', chr(10) + '  -')}"),
        ("R.md", f"# Old options\n\n{ROWS}| `pool.max` | The most |\n"),
        ("R.md", "# Obsolete\n\n## `pool.size`\n\nThe size.\n\n## `pool.max`\n\nThe most.\n"),
        ("R.md", f"# Optionen\n\n## Entfernte Optionen\n\n{ITEMS}"),
        ("R.md", f"# Options\n\n## Only on Windows\n\n{ITEMS}"),
        ("R.md", f"# Options\n\n## Options that need a restart\n\n### Pool\n\n{ITEMS}"),
        ("R.md", f"# Options\n\n## Windows\n\n{ITEMS}"),
        ("R.md", f"Example of a tuned setup\n========================\n\n{ITEMS}"),
        ("R.md", f"# Options\n\nThese count on Windows only:\n\n{ITEMS}"),
        ("R.adoc", "= Options\n\n== Unsupported\n\n`pool.size`:: The size.\n`pool.max`:: The most.\n"),
    ],
)  # fmt: skip
def test_a_section_of_options_that_are_not_to_be_set(path: str, text: str) -> None:
    assert not sure(path, text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("R.md", f"# Removed\n\nNothing.\n\n# Options\n\n## Pool\n\n{ITEMS}"),
        ("R.md", f"# Not for beginners\n\nx\n\n# Options\n\nThe pool, noted:\n\n{ITEMS}"),
        ("R.md", f"# The Toy Engine\n\n## 2. Configuration of the pool\n\n{ITEMS}"),
        ("R.md", f"# Options\n\n- `pool.max`: must not be 0.\n{LIST.partition(chr(10) * 2)[2]}"),
        ("R.md", f"# Options\n\n- `other.max`: must not be 0.\n{ITEMS}"),
        ("R.md", "# Options\n\n## `pool.max`\n\nThe `pool.max` must not be 0.\n\n## `pool.size`\n\nThe size.\n"),
    ],
)  # fmt: skip
def test_words_of_other_sections_and_entries_do_not_count(path: str, text: str) -> None:
    assert sure(path, text)
