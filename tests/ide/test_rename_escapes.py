"""A bound member is renamed as sure only if every value that may lead to its class is used in forms that are known."""

from __future__ import annotations

import pytest

from checking.keys_support import analyse
from conflens.ide.rename.edits import Part
from conflens.ide.rename.rename import Renamed, renamed
from ide.test_rename_bound import PLAIN, PROPERTIES
from steps import steps

USER = "package p; class User { int f(Props p) { return p.getSize(); } }\n"
NESTED = """package p;
@org.springframework.boot.context.properties.ConfigurationProperties("toy") public class Props {
  private Pool pool = new Pool();
  private java.util.Map<String, Pool> more = new java.util.HashMap<>();
  public Pool getPool() { return pool; }
  public void setPool(Pool pool) { this.pool = pool; }
  public java.util.Map<String, Pool> getMore() { return more; }
  public void setMore(java.util.Map<String, Pool> more) { this.more = more; }
  public static class Pool {
    private int size = 5;
    public int getSize() { return size; }
    public void setSize(int size) { this.size = size; }
  }
}
"""
REST = "@org.springframework.web.bind.annotation.GetMapping"
ESCAPES = [
    f"{REST} Props get(Props p) {{ return p; }}",
    f"Props p; {REST} Object get() {{ return p; }}",
    f'Props p; {REST} Map<String, Object> get() {{ return Map.of("app", p); }}',
    f"Props p; {REST} List<?> get() {{ return List.of(p); }}",
    f"record Info(String v, Props app) {{ }} Props p; {REST} Info get() {{ return new Info(null, p); }}",
    f"class Info {{ private final Info2 in; Info(Info2 in) {{ this.in = in; }} }} class Info2 {{ Props p; }} {REST} Info get(Info2 p) {{ return new Info(p); }}",
    "@org.springframework.context.annotation.Bean Object x(Props p) { return p; }",
    "public Object x(Props p) { return p; }",
    "Props p; Object x() { return p; } void g(com.lib.Json m) { m.write(x()); }",
    "com.lib.Json m; static String toJson(com.lib.Json m, Object o) { return m.write(o); } String f(Props p) { return toJson(m, p); }",
    "com.lib.Json m; <T> String toJson(T o) { return m.write(o); } String f(Props p) { return toJson(p); }",
    "com.lib.Json m; String toJson(Object... all) { return m.write(all); } String f(Props p) { return toJson(1, p); }",
    "com.lib.Json m; String f(Props p) { Object q = p; return m.write(q); }",
    "com.lib.Json m; String f(Props p) { return m.write((Object) p); }",
    "com.lib.Json m; String f(Props p) { Object q; return m.write(q = p); }",
    "com.lib.Json m; String f(List<Props> q) { return m.write(q); }",
    "com.lib.Json m; String f(Props[] q) { return m.write(q); }",
    "com.lib.Json m; String f(Props q) { return m.write(new Object[] {q}); }",
    "com.lib.Json m; String f(Props q) { Object[] a = {q}; return m.write(a); }",
    "com.lib.Json m; void f(Props q, Object[] a) { a[0] = q; m.write(a); }",
    'com.lib.Json m; String f(Props q) { return m.write(List.of("x", q)); }',
    'com.lib.Json m; String f(Props q) { var a = List.of("x", q); return m.write(a); }',
    'com.lib.Json m; Map<String, Object> a; void f(Props q) { a.put("x", q); m.write(a); }',
    "com.lib.Json m; List a; void f(Props q) { a.add(q); m.write(a); }",
    "com.lib.Json m; java.util.Properties a; void f(Props q) { a.put(1, q); m.write(a); }",
    "com.lib.Json m; Object f(List<Props> q) { return q.stream().map(m::write).toList(); }",
    "com.lib.Json m; Object f(List<Props> q) { return q.stream().map(x -> m.write(x)).toList(); }",
    "com.lib.Json m; void f(List<Props> q) { q.forEach(this::show); } void show(Object o) { m.write(o); }",
    "com.lib.Json m; void f(List<Props> q, java.util.function.Consumer<Object> to) { q.forEach(to); }",
    "com.lib.Json m; void f(Optional<Props> q) { q.ifPresent(m::write); }",
    "com.lib.Json m; void f(Optional<Props> q) { q.map(x -> (Object) x).ifPresent(x -> m.write(x)); }",
    "com.lib.Json m; void f(Props q) { java.util.concurrent.CompletableFuture.supplyAsync(() -> q).thenAccept(x -> m.write(x)); }",
    "com.lib.Json m; void f() { java.util.concurrent.CompletableFuture.supplyAsync(Props::new).thenAccept(m::write); }",
    "com.lib.Json m; void f(List<Props> q) { m.write(q.stream().collect(java.util.stream.Collectors.groupingBy(x -> 1))); }",
    "com.lib.Json m; void f(List<Props> q) { q.stream().collect(java.util.stream.Collectors.mapping(m::write, java.util.stream.Collectors.toList())); }",
    "com.lib.Json m; java.util.function.Function<Props, String> f = x -> m.write(x);",
    "public java.util.function.Supplier<Object> f(Props p) { return () -> p; }",
    "com.lib.Json m; void f(Props p) { m.later(() -> p); }",
    "com.lib.Json m; void f(Props p) { new Thread() { public void run() { m.write(p); } }; }",
    "com.lib.Json m; void f(Props p, boolean b) { m.write(b ? p : null); }",
    "com.lib.Json m; void f(Props p, int b) { m.write(switch (b) { case 1 -> p; default -> null; }); }",
    "com.lib.Json m; void f(Object o) { if (o instanceof Props p) { m.write(p); } }",
    "com.lib.Json m; void f(List<Props> all) { for (Object o : all) { m.write(o); } }",
    "com.lib.Json m; void f(Props p) { com.lib.Beans.of(p.getClass()); }",
    "Object f(Props p) { return p.getClass().getDeclaredFields(); }",
    "Object f() { return Props.class.getMethods(); }",
    "com.lib.Json m; void f() { m.schema(Props.class); }",
    "com.lib.Json m; Class<?> c = Props.class; void f() { m.schema(c); }",
    "com.lib.Json m; static class Box<T> { T value; com.lib.Json m; void f() { m.write(value); } } void f(Box<Props> b) { b.f(); }",
    "static class Box<T extends Props> { T value; com.lib.Json m; void f() { m.write(value); } }",
    "static class All extends ArrayList<Props> { }",
    "Props p; void f(com.lib.Json m) { m.write(this); }",
    "static class Job { Props p; } static class Runner { void f(com.lib.Json m, Job j) { m.write(j); } }",
    "interface Job { } static class One implements Job { Props p; } static class Runner { void f(com.lib.Json m, Job j) { m.write(j); } }",
    "static abstract class Base { void f(com.lib.Json m) { m.write(this); } } static class Job extends Base { Props p; }",
    "static class Sup extends com.lib.Base { Sup(Props p) { super(p); } }",
    "static class Sup extends com.lib.Base { Sup(Props p) { this.value = p; } }",
    "void f(Props p) { assertThat(p); }",
    "@com.fasterxml.jackson.databind.annotation.JsonDeserialize(as = Props.class) Object o;",
    "void f(Props p) { throw new com.lib.Failure(p); }",
    "static class Failure extends RuntimeException { Props p; } void f(Failure e) { throw e; }",
]  # fmt: skip
HARMLESS = [
    "Props p; C(Props p) { this.p = p; } int f() { return p.getSize() + this.p.getSize(); }",
    "Props p; C(Props p) { this.p = Objects.requireNonNull(p); }",
    'Props p; C(Props p) { this.p = Objects.requireNonNull(p, "p"); }',
    "private final Runnable r; C(Props p) { r = () -> p.setSize(3); new Thread(r).start(); }",
    "void f(Props p, com.lib.Pool pool) { pool.run(p.getSize(), () -> p.getSize()); }",
    "boolean f(Props p, Props q) { return p == null || p.equals(q) || q != p; }",
    "String f(Props p) { return p + String.valueOf(p); }",
    "Props f(boolean b, Props p, Props q) { return b ? p : q; }",
    "Props f(int b, Props p, Props q) { return switch (b) { case 1 -> p; default -> { yield q; } }; }",
    "int f(Props... all) { int n = 0; for (Props p : all) { n += p.getSize(); } return n + all[0].getSize() + all.length; }",
    "Props[] f(Props p) { Props[] a = {p}; a[0] = p; return new Props[] {p}; }",
    "List<Props> all = new ArrayList<>(); void f(Props p) { all.add(p); all.remove(p); Props q = all.get(0); all = List.of(p, q); }",
    "Map<String, Props> all = new HashMap<>(); Props f(String s) { for (Map.Entry<String, Props> e : all.entrySet()) { e.getValue().getSize(); } return all.computeIfAbsent(s, k -> new Props()); }",
    "int f(List<Props> all) { return all.stream().mapToInt(Props::getSize).sum(); }",
    "List<Integer> f(List<Props> all) { return all.stream().filter(Objects::nonNull).map(Props::getSize).sorted().collect(java.util.stream.Collectors.toList()); }",
    "Optional<Props> p = Optional.empty(); Props f() { return p.orElseGet(Props::new); } int g() { return p.map(Props::getSize).orElse(3); }",
    "java.util.function.Supplier<Props> f(Props p) { return () -> p; }",
    "synchronized void f(Props p) { synchronized (p) { p.setSize(1); } }",
    "boolean f(Object o) { return o instanceof Props p && p.getSize() == ((Props) o).getSize(); }",
    "static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger(C.class); Props p; String f() { return C.class.getName() + getClass().getSimpleName(); }",
    "@org.springframework.context.annotation.Bean Props x() { return new Props(); }",
    "@org.springframework.context.annotation.Bean D x(Props p) { return new D(p); } static class D { private final Props p; D(Props p) { this.p = p; } }",
    "Props f(org.springframework.core.env.Environment e) { return org.springframework.boot.context.properties.bind.Binder.get(e).bind(\"toy\", Props.class).orElseGet(Props::new); }",
    "Props f(org.springframework.core.env.Environment e) { return org.springframework.boot.context.properties.bind.Binder.get(e).bind(\"toy\", org.springframework.boot.context.properties.bind.Bindable.of(Props.class)).get(); }",
    "Props f(org.springframework.beans.factory.ObjectProvider<Props> all) { return all.getIfAvailable(); }",
    "interface Job { void run(); } static class One implements Job { Props p; public void run() { p.getSize(); } } Job f() { Job j = new One(); j.run(); return j; }",
    "record Pair(Props left, int right) { } int f(Props p) { Pair pair = new Pair(p, 1); return pair.left().getSize(); }",
    "com.lib.Json m; String f(Object o, String s) { Props p = null; return m.write(o) + m.write(s); }",
    "com.lib.Json m; void f(List<Object> all, Props p) { all.forEach(x -> m.write(x)); }",
]  # fmt: skip


