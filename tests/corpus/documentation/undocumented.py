"""How many undocumented options are told, and how many of the told ones are undocumented, by truth tables of whole projects.

Each ``truth/<project>.csv`` beside this file has one row for each option that main sources read, judged by reading
code and documents by someone who did not see the rules: ``name,domain,file,verdict,why``.  ``verdict`` is ``documented``,
``undocumented``, ``internal`` (in no document, and not meant for people who run the program) or ``unsure``.

Levels: the *upper* one says "not mentioned in any document of this project.", the *lower* one goes on with what is known.

*recall*: undocumented rows that are told on either level, among all undocumented rows.  *precision* of a level: told rows
that are undocumented, among those told with a verdict other than ``unsure``.  *unknown*: undocumented rows of which the
scan does not have the option.  Rows are found by name in any spelling, and where several rows have one name, by file.  A row
with ``<a|b>`` stands for an option of each of these parts: of those that the scan has, the one that is told least counts.

``python -m corpus.documentation.undocumented PROJECT=CHECK.json,SCAN.json ...`` scores what ``conflens check PATH --format
json`` and ``conflens scan PATH --format json`` wrote.  ``-v`` lists the rows behind the figures.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

from corpus.documentation.score import TableError, is_lower

TABLES = Path(__file__).resolve().parent / "truth"
COLUMNS = ["name", "domain", "file", "verdict", "why"]
VERDICTS = frozenset({"documented", "undocumented", "internal", "unsure"})
LEVELS = ("upper", "lower")
_CODES = frozenset({"undocumented-option", "sensitive-undocumented"})
_HOLE = re.compile(r"<[^<>]*>|\{[^{}]*\}|\.\Z")
_ALTERNATIVES = re.compile(r"<([^<>|]+(?:\|[^<>|]+)+)>")
_SEPARATORS = str.maketrans("", "", "-_")


@attrs.frozen
class Row:
    """What a person says of one option."""

    name: str
    domain: str
    file: str
    verdict: str
    why: str


@attrs.frozen
class Given:
    """An option as ConfLens shows it: where it stands in code, and the level on which it is told (empty: not told)."""

    name: str
    files: frozenset[str]
    level: str


@attrs.frozen
class Score:
    """The rows of a table by what is said of them now."""

    told: Mapping[str, tuple[Row, ...]]
    """By level."""
    missed: tuple[Row, ...]
    """Undocumented, known and not told."""
    unknown: tuple[Row, ...]
    """Undocumented and not known."""
    new: tuple[str, ...]
    """Names that are told and have no row."""

    @property
    def recall(self) -> float | None:
        """See the module text; ``None`` where nothing is undocumented."""
        found = sum(row.verdict == "undocumented" for rows in self.told.values() for row in rows)
        return _share(found, found + len(self.missed) + len(self.unknown))

    def precision(self, level: str) -> float | None:
        """See the module text; ``None`` where nothing is told."""
        counts = Counter(row.verdict for row in self.told[level])
        return _share(counts["undocumented"], counts.total() - counts["unsure"])


def read(lines: Iterable[str]) -> tuple[Row, ...]:
    """Return the rows of a table; raise :class:`TableError`."""
    reader = csv.reader(lines)
    if next(reader, None) != COLUMNS:
        raise TableError(f"the first line is not {','.join(COLUMNS)}")
    rows: list[Row] = []
    for number, cells in enumerate(reader, 2):
        if len(cells) != len(COLUMNS) or not cells[0] or not cells[2]:
            raise TableError(f"line {number} has not {len(COLUMNS)} cells with a name and a file")
        row = Row(*cells)
        if row.verdict not in VERDICTS:
            raise TableError(f"line {number} has an unknown verdict")
        rows.append(row)
    return tuple(rows)


def given(check: str, scan: str) -> tuple[Given, ...]:
    """Return the options of two reports in JSON."""
    levels: dict[tuple[str, str], str] = {}
    places: dict[tuple[str, str], set[str]] = {}
    for one in json.loads(check)["findings"]:
        if one["code"] in _CODES:
            for option in one["options"]:
                key = option["domain"], option["name"]
                levels[key] = "lower" if is_lower(one) else "upper"
                places.setdefault(key, set()).add(one["path"])
    found = []
    for one in json.loads(scan)["options"]:
        key = one["domain"], one["name"]
        files = {place["path"] for place in one["reads"]} | places.get(key, set())
        found.append(Given(key[1], frozenset(files), levels.get(key, "")))
    return tuple(found)


def score(rows: Iterable[Row], options: Iterable[Given]) -> Score:
    """Return the score of one project."""
    by_name: dict[str, list[Given]] = {}
    for option in options:
        by_name.setdefault(_loose(option.name), []).append(option)
    rows = tuple(rows)
    namesakes = Counter(_loose(row.name) for row in rows)
    parts = {_loose(one) for row in rows for one in _each(row.name)}
    told: dict[str, list[Row]] = {level: [] for level in LEVELS}
    missed, unknown = [], []
    for row in rows:
        name = _loose(row.name)
        alike = by_name.get(name, [])
        if namesakes[name] > 1:
            alike = [one for one in alike if row.file in one.files] or alike
        level = _level(alike)
        each = [found for one in _each(row.name) if (found := by_name.get(_loose(one)))]
        if each and not level:
            alike = [one for found in each for one in found]
            level = max(map(_level, each), key=("upper", "lower", "").index)
        if level:
            told[level].append(row)
        elif row.verdict == "undocumented":
            (missed if alike else unknown).append(row)
    new = sorted(
        {
            one.name
            for name, alike in by_name.items()
            if name not in namesakes and name not in parts
            for one in alike
            if one.level
        }
    )
    return Score(
        {level: tuple(found) for level, found in told.items()},
        tuple(missed),
        tuple(unknown),
        tuple(new),
    )


def _level(options: Iterable[Given]) -> str:
    """Return the highest level on which one of some options of one name is told."""
    levels = {one.level for one in options}
    return next((one for one in LEVELS if one in levels), "")


def _each(name: str) -> list[str]:
    """Return the names that a row with ``<a|b>`` stands for; none for another row."""
    found = _ALTERNATIVES.search(name)
    if found is None:
        return []
    return [f"{name[: found.start()]}{one}{name[found.end() :]}" for one in found[1].split("|")]


def _loose(name: str) -> str:
    """Return a name that is the same for all spellings of an option; what varies in it is ``*``."""
    return (
        _HOLE.sub(lambda hole: ".*" if hole[0] == "." else "*", name)
        .lower()
        .translate(_SEPARATORS)
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _figure(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def main() -> int:
    """Print the scores of the projects that are named."""
    known = {path.stem: path for path in sorted(TABLES.glob("*.csv"))}
    for argument in sys.argv[1:]:
        if argument == "-v":
            continue
        project, _, files = argument.partition("=")
        check, _, scan = files.partition(",")
        if project not in known or not scan:
            print(f"not PROJECT=CHECK,SCAN with a project of {', '.join(known)}: {argument}")
            return 2
        rows = read(known[project].read_text(encoding="utf-8").splitlines())
        one = score(rows, given(Path(check).read_text("utf-8"), Path(scan).read_text("utf-8")))
        print(f"{project}: recall {_figure(one.recall)}", end="")
        for level in LEVELS:
            counts = Counter(row.verdict for row in one.told[level])
            print(f", {level} precision {_figure(one.precision(level))}", end=" ")
            print(
                f"({', '.join(f'{count} {word}' for word, count in sorted(counts.items()))})",
                end="",
            )
        print(
            f", {len(one.missed)} missed, {len(one.unknown)} unknown, {len(one.new)} without a row"
        )
        if "-v" in sys.argv:
            for level in LEVELS:
                for row in one.told[level]:
                    if row.verdict != "undocumented":
                        print(f"  {level}, {row.verdict}: {row.name} in {row.file} ({row.why})")
            for word, listed in (("missed", one.missed), ("unknown", one.unknown)):
                for row in listed:
                    print(f"  {word}: {row.name} in {row.file}")
            for name in one.new:
                print(f"  without a row: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
