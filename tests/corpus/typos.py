"""Typos as ConfErr injects them, into keys of real config files: how many are seen, and whether the first fix is right.

For each project the config files that it ships are looked at as they are: every finding there is printed, since what is
shipped should be right.  Then single slips are put into keys that are known options, one at a time (fixed seed): a letter
left out, put in, mistaken or two swapped, case, a doubled or another separator, two words swapped.  For this,
``#key=value`` lines of properties files are keys too.  A slip that makes another option's name, or another spelling of the
same one, is not one and is made again.

*Detected*: some finding stands on the key.  *First right*: the first fix of it gives back the name that was there.

``python -m corpus.typos [FOLDER ...]`` runs it on the projects below and on folders with sources and config files.
"""

from __future__ import annotations

import random
import re
import shutil
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from conflens.checking import keys
from conflens.checking.recognition import Recognised
from conflens.checking.results import Code, Finding
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Kind
from conflens.documents.configfiles.parsing import parse
from conflens.documents.configfiles.policy import config_format
from conflens.models.load import load_models
from conflens.session.analysis import Analysis
from corpus.fetch import HOUSE, binary, fetch, projects
from corpus.scan import analyse

SLIPS = 300
SEED = 20061
_FOLDER = HOUSE / "build" / "typos"
_SHIPPED = {
    "hdfs": "",
    "hadoop-2.3": "",
    "hbase-0.94": "",
    "jmeter": "org.apache.jmeter:ApacheJMeter_config:5.6.3",
}
"""Projects, each with the artifact that its config files are in if its sources do not hold them."""
_COMMENTED = re.compile(rb"(?m)^#[ \t]?(?=[\w.\-]+[ \t]*=)")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SEPARATOR = re.compile(r"[.\-_]")


@attrs.frozen
class Subject:
    """An analysis with other config files."""

    analysis: Analysis
    config_files: Mapping[str, ConfigFile]
    recognised: Recognised

    def __getattr__(self, name: str) -> object:
        return getattr(self.analysis, name)


@attrs.define
class Tally:
    """What became of the slips of one kind."""

    made: int = 0
    detected: int = 0
    right: int = 0


def subject_of(
    analysis: Analysis, files: Mapping[str, ConfigFile], before: Recognised | None
) -> Subject:
    """Return ``analysis`` with these config files."""
    rows = analysis.recognised.rows or load_models().domains
    relaxed = frozenset(row.domain for row in rows if row.relaxed)
    judged = analysis.recognised.judged
    recognised = Recognised.of(
        files, analysis.options, relaxed, judged, before, rows, analysis.program
    )
    return Subject(analysis, files, recognised)


def shipped(folder: Path, more: Path | None, commented: bool) -> dict[str, ConfigFile]:
    """Return the config files below ``folder``, and those below ``more``; ``commented``: with the keys in comments."""
    found: dict[str, ConfigFile] = {}
    for root in filter(None, (folder, more)):
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root).as_posix()
            format = config_format(name)
            if format is None or not path.is_file() or "/META-INF/" in f"/{name}":
                continue
            data = path.read_bytes()
            if commented and format is Format.PROPERTIES:
                data = _COMMENTED.sub(b"", data)
            found[name] = parse(name, format, data)
    return found


