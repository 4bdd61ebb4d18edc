"""Scores a scan against the tables of a project that were made by hand.

Each folder beside this file is a project, judged by readers who did not write the rules:

    reads.csv     reads that were found in the source before the output was looked at: ``path,line,name,default,type,note``.
                  ``default`` is empty if there is none and ``?`` if it cannot be told; so is ``type``.
    options.csv   options that were drawn at random (``corpus.wild.draw``) with a judgement: ``yes``, ``no`` or ``unsure``.
    findings.csv  findings that were drawn, likewise: ``true``, ``false`` or ``unsure``.

*reads*: rows for which an option of that name, in any relaxed spelling, is reported (of a row with ``*`` one of the names that it stands for);
the one that is read in the row's file is compared, or else the first of that name.
*defaults*, *types*: of the rows found, those whose default (type) is right, missing and wrong.
*options*, *findings*: the rows judged ``yes`` or ``true`` among those that are still reported.

``python -m corpus.wild.score PROJECT=FOLDER ... [-v]`` scans each and prints one line a project; ``-v`` also prints what is missed.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from corpus.wild.draw import HERE, UNDOCUMENTED, answer

Row = Mapping[str, str]

READS = ("path", "line", "name", "default", "type", "note")
"""The columns of ``reads.csv``."""

_SEPARATORS = re.compile(r"[-_.]")
_FIXED = 2
"""Parts that a pattern must state for names that are read in other files to count."""


@attrs.define
class Score:
    """The counts of one project; ``missed`` and ``wrong`` are one line each."""

    reads: Counter[str] = attrs.Factory(Counter)
    defaults: Counter[str] = attrs.Factory(Counter)
    types: Counter[str] = attrs.Factory(Counter)
    options: Counter[str] = attrs.Factory(Counter)
    findings: Counter[str] = attrs.Factory(Counter)
    undocumented: Counter[str] = attrs.Factory(Counter)
    lines: list[str] = attrs.Factory(list)

    def add(self, other: Score) -> None:
        """Count what another project has."""
        for field in ("reads", "defaults", "types", "options", "findings", "undocumented"):
            getattr(self, field).update(getattr(other, field))

    def __str__(self) -> str:
        reads, options = self.reads, self.options
        true, false = self.findings["true"], self.findings["false"]
        plain = self.undocumented
        return (
            f"reads {reads['found']} of {reads.total()}; "
            f"defaults {_three(self.defaults)}; types {_three(self.types)}; "
            f"options {options['yes']} of {options['yes'] + options['no']}; "
            f"findings {true} of {true + false}; undocumented {plain['true']} of {plain['true'] + plain['false']}"
        )


def _three(counts: Counter[str]) -> str:
    return f"{counts['right']} right, {counts['missing']} missing, {counts['wrong']} wrong"


def rows(path: Path) -> list[Row]:
    """Return the rows of a table; none if it is not there."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def spelled(name: str) -> str:
    """Return a name without what relaxed spellings differ in."""
    return _SEPARATORS.sub("", name.replace("[*]", ".*")).lower()


def score(folder: Path, scanned: Mapping[str, Any], checked: Mapping[str, Any]) -> Score:
    """Compare the tables in ``folder`` with what the command line printed."""
    result = Score()
    named: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for option in scanned["options"]:
        for name in {option["name"], *(one["name"] for one in option.get("aliases", ()))}:
            named[spelled(name)].append(option)
    for row in rows(folder / "reads.csv"):
        option = _option(row, named)
        result.reads["missed" if option is None else "found"] += 1
        if option is None:
            result.lines.append(f"  missed {row['name']} ({row['path']}:{row['line']})")
            continue
        _compare(row, "default", option["defaults"], result.defaults, result.lines)
        _compare(row, "type", [option["type"]], result.types, result.lines)
    reported = {
        (one["domain"], one["name"])
        for option in scanned["options"]
        for one in (option, *option.get("aliases", ()))
    }
    for row in rows(folder / "options.csv"):
        if (row["domain"], row["name"]) in reported:
            result.options[row["judgement"]] += 1
    given = {(one["code"], one["name"], one["path"]) for one in checked["findings"]}
    for row in rows(folder / "findings.csv"):
        if (row["code"], row["name"], row["path"]) in given:
            counts = result.undocumented if row["code"] in UNDOCUMENTED else result.findings
            counts[row["judgement"]] += 1
    return result


def _option(row: Row, named: Mapping[str, list[Mapping[str, Any]]]) -> Mapping[str, Any] | None:
    """Return the option of a row: the one that is read in the row's file, else the first of that name."""
    name = spelled(row["name"])
    candidates = named.get(name, [])
    if not candidates and "*" in name:
        # What varies may be known: each of the names that a reader wrote as one.
        form = re.compile(".+".join(map(re.escape, name.split("*"))))
        candidates = [
            one for other, many in named.items() if form.fullmatch(other) for one in many
        ]
        if sum(map(bool, name.split("*"))) < _FIXED:
            candidates = [one for one in candidates if _is_read_in(one, row["path"])]
    own = (option for option in candidates if _is_read_in(option, row["path"]))
    return next(own, candidates[0] if candidates else None)


def _is_read_in(option: Mapping[str, Any], path: str) -> bool:
    return any(read["path"] == path for read in option["reads"])


def _compare(
    row: Row, column: str, reported: list[str], counts: Counter[str], lines: list[str]
) -> None:
    """Count one row's default or type."""
    wanted = row[column].strip()
    if wanted == "?" or (not wanted and column == "type"):
        return
    said = [text for text in reported if column == "default" or text != "unknown"]
    if not said:
        counts["missing" if wanted else "right"] += 1
    elif any(text.strip().lower() == wanted.lower() for text in said):
        counts["right"] += 1
    else:
        counts["wrong"] += 1
    if wanted and not any(text.strip().lower() == wanted.lower() for text in said):
        lines.append(f"  {column} of {row['name']}: {wanted!r}, reported {said}")


def main(arguments: list[str] | None = None) -> None:
    """Score projects."""
    parser = argparse.ArgumentParser(description="Score scans against tables made by hand.")
    parser.add_argument("projects", nargs="+", metavar="PROJECT=FOLDER")
    parser.add_argument("--tables", type=Path, default=HERE)
    parser.add_argument("-v", "--verbose", action="store_true")
    given = parser.parse_args(arguments)
    together = Score()
    for one in given.projects:
        project, _, folder = one.partition("=")
        scanned, checked = (answer(command, Path(folder)) for command in ("scan", "check"))
        found = score(given.tables / project, scanned, checked)
        together.add(found)
        print(f"{project}: {found}", flush=True)
        if given.verbose:
            print("\n".join(found.lines))
    print(f"together: {together}")


if __name__ == "__main__":
    main()