def members(more: str, props: str = PLAIN % "") -> tuple[set[bool], tuple[str, ...]]:
    """Whether the edits of a member are sure in a project with one more class, and why not."""
    key = "toy.pool.size" if "Pool" in props else "toy.size"
    user = USER if props is not NESTED else USER.replace("p.getSize", "p.getPool().getSize")
    files = {
        "p/Props.java": props,
        "p/User.java": user,
        "p/C.java": f"package p; import java.util.*; class C {{ {more} }}\n",
        PROPERTIES: f"{key}=3\n",
    }
    found = renamed(analyse(files), PROPERTIES, 1, key.replace("size", "limit"))
    assert isinstance(found, Renamed)
    return {one.sure for one in found.edits if one.part is Part.MEMBER}, found.asked


@pytest.mark.parametrize("more", ESCAPES)
def test_a_class_whose_objects_may_leave_the_known_code_is_confirmed(more: str) -> None:
    sure, asked = members(more)
    assert sure == {False}
    assert len(asked) == 1 and asked[0].startswith("Props: ")
    assert "C.java" in asked[0] or "type argument" in asked[0]


@pytest.mark.parametrize("more", HARMLESS)
def test_a_class_whose_objects_are_used_in_known_forms_is_sure(more: str) -> None:
    assert members(more) == ({True}, ())


