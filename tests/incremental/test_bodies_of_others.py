"""An edit inside a body changes what other files' reads mean: the next answer is that of a fresh scan.

Each case changes one file inside bodies only, so that no surface changes, and names what the other
file's reads rest on.
"""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from session.support import living_and_fresh, session

A, B, C = "src/p/A.java", "src/p/B.java", "src/p/C.java"
KEYS = """package p; class B { String host; int size; boolean on; void set(String key, String value) {
    if (key.equals("host")) host = value; else if (key.equals("size")) size = Integer.parseInt(value);
    else if (key.equals("on")) on = Boolean.parseBoolean(value); } }"""
PASSES = """package p; import java.util.*; class A { void m(Properties props, B b) {
    for (String k : props.stringPropertyNames()) b.set(k, props.getProperty(k)); } }"""
PASSES_NOT = "package p; import java.util.*; class A { void m(Properties props, B b) { } }"
MAP = """package p; import java.util.*; class B { String h; int s; void m(Map<String,String> things) {
    h = things.get("x.host"); s = Integer.parseInt(things.get("x.size")); } }"""
KEYED = """package p; class B { private final String key; B(String key) { this.key = key; }
    int get() { return Integer.getInteger("pre." + key, 1); } }"""
PREFIXED = """package p; class B { private final String prefix; B(String prefix) { this.prefix = prefix; }
    int get(String name) { return Integer.getInteger(prefix + name, 1); } }"""
PROP = """package p; class Prop { final String key; final String value; final String note;
    Prop(String key, String value, String note) { this.key = key; this.value = value; this.note = note; }
    static final Prop MAX = new Prop("b.max", "16", "x"); static final Prop WAIT = new Prop("b.wait", "PT5S", "y"); }"""
FED = """package p; import java.util.*; class A { final Map<Prop, java.time.Duration> times = new HashMap<>();
    static String get(Prop p) { return System.getProperty(p.key); }
    void fill(List<Prop> props) { for (Prop p : props) times.put(p, java.time.Duration.parse(get(p))); } }"""

VARS = """package p; import java.util.*; class B { static String size(Map<String, String> vars) {
    Map<String, String> own = new HashMap<>(vars); return own.get("B_SIZE"); } }"""
GIVES_ENV = "package p; import java.util.*; class A { void m() { B.size(System.getenv()); } }"
GIVES_ROWS = (
    'package p; import java.util.*; class A { void m() { B.size(Map.of("B_SIZE", "1")); } }'
)
GIVES_NONE = "package p; import java.util.*; class A { void m() { } }"
KEEPS = """package p; enum A { X("a.x", "1"), Y("a.y", "2"); final String key; final String first; String now;
    A(String key, String first) { this.key = key; this.first = first; }
    void put(String text) { now = text; } String get() { return now != null ? now : first; } }"""
LOADS = """package p; class B { static void load() { for (A a : A.values()) {
    String text = System.getProperty(a.key); if (text != null) a.put(text); } } }"""
ASKS = "package p; class C { int x() { return Integer.parseInt(A.X.get()); } }"

