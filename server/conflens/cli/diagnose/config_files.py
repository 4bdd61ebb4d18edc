"""The config files that the runs of each side had, as ``--baseline-config`` and ``--violation-config`` name them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from conflens.cli.errors import BadInputError
from conflens.diagnosis.diagnose import NO_FILES, SideFiles
from conflens.documents.configfiles.model import ConfigFile
from conflens.session.snapshots.config_files import read_config_files


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
    try:
        return read_config_files(files)
    except ValueError as error:
        raise BadInputError(str(error)) from error
