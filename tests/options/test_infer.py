"""What an option's value is inferred to be: each program reads one option with ``System.getProperty``.

Programs marked with a reason in ``NOT`` look like something they are not.
"""

from __future__ import annotations

import attrs
import pytest

from conflens.options.inference.evidence import (
    CERTAIN,
    DECLARED,
    NOT_FOLLOWED,
    PRESENCE,
    SWITCH,
    WEAK,
    Evidence,
    decide,
)
from conflens.options.inference.inference import Inferrer, combine
from conflens.options.model import OptionType, ReadKind
from conflens.options.sites import NO_HINT, Hint, Inference, Site
from conflens.program.refs import MemberRef
from flow.support import call, member, models, program

_IMPORTS = (
    "import java.util.*; import java.util.concurrent.*; import java.io.*; import java.nio.file.*;"
    " import java.net.*; import java.time.Duration; import java.util.regex.Pattern;"
)


def site(ref: MemberRef, value: int, **changes: object) -> Site:
    """Return a read at an instruction."""
    plain = Site(
        ref, value, ReadKind.CALL, "d", "Api.get", (("x",),), -1, 0, 0, 0, 0, 0, followed=value
    )
    return attrs.evolve(plain, **changes)


def infer(
    code: str,
    *,
    name: str = "x",
    default: str | None = None,
    reader: str = "getProperty",
    hint: Hint = NO_HINT,
    more: str = "",
    fields: str = "",
) -> Inference:
    """Infer the option that ``code``, the body of a method, reads."""
    made = program(
        f"{_IMPORTS} class T {{ {fields} void run() throws Exception {{ {code} }} }} {more}"
    )
    ref, value = call(made, reader)
    return Inferrer(made, models()).infer(site(ref, value, hint=hint), default, name)


READ = 'System.getProperty("x")'
INT = 'int n = Integer.getInteger("x");'

TYPES = {
    "by a conversion: boolean": (f"if (Boolean.parseBoolean({READ})) run();", "boolean", ""),
    "by a conversion: integer": (f"int n = Integer.parseInt({READ}.trim());", "integer", ""),
    "by a conversion: fraction": (f"double n = Double.parseDouble({READ});", "fraction", ""),
    "boxed": (f"Long n = Long.valueOf({READ}); run();", "integer", ""),
    "compared with true": (f'if ("true".equals({READ})) run();', "boolean", ""),
    "compared with yes": (f'boolean b = {READ}.equalsIgnoreCase("yes");', "boolean", ""),
    "opened": (f"new FileInputStream({READ}).close();", "file", ""),
    "a path": (f"Files.readAllBytes(Paths.get({READ}));", "file", ""),
    "start of a path": (f'new File({READ} + "/log").delete();', "file", ""),
    "loaded": (f"Class.forName({READ}).newInstance();", "class", ""),
    "resolved": (f"InetAddress.getByName({READ});", "address", ""),
    "a location": (f"new URL({READ}).openStream();", "uri", ""),
    "a location, made a file": (f"new File(new URL({READ}).toURI());", "uri", ""),
    "a pattern": (f"Pattern.compile({READ});", "regex", ""),
    "split": (f'for (String s : {READ}.split(",")) run();', "list", ""),
    "split into files": (f'for (String s : {READ}.split(",")) new File(s).delete();', "list", ""),
    "slept": (f"Thread.sleep(Long.parseLong({READ}));", "time", "ms"),
    "slept, in seconds": (f"Thread.sleep(1000 * Long.parseLong({READ}));", "time", "s"),
    "by a time unit": (f"TimeUnit.MINUTES.sleep(Long.parseLong({READ}));", "time", "min"),
    "by a unit argument": (
        f"ExecutorService e = null; e.awaitTermination(Long.parseLong({READ}), TimeUnit.SECONDS);",
        "time",
        "s",
    ),
    "by a unit that is not known": (
        f"TimeUnit u = null; u.sleep(Long.parseLong({READ}));",
        "time",
        "",
    ),
    "a duration": (f"Duration d = Duration.ofDays(Long.parseLong({READ}));", "time", "d"),
    "a deadline": (
        f"long end = System.currentTimeMillis() + Long.parseLong({READ}); if (end > 0) run();",
        "time",
        "ms",
    ),
    "an elapsed time": (
        f"long start = System.nanoTime(); long max = Long.parseLong({READ});"
        " while (System.nanoTime() - start < max) run();",
        "time",
        "ns",
    ),
    "an elapsed time in other units": (
        f"long start = System.nanoTime(); long max = Long.parseLong({READ});"
        " if ((System.nanoTime() - start) / 1000000 > max) run();",
        "time",
        "ms",
    ),
    "a time since a field": (
        f"last = System.currentTimeMillis(); long max = Long.parseLong({READ});"
        " long now = b(); if (now - last > max) run();",
        "time",
        "ms",
    ),
    "a buffer": (f"byte[] b = new byte[Integer.parseInt({READ})];", "size", "bytes"),
    "a buffer in kilobytes": (
        f"byte[] b = new byte[Integer.parseInt({READ}) << 10];",
        "size",
        "KB",
    ),
    "an array": (f"String[] b = new String[Integer.parseInt({READ})];", "integer", "count"),
    "threads": (f"Executors.newFixedThreadPool(Integer.parseInt({READ}));", "integer", "count"),
    "a port": (f"new ServerSocket(Integer.parseInt({READ}));", "port", ""),
    "read as integer, used as port": (f"{INT} new ServerSocket(n);", "port", ""),
    "read as boolean": ('if (Boolean.getBoolean("x")) run();', "boolean", ""),
    "a password": (
        f'java.sql.DriverManager.getConnection("u", "sa", {READ});',
        "password",
        "",
    ),
    "an algorithm": (f"java.security.MessageDigest.getInstance({READ});", "string", ""),
    "through a field": (f"at = {READ}; new File(at).delete();", "file", ""),
    "through a method": (f"open({READ});", "file", ""),
    "through an option": (
        f"Optional.ofNullable({READ}).map(Integer::parseInt).orElse(3);",
        "integer",
        "",
    ),
    "through a lambda": (
        f"Optional.ofNullable({READ}).map(s -> Integer.parseInt(s)).orElse(3);",
        "integer",
        "",
    ),
}
_READERS = {"read as integer, used as port": "getInteger", "read as boolean": "getBoolean"}
_FIELDS = (
    "long last; native long b(); String at; static void open(String s) { new File(s).delete(); }"
)