CASES: dict[str, tuple[dict[str, str], str]] = {
    "a name that a method returns": (
        {
            A: 'package p; class A { static String key() { return "a.x"; } }',
            B: "package p; class B { int v = Integer.getInteger(A.key(), 3); }",
        },
        'package p; class A { static String key() { return "a.y"; } }',
    ),
    "a default that a method returns": (
        {
            A: "package p; class A { static int d() { return 5; } }",
            B: 'package p; class B { int v = Integer.getInteger("b.v", A.d()); }',
        },
        "package p; class A { static int d() { return 6; } }",
    ),
    "a field that is not final": (
        {
            A: 'package p; class A { static String K = "a.x"; }',
            B: "package p; class B { int v = Integer.getInteger(A.K, 3); }",
        },
        'package p; class A { static String K = "a.y"; }',
    ),
    "an option object that is assigned again": (
        {
            A: "package p; class A { void m() { } }",
            B: """package p; class Prop { final String key; Prop(String key) { this.key = key; }
                static Prop MAX = new Prop("b.max"); String get() { return System.getProperty(key); } }""",
            C: "package p; class C { String max() { return Prop.MAX.get(); } }",
        },
        'package p; class A { void m() { Prop.MAX = new Prop("b.other"); } }',
    ),
    "an object that no longer keeps the value of its option": (
        {A: KEEPS, B: LOADS, C: ASKS},
        KEEPS.replace("now = text;", "text.trim();"),
    ),
    "an object that gives its first value instead": (
        {A: KEEPS, B: LOADS, C: ASKS},
        KEEPS.replace("now != null ? now : first", "first"),
    ),
    "an object that gets a value that is read": (
        {A: KEEPS.replace("now = text;", "text.trim();"), B: LOADS, C: ASKS},
        KEEPS,
    ),
    "a helper that takes several names": (
        {
            A: """package p; class A { static String env(String... names) { for (String name : names) {
                String value = System.getenv(name); if (value != null) return value; } return null; } }""",
            B: 'package p; class B { String b() { return A.env("B_X", "B_Y"); } }',
        },
        """package p; class A { static String env(String... names) { for (String name : names) {
            String value = System.getenv("A_" + name); if (value != null) return value; } return null; } }""",
    ),
    "a name that a method makes of a constant": (
        {
            A: 'package p; enum A { X, Y_Z; String key() { return "a." + name().toLowerCase(); } }',
            B: "package p; class B { void m() { for (A a : A.values()) System.getProperty(a.key()); } }",
        },
        """package p; enum A { X, Y_Z; String key() { return "b." + name().replace('_', '.'); } }""",
    ),
    "a caller that begins to pass keys": ({A: PASSES_NOT, B: KEYS}, PASSES),
    "a caller that no longer passes keys": ({A: PASSES, B: KEYS}, PASSES_NOT),
    "a list that a loop goes through": (
        {
            A: """package p; import java.util.*; class A {
                static List<String> names() { return List.of("a.x", "a.y"); } }""",
            B: "package p; class B { void m() { for (String n : A.names()) System.getProperty(n); } }",
        },
        """package p; import java.util.*; class A {
            static List<String> names() { return List.of("a.x", "a.z"); } }""",
    ),
    "a text of the constants that a loop goes through": (
        {
            A: 'package p; enum A { X; String text() { return "a.x"; } }',
            B: """package p; import java.util.*; class B { void m() {
                for (A a : A.values()) System.getProperty(a.text() + ".v"); } }""",
        },
        'package p; enum A { X; String text() { return "a.y"; } }',
    ),
    "a caller that begins to pass the environment": ({A: GIVES_NONE, B: VARS}, GIVES_ENV),
    "a caller that passes something else than the environment": (
        {A: GIVES_ENV, B: VARS},
        GIVES_ROWS,
    ),
    "a caller that no longer passes the environment": ({A: GIVES_ENV, B: VARS}, GIVES_NONE),
    "keys that become known elsewhere": (
        {A: "package p; class A { void m() { } }", B: MAP},
        """package p; class A { void m() {
            System.getProperty("x.host"); System.getProperty("x.size"); } }""",
    ),
    "an argument of a constructor": (
        {A: 'package p; class A { int b() { return new B("one").get(); } }', B: KEYED},
        'package p; class A { int b() { return new B("two").get(); } }',
    ),
    "a prefix given to one of two objects": (
        {
            A: 'package p; class A { int b() { return new B("one").get("z"); } }',
            B: PREFIXED,
            C: """package p; class C { B b = new B("two"); int x = b.get("q");
                int f(B other) { return other.get("w"); } }""",
        },
        'package p; class A { int b() { return new B("three").get("z"); } }',
    ),
    "the default inside a wrapper": (
        {
            A: "package p; class A { static int get(String name) { return Integer.getInteger(name, 7); } }",
            B: 'package p; class B { int v = A.get("b.v"); }',
        },
        "package p; class A { static int get(String name) { return Integer.getInteger(name, 8); } }",
    ),
    "a default that a wrapper takes from an object": (
        {
            A: "package p; class A { static String get(Prop p) { String v = System.getProperty(p.key); return v == null ? p.value : v; } }",
            B: PROP,
            C: "package p; class C { String v = A.get(Prop.MAX); }",
        },
        "package p; class A { static String get(Prop p) { String v = System.getProperty(p.key); return v == null ? p.note : v; } }",
    ),
    "a layer of defaults": (
        {
            A: """package p; class A { static String get(Prop p) { return System.getProperty(p.key); }
                void fill(java.util.Map<String, String> m, Prop p) { m.put(p.key, p.value); } }""",
            B: PROP,
        },
        """package p; class A { static String get(Prop p) { return System.getProperty(p.key); }
            void fill(java.util.Map<String, String> m, Prop p) { m.put(p.key, p.note); } }""",
    ),
    "a step of a builder": (
        {
            A: """package p; class A { final String key; String value; A(String key) { this.key = key; }
                A or(String value) { this.value = value; return this; }
                String get() { return System.getProperty(key, value); } }""",
            B: 'package p; class B { static final A MAX = new A("b.max").or("16"); String v = MAX.get(); }',
        },
        """package p; class A { final String key; String value; A(String key) { this.key = key; }
            A or(String value) { this.value = "7"; return this; }
            String get() { return System.getProperty(key, value); } }""",
    ),
    "a map that is fed no more": (
        {
            A: FED,
            B: PROP,
            C: "package p; class C { long w(A a) { return a.times.get(Prop.WAIT).toMillis(); } }",
        },
        FED.replace("times.put(p,", "times.put(null,"),
    ),
    "what a callee does with the value": (
        {
            A: "package p; class A { static void use(String x) { System.out.println(x); } }",
            B: 'package p; class B { void m() { A.use(System.getProperty("b.v")); } }',
        },
        "package p; class A { static void use(String x) { Integer.parseInt(x); } }",
    ),
}


