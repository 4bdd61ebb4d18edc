"""The workspace file: every example of the design, and every way to get it wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.documents.configfiles.toml.places import toml_places
from conflens.models import schema, workspace
from conflens.models.load import Models, merge
from conflens.models.workspace import Training, Verdict, WorkspaceModel, WorkspaceProblem
from conflens.models.workspace_edit import WorkspaceText


def parse_workspace(path: str, text: str) -> tuple[WorkspaceModel, tuple[WorkspaceProblem, ...]]:
    return workspace.parse_workspace(path, text, toml_places)


FILE = ".conflens.toml"

DESIGN = """\
[[read]]                                   # an API that returns an option's value
call = "org.example.Settings.lookup"       # qualified type and method
name = 0
default = 1
domain = "settings"

[[read]]
field = "org.example.Config.*"
name = "{field}"

[[read]]
parameter = "org.example.Server.configure(0)"
name = "server.port"

[[operation]]
call = "org.example.Store.flush"
kind = "io"
arguments = [0]

[[flow]]
call = "org.example.Codec.wrap"
from = "argument 0"
to = "return"

[[barrier]]
call = "org.example.Audit.mask"

[verdict."pool.size"]
sensitive = false
reason = "measured 2026-03, no effect"

[documentation]
paths = ["docs/**/*.md", "conf/*.yaml"]

[exclude]
paths = ["**/generated/**"]

[links]
paths = ["shared"]
"""


def problems(text: str) -> list[str]:
    """Each problem as ``line:column message -> suggestion``."""
    return [
        f"{problem.line}:{problem.column} {problem.message}"
        + (f" -> {problem.suggestion}" if problem.suggestion else "")
        for problem in parse_workspace(FILE, text)[1]
    ]


def test_the_example_of_the_design():
    model, found = parse_workspace(FILE, DESIGN)
    assert found == ()
    assert model.reads == (
        schema.ReadRow(
            type="org.example.Settings",
            method="lookup",
            domain="settings",
            name=0,
            default=1,
            provenance=".conflens.toml:1",
        ),
    )
    assert model.field_reads == (
        schema.FieldReadRow(
            type="org.example.Config",
            field="*",
            name="{field}",
            domain="custom",
            provenance=".conflens.toml:7",
        ),
    )
    assert model.parameter_reads == (
        schema.ParameterReadRow(
            type="org.example.Server",
            method="configure",
            parameter=0,
            name="server.port",
            domain="custom",
            provenance=".conflens.toml:11",
        ),
    )
    assert model.operations == (
        schema.OperationRow(
            type="org.example.Store",
            method="flush",
            kind="io",
            arguments=(0,),
            declared=True,
            provenance=".conflens.toml:15",
        ),
    )
    assert model.flows == (
        schema.ConversionRow(
            type="org.example.Codec",
            method="wrap",
            sources=(0,),
            target=schema.RETURN,
            provenance=".conflens.toml:20",
        ),
    )
    assert model.barriers == (
        schema.BarrierRow(type="org.example.Audit", method="mask", provenance=".conflens.toml:25"),
    )
    assert model.verdicts == (
        Verdict(
            option="pool.size",
            sensitive=False,
            reason="measured 2026-03, no effect",
            line=28,
        ),
    )
    assert model.documentation == ("docs/**/*.md", "conf/*.yaml")
    assert model.exclude == ("**/generated/**",)
    assert model.links == ("shared",)


def test_an_empty_file_declares_nothing():
    model, found = parse_workspace(FILE, "")
    assert found == ()
    assert model == WorkspaceModel(digest=model.digest)


def test_byte_order_mark_and_crlf():
    model, found = parse_workspace(FILE, "\ufeff" + DESIGN.replace("\n", "\r\n"))
    assert found == ()
    assert model.barriers[0].provenance == ".conflens.toml:25"


def test_a_read_may_have_a_fixed_name_a_constructor_or_a_field_pattern():
    model, found = parse_workspace(
        FILE,
        """
