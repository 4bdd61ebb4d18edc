"""What values code surely rejects, and what is deprecated: discovery of small programs."""

from __future__ import annotations

import pytest

from conflens.options.discovery import discover
from conflens.options.limits import allows, joined, loosest
from conflens.options.model import UNLIMITED, Limits, Option, OptionType
from options.bound_support import models, program

KAFKA = "import org.apache.kafka.common.config.ConfigDef; import org.apache.kafka.common.config.ConfigDef.*;\n"
HADOOP = "import org.apache.hadoop.conf.Configuration;\n"
READ = 'int n = Integer.getInteger("pool.size", 5);'


def options(*sources: str) -> dict[str, Option]:
    table = discover(program(*sources), models()).table
    return {option.name: option for option in table.options}


def body(code: str, fields: str = "", more: str = "") -> Option:
    source = f"class T {{ {fields} void run(int other) {{ {code} use(n); }} void use(int n) {{}} {more} }}"
    return options(source)["pool.size"]


def bounds(limits: Limits) -> tuple[float | None, float | None, float | None, float | None]:
    return limits.minimum, limits.maximum, limits.above, limits.under


THROW = "throw new IllegalArgumentException();"
CHECKS = {
    "less than": (f"{READ} if (n < 1) {THROW}", (1, None, None, None)),
    "in a block": (f"{READ} if (n < 1) {{ use(0); {THROW} }}", (1, None, None, None)),
    "constant first": (f"{READ} if (0 >= n) {THROW}", (None, None, 0, None)),
    "either": (f"{READ} if (n < 1 || n > 64) {THROW}", (1, 64, None, None)),
    "negated": (f"{READ} if (!(n >= 1 && n < 64)) {THROW}", (1, None, None, 64)),
    "in the other arm": (f"{READ} if (n > 0) use(n); else {THROW}", (None, None, 0, None)),
    "after another check": (f"{READ} if (other < 0) {THROW} if (n < 2) {THROW}", (2, None, None, None)),
    "kept in a field": ("this.f = Integer.getInteger(\"pool.size\", 5); int n = 0;"
                        f" if (f < 3) {THROW}", (3, None, None, None)),
    "parsed": ('String s = System.getProperty("pool.size", "5"); int n = 0;'
               f" if (s != null) {{ n = Integer.parseInt(s.trim()); if (n < 1) {THROW} }}",
               (1, None, None, None)),
    "in a constant": (f"{READ} if (n > MOST) {THROW}", (None, 9, None, None)),
}  # fmt: skip
NOTHING = {
    "together with something else": f"{READ} if (n < 1 && other > 0) {THROW}",
    "a value that stands for none": f"{READ} if (n != -1 && n < 2) {THROW}",
    "only sometimes": f"{READ} if (other > 0) {{ if (n < 1) {THROW} }}",
    "after a way out": f"{READ} if (other > 0) return; if (n < 1) {THROW}",
    "mended instead": f"{READ} if (n < 1) n = 1;",
    "mended before": f"{READ} if (n < 1) n = 1; if (n < 1) {THROW}",
    "at least made so": f"{READ} n = Math.max(n, 1); if (n < 1) {THROW}",
    "only warned": f"{READ} if (n < 1) System.err.println(n);",
    "caught": f"{READ} try {{ if (n < 1) {THROW} }} catch (RuntimeException e) {{ n = 7; }}",
    "against no constant": f"{READ} if (n < other) {THROW}",
    "of another value": f"{READ} if (other < 1) {THROW}",
    "scaled": f"{READ} if (n * 2 < 10) {THROW}",
    "against its default": f"{READ} if (n < 6) {THROW}",
}


@pytest.mark.parametrize("name", CHECKS)
def test_a_throwing_check_sets_a_limit(name: str) -> None:
    code, wanted = CHECKS[name]
    option = body(code, fields="int f; static final int MOST = 9;")
    assert bounds(option.limits) == wanted
    assert option.limits.place is not None


@pytest.mark.parametrize("name", NOTHING)
def test_a_check_that_may_not_throw_sets_no_limit(name: str) -> None:
    assert bounds(body(NOTHING[name]).limits) == (None, None, None, None)


def test_a_checking_call_sets_a_limit() -> None:
    guava = "import com.google.common.base.Preconditions;\n"
    source = f"class T {{ void run() {{ {READ} Preconditions.checkArgument(n > 0, 1); }} }}"
    assert bounds(options(guava + source)["pool.size"].limits) == (None, None, 0, None)
    own = "class Preconditions { static void checkArgument(boolean b, int n) {} }"
    assert bounds(options(source + own)["pool.size"].limits) == (None, None, None, None)


