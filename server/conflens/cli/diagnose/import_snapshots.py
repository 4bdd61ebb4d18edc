"""Snapshots of the command line: imported in processes of their own, while the project is read.

A snapshot is called after its file, with as many folders as tell it from the others.  Every file is looked at before any
work begins, so that a wrong name ends at once.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

import attrs

from conflens.base.cancel import Cancelled, CancelToken
from conflens.cli.errors import BadInputError
from conflens.cli.progress import Progress
from conflens.profiling import codec
from conflens.profiling.model import EventKind, ImportFailure, Series, Snapshot, Unit
from conflens.session.snapshots.importing import Importing
from conflens.session.snapshots.messages import Request
from conflens.session.snapshots.store import redaction_salt

_WAIT_SECONDS = 0.1


@attrs.frozen
class Wanted:
    """``kinds`` are those to keep (none: all); the first, and ``unit``, are for formats that do not say theirs."""

    kinds: tuple[EventKind, ...] = ()
    unit: Unit | None = None
    values: bool = True
    """Whether values that the run recorded are kept."""


class Imports:
    """The import of some files on a thread; a context manager that ends what still runs.

    If one fails ``token`` is cancelled, so that other work on it ends as well, and ``result`` says why.
    """

    def __init__(self, files: Sequence[str], wanted: Wanted, token: CancelToken) -> None:
        """Check the files and begin; raises :class:`BadInputError`."""
        self._wanted = wanted
        self._token = token
        self._done: list[Snapshot] = []
        self._failure: BaseException | None = None
        self._told = (0, 0)
        names = distinct(files)
        for file in files:
            _check(file)
        kind = wanted.kinds[0].value if wanted.kinds else ""
        unit = wanted.unit.value if wanted.unit is not None else ""
        self._imports = [
            Importing(Request(os.fsencode(file), name, kind, unit))
            for file, name in zip(files, names, strict=True)
        ]
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Imports:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End what still runs."""
        for one in self._imports:
            one.cancel()

    def result(self) -> tuple[Snapshot, ...]:
        """Wait, and return the snapshots in the order of the files; raises :class:`BadInputError`."""
        with Progress("importing snapshots") as progress:
            while self._thread.is_alive():
                self._thread.join(_WAIT_SECONDS)
                if self._told[1]:
                    progress(*self._told)
        if isinstance(self._failure, ImportFailure):
            raise BadInputError(str(self._failure))
        if self._failure is not None:
            raise self._failure
        return tuple(self._done)

    def _run(self) -> None:
        try:
            salt = redaction_salt()
            for one in self._imports:
                snapshot = codec.decode(one.run(self._tell, salt).data)
                self._done.append(_kept(snapshot, self._wanted))
        except Cancelled:
            return
        except BaseException as error:  # it is told where somebody waits for it
            self._failure = error
            self._token.cancel()

    def _tell(self, done: int, size: int) -> None:
        self._told = done, size


def distinct(files: Sequence[str]) -> list[str]:
    """Return names that tell files apart, as short as they can be; the same file has one name."""
    parts = {file: os.path.abspath(file).replace(os.sep, "/").split("/") for file in files}
    length = dict.fromkeys(files, 1)
    while True:
        names = {file: "/".join(parts[file][-length[file] :]) for file in files}
        taken: dict[str, set[tuple[str, ...]]] = {}
        for file, name in names.items():
            taken.setdefault(name, set()).add(tuple(parts[file]))
        short = [
            file
            for file, name in names.items()
            if len(taken[name]) > 1 and length[file] < len(parts[file])
        ]
        if not short:
            return [os.fsencode(names[file]).decode("utf-8", "replace") for file in files]
        for file in short:
            length[file] += 1


def _check(file: str) -> None:
    if not file:
        raise BadInputError("a snapshot has no name")
    if os.path.isdir(file):
        raise BadInputError(f"{file} is a folder, not a snapshot")
    if not os.path.exists(file):
        raise BadInputError(f"{file} does not exist")
    if not os.access(file, os.R_OK):
        raise BadInputError(f"{file} cannot be read")


def _kept(snapshot: Snapshot, wanted: Wanted) -> Snapshot:
    """Leave out what is not wanted."""
    if not wanted.values:
        snapshot = attrs.evolve(snapshot, values=())
    if not wanted.kinds:
        return snapshot
    found = _of(snapshot.series, wanted)
    if not found:
        recorded = ", ".join(series.kind.value for series in snapshot.series) or "none"
        kinds = ", ".join(wanted.kinds)
        raise ImportFailure(
            snapshot.name, "", f"holds no events of kind {kinds} (only {recorded})"
        )
    return attrs.evolve(snapshot, series=found, before=_of(snapshot.before, wanted))


def _of(series: Sequence[Series], wanted: Wanted) -> tuple[Series, ...]:
    return tuple(one for one in series if one.kind in wanted.kinds)
