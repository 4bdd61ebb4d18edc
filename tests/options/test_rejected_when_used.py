"""Values that nobody but the code that uses them rejects, and who notices: discovery of small programs."""

from __future__ import annotations

import pytest

from conflens.options.adjustments import shown
from options.adjusted_support import READ, THROW, named, said, table

KEPT = "class Pool { final int size; Pool(int size) { this.size = size; } "
POOL = KEPT + "byte[] make() { return new byte[size]; } "
MADE = ' class T { Pool pool = new Pool(Integer.getInteger("pool.size", 50)); }'
NEGATIVE = {("lower", "0", "throws", "")}
UNNOTICED = {
    "a thread": "void start() { new Thread(() -> make()).start(); } }",
    "a method reference": "void start() { new Thread(this::make).start(); } }",
    "a task": "class Task implements Runnable { public void run() { make(); } } }",
    "a timer": "class Task extends java.util.TimerTask { public void run() { again(); } } void again() { make(); } }",
    "an executor": "void start(java.util.concurrent.ExecutorService e) { e.submit(() -> { make(); }); } }",
    "a handler that goes on": "void start() { try { make(); } catch (RuntimeException e) { e.printStackTrace(); } } }",
    "a library": "class Handler extends Other { @Override public void handle() { make(); } } }",
    "some threads only": "byte[] get() { return make(); } void start() { new Thread(() -> make()).start(); } }",
}  # fmt: skip
NOTICED = {
    "nobody calls it": "}",
    "a constructor": "static class User { User(Pool pool) { pool.make(); } } void start() { new Thread(() -> new User(this)).start(); } }",
    "a handler of something else": "void start() { try { make(); } catch (NumberFormatException e) { e.printStackTrace(); } } }",
    "a handler that throws": "void start() { try { make(); } catch (RuntimeException e) { throw new IllegalStateException(e); } } }",
    "main": "public static void main(String[] args) { try { new Pool(1).make(); } catch (Exception e) { System.exit(1); } } }",
    "a lambda that is run at once": "void start() { now(() -> make()); } void now(Runnable r) { r.run(); } }",
}  # fmt: skip


@pytest.mark.parametrize("case", UNNOTICED)
def test_an_exception_that_comes_to_nobody_rejects_nothing_but_ends_each_use(case: str) -> None:
    found = table(POOL + UNNOTICED[case], MADE)
    assert said(named(found)) == {("lower", "0", "fails", "")}
    assert [one.effect.value for one, _ in shown(found, named(found))] == ["fails"]


def test_what_a_handler_replaces_does_not_fail() -> None:
    handled = "class Pool { byte[] make(int n) { try { return taken(n); } catch (RuntimeException e) { return new byte[9]; } } byte[] taken(int n) { return new byte[n]; } }"
    made = 'class T { byte[] all = new Pool().make(Integer.getInteger("pool.size", 50)); }'
    assert said(named(table(handled, made))) == set()
    goes_on = handled.replace("return new byte[9]; }", "e.printStackTrace(); } return null;")
    assert said(named(table(goes_on, made))) == {("lower", "0", "fails", "")}


def test_what_another_body_compares_before_does_not_fail() -> None:
    pool = (
        KEPT
        + "byte[] get() { return size > 0 ? kept.get() : null; } final ThreadLocal<byte[]> kept = new ThreadLocal<>() { %s }; }"
    )
    made = "@Override protected byte[] initialValue() { return new byte[size]; }"
    assert all(effect != "fails" for _, _, effect, _ in said(named(table(pool % made, MADE))))


def test_what_a_bean_tells_is_no_use() -> None:
    made = 'class T { static byte[] all = new byte[Integer.getInteger("pool.size", 50)]; }'
    assert said(named(table(made))) == NEGATIVE
    asked = 'class T { int size = Integer.getInteger("pool.size", 50); int getSize() { return size; } %s }'
    use = "byte[] make() { return new byte[size]; }"
    assert said(named(table(asked % use))) == {("lower", "0", "fails", "")}
    assert (
        said(
            named(
                table(
                    asked
                    % (
                        use
                        + ' void set() { use(getSize()); } void use(Object n) { System.setProperty("n", n.toString()); }'
                    )
                )
            )
        )
        == set()
    )