@pytest.mark.parametrize("what", TYPES)
def test_type_and_unit(what: str) -> None:
    code, type_, unit = TYPES[what]
    found = infer(code, reader=_READERS.get(what, "getProperty"), fields=_FIELDS)
    assert (found.type.value, found.unit) == (type_, unit), found.why


def test_long_expressions_are_cut_off_without_recursion() -> None:
    chain = " + ".join(["n"] * 2000)
    found = infer(
        f"{INT} long start = System.nanoTime(); if (n > 1 + {chain}) run();", reader="getInteger"
    )
    assert found.type is OptionType.INTEGER
    tests = " && ".join(["s.isEmpty()"] * 2000)
    found = infer(f'String s = {READ}; String t = {tests} ? "d" : s; new File(t);')
    assert (found.type, found.default) == (OptionType.UNKNOWN, "d")


NOT = {
    "a count compared with a count": (f"{INT} int i = 0; if (i > n) run();", "integer"),
    "a factor of a time": (f"{INT} int tick = b(); Thread.sleep(n * tick);", "integer"),
    "the number of turns": (f"{INT} for (int i = 0; i < n; i++) Thread.sleep(5);", "integer"),
    "a text that is only logged": (f'System.out.println("x is " + {READ});', "string"),
    "a text whose length is used": (f"byte[] b = new byte[{READ}.length()];", "string"),
    "a text compared with one name": (f'if ({READ}.equals("none")) run();', "mode"),
    "host and port": (f'String[] p = {READ}.split(":"); run();', "unknown"),
    "a value nobody sees": (f"f({READ});", "unknown"),
    "a value put into arguments": (f'm("%s", {READ});', "unknown"),
}


@pytest.mark.parametrize("what", NOT)
def test_the_result_is_no_more_precise_than_the_evidence(what: str) -> None:
    code, type_ = NOT[what]
    reader = "getInteger" if INT in code else "getProperty"
    fields = (
        "void m(String f, Object... rest) { for (Object o : rest) hashCode(); } native int b();"
    )
    found = infer(code, reader=reader, fields=fields)
    assert found.type.value == type_, found.why
    assert found.unit in ("", "count")