[[read]]
call = "a.Settings.<init>"
name = "settings.file"
[[read]]
field = "a.Config.max*"
name = "limits.{field}"
[[read]]
field = "a.Config.size"
[[read]]
parameter = "a.Server.<init>(1)"
name = "port"
default = 80
""",
    )
    assert found == ()
    assert [(row.method, row.name) for row in model.reads] == [("<init>", "settings.file")]
    assert [(row.field, row.name) for row in model.field_reads] == [
        ("max*", "limits.{field}"),
        ("size", "{field}"),
    ]
    assert [(row.parameter, row.default) for row in model.parameter_reads] == [(1, "80")]


def test_flow_places():
    model, found = parse_workspace(
        FILE,
        '[[flow]]\ncall="a.B.c"\nfrom="receiver"\nto="argument 2"\n'
        '[[flow]]\ncall="a.B.c"\nfrom="argument 11"\nto="receiver"\n',
    )
    assert found == ()
    assert [(row.sources, row.target) for row in model.flows] == [
        ((schema.RECEIVER,), 2),
        ((11,), schema.RECEIVER),
    ]


def test_one_bad_entry_does_not_disable_the_others():
    text = DESIGN.replace("name = 0\n", "nam = 0\n", 1)
    model, found = parse_workspace(FILE, text)
    assert [problem.message for problem in found] == ["[[read]]: unknown key 'nam'"]
    assert model.reads == ()
    assert len(model.field_reads) == len(model.parameter_reads) == len(model.operations) == 1
    assert len(model.verdicts) == 1


@pytest.mark.parametrize(
    ("text", "training"),
    [
        ("", None),
        ("[sensitivity]\n", None),
        ('[sensitivity]\ntable = "conf/own.csv"\n', Training(path="conf/own.csv", line=2)),
        ('\n\nsensitivity = { table = "own.csv" }\n', Training(path="own.csv", line=3)),
        ('[sensitivity]\n# own\n\n"table" = "ü 😀.csv"\n', Training(path="ü 😀.csv", line=4)),
    ],
)
def test_the_table_of_the_classifier(text: str, training: Training | None):
    model, found = parse_workspace(FILE, text)
    assert (model.training, found) == (training, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sensitivity = 3\n", "1:1 write [sensitivity], a table -> [sensitivity]"),
        ("[[sensitivity]]\n", "1:1 write [sensitivity], a table -> [sensitivity]"),
        ("[sensitivty]\n", "1:1 unknown table 'sensitivty' -> sensitivity"),
        (
            '[sensitivity]\ntabel = "own.csv"\n',
            "2:1 [sensitivity]: unknown key 'tabel' -> table",
        ),
        (
            "[sensitivity]\ntable = 3\n",
            "2:9 [sensitivity]: key 'table': expected a text, found 3",
        ),
        (
            "[sensitivity]\ntable = ['own.csv']\n",
            "2:9 [sensitivity]: key 'table': expected a text, found a list",
        ),
        (
            "[sensitivity]\ntable = '/etc/own.csv'\n",
            "2:9 [sensitivity]: key 'table': '/etc/own.csv' leads out of the project's folder",
        ),
        (
            "[sensitivity]\ntable = '../own.csv'\n",
            "2:9 [sensitivity]: key 'table': '../own.csv' leads out of the project's folder",
        ),
        (
            "[sensitivity]\ntable = 'conf\\own.csv'\n",
            "2:9 [sensitivity]: key 'table': 'conf\\own.csv' has '\\' between folders"
            " -> conf/own.csv",
        ),
        ("[sensitivity]\ntable = ' '\n", "2:9 [sensitivity]: key 'table': is empty"),
    ],
)
def test_an_invalid_classifier_table(text: str, expected: str):
    assert problems(text) == [expected]
    model, _ = parse_workspace(FILE, text + '\n[verdict."x"]\nsensitive = true\n')
    assert model.training is None
    assert [verdict.option for verdict in model.verdicts] == ["x"]


CALL = "is not a type and method such as 'org.example.Settings.lookup'"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[reads]]\n", ["1:1 unknown table 'reads' -> read"]),
        ("\n  colour = 3\n", ["2:3 unknown table 'colour'"]),
        ("[read]\n", ["1:1 write [[read]], an array of tables -> [[read]]"]),
        ("read = 3\n", ["1:1 write [[read]], an array of tables -> [[read]]"]),
        ("[[exclude]]\n", ["1:1 write [exclude], a table -> [exclude]"]),
        ("verdict = 1\n", ['1:1 write [verdict."name"], a table -> [verdict."name"]']),
        ("[[read]]\nname = 0\n", ["1:1 [[read]]: missing key 'call', 'field' or 'parameter'"]),
        ('[[read]]\ncall = "a.B.c"\n', ["1:1 [[read]]: missing key 'name'"]),
        (
            '[[read]]\ncall = "a.B.c"\nfield = "a.B.d"\n',
            ["3:9 [[read]]: 'call' and 'field' exclude each other"],
        ),
        (
            '[[read]]\n  "call" = true\n  nmae = 0\n',
            [
                "2:12 [[read]]: key 'call': expected a text, found true",
                "3:3 [[read]]: unknown key 'nmae' -> name",
            ],
        ),
        ('[[read]]\ncall = "c"\nname = 0\n', [f"2:8 [[read]]: key 'call': 'c' {CALL}"]),
        (
            '[[read]]\ncall = "a.B#c"\nname = 0\n',
            [f"2:8 [[read]]: key 'call': 'a.B#c' {CALL} -> a.B.c"],
        ),
        (
            '[[read]]\ncall = "a.B.c(String)"\nname = 0\n',
            [f"2:8 [[read]]: key 'call': 'a.B.c(String)' {CALL} -> a.B.c"],
        ),
        (
            '[[read]]\ncall = "a.B.c"\nname = -1\n',
            ["3:8 [[read]]: key 'name': arguments count from 0"],
        ),
        (
            '[[read]]\ncall = "a.B.c"\nname = 1.5\n',
            ["3:8 [[read]]: key 'name': expected an integer or a text, found 1.5"],
        ),
        (
            '[[read]]\ncall = "a.B.c"\nname = "{field}"\n',
            ["3:8 [[read]]: key 'name': '{field}' has a meaning only for fields"],
        ),
        (
            '[[read]]\ncall = "a.B.c"\nname = 0\ndefault = "x"\n',
            ["4:11 [[read]]: key 'default': expected an argument's index, found 'x'"],
        ),
        (
            '[[read]]\ncall = "a.B.c"\nname = 0\ndomain = ""\n',
            ["4:10 [[read]]: key 'domain': is empty"],
        ),
        (
            '[[read]]\nfield = "a.B.*"\nname = "x.{feild}"\n',
            ["3:8 [[read]]: key 'name': unknown placeholder '{feild}' -> {field}"],
        ),
        (
            '[[read]]\nfield = "a.B.c"\ndefault = 1\n',
            ["3:11 [[read]]: key 'default': a field's default is its initial value"],
        ),
        (
            '[[read]]\nfield = "a.B.c()"\n',
            ["2:9 [[read]]: key 'field': 'a.B.c()' is not a field such as 'org.example.Config.*'"],
        ),
        (
            '[[read]]\nparameter = "a.B.c"\nname = "n"\n',
            [
                "2:13 [[read]]: key 'parameter': 'a.B.c' is not a parameter"
                " such as 'org.example.Server.configure(0)'"
            ],
        ),
        (
            '[[read]]\nparameter = "a.B.c(0)"\nname = 0\n',
            ["3:8 [[read]]: key 'name': expected a text, found 0"],
        ),
        (
            '[[operation]]\ncall = "a.B.c"\n',
            ["1:1 [[operation]]: missing key 'kind'"],
        ),
        (
            '[[operation]]\ncall = "a.B.c"\nkind = "i o"\n',
            ["3:8 [[operation]]: key 'kind': 'i o' is not a word"],
        ),
        (
            '[[operation]]\ncall = "a.B.c"\nkind = "io"\narguments = [0, "1"]\n',
            ["4:13 [[operation]]: key 'arguments': expected an integer, found '1'"],
        ),
        (
            '[[operation]]\ncall = "a.B.c"\nkind = "io"\narguments = 0\n',
            ["4:13 [[operation]]: key 'arguments': expected a list, found 0"],
        ),
        (
            '[[flow]]\ncall = "a.B.c"\nfrom = "arg 0"\nto = "return"\n',
            [
                "3:8 [[flow]]: key 'from': 'arg 0' is not a place such as"
                " 'argument 0', 'receiver' -> argument 0"
            ],
        ),
        (
            '[[flow]]\ncall = "a.B.c"\nfrom = "receiver"\nto = "retrun"\n',
            [
                "4:6 [[flow]]: key 'to': 'retrun' is not a place such as"
                " 'argument 0', 'return', 'receiver' -> return"
            ],
        ),
        ("[[barrier]]\n", ["1:1 [[barrier]]: missing key 'call'"]),
        (
            '[verdict."a.b"]\nsensitive = "no"\n',
            ["2:13 [verdict.\"a.b\"]: key 'sensitive': expected true or false, found 'no'"],
        ),
        ("[verdict]\nx = 1\n", ['2:1 [verdict."x"]: expected a table, found 1']),
        ("[verdict.x]\n", ["1:1 [verdict.\"x\"]: missing key 'sensitive'"]),
        (
            "[exclude]\npaths = ['a\\b', 'c']\n",
            ["2:9 [exclude]: key 'paths': 'a\\b' has '\\' between folders -> a/b"],
        ),
        (
            '[documentation]\npaths = ["/etc/x.md", "../y.md"]\npath = []\n',
            [
                "2:9 [documentation]: key 'paths': '/etc/x.md' leads out of the project's folder",
                "2:9 [documentation]: key 'paths': '../y.md' leads out of the project's folder",
                "3:1 [documentation]: unknown key 'path' -> paths",
            ],
        ),
        ("a = \n", ["1:5 not TOML: invalid value"]),
        ("[[read]\n", ["1:7 not TOML: expected ']]' at the end of an array declaration"]),
        ("# x\na = [", ["2:6 not TOML: invalid value"]),
        ("a = " + "[" * 5000, ["1:1 not TOML: nested too deeply"]),
        ("a = " + "1" * 5000, ["1:1 not TOML: a number has too many digits"]),
    ],
)
def test_problems(text: str, expected: list[str]):
    assert problems(text) == expected


def test_a_pattern_longer_than_any_path_is_told_and_left_out():
    deep = "a/" * 60_000 + "x"
    text = f'[configuration]\npaths = ["conf/a.yaml", "{deep}"]\n'
    workspace, (problem,) = parse_workspace(".conflens.toml", text)
    assert workspace.configuration == ("conf/a.yaml",)
    assert (problem.path, problem.line, problem.column) == (".conflens.toml", 2, 9)
    assert "more than 4096 characters or 100 folders" in problem.message
    assert len(problem.message) < 300


def test_invalid_paths_leave_the_valid_ones():
    model, _ = parse_workspace(FILE, "[exclude]\npaths = ['a\\b', 'c', '']\n")
    assert model.exclude == ("c",)


def test_a_syntax_error_keeps_nothing():
    model, found = parse_workspace(FILE, DESIGN + "\n[[read")
    assert model == WorkspaceModel(digest=model.digest)
    assert len(found) == 1
    assert found[0].line == DESIGN.count("\n") + 2


def test_a_huge_file_is_refused():
    model, found = parse_workspace(FILE, "# " + "x" * 1_000_000)
    assert model == WorkspaceModel(digest=model.digest)
    assert [problem.message for problem in found] == [
        "the file has 1000002 bytes, more than 1000000; it was not read"
    ]


def test_merge_puts_the_workspace_first_and_changes_the_digest():
    packaged = schema.ReadRow(
        type="a.B", method="get", domain="map", name=0, provenance="packaged"
    )
    models = Models(reads=(packaged,), digest="0")
    workspace, _ = parse_workspace(FILE, DESIGN)
    merged = merge(models, workspace)
    assert merged.reads == (*workspace.reads, packaged)
    assert merged.reads_by_method["lookup"] == workspace.reads
    assert merged.conversions == workspace.flows
    assert merged.conversions_by_method["wrap"] == workspace.flows
    assert merged.operations == workspace.operations
    assert merged.barriers == workspace.barriers
    assert merged.field_reads == workspace.field_reads
    assert merged.parameter_reads == workspace.parameter_reads
    assert merged.digest != models.digest
    assert merge(models, workspace).digest == merged.digest
    commented, _ = parse_workspace(FILE, DESIGN + "#")
    assert merge(models, commented).digest == merged.digest
    other, _ = parse_workspace(FILE, DESIGN + '\n[[barrier]]\ncall = "org.example.Audit.other"\n')
    assert merge(models, other).digest != merged.digest


def test_positions_inside_strings_arrays_and_nested_tables():
    text = """\
