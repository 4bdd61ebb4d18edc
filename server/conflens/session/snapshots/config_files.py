"""The config files that the runs of each side had, as a person names them.

A file is read once, when it is named: what it holds later says nothing of the runs.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from conflens.documents.configfiles.model import ConfigFile
from conflens.documents.configfiles.parsing import read

_LARGEST = 16 << 20


def read_config_files(paths: Sequence[str]) -> tuple[ConfigFile, ...]:
    """Return the files at ``paths``; raises ``ValueError`` (one line) if one is of no use."""
    return tuple(map(_file, paths))


def _file(path: str) -> ConfigFile:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe is never at its end
            raise ValueError("not a regular file")
        with open(path, "rb") as stream:
            data = stream.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"{path}: {reason}") from error
    if len(data) > _LARGEST:
        raise ValueError(f"{path}: more than {_LARGEST >> 20} MB")
    file = read(path, data)
    if file.unread:
        raise ValueError(f"{path}: {file.unread}")
    return file