MODES = {
    "a chain": (
        f'String s = {READ}; if (s.equals("sync")) run(); else if ("async".equals(s)) run();',
        ("sync", "async"),
    ),
    "a switch": (f'switch ({READ}) {{ case "a": case "b": run(); }}', ("a", "b")),
    "an enum": (f"Mode m = Mode.valueOf({READ}.toUpperCase());", ("FAST", "SAFE")),
    "an enum by its class": (f"Mode m = Enum.valueOf(Mode.class, {READ});", ("FAST", "SAFE")),
    "an enum by reference": (f"Optional.of({READ}).map(Mode::valueOf);", ("FAST", "SAFE")),
    "an enum of the JDK": (
        f"java.nio.file.AccessMode m = java.nio.file.AccessMode.valueOf({READ});",
        ("READ", "WRITE", "EXECUTE"),
    ),
    "a look-up by name": (
        f"String s = {READ}; for (Mode m : Mode.values()) if (m.name().equalsIgnoreCase(s)) f(m);",
        ("FAST", "SAFE"),
    ),
    "a look-up by a field": (f"Level.of({READ});", ("low", "high")),
    "a look-up by a text of its own": (f"Level.named({READ});", ("low", "high")),
    "a constant set": (f'if (Set.of("a", "b").contains({READ})) run();', ("a", "b")),
    "a constant set elsewhere": (f"if (KNOWN.contains({READ})) run();", ("x", "y")),
    "a constant map": (f"Object o = MAP.get({READ});", ("k", "l")),
    "a switch over numbers": (
        f"switch (Integer.parseInt({READ})) {{ case 0: case 1: case 2: run(); }}",
        ("0", "1", "2"),
    ),
}


_ENUMS = """
enum Mode { FAST, SAFE; static final int N = 1; }
enum Level {
    LOW("low"), HIGH("high");
    final String text;
    Level(String text) { this.text = text; }
    public String toString() { return text; }
    static Level of(String s) { for (Level l : values()) if (l.text.equals(s)) return l; return null; }
    static Level named(String s) { for (Level l : values()) if (s.equals(l.toString())) return l; return null; }
}
"""
_SETS = """
static final Set<String> KNOWN = Collections.unmodifiableSet(Set.of("x", "y"));
static final Map<String, Integer> MAP = Map.of("k", 1, "l", 2);
"""


@pytest.mark.parametrize("what", MODES)
def test_modes(what: str) -> None:
    code, values = MODES[what]
    found = infer(code, more=_ENUMS, fields=_SETS)
    assert (found.type, found.values) == (OptionType.MODE, values), found.why


def test_an_open_collection_allows_any_value() -> None:
    fields = "Set<String> known = new HashSet<>(); String other;"
    code = f"if (known.contains({READ})) run(); known.add(other);"
    assert infer(code, fields=fields).type is not OptionType.MODE


@pytest.mark.parametrize(
    ("more", "type_"),
    [
        ('if (s.startsWith("c")) run();', OptionType.STRING),
        ("map.put(s, s);", OptionType.STRING),
        ("client.setMode(s);", OptionType.STRING),
        ("run(); int n = Integer.parseInt(s);", OptionType.INTEGER),
        ("if (s.isEmpty() || s.length() > 3) run();", OptionType.MODE),
        ("throw new RuntimeException(s);", OptionType.MODE),
        ('map.put("k", s); throw new RuntimeException();', OptionType.MODE),
        ("System.out.println(s);", OptionType.MODE),
    ],
)
def test_compared_values_are_all_unless_something_else_is_done(
    more: str, type_: OptionType
) -> None:
    code = f'String s = {READ}; if (s.equals("a")) run(); else if (s.equals("b")) stop(); else {{ {more} }}'
    fields = "Map<String, String> map; org.lib.Client client;"
    assert infer(code, fields=fields).type is type_


def test_contradictory_evidence_gives_no_type() -> None:
    file, class_ = (Evidence(OptionType(t), t, CERTAIN) for t in ("file", "class"))
    named = Evidence(OptionType.FILE, "named x.file", WEAK)
    assert decide([file, class_, named]).type is OptionType.UNKNOWN
    assert decide([file, file, named]).type is OptionType.FILE
    time, size = (Evidence(OptionType(t), t, CERTAIN) for t in ("time", "size"))
    assert decide([time, size]).type is OptionType.INTEGER
    assert decide([]).type is OptionType.UNKNOWN