# [a]
x = '''
[b]
y = 1
''' # z = 2
list = [ # w = 3
  "]", '[',
  { k = "}" },
]
[t]
"q.r".s = 1
[[p]]
[[p]]
[p.u]
v = 0
"""
    found = toml_places(text)
    assert found.key(("x",)) == (2, 1)
    assert found.key(("list",)) == (6, 1)
    assert found.value(("list",)) == (6, 8)
    assert found.key(("t", "q.r", "s")) == (11, 1)
    assert found.value(("t", "q.r", "s")) == (11, 11)
    assert found.key(("p", 1)) == (13, 1)
    assert found.key(("p", 1, "u", "v")) == (15, 1)
    assert set(found.values) == {
        ("x",),
        ("list",),
        ("list", 0),
        ("list", 1),
        ("list", 2),
        ("list", 2, "k"),
        ("t", "q.r", "s"),
        ("p", 1, "u", "v"),
    }
    assert toml_places('[verdict."a[0]"]\n').key(("verdict", "a[0]")) == (1, 1)


@given(st.text())
def test_any_text_is_parsed_without_error(text: str):
    model, found = parse_workspace(FILE, text)
    assert isinstance(model, WorkspaceModel)
    lines = text.count("\n") + 1
    assert all(1 <= problem.line <= lines and problem.column >= 1 for problem in found)


@given(
    st.lists(
        st.one_of(
            st.sampled_from([*DESIGN.splitlines(), "[[read]]", '"""', "'''", "]", "{", "=", "\\"]),
            st.text(alphabet="[]{}\"'=.,#\\ab0\r\t", max_size=12),
        ),
        max_size=20,
    )
)
def test_mangled_files_are_parsed_without_error(lines: list[str]):
    text = "\n".join(lines)
    model, found = parse_workspace(FILE, text)
    assert isinstance(model, WorkspaceModel)
    assert all(1 <= problem.line <= len(lines) + 1 for problem in found)
    toml_places(text)


