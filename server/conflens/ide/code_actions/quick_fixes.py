"""What can be done about findings: mend them, or say that they are not wanted.

Terms: an *action* is a title and what it does: edits of files, or an entry for ``[check] ignore`` of the workspace file.
Fixes come in the order of the finding, the first is the one most likely meant.  A comment that suppresses a finding is
written only where one can stand without becoming part of a value, a table or a command (``harmless``).
Absent: entries for documents (``document_entries``), verdicts (``verdict_actions``).
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain

import attrs

from conflens.base.span import Place
from conflens.base.text import Encoding, LineIndex
from conflens.base.words import shorten_name
from conflens.checking.harmless import Judge
from conflens.checking.results import Edit, Finding
from conflens.checking.suppression import mark, names_of
from conflens.documents.configfiles.model import Format as ConfigFormat
from conflens.documents.configfiles.policy import comment_mark
from conflens.documents.policy import Format, format_of
from conflens.session.analysis import Analysis

MAX_FIXES = 5
_MAX_NAME = 60
_GLOB = re.compile(r"[*?\[]")
_HASHED = frozenset((Format.PROPERTIES, Format.CONF, Format.YAML, Format.SCRIPT, Format.INI))
_MARKUP = frozenset((Format.MARKDOWN, Format.HTML, Format.XML))


class Kind(StrEnum):
    """What an action is about."""

    FIX = "fix"
    SUPPRESS = "suppress"
    ENTRY = "entry"


@attrs.frozen
class Action:
    """One action; ``finding`` is what it is about, ``ignored`` an entry for the workspace file in place of edits."""

    title: str
    kind: Kind
    finding: Finding | None
    edits: tuple[Edit, ...] = ()
    ignored: str = ""
    preferred: bool = False


def actions(analysis: Analysis, findings: Iterable[Finding]) -> tuple[Action, ...]:
    """Return what can be done about findings of one file: fixes of all first, then ways to suppress each."""
    return tuple(action for action in offered(analysis, findings) if action is not None)


def offered(analysis: Analysis, findings: Iterable[Finding]) -> Iterator[Action | None]:
    """Yield the same one by one; ``None`` is a step without one, as long as reading the file once."""
    found = list(findings)
    if not found:
        return
    path = found[0].place.path
    text = analysis.text(path)
    lines = None if text is None else LineIndex.of(text)
    judge = Judge(path, text or b"", analysis.config_files.get(path))
    seen: set[tuple[str, tuple[Edit, ...]]] = set()
    for action in chain(_fixes(judge, found), _suppressions(analysis, judge, lines, found)):
        if action is None:
            yield None
        elif (action.title, action.edits) not in seen:
            seen.add((action.title, action.edits))
            yield action


def _fixes(judge: Judge, findings: Sequence[Finding]) -> Iterator[Action | None]:
    asked = [(finding, fix) for finding in findings for fix in finding.fixes[:MAX_FIXES]]
    fine: list[bool] = []
    yield from _steps(judge.fixes(asked), fine)
    first: set[int] = set()
    for (finding, fix), harmless in zip(asked, fine, strict=True):
        if harmless:
            preferred = fix.sure and id(finding) not in first
            first.add(id(finding))
            yield Action(fix.title, Kind.FIX, finding, fix.edits, preferred=preferred)


def _steps(judging: Generator[None, None, list[bool]], fine: list[bool]) -> Iterator[None]:
    """The steps of a judgement, which goes into ``fine``."""
    fine += yield from judging


def _suppressions(
    analysis: Analysis, judge: Judge, lines: LineIndex | None, findings: Sequence[Finding]
) -> Iterator[Action | None]:
    edits = [None if lines is None else _comment(analysis, lines, one) for one in findings]
    written = list(dict.fromkeys(edit for edit in edits if edit is not None))
    fine: list[bool] = []
    yield from _steps(judge.comments(written), fine)
    harmless = {edit for edit, one in zip(written, fine, strict=True) if one}
    for finding, edit in zip(findings, edits, strict=True):
        if edit is not None and edit in harmless:
            yield Action(f"Suppress {finding.code} here", Kind.SUPPRESS, finding, (edit,))
        names = names_of(finding)
        if len(names) == 1 and names[0]:
            shown = shorten_name(names[0], _MAX_NAME)
            glob = _GLOB.sub(lambda found: f"[{found[0]}]", names[0])
            title = f"Suppress {finding.code} for {shown} in this project"
            yield Action(title, Kind.SUPPRESS, finding, ignored=f"{finding.code}: {glob}")


def _comment(analysis: Analysis, lines: LineIndex, finding: Finding) -> Edit | None:
    """The comment above the line of a finding or, in markup, at its end."""
    path, text = finding.place.path, lines.text
    number, _ = lines.position(finding.place.start, Encoding.UTF8)
    line, said = lines.line_bytes(number), mark(finding.code)
    if path not in analysis.program.files and not _begins_here(
        analysis, path, lines, number, finding
    ):
        return None
    file = analysis.config_files.get(path)
    style = _style(path, None if file is None else file.format)
    if style is None:
        return None
    before, after, above = style
    if not above:
        end = lines.starts[number] + len(line.rstrip())
        row = line.rstrip().endswith(b"|")
        at = end - 1 if row else end
        gap = "" if text[at - 1 : at] in (b" ", b"\t") else " "
        written = f"{gap}{before}{said}{after}" + (" " if row else "")
        return Edit(Place(path, at, at), written)
    start = lines.starts[number]
    indent = line[: len(line) - len(line.lstrip())].decode("utf-8", "replace")
    mark_end = 3 if number == 0 and text.startswith(b"\xef\xbb\xbf") else 0
    if mark_end:
        indent = ""
    newline = "\r\n" if b"\r\n" in text else "\n"
    at = start + mark_end
    return Edit(Place(path, at, at), f"{indent}{before}{said}{after}{newline}")


def _begins_here(
    analysis: Analysis, path: str, lines: LineIndex, number: int, finding: Finding
) -> bool:
    """Whether a line is no continuation of the one above, so that a comment can stand between them."""
    if number > 0:
        above = lines.line_bytes(number - 1)
        if (len(above) - len(above.rstrip(b"\\"))) % 2 or above.rstrip().endswith(b"^"):
            return False
    if path in analysis.config_files:
        at = finding.place.start
        for one in analysis.config_files[path].assignments:
            if one.start <= at < one.end and one.value is not None and one.value.start <= at:
                return lines.position(one.key.start, Encoding.UTF8)[0] == number
    return True


def _style(path: str, config: ConfigFormat | None) -> tuple[str, str, bool] | None:
    """What stands before and behind a comment, and whether it has a line of its own above; ``None`` where there are none."""
    name = path.lower()
    if name.endswith((".java", ".adoc", ".asciidoc", ".asc")):
        return "// ", "", True
    form = format_of(path)
    if form in _MARKUP and form is not Format.XML:
        return "<!-- ", " -->", False
    if form is Format.INI and not name.endswith(".toml"):
        return "; ", "", True
    if config is None and form is Format.XML:
        config = ConfigFormat.XML
    elif config is None and form in _HASHED:
        config = ConfigFormat.PROPERTIES
    mark = None if config is None else comment_mark(path, config)
    if mark is None:
        return None
    return f"{mark} ", " -->" if mark == "<!--" else "", True