def test_a_returned_type_is_sufficient() -> None:
    more = "enum Mode { A, B } class Conf { Mode mode() { return null; } Duration wait_() { return null; } }"
    code = "new Conf().mode().name();"
    found = infer(code, reader="mode", more=more)
    assert (found.type, found.values) == (OptionType.MODE, ("A", "B"))
    found = infer("new Conf().wait_().toMillis();", reader="wait_", more=more)
    assert (found.type, found.why) == (OptionType.TIME, "returned by Api.get")


@pytest.mark.parametrize(
    ("code", "default"),
    [
        (f'String s = {READ}; s = s == null ? "d" : s; new File(s);', "d"),
        (f'String s = {READ}; String t = s != null ? s : "d"; new File(t);', "d"),
        (f'String s = {READ}; if (s == null) s = "d"; new File(s);', "d"),
        (
            f'String s = {READ}; if (s == null) {{ s = "d"; }} else {{ s = s.trim(); }} new File(s);',
            "d",
        ),
        (f"String s = {READ}; int n = 7; if (s != null) n = Integer.parseInt(s); f(n);", "7"),
        (
            f"String s = {READ}; int n; if (s != null) n = Integer.parseInt(s); else n = 8; f(n);",
            "8",
        ),
        (f'new File(Optional.ofNullable({READ}).orElse("d"));', "d"),
        (f'new File(Objects.requireNonNullElse({READ}, "d"));', "d"),
        (f'String s = {READ}; new File(s == null || s.isEmpty() ? "d" : s);', "d"),
        (f"String s = {READ}; s = s == null ? f() : s; new File(s);", None),
        (f'String s = "d"; s = {READ}; new File(s);', None),
        (f'String s = {READ}; String t = b() ? s : "d"; new File(t);', None),
        (f'int n = Integer.parseInt({READ}); f("uses " + (n == 0 ? "no" : n));', None),
    ],
)
def test_default_in_control_flow(code: str, default: str | None) -> None:
    assert infer(code).default == default


@pytest.mark.parametrize(
    ("name", "type_", "unit"),
    [
        ("a.timeout.ms", "time", "ms"),
        ("aDelayMillis", "time", "ms"),
        ("window_in_secs", "time", "s"),
        ("a.timeout", "time", ""),
        ("cacheSizeInMb", "size", "MB"),
        ("max.bytes", "size", "bytes"),
        ("in_bytes_per_ip", "size", "bytes"),
        ("rate_mb_per_sec", "size", "MB/s"),
        ("http.port", "port", ""),
        ("retries", "integer", "count"),
        ("requests.per.second", "integer", ""),
        ("timeout.retries", "integer", "count"),
        ("report", "integer", ""),
        ("items", "integer", ""),
    ],
)
def test_names_refine_integers(name: str, type_: str, unit: str) -> None:
    found = infer(f"{INT} f(n);", reader="getInteger", name=name)
    assert (found.type.value, found.unit) == (type_, unit)


def test_names_override_nothing() -> None:
    assert (
        infer('if (Boolean.getBoolean("x")) run();', reader="getBoolean", name="a.ms").type
        is OptionType.BOOLEAN
    )
    found = infer(f"Executors.newFixedThreadPool(Integer.parseInt({READ}));", name="pool.timeout")
    assert (found.type, found.unit) == (OptionType.INTEGER, "count")
    found = infer(f"Thread.sleep(1000 * Long.parseLong({READ}));", name="wait.ms")
    assert (found.type, found.unit) == (OptionType.TIME, "s")
    assert infer(f"new File({READ});", name="password").type is OptionType.FILE


def test_names_of_string_options() -> None:
    assert infer(f"f({READ});", name="db.password").type is OptionType.PASSWORD
    assert infer(f"f({READ});", name="log.dir").type is OptionType.FILE


def test_a_variable_along_the_way_names_the_unit() -> None:
    fields = "static void delay(int millis) { f(millis); }"
    found = infer(f"{INT} delay(n);", reader="getInteger", fields=fields)
    assert (found.type, found.unit, found.why) == (OptionType.TIME, "ms", "stored in millis")
    found = infer(f"{INT} delay(n * 1000);", reader="getInteger", fields=fields)
    assert found.unit == "s"


