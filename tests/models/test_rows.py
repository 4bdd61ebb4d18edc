"""The packaged rows: rules that hold for all, and samples checked against the libraries."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import attrs
import pytest

from conflens.models import jdk, resources, schema
from conflens.models.load import Models, load_models
from conflens.options.constant_arguments import library_types
from conflens.options.sites import DESCRIBED
from patience import proportion

ROWS = Path(__file__).parents[2] / "grammars" / "models"
KINDS = (
    "reads",
    "containers",
    "prefixes",
    "annotations",
    "definitions",
    "validators",
    "checks",
    "secrets",
    "deprecations",
    "bindings",
    "values",
    "clocks",
    "conversions",
    "constants",
    "keys",
    "platform",
    "domains",
    "roles",
    "operations",
    "amounts",
    "callbacks",
    "entries",
)
CALLS = (
    "reads",
    "containers",
    "prefixes",
    "definitions",
    "validators",
    "checks",
    "secrets",
    "deprecations",
    "bindings",
    "values",
    "clocks",
    "conversions",
    "operations",
    "amounts",
    "callbacks",
)


@pytest.fixture(scope="module")
def models() -> Models:
    return load_models()


@pytest.fixture(scope="module")
def table() -> jdk.JdkTable:
    return jdk.packaged()


# --- the packaged rows as a whole


def test_the_index_lists_every_file():
    listed = re.findall(r'"([^"]+\.toml)"', (ROWS / "index.toml").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(
        path.name for path in ROWS.glob("*.toml") if path.name != "index.toml"
    )
    assert len(listed) == len(set(listed))


def test_every_kind_has_rows_and_every_row_a_provenance(models: Models):
    for kind in KINDS:
        rows = getattr(models, kind)
        assert rows, kind
        assert all(row.provenance for row in rows)


def test_no_row_is_duplicated(models: Models):
    for kind in KINDS:
        rows = Counter(attrs.evolve(row, provenance="") for row in getattr(models, kind))
        assert [row for row, count in rows.items() if count > 1] == []


def test_domains_words_and_platform_names_are_unique(models: Models):
    apart = [("answer",), ("posting",), ("protocol",), ("schema",), ("stored",)]
    for rows, key in (
        (models.domains, "domain"),
        ([row for row in models.roles if row.on not in apart], "word"),
        *(([row for row in models.roles if row.on == on], "word") for on in apart),
    ):
        names = [getattr(row, key) for row in rows]
        assert len(names) == len(set(names))
    names = [(row.domain, row.name) for row in models.platform]
    assert len(names) == len(set(names))


def test_every_domain_is_used(models: Models):
    used = {
        row.domain
        for kind in ("reads", "containers", "prefixes", "annotations", "definitions", "bindings")
        for row in getattr(models, kind)
    }
    learned = {DESCRIBED}
    assert {row.domain for row in models.domains} - used == learned


def test_no_row_names_a_class_of_a_tested_program(models: Models):
    programs = (
        "org.h2.",
        "org.apache.zookeeper.",
        "org.apache.cassandra.",
        "org.apache.jmeter.",
        "org.apache.batik.",
        "org.prevayler.",
        "org.sunflow.",
        "kanzi.",
        "main.java.",
        "at.favre.",
        "org.apache.hadoop.hdfs.server.",
    )
    types = {getattr(row, "type", "") for kind in KINDS for row in getattr(models, kind)}
    assert [type_ for type_ in types if type_.startswith(programs)] == []


def test_loading_costs_little_more_than_reading_the_files():
    index = tomllib.loads(resources.grammar_file("models/index.toml").decode())
    texts = [resources.grammar_file(f"models/{name}").decode() for name in index["files"]]

    def read():
        for text in texts:
            tomllib.loads(text)

    load_models()
    assert proportion(load_models, read, 8) < 8


# --- rows of the class library, checked against its signatures


def _overloads(table: jdk.JdkTable, type_: str, method: str) -> list[jdk.JdkMethod]:
    found = table.type(re.sub("<.*", "", type_))
    if found is None:
        return []
    own = list(found.methods.get(method, ()))
    if method == schema.CONSTRUCTOR:
        return own
    supers = found.supers or (("java.lang.Object",) if type_ != "java.lang.Object" else ())
    if found.kind == "interface":
        supers = (*supers, "java.lang.Object")
    return own + [method_ for super_ in supers for method_ in _overloads(table, super_, method)]


def _fits(row: object, method: jdk.JdkMethod) -> bool:
    count = len(method.params)
    fewest = getattr(row, "min_args", 0)
    most = getattr(row, "max_args", None)
    if not method.varargs and count < fewest:
        return False
    if most is not None and count - method.varargs > most:
        return False
    return all(
        wanted in ("*", re.sub("<.*>", "", param).rpartition(".")[2])
        for wanted, param in zip(getattr(row, "parameters", ()), method.params, strict=False)
    )


def test_every_call_of_the_class_library_exists(models: Models, table: jdk.JdkTable):
    missing = [
        (kind, row.type, row.method, row.min_args, row.max_args)
        for kind in CALLS
        for row in getattr(models, kind)
        if row.method
        and table.type(row.type)
        # Each enum has a valueOf of its own, which the class Enum does not declare.
        and not row.provenance.startswith("JLS 8.9.3")
        and not any(_fits(row, method) for method in _overloads(table, row.type, row.method))
    ]
    assert missing == []


def test_amounts_are_numbers_of_operations(models: Models, table: jdk.JdkTable):
    operations = {(row.type, row.method) for row in models.operations}
    for row in models.amounts:
        fitting = [one for one in _overloads(table, row.type, row.method) if _fits(row, one)]
        given = {one.params[row.argument] for one in fitting if row.argument < len(one.params)}
        assert not fitting or given & {"int", "long", "float"}, row
        above = {
            row.type,
            *(
                name
                for name, _ in operations
                if name.rpartition(".")[0] == row.type.rpartition(".")[0]
            ),
        }
        assert any((name, row.method) in operations for name in above), row


def test_operations_of_the_class_library_name_its_types(models: Models, table: jdk.JdkTable):
    packages = ("java.", "javax.", "com.sun.", "org.xml.", "org.w3c.")
    for row in (*models.operations, *models.callbacks):
        named = (row.type, *getattr(row, "unless_types", ()))
        wrong = [
            name
            for name in named
            if name.startswith(packages)
            and not name.startswith(("javax.servlet.", "javax.jms.", "javax.persistence."))
            and not table.type(name)
        ]
        assert wrong == [], row


def test_sizes_and_contents_of_operations_have_suitable_types(models: Models, table: jdk.JdkTable):
    for row in models.operations:
        fitting = [
            method
            for method in _overloads(table, row.type, row.method)
            if _fits(row, method) and len(method.params) >= row.min_args
        ]
        if not fitting:
            continue
        if row.sized is not None:
            sizes = {param for method in fitting for param in method.params[row.sized :][:1]}
            assert sizes & {"int", "long", "boolean", "java.time.Duration"}, row
        if row.held is not None:
            assert any(len(method.params) > row.held for method in fitting), row
        if row.content is not None:
            arrays = {
                text
                for method in fitting
                for text in (
                    (method.returns,)
                    if row.content == schema.RETURN
                    else method.params[row.content :][:1]
                )
            }
            assert any(text.endswith("[]") for text in arrays), row


def test_operations_have_a_row_for_every_kind_and_every_named_library(models: Models):
    assert {row.kind for row in models.operations} == set(schema.OPERATION_KINDS)
    libraries = (
        "io.netty.",
        "com.google.common.",
        "org.apache.commons.io.",
        "java.sql.",
        "com.zaxxer.hikari.",
        "org.slf4j.",
    )
    for library in libraries:
        assert any(row.type.startswith(library) for row in models.operations), library


def test_rows_of_one_library_type_add_up(models: Models):
    factory = schema.LibraryRow(type="a.B", returns={"make": "a.B"}, provenance="x")
    super_ = schema.LibraryRow(type="a.B", supers=("a.A",), returns={"get": "a.C"}, provenance="x")
    type_ = library_types(attrs.evolve(models, libraries=(factory, super_)))["a.B"]
    assert (type_.supers, type_.returns) == (("a.A",), {"make": "a.B", "get": "a.C"})


def test_what_properties_size_adds_to_a_row_of_the_same_call(models: Models):
    plain = {(row.type, row.method) for row in models.operations if not row.keys}
    keyed = [row for row in models.operations if row.keys]
    assert keyed
    assert [row for row in keyed if (row.type, row.method) not in plain] == []
    assert [row for row in keyed if not row.arguments or row.sized is not None] == []


def test_constants_of_the_class_library_exist(models: Models, table: jdk.JdkTable):
    for row in models.constants:
        type_ = table.type(row.type)
        assert type_ is None or row.constant in type_.fields, row


RABKIN_KATZ = """
java.net.InetSocketAddress.<init>,0,address
java.net.Socket.<init>,0,address
java.net.InetAddress.getByName,0,address
java.lang.Boolean.parseBoolean,0,boolean
java.lang.Boolean.valueOf,0,boolean
java.lang.Class.forName,0,class
java.lang.ClassLoader.loadClass,0,class
org.apache.hadoop.conf.Configuration.getClassByName,0,class
java.text.SimpleDateFormat.<init>,0,string
java.io.File.<init>,0,file
java.io.FileReader.<init>,0,file
java.lang.Double.parseDouble,0,fraction
java.lang.Float.parseFloat,0,fraction
java.lang.Double.valueOf,0,fraction
java.lang.Float.valueOf,0,fraction
java.lang.Double.<init>,0,fraction
java.lang.Float.<init>,0,fraction
java.lang.Integer.valueOf,0,integer
java.lang.Long.valueOf,0,integer
java.lang.Integer.<init>,0,integer
java.lang.Long.<init>,0,integer
java.lang.Integer.parseInt,0,integer
java.lang.Long.parseLong,0,integer
java.net.NetworkInterface.getByName,0,address
java.net.Socket.<init>,1,port
java.net.InetSocketAddress.<init>,1,port
java.util.regex.Pattern.matches,0,regex
java.util.regex.Pattern.compile,0,regex
java.util.Random.<init>,0,integer
java.lang.Enum.valueOf,1,mode
java.lang.Thread.sleep,0,time
java.lang.Thread.join,0,time
java.nio.channels.Selector.select,0,time
java.util.Timer.schedule,1,time
java.util.Timer.schedule,2,time
java.net.URI.create,0,uri
java.net.URI.<init>,0,uri
"""


def test_the_published_argument_types_are_complete(models: Models):
    """Rabkin and Katz, ICSE 2011, table of argument types (receivers taken off the count)."""
    known = {(f"{row.type}.{row.method}", row.argument, row.value_type) for row in models.values}
    wanted = set()
    for line in RABKIN_KATZ.split():
        call, argument, value_type = line.split(",")
        wanted.add((call, int(argument), value_type))
    assert len(wanted) == 37
    assert wanted - known == set()


# --- samples


def only(rows: tuple[schema.ReadRow, ...], **wanted: object) -> schema.ReadRow:
    found = [
        row for row in rows if all(getattr(row, key) == value for key, value in wanted.items())
    ]
    assert len(found) == 1, found
    return found[0]


def test_system_property_and_its_default(models: Models):
    row = only(models.reads_by_method["getProperty"], type="java.lang.System")
    assert (row.name, row.default, row.min_args, row.max_args) == (0, 1, 1, 2)
    assert (row.domain, row.evidence, row.write) == ("system-property", "certain", False)


def test_properties_and_maps_need_a_role(models: Models):
    for method in ("get", "getOrDefault", "getProperty", "containsKey"):
        for row in models.reads_by_method[method]:
            if row.type in ("java.util.Properties", "java.util.Map", "java.util.Dictionary"):
                assert row.evidence == "role"


def test_hadoop_time_durations(models: Models):
    conf = "org.apache.hadoop.conf.Configuration"
    rows = models.reads_by_method["getTimeDuration"]
    short = only(rows, type=conf, max_args=3)
    assert (short.name, short.default, short.unit_argument, short.value_type) == (0, 1, 2, "time")
    long = only(rows, type=conf, max_args=4)
    assert (long.name, long.default, long.unit_argument) == (0, 1, 3)


def test_hadoop_names_all_getters(models: Models):
    getters = {
        row.method
        for row in models.reads
        if row.type == "org.apache.hadoop.conf.Configuration" and not row.write
    }
    assert getters == {
        "get",
        "getTrimmed",
        "getRaw",
        "getInt",
        "getInts",
        "getLong",
        "getLongBytes",
        "getFloat",
        "getDouble",
        "getBoolean",
        "getEnum",
        "getTimeDuration",
        "getTimeDurations",
        "getStorageSize",
        "getPattern",
        "getRange",
        "getStringCollection",
        "getStrings",
        "getTrimmedStringCollection",
        "getTrimmedStrings",
        "getPassword",
        "getPasswordFromCredentialProviders",
        "getSocketAddr",
        "getClasses",
        "getClass",
        "getInstances",
        "getLocalPath",
        "getFile",
        "onlyKeyExists",
    }


def test_hadoop_varargs_default(models: Models):
    rows = models.reads_by_method["getTrimmedStrings"]
    row = only(rows, type="org.apache.hadoop.conf.Configuration")
    assert (row.default, row.min_args, row.max_args) == ("rest", 1, None)


def test_kafka_define_has_its_overloads(models: Models):
    rows = [row for row in models.definitions_by_method["define"] if row.domain == "kafka"]
    assert {row.names for row in rows} == {(0,)}
    assert {row.type_argument for row in rows} == {1}
    shapes = [(row.max_args, row.default, row.validator, row.documentation) for row in rows]
    assert sorted(shapes, key=str) == sorted(
        [
            (4, None, None, 3),
            (5, 2, None, 4),
            (6, 2, 3, 5),
            (8, None, None, 3),
            (9, None, None, 3),
            (10, None, None, 3),
            (9, 2, None, 4),
            (10, 2, None, 4),
            (11, 2, None, 4),
            (10, 2, 3, 5),
            (11, 2, 3, 5),
            (12, 2, 3, 5),
        ],
        key=str,
    )


def test_flink_options_are_defined_here_and_read_there(models: Models):
    (key,) = models.definitions_by_method["key"]
    aspects = {
        (refinement.method, refinement.aspect, refinement.argument, refinement.value)
        for refinement in key.refinements
    }
    assert ("defaultValue", "default", 0, None) in aspects
    assert ("intType", "type", None, "integer") in aspects
    read = only(
        models.reads_by_method["get"], type="org.apache.flink.configuration.ReadableConfig"
    )
    assert (read.name, read.definition) == (0, True)


def test_spring_value_and_configuration_properties(models: Models):
    value = next(
        row
        for row in models.annotations_by_name["Value"]
        if row.type.startswith("org.springframework")
    )
    assert (value.role, value.names, value.placeholder) == ("option", ("value",), "spel")
    prefixes = {
        row.prefix
        for row in models.annotations_by_name["ConfigurationProperties"]
        if row.type.startswith("org.springframework")
    }
    assert prefixes == {"prefix", "value"}


def test_units_of_time(models: Models):
    units = models.constants_by_type["java.util.concurrent.TimeUnit"]
    assert {name: row.unit for name, row in units.items()} == {
        "NANOSECONDS": "ns",
        "MICROSECONDS": "us",
        "MILLISECONDS": "ms",
        "SECONDS": "s",
        "MINUTES": "min",
        "HOURS": "h",
        "DAYS": "d",
    }
    to_millis = [
        row for row in models.conversions_by_method["toMillis"] if row.type.endswith("TimeUnit")
    ]
    assert [(row.from_unit_argument, row.to_unit) for row in to_millis] == [
        (schema.RECEIVER, "ms")
    ]


def test_clocks(models: Models):
    (millis,) = models.clocks_by_method["currentTimeMillis"]
    assert (millis.unit, millis.elapsed) == ("ms", False)
    (nanos,) = models.clocks_by_method["nanoTime"]
    assert nanos.unit == "ns"


@pytest.mark.parametrize(
    ("domain", "name", "platform"),
    [
        ("system-property", "user.home", True),
        ("system-property", "line.separator", True),
        ("system-property", "os.arch", True),
        ("environment", "HOME", True),
        ("system-property", "java.net.preferIPv4Stack", False),
        ("system-property", "java.security.auth.login.config", False),
        ("system-property", "javax.net.ssl.trustStore", False),
        ("system-property", "java.rmi.server.hostname", False),
        ("environment", "JAVA_OPTS", False),
        ("properties", "user.home", False),
    ],
)
def test_platform_facts(models: Models, domain: str, name: str, platform: bool):
    assert models.is_platform(domain, name) is platform
