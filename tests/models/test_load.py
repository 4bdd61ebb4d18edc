"""The loader of the model files: how entries become rows, and what it says of faulty ones."""

import attrs
import pytest

from conflens.models import schema
from conflens.models.load import ModelError, Models, build_models
from steps import steps


def build(text: str) -> Models:
    domain = '[[domain]]\ndomain = "d"\nlabel = "D"\nprovenance = "p"\n'
    return build_models({"domains.toml": domain.encode(), "x.toml": text.encode()})


def fault(text: str) -> str:
    with pytest.raises(ModelError) as raised:
        build(text)
    return str(raised.value)


READ = '[[read]]\ntype = "a.B"\nmethod = "get"\ndomain = "d"\nname = 0\nprovenance = "p"\n'


# --- expansion


def test_an_entry_is_a_row():
    assert build(READ).reads == (
        schema.ReadRow(type="a.B", method="get", domain="d", name=0, provenance="p"),
    )


def test_types_methods_and_value_types_multiply():
    models = build("""
[[read]]
types = ["a.B", "a.C"]
methods = { getInt = "integer", getList = "list" }
args = [1, 2]
domain = "d"
name = 0
default = 1
provenance = "p"
""")
    assert [
        (row.type, row.method, row.value_type, row.min_args, row.max_args) for row in models.reads
    ] == [
        ("a.B", "getInt", "integer", 1, 2),
        ("a.B", "getList", "list", 1, 2),
        ("a.C", "getInt", "integer", 1, 2),
        ("a.C", "getList", "list", 1, 2),
    ]
    assert models.reads_by_method["getList"] == (models.reads[1], models.reads[3])


def test_what_a_library_reads_below_a_name_multiplies():
    models = build(
        READ + 'root = "r."\nbelow = { size = ["integer", "8"], "pool.wait" = "time" }\n'
    )
    assert [(row.root, row.suffix, row.value_type, row.missing) for row in models.reads] == [
        ("r.", ".size", "integer", "8"),
        ("r.", ".pool.wait", "time", None),
    ]
    assert models.is_told("r.orders.pool.wait")
    assert not models.is_told("r.orders.wait") and not models.is_told("orders.pool.wait")


def test_defaults_of_a_file_apply_to_the_kinds_with_that_key():
    models = build("""
[defaults]
provenance = "p"
domain = "d"
types = ["a.B", "a.C"]
[[read]]
method = "get"
name = 0
[[read]]
type = "a.D"
method = "get"
name = "fixed"
provenance = "q"
[[role]]
words = ["conf"]
speaks = "for"
""")
    assert [(row.type, row.name, row.provenance) for row in models.reads] == [
        ("a.B", 0, "p"),
        ("a.C", 0, "p"),
        ("a.D", "fixed", "q"),
    ]
    assert models.roles_by_word["conf"].provenance == "p"


def test_overloads_and_fluent_refinements():
    models = build("""
[[definition]]
type = "a.B"
method = "define"
domain = "d"
names = [0]
refine = { withDefault = "default 0", intType = "type=integer", required = "required", doc = ["description 1", "hidden"] }
overloads = [{ args = 1 }, { args = 2, documentation = 1 }]
provenance = "p"
""")
    assert [(row.max_args, row.documentation) for row in models.definitions] == [(1, None), (2, 1)]
    assert models.definitions[0].refinements == (
        schema.Refinement("withDefault", "default", 0, None),
        schema.Refinement("intType", "type", None, "integer"),
        schema.Refinement("required", "required", None, None),
        schema.Refinement("doc", "description", 1, None),
        schema.Refinement("doc", "hidden", None, None),
    )


def test_places_of_conversions_and_values():
    models = build("""
[[conversion]]
type = "a.B"
method = "convert"
from = ["receiver", 1]
from_unit_argument = "receiver"
to = "receiver"
provenance = "p"
[[value]]
type = "a.B"
method = "sleep"
argument = 0
value_type = "time"
unit_argument = "receiver"
provenance = "p"
[[container]]
type = "a.B"
method = "load"
container = "return"
provenance = "p"
""")
    conversion = models.conversions[0]
    assert conversion.sources == (schema.RECEIVER, 1)
    assert conversion.target == conversion.from_unit_argument == schema.RECEIVER
    assert models.values[0].unit_argument == schema.RECEIVER
    assert models.containers[0].container == schema.RETURN


