"""The config files that the runs of each side had, as ``--baseline-config`` and ``--violation-config`` name them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from conflens.cli.errors import BadInputError
from conflens.diagnosis.diagnose import NO_FILES, SideFiles
from conflens.documents.configfiles.model import ConfigFile
from conflens.documents.configfiles.parsing import read

_LARGEST = 16 << 20


def side_files(arguments: argparse.Namespace) -> SideFiles:
    """Return the files of both sides; raises :class:`BadInputError` if only one side is given, or a file is of no use."""
    one, other = arguments.baseline_config, arguments.violation_config
    if not one and not other:
        return NO_FILES
    if not one or not other:
        raise BadInputError("--baseline-config and --violation-config need each other")
    if not arguments.baseline:
        raise BadInputError("--baseline-config needs a --baseline to compare with")
    return SideFiles(_read(one), _read(other))


def _read(files: Sequence[str]) -> tuple[ConfigFile, ...]:
    return tuple(map(_file, files))


def _file(path: str) -> ConfigFile:
    try:
        with open(path, "rb") as stream:
            data = stream.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInputError(f"{path}: {reason}") from error
    if len(data) > _LARGEST:
        raise BadInputError(f"{path}: more than {_LARGEST >> 20} MB")
    file = read(path, data)
    if file.unread:
        raise BadInputError(f"{path}: {file.unread}")
    return file