def test_a_validator_sets_a_limit_and_the_looser_of_two_definitions_applies() -> None:
    source = KAFKA + (
        "class C { static final ConfigDef A = new ConfigDef()"
        '.define("a.n", Type.INT, 5, Range.between(1, 10), Importance.LOW, "D")'
        '.define("a.m", Type.INT, 5, Range.atLeast(0), Importance.LOW, "D");'
        " static final ConfigDef B = new ConfigDef()"
        '.define("a.m", Type.INT, 5, Range.atLeast(-1), Importance.LOW, "D"); }'
    )
    found = options(source)
    assert bounds(found["a.n"].limits) == (1, 10, None, None)
    assert bounds(found["a.m"].limits) == (-1, None, None, None)
    assert found["a.n"].limits.accepts == "integer"


def test_a_validator_closes_a_set() -> None:
    source = KAFKA + (
        "class C { static final ConfigDef A = new ConfigDef()"
        '.define("acks", Type.STRING, "all", ValidString.in("all", "0", "1"), Importance.LOW, "D")'
        '.define("mode", Type.STRING, "on", CaseInsensitiveValidString.in("ON", "OFF"), Importance.LOW, "D"); }'
    )
    found = options(source)
    assert found["acks"].limits.closed and not found["acks"].limits.ignores_case
    assert found["mode"].limits.closed and found["mode"].limits.ignores_case


ENUM = " enum Mode { FAST, SLOW }"
CLOSED = {
    "by name": ('Mode.valueOf(System.getProperty("x"))', True, False),
    "in any case": ('Mode.valueOf(System.getProperty("x").toUpperCase())', True, True),
    "in any case by a library": (
        'Mode.valueOf(org.apache.commons.lang3.StringUtils.upperCase(System.getProperty("x")))',
        True,
        True,
    ),
}


@pytest.mark.parametrize("name", CLOSED)
def test_an_enum_closes_a_set(name: str) -> None:
    code, closed, folded = CLOSED[name]
    option = options(f"class T {{ Object o = {code}; {ENUM} }}")["x"]
    assert option.values == ("FAST", "SLOW")
    assert (option.limits.closed, option.limits.ignores_case) == (closed, folded)


def test_an_enum_whose_failure_is_caught_does_not_close_a_set() -> None:
    code = (
        'Mode run() { String s = System.getProperty("x");'
        " try { return Mode.valueOf(s); } catch (IllegalArgumentException e) { return Mode.FAST; } }"
    )
    option = options(f"class T {{ {code} {ENUM} }}")["x"]
    assert option.values == ("FAST", "SLOW") and not option.limits.closed


@pytest.mark.parametrize(("end", "closed"), [(THROW, True), ("run();", False)])
def test_a_switch_closes_a_set_if_its_default_throws(end: str, closed: bool) -> None:
    code = (
        'void run() { String s = System.getProperty("x"); switch (s) {'
        f' case "fast": run(); break; case "slow": run(); break; default: {end} }} }}'
    )
    option = options(f"class T {{ {code} }}")["x"]
    assert option.limits.closed is closed


def test_the_class_named_by_a_value_must_extend_a_type() -> None:
    source = HADOOP + (
        "class T { interface Codec {} static class Plain implements Codec {}"
        " void run(Configuration conf) throws Exception {"
        ' conf.getClass("io.codec", Plain.class, Codec.class).newInstance();'
        ' Codec c = (Codec) Class.forName(System.getProperty("my.codec")).newInstance(); } }'
    )
    found = options(source)
    assert found["io.codec"].limits.supertype == "T.Codec"
    assert found["my.codec"].limits.supertype == "T.Codec"


def test_which_texts_a_read_accepts() -> None:
    source = HADOOP + (
        "class T { int own(String name) { return Integer.parseInt(System.getProperty(name)); }"
        " int sized(String name) { String s = System.getProperty(name);"
        ' if (s.endsWith("k")) return Integer.parseInt(s.substring(1)) * 1024; return Integer.parseInt(s); }'
        " void run(Configuration conf) {"
        ' use(conf.getInt("a.int", 1), conf.getBoolean("a.flag", true), Boolean.getBoolean("b.flag"),'
        ' own("o.n"), sized("s.n")); } void use(Object... o) {} }'
    )
    found = {name: option.limits.accepts for name, option in options(source).items()}
    assert found == {
        "a.int": "integer",
        "a.flag": "true-else-default",
        "b.flag": "true-only",
        "o.n": "integer",
        "s.n": "",
    }


