"""Random tests: those of Hypothesis, and those that draw from a ``seed`` (``@pytest.mark.seeds(NUMBER)``).

    PYTHONPATH=tests .venv/bin/python -m fuzz --minutes N [--jobs N]

``make test`` draws the same in every run: a test with seeds gets 0, 1, …, Hypothesis derives its own from the source of a
test.  ``make fuzz`` runs the random tests with new seeds, in a new order, again and again until the minutes are over.  What fails
is kept in ``fuzz.json``, and every later run of the test begins with it.

Terms
    kept  what made a test fail: the arguments that Hypothesis ended with, as literals; where they are none (a drawn
          object, ``st.data()``), the seed of the run; for a test with seeds, its seed.

A kept example stays when its fault is mended.  One with a seed alone may come to draw something else when its strategy or
Hypothesis changes, so that an ``@example`` is written in its place.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from typing import Any

import attrs
from hypothesis import example
from hypothesis import seed as forced

HERE = Path(__file__).parent
FILE = HERE / "fuzz.json"


@attrs.frozen(order=True)
class Kept:
    """See the module's text: ``arguments`` are literals by name, in order of names, empty if ``seed`` stands for them."""

    test: str
    seed: int | None = None
    arguments: tuple[tuple[str, str], ...] = ()

    def stored(self) -> dict[str, object]:
        """Return it as JSON."""
        if self.arguments:
            return {"test": self.test, "arguments": dict(self.arguments)}
        return {"test": self.test, "seed": self.seed}

    @staticmethod
    def read(stored: Mapping[str, Any]) -> Kept:
        """Take it from JSON."""
        arguments = tuple(sorted(stored.get("arguments", {}).items()))
        return Kept(stored["test"], stored.get("seed"), arguments)


def loaded(file: Path = FILE) -> list[Kept]:
    """Return what a file keeps, nothing if there is none."""
    return [Kept.read(one) for one in json.loads(file.read_text("utf-8"))] if file.exists() else []


def stored(kept: Iterable[Kept], file: Path = FILE) -> None:
    """Write a file, in order, each but once."""
    found = [one.stored() for one in sorted(set(kept), key=repr)]
    file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


@cache
def _of_tests() -> dict[str, list[Kept]]:
    found: dict[str, list[Kept]] = {}
    for one in loaded():
        found.setdefault(one.test, []).append(one)
    return found


def kept_of(test: str) -> list[Kept]:
    """Return what is kept of a test: its file below the house, ``::`` and its name."""
    return _of_tests().get(test, [])


def literal(value: object) -> str | None:
    """Return a value as Python writes it; ``None`` if that does not say all of it."""
    text = repr(value)
    try:
        return text if ast.literal_eval(text) == value else None
    except (ValueError, SyntaxError):
        return None


def of_failure(test: str, seed: int, arguments: Mapping[str, object]) -> Kept:
    """Return what to keep of a failure."""
    texts = {name: literal(value) for name, value in arguments.items()}
    if texts and all(text is not None for text in texts.values()):
        return Kept(test, None, tuple(sorted((name, str(text)) for name, text in texts.items())))
    return Kept(test, seed)


def begin_with(function: Any, kept: Iterable[Kept]) -> None:
    """Let a test of Hypothesis begin with kept arguments."""
    for one in kept:
        if one.arguments:
            example(**{name: ast.literal_eval(text) for name, text in one.arguments})(function)


@contextmanager
def watched(function: Any) -> Iterator[dict[str, object]]:
    """Yield what will be the arguments with which a test of Hypothesis last failed."""
    inner: Callable[..., object] = function.hypothesis.inner_test
    failed: dict[str, object] = {}
    names = set(function.hypothesis._given_kwargs)

    @wraps(inner)
    def watching(*positional: object, **named: object) -> object:
        try:
            return inner(*positional, **named)
        except Exception:
            failed.clear()
            failed.update({name: value for name, value in named.items() if name in names})
            raise

    function.hypothesis.inner_test = watching
    try:
        yield failed
    finally:
        function.hypothesis.inner_test = inner


def force(function: Any, seed: int | None) -> None:
    """Let a test of Hypothesis draw from a seed; ``None``: from its own."""
    if seed is None:
        function._hypothesis_internal_use_seed = None
    else:
        forced(seed)(function)


def _run(minutes: float, jobs: int) -> int:
    """Run the random tests until time is over; keep what fails and return how much of it is new."""
    until = time.time() + 60 * minutes
    before = loaded()
    with tempfile.TemporaryDirectory() as folder:
        running: dict[int, subprocess.Popen[bytes]] = {}
        reports = [Path(folder) / str(job) for job in range(jobs)]
        while (left := time.time() < until) or running:
            for job, report in enumerate(reports):
                process = running.get(job)
                if process is not None and process.poll() is not None:
                    del running[job]
                if left and job not in running:
                    running[job] = subprocess.Popen(_command(until, report), cwd=HERE.parent)
            time.sleep(0.1)
        lines = [line for report in reports if report.exists() for line in report.open("rb")]
    found = {Kept.read(json.loads(line)) for line in lines} - set(before)
    if found:
        stored([*before, *found])
    sys.stdout.write(
        f"{len(found)} new failures" + (f", kept in {FILE.name}:\n" if found else "\n")
    )
    for one in sorted(found, key=repr):
        sys.stdout.write(f"  {one.test}\n")
    return len(found)


def _command(until: float, report: Path) -> list[str]:
    options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", "-m", "random"]
    drawn = [f"--fuzz={random.SystemRandom().getrandbits(32)}", f"--fuzz-until={until}"]
    return [sys.executable, "-m", "pytest", *options, *drawn, f"--fuzz-report={report}"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    sys.exit(_run(given.minutes, given.jobs) > 0)
