"""Fixtures of the tests of verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from conflens.sensitivity.table import packaged
from conflens.session.verdicts import judging as module
from conflens.session.verdicts.forests import Forests
from session.judged import answered


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[str, ...]], None]:
    def use(wanted: tuple[str, ...]) -> None:
        monkeypatch.setattr(module, "Forests", partial(Forests, command=wanted))

    return use


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the forest of the packaged table."""
    folder = tmp_path_factory.mktemp("forests")
    forests = answered(Forests(packaged(), folder))
    assert forests.forest is not None, forests.failure
    yield folder
