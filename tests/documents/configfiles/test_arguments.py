"""Scripts and container files: which properties and variables their lines set."""

import pytest

from conflens.documents.configfiles.arguments import dialect as arguments
from conflens.documents.configfiles.arguments.lines import Shape, shape_of
from documents.configfiles import line_samples as samples
from documents.configfiles.line_support import applied, completed, told
from patience import proportion


def listed(text: str) -> list[str]:
    """Every assignment as ``name = value``, properties with ``-D`` before them."""
    lines = []
    for one in arguments.parse(text).assignments:
        assert text[one.key.start : one.key.end] == one.name
        assert one.domain in ("system-property", "environment")
        mark = "-D" if one.domain == "system-property" else ""
        lines.append(mark + one.name + (f" = {one.value.text}" if one.value else ""))
    return lines


def test_a_shell_script() -> None:
    assert shape_of(samples.SHELL) is Shape.SHELL
    assert listed(samples.SHELL) == [
        "HEAP = ${HEAP:-512m}",
        "X = 1",
        'JAVA_OPTS = $JAVA_OPTS -Da.b=c -Dd.d="x y"',
        "-Da.b = c",
        "-Dd.d = x y",
        "JAVA_OPTS = $JAVA_OPTS\n  -De.f=1 -Dg.h=é",
        "-De.f = 1",
        "-Dg.h = é",
        "A = 1",
        "B = it",
        "-Dx.y = 1",
        "-Dp.q = r s",
        "-Dt.u = v w",
        "-Dn.m = o p",
        "-Dz.z = 1",
        "-Dflag.on",
        "C = 3",
        "DD = foo",
        "-Dlast.one = 1",
        "-Dcont.a = 1",
        "LIST",
        "-Daa.a = b c",
        "-Dbb.b = d",
    ]


def test_a_windows_script() -> None:
    assert shape_of(samples.BATCH) is Shape.BATCH
    assert listed(samples.BATCH) == [
        'JAVA_OPTS = %JAVA_OPTS% -Da.b=c -Dd.d="x y"',
        "-Da.b = c",
        "-Dd.d = x y",
        "TEMP_DIR = C:\\foo\\",
        "X = 1",
        "-Dlog.dir = C:\\logs\\",
        "-Dq.r = %X%",
    ]


def test_a_dockerfile() -> None:
    assert shape_of(samples.DOCKER) is Shape.DOCKER
    assert listed(samples.DOCKER) == [
        "A = 1",
        "B = x y",
        "C = z",
        "D = e",
        "OLD = value with blanks",
        "OPTS = -Da.b=c -Dd.e=f",
        "-Da.b = c",
        "-Dd.e = f",
        'JAVA_OPTS = -Da.b=c -Dd.e="f g"',
        "-Da.b = c",
        "-Dd.e = f g",
        "-Dg.h = i j",
        "-Dk.l = m,n",
    ]


def test_a_compose_file() -> None:
    assert shape_of(samples.COMPOSE) is Shape.COMPOSE
    assert listed(samples.COMPOSE) == [
        "A = 1",
        "B = x y",
        "JAVA_OPTS = -Da.b=c -Dd.e=f",
        "-Da.b = c",
        "-Dd.e = f",
        "discovery.type = single-node",
        "-Dc.d = 1",
        "-De.f = g h",
        "-Dg.h = i",
        "-Dk.l = m n",
        "A = 1",
        'C = x "y"',
        "OPTS = -Da.b=c -Dd.e=f",
        "-Da.b = c",
        "-Dd.e = f",
        "EMPTY",
    ]


def test_a_unit_file() -> None:
    assert shape_of(samples.UNIT) is Shape.UNIT
    assert listed(samples.UNIT) == [
        "JAVA_OPTS = -Da.b=c -Dd.e=f",
        "-Da.b = c",
        "-Dd.e = f",
        "B = 1",
        "C = x y",
        "D = 2",
        "-Dx.y = z",
        "-Dw.w = a b",
    ]


def test_options_of_the_virtual_machine() -> None:
    assert shape_of(samples.OPTIONS) is Shape.OPTIONS
    assert listed(samples.OPTIONS) == [
        "-Da.b = c d",
        "-Dx.y = 1",
        "-Dz.z = é",
        "-Dflag",
        "-Dq.q = x y",
        "-Dm.n = 1",
        "-Do.p = 2",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "java -XX:+UseG1GC -XX:MaxGCPauseMillis=5 -Xmx1g -jar x.jar",
        "curl -D headers.txt http://x\ninstall -Dm755 a b\nssh -D8080 host",
        "java -D$KEY=1 -D${KEY}.b=2",
        "# -Da.b=1\n  # A=1",
        "echo a=b; test x=y && ls --color=auto",
        "cat <<EOF\nA=1\n-Da.b=c\n",
    ],
)
def test_text_that_sets_nothing(text: str) -> None:
    assert listed(text) == []


