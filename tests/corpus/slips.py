"""Slips of the kinds that people make in config files which projects ship: how many does ``check`` tell?

Each slip is put alone into a copy of one file (in memory; nothing is written), and the findings of that file are taken before and after:

    misspelt   a letter of a key left out, put in, mistaken or swapped (``typos``).
    type       text where a number or a truth value is wanted.
    range      a value outside of the range or the set that the option has.
    level      a key in the wrong section: YAML's moved to the top, one of its middle parts left out elsewhere.
    duplicate  a key that is there again, further down in its section, with another value.
    unit       a size where a duration is wanted, the other way round, or a unit that there is none of.

*Told*: a finding that was not there before stands on a line of the slip.  *Others*: new findings elsewhere.  Keys are those of
options that ConfLens knows, in files that it takes for config files; values need not be such that it knows how to judge them.  A
key that is repeated already, one with a placeholder for its value and the values of secrets are not touched.

``python -m corpus.slips [--seed N] [--each N] [-v] FOLDER ...`` puts ``each`` slips (10) into each project, the kinds in turn.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import attrs

from conflens.base.paths import is_test_path
from conflens.base.secrets import speaks_of_secrets
from conflens.checking import check
from conflens.checking.results import Code, Finding
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Kind
from conflens.documents.configfiles.parsing import parse, renamed
from conflens.options.model import NUMERIC, Option, OptionType
from conflens.session.analysis import Analysis
from corpus.scan import analyse
from corpus.typos import Subject, edit_distance, subject_of

KINDS = ("misspelt", "type", "range", "level", "duplicate", "unit")
_FORMATS = frozenset({Format.PROPERTIES, Format.YAML, Format.XML, Format.ELEMENTS, Format.TOML})
_PLAIN = re.compile(r"[\w.\-]+")
_PLACEHOLDER = re.compile(r"[$@{}<>%#*]")
_ATTEMPTS = 100
"""Typos of one key that are tried: where any word is a key, as in a map, none is wrong."""
_UNDOCUMENTED = (Code.UNDOCUMENTED_OPTION, Code.SENSITIVE_UNDOCUMENTED)


@attrs.frozen
class Slip:
    """A changed text: ``lines`` (from 0) are those of the slip in it; ``what`` is told to a person."""

    kind: str
    path: str
    text: bytes = attrs.field(repr=False)
    lines: tuple[int, ...]
    what: str


@attrs.frozen
class Spot:
    """An assignment of known options in a config file."""

    file: ConfigFile
    one: Assignment
    options: tuple[Option, ...]


def spots(analysis: Analysis) -> list[Spot]:
    """Return where slips may be put."""
    found: list[Spot] = []
    for path in analysis.recognised.config_files():
        file, match = analysis.config_files[path], analysis.recognised.match(path)
        if match is None or file.format not in _FORMATS or is_test_path(path):
            continue
        for one in file.assignments:
            options = match.options.get(one.name, ())
            if (
                options
                and one.kind is Kind.SCALAR
                and not one.merged
                and len(file.by_name[one.name]) == 1
                and _PLAIN.fullmatch(one.key.text)
                and any(map(str.isalpha, one.key.text))
                and file.text[one.start : one.end].endswith(b"\n")
            ):
                found.append(Spot(file, one, options))
    return found


def slips(analysis: Analysis, subject: Subject, count: int, seed: int) -> Iterator[Slip]:
    """Yield ``count`` slips, the kinds in turn; fewer where a project has no place for them."""
    chance = random.Random(seed)
    places = spots(analysis)
    order = {kind: chance.sample(places, len(places)) for kind in KINDS}
    made = 0
    dry = 0
    while made < count and dry < len(KINDS):
        kind = KINDS[(made + dry) % len(KINDS)]
        slip = None
        while order[kind] and slip is None:
            slip = _slip(kind, subject, order[kind].pop(), chance)
        if slip is None:
            dry += 1
            continue
        made, dry = made + 1, 0
        yield slip


def _slip(kind: str, subject: Subject, spot: Spot, chance: random.Random) -> Slip | None:
    if kind == "misspelt":
        return _misspelt(subject, spot, chance)
    if kind == "level":
        return _level(subject, spot, chance)
    if kind == "duplicate":
        return _duplicate(spot)
    value = _wrong(kind, spot.options, chance)
    stated = spot.one.value
    if value is None or stated is None or not _is_plain(spot):
        return None
    text = _put(spot.file, stated.start, stated.end, value)
    return _made(kind, spot, text, stated.start, f"{spot.one.name}: {stated.text} -> {value}")


def _is_plain(spot: Spot) -> bool:
    value = spot.one.value
    return (
        value is not None
        and bool(value.text)
        and not _PLACEHOLDER.search(value.text)
        and not any(speaks_of_secrets(option.name) for option in spot.options)
    )


def _put(file: ConfigFile, start: int, end: int, text: str) -> bytes:
    return file.text[:start] + text.encode() + file.text[end:]


def _made(kind: str, spot: Spot, text: bytes, at: int, what: str, *more: int) -> Slip:
    lines = tuple(text.count(b"\n", 0, place) for place in (at, *more))
    return Slip(kind, spot.file.path, text, lines, what)


def _misspelt(subject: Subject, spot: Spot, chance: random.Random) -> Slip | None:
    key = spot.one.key
    head = spot.one.name[: len(spot.one.name) - len(key.text)]
    for kind, made in islice(edit_distance(key.text, chance), _ATTEMPTS):
        if kind in ("order", "case") or not made[:1].isalpha():
            continue
        if subject.recognised.names.named(head + made) or head + made in spot.file.by_name:
            continue
        return _made(
            "misspelt",
            spot,
            _misnamed(spot, head + made, made),
            key.start,
            f"{spot.one.name} -> {head}{made}",
        )
    return None


def _misnamed(spot: Spot, name: str, made: str) -> bytes:
    """The text with another name for a key, of an element in both of its tags."""
    key = spot.one.key
    changes = renamed(spot.file, spot.one, name) if spot.file.format is Format.ELEMENTS else None
    text = spot.file.text
    for change in sorted(changes or (), key=lambda one: -one.start):
        text = text[: change.start] + change.text.encode() + text[change.end :]
    return text if changes else _put(spot.file, key.start, key.end, made)


def _level(subject: Subject, spot: Spot, chance: random.Random) -> Slip | None:
    file, one = spot.file, spot.one
    if file.format is Format.YAML:
        line = file.text[one.start : one.end]
        if len(one.path) < 2 or one.value is None or line.count(b"\n") != 1 or "[" in one.name:
            return None
        rest = file.text[: one.start] + file.text[one.end :]
        end = rest.find(b"\n---", one.start)
        end = len(rest) if end < 0 else end + 1
        top = line.lstrip()
        name = one.key.text
        before = b"" if rest[:end].endswith(b"\n") else b"\n"
        if not subject.recognised.names.named(name) and name not in file.by_name:
            text = rest[:end] + before + top + rest[end:]
            return _made("level", spot, text, end + len(before), f"{one.name} -> {name}")
        return None
    key = one.key
    parts = key.text.split(".")
    if len(parts) < 3:
        return None
    at = chance.randrange(1, len(parts) - 1)
    made = ".".join(parts[:at] + parts[at + 1 :])
    if subject.recognised.names.named(made) or made in file.by_name:
        return None
    text = _put(file, key.start, key.end, made)
    return _made("level", spot, text, key.start, f"{one.name} -> {made}")


def _duplicate(spot: Spot) -> Slip | None:
    file, one = spot.file, spot.one
    if any(option.type is OptionType.LIST for option in spot.options):
        return None
    if one.value is None or not _is_plain(spot) or file.text.count(b"\n", one.start, one.end) != 1:
        return None
    line = file.text[one.start : one.end]
    at, end = one.value.start - one.start, one.value.end - one.start
    other = (
        "false"
        if one.value.text == "true"
        else "true"
        if one.value.text == "false"
        else f"{one.value.text}1"
    )
    again = line[:at] + other.encode() + line[end:]
    # Behind the last key of the same section that is on a line of its own.
    beside = [
        two.end
        for two in file.assignments
        if two.kind is Kind.SCALAR
        and two.path[:-1] == one.path[:-1]
        and two.document == one.document
        and file.text[two.start : two.end].endswith(b"\n")
    ]
    last = max(beside) if len(one.path) > 1 or file.format is Format.YAML else one.end
    text = file.text[:last] + again + file.text[last:]
    return _made("duplicate", spot, text, one.start, f"{one.name} again", last)


def _wrong(kind: str, options: tuple[Option, ...], chance: random.Random) -> str | None:
    option = options[0]
    limits, type_ = option.limits, option.type
    if kind == "type":
        if type_ is OptionType.BOOLEAN:
            return chance.choice(["maybe", "5", "never"])
        return chance.choice(["many", "abc", "high"]) if type_ in NUMERIC else None
    if kind == "unit":
        if type_ is OptionType.TIME:
            return chance.choice(["64MB", "10 parsecs", "5kb"])
        return chance.choice(["10s", "5 minutes", "64QB"]) if type_ is OptionType.SIZE else None
    if type_ is OptionType.MODE:
        return chance.choice(["bogus", "unheard-of", "whatever"])
    if type_ is OptionType.PORT:
        return chance.choice(["70000", "123456"])
    if limits.minimum is not None or limits.above is not None:
        least = limits.minimum if limits.minimum is not None else limits.above
        return str(int(least or 0) - 7)
    if limits.maximum is not None or limits.under is not None:
        most = limits.maximum if limits.maximum is not None else limits.under
        return str(int(most or 0) + 7)
    return None


# -- judging ---------------------------------------------------------------------------------------


def judge(subject: Subject, slip: Slip) -> tuple[list[Finding], list[Finding]]:
    """Return the new findings on the lines of a slip, and those elsewhere in the file."""
    before = Counter(_key(one) for one in _findings(subject, slip.path))
    file = subject.config_files[slip.path]
    changed = parse(slip.path, file.format, slip.text)
    files = {**subject.config_files, slip.path: changed}
    after = subject_of(subject.analysis, files, subject.recognised)
    told: list[Finding] = []
    others: list[Finding] = []
    for finding in _findings(after, slip.path):
        if before[_key(finding)] > 0:
            before[_key(finding)] -= 1
            continue
        first = slip.text.count(b"\n", 0, finding.place.start)
        last = slip.text.count(b"\n", 0, finding.place.end)
        here = any(first <= line <= last for line in slip.lines)
        (told if here else others).append(finding)
    return told, others


def _findings(subject: Subject, path: str) -> list[Finding]:
    found = check.findings(subject, path)  # type: ignore[arg-type]
    return [one for one in found if one.code not in _UNDOCUMENTED]


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.name, re.sub(r"\bline \d+", "", finding.message)


def main() -> int:
    """Run all; print each slip that is missed, and the sums."""
    parser = argparse.ArgumentParser(prog="corpus.slips")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("-v", action="store_true", help="print the slips that are told, too")
    parser.add_argument("folders", nargs="+", type=Path)
    arguments = parser.parse_args()
    made: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    more = 0
    for folder in arguments.folders:
        analysis = analyse(folder)
        subject = subject_of(analysis, analysis.config_files, analysis.recognised)
        here = hit = 0
        for slip in slips(analysis, subject, arguments.each, arguments.seed):
            told, others = judge(subject, slip)
            made[slip.kind] += 1
            seen[slip.kind] += bool(told)
            more += len(others)
            here, hit = here + 1, hit + bool(told)
            if not told or arguments.v:
                print(f"   {'told' if told else 'missed'} {slip.kind}: {slip.path}: {slip.what}")
            for other in others:
                print(f"      other: {other.code}: {other.message}")
        print(f"{folder.name}: {hit} of {here} told")
    for kind in KINDS:
        print(f"{kind:10} {seen[kind]} of {made[kind]}")
    print(f"all        {seen.total()} of {made.total()} told; {more} other findings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
