"""Counts how many of the options that a regular expression lists in the source of a project are found.

    accumulo     constants of ``Property``: read, option at all, default
    dropwizard   setters with ``@JsonProperty``: read in their file
    druid        ``@Config``, and ``@JsonProperty`` of the classes that ``JsonConfigProvider`` binds: read
    opensearch   settings of ``thread_pool``: read
    pulsar       fields of ``ServiceConfiguration``: read, literal default
    velocity     names that ``VelocityConfiguration`` reads by night-config: read
    zuul         keys of Archaius' dynamic properties: read

*read*: an option of exactly that name, or with it as an alias, is reported with a place that reads it.
The expressions know how these projects write options and nothing of the rules that find them.

``python -m corpus.wild.counts PROJECT=FOLDER ... [--scan PROJECT=FILE] [-v]`` scans each, unless the JSON of a scan is given, and prints
one line for each count; ``-v`` also prints what is missing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpus.wild.counts import accumulo, dropwizard, druid, opensearch, pulsar, velocity, zuul
from corpus.wild.counts.counting import Count, Reported
from corpus.wild.counts.java import Sources
from corpus.wild.draw import answer

COUNTED: dict[str, Callable[[Sources, Reported], list[Count]]] = {
    "accumulo": accumulo.count,
    "dropwizard": dropwizard.count,
    "druid": druid.count,
    "opensearch": opensearch.count,
    "pulsar": pulsar.count,
    "velocity": velocity.count,
    "zuul": zuul.count,
}
"""How each project is counted."""


def assigned(text: str) -> tuple[str, Path]:
    """Return the two sides of ``PROJECT=PATH``; raise ``ArgumentTypeError``."""
    project, separator, path = text.partition("=")
    if not separator or not path:
        raise argparse.ArgumentTypeError(f"{text!r} is not PROJECT=PATH")
    if project not in COUNTED:
        raise argparse.ArgumentTypeError(f"{project!r} is none of {', '.join(COUNTED)}")
    return project, Path(path)


def scan(folder: Path, kept: Path | None) -> dict[str, Any]:
    """Return the scan that a file holds, or scan the folder."""
    if kept is None:
        return answer("scan", folder)
    found: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    return found


def main(arguments: list[str] | None = None) -> None:
    """Count for projects."""
    parser = argparse.ArgumentParser(description="Count options that the source lists.")
    parser.add_argument("projects", nargs="+", type=assigned, metavar="PROJECT=FOLDER")
    parser.add_argument(
        "--scan", action="append", default=[], type=assigned, metavar="PROJECT=FILE"
    )
    parser.add_argument("-v", "--verbose", action="store_true")
    given = parser.parse_intermixed_args(arguments)
    kept = dict(given.scan)
    for project, folder in given.projects:
        reported = Reported(scan(folder, kept.get(project)))
        for count in COUNTED[project](Sources(folder), reported):
            print(f"{project}: {count}", flush=True)
            if given.verbose:
                print("".join(f"  {line}\n" for line in count.lines), end="")


if __name__ == "__main__":
    main()
