"""Small projects in memory, and what is said of the keys of their config files."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from conflens.base.system import MemorySystem
from conflens.checking import keys
from conflens.checking.recognition import Match
from conflens.checking.results import Finding
from conflens.session.analysis import Analysis
from session.support import session

SPRING = "import org.springframework.boot.context.properties.ConfigurationProperties;\n"
VALUE = "import org.springframework.beans.factory.annotation.Value;\n"
PROPERTIES = "src/main/resources/application.properties"
YAML = "src/main/resources/application.yml"


@attrs.frozen
class Said:
    """One finding, shown: code, the text it stands on, its message, and the names that its fixes write."""

    code: str
    on: str
    message: str
    fixes: tuple[str, ...]


def analyse(files: Mapping[str, str]) -> Analysis:
    """Return the complete analysis of a project."""
    return session(MemorySystem({path: text.encode() for path, text in files.items()})).scan()


def match(analysis: Analysis, path: str) -> Match:
    """Return what a file is."""
    found = analysis.recognised.match(path)
    assert found is not None
    return found


def findings(analysis: Analysis, path: str) -> list[Finding]:
    """Return what is said of the keys of a file."""
    return sorted(keys.findings(analysis, path), key=lambda one: one.place)


def said(files: Mapping[str, str], path: str) -> list[Said]:
    """Return what is said of the keys of one file of a project, in order."""
    analysis = analyse(files)
    text = files[path].encode()
    return [
        Said(
            str(one.code),
            text[one.place.start : one.place.end].decode(),
            one.message,
            tuple(fix.title.removeprefix("Change to ") for fix in one.fixes),
        )
        for one in findings(analysis, path)
    ]


def shown(files: Mapping[str, str], path: str) -> list[str]:
    """Return ``code text`` of each finding."""
    return [f"{one.code} {one.on}" for one in said(files, path)]


def fixed(files: Mapping[str, str], path: str) -> str:
    """Return the text of a file after the first fix of its only finding."""
    (found,) = findings(analyse(files), path)
    text = files[path].encode()
    for edit in sorted(found.fixes[0].edits, reverse=True):
        text = text[: edit.place.start] + edit.text.encode() + text[edit.place.end :]
    return text.decode()
