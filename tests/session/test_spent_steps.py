"""What the analysis of repeated code takes from its budgets grows with the repetitions.

Budgets count steps (``base.budget``), so programs may be larger here than where lines of Python are counted
(``test_growth``).  Each shape gives the files of a program that repeats one construct ``n`` times.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conflens.base.budget import Meter
from conflens.base.system import MemorySystem
from session.support import session
from steps import steps

FEW, MANY = 150, 300

Files = dict[str, str]


def _each(n: int, text: str) -> str:
    return "\n".join(text.replace("#", str(number)) for number in range(n))


def _class(body: str, head: str = "") -> Files:
    return {"p/X.java": f"package p;\nimport java.util.*;\n{head}\nclass X {{\n{body}\n}}\n"}


_BOUND = 'import org.springframework.boot.context.properties.*;\n@ConfigurationProperties("a")'
_MAP = "Map<String, String> map = new HashMap<>(); public Map<String, String> getMap() { return map; }"
_MAP += " public void setMap(Map<String, String> map) { this.map = map; }"


def _keys_of_a_member(n: int) -> Files:
    asked = _each(n, 'getMap().get("k#"); map.get("l#");')
    return _class(f"{_MAP} void m() {{ {asked} }}", _BOUND)


def _keys_of_a_member_that_is_handed_on(n: int) -> Files:
    takers = _each(n, 'void f#(Map<String, String> given) { given.get("k#"); }')
    handed = _each(n, "f#(map);")
    return _class(f"{_MAP} {takers} void m() {{ {handed} }}", _BOUND)


def _fields_that_nothing_uses(n: int) -> Files:
    return _class(_each(n, 'private final int c# = Integer.getInteger("pool.c#", 3);'))


def _subclasses_that_set_one_field(n: int) -> Files:
    base = "class B { int v; void u() throws Exception { Thread.sleep(v); } }"
    own = (
        'class B# extends B { B#() throws Exception { v = Integer.getInteger("pool.b#"); u(); } }'
    )
    return {"p/X.java": f"package p;\n{base}\n{_each(8 * n, own)}\n"}


def _choices_of_one_member(n: int) -> Files:
    chosen = "\n".join(
        f"Map<String, String> m{one + 1} = b ? m{one} : m{one};" for one in range(n // 15)
    )
    last = f'm{n // 15}.get("k");'
    return _class(
        f"{_MAP} void m(boolean b) {{ Map<String, String> m0 = map; {chosen} {last} }}", _BOUND
    )


def _fields_that_a_constructor_sets(n: int) -> Files:
    fields = _each(n, "public int f#;")
    code = f"{fields} X() {{ {'a = b; ' * 20 * n} }} static X read() throws Exception {{"
    code += ' return new ObjectMapper(new YAMLFactory()).readValue(new java.io.File("a.yaml"), X.class); }'
    packages = ("databind", "dataformat.yaml")
    return _class(code, "".join(f"import com.fasterxml.jackson.{one}.*; " for one in packages))


def _tests_of_one_value(n: int) -> Files:
    tests = _each(n, "if (v == null) v = M#.get(k);")
    maps = _each(n, 'static final Map<String, String> M# = Map.of("a", "b");')
    asked = _each(n, 'w("k#");')
    wrapper = f"String w(String k) {{ String v = System.getProperty(k); {tests} return v; }}"
    return _class(f"{maps} {wrapper} void m() {{ {asked} }}")


def _wrappers_with_one_map(n: int) -> Files:
    wrappers = _each(n, "String w#(String k) { return System.getProperty(k, MAP.get(k)); }")
    put, asked = _each(n, 'MAP.put("k#", "v#");'), _each(n, 'w#("k#");')
    made = "static final Map<String, String> MAP = new HashMap<>();"
    return _class(f"{made} static {{ {put} }} {wrappers} void m() {{ {asked} }}")


def _constant_maps_of_each_other(n: int) -> Files:
    maps = ['static final Map<String, String> M0 = Map.of("a", "b", "c", "d");']
    for number in range(1, n // 15):
        held = ", ".join(f'"k{key}", M{number - 1}.get(A.b)' for key in range(4))
        maps.append(f"static final Map<String, String> M{number} = Map.of({held});")
    return _class(f"{' '.join(maps)} void m() {{ System.getProperty(M{n // 15 - 1}.get(A.b)); }}")


def _lookups_in_a_large_map(n: int) -> Files:
    n = 4 * n
    held = ", ".join(f'Map.entry("k{number}", "v{number}")' for number in range(n))
    asked = _each(n, 'System.getProperty(MAP.get("k#"));')
    return _class(
        f"static final Map<String, String> MAP = Map.ofEntries({held}); void m() {{ {asked} }}"
    )


_HANDLER = """(object, method, args) -> p.getProperty("a." + method.getName())"""
_PROXY = "java.lang.reflect.Proxy.newProxyInstance(null, new Class[] {@}, "
_LOADED = 'p.load(new java.io.FileReader("a"));'


def _interfaces_of_one_proxy(n: int) -> Files:
    types = ", ".join(f"I{number}.class" for number in range(n))
    tests = _each(n, "if (args.length == #) return object;")
    looked_up = _HANDLER.partition("-> ")[2]
    handler = f"(object, method, args) -> {{ {tests} return {looked_up}; }}"
    made = f"{_PROXY.replace('@', types)}{handler});"
    interfaces = _each(n, "interface I# { String a#(); }")
    return _class(f"{interfaces} void m(Properties p) throws Exception {{ {_LOADED} {made} }}")


def _proxies_of_one_method(n: int) -> Files:
    made = f"{_PROXY.replace('@', 'I.class')}{_HANDLER});" * n
    code = f"void m(Properties p) throws Exception {{ {_LOADED} {made} }}"
    return _class(f"interface I {{ String a(); }} {code}")


def _puts_where_a_key_is_missing(n: int) -> Files:
    put = _each(n, 'if (!p.containsKey("k#")) p.put("k#", "v"); p.getProperty("k#");')
    return _class(
        f"Properties p = new Properties(); void m() throws Exception {{ {_LOADED} {put} }}"
    )


def _reads_under_each_of_many_objects(n: int) -> Files:
    keys = 'enum K { A("a"), B("b"); final String key; K(String key) { this.key = key; } }'
    read = _each(n, 'for (K k : K.values()) use(System.getProperty("p#." + k.key));')
    return _class(f"{keys} void use(String value) {{ }} void m() {{ {read} }}")


def _wrappers_called_in_one_wrapper(n: int) -> Files:
    asked = _each(n, "String v# = text(k);")
    text = "String text(String k) { return System.getProperty(k); }"
    outer = f"int number(String k, int other) {{ {asked} return v0 == null ? other : Integer.parseInt(v0); }}"
    return _class(f'{text} {outer} void m() {{ number("a.b", 7); }}')


def _annotations_of_one_field(n: int) -> Files:
    value = "org.springframework.beans.factory.annotation.Value"
    return _class(_each(8 * n, f'@{value}("${{a.b#}}")') + " String s;")


def _values_put_under_objects(n: int) -> Files:
    n = 4 * n
    put = "Integer v = Integer.valueOf(get(k)); m.put(k, v);" * n
    keys = 'enum K { A("a.b"); final String key; K(String key) { this.key = key; } }'
    read = "static String get(K k) { return System.getProperty(k.key); }"
    filled = f"void m(Map<K, Integer> m) {{ for (K k : K.values()) {{ {put} }} }}"
    return _class(f"{keys} {read} {filled} int a(Map<K, Integer> m) {{ return m.get(K.A); }}")


def _calls_of_a_method_that_subclasses_inherit(n: int) -> Files:
    config = "org.apache.commons.configuration2.Configuration c"
    asked = f'class B implements I {{ public void f({config}) {{ c.getInt("k", 1); }} }}'
    types = f"interface I {{ default void f({config}) {{ }} }} class X implements I {{ }} {asked}"
    below = _each(4 * n, "class S# extends B { }")
    calls = 'new B().f(c.subset("q")); X x = new X();' + 'x.f(c.subset("w"));' * 4 * n
    return _class(f"void m({config}) {{ {calls} }}", f"{types} {below}")


SHAPES = (
    _reads_under_each_of_many_objects,
    _wrappers_called_in_one_wrapper,
    _keys_of_a_member,
    _keys_of_a_member_that_is_handed_on,
    _choices_of_one_member,
    _wrappers_with_one_map,
    _constant_maps_of_each_other,
    _interfaces_of_one_proxy,
    _proxies_of_one_method,
    _puts_where_a_key_is_missing,
)

_SAID = {_wrappers_with_one_map: "the map has more than 64 entries"}
"""Shapes beyond a bound, and what is said of each; of the others nothing is left out."""

UNCOUNTED = (
    (_fields_that_a_constructor_sets, 2.6),
    (_fields_that_nothing_uses, 2.6),
    (_subclasses_that_set_one_field, 2.6),
    (_lookups_in_a_large_map, 2.6),
    (_calls_of_a_method_that_subclasses_inherit, 2.6),
    (_values_put_under_objects, 2.6),
    (_annotations_of_one_field, 2.4),
    (_tests_of_one_value, 4.2),
)
"""Shapes for which lines of Python tell more than steps, and how much twice as many may cost: where each of many tests gives a
variable another value, any of these may be what any test asks about."""


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_spent_grows_with_the_repetitions(
    shape: Callable[[int], Files], monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = 0
    spend = Meter.spend

    def counted(meter: Meter, steps: int = 1) -> None:
        nonlocal spent
        spent += steps
        spend(meter, steps)

    monkeypatch.setattr(Meter, "spend", counted)
    problems = session(MemorySystem(shape(FEW))).scan().problems
    few, spent = spent, 0
    problems += session(MemorySystem(shape(MANY))).scan().problems
    assert spent < 2.5 * few
    said = _SAID.get(shape)
    assert bool(problems) is (said is not None)
    assert all(said in problem.message for problem in problems if said is not None)


@pytest.mark.parametrize(("shape", "most"), UNCOUNTED)
def test_what_is_executed_grows_with_the_repetitions(
    shape: Callable[[int], Files], most: float
) -> None:
    few, many = (session(MemorySystem(shape(n))) for n in (FEW // 3, MANY // 3))
    assert steps(many.scan) < most * steps(few.scan)