def test_defaults_support() -> None:
    assert infer(f"f({READ});", default="true").type is OptionType.BOOLEAN
    assert infer(f"f({READ});", default="12").type is OptionType.INTEGER
    assert infer(f"f({READ});", default="0.9").type is OptionType.UNKNOWN


def test_hints() -> None:
    found = infer(f"f({READ});", hint=Hint(OptionType.TIME, "s"))
    assert (found.type, found.unit) == (OptionType.TIME, "s")
    found = infer(f"f({READ});", hint=Hint(OptionType.SIZE, "B"))
    assert (found.type, found.unit) == (OptionType.SIZE, "bytes")
    found = infer(f"new File({READ});", hint=Hint(OptionType.STRING))
    assert found.type is OptionType.FILE
    found = infer(f"f({READ});", hint=Hint(OptionType.MODE, values=("a", "b")))
    assert found.values == ("a", "b")


def test_declared_values_make_a_mode() -> None:
    listed = Hint(OptionType.STRING, values=("fast", "safe"))
    found = infer(
        f"Mode m = Mode.valueOf({READ}.toUpperCase());",
        hint=listed,
        more="enum Mode { FAST, SAFE }",
    )
    assert (found.type, found.values) == (OptionType.MODE, ("fast", "safe"))


def test_values_without_a_type_take_that_of_a_nearby_cast() -> None:
    fields = "static Map<String, Object> m; static Object twice(Object o) { return (Integer) o; }"
    near = infer('Object o = m.get("x"); f((Boolean) o);', reader="get", fields=fields)
    assert (near.type, near.why) == (OptionType.BOOLEAN, "cast to Boolean")
    far = infer('twice(m.get("x"));', reader="get", fields=fields)
    assert far.type is OptionType.UNKNOWN
    text = infer(
        'String s = (String) m.get("x"); if (s.isEmpty()) run();', reader="get", fields=fields
    )
    assert text.type is OptionType.STRING


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (f"Thread.sleep(Long.parseLong({READ}));", "passed to Thread.sleep"),
        (f"new File({READ});", "passed to new File"),
        (
            f"Runnable r = (Runnable) Class.forName({READ}).newInstance();",
            "passed to Class.forName, cast to Runnable",
        ),
        (
            f"Runnable r = (Runnable) Class.forName({READ}).getConstructor().newInstance();",
            "passed to Class.forName, cast to Runnable",
        ),
        (f'if ("true".equals({READ})) run();', "equals 'true'"),
        (
            f"long n = Long.parseLong({READ}); if (n > System.currentTimeMillis()) run();",
            "compared with System.currentTimeMillis",
        ),
        (f'String s = {READ}; if (s.equals("a") || s.equals("b")) run();', "equals 'a', 'b'"),
    ],
)
def test_evidence_of_a_type(code: str, why: str) -> None:
    assert infer(code).why == why


def test_unused() -> None:
    assert infer(f"{READ};").unused
    assert not infer(f"new File({READ});").unused
    assert not infer(f"f({READ});").unused


def test_a_wrapper_with_side_effects_is_not_unused() -> None:
    fields = "static boolean removeSetting(String s) { return true; } static int getSetting() { return 1; }"
    assert not infer('removeSetting("x");', reader="removeSetting", fields=fields).unused
    assert infer("getSetting();", reader="getSetting", fields=fields).unused


def test_members() -> None:
    made = program(
        "class C { public int timeout_in_ms = 5; public String dir; void setPort(int p) { new java.net.ServerSocket(p); }"
        " Class<?> factory() { return null; } }"
        "class U { void use(C c) { new java.io.File(c.dir); } }"
    )
    inferrer = Inferrer(made, models())

    def of(name: str) -> Inference:
        return inferrer.infer_member(member(made, name), NO_HINT, None, name)

    assert (of("timeout_in_ms").type, of("timeout_in_ms").unit) == (OptionType.TIME, "ms")
    assert of("dir").type is OptionType.FILE
    assert of("setPort").type is OptionType.PORT
    assert of("factory").type is OptionType.CLASS
    assert of("dir").files == {"A.java"}
    assert inferrer.infer_hint(Hint(java_type="int"), None, "a.port").type is OptionType.PORT


