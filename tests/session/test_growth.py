"""The analysis of code that repeats one construct grows with the repetitions, not with their square.

Lines of Python are counted, and those that run inside comprehensions and generators with them; what runs inside C (a sort, a
copy of a list) is not.  ``python -m bench.growth`` measures the time of the same programs at full size.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conflens.base.system import MemorySystem
from large_code import SHAPES
from session.support import session
from steps import steps

FEW, MANY = 60, 180
"""Below the bounds at which a walk is cut short."""

CUT = ("else-ifs", "appends", "additions")
"""Each repetition makes a difference to all before it, up to a bound: the work grows evenly beyond the bound only."""

SQUARE = ("overloads",)
"""What may grow with the square: each call is compared with each overload, up to the budget of a file."""


def analysed(shape: str, size: int) -> int:
    files = SHAPES[shape](size)
    return steps(session(MemorySystem(files)).scan)


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape not in (*CUT, *SQUARE)])
def test_the_work_grows_with_the_repetitions(shape: str) -> None:
    assert analysed(shape, MANY) < 3.3 * analysed(shape, FEW)


@pytest.mark.parametrize("shape", CUT)
def test_the_work_grows_with_the_repetitions_beyond_a_bound(shape: str) -> None:
    assert analysed(shape, 1_600) < 3 * analysed(shape, 800)


def doubled(size: int) -> int:
    """Steps for an option's name that is in a field twice what another is, and so on."""
    fields = " ".join(f"final String f{number};" for number in range(size + 1))
    sums = " ".join(f"f{number} = f{number + 1} + f{number + 1};" for number in range(size))
    code = f'class A {{ {fields} A() {{ f{size} = "a"; {sums} }}'
    code += " String s = System.getProperty(new A().f0); }"
    return steps(session(MemorySystem({"A.java": code})).scan)


def test_a_text_that_is_doubled_field_by_field_costs_no_double_work() -> None:
    assert doubled(16) < 3 * doubled(8)


def _conditions(size: int) -> str:
    conditions = "".join(f'if (c[{number}]) s += ".x{number}"; ' for number in range(size))
    return f'String s = "a"; {conditions}'


def _each(size: int, made: str) -> str:
    """Texts of which each is ``made`` of the one before, which stands as ``@``."""
    lines = (f"String s{one + 1} = {made.replace('@', f's{one}')}; " for one in range(size))
    return f'String s0 = "a"; {"".join(lines)} String s = s{size};'


def _locals(size: int) -> str:
    return _each(size, "@ + @ + @")


def _formats(size: int) -> str:
    return _each(size, 'String.format("%s%s%s", @, @, @)')


def _builders(size: int) -> str:
    code = "StringBuilder s0 = new StringBuilder(); "
    for number in range(1, size + 1):
        appended = f".append(s{number - 1}.toString())" * 3
        code += f"StringBuilder s{number} = new StringBuilder(); s{number}{appended}; "
    return code + f"String s = s{size}.toString();"


def _arrays(size: int) -> str:
    code = 'String s0 = "a"; '
    for number in range(1, size + 1):
        before = f"s{number - 1}"
        code += f'for (String s{number} : new String[] {{ {before}, {before}, {before} + "a" }}) '
    return code + f"System.getProperty(s{size}); String s = null;"


def _methods(size: int) -> str:
    code = "} static String f0(String a) { return a; }"
    for number in range(1, size + 1):
        called = f"f{number - 1}(a)"
        code += f"static String f{number}(String a) {{ return {called} + {called} + {called}; }}"
    return code + f' void n() {{ String s = f{size}("a");'


@pytest.mark.parametrize("shape", [_conditions, _locals, _formats, _builders, _arrays, _methods])
def test_a_name_made_of_itself_again_and_again_is_evaluated_once_a_step(
    shape: Callable[[int], str],
) -> None:
    def work(size: int) -> int:
        code = f"class A {{ void m(boolean[] c) {{ {shape(size)} System.getProperty(s); }} }}"
        return steps(session(MemorySystem({"A.java": code})).scan)

    assert work(96) < 6 * work(24)


