"""Comments and entries are offered only where the file says the same with them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import pytest
import yaml
from typing_extensions import override

from conflens.base.span import Place
from conflens.base.system import MemorySystem
from conflens.checking.harmless import applied, is_comment
from conflens.ide.code_actions.document_entries import entry
from conflens.ide.code_actions.quick_fixes import Action, Kind, actions, offered
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.rename.edits import Part, RenameEdit
from conflens.ide.settings.settings import Settings
from session.support import session

JAVA = """package p;
import org.springframework.core.env.Environment;
class A {
    int c = Integer.getInteger("toy.c");
    boolean flag = Boolean.getBoolean("toy.flag");
    String m(Environment e) { return e.getProperty("toy.script") + e.getProperty("toy.other", "5"); }
}
"""


def comments(path: str, text: str) -> list[str]:
    """What a file is after each comment that is offered for it."""
    analysis = session(MemorySystem({"A.java": JAVA, path: text})).scan()
    findings = diagnostics(analysis, path, Settings())
    return [
        applied(text.encode(), action.edits).decode()
        for action in actions(analysis, findings)
        if action.kind is Kind.SUPPRESS and action.edits
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docker-compose.yml", "services:\n  a:\n    environment:\n      JAVA_OPTS: >\n       -Dtoy.c=abc\n       -Dtoy.flag=x\n"),
        ("conf/a-site.xml", '<?xml version="1.0"?><configuration><property><name>toy.c</name><value>abc</value></property></configuration>\n'),
        ("bin/start.sh", "exec java '\n -Dtoy.c=abc' p.A\n"),
        ("conf/app.json.template", '{"toy":\n {"c": "abc"}}\n'),
    ],
)  # fmt: skip
def test_no_comment_where_it_would_become_part_of_something(path: str, text: str) -> None:
    assert comments(path, text) == []


def test_no_comment_inside_a_text_block() -> None:
    text = 'class B {\n    String s = """\n    abc\n    """ + Integer.getInteger("toy.sise");\n}\n'
    for changed in comments("B.java", text):
        assert changed.split('"""')[1] == text.split('"""')[1]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("application.yml", "toy:\n  script: |\n    line1\n    # no comment\n    line2\n"),
        ("application.yml", 'toy:\n  script: "line1\n    # x\n    line2"\n'),
        ("application.properties", "toy.script=a\\\n"),
    ],
)
def test_no_entry_inside_a_value(path: str, text: str) -> None:
    analysis = session(MemorySystem({"A.java": JAVA, path: text})).scan()
    assert [entry(analysis, option) for option in analysis.options.options] == [None] * 4


def test_an_entry_behind_a_value() -> None:
    text = "toy:\n  script: a\n"
    analysis = session(MemorySystem({"A.java": JAVA, "application.yml": text})).scan()
    (option,) = (one for one in analysis.options.options if one.name == "toy.other")
    found = entry(analysis, option)
    assert found is not None
    assert applied(text.encode(), [found.edit]).decode() == (
        "toy:\n  script: a\n  # To be described. (integer; default 5)\n  # other: 5\n"
    )


OPTIONS = """package p;
import org.springframework.beans.factory.annotation.Value;
class A {
    enum Mode { FAST, SLOW }
    int c = Integer.getInteger("toy.c");
    boolean flag = Boolean.getBoolean("toy.flag");
    @Value("${toy.pool.size:5}") int size;
    @Value("${toy.pool.idle:5}") int idle;
    @Value("${toy.mode:fast}") Mode mode;
    @Value("${toy.flag}") boolean relaxed;
    int bound = Integer.parseInt(System.getenv("TOY_SIZE"));
    boolean set = Boolean.parseBoolean(System.getenv("TOY_FLAG"));
}
"""


def done(path: str, text: str) -> list[tuple[Action, str]]:
    """What is offered for a file, with its text afterwards."""
    settings = '[configuration]\npaths = [".mvn/*", "x/**"]\n'
    files = {"A.java": OPTIONS, path: text, ".conflens.toml": settings}
    analysis = session(MemorySystem(files)).scan()
    return [
        (action, applied(text.encode(), action.edits).decode())
        for action in actions(analysis, diagnostics(analysis, path, Settings()))
        if action.edits
    ]


def titles(path: str, text: str) -> list[str]:
    return [action.title for action, _ in done(path, text)]


class Strict(yaml.SafeLoader):
    """Takes no key twice, as SnakeYAML does for Spring; every scalar is a text."""

    @override
    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        self.flatten_mapping(node)
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        assert len(keys) == len(set(keys)), keys
        return super().construct_mapping(node, deep)


Strict.yaml_implicit_resolvers = {}


def leaves(value: object, above: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, of in value.items():
            yield from leaves(of, f"{above}.{key}")
    elif isinstance(value, list):
        for number, of in enumerate(value):
            yield from leaves(of, f"{above}[{number}]")
    else:
        yield above, value


def loaded(text: str) -> set[tuple[str, object]]:
    documents = yaml.load_all(text, Strict)
    return {
        (f"{number}{name}", value)
        for number, of in enumerate(documents)
        for name, value in leaves(of)
    }


@pytest.mark.parametrize(
    ("text", "fixes"),
    [
        ('toy:\n  mode: "fsat"\n', 1),
        ("toy:\n  mode: 'fsat'\n  c: abc\n", 1),
        ('toy: {mode: "fsat", c: 1}\n', 1),
        ("toy: {mode: 'fsat'}\n", 1),
        ("toy: {flag: maybe, pool: {sise: 3}}\n", 3),
        ('"toy": {"mode":"fsat", "pool": {"sise":"3"}}\n', 2),
        ('? "toy.flag"\n: "maybe"\n', 2),
        ("toy:\n  flag: !!str maybe\n  mode: &a fsat\n", 3),
        ("toy:\n  flag: >-\n    maybe\n  mode: |\n    fsat\n", 3),
        ("toy:\n  mode: &a fsat\nother: *a\n", 0),
        ("toy:\n  pool:\n    sise: 3\n    size: 4\n", 0),
        ("toy: {pool: {sise: 3, size: 4}}\n", 0),
        ("toy:\n  pool:\n    sise: 3\ntoy.pool.size: 4\n", 0),
        ("toy:\n  pool:\n    sise: 3\n---\ntoy:\n  pool:\n    size: 4\n", 1),
        ("toy.pool.sise: 3\ntoy:\n  pool:\n    idle: 4\n", 1),
    ],
)
def test_a_strict_reader_takes_every_edit_of_yaml(text: str, fixes: int) -> None:
    before, made = loaded(text), done("application.yml", text)
    assert sum(action.kind is Kind.FIX for action, _ in made) == fixes
    for action, after in made:
        now = loaded(after)
        assert len(before - now) == len(now - before) == (action.kind is Kind.FIX), after


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("application.properties", "toy.pool.sise=3\ntoy.pool.size=4\n"),
        ("application.properties", "toy.pool.sise=3\ntoy.pool-size=4\n"),
        ("x/start.sh", "java -Dtoy.pool.sise=3 -Dtoy.pool.size=4\n"),
        (".env", "TOY_SISE=3\nTOY_SIZE=4\n"),
        ("x/start.sh", "java ${X:+ -Dtoy.flag=maybe} p.A\n"),  # would open the brace
    ],
)
def test_no_fix_sets_a_key_twice_or_takes_more_than_the_value(path: str, text: str) -> None:
    assert [title for title in titles(path, text) if title.startswith("Change")] == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".mvn/jvm.config", "-Dtoy.c=abc\n"),
        (".mvn/maven.config", "-Dtoy.c=abc\n"),
        ("x/a.json", '{"toy": {"c": "abc"}}\n'),
        ("x/start.sh", "cat <<-A <<'B'\n\tA\n-Dtoy.c=abc\nB\n"),
        ("x/start.sh", "cat <<A<<B\nA\n-Dtoy.c=abc\n B\nB\n"),
        ("x/start.sh", "cat <<'END-OF IT'\n-Dtoy.c=abc\nEND-OF IT\n"),
        ("x/start.sh", "java ${X:+\n -Dtoy.c=abc}\n"),
        ("x/start.sh", "java $'a\\'b\n -Dtoy.c=abc'\n"),
        ("x/Dockerfile", "FROM x\nRUN <<E cat > /a.properties\n-Dtoy.c=abc\nE\n"),
        ("x/Dockerfile", "FROM x\nCOPY <<E /a.properties\n-Dtoy.c=abc\nE\n"),
    ],
)
def test_no_comment_where_there_are_none(path: str, text: str) -> None:
    assert titles(path, text) == []


def test_jvm_options_elsewhere_have_comments() -> None:
    assert titles("x/jvm.config", "-Dtoy.c=abc\n") == ["Suppress invalid-value here"]


DEFAULTS = (
    "\\n",
    "\\r\\n",
    "a\\nb",
    "; \\n",
    "a\\u2028b",
    "\\u0085x",
    "\\u0001",
    "\\ufeff",
    "a|b`c",
)


@pytest.mark.parametrize("default", DEFAULTS)
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("application.yml", "toy:\n  script: a\n  x: 1\n"),
        ("application.properties", "toy.script=a\n"),
        ("README.md", "| a | default |\n|---|---|\n| `toy.script` | `x` |\n"),
        ("README.md", "- `toy.script`: a script\n"),
        ("docs/a.adoc", "|===\n|Name |Default\n\n|`toy.script`\n|x\n|===\n"),
    ],
)
def test_an_entry_is_whole_whatever_the_default(path: str, text: str, default: str) -> None:
    java = f"""package p; import org.springframework.core.env.Environment;
