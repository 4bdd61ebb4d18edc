"""``conflens docs``: a reference of a project's options, to be committed and held up to date.

``--check`` writes nothing: it compares the page with what would be written, byte by byte, and shows the first lines that
differ.  Absent: what stands in a page (``reference``) and how (``reference_markdown``, ``reference_asciidoc``).
"""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterator, Sequence

from conflens.base.words import count
from conflens.cli.docs.reference import Entry, Pieces, entries
from conflens.cli.engine import analyse, uncollected
from conflens.cli.errors import FINDINGS, OK, BadInputError
from conflens.cli.output import check_writable, emit, emit_lines, warn
from conflens.cli.report.chosen_options import choose
from conflens.cli.report.contract import SCHEMA, encode_any
from conflens.cli.report.report import NOT_JUDGED, WORKSPACE
from conflens.cli.report.steps import visible
from conflens.render.verdict_phrases import is_sensitive

MAX_SHOWN = 20
"""Lines of a difference that are shown."""
_MAX_COMPARED = 2_000
"""Lines that are compared in detail, since that takes their square at worst."""
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@\Z")
_SUFFIXES = {"adoc": "asciidoc", "asciidoc": "asciidoc", "asc": "asciidoc", "json": "json"}


def run(arguments: argparse.Namespace) -> int:
    """Scan and write the reference, or compare it with the page there is."""
    file: str | None = arguments.output
    if arguments.check and file is None:
        raise BadInputError("--check needs the page to compare with: name it by --output")
    if file is not None and not arguments.check:
        check_writable(file)
    present = _present(file) if arguments.check and file is not None else None
    form = arguments.format or _SUFFIXES.get((file or "").rpartition(".")[2].lower(), "markdown")
    found = _chosen(arguments)
    with uncollected():
        data = _encode(found, form)
    if not arguments.check:
        emit(data, file)
        return OK
    if data == present:
        return OK
    emit_lines(_difference(str(file), present, data))
    return FINDINGS


def _chosen(arguments: argparse.Namespace) -> tuple[Entry, ...]:
    analysis = analyse(arguments)
    if not analysis.sensitivity.ready:
        if arguments.only == "sensitive":
            raise BadInputError(NOT_JUDGED)
        warn(NOT_JUDGED)
    for problem in analysis.problems:
        if problem.code == WORKSPACE:
            warn(f"{problem.path}:{problem.line}: {problem.message}")
    options = choose(analysis.options.options, arguments.name, arguments.domain)
    if arguments.only == "sensitive":
        options = tuple(option for option in options if is_sensitive(analysis, option))
    found = entries(analysis, options, arguments.lines)
    if arguments.only in ("documented", "undocumented"):
        wanted = arguments.only == "documented"
        found = tuple(entry for entry in found if entry.documented is wanted)
    return found


def _encode(found: Sequence[Entry], form: str) -> bytes:
    if form == "json":
        return encode_any({"schema": SCHEMA, "options": [_object(entry) for entry in found]})
    if form == "asciidoc":
        from conflens.cli.docs import asciidoc as page  # noqa: PLC0415 - one format is loaded
    else:
        from conflens.cli.docs import markdown as page  # type: ignore[no-redef]  # noqa: PLC0415 - one format
    return "".join(f"{line.rstrip()}\n" for line in page.lines(found)).encode("utf-8", "replace")


def _object(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "domain": entry.domain,
        "namespace": entry.namespace,
        "deprecated": entry.deprecated or None,
        "type": _words(entry.type),
        "unit": entry.unit or None,
        "values": list(entry.values),
        "allowed": _words(entry.limits),
        "adjusted": _words(entry.adjusted),
        "changing": _words(entry.changing),
        "related": _words(entry.related),
        "felt": _words(entry.felt),
        "secret": entry.secret,
        "defaults": list(entry.defaults),
        "description": _words(entry.description),
        "documented": list(entry.documents),
        "sensitive": entry.sensitive,
        "effect": entry.effect or None,
        "reads": [
            {
                "path": site.path,
                "method": site.method,
                **({"line": site.line} if site.line else {}),
            }
            for site in entry.reads
        ],
    }


def _words(said: Pieces) -> str | None:
    return "".join(part for _, part in said) or None


def _present(file: str) -> bytes | None:
    try:
        with open(file, "rb") as stream:
            return stream.read().replace(b"\r\n", b"\n")  # as a checkout may have it
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror or error}") from error


def _difference(file: str, present: bytes | None, wanted: bytes) -> Iterator[str]:
    """Yield in how far a page is not up to date."""
    if present is None:
        yield f"{file} does not exist; write it with conflens docs --output {file}"
        return
    yield f"{file} is not up to date; write it anew without --check"
    old = present.decode("utf-8", "replace").splitlines()
    new = wanted.decode("utf-8", "replace").splitlines()
    shown = list(_unified(old, new))
    if not shown:
        yield "only ends of lines or bytes that are no text differ"
    for line in shown[:MAX_SHOWN]:
        yield visible(line)
    if len(shown) > MAX_SHOWN:
        yield f"and {count(len(shown) - MAX_SHOWN, 'more line')}"


def _unified(old: list[str], new: list[str]) -> Iterator[str]:
    """Yield the lines of a unified difference without lines around it."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    if same == len(old) == len(new):
        return
    old, new = old[same:], new[same:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if max(len(old), len(new)) > _MAX_COMPARED:
        yield f"from line {same + 1:,} on: {len(old):,} lines there, {len(new):,} wanted"
        return
    hunks = difflib.unified_diff(old, new, n=0, lineterm="")
    for number, line in enumerate(hunks):
        if number < 2:  # names of files
            continue
        hunk = _HUNK.match(line)
        yield line if hunk is None else f"line {same + int(hunk[1]):,}:"