def _each_other(size: int) -> MemorySystem:
    """A bound class that holds classes of which each holds all others, and no value."""
    classes = ""
    for number in range(size):
        held = "".join(
            f"private C{other} g{other}; public void setG{other}(C{other} g) {{ g{other} = g; }} "
            for other in range(size)
        )
        classes += f"public static class C{number} {{ {held} }}\n"
    return MemorySystem(
        {
            "E.java": "import org.springframework.boot.context.properties.ConfigurationProperties;\n"
            '@ConfigurationProperties("e") class E { private C0 f; public void setF(C0 c) { f = c; }\n'
            f"{classes} }}"
        }
    )


def test_bound_classes_that_hold_each_other_are_looked_at_up_to_a_bound_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("conflens.options.binding.expand.LOOKS", 500)
    assert steps(session(_each_other(12)).scan) < 5 * steps(session(_each_other(6)).scan)
    said = [problem.message for problem in session(_each_other(12)).scan().problems]
    assert said == [
        "E holds classes with more than 500 members, of which only the first are known."
    ]
    assert not session(_each_other(3)).scan().problems


def test_who_asks_whether_a_local_is_assigned_once_does_not_pay_for_all_that_assigns_it() -> None:
    assert not session(MemorySystem(SHAPES["nodes-of-nodes"](1_500))).scan().problems


def _asked_getters(width: int) -> MemorySystem:
    """Getters that ask ``width`` others each, five levels deep; nothing is done with the value."""
    code = "String get0_0(String k) { return System.getProperty(k); }"
    for level in range(1, 5):
        below = range(width if level > 1 else 1)
        asked = "".join(f"get{level - 1}_{other}(k); " for other in below)
        for number in range(width):
            code += f"String get{level}_{number}(String k) {{ {asked} return get0_0(k); }}\n"
    code += "".join(f'void m{number}() {{ get4_{number}("a"); }}' for number in range(width))
    return MemorySystem({"A.java": f"class A {{ {code} }}"})


def _given_parts(width: int) -> MemorySystem:
    """Parts of a configuration that ``width`` callers each hand on, five levels deep."""
    code = 'int f0_0(Config c) { return c.getInt("size"); }'
    for level in range(1, 6):
        below = range(width if level > 1 else 1)
        called = "".join(f"f{level - 1}_{other}(c); " for other in below)
        for number in range(width):
            code += f"void f{level}_{number}(Config c) {{ {called} }}\n"
    for number in range(width):
        code += f'void m{number}(Config c) {{ f5_{number}(c.getConfig("p{number}")); }}'
    return MemorySystem({"A.java": f"import com.typesafe.config.*; class A {{ {code} }}"})


@pytest.mark.parametrize(("made", "width"), [(_asked_getters, 6), (_given_parts, 4)])
def test_methods_that_many_others_call_are_looked_at_once_for_each_level(
    made: Callable[[int], MemorySystem], width: int
) -> None:
    assert steps(session(made(2 * width)).scan) < 6 * steps(session(made(width)).scan)


def _reads(size: int) -> str:
    return "".join(
        f'int m{number}() {{ return Integer.parseInt(config.get("k{number}")); }}\n'
        for number in range(size)
    )


def _map_of_entries(size: int) -> str:
    entries = ", ".join(f'Map.entry("k{number}", "{number}")' for number in range(size))
    return f"""static final Map<String, String> D = Map.ofEntries({entries});
        final Map<String, String> config = new HashMap<>(D);
        A(Properties q) {{ config.putAll((Map) q); }}
        {_reads(size)}"""


def _map_of_joined_text(size: int) -> str:
    text = " + ".join(f'"k{number}=" + System.getenv("K{number}")' for number in range(size))
    put = 'for (String l : s.split(";")) m.put(l.split("=")[0], l.split("=")[1]); return m;'
    return f"""static final Map<String, String> config = parse({text});
        static Map<String, String> parse(String s) {{ Map<String, String> m = new HashMap<>(); {put} }}
        {_reads(size)}"""