def test_constants_are_units_or_types():
    models = build("""
[[constant]]
type = "a.B"
constants = { MILLIS = "ms", INT = "integer" }
provenance = "p"
""")
    constants = models.constants_by_type["a.B"]
    assert (constants["MILLIS"].unit, constants["MILLIS"].value_type) == ("ms", None)
    assert (constants["INT"].unit, constants["INT"].value_type) == (None, "integer")


OPERATION = """
[[operation]]
type = "a.B"
method = "write"
kind = "io"
provenance = "p"
"""


def test_operations_and_callbacks():
    models = build(
        OPERATION + 'content = "return"\nsized = 1\nargs = 2\nunless_types = ["a.Memory"]\n'
        '[[callback]]\ntype = "a.B"\nmethods = ["start", "go"]\nargument = "receiver"\n'
        'runs = ["run", "call"]\nprovenance = "p"\n'
    )
    (row,) = models.operations_by_method["write"]
    assert (row.content, row.sized, row.min_args, row.max_args) == (schema.RETURN, 1, 2, 2)
    assert (row.unless_types, row.arguments, row.pause) == (("a.Memory",), None, False)
    assert not row.declared
    assert [row.method for row in models.callbacks] == ["start", "go"]
    (callback,) = models.callbacks_by_method["go"]
    assert (callback.argument, callback.runs) == (schema.RECEIVER, ("run", "call"))


def test_names_of_the_platform():
    models = build("""
[[platform]]
domain = "d"
names = ["os.name", "sun.cpu.*"]
provenance = "p"
""")
    assert models.is_platform("d", "os.name")
    assert models.is_platform("d", "sun.cpu.isalist")
    assert not models.is_platform("d", "os.names")
    assert not models.is_platform("e", "os.name")


def test_names_of_the_platform_are_looked_up_whatever_their_number():
    def asked(count: int) -> int:
        names = ", ".join(f'"n{number}.*"' for number in range(count))
        models = build(f'[[platform]]\ndomain = "d"\nnames = [{names}]\nprovenance = "p"\n')
        return steps(lambda: models.is_platform("d", "other.name"))

    assert asked(200) == asked(2)


def test_rows_are_frozen():
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        build(READ).reads[0].name = 1  # type: ignore[misc]


def test_the_digest_follows_the_files():
    assert build(READ).digest == build(READ).digest
    assert build(READ).digest != build(READ + "#").digest


