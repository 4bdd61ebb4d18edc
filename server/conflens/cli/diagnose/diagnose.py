"""``conflens diagnose``: which options are behind what a profiler measured, and how.

Formats: a table for a terminal, JSON (``diagnosis_document``), a page in Markdown, one in HTML with a flame graph, the
violation as a speedscope file whose frames carry options, and SARIF.  Without ``--format`` the name of
``--output`` decides.  Mistakes in a workspace file are told on standard error.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from urllib.parse import quote

import attrs

from conflens.base.cancel import Cancelled, CancelToken
from conflens.cli.diagnose.config_files import side_files
from conflens.cli.diagnose.import_snapshots import Imports, Wanted
from conflens.cli.engine import analyse, uncollected
from conflens.cli.errors import FINDINGS, OK, BadInputError
from conflens.cli.output import check_writable, emit, emit_lines, warn
from conflens.cli.report.steps import Steps
from conflens.diagnosis.diagnose import (
    DEFAULT,
    DiagnosisSettings,
    SideFiles,
    Subject,
    diagnose,
)
from conflens.diagnosis.report import likely
from conflens.diagnosis.results import Diagnosis, Scale
from conflens.profiling.model import EventKind, Snapshot, Unit
from conflens.session.analysis import Analysis

_BY_SUFFIX = (
    (".speedscope.json", "speedscope"),
    (".json", "json"),
    (".md", "markdown"),
    (".html", "html"),
    (".htm", "html"),
    (".sarif", "sarif"),
)
_DEFAULT = "table"
_WORKSPACE = "workspace-file"


@attrs.frozen
class Diagnosed:
    """What every format is written from."""

    analysis: Analysis
    diagnosis: Diagnosis
    baseline: tuple[Snapshot, ...]
    violation: tuple[Snapshot, ...]
    steps: Steps


def run(arguments: argparse.Namespace) -> int:
    """Import and scan at once, diagnose, print, and return the exit code that ``--fail-on`` asks for."""
    path, violation = _project(arguments.path, arguments.violation)
    arguments.path = path
    form = arguments.format or _format_of(arguments.output)
    if "violation" in arguments.fail_on and not arguments.baseline:
        raise BadInputError("--fail-on violation needs a --baseline to compare with")
    files = side_files(arguments)
    if arguments.output is not None:
        check_writable(arguments.output)
    found = _diagnosed(arguments, violation, files)
    for problem in found.analysis.problems:
        if problem.code == _WORKSPACE:
            warn(f"{problem.path}:{problem.line}: {problem.message}")
    with uncollected():
        show(found, form, arguments.top, arguments.output)
    return FINDINGS if _fails(found.diagnosis, arguments.fail_on) else OK


def show(found: Diagnosed, form: str, top: int | None = None, file: str | None = None) -> None:
    """Print a diagnosis, to ``file`` if one is given."""
    if form == "json":
        from conflens.cli.diagnose.document import (  # noqa: PLC0415 - one format is loaded
            document_of,
            encode_document,
        )

        emit(encode_document(document_of(found.diagnosis, found.steps, top)), file)
    elif form == "html":
        from conflens.cli.diagnose.html_format import html_page  # noqa: PLC0415 - one format is loaded

        sides = found.baseline, found.violation
        emit(html_page(found.diagnosis, found.steps, *sides, top), file)
    elif form == "speedscope":
        from conflens.cli.diagnose.speedscope_format import (  # noqa: PLC0415 - one format is loaded
            encode_profile,
        )

        emit(encode_profile(found.diagnosis, found.analysis.program, found.violation), file)
    elif form == "sarif":
        from conflens.cli.diagnose.sarif_format import encode_diagnosis  # noqa: PLC0415 - one format

        emit(encode_diagnosis(found.diagnosis, found.steps, top), file)
    elif form == "markdown":
        emit_lines(_page(found, top), file)
    else:
        from conflens.cli.diagnose.table_format import show_diagnosis  # noqa: PLC0415 - one format

        show_diagnosis(found.diagnosis, found.steps, top, file)


def _page(found: Diagnosed, top: int | None) -> Iterator[str]:
    from conflens.render.diagnosis import diagnosis_lines  # noqa: PLC0415 - one format is loaded
    from conflens.render.phrases import Wording  # noqa: PLC0415 - one format is loaded

    wording = Wording(link=_link)
    return diagnosis_lines(found.analysis, found.diagnosis, wording, top)


def _link(path: str, line: int) -> str:
    """Return a link that is right beside the project's folder, and where a repository is shown."""
    return f"{quote(path.encode('utf-8', 'surrogateescape'))}#L{line}"


def _diagnosed(
    arguments: argparse.Namespace, violation: list[str], configs: SideFiles
) -> Diagnosed:
    token = CancelToken()
    unit = Unit(arguments.unit) if arguments.unit is not None else None
    wanted = Wanted(tuple(map(EventKind, arguments.kind)), unit, not arguments.ignore_values)
    files = [*arguments.baseline, *violation]
    settings = DiagnosisSettings(
        threshold=arguments.threshold,
        scale=Scale(arguments.scale),
        hotspots=max(DEFAULT.hotspots, arguments.top or 0),
    )
    with Imports(files, wanted, token) as imports:
        try:
            analysis = analyse(arguments, token=token)
        except Cancelled:
            imports.result()
            raise
        snapshots = imports.result()
    sides = snapshots[: len(arguments.baseline)], snapshots[len(arguments.baseline) :]
    subject = Subject(
        analysis.program,
        analysis.options,
        analysis.flows,
        _modified(arguments.path, analysis),
        analysis.sensitivity,
        names=analysis.recognised.names,
        config_files=analysis.config_files,
    )
    try:
        with uncollected():
            found = diagnose(subject, *sides, settings, files=configs)
    except ValueError as error:
        raise BadInputError(str(error)) from error
    return Diagnosed(analysis, found, *sides, Steps(analysis))


def _modified(root: str, analysis: Analysis) -> Mapping[str, float]:
    """Return when each source file was last changed, as far as that can be told."""
    found: dict[str, float] = {}
    for path in analysis.program.files:
        try:
            found[path] = os.stat(os.path.join(root, *path.split("/"))).st_mtime
        except (OSError, ValueError):
            continue
    return found


def _project(path: str | None, violation: list[str]) -> tuple[str, list[str]]:
    """Return the project's folder and the snapshots of the violation.

    ``--violation`` takes what follows, so a folder at its end is the project.
    """
    if path is not None:
        return path, violation
    *others, last = violation
    if not others or not os.path.isdir(last):
        raise BadInputError(
            "the following arguments are required: PATH (see conflens diagnose --help)"
        )
    return last, others


def _format_of(output: str | None) -> str:
    name = (output or "").lower()
    return next((form for suffix, form in _BY_SUFFIX if name.endswith(suffix)), _DEFAULT)


def _fails(diagnosis: Diagnosis, fail_on: frozenset[str]) -> bool:
    if "violation" in fail_on and diagnosis.violated:
        return True
    # The only recorded difference is a likely cause even if its cost is within the noise: no reason to fail.
    asked = not fail_on.isdisjoint(("likely", "accused"))
    return asked and diagnosis.violated and bool(likely(diagnosis))
