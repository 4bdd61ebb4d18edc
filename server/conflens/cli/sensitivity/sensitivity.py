"""``conflens sensitivity``: list a project's options, those most likely performance-sensitive first.

JSON, schema ``conflens/1``: ``stats`` (``files``, ``lines``, and of the rows how many have each label)
and ``options``.  A name that was asked for and that no read has is there with ``domain`` null unless one
was asked for.  Mistakes in a workspace file are told on standard error.
Invariant: equal projects give equal bytes, so nothing tells time or memory.

Absent: which rows there are (``listing``) and the formats for people (``listing_text``).
"""

from __future__ import annotations

import argparse

from conflens.cli.engine import analyse
from conflens.cli.errors import OK, BadInputError
from conflens.cli.output import check_writable, emit, emit_lines, warn
from conflens.cli.report.contract import SCHEMA, encode_any, sensitivity
from conflens.cli.report.report import NOT_JUDGED, WORKSPACE
from conflens.cli.report.steps import Steps
from conflens.cli.sensitivity.listing import Listing, Row, listing
from conflens.cli.sensitivity.name_lists import names_in
from conflens.sensitivity.results import Label


def run(arguments: argparse.Namespace) -> int:
    """Scan, choose, print in the chosen format.

    Without verdicts there is nothing to list, which is an error for whoever reads the result.
    """
    names = names_in(arguments.names) if arguments.names is not None else None
    if arguments.output is not None:
        check_writable(arguments.output)
    analysis = analyse(arguments)
    if not analysis.sensitivity.ready:
        raise BadInputError(NOT_JUDGED)
    only = Label(arguments.only) if arguments.only is not None else None
    show(listing(analysis, arguments.domain, names, only), arguments.format, arguments.output)
    return OK


def show(found: Listing, form: str, file: str | None = None) -> None:
    """Print a listing, to ``file`` if one is given."""
    if form == "json":
        for problem in found.report.problems:
            if problem.code == WORKSPACE:
                warn(f"{problem.path}:{problem.line}: {problem.message}")
        emit(encode(found), file)
    elif form == "markdown":
        from conflens.cli.sensitivity.listing_text import page  # noqa: PLC0415 - one format is loaded, not all

        emit_lines(page(found), file)
    else:
        from conflens.cli.sensitivity.listing_text import show_table  # noqa: PLC0415 - one format is loaded

        show_table(found, file)


def encode(found: Listing) -> bytes:
    """Return the listing as UTF-8 JSON with a final newline; see the module text."""
    stats = found.report.stats
    counted: dict[str, int] = {
        "files": stats.files,
        "lines": stats.lines,
        "options": len(found.rows),
    }
    counted.update((label.value, found.count(label)) for label in Label)
    rows = [_object(row, found.report.steps) for row in found.rows]
    return encode_any({"schema": SCHEMA, "stats": counted, "options": rows})


def _object(row: Row, steps: Steps) -> dict[str, object]:
    option = row.option
    found: dict[str, object] = {"name": row.name, "domain": row.domain}
    if row.read_as is not None:
        found["read_as"] = row.read_as
    return {
        **found,
        **sensitivity(row.verdict, steps),
        "type": option.type if option is not None else "unknown",
        "default": option.defaults[0] if option is not None and option.defaults else None,
        "operations": row.operations,
        "reads": [
            {"path": read.where.path, "line": read.where.line}
            for read in (option.reads if option is not None else ())
        ],
    }