# --- faults


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            READ + "defalt = 1\n",
            "x.toml: [[read]] entry 1: unknown key 'defalt', did you mean 'default'?",
        ),
        (
            READ + READ.replace("name = 0\n", ""),
            "x.toml: [[read]] entry 2: missing key 'name'",
        ),
        (READ.replace('"p"', '" "'), "x.toml: [[read]] entry 1: key 'provenance': is empty"),
        (
            READ.replace('provenance = "p"\n', ""),
            "x.toml: [[read]] entry 1: missing key 'provenance'",
        ),
        (
            READ.replace('"a.B"', '"B"'),
            "x.toml: [[read]] entry 1: key 'type': 'B' is not a qualified type name",
        ),
        (
            READ.replace('"get"', '"get()"'),
            "x.toml: [[read]] entry 1: key 'method': 'get()' is not a method name",
        ),
        (
            READ + 'unit = "msec"\n',
            "x.toml: [[read]] entry 1: key 'unit': 'msec' is not one of ns, us, ms, s, min, h, d,"
            " B, KB, MB, GB, TB, PB, chars, did you mean 'ms'?",
        ),
        (
            READ + 'min_args = "1"\n',
            "x.toml: [[read]] entry 1: key 'min_args': expected an integer, found '1'",
        ),
        (
            READ + 'below = ["size"]\n',
            "x.toml: [[read]] entry 1: key 'below': expected a table, found a list",
        ),
        (
            READ + 'below = { size = ["integer", "8", "9"] }\n',
            "x.toml: [[read]] entry 1: key 'below': 'size' has a type and a default only",
        ),
        (
            READ + "write = 1\n",
            "x.toml: [[read]] entry 1: key 'write': expected true or false, found 1",
        ),
        (
            READ + 'also_types = "a.C"\n',
            "x.toml: [[read]] entry 1: key 'also_types': expected a list, found 'a.C'",
        ),
        (
            READ + 'default = "all"\n',
            "x.toml: [[read]] entry 1: key 'default': expected an integer or 'rest', found 'all'",
        ),
        (
            READ + "args = [2, 1]\n",
            "x.toml: [[read]] entry 1: key 'max_args': is less than min_args",
        ),
        (
            READ + "default = 2\nargs = 2\n",
            "x.toml: [[read]] entry 1: key 'default': there is no argument 2, at most 2",
        ),
        (
            READ.replace('"d"', '"dd"'),
            "x.toml: [[read]] entry 1: unknown domain 'dd', did you mean 'd'?",
        ),
        (
            READ.replace('method = "get"', 'methods = "get"'),
            "x.toml: [[read]] entry 1: key 'methods': expected a list, found 'get'",
        ),
        (
            READ.replace('method = "get"', 'methods = { getInt = "int" }'),
            "x.toml: [[read]] entry 1: key 'value_type': 'int' is not one of boolean, integer,"
            " fraction, string, mode, class, file, time, size, address, port, uri, regex, list,"
            " password, did you mean 'integer'?",
        ),
        (
            READ.replace("[[read]]", "[[reed]]"),
            "x.toml: unknown table 'reed', did you mean 'read'?",
        ),
        (
            OPERATION.replace('"io"', '"ram"'),
            "x.toml: [[operation]] entry 1: key 'kind': 'ram' is not one of memory, io, lock,"
            " thread, compute",
        ),
        (
            OPERATION + "declared = true\n",
            "x.toml: [[operation]] entry 1: key 'declared': is for workspace files only",
        ),
        (
            OPERATION + "sized = 2\nargs = 2\n",
            "x.toml: [[operation]] entry 1: key 'sized': there is no argument 2, at most 2",
        ),
        ("[read]\n", "x.toml: write [[read]], an array of tables"),
        ("[[read]\n", "x.toml: Expected ']]' at the end of an array declaration"),
        (
            '[[annotation]]\ntype = "a.B"\nrole = "refine"\ntargets = ["field"]\n'
            'provenance = "p"\n',
            "x.toml: [[annotation]] entry 1: missing key 'aspect', which role 'refine' needs",
        ),
        (
            '[[constant]]\ntype = "a.B"\nconstant = "C"\nprovenance = "p"\n',
            "x.toml: [[constant]] entry 1: missing key 'value_type' or 'unit'",
        ),
        (
            '[[binding]]\ntype = "a.B"\ndomain = "d"\nprovenance = "p"\n',
            "x.toml: [[binding]] entry 1: key 'method': a supertype binds without one,"
            " all others need one",
        ),
        (
            '[[conversion]]\ntype = "a.B"\nmethod = "m"\nfrom = "reciever"\nprovenance = "p"\n',
            "x.toml: [[conversion]] entry 1: key 'from': 'reciever' is not a place,"
            " did you mean 'receiver'?",
        ),
        (
            '[[definition]]\ntype = "a.B"\nmethod = "m"\ndomain = "d"\nnames = [0]\n'
            'refine = { a = "type=int" }\nprovenance = "p"\n',
            "x.toml: [[definition]] entry 1: key 'refine': 'int' of 'a' is not a value type,"
            " did you mean 'integer'?",
        ),
        (
            '[[definition]]\ntype = "a.B"\nmethod = "m"\ndomain = "d"\nnames = [0]\n'
            'refine = { a = "0 default" }\nprovenance = "p"\n',
            "x.toml: [[definition]] entry 1: key 'refine': '0 default' of 'a' is not"
            " 'aspect', 'aspect 0' or 'aspect=value'",
        ),
    ],
)
def test_invalid_rows(text: str, message: str):
    assert fault(text).startswith(message)


def test_an_error_carries_its_place():
    with pytest.raises(ModelError) as raised:
        build(READ + READ.replace("name = 0\n", ""))
    error = raised.value
    assert (error.file, error.table, error.entry) == ("x.toml", "read", 2)
    assert error.reason == "missing key 'name'"