def test_verdicts_and_paths_change_no_analysis():
    quiet = '[verdict."a"]\nsensitive = true\n[exclude]\npaths = ["x/**"]\n'
    model, problems = parse_workspace("w.toml", quiet)
    assert not problems and model.verdicts and model.digest == ""
    models = Models(digest="0")
    assert merge(models, model).digest == "0"
    declared, _ = parse_workspace("w.toml", quiet + '[[barrier]]\ncall = "org.example.A.mask"\n')
    assert merge(models, declared).digest != "0"
    more, _ = parse_workspace("w.toml", '[[barrier]]\ncall = "org.example.A.mask"\n')
    assert more.digest == declared.digest


LONG = "a" + ".a" * 300_000


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"x = 1\n{LONG} = 1\n", "2:1"),
        (f"[{LONG}]\n", "1:2"),
        (f"x = {{ y = 1, {LONG} = 1 }}", "1:14"),
        ("\n" + "' '. \"b\" . c." * 100 + "d = 1", "2:1"),
        (f"text = '''\n# {LONG}", None),
        ("[verdict.a]\nsensitive = true\n" + ". " * 101 + "= 1", None),
    ],
)
def test_a_key_with_very_many_parts_is_a_problem(text: str, place: str | None) -> None:
    model, found = parse_workspace(FILE, text)
    reason = f"{place} a key has more than 100 parts; the file was not read"
    assert model == WorkspaceModel()
    if place is None:
        assert len(found) == 1 and found[0].message.startswith("not TOML: ")
    else:
        assert [f"{one.line}:{one.column} {one.message}" for one in found] == [reason]
    assert WorkspaceText.of(text) is None


def test_many_parts_in_strings_and_comments_are_not_a_key() -> None:
    dots = "a." * 200
    text = f'# {dots}\n[verdict."{dots}"]\nsensitive = true\nreason = "{dots}" # {dots}\n'
    numbers = f"[exclude]\npaths = [{'1.5, ' * 200}'''{dots}\n{dots}''']\n"
    model, found = parse_workspace(FILE, text + numbers)
    assert [verdict.option for verdict in model.verdicts] == [dots]
    assert [problem.message for problem in found] != []
    assert not [problem for problem in found if "parts" in problem.message]


def test_patterns_that_have_to_be_tried_on_each_path_are_bounded_and_that_is_said() -> None:
    paths = [f"**/a*b{number}*" for number in range(1_002)] + ["plain", "*.class"]
    model, (problem,) = parse_workspace(".conflens.toml", f"[exclude]\npaths = {paths}\n")
    assert model.exclude == (*paths[:1_000], "plain", "*.class")
    assert (problem.line, problem.message) == (
        2,
        "[exclude]: key 'paths': more than 1,000 patterns with wildcards; the others do not count",
    )