class A {{ String m(Environment e) {{ return e.getProperty("toy.script") + e.getProperty("toy.other", "{default}"); }} }}
"""
    analysis = session(MemorySystem({"A.java": java, path: text})).scan()
    (option,) = (one for one in analysis.options.options if one.name == "toy.other")
    found = entry(analysis, option)
    assert found is not None
    after = applied(text.encode(), [found.edit]).decode()
    said = found.edit.text.strip("\n").split("\n")
    assert all(line.isprintable() for line in said)
    if path == "application.yml":
        assert loaded(after) == loaded(text)
    if path == "README.md":
        assert len(said) == 1
        assert said[0][:1] == "-" or said[0].replace("\\|", "").count("|") == 3
    if path == "docs/a.adoc":
        assert [line.replace("\\|", "").count("|") for line in said] == [1, 1]


def test_many_findings_are_judged_in_few_steps() -> None:
    text = "".join(f"---\ntoy:\n  flag: maybe\n  k{number}: 1\n" for number in range(40))
    analysis = session(MemorySystem({"A.java": OPTIONS, "application.yml": text})).scan()
    found = diagnostics(analysis, "application.yml", Settings())
    steps = list(offered(analysis, found))
    assert sum(one is not None and one.kind is Kind.FIX for one in steps) == 80
    assert steps.count(None) <= 3


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("A.java", "\\'"),
        ("A.java", '\\"'),
        ("A.java", '"""\\'),
        ("A.java", "/*"),
        ("run.sh", "\\'"),
        ("run.sh", '"\\'),
        ("run.sh", "${"),
    ],
)
def test_what_is_left_open_is_read_in_linear_time(path: str, unit: str) -> None:
    text = (unit * 150_000).encode()
    edit = RenameEdit(Place(path, len(text), len(text)), "// a\n", Part.CODE)
    assert is_comment(path, text, edit, None) in (True, False)


ASKS = 'class A { int a = Integer.parseInt(System.getenv("POOL_SIZE")); int b = Integer.parseInt(System.getenv("POOL_MAX")); }'


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("POOL_SIZE=4\nPOOL_MAX=3\nPOOL_SIZE=4\n", ["POOL_MAX=3\nPOOL_SIZE=4\n"]),
        ("POOL_SIZE=4\nPOOL_MAX=$POOL_SIZE\nPOOL_SIZE=4\n", []),
        ("POOL_SIZE=4\nPOOL_MAX=${POOL_SIZE:-3}\nPOOL_SIZE=4\n", []),
        ("export POOL_SIZE=4\nPOOL_SIZE=4\n", []),
    ],
)
def test_a_variable_is_removed_only_where_nothing_needs_that_very_line(
    text: str, after: list[str]
) -> None:
    analysis = session(MemorySystem({"A.java": ASKS, ".env": text})).scan()
    findings = diagnostics(analysis, ".env", Settings())
    assert [
        applied(text.encode(), action.edits).decode()
        for action in actions(analysis, findings)
        if action.kind is Kind.FIX
    ] == after