@pytest.mark.parametrize("title", CASES)
def test_an_edit_elsewhere_gives_the_result_of_a_fresh_scan(title: str) -> None:
    files, edited = CASES[title]
    system = MemorySystem(files)
    one = session(system)
    before = one.scan()
    system.write(A, edited)
    one.files_changed([A])
    after = one.rebuild()
    assert after.program.memo is before.program.memo, "the edit was meant to keep all surfaces"
    assert after.options == session(system).scan().options
    assert after.options != before.options


def test_of_two_files_with_one_class_the_first_provides_its_members() -> None:
    """Asking for another type of the second file does not put its members in their place."""
    first = """package p; class Pool { String key = "pool.size";
        int size = Integer.getInteger(key, 1); }"""
    second = """package p; class Pool { enum Mode { FAST } String mode = "a.mode";
        int b(Mode mode) { return Mode.valueOf(System.getProperty("b.mode")).ordinal(); } }"""
    system = MemorySystem({A: first, B: second})
    one = session(system)
    assert "pool.size" in {option.name for option in one.scan().options.options}
    system.write(A, first.replace("key, 1", "key, 2"))
    one.files_changed([A])
    after = one.rebuild().options
    assert after == session(system).scan().options
    assert "pool.size" in {option.name for option in after.options}


POOL = """package p; class A {
    static String %s(String name) { return System.getProperty(name + ".file"); }
    String log() { return %s("log"); } }"""
RECURSIVE = """package p; class B {
    static String longer(String key, int n) { return n == 0 ? get(key) : longer(key + ".x", n - 1); }
    static String get(String key) { return System.getProperty(key); }
    String b() { return longer%s"pool.b", 0); } }"""
STEPS = {
    "in one edit": [{A: POOL % ("rd", "rd")}, {A: POOL % ("file", "file")}],
    "in two edits": [
        {A: POOL % ("rd", "rd")},
        {A: POOL % ("file", "rd")},
        {A: POOL % ("file", "file")},
    ],
    "its class": [
        {A: POOL % ("rd", "rd")},
        {A: (POOL % ("rd", "rd")).replace("class A", "class C")},
    ],
    "what it gives": [
        {A: POOL % ("rd", "rd")},
        {A: (POOL % ("rd", "rd")).replace("static String", "static Object")},
    ],
    "a half-typed call": [{B: RECURSIVE % "("}, {B: RECURSIVE % ""}],
}


@pytest.mark.parametrize("title", STEPS)
def test_a_renamed_wrapper_is_called_what_a_fresh_scan_calls_it(title: str) -> None:
    for now, fresh in living_and_fresh(STEPS[title]):
        assert now.options == fresh.options
