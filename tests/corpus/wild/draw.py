"""Draws what is judged by hand of a project: options, flows, verdicts and findings.

``python -m corpus.wild.draw PROJECT FOLDER [--seed N]`` scans and checks the project as the command line does and writes two tables,
``options.csv`` (20 options) and ``findings.csv`` (at most 40 findings above hints, and 10 undocumented options of the
upper level), to the folder of the project beside this file.  The column ``judgement`` is empty: a reader who did not write the rules fills it in.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
OPTIONS = ("domain", "name", "type", "defaults", "path", "line", "judgement", "note")
FINDINGS = ("code", "severity", "name", "path", "line", "message", "judgement", "note")
UNDOCUMENTED = frozenset({"undocumented-option", "sensitive-undocumented"})
_EACH_OPTIONS, _EACH_FINDINGS, _EACH_UNDOCUMENTED = 20, 40, 10


def answer(command: str, folder: Path) -> dict[str, Any]:
    """Return what ``conflens COMMAND FOLDER --format json`` prints; raise ``CalledProcessError``."""
    words = [
        sys.executable,
        "-m",
        "conflens",
        command,
        str(folder),
        "--no-cache",
        "--format",
        "json",
    ]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def drawn_options(scanned: dict[str, Any], chance: random.Random) -> list[dict[str, object]]:
    """Return a random choice of the options, in the order of the table."""
    options = scanned["options"]
    chosen = chance.sample(options, min(_EACH_OPTIONS, len(options)))
    return [
        {
            "domain": option["domain"],
            "name": option["name"],
            "type": option["type"],
            "defaults": " | ".join(option["defaults"]),
            "path": option["reads"][0]["path"] if option["reads"] else "",
            "line": option["reads"][0]["line"] if option["reads"] else "",
        }
        for option in chosen
    ]


def drawn_findings(checked: dict[str, Any], chance: random.Random) -> list[dict[str, object]]:
    """Return a random choice of the findings that are shown as warnings or information."""
    shown = [one for one in checked["findings"] if one["severity"] != "hint"]
    undocumented = [one for one in shown if one["code"] in UNDOCUMENTED]
    others = [one for one in shown if one["code"] not in UNDOCUMENTED]
    chosen = chance.sample(others, min(_EACH_FINDINGS, len(others)))
    chosen += chance.sample(undocumented, min(_EACH_UNDOCUMENTED, len(undocumented)))
    return [{column: one[column] for column in FINDINGS[:6]} for one in chosen]


def write(path: Path, columns: Sequence[str], rows: Iterable[dict[str, object]]) -> None:
    """Write a table with empty columns for the judgement."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main(arguments: list[str] | None = None) -> None:
    """Draw for one project."""
    parser = argparse.ArgumentParser(description="Draw what is judged by hand.")
    parser.add_argument("project")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, default=HERE)
    given = parser.parse_args(arguments)
    scanned, checked = answer("scan", given.folder), answer("check", given.folder)
    target = given.to / given.project
    options = drawn_options(scanned, random.Random(given.seed))
    findings = drawn_findings(checked, random.Random(given.seed))
    write(target / "options.csv", OPTIONS, options)
    write(target / "findings.csv", FINDINGS, findings)
    print(
        f"{given.project}: {len(scanned['options'])} options, {len(checked['findings'])} findings"
    )


if __name__ == "__main__":
    main()
