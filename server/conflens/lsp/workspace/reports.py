"""The diagnostics of a folder after a rebuild: for the files open in the editor and the workspace
file.

Files that are not open have none: a person who works on one file is not shown a project's backlog.
Runs on the writer's thread, where it also makes ready what requests on these files will ask for; a
pure function of its arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import attrs
from lsprotocol import types

from conflens.checking.results import Finding
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.settings.settings import Settings
from conflens.lsp.wire.capabilities import Client
from conflens.lsp.wire.convert import diagnostic_of, more_of, problems_of
from conflens.lsp.wire.uris import Root
from conflens.render.flows import prepare
from conflens.session.analysis import Analysis

MAX_SHOWN = 1_000
"""So many findings of one file are shown at most, the first ones; one more says how many are not shown."""


@attrs.frozen
class Report:
    """What was found in files, by path, and the same as the client is told it; an open file is always there."""

    findings: Mapping[str, tuple[Finding, ...]]
    diagnostics: Mapping[str, tuple[types.Diagnostic, ...]]


def report(analysis: Analysis, root: Root, settings: Settings, client: Client) -> Report:
    """Return what is reported of every open file (perhaps nothing) and of every file with problems."""
    findings: dict[str, tuple[Finding, ...]] = {}
    for path in analysis.open_revisions:
        prepare(analysis, path)
        findings[path] = diagnostics(analysis, path, settings)
    shown = dict(findings)
    if settings.diagnostics:
        for problem in analysis.problems:
            shown.setdefault(problem.path, ())
    return Report(
        findings,
        {
            path: shown_of(analysis, root, path, found, settings, client)
            for path, found in shown.items()
        },
    )


def shown_of(
    analysis: Analysis,
    root: Root,
    path: str,
    findings: Sequence[Finding],
    settings: Settings,
    client: Client,
) -> tuple[types.Diagnostic, ...]:
    """Return what the client is told of a file with these findings."""
    found = [
        diagnostic_of(root, analysis, finding, client) for finding in islice(findings, MAX_SHOWN)
    ]
    more = len(findings) - MAX_SHOWN
    if more > 0:
        found.append(more_of(analysis, findings[MAX_SHOWN].place, more, client.encoding))
    if settings.diagnostics:
        problems = [problem for problem in analysis.problems if problem.path == path]
        found += problems_of(analysis, path, problems, client.encoding)
    return tuple(found)
