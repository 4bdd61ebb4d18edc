"""How precise the verdicts on documentation are, by tables judged by hand.

Each ``<project>.csv`` beside this file holds one verdict a row: ``code,name,path,verdict,reason``, where ``verdict`` is
``right``, ``wrong`` or ``unsure`` and ``path`` is the file that the finding stands in.  Rows of verdicts that are given no
longer stay, so that it is seen when they come back.

*precision*: right ones among those that are right or wrong and given now.  *new*: given now, and not judged.
*vanished*: judged right, and not given any more.  Of undocumented options only the upper level counts (``undocumented``).

``python -m corpus.documentation.score PROJECT=FINDINGS.json ...`` scores what ``conflens check PATH --format json`` wrote.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

HERE = Path(__file__).resolve().parent
COLUMNS = ["code", "name", "path", "verdict", "reason"]
VERDICTS = frozenset({"right", "wrong", "unsure"})
CODES = frozenset(
    {
        "undocumented-option",
        "sensitive-undocumented",
        "unused-option",
        "unknown-option",
        "default-mismatch",
        "invalid-value",
    }
)
_SAME = {"sensitive-undocumented": "undocumented-option"}
"""Codes that tell the same: how sensitive an option is moves with the program."""

Key = tuple[str, str, str]
"""Code (of those that tell the same, one), name and path."""


class TableError(ValueError):
    """What is wrong with a table, in one sentence."""


@attrs.frozen
class Row:
    """One verdict and what a person says of it."""

    code: str
    name: str
    path: str
    verdict: str
    reason: str

    @property
    def key(self) -> Key:
        """What finds it again."""
        return _SAME.get(self.code, self.code), self.name, self.path


@attrs.frozen
class Score:
    """The verdicts of one code that are given now: counts by judgement, and the keys that differ from the table."""

    right: int = 0
    wrong: int = 0
    unsure: int = 0
    new: tuple[Key, ...] = ()
    vanished: tuple[Key, ...] = ()

    @property
    def precision(self) -> float | None:
        """Return the share of right ones among those judged; ``None`` where there are none."""
        judged = self.right + self.wrong
        return self.right / judged if judged else None


def tables() -> dict[str, Path]:
    """Return the tables by project."""
    return {path.stem: path for path in sorted(HERE.glob("*.csv"))}


def read(lines: Iterable[str]) -> tuple[Row, ...]:
    """Return the rows of a table; raise :class:`TableError`."""
    reader = csv.reader(lines)
    if next(reader, None) != COLUMNS:
        raise TableError(f"the first line is not {','.join(COLUMNS)}")
    rows: list[Row] = []
    seen: set[Key] = set()
    for number, cells in enumerate(reader, 2):
        if len(cells) != len(COLUMNS) or not all(cells):
            raise TableError(f"line {number} has not {len(COLUMNS)} filled cells")
        row = Row(*cells)
        if row.code not in CODES or row.verdict not in VERDICTS:
            raise TableError(f"line {number} has an unknown code or verdict")
        if row.key in seen:
            raise TableError(f"line {number} judges what an earlier line does")
        seen.add(row.key)
        rows.append(row)
    return tuple(rows)


def given(document: str) -> tuple[Key, ...]:
    """Return the findings of a report in JSON that a table judges, each once."""
    findings = json.loads(document)["findings"]
    keys = {
        (_SAME.get(one["code"], one["code"]), one["name"], one["path"])
        for one in findings
        if one["code"] in CODES and not is_lower(one)
    }
    return tuple(sorted(keys))


def is_lower(finding: Mapping[str, Any]) -> bool:
    """Tell whether a finding says on the lower level that an option is undocumented: that goes on with what is known."""
    at_the_end = "in any document of this project."
    return finding["code"] == "undocumented-option" and not finding["message"].endswith(at_the_end)


def score(rows: Iterable[Row], found: Iterable[Key]) -> dict[str, Score]:
    """Return the score of each code, in order."""
    judged = {row.key: row.verdict for row in rows}
    now = set(found)
    scores: dict[str, Score] = {}
    for code in sorted({key[0] for key in now | judged.keys()}):
        counts = Counter(judged[key] for key in now if key[0] == code and key in judged)
        scores[code] = Score(
            counts["right"],
            counts["wrong"],
            counts["unsure"],
            tuple(sorted(key for key in now - judged.keys() if key[0] == code)),
            tuple(
                sorted(
                    key
                    for key, verdict in judged.items()
                    if key[0] == code and verdict == "right" and key not in now
                )
            ),
        )
    return scores


def main() -> int:
    """Print the scores of the projects that are named."""
    known = tables()
    for argument in sys.argv[1:]:
        project, _, file = argument.partition("=")
        if project not in known or not file:
            print(f"not PROJECT=FILE with a project of {', '.join(known)}: {argument}")
            return 2
        rows = read(known[project].read_text(encoding="utf-8").splitlines())
        for code, one in score(rows, given(Path(file).read_text(encoding="utf-8"))).items():
            precision = "-" if one.precision is None else f"{one.precision:.3f}"
            print(
                f"{project} {code}: precision {precision} ({one.right} right, {one.wrong} wrong,"
                f" {one.unsure} unsure), {len(one.new)} new, {len(one.vanished)} vanished"
            )
            for word, keys in (("new", one.new), ("vanished", one.vanished)):
                for key in keys:
                    print(f"  {word}: {key[1]} in {key[2]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
