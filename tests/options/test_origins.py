"""Where classes, keys and data come from: followed over callers, fields and factories, within bounds."""

from __future__ import annotations

import pytest

from conflens.base.budget import ExhaustedError
from conflens.facts import ir
from conflens.options.origins.backward import parts
from conflens.options.origins.filled_here import contents
from conflens.options.origins.sources import DATA, ENTERED, UNKNOWN, Sources
from conflens.options.origins.tracing import NO_PREFIX, Tracer
from conflens.options.roles import Roles
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import known_text
from conflens.program.values import Values
from options.bound_support import bound_options, models, program


def argument(joined: Program, called: str, place: int = 0) -> tuple[Context, int]:
    """Return the argument of the only call of a method."""
    for ref in joined.users(called):
        context = Context.of(joined, ref)
        for instr in context.code:
            if isinstance(instr, ir.Call) and instr.name == called:
                return context, instr.args[place]
    raise AssertionError(called)


def traced(*sources: str) -> dict[str, str | None]:
    """Return the classes of what ``sink`` is given, and their prefixes, given first."""
    joined = program(*sources)
    values = Values(joined, models())
    context, prefix = argument(joined, "sink")
    _, value = argument(joined, "sink", 1)
    found = Tracer(values).classes(context, value, "token", values.of(context, prefix))
    return {name: known_text(text) for name, text in found}


def test_each_class_keeps_the_prefix_of_its_own_call() -> None:
    source = (
        "class A {} class B {} class L { void sink(String p, Class<?> c) {}"
        ' void in(String p, Class<?> c) { sink(p + ".x", c); }'
        ' void a() { in("a", A.class); } void b() { in("b", B.class); } }'
    ).replace("void sink(String p, Class<?> c) {}", "")
    assert traced(source) == {"A": "a.x", "B": "b.x"}


SHARED = (
    "class A {} class B {} class L { Object in(Object o, String s) { return sink(o, cut(s)); }"
    ' void a() { in(new A(), "a"); } void b() { in(new B(), "b"); }'
    ' String cut(String s) { return s.trim(); } String other() { return cut("c"); } }'
)


def test_on_a_chosen_way_only_its_calls_count() -> None:
    joined = program(SHARED)
    tracer = Tracer(Values(joined, models()))
    context, value = argument(joined, "sink")
    found = {}
    for call in tracer.callers(context.ref):
        chosen = tracer.at({context.ref: call})
        (one,) = chosen.classes(context, value, "object")
        found[joined.member(call[0].ref).name] = one
    assert found == {"a": ("A", NO_PREFIX), "b": ("B", NO_PREFIX)}
    assert not tracer.at({context.ref: None}).callers(context.ref)


def test_what_a_method_returns_is_made_from_the_arguments_of_that_call() -> None:
    joined = program(SHARED)
    tracer = Tracer(Values(joined, models()))
    context, value = argument(joined, "sink", 1)
    made = [part.instr for part in parts(tracer, context, value)]
    assert {one.value for one in made if isinstance(one, ir.Const)} == {"a", "b"}


def test_a_token_kept_in_a_field_has_the_prefix_kept_beside_it() -> None:
    source = (
        "class A {} class B {} class P<T> { final String base; final Class<T> type;"
        " P(String base, Class<T> type) { this.type = type; this.base = base; } T get() { return sink(base, type); } }"
        ' class L { Object a = new P<>("a", A.class); Object b = of("b", B.class);'
        " static <T> P<T> of(String base, Class<T> type) { return new P<>(base, type); } }"
    )
    assert traced(source) == {"A": "a", "B": "b"}


def test_a_token_of_an_object_and_of_a_factory() -> None:
    source = (
        'class A {} class B extends A {} class L { void m() { sink("", pick().getClass()); }'
        " A pick() { return same(new B()); } A same(A a) { return a; } }"
    )
    assert traced(source) == {"B": ""}


def test_a_loop_of_calls_ends() -> None:
    source = (
        "class A {} class L { void m(Class<?> c, String p) { n(c, p + p); sink(p, c); }"
        ' void n(Class<?> c, String p) { m(c, p + "."); } void start() { m(A.class, "a"); } }'
    )
    assert "A" in traced(source)


def test_what_costs_too_much_is_given_up() -> None:
    joined = program(
        "class A {} class L { void m(Class<?> c) { sink(0, c); } void s() { m(A.class); } }"
    )
    context, value = argument(joined, "sink", 1)
    with joined.meter.limited(1), pytest.raises(ExhaustedError):
        Tracer(Values(joined, models())).classes(context, value, "token", NO_PREFIX)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("void m(java.io.File in) { sink(parse(new java.io.FileReader(in))); }", ENTERED),
        ('void m() { sink(getClass().getResourceAsStream("a.json")); }', ENTERED),
        ("void m(String text) { sink(text); }", UNKNOWN),
        (
            "void m(String text) { sink(text); } public static void main(String[] all) { m(all[0]); }",
            ENTERED,
        ),
        ("void m(@RequestBody String text) { sink(text); }", DATA),
        ("void m(HttpRequest asked) { String text = asked.text(); sink(text); }", DATA),
    ],
)
def test_sources(code: str, expected: int) -> None:
    joined = program(
        f"class L {{ {code} }} interface HttpRequest {{ String text(); }} @interface RequestBody {{}}"
    )
    values = Values(joined, models())
    sources = Sources(
        Tracer(values), models(), Roles(joined, models(), values, lambda _context, _key: False)
    )
    context, value = argument(joined, "sink")
    assert sources.of(context, (value,)) == expected


def test_maps_that_the_program_fills() -> None:
    source = (
        'import java.util.*; class L { void m() { Map<String, Object> map = new HashMap<>(); add(map, "a", id());'
        ' map.put("b", id()); map.put("c", "1"); n(map); } int id() { return 1; }'
        " static void add(Map<String, Object> to, String key, Object value) { to.put(key, value); }"
        " void n(Map<String, Object> map) { sink(map); } void sink(Object o) {} void o(Map<String, Object> map) { drain(map); } }"
    )
    joined = program(source)
    tracer = Tracer(Values(joined, models()))
    kept = contents(tracer, *argument(joined, "sink"), is_data=lambda _name: False)
    assert kept.keys == {"a", "b"} and not kept.open
    assert kept.holds((("a",),)) and not kept.holds((("c",),))
    unknown = contents(tracer, *argument(joined, "drain"), is_data=lambda _name: False)
    assert not unknown.holds((("a",),))


def test_ten_thousand_tokens_and_a_reflective_loop_are_bounded() -> None:
    calls = "".join(f" Object o{n} = load(A.class);" for n in range(10_000))
    source = (
        "import java.lang.reflect.*; import java.util.*; class A { int x; } class L {"
        " static Object load(Class<?> type) throws Exception { Object o = type.newInstance(); fill(o, new Properties()); return o; }"
        " static void fill(Object o, Properties conf) throws Exception { for (Field f : o.getClass().getDeclaredFields()) {"
        " f.set(o, conf.getProperty(f.getName())); fill(f.get(o), conf); } }"
        f"{calls} }}"
    )
    assert [found.name for found in bound_options(source)] == ["x"]
