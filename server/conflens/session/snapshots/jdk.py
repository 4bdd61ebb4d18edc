"""Where the tools of a JDK are: in ``JAVA_HOME`` if it has them, else on ``PATH``.

Absent: what the tools are run for (``capture``, ``snapshot_worker``).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path


class ToolMissing(Exception):  # noqa: N818 - says what is missing, not what went wrong
    """A tool that is nowhere; ``str`` is one line for a person."""


def find_tool(name: str, environment: Mapping[str, str] | None = None) -> str:
    """Return the path of the JDK's tool ``name`` (``jfr``, ``jcmd``, ``java``).

    Raises ``ToolMissing``.  ``environment`` is the process' own unless given.
    """
    environment = os.environ if environment is None else environment
    home = environment.get("JAVA_HOME", "").strip()
    if home:
        found = shutil.which(name, path=str(Path(home) / "bin"))
        if found is not None:
            return found
    found = shutil.which(name, path=environment.get("PATH") or os.defpath)
    if found is not None:
        return found
    places = "neither in the JDK that JAVA_HOME names nor on PATH" if home else "not on PATH"
    raise ToolMissing(
        f"{name} is {places}: install a JDK, 17 or newer, or set JAVA_HOME to where one is"
    )
