"""The classifier of a session: fitted in a process of its own, kept in the folder of caches.

``start`` begins what takes time as early as possible; ``wait`` waits for it.  scikit-learn is loaded by that process
only.  A forest that is stored is read in milliseconds; a damaged one, or one fitted from
another table, is fitted anew.  When fitting fails ``forest`` is ``None`` and ``failure`` says why.

Invariant: the process ends with the session at the latest.
"""

from __future__ import annotations

import hashlib
import logging
import os
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from conflens.sensitivity.fitting import meaning
from conflens.sensitivity.forest import Forest
from conflens.sensitivity.table import Table, dumps
from conflens.session.store.places import open_regular, private_folder

_log = logging.getLogger("conflens.session.verdicts.forests")

COMMAND = (sys.executable, "-P", "-m", "conflens.sensitivity.fitting")
_MOST_BYTES = 100_000_000
"""A stored forest has a few hundred thousand."""
SECONDS = 600.0
"""A process that fits for longer is ended."""


def _environment() -> dict[str, str]:
    """What the process sees: one thread for arrays, and ConfLens itself, wherever it was loaded from."""
    own = str(Path(__file__).resolve().parents[3])
    found = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([own, found]) if found else own
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return os.environ | threads | {"PYTHONPATH": path}


class Forests:
    """Gives the forest of one training table; see the module text."""

    def __init__(
        self, table: Table, folder: Path | None, command: tuple[str, ...] = COMMAND
    ) -> None:
        """Fit from ``table``; keep the forest in ``folder``, unless it is ``None``."""
        self._table = table
        self._command = command
        self._meaning = meaning(table)
        name = hashlib.blake2b(self._meaning.encode(), digest_size=12).hexdigest()
        self._file = None if folder is None else folder / f"forest-{name}.bin"
        self._forest: Forest | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._disposed = False
        self.failure = ""

    def start(self) -> None:
        """Begin to get the forest, if nobody has; returns at once."""
        if self._thread is None and self._forest is None and not self._disposed:
            self._thread = threading.Thread(target=self._get, name="conflens-forest", daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Tell whether there is an answer, a forest or a failure, within ``seconds``."""
        self.start()
        thread = self._thread
        if thread is None:
            return True
        if seconds > 0:
            thread.join(seconds)
        return not thread.is_alive()

    @property
    def forest(self) -> Forest | None:
        """The forest, once there is an answer; ``None`` after a failure."""
        return self._forest

    def dispose(self) -> None:
        """End the process if it still runs."""
        self._disposed = True
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()
        if self._thread is not None:
            self._thread.join()

    def _get(self) -> None:
        try:
            self._forest = self._stored()
            if self._forest is None and not self._disposed:
                self._forest = self._fitted()
        except (OSError, subprocess.SubprocessError) as error:
            self.failure = f"the classifier could not be fitted: {error}"
        if self._forest is None and not self._disposed:
            _log.warning("%s", self.failure)

    def _stored(self) -> Forest | None:
        if self._file is None:
            return None
        try:
            with open(self._file, "rb", opener=open_regular) as file:
                data = file.read(_MOST_BYTES + 1)
            return Forest.read(data, self._meaning) if len(data) <= _MOST_BYTES else None
        except OSError:
            return None

    def _fitted(self) -> Forest | None:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
        )
        self._process = process
        if self._disposed:
            process.kill()
        try:
            data, complaint = process.communicate(dumps(self._table).encode(), SECONDS)
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
        found = Forest.read(data, self._meaning) if process.returncode == 0 else None
        if found is None:
            lines = complaint.decode("utf-8", "replace").strip().splitlines()
            reason = lines[-1] if lines else f"its process ended with {process.returncode}"
            self.failure = f"the classifier could not be fitted: {reason}"
        elif self._file is not None:
            with suppress(OSError):
                self._store(data, self._file)
        return found

    @staticmethod
    def _store(data: bytes, file: Path) -> None:
        """Write a file that others see whole or not at all."""
        private_folder(file.parent)
        handle, name = tempfile.mkstemp(prefix=file.name, dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
            Path(name).replace(file)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
