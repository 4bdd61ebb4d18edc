"""Scans of the real projects, as the tests and the scoring want them: fresh, without stored facts."""

from __future__ import annotations

from pathlib import Path

import attrs

from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
from corpus.fetch import fetch, projects
from corpus.scoring import Score, score
from corpus.truth_tables import scope, truth, type_rows
from corpus.type_scoring import TypeScore, score_types


@attrs.frozen
class Scanned:
    """One project's analysis with its scores; ``types`` is empty where there is no sample."""

    project: str
    folder: Path
    analysis: Analysis = attrs.field(repr=False)
    score: Score = attrs.field(repr=False)
    types: TypeScore = attrs.field(repr=False)

    def read(self, path: str) -> bytes:
        """Return the text of a file of the project."""
        return (self.folder / path).read_bytes()


def scan(project: str) -> Scanned:
    """Fetch, scan and score a project that has a truth table; raise ``FetchError``."""
    folder = fetch(projects()[project])
    analysis = analyse(folder)

    def source(path: str) -> bytes:
        return (folder / path).read_bytes()

    return Scanned(
        project,
        folder,
        analysis,
        score(analysis.options, truth(project), scope(project), source),
        score_types(analysis.options, type_rows(project)),
    )


def analyse(folder: Path) -> Analysis:
    """Scan a folder as ``conflens scan --no-cache`` does."""
    session = open_session(str(folder), SessionOptions(cache=False))
    try:
        return session.scan()
    finally:
        session.dispose()