@pytest.mark.parametrize(
    ("code", "accepts"),
    [
        ('try { return Integer.parseInt(System.getenv("a.n")); } catch (NumberFormatException e) { return 4; }', ""),
        ('try { return Integer.parseInt(System.getenv("a.n")); } catch (IllegalArgumentException | NullPointerException e) { log(e); } return 4;', ""),
        ('int n = 4; try { n = Integer.valueOf(System.getenv("a.n")); } catch (Exception e) { } return n;', ""),
        ('return own("a.n", 4);', ""),
        ('try { return Integer.parseInt(System.getenv("a.n")); } catch (NumberFormatException e) { throw new Error(e); }', "integer"),
        ('try { return Integer.parseInt(System.getenv("a.n")); } catch (java.io.IOException e) { return 4; }', "integer"),
        ('try { return Integer.parseInt(System.getenv("a.n")); } catch (NullPointerException e) { return 4; }', "integer"),
        ('try { return Integer.parseInt(System.getenv("a.n")); } finally { log(4); }', "integer"),
        ('int n = Integer.parseInt(System.getenv("a.n")); try { log(n); } catch (Exception e) { } return n;', "integer"),
        ('return strict("a.n");', "integer"),
    ],
)  # fmt: skip
def test_what_is_replaced_where_a_conversion_fails_is_taken(code: str, accepts: str) -> None:
    source = (
        f"class A {{ int a() {{ {code} }} void log(Object o) {{ }}"
        " static int own(String k, int d) { try { return Integer.parseInt(System.getenv(k)); } catch (NumberFormatException e) { return d; } }"
        " static int strict(String k) { return Integer.parseInt(System.getenv(k)); } }"
    )
    assert options(source)["a.n"].limits.accepts == accepts


def test_constraints_of_bound_fields() -> None:
    source = (
        "import javax.validation.constraints.*; import org.yaml.snakeyaml.Yaml;\n"
        "class T { Config read() { return new Yaml().loadAs(\"\", Config.class); } }\n"
        "class Config { @Min(1) @Max(8) public int size = 2; @Positive public int most = 3;"
        " public Mode mode = Mode.SLOW; enum Mode { FAST, SLOW } @Deprecated public int old = 1;"
        " @DecimalMin(value = \"0\", inclusive = false) public double part = 0.5; }"
    )  # fmt: skip
    found = options(source)
    assert bounds(found["size"].limits) == (1, 8, None, None)
    assert bounds(found["most"].limits) == (None, None, 0, None)
    assert bounds(found["part"].limits) == (None, None, 0, None)
    assert found["mode"].limits.closed
    assert [name for name, option in found.items() if option.deprecated] == ["old"]


def test_deprecated_by_its_constant() -> None:
    keys = (
        "class Keys { /** Old.\n * @deprecated use {@link #NEW} instead */ @Deprecated static final String OLD = \"a.old\";"
        ' static final String NEW = "a.new";'
        " /** @deprecated Nobody wants it. */ static final String TIRED = \"a.tired\";"
        " /** @deprecated use {@link Other#SAME} */ static final String SAME = \"a.same\"; }"
        ' class Other { static final String SAME = "a.same"; }'
    )  # fmt: skip
    names = ("OLD", "NEW", "TIRED", "SAME")
    reads = " ".join(
        f"String s{n} = System.getProperty(Keys.{name});" for n, name in enumerate(names)
    )
    found = {
        name: option.deprecated for name, option in options(keys, f"class T {{ {reads} }}").items()
    }
    assert found == {
        "a.old": "use a.new",
        "a.new": "",
        "a.tired": "Nobody wants it",
        "a.same": "",
    }


def test_one_name_in_two_constants_is_deprecated_only_if_both_are() -> None:
    keys = 'class Old { @Deprecated static final String A = "a.x"; } class New { static final String A = "a.x"; }'
    both = "class T { String s = System.getProperty(Old.A), t = System.getProperty(New.A); }"
    assert options(keys, both)["a.x"].deprecated == ""
    one = "class T { String s = System.getProperty(Old.A); }"
    assert options(keys, one)["a.x"].deprecated == "deprecated"