def slips(name: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield slips of one name for ever, each with its kind."""
    kinds = (
        "omission",
        "insertion",
        "substitution",
        "transposition",
        "case",
        "separator",
        "order",
    )
    while True:
        kind = chance.choice(kinds)
        letters = [at for at, char in enumerate(name) if char.isalpha()]
        joints = [at for at, char in enumerate(name) if _SEPARATOR.match(char)]
        at = chance.choice(letters)
        made = name
        if kind == "omission":
            made = name[:at] + name[at + 1 :]
        elif kind == "insertion":
            made = name[:at] + chance.choice(_LETTERS) + name[at:]
        elif kind == "substitution":
            made = name[:at] + chance.choice(_LETTERS) + name[at + 1 :]
        elif kind == "transposition" and at + 1 in letters:
            made = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
        elif kind == "case":
            made = name[:at] + name[at].swapcase() + name[at + 1 :]
        elif kind == "separator" and joints:
            joint = chance.choice(joints)
            other = chance.choice([name[joint] * 2, *(set(".-_") - {name[joint]}), ""])
            made = name[:joint] + other + name[joint + 1 :]
        elif kind == "order" and joints:
            parts = re.split(r"([.\-_])", name)
            first = chance.randrange(0, len(parts) - 2, 2)
            parts[first], parts[first + 2] = parts[first + 2], parts[first]
            made = "".join(parts)
        if made != name:
            yield kind, made


def inject(subject: Subject, count: int, seed: int) -> tuple[dict[str, Tally], list[str], int]:
    """Return what became of ``count`` slips, what was missed, and how many made a valid name."""
    chance = random.Random(seed)
    places = [
        (path, one)
        for path in subject.recognised.config_files()
        for one in subject.config_files[path].assignments
        if one.kind is not Kind.SECTION and not one.merged and _known(subject, path, one)
    ]
    tallies: dict[str, Tally] = {}
    missed: list[str] = []
    valid = 0
    for path, one in chance.sample(places, min(count, len(places))):
        for kind, made in slips(one.key.text, chance):
            outcome = _outcome(subject, path, one, made)
            if outcome is None:
                valid += 1
                continue
            tally = tallies.setdefault(kind, Tally())
            tally.made += 1
            tally.detected += outcome[0]
            tally.right += outcome[1]
            if not all(outcome):
                missed.append(f"{kind}: {one.name} -> {made} {outcome[2]}")
            break
    return tallies, missed, valid


def _known(subject: Subject, path: str, one: Assignment) -> bool:
    match = subject.recognised.match(path)
    return (
        match is not None
        and any(option.name == one.name for option in match.options.get(one.name, ()))
        and len(subject.config_files[path].by_name[one.name]) == 1
        and re.fullmatch(r"[\w.\-]+", one.key.text) is not None
        and any(char.isalpha() for char in one.key.text)
    )


def _outcome(
    subject: Subject, path: str, one: Assignment, made: str
) -> tuple[bool, bool, str] | None:
    """Whether a slip is seen and its first fix right, and what is said; ``None`` if it makes a valid name."""
    file = subject.config_files[path]
    wrong = one.name[: len(one.name) - len(one.key.text)] + made
    match = subject.recognised.match(path)
    assert match is not None
    if subject.recognised.names.named(wrong, match.domains):
        return None
    text = file.text[: one.key.start] + made.encode() + file.text[one.key.end :]
    changed = parse(path, file.format, text)
    files = {**subject.config_files, path: changed}
    other = subject_of(subject.analysis, files, subject.recognised)
    end = one.key.start + len(made)
    found = [
        finding
        for finding in keys.findings(other, path)  # type: ignore[arg-type]
        if finding.place.start <= end and finding.place.end >= one.key.start
    ]
    if not found:
        near = other.recognised.names.near(wrong, match.domains)
        return False, False, str([(item.name, item.slips, item.surely) for item in near[:3]])
    return (
        True,
        any(_repaired(changed, finding, one.name) for finding in found),
        str([fix.title for finding in found for fix in finding.fixes[:2]]),
    )


def _repaired(file: ConfigFile, finding: Finding, name: str) -> bool:
    """Whether the first fix of a finding brings a name back."""
    if not finding.fixes:
        return False
    text = file.text
    for edit in sorted(finding.fixes[0].edits, reverse=True):
        text = text[: edit.place.start] + edit.text.encode() + text[edit.place.end :]
    return name in parse(file.path, file.format, text).by_name


def run(name: str, folder: Path, more: Path | None = None) -> tuple[Tally, int, int]:
    """Print and return what one project gives: all slips, keys looked at, and warnings on them."""
    analysis = analyse(folder)
    subject = subject_of(analysis, shipped(folder, more, False), None)
    counted = 0
    warned: list[str] = []
    print(f"== {name}: {len(analysis.options.options)} options")
    for path in subject.recognised.config_files():
        file, match = subject.config_files[path], subject.recognised.match(path)
        assert match is not None
        wanted = [one for one in file.assignments if one.kind is not Kind.SECTION]
        counted += len(wanted)
        print(f"   {path}: {match.why}; domains {', '.join(sorted(match.domains))}")
        for finding in keys.findings(subject, path):  # type: ignore[arg-type]
            warned.append(f"{path}: {finding.code}: {finding.message}")
    unused = sum(f": {Code.UNUSED_OPTION}:" in one for one in warned)
    print(f"   {len(warned)} findings on {counted} keys, {unused} of them unused")
    for one in warned:
        print(f"      {one}")
    subject = subject_of(analysis, shipped(folder, more, True), None)
    tallies, missed, valid = inject(subject, SLIPS, SEED)
    whole = Tally()
    for kind, tally in sorted(tallies.items()):
        print(f"   {kind:14} {tally.made:4} made {tally.detected:4} seen {tally.right:4} right")
        whole = Tally(
            whole.made + tally.made, whole.detected + tally.detected, whole.right + tally.right
        )
    print(f"   all: {whole}; {valid} made a valid name")
    for one in missed:
        print(f"      missed: {one}")
    return whole, counted, len(warned) - unused


def main() -> int:
    """Run all; print the sums."""
    jobs: list[tuple[str, Path, Path | None]] = []
    if len(sys.argv) < 2:
        for name, artifact in _SHIPPED.items():
            more = None
            if artifact:
                more = _FOLDER / name
                shutil.rmtree(more, ignore_errors=True)
                with zipfile.ZipFile(binary(artifact)) as archive:
                    for entry in archive.namelist():
                        if entry.endswith(".properties") and ".." not in entry:
                            archive.extract(entry, more)
            jobs.append((name, fetch(projects()[name]), more))
    jobs += [(folder, Path(folder), None) for folder in sys.argv[1:]]
    sums: Counter[str] = Counter()
    for job in jobs:
        tally, counted, warned = run(*job)
        sums.update(made=tally.made, seen=tally.detected, right=tally.right)
        sums.update(keys=counted, warned=warned)
    made = max(1, sums["made"])
    print(
        f"{made} slips: {sums['seen'] / made:.3f} detected, {sums['right'] / max(1, sums['seen']):.3f} of these "
        f"with the right fix first; {1000 * sums['warned'] / max(1, sums['keys']):.2f} warnings in 1,000 keys"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