def test_what_one_read_rejects_and_another_one_fails_with_fails() -> None:
    one = 'class A { byte[] a() { return new byte[Integer.getInteger("pool.size", 5)]; } }'
    two = 'class B implements Runnable { public void run() { byte[] b = new byte[Integer.getInteger("pool.size", 5)]; } }'
    assert said(named(table(one, two))) == {("lower", "0", "fails", "")}


@pytest.mark.parametrize("case", NOTICED)
def test_an_exception_that_comes_to_somebody_rejects(case: str) -> None:
    assert said(named(table(POOL + NOTICED[case], MADE))) == NEGATIVE


def test_a_constructor_that_a_thread_calls_rejects_nothing() -> None:
    checked = "class Checked { final int n; Checked(int n) { this.n = n; if (this.n < 1) throw new IllegalStateException(); } }"
    user = "class User { final int size; User(int size) { this.size = size; } void start() { %s } void again() { new Checked(size); } }"
    made = 'class T { User user = new User(Integer.getInteger("pool.size", 50)); }'
    unseen = said(named(table(checked, user % "new Thread(() -> again()).start();", made)))
    assert unseen == {("lower", "1", "fails", "")}
    found = said(named(table(checked, user % "again();", made)))
    assert found == {("lower", "1", "throws", "")}


def test_an_own_exception_that_is_caught_rejects_nothing() -> None:
    check = "class Odd extends Exception {} class T { void run() { %s } void check(int n) throws Odd { if (n < 1) throw new Odd(); } }"
    caught = READ + " try { check(n); } catch (Odd e) { e.printStackTrace(); }"
    assert said(named(table(check % caught))) == {("lower", "1", "fails", "")}
    other = READ + " try { check(n); } catch (NumberFormatException e) { e.printStackTrace(); }"
    assert said(named(table(check % other))) == {("lower", "1", "throws", "")}


def test_a_read_in_another_thread_rejects_nothing() -> None:
    source = f"class T implements Runnable {{ public void run() {{ {READ} byte[] all = new byte[n]; }} }}"
    assert said(named(table(source))) == {("lower", "0", "fails", "")}


def test_nothing_is_said_of_what_the_look_up_itself_may_replace() -> None:
    source = """import java.util.concurrent.*;
class Setting {
    final String key; final int least; final int usual;
    Setting(String key, int least, int usual) { this.key = key; this.least = least; this.usual = usual; }
    int get() { int n = Integer.getInteger(key, usual); %s return n; }
}
class Pools {
    static final Setting SIZE = new Setting("pool.size", 1, 4);
    void run() { Executors.newFixedThreadPool(SIZE.get()); }
}
"""
    assert said(named(table(source % ""))) == {("lower", "1", "throws", "")}
    assert said(named(table(source % "if (n < least) { return usual; }"))) == set()


def test_the_other_option_of_a_shared_builder_is_one_of_the_same_group() -> None:
    source = (
        "class Pools { int least, most; Pools least(int n) { least = n; return this; } Pools most(int n) { most = n; return this; }"
        f" int[] build() {{ if (least > most) {THROW} return new int[] {{least, most}}; }} }}"
        ' class T { int[] one = new Pools().least(Integer.getInteger("pool.one.least", 1)).most(Integer.getInteger("pool.one.most", 9)).build();'
        ' int[] two = new Pools().least(Integer.getInteger("pool.two.least", 1)).build();'
        ' int[] three = new Pools().most(Integer.getInteger("pool.three.most", 1)).build(); }'
    )
    found = table(source)

    def others(name: str) -> set[str]:
        return {other.name for _, other in shown(found, named(found, name)) if other}

    assert others("pool.one.least") == {"pool.one.most"}
    assert others("pool.one.most") == {"pool.one.least"}
    assert others("pool.two.least") == others("pool.three.most") == set()