def _map_filled_by_calls(size: int) -> str:
    puts = "".join(f'm.put("k{number}", q.getProperty("z{number}")); ' for number in range(size))
    return f"""final Map<String, String> config;
        A(Properties q) {{ Map<String, String> m = new HashMap<>(); {puts} config = m; }}
        {_reads(size)}"""


def _map_asked_at_once(size: int) -> str:
    both = "".join(
        f'm.put("k{number}", System.getProperty("z{number}")); use(m.get("k{number}")); '
        for number in range(size)
    )
    return f"""void use(String s) {{ }}
        void m() {{ Map<String, String> m = new HashMap<>(); {both} }}"""


def _cells_of_array(size: int) -> str:
    puts = "".join(f'a[{number}] = Integer.getInteger("k{number}"); ' for number in range(size))
    asked = "".join(f"use(a[{number}]); " for number in range(size))
    return f"void use(int i) {{ }} void m() {{ int[] a = new int[{size}]; {puts} {asked} }}"


def _settings_of_library(size: int) -> str:
    puts = "".join(f's.setF{number}(Integer.getInteger("k{number}")); ' for number in range(size))
    asked = "".join(f"use(s.getF{number}()); " for number in range(size))
    made = "org.unknown.Settings s = new org.unknown.Settings();"
    return f"void use(int i) {{ }} void m() {{ {made} {puts} {asked} }}"


@pytest.mark.parametrize(
    "shape",
    [
        _map_of_entries,
        _map_of_joined_text,
        _map_filled_by_calls,
        _map_asked_at_once,
        _cells_of_array,
        _settings_of_library,
    ],
)
def test_what_a_map_of_settings_is_made_of_is_looked_at_once_for_all_its_reads(
    shape: Callable[[int], str],
) -> None:
    def work(size: int) -> int:
        code = f"import java.util.*; class A {{ {shape(size)} }}"
        return steps(session(MemorySystem({"A.java": code})).scan)

    assert work(MANY) < 4 * work(FEW)


@pytest.mark.parametrize("form", ["case {0} -> {1};", "case {0}: yield {1};"])
def test_the_switch_that_a_result_belongs_to_is_not_searched_for_each_case(form: str) -> None:
    def work(size: int) -> int:
        cases = " ".join(
            form.format(number, f'Integer.getInteger("o{number}")') for number in range(size)
        )
        code = f'int k = Integer.getInteger("k"); int r = switch (k) {{ {cases} default -> 0; }};'
        code = code.replace("default ->", "default: yield" if "yield" in form else "default ->")
        files = {
            "A.java": f"class A {{ void m() throws Exception {{ {code} Thread.sleep(r); }} }}"
        }
        return steps(session(MemorySystem(files)).scan)

    assert work(900) < 3.3 * work(300)


def _under_prefixes(size: int) -> MemorySystem:
    """One class that is bound under many prefixes."""
    spring = "import org.springframework.boot.context.properties.ConfigurationProperties;\n"
    beans = "".join(
        f'@org.springframework.context.annotation.Bean @ConfigurationProperties("p{number}") '
        f"Conf c{number}() {{ return new Conf(); }}\n"
        for number in range(size)
    )
    fields = "".join(
        f"private int f{number}; public void setF{number}(int x) {{ f{number} = x; }}\n"
        for number in range(10)
    )
    return MemorySystem(
        {"A.java": f"{spring} class A {{ {beans} }}", "Conf.java": f"class Conf {{ {fields} }}"}
    )


def test_a_class_that_is_bound_under_many_prefixes_has_options_up_to_a_bound_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("conflens.options.binding.expand.TOGETHER", 60)
    found = session(_under_prefixes(20)).scan()
    assert len(found.options.options) == 60
    assert [problem.message for problem in found.problems] == [
        "Conf is one of the bound classes that have more than 60 options together, of which only the first are known."
    ]
    assert steps(session(_under_prefixes(60)).scan) < 2 * steps(session(_under_prefixes(20)).scan)
    whole = session(_under_prefixes(6)).scan()
    assert len(whole.options.options) == 60
    assert not whole.problems
