"""Types of what the JDK hands to lambdas, and of what lambdas give back to it."""

from __future__ import annotations

import pytest

from conflens.facts import ir
from conflens.program.expressions import Context
from conflens.program.types import JavaType
from options.bound_support import program as joined

FOO = """import java.util.*;
class Foo { Bar bar() { return new Bar(); } static Foo of(Bar bar) { return null; } }
class Bar { String name() { return ""; } List<Foo> foos; }
"""


def typed(statement: str, types: str = "") -> list[str | None]:
    """Return the types of what ``take`` is given in a statement."""
    text = (
        FOO
        + "import java.util.stream.*;\n"
        + types
        + "class D { List<Foo> foos; Map<String, List<Bar>> bars; Foo[] array;\n"
        + f"void run() {{ {statement} }}\n"
        + "Bar made(Foo foo) { return null; } void take(Object one) { } }"
    )
    program = joined(text)
    run = next(
        program.ref("0.java", number)
        for number, member in enumerate(program.files["0.java"].members)
        if member.name == "run"
    )
    context = Context.of(program, run)
    return [
        type_.text() if (type_ := context.type_of(call.args[0])) is not None else None
        for _, call in context.calls()
        if isinstance(call, ir.Call) and call.name == "take"
    ]


@pytest.mark.parametrize(
    ("statement", "types"),
    [
        ("foos.forEach(f -> take(f));", ["Foo"]),
        ("foos.stream().map(f -> f.bar()).forEach(b -> take(b));", ["Bar"]),
        ("foos.stream().map(Foo::bar).filter(b -> true).forEach(b -> take(b));", ["Bar"]),
        ("foos.stream().flatMap(f -> f.bar().foos.stream()).forEach(f -> take(f));", ["Foo"]),
        ("foos.stream().map(Foo::bar).collect(Collectors.toList()).forEach(b -> take(b));", ["Bar"]),
        ("foos.stream().map(Foo::bar).toList().forEach(b -> take(b));", ["Bar"]),
        (
            "bars.forEach((k, v) -> { take(k); take(v); v.forEach(b -> take(b)); });",
            ["java.lang.String", "java.util.List<Bar>", "Bar"],
        ),
        ("bars.entrySet().stream().map(e -> e.getValue()).forEach(v -> take(v));", ["java.util.List<Bar>"]),
        ("bars.computeIfAbsent(\"x\", k -> new ArrayList<>()).forEach(b -> take(b));", ["Bar"]),
        ("Optional.ofNullable(foos.get(0)).map(Foo::bar).map(Bar::name).ifPresent(s -> take(s));", ["java.lang.String"]),
        ("Arrays.stream(array).map(f -> f.bar()).map(Foo::of).forEach(f -> take(f));", ["Foo"]),
        ("IntStream.range(0, 3).mapToObj(i -> foos.get(i)).forEach(f -> take(f));", ["Foo"]),
        ("IntStream.range(0, 3).forEach(i -> take(i));", ["int"]),
        ("foos.stream().map(this::made).forEach(b -> take(b));", ["Bar"]),
        ("foos.stream().map(Foo::bar).map(b -> b.name().length()).forEach(i -> take(i));", ["java.lang.Integer"]),
        ("foos.sort((f, g) -> { take(g); return 0; });", ["Foo"]),
        ("var first = foos.stream().map(Foo::bar).findFirst(); take(first);", ["java.util.Optional<Bar>"]),
        ("foos.stream().map(f -> { if (f == null) { return null; } return f.bar(); }).forEach(b -> take(b));", ["Bar"]),
    ],
)  # fmt: skip
def test_a_lambda_is_given_what_its_receiver_holds(statement: str, types: list[str]) -> None:
    assert typed(statement) == types


@pytest.mark.parametrize(
    "statement",
    [
        "List raw = null; raw.forEach(f -> take(f));",
        "unknown().forEach(f -> take(f));",
        "foos.stream().map(f -> nothing(f)).forEach(b -> take(b));",
        "foos.stream().map(Foo::nothing).forEach(b -> take(b));",
    ],
)
def test_what_is_not_known_has_no_type(statement: str) -> None:
    assert typed(statement) == [None]


def test_types_do_not_depend_on_the_order_of_questions() -> None:
    """Lambdas in lambdas, deeper than anybody follows them."""
    deep = "foos.stream()" + ".map(f -> f.bar().foos.stream()" * 60
    deep += ".map(f -> f)" + ".findFirst().get())" * 60
    texts = FOO + f"class D {{ java.util.List<Foo> foos; void run() {{ {deep}.count(); }} }}"
    program = joined(texts)
    run = program.ref("0.java", [m.name for m in program.files["0.java"].members].index("run"))

    def asked(backwards: bool) -> list[object]:
        context = Context(program, run)
        values = range(len(context.code))
        order = reversed(values) if backwards else values
        found = {value: context.type_of(value) for value in order}
        return [found[value] for value in values]

    found = asked(False)
    assert found == asked(True)
    assert JavaType("Foo") in found


GENERIC = """interface Handler<E> { void handle(E one); default void twice(E one) { } }
class Registry<T> implements Iterable<T> {
    T held; List<T> all() { return null; } T first() { return null; } void each(Handler<T> run) { }
    void visit(java.util.function.Consumer<? super T> run) { } <R> void other(R one) { }
    public Iterator<T> iterator() { return null; }
}
class Foos extends Registry<Foo> { }
"""


@pytest.mark.parametrize(
    ("statement", "types"),
    [
        ("Foos r = null; take(r.first());", ["Foo"]),
        ("Registry<Bar> r = null; take(r.held); take(r.all());", ["Bar", "java.util.List<Bar>"]),
        ("Registry<Foo> r = null; for (var one : r) { take(one); }", ["Foo"]),
        ("Foos r = null; for (var one : r) { take(one); }", ["Foo"]),
        ("Foos r = null; r.each(one -> take(one)); r.visit(two -> take(two));", ["Foo", "Foo"]),
        ("Foos r = null; r.all().stream().map(Foo::bar).forEach(b -> take(b));", ["Bar"]),
        ("Registry r = null; take(r.first());", ["java.lang.Object"]),
        ("Registry<?> r = null; take(r.first());", ["java.lang.Object"]),
    ],
)  # fmt: skip
def test_a_generic_class_of_the_project_gives_what_it_is_bound_to(
    statement: str, types: list[str]
) -> None:
    assert typed(statement, GENERIC) == types


@pytest.mark.parametrize(
    "statement",
    [
        "Twice<String> t = null; take(t{});",
        "var t = Optional.of(1){}; take(t);",
    ],
)
def test_type_arguments_do_not_double_with_each_call(statement: str) -> None:
    classes = "class Twice<T> { Twice<Map<T, T>> next() { return null; } }\n"
    step = ".next()" if "Twice" in statement else ".map(x -> Map.entry(x, x))"
    (type_,) = typed(statement.format(step * 40), classes)
    assert type_ is not None
    assert type_.startswith(("Twice", "java.util.Optional"))
    assert len(type_) < 4_000


def test_a_class_that_a_body_declares_hides_those_outside() -> None:
    body = "record Foo(int x) { Foo self() { return this; } } Foo f = new Foo(1); take(f); take(f.self()); var g = List.of(f); take(g.get(0));"
    found = typed(body)
    assert len(set(found)) == 1
    assert found[0] not in ("Foo", None)
