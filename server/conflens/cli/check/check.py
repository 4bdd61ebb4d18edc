"""``conflens check``: what cannot be right between code, config files and documents.

What the user gave is checked before any work.  A baseline that is named here replaces that of the workspace file;
one is only written for the whole project, since it would forget all other files otherwise.
Absent: what is found (``checked``) and how it looks (``check_table``, ``check_json``, ``check_sarif``).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable

import attrs

from conflens.base.words import count
from conflens.checking import baseline
from conflens.checking.baseline import Baseline, BaselineError
from conflens.checking.results import Code, Severity
from conflens.checking.suppression import identity_of
from conflens.cli.check.collecting import Checked, checked, paths, within
from conflens.cli.engine import analyse, uncollected
from conflens.cli.errors import FINDINGS, OK, BadInputError
from conflens.cli.output import check_writable, emit, emit_lines, warn
from conflens.models.structure import nearest

_PROBLEM = "problem"
_LOUDNESS = (Severity.HINT, Severity.INFORMATION, Severity.WARNING, Severity.ERROR)


def run(arguments: argparse.Namespace) -> int:
    """Check, print in the chosen format, and return the exit code that ``--fail-on`` asks for."""
    codes = frozenset(map(Code, _among(arguments.code, tuple(Code))))
    fail_on = _among(arguments.fail_on, (*reversed(_LOUDNESS), *Code, _PROBLEM))
    known = _baseline(arguments.baseline) if arguments.baseline is not None else None
    if arguments.write_baseline is not None and (arguments.files or codes):
        raise BadInputError(
            "--write-baseline goes without FILE and --code: it would forget all else"
        )
    for file in (arguments.output, arguments.write_baseline):
        if file is not None:
            check_writable(file)
    wanted = [_inside(arguments.path, file) for file in arguments.files]
    analysis = analyse(arguments)
    policy = analysis.policy
    if known is not None:
        policy = attrs.evolve(policy, baseline=known)
    if arguments.write_baseline is not None:
        policy = attrs.evolve(policy, baseline=None)
    elif arguments.only_new and policy.baseline is None:
        raise BadInputError(
            "--only-new needs a baseline: name one by --baseline or in .conflens.toml"
        )
    analysis = attrs.evolve(analysis, policy=policy)
    with uncollected():
        files = paths(analysis)
        found = checked(analysis, within(files, wanted) if wanted else files, codes)
        if arguments.write_baseline is not None:
            return _write(found, arguments.write_baseline)
        _show(found, arguments.format, arguments.output, arguments.only_new)
    return FINDINGS if _fails(found, fail_on) else OK


def _show(found: Checked, form: str, file: str | None, only_new: bool) -> None:
    if form == "sarif":
        from conflens.cli.check.sarif_format import encode_findings  # noqa: PLC0415 - one format is loaded

        emit(encode_findings(found, only_new), file)
        return
    if form == "json":
        from conflens.cli.check.json_format import encode  # noqa: PLC0415 - one format is loaded

        emit(encode(found), file)
        return
    from conflens.cli.check.table_format import lines  # noqa: PLC0415 - one format is loaded

    _warn_of_problems(found)
    emit_lines(lines(found), file)


def _write(found: Checked, file: str) -> int:
    _warn_of_problems(found)
    emit(baseline.encode(map(identity_of, found.findings)), file)
    emit_lines([f"{count(len(found.findings), 'finding')} written to {file}."])
    return OK


def _warn_of_problems(found: Checked) -> None:
    for problem in found.problems:
        warn(f"{problem.path}:{problem.line}: {problem.message}")


def _fails(found: Checked, fail_on: frozenset[str]) -> bool:
    if _PROBLEM in fail_on and found.problems:
        return True
    least = min((_LOUDNESS.index(one) for one in _LOUDNESS if one in fail_on), default=None)
    return any(
        finding.code in fail_on
        or (least is not None and _LOUDNESS.index(finding.severity) >= least)
        for finding in found.findings
    )


def _among(named: Iterable[str], known: tuple[str, ...]) -> frozenset[str]:
    """Return the words if all are known; raise :class:`BadInputError` for the first that is not."""
    words = sorted(named)
    for word in words:
        if word not in known:
            near = nearest(word, known)
            meant = f"; did you mean '{near}'?" if near else ""
            raise BadInputError(f"{word} is not one of {', '.join(known)}{meant}")
    return frozenset(words)


def _baseline(file: str) -> Baseline:
    try:
        with open(file, "rb") as stream:
            data = stream.read(baseline.MAX_BYTES + 1)
        return baseline.decode(data)
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror or error}") from error
    except BaselineError as error:
        raise BadInputError(f"{file}: {error}") from error


def _inside(project: str, file: str) -> str:
    """Return a file's path relative to the project, with ``/``; raise :class:`BadInputError` for one outside of it."""
    if not os.path.exists(file):
        raise BadInputError(f"{file} does not exist")
    for place in (os.path.abspath, os.path.realpath):
        try:
            path = os.path.relpath(place(file), place(project)).replace(os.sep, "/")
        except ValueError:  # another drive
            continue
        if path == ".":
            return ""
        if path != ".." and not path.startswith("../"):
            return path
    raise BadInputError(f"{file} lies outside of {project}")
