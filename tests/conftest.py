"""What holds for all tests: patience (``patience``), what is drawn at random (``fuzz``), and which tests are slow.

A test is ``slow`` if its folder or file says so; any other may start no process, and is refused when it does.  So
``-m "not slow"`` is the tier for the time between two edits.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import fuzz
from patience import raise_limits

# What is drawn is the same in every run; how long an example takes says nothing.
settings.register_profile(
    "house",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("fuzz", "new random tests (make fuzz)")
    group.addoption("--fuzz", type=int, help="draw from this seed instead of the fixed ones")
    group.addoption("--fuzz-until", type=float, help="the time of day to stop at, in seconds")
    group.addoption("--fuzz-report", type=Path, help="where to write what failed")


def pytest_configure() -> None:
    raise_limits()


def name_of(item: pytest.Item) -> str:
    """The test of an item, without its parameters."""
    return item.nodeid.partition("[")[0]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give seeds to a test that draws from them."""
    mark = metafunc.definition.get_closest_marker("seeds")
    if mark is None:
        return
    (count,) = mark.args
    start = metafunc.config.getoption("--fuzz")
    if start is not None:
        chance = random.Random(f"{start} {metafunc.definition.nodeid}")
        found = [chance.getrandbits(32) for _ in range(count)]
    else:
        kept = [one.seed for one in fuzz.kept_of(metafunc.definition.nodeid)]
        found = list(dict.fromkeys([*range(count), *(seed for seed in kept if seed is not None)]))
    metafunc.parametrize("seed", found)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    functions: dict[str, Any] = {}
    for item in items:
        if hasattr(getattr(item, "obj", None), "hypothesis"):
            functions[name_of(item)] = item.obj
        if name_of(item) in functions or item.get_closest_marker("seeds"):
            item.add_marker("random")
    start = config.getoption("--fuzz")
    if start is None:
        for name, function in functions.items():
            fuzz.begin_with(function, fuzz.kept_of(name))
    else:
        random.Random(start).shuffle(items)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Draw what is kept, or in a run of ``make fuzz`` something new, and report what fails there."""
    start = pyfuncitem.config.getoption("--fuzz")
    function: Any = pyfuncitem.obj
    drawn = hasattr(function, "hypothesis")
    if start is None:
        result = yield
        for one in fuzz.kept_of(name_of(pyfuncitem)) if drawn else ():
            if one.seed is not None:
                fuzz.force(function, one.seed)
                named = pyfuncitem._fixtureinfo.argnames
                function(**{name: pyfuncitem.funcargs[name] for name in named})
                fuzz.force(function, None)
        return result
    seed = start if drawn else pyfuncitem.callspec.params["seed"]
    if drawn:
        fuzz.force(function, seed)
    with fuzz.watched(function) if drawn else nullcontext({}) as arguments:
        try:
            return (yield)
        except Exception:
            kept = fuzz.of_failure(name_of(pyfuncitem), seed, arguments)
            report = pyfuncitem.config.getoption("--fuzz-report")
            if report is not None:
                with report.open("a", encoding="utf-8") as out:
                    out.write(f"{json.dumps(kept.stored())}\n")
            raise


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """End a run of ``make fuzz`` when its time is over."""
    until = item.config.getoption("--fuzz-until")
    if until is not None and time.time() > until:
        item.session.shouldstop = "time is over"