def test_superseded_names_of_hadoop() -> None:
    source = HADOOP + (
        "class T { static { Configuration.addDeprecations(new Configuration.DeprecationDelta[] {"
        ' new Configuration.DeprecationDelta("io.old", "io.new") }); }'
        ' int run(Configuration conf) { return conf.getInt("io.new", 1); } }'
    )
    found = options(source)
    assert (found["io.old"].deprecated, found["io.old"].reads) == ("use io.new", ())
    assert found["io.new"].deprecated == ""


def test_a_name_that_is_to_be_replaced_by_itself_is_not_superseded() -> None:
    source = HADOOP + (
        'class T { static final String DIR = "io.dir"; static { Configuration.addDeprecations('
        'new Configuration.DeprecationDelta[] { new Configuration.DeprecationDelta("io.dir", DIR) }); }'
        " String run(Configuration conf) { return conf.get(DIR); } }"
    )
    assert options(source)["io.dir"].deprecated == ""


def test_combined_limits() -> None:
    low, high = Limits(minimum=1), Limits(maximum=0)
    assert joined([low, Limits(minimum=3)]) == Limits(minimum=3)
    assert joined([low, high]) == UNLIMITED
    assert loosest([low, Limits(minimum=3)]) == low
    assert loosest([low, UNLIMITED]) == UNLIMITED
    assert [allows(Limits(above=0, under=2), number) for number in (0, 1, 2)] == [
        False,
        True,
        False,
    ]


def test_a_condition_on_presence_accepts_any_text() -> None:
    found = options(
        "import org.springframework.boot.autoconfigure.condition.*;\n"
        '@ConditionalOnProperty("store.url") class T {}\n'
        '@ConditionalOnProperty(name = "store.on", havingValue = "true") class U {}\n'
    )
    assert (found["store.url"].type, found["store.url"].limits.accepts) == (OptionType.BOOLEAN, "")
    assert found["store.on"].limits.accepts == "switch"


def test_what_is_cast_to_a_constructor_is_no_object_of_the_class() -> None:
    found = options(
        "import java.lang.reflect.Constructor;\n"
        "class T { interface Codec {}\n"
        "    Codec codec() throws Exception {\n"
        '        Class type = Class.forName(System.getProperty("my.codec"));\n'
        "        Constructor<? extends Codec> made = (Constructor<? extends Codec>) type.getDeclaredConstructor();\n"
        "        return made.newInstance();\n"
        "    }\n"
        "}\n"
    )
    assert (found["my.codec"].type, found["my.codec"].limits.supertype) == (OptionType.CLASS, "")


def test_a_truth_value_of_commons_configuration() -> None:
    found = options(
        "import org.apache.commons.configuration2.Configuration;\n"
        'class T { boolean on(Configuration c) { return c.getBoolean("app.on", true); } }\n'
    )
    assert (found["app.on"].type, found["app.on"].limits.accepts) == (OptionType.BOOLEAN, "switch")


def test_a_cast_to_a_type_variable_says_nothing_of_the_class() -> None:
    found = options(
        "class T { <R> R made(String name) throws Exception {"
        " return (R) Class.forName(name).getDeclaredConstructor().newInstance(); }"
        ' Runnable run() throws Exception { return made(System.getProperty("my.task")); } }'
    )
    assert (found["my.task"].type, found["my.task"].limits.supertype) == (OptionType.CLASS, "")


TIMES = (
    "class T {"
    " long time(String name) { String s = System.getProperty(name); return s == null ? 7 : millis(s); }"
    ' long millis(String s) { if (s.endsWith("ms")) return Long.parseLong(s.substring(0, s.length() - 2));'
    ' return java.time.Duration.parse("PT" + s).toMillis(); }'
    " long plain(String name) { return number(System.getProperty(name)); }"
    " long number(String s) { return Long.parseLong(s); }"
    ' void run() { sleep(time("a.wait"), plain("b.wait"), BOTH); } void sleep(long... times) {} }'
)


@pytest.mark.parametrize(
    ("other", "accepts"), [("0", ""), ('Integer.parseInt(System.getProperty("a.wait"))', "")]
)
def test_a_method_that_parses_in_its_own_way_may_take_what_another_read_does_not(
    other: str, accepts: str
) -> None:
    found = options(TIMES.replace("BOTH", other))
    assert found["a.wait"].limits.accepts == accepts
    assert found["b.wait"].limits.accepts == "integer"
