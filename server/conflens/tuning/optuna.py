"""A space as a Python module for Optuna: ``suggest(trial)`` returns the options with their values as texts.

The module imports only Optuna.  What a comparison forbids is pruned before anything is run.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.tuning.plain import bounds
from conflens.tuning.space import Parameter, Space, written
from conflens.tuning.switched import IN_RANGE, switch_name, switch_start, switch_values

_HEAD = '''\
"""Search space for Optuna, written by ``conflens space``.

    study = optuna.create_study()
    study.enqueue_trial(START)
    study.optimize(lambda trial: run(suggest(trial)), n_trials=100)

``suggest`` returns each option with its value as it is written into a config file.
"""

import optuna
'''


def write(space: Space) -> str:
    """Return the source of the module."""
    return "\n".join((_HEAD, *_start(space), "", "", *_suggest(space), ""))


def _start(space: Space) -> Iterator[str]:
    yield "START = {"
    for one in space.parameters:
        if one.range is None:
            yield f"    {one.name!r}: {one.start!r},"
            continue
        if one.specials:
            yield f"    {switch_name(one)!r}: {switch_start(one)!r},"
        if switch_start(one) == IN_RANGE:
            yield f"    {one.name!r}: {one.start_in_range!r},"
    yield "}"
    yield '"""The defaults of the program; the middle of the range where it states none."""'


def _suggest(space: Space) -> Iterator[str]:
    yield "def suggest(trial: optuna.Trial) -> dict[str, str]:"
    yield '    """Return the options of a trial with their values; prune a trial that the program would reject."""'
    yield "    numbers: dict[str, float] = {}"
    yield "    values: dict[str, str] = {}"
    yield "    chosen: dict[str, str] = {}"
    conditions = {one.child: one for one in space.conditions}
    for one in space.parameters:
        if one.why:
            yield f"    # {' '.join(one.why.split())}"
        needed = conditions.get(one.name)
        if needed is None:
            yield from (f"    {line}" for line in _lines(one))
        else:
            yield f"    if chosen.get({needed.parent!r}) in {list(needed.values)!r}:"
            yield from (f"        {line}" for line in _lines(one))
    for pair in space.comparisons:
        yield f"    if {pair.left!r} in numbers and {pair.right!r} in numbers:"
        yield f"        if not numbers[{pair.left!r}] {pair.op} numbers[{pair.right!r}]:"
        yield f"            raise optuna.TrialPruned({f'{pair.left} must be {pair.op} {pair.right}'!r})"
    yield "    return values"


def _lines(one: Parameter) -> Iterator[str]:
    name = one.name
    if one.range is None:
        drawn = f"trial.suggest_categorical({name!r}, {list(one.choices)!r})"
        yield f"values[{name!r}] = chosen[{name!r}] = {drawn}"
        return
    low, high = bounds(one.range)
    kind = "int" if one.range.is_whole else "float"
    log = ", log=True" if one.range.is_log else ""
    number = (
        f"number = trial.suggest_{kind}({name!r}, {low!r}, {high!r}{log})",
        f"numbers[{name!r}] = number",
        f'values[{name!r}] = f"{{number}}{_escaped(one.suffix)}"',
    )
    if not one.specials:
        yield from number
        return
    switch = switch_name(one)
    meanings = ", ".join(f"{written(item.value)}: {item.meaning}" for item in one.specials)
    drawn = f"trial.suggest_categorical({switch!r}, {switch_values(one)!r})"
    yield f"special = chosen[{switch!r}] = {drawn}  # {meanings}"
    yield f"if special == {IN_RANGE!r}:"
    yield from (f"    {line}" for line in number)
    yield "else:"
    yield f'    values[{name!r}] = f"{{special}}{_escaped(one.suffix)}"'


def _escaped(suffix: str) -> str:
    """Return a suffix as it stands in a format string; it is letters only."""
    return "".join(filter(str.isalpha, suffix))