def test_a_dispatched_value_is_followed_in_its_arm_only() -> None:
    made = program(
        "class T { void set(String key, String value) {"
        ' if (key.equals("a")) { check(value); new java.io.File(value); }'
        ' else if (key.equals("b")) { System.exit(Integer.parseInt(value)); } }'
        " static void check(String s) { } }"
    )
    ref, compared = call(made, "equals")
    check = call(made, "check")[1]
    dispatch = site(ref, compared, kind=ReadKind.DISPATCH, followed=check - 1)
    found = Inferrer(made, models()).infer(dispatch, None, "a")
    assert found.type is OptionType.FILE


@pytest.mark.parametrize(
    ("arm", "type_"),
    [("quiet = true;", "boolean"), ("i++;", "unknown"), ("i += 2;", "unknown")],
)
def test_a_switch_gives_no_further_evidence(arm: str, type_: str) -> None:
    made = program(
        "class T { boolean quiet; void run(String[] args) { for (int i = 0; i < args.length; i++)"
        f' if (args[i].equals("-q")) {{ {arm} }} }} }}'
    )
    ref, compared = call(made, "equals")
    alone = site(ref, compared, kind=ReadKind.DISPATCH, followed=-1)
    found = Inferrer(made, models()).infer(alone, None, "-q")
    assert (found.type.value, found.files) == (type_, {"A.java"})
    switch = said("boolean", SWITCH)
    assert combine([switch, found]).type.value == type_
    assert combine([switch, said("unknown", NOT_FOLLOWED)]).type is OptionType.BOOLEAN


# -- several reads of one option --------------------------------------------------------------------


def said(
    type_: str, why: str = "w", unit: str = "", values: tuple[str, ...] = (), **more: object
) -> Inference:
    """Return an inference."""
    plain = Inference(OptionType(type_), why, values, unit, False, None, frozenset({"A.java"}))
    return attrs.evolve(plain, **more)


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["integer", "time"], "time"),
        (["string", "file"], "file"),
        (["file", "class"], "unknown"),
        (["time", "size"], "integer"),
        (["unknown", "boolean"], "boolean"),
        (["mode", "class"], "class"),
        (["file", "list"], "list"),
        (["boolean", "integer"], "unknown"),
        ([], "unknown"),
    ],
)
def test_combine(types: list[str], expected: str) -> None:
    found = combine([said(type_) for type_ in types])
    assert found.type.value == expected
    assert combine([said(type_) for type_ in reversed(types)]).type.value == expected


def test_combine_units_values_and_the_rest() -> None:
    assert combine([said("time", unit="ms"), said("time")]).unit == "ms"
    assert combine([said("time", unit="ms"), said("time", unit="s")]).unit == ""
    both = combine([said("mode", values=("a", "b")), said("mode", values=("b", "c"))])
    assert both.values == ("a", "b", "c")
    assert combine([said("time", default="5"), said("time")]).default == "5"
    assert combine([said("time", default="5"), said("time", default="6")]).default is None
    assert combine([said("time", files=frozenset({"B.java"})), said("time")]).files == {
        "A.java",
        "B.java",
    }
    assert not combine([said("time", unused=True), said("time")]).unused
    assert combine([said("time", unused=True)]).unused


def test_a_definition_settles_disagreement_between_reads() -> None:
    declared = said("boolean", DECLARED)
    assert combine([said("integer"), declared, said("class")]).type is OptionType.BOOLEAN
    listed = said("mode", DECLARED, values=("a", "b"))
    assert combine([said("mode", values=("A", "B")), listed]).values == ("a", "b")


def test_a_value_outweighs_a_presence_test_and_a_discarded_read() -> None:
    assert combine([said("boolean", PRESENCE), said("string")]).type is OptionType.STRING
    assert combine([said("boolean", SWITCH), said("unknown", "")]).type is OptionType.UNKNOWN
    assert combine([said("boolean", PRESENCE)]).type is OptionType.BOOLEAN
    declared = said("unknown", "", files=frozenset())
    assert combine([said("boolean", PRESENCE), declared]).type is OptionType.BOOLEAN
    discarded = said("boolean", "returned by C.remove", unused=True)
    assert combine([discarded, said("string")]).type is OptionType.STRING
