"""Every format is loaded by its tuner, and what it draws keeps to what the code enforces."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from conflens.options.limits import allows
from conflens.options.model import Effect, Option
from conflens.render.ranking import ranked
from conflens.session.analysis import Analysis
from conflens.tuning import configspace, mlos, optuna, vizier
from conflens.tuning.building import independent, space_of
from conflens.tuning.space import Comparison, Condition, Parameter, Range, Space, Special
from corpus.fetch import fetch, projects
from corpus.scan import analyse

WRITERS = {"optuna": optuna, "configspace": configspace, "mlos": mlos, "vizier": vizier}
PYTHON = Path(__file__).parents[2] / ".venv" / "tuners" / "bin" / "python"
SAMPLE = Path(__file__).with_name("sample.py")
SAMPLES = 1_000


def parameter(
    name: str, low: float, high: float, default: float | None = None, **more: object
) -> Parameter:
    made = Parameter(
        name,
        ("own", name),
        range=Range(low, high, True, low > 0 and high / low > 32),
        default=default,
    )
    return attrs.evolve(made, **more)


SPACE = Space(
    (
        Parameter("mode", ("own", "mode"), choices=("fast", 'it\'s "safe"\n'), default="fast"),
        parameter("pool.size", 1, 400, 20, specials=(Special(0, "off"), Special(-1, "no limit"))),
        parameter("low", 10, 100, 30),
        parameter("high", 20, 1000, 90, suffix="MB"),
        attrs.evolve(parameter("share", 0, 1), range=Range(0.0, 1.0, False, False), default=0.5),
        attrs.evolve(parameter("unset", 1, 9), default=-7, specials=(Special(-7, "the default"),)),
        parameter("odd'\"\\name\n", 1, 5, 2, why="sizes\na \"buffer\" '''"),
    ),
    (Comparison("low", "<", "high"),),
    (
        Condition("share", "mode", ("fast",)),
        Condition("unset", "pool.size:special", ("range",)),
    ),
)


def drawn(form: str, space: Space, folder: Path, number: int = SAMPLES) -> list[dict[str, object]]:
    """Return samples of a space, drawn by its tuner."""
    file = folder / "space.py"
    file.write_text(WRITERS[form].write(space), encoding="utf-8")  # type: ignore[attr-defined]
    assert PYTHON.exists(), "make test installs the tuners"
    done = subprocess.run(
        [PYTHON, SAMPLE, form, file, str(number)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [dict(json.loads(line)) for line in done.stdout.splitlines()]


def numbers(sample: dict[str, object], one: Parameter) -> Iterator[float]:
    """Yield the number of a parameter in a sample, also one that stands for a special value."""
    switch = sample.get(f"{one.name}:special")
    value = sample.get(one.name) if switch in (None, "range") else float(str(switch))
    if isinstance(value, (int, float)) and one.range is not None:
        yield value


@pytest.mark.slow
@pytest.mark.parametrize("form", WRITERS)
def test_the_tuner_draws_what_the_space_says(form: str, tmp_path: Path) -> None:
    samples = drawn(form, SPACE, tmp_path)
    assert len(samples) >= SAMPLES
    seen: dict[str, set[object]] = {}
    for sample in samples:
        for one in SPACE.parameters:
            for number in numbers(sample, one):
                assert one.range is not None
                assert one.range.holds(number) or number in {item.value for item in one.specials}
                seen.setdefault(one.name, set()).add(number)
        if form != "mlos":  # which knows no conditions
            assert ("share" in sample) == (sample["mode"] == "fast")
            has = sample["pool.size:special"] == "range"
            assert ("unset:special" in sample) == has
        if "low" in sample and "high" in sample:
            assert float(str(sample["low"])) < float(str(sample["high"]))
    assert {0.0, -1.0} <= seen["pool.size"] and len(seen["pool.size"]) > 50
    assert {sample["mode"] for sample in samples} == set(SPACE.parameters[0].choices)


@pytest.mark.slow
@pytest.mark.parametrize("form", WRITERS)
def test_a_tuner_starts_at_the_defaults(form: str, tmp_path: Path) -> None:
    if form == "vizier":
        defaults = json.loads(vizier.write(SPACE))["parameters"]
        assert defaults[2]["integerValueSpec"]["defaultValue"] == "30"
        return
    first = drawn(form, SPACE, tmp_path, 3)[0]
    assert (first["low"], first["high"], first["share"]) == (30, 90, 0.5)
    assert first.get("unset:special", first.get("unset")) in ("-7", -7)


def test_the_module_for_optuna_writes_units(tmp_path: Path) -> None:
    values = drawn("optuna", SPACE, tmp_path, 20)[0]["values"]
    assert isinstance(values, dict)
    assert (values["high"], values["unset"], values["mode"]) == ("90MB", "-7", "fast")


def test_ranges_without_comparisons_break_none() -> None:
    low, high = independent(SPACE).parameters[2:4]
    assert low.range is not None and high.range is not None
    assert low.range.high < high.range.low


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("project", ["h2", "zookeeper", "kafka"])
def test_no_sample_breaks_a_limit_of_the_code(project: str, tmp_path: Path) -> None:
    analysis = analyse(fetch(projects()[project]))
    space = space_of(analysis, ranked(analysis))
    assert len(space.parameters) > 30
    for form in WRITERS:
        for sample in drawn(form, space, tmp_path):
            broken = list(_broken(analysis, space, sample))
            assert not broken, (form, broken)


def _broken(
    analysis: Analysis, space: Space, sample: dict[str, object]
) -> Iterator[tuple[str, float]]:
    options = {option.key: option for option in analysis.options.options}
    for one in space.parameters:
        option = options[one.key]
        if one.suffix:  # in another unit than the limits; see test_space
            continue
        yield from (
            (one.name, number) for number in numbers(sample, one) if _rejects(option, number)
        )


def _rejects(option: Option, number: float) -> bool:
    concerned = [one for one in option.adjusted if one.concerns(number)]
    return not allows(option.limits, number) or (
        bool(concerned) and all(one.effect is Effect.THROWS for one in concerned)
    )