def test_plain_assignment_lines_are_whole_entries() -> None:
    text = "-Da.b=c\n8:-Dx.y=1\r\n-Dm.n=1 -Do.p=2"
    assert [text[one.start : one.end] for one in arguments.parse(text).assignments] == [
        "-Da.b=c\n",
        "8:-Dx.y=1\r\n",
        "-Dm.n=1",
        "-Do.p=2",
    ]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("java -Dser<|>ver.port=1", "key 'ser' for 'server.port' ="),
        ('JAVA_OPTS="-Da.b=1 -Dser<|>"', "key 'ser' for 'ser'"),
        ("java -D<|>", "key '' for ''"),
        ("java -Da.b=<|> x", "value of a.b '' for ''"),
        ("java -Da.b=x<|>y z", "value of a.b 'x' for 'xy'"),
        ('JAVA_OPTS="-Da.b=x<|>y z"', "value of a.b 'x' for 'xy'"),
        ('JAVA_OPTS="-Da.b=x foo<|>d"', "value of JAVA_OPTS 'foo' for 'food'"),
        ("# java -Da.b=<|>", "neither '' for ''"),
        ("export JAVA<|>_OPTS=1", "key 'JAVA' for 'JAVA_OPTS' ="),
        ("JAV<|>", "key 'JAV' for 'JAV'"),
        ("echo foo <|>", "neither '' for ''"),
        ("-Xmx1g\n-<|>", "key '' for '-'"),
        ("FROM x\nENV A<|>", "key 'A' for 'A'"),
        ("@echo off\nset A<|>", "key 'A' for 'A'"),
        ("[Service]\nEnvironment=A<|>", "key 'A' for 'A'"),
        ("services:\n  x:\n    environment:\n      - A<|>", "key 'A' for 'A'"),
        ("services:\n  x:\n    environment:\n      A<|>", "key 'A' for 'A'"),
        ("services:\n  x:\n    image<|>", "neither '' for ''"),
    ],
)
def test_the_entry_at_a_cursor(marked: str, expected: str) -> None:
    assert told(arguments, marked) == expected


def test_a_name_is_written_in_the_syntax_of_its_place() -> None:
    assert completed(arguments, "java -Dse<|> x", "server.port") == "java -Dserver.port= x"
    assert completed(arguments, "java -Dse<|>=1", "server.port") == "java -Dserver.port=1"
    assert completed(arguments, "-Xmx1g\n-<|>", "a.b", "c") == "-Xmx1g\n-Da.b=c"
    assert completed(arguments, "A<|>", "a.b") is None
    assert completed(arguments, "A<|>", "A_B", "c d") == 'A_B="c d"'
    compose = "services:\n  x:\n    environment:\n      "
    assert completed(arguments, compose + "A<|>", "A_B", "1") == compose + "A_B: 1"
    assert completed(arguments, compose + "- A<|>", "A_B", "1") == compose + "- A_B=1"


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("-Da.b=1\n-Xmx1g\n", "a.c", "-Da.b=1\n# Why\n-Da.c=x y\n-Xmx1g\n"),
        ("8-13:-Da.b=1\n", "a.c", "8-13:-Da.b=1\n# Why\n-Da.c=x y\n"),
        ('O="-Da.b=1 -Dz=1"\n', "a.c", 'O="-Da.b=1 -Da.c=\\"x y\\" -Dz=1"\n'),
        ("java -Da.b=1 Main\n", "a.c", 'java -Da.b=1 -Da.c="x y" Main\n'),
        ('CMD ["java", "-Da.b=1", "x"]\n', "a.c", 'CMD ["java", "-Da.b=1", "-Da.c=x y", "x"]\n'),
        ("export A_B=1\nls\n", "A_C", 'export A_B=1\n# Why\nexport A_C="x y"\nls\n'),
        (
            "[Service]\nEnvironment=A_B=1\n",
            "A_C",
            '[Service]\nEnvironment=A_B=1\n# Why\nEnvironment=A_C="x y"\n',
        ),
        ("ls\n", "A_C", None),
        ("ls\n", "a.c", None),
        ("A=1\n", "a b", None),
    ],
)
def test_an_entry_is_added_like_its_neighbour(text: str, name: str, expected: str | None) -> None:
    change = arguments.added(text, name, "x y", "Why")
    assert (applied(text, change) if change else None) == expected


def test_the_end_of_text_in_escaped_quotes_is_not_part_of_a_value() -> None:
    text = 'echo "  FLAGS=\\"-Da.b=c"\necho "  -Dd.e=true\\" ./start.sh"\n'
    found = {one.name: one.value.text for one in arguments.parse(text).assignments if one.value}
    assert found.get("a.b") == "c"
    assert found.get("d.e") == "true"


@pytest.mark.parametrize("text", ["-Da=b{}x", "-server{}x", "-Da{}x"])
def test_many_blanks_in_a_line_of_options_take_linear_time(text: str) -> None:
    large, small = (text.format(" " * count) for count in (50_000, 5_000))
    assert proportion(lambda: arguments.parse(large), lambda: arguments.parse(small), 30) < 30