@pytest.mark.parametrize("more", [one for one in ESCAPES if "etSize" not in one][::3])
def test_what_holds_the_class_must_not_leave_either(more: str) -> None:
    sure, asked = members(more, NESTED)
    assert sure == {False} and asked[0].startswith("Pool: ")


@pytest.mark.parametrize(
    "more",
    [
        *(one for one in HARMLESS if "etSize" not in one),
        "int f(Props p) { return p.getMore().values().stream().mapToInt(Props.Pool::getSize).sum(); }",
        "int f(Props p) { for (Map.Entry<String, Props.Pool> one : p.getMore().entrySet()) { one.getValue().getSize(); }"
        ' return p.getMore().get("a").getSize(); }',
    ],
)
def test_what_holds_the_class_may_be_used_in_known_forms(more: str) -> None:
    assert members(more, NESTED) == ({True}, ())


@pytest.mark.parametrize(
    ("props", "sure"),
    [
        (PLAIN % "", True),
        ((PLAIN % "").replace("public class", "@lombok.ToString public class"), False),
        ((PLAIN % "").replace("int getSize", "String toString() { return \"\"; } public int getSize"), True),
    ],
)  # fmt: skip
def test_a_text_with_names_that_are_made_is_confirmed(props: str, sure: bool) -> None:
    assert members('String f(Props p) { return "is " + p; }', props)[0] == {sure}
    assert members("String f(Props p) { return String.valueOf(p); }", props)[0] == {sure}


def test_a_source_in_another_language_that_names_the_class_is_confirmed() -> None:
    files = {
        "p/Props.java": PLAIN % "",
        "p/User.java": USER,
        "src/main/kotlin/p/K.kt": "package p\nfun show(p: Props) = mapper.write(p)\n",
        PROPERTIES: "toy.size=3\n",
    }
    found = renamed(analyse(files), PROPERTIES, 1, "toy.limit")
    assert isinstance(found, Renamed)
    assert {one.sure for one in found.edits if one.part is Part.MEMBER} == {False}


def test_many_classes_that_lead_to_the_class_are_bounded() -> None:
    chain = "".join(f"static class H{number} {{ H{number - 1} h; }} " for number in range(1, 170))
    sure, asked = members(f"static class H0 {{ Props p; }} {chain}")
    assert sure == {False} and "classes lead to it" in asked[0]


def test_much_code_takes_linear_time_and_is_bounded() -> None:
    def counted(n: int) -> int:
        files = {
            "p/Props.java": PLAIN % "",
            "p/C.java": f"package p; class C {{ void f(Props p) {{ {'p.setSize(1); if (p == null) return; ' * n} }} }}\n",
            PROPERTIES: "toy.size=3\n",
        }
        analysis = analyse(files)
        return steps(lambda: renamed(analysis, PROPERTIES, 1, "toy.limit"))

    counted(1)
    assert counted(400) < 5 * counted(100)
