"""What verdicts on repeated code execute grows with the repetitions: every edit asks for all of them again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conflens.sensitivity.judge import Judge
from conflens.sensitivity.vocabulary import packaged
from sensitivity.programs import analysed, varied
from steps import steps

FEW, MANY = 40, 80
MOST = 2.6

MAIN = "class M { public static void main(String[] a) throws Exception { new A().f(); } }"


def _each(n: int, text: str) -> str:
    return "\n".join(text.replace("#", str(number)) for number in range(n))


def _methods_that_call_each_other(n: int) -> str:
    every = _each(30, "b#();")
    own = "".join(
        f"void b{at}() {{ {every} {_each(n, 'r#();') if at == 29 else ''} }}\n" for at in range(30)
    )
    pools = _each(n, 'void r#() { Executors.newFixedThreadPool(Integer.getInteger("a#")); }')
    return f"class A {{ void f() {{ b0(); }} {own} {pools} }}"


def _arms_of_a_switch(n: int) -> str:
    arms = _each(4 * n, 'case "a#": p = Executors.newFixedThreadPool(#); break;')
    return f'class A {{ ExecutorService p; void f() {{ switch (System.getProperty("a.mode")) {{ {arms} }} }} }}'


def _pools_of_one_body(n: int) -> str:
    pool = (
        'ThreadPoolExecutor t# = new ThreadPoolExecutor(Integer.getInteger("a#"), 5, 1, TimeUnit.SECONDS,'
        " new LinkedBlockingQueue<>()); t#.allowCoreThreadTimeOut(true);"
    )
    return f"class A {{ void f() {{ {_each(n, pool)} }} }}"


def _maps_of_one_body(n: int) -> str:
    made = _each(2 * n, 'o = new HashMap<>(Integer.getInteger("a#", 1));')
    return f"class A {{ Object o; void f() {{ {made} }} }}"


def _beans(n: int) -> str:
    made = _each(
        n,
        '@Bean ExecutorService p#() { return Executors.newFixedThreadPool(Integer.getInteger("a#")); }',
    )
    taken = _each(n, '@Bean Object q#(@Qualifier("x#") ExecutorService e) { return e; }')
    return f"@Configuration class A {{ void f() {{ }} {made} {taken} }}"


def _loads_of_fields_of_one_name(n: int) -> str:
    pool = "private Executor e = Executors.newFixedThreadPool"
    pools = _each(n // 4, f'class C# {{ {pool}(Integer.getInteger("a#")); }}')
    return f"{pools} class A {{ int e; void x(int i) {{ }} void f() {{ {'x(e);' * 20 * n} }} }}"


SHAPES = (
    _arms_of_a_switch,
    _pools_of_one_body,
    _maps_of_one_body,
    _beans,
    _loads_of_fields_of_one_name,
)


def judging(source: str) -> int:
    head = "package p;\nimport java.util.*;\nimport java.util.concurrent.*;\n"
    for package in ("context.annotation", "beans.factory.annotation"):
        head += f"import org.springframework.{package}.*;\n"
    analysis = analysed(f"{head}{MAIN}\n{source}")
    judge = Judge(varied(), packaged())
    return steps(lambda: judge.judged(analysis.program, analysis.options.options, analysis.flows))


@pytest.mark.parametrize("shape", SHAPES)
def test_judging_grows_with_the_repetitions(shape: Callable[[int], str]) -> None:
    judging(shape(1))  # rows and words are read once
    few = judging(shape(FEW))
    assert judging(shape(MANY)) < MOST * few


def test_who_calls_a_method_is_found_out_once_for_all_that_it_calls() -> None:
    judging(_methods_that_call_each_other(1))  # rows and words are read once
    one = judging(_methods_that_call_each_other(1))
    many = judging(_methods_that_call_each_other(FEW + 1))
    assert (many - one) / FEW < one / 5
