"""Load a search space in its tuner and draw from it; run by the Python of the tuners, ``.venv/tuners``.

    python sample.py FORMAT FILE NUMBER

Prints one JSON object a sample: parameter to value, without parameters that are not active.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path


def optuna(file: Path, number: int) -> Iterator[dict[str, object]]:
    """Yield what trials of a study with random sampling set; those that are pruned are not counted."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    spec = importlib.util.spec_from_file_location("space", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: list[dict[str, object]] = []

    def cost(trial: optuna.Trial) -> float:
        values = module.suggest(trial)
        found.append({"values": values, **trial.params})
        if len(found) >= number:
            trial.study.stop()
        return 0.0

    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    study.enqueue_trial(module.START)
    study.optimize(cost, n_trials=10 * number)
    yield from found


def configspace(file: Path, number: int) -> Iterator[dict[str, object]]:
    """Yield the default configuration and samples."""
    from ConfigSpace import ConfigurationSpace

    space = ConfigurationSpace.from_json(file)
    space.seed(1)
    yield dict(space.get_default_configuration())
    for sample in space.sample_configuration(number - 1):
        yield dict(sample)


def mlos(file: Path, number: int) -> Iterator[dict[str, object]]:
    """Yield the defaults, and samples as the optimizers of ``mlos_bench`` draw them; the file must keep to their schema."""
    from mlos_bench.config.schemas.config_schemas import ConfigSchema
    from mlos_bench.optimizers.convert_configspace import (
        configspace_data_to_tunable_values,
        tunable_groups_to_configspace,
    )
    from mlos_bench.tunables.tunable_groups import TunableGroups

    data = json.loads(file.read_text(encoding="utf-8"))
    ConfigSchema.TUNABLE_PARAMS.validate(data)
    groups = TunableGroups(data)
    yield {tunable.name: tunable.value for tunable, _ in groups}
    for sample in tunable_groups_to_configspace(groups, seed=1).sample_configuration(number - 1):
        yield configspace_data_to_tunable_values(dict(sample))


def vizier(file: Path, number: int) -> Iterator[dict[str, object]]:
    """Yield samples as Vizier draws them at random."""
    import numpy
    from google.protobuf import json_format
    from vizier import pyvizier
    from vizier._src.algorithms.random.random_sample import _sample_value
    from vizier._src.service import study_pb2
    from vizier.service.pyvizier import StudyConfig

    text = file.read_text(encoding="utf-8")
    study = StudyConfig.from_proto(json_format.Parse(text, study_pb2.StudySpec()))
    draw = numpy.random.default_rng(1)
    for _ in range(number):
        builder = pyvizier.SequentialParameterBuilder(study.search_space)
        for parameter in builder:
            builder.choose_value(_sample_value(draw, parameter))
        yield builder.parameters.as_dict()


if __name__ == "__main__":
    form, path, wanted = sys.argv[1:]
    for one in globals()[form](Path(path), int(wanted)):
        print(json.dumps(one))
