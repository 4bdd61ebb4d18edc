"""Conversions between our places and the protocol's, in one place.

``ide`` speaks of byte offsets in files of a folder; the protocol of lines and columns in URIs.
Positions of Java files come from the analysis, so that an answer fits the text it was computed
from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from conflens.base.span import Place
from conflens.base.text import Encoding, LineIndex
from conflens.checking.results import Code, Finding, Severity
from conflens.lsp.wire.capabilities import Client
from conflens.lsp.wire.uris import Root
from conflens.session.analysis import Analysis, Problem

SOURCE = "conflens"
_SEVERITIES = {
    Severity.HINT: types.DiagnosticSeverity.Hint,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.ERROR: types.DiagnosticSeverity.Error,
}
_TAGS = {
    Code.UNUSED_READ: types.DiagnosticTag.Unnecessary,
    Code.DEAD_OPTION: types.DiagnosticTag.Unnecessary,
    Code.OVERRIDDEN_KEY: types.DiagnosticTag.Unnecessary,
    Code.DEPRECATED_OPTION: types.DiagnosticTag.Deprecated,
}


def offset_of(analysis: Analysis, path: str, position: types.Position, encoding: Encoding) -> int:
    """Return the byte offset of a client's position, clamped into the file."""
    return analysis.offset(path, max(0, position.line), max(0, position.character), encoding)


def range_of(analysis: Analysis, place: Place, encoding: Encoding) -> types.Range:
    """Return a place as a range."""
    start_line, start = analysis.position(place.path, place.start, encoding)
    end_line, end = analysis.position(place.path, place.end, encoding)
    return types.Range(
        start=types.Position(line=start_line, character=start),
        end=types.Position(line=end_line, character=end),
    )


def location_of(
    root: Root, analysis: Analysis, place: Place, encoding: Encoding
) -> types.Location:
    """Return a place as a location."""
    return types.Location(uri=root.uri_of(place.path), range=range_of(analysis, place, encoding))


def diagnostic_of(
    root: Root, analysis: Analysis, finding: Finding, client: Client
) -> types.Diagnostic:
    """Return a finding as a diagnostic, with its tag and its other places if the client shows them."""
    encoding = client.encoding
    information = [
        types.DiagnosticRelatedInformation(
            location=location_of(root, analysis, place, encoding), message=text
        )
        for place, text in finding.related
    ]
    tag = _TAGS.get(finding.code)
    return types.Diagnostic(
        range=range_of(analysis, finding.place, encoding),
        message=finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code.value,
        source=SOURCE,
        tags=[tag] if tag in client.diagnostic_tags else None,
        related_information=information if information and client.related_information else None,
    )


def more_of(analysis: Analysis, place: Place, number: int, encoding: Encoding) -> types.Diagnostic:
    """Return a diagnostic that says how many findings are not shown, at the place of the first of them."""
    return types.Diagnostic(
        range=range_of(analysis, place, encoding),
        message=f"{number:,} more in this file {'is' if number == 1 else 'are'} not shown.",
        severity=types.DiagnosticSeverity.Information,
        source=SOURCE,
    )


def problems_of(
    analysis: Analysis, path: str, problems: Sequence[Problem], encoding: Encoding
) -> Iterator[types.Diagnostic]:
    """Yield the problems of one workspace file as diagnostics."""
    if problems:
        index = LineIndex.of(analysis.texts.text(path) or b"")
        for problem in problems:
            yield _problem_of(index, problem, encoding)


def _problem_of(index: LineIndex, problem: Problem, encoding: Encoding) -> types.Diagnostic:
    """A problem as a diagnostic over the rest of its line."""
    line = max(0, min(problem.line - 1, len(index.starts) - 1))
    start = index.offset(line, problem.column - 1, Encoding.UTF32)
    end = index.starts[line] + len(index.line_bytes(line))
    begin, stop = index.position(start, encoding), index.position(max(start, end), encoding)
    return types.Diagnostic(
        range=types.Range(
            start=types.Position(line=begin[0], character=begin[1]),
            end=types.Position(line=stop[0], character=stop[1]),
        ),
        message=problem.message,
        severity=types.DiagnosticSeverity.Error,
        code=problem.code,
        source=SOURCE,
    )


def markup(markdown: str, formats: tuple[str, ...]) -> types.MarkupContent:
    """Return Markdown, or plain text for a client that shows only that."""
    if types.MarkupKind.Markdown.value in formats:
        return types.MarkupContent(kind=types.MarkupKind.Markdown, value=markdown)
    return types.MarkupContent(kind=types.MarkupKind.PlainText, value=plain_text(markdown))


def plain_text(markdown: str) -> str:
    """Return the words of Markdown that ``ide`` wrote."""
    text = re.sub(r"(?<!\\)\[((?:\\.|[^\]\\])*)\]\([^)]*\)", r"\1", markdown)
    text = re.sub(r"^\|[ :|-]+\|\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\| (.*?) *\|$", r"\1", text, flags=re.MULTILINE)
    text = text.replace("**", "").replace("`", "")
    return re.sub(r"\\([\\`*_\[\]<>#|])", r"\1", text)
