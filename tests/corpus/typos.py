"""Typos as ConfErr injects them, into keys and values of real config files: how many are seen, and is the first fix right?

For each project the config files that it ships are looked at as they are: every finding there is printed, since what is
shipped should be right.  Then typos are made, one at a time: a letter left out, put in, mistaken or two swapped, case, a
doubled or another separator, two words swapped.  A typo that makes another valid name or value is none and is made again.

    keys     that are known options; commented-out ``#key=value`` lines of properties files, and ``# some_key: value``
             lines of YAML, are keys too.
    values   of options that are boolean or whose values are known.  Where shipped files set few, files are written too, in
             which every such option of the project is set to one of its values.

*Detected*: some finding stands on the key; ``invalid-value`` on the value.  *First right*: the first fix of it gives back
what was there.  Modes are told apart: *closed* sets, where any other value fails, and *open* ones, where there may be more
values than are known.

``python -m corpus.typos [--seeds N,N] [NAME|SOURCES[+CONFIG] ...]`` runs it.  Config files that no artifact holds are taken
from ``build/typos/NAME``: put there what the project ships (``git archive TAG conf | tar x -C build/typos/NAME``).  The
rules were made looking at seed 20061; measure with others.
"""

from __future__ import annotations

import random
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import attrs

from conflens.base.secrets import speaks_of_secrets
from conflens.checking import check, keys, values
from conflens.checking.recognition import Recognised
from conflens.checking.results import SEVERITIES, Code, Finding, Severity
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Kind
from conflens.documents.configfiles.parsing import parse, read
from conflens.documents.configfiles.policy import has_config_name
from conflens.models.load import load_models
from conflens.options.model import Option, OptionType
from conflens.session.analysis import Analysis
from corpus.fetch import HOUSE, binary, fetch, projects
from corpus.scan import analyse

KEYS = 300
VALUES = 200
FEW = 100
"""Values in shipped files below which more are written."""
SEEDS: tuple[int, ...] = (1, 2)
_FOLDER = HOUSE / "build" / "typos"
_SHIPPED = {
    "hdfs": "",
    "hadoop-2.3": "",
    "hbase-0.94": "",
    "jmeter": "org.apache.jmeter:ApacheJMeter_config:5.6.3",
    "cassandra": "",
    "zookeeper": "",
}
"""Projects, each with the artifact that its config files are in, if neither its sources nor ``build/typos`` hold them."""
_COMMENTED = {
    Format.PROPERTIES: re.compile(rb"(?m)^#[ \t]?(?=[\w.\-]+[ \t]*=)"),
    Format.YAML: re.compile(rb"(?m)^# ?(?=[a-z]+(?:_[a-z]+)+:[ \t]+[\w.\-/]+[ \t]*$)"),
}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SEPARATOR = re.compile(r"[.\-_]")
_TRUTH = ("true", "false")
_WRITTEN = {
    Format.PROPERTIES: "written.properties",
    Format.XML: "written.xml",
    Format.YAML: "written.yaml",
}
_Judge = Callable[["Subject", str], Iterator[Finding]]


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
    """What became of some typos."""

    made: int = 0
    detected: int = 0
    right: int = 0

    def add(self, other: Tally) -> None:
        """Count what another counts."""
        self.made += other.made
        self.detected += other.detected
        self.right += other.right

    def shown(self) -> str:
        """Return counts and shares as a person reads them."""
        made, seen = max(1, self.made), max(1, self.detected)
        return (
            f"{self.made} made, {self.detected} seen ({self.detected / made:.3f}), "
            f"{self.right} right ({self.right / made:.3f} of all, {self.right / seen:.3f} of seen)"
        )


@attrs.frozen
class Shipped:
    """What a project ships: its analysis, config files as they are, with comments in effect, and those written here."""

    name: str
    analysis: Analysis = attrs.field(repr=False)
    plain: Subject = attrs.field(repr=False)
    commented: Subject = attrs.field(repr=False)
    written: Subject = attrs.field(repr=False)


def subject_of(
    analysis: Analysis,
    files: Mapping[str, ConfigFile],
    before: Recognised | None,
    chosen: Mapping[str, bool] | None = None,
) -> Subject:
    """Return ``analysis`` with these config files; ``chosen`` are config files whatever they hold."""
    rows = analysis.recognised.rows or load_models().domains
    relaxed = frozenset(row.domain for row in rows if row.relaxed)
    judged = before.judged if before is not None else analysis.recognised.judged
    if chosen is not None:
        judged = chosen.get
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
            if not has_config_name(name) or not path.is_file() or "/META-INF/" in f"/{name}":
                continue
            data = path.read_bytes()
            file = read(name, data)
            if commented and file.format in _COMMENTED:
                data = _COMMENTED[file.format].sub(b"", data)
                file = parse(name, file.format, data)
            found[name] = file
    return found


def load(name: str, analysis: Analysis, folder: Path, more: Path | None) -> Shipped:
    """Return what a project ships."""
    texts = written(analysis)
    files = {path: parse(path, format, text) for format, (path, text) in texts.items()}
    subjects = (
        subject_of(analysis, shipped(folder, more, False), None),
        subject_of(analysis, shipped(folder, more, True), None),
        subject_of(analysis, files, None, dict.fromkeys(files, True)),
    )
    for subject in subjects:
        # What the first look makes is carried over to every changed file.
        for path in subject.recognised.config_files():
            tuple(keys.findings(subject, path))  # type: ignore[arg-type]
    return Shipped(name, analysis, *subjects)


def written(analysis: Analysis) -> dict[Format, tuple[str, bytes]]:
    """Return files, one for each format, in which every enumerable option is set to one of its values."""
    lines: dict[Format, list[str]] = {}
    rounds: Counter[str] = Counter()
    for option in analysis.options.options:
        wanted = _values_of(option)
        if not wanted or option.pattern or speaks_of_secrets(option.name):
            continue
        for format in _WRITTEN:
            domains = analysis.recognised.domains_for(format)
            if domains is None or option.domain in domains:
                rounds[option.type] += 1
                value = wanted[rounds[option.type] % len(wanted)]
                lines.setdefault(format, []).append(_line(format, option.name, value))
                break
    found: dict[Format, tuple[str, bytes]] = {}
    for format, texts in lines.items():
        text = "\n".join(dict.fromkeys(texts)) + "\n"
        if format is Format.XML:
            text = f"<configuration>\n{text}</configuration>\n"
        found[format] = (_WRITTEN[format], text.encode())
    return found


def _line(format: Format, name: str, value: str) -> str:
    if format is Format.XML:
        return f"<property><name>{name}</name><value>{value}</value></property>"
    return f"{name}: {value}" if format is Format.YAML else f"{name}={value}"


def edit_distance(name: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield typos of one name for ever, each with its kind."""
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
        if made not in (name, ""):
            yield kind, made


# -- keys ------------------------------------------------------------------------------------------


def key_slips(subject: Subject, count: int, seed: int) -> tuple[dict[str, Tally], list[str]]:
    """Return what became of ``count`` typos in keys, by kind, and what was missed."""
    chance = random.Random(seed)
    places = [
        (path, one)
        for path in subject.recognised.config_files()
        for one in subject.config_files[path].assignments
        if one.kind is not Kind.SECTION and not one.merged and _known(subject, path, one)
    ]
    tallies: dict[str, Tally] = {}
    missed: list[str] = []
    for path, one in chance.sample(places, min(count, len(places))):
        match = subject.recognised.match(path)
        assert match is not None
        for kind, made in edit_distance(one.key.text, chance):
            wrong = one.name[: len(one.name) - len(one.key.text)] + made
            if subject.recognised.names.named(wrong, match.domains):
                continue
            part = (one.key.start, one.key.end)
            changed, found = _found(subject, path, part, made, keys.findings)  # type: ignore[arg-type]
            right = bool(found) and one.name in _mended(changed, found[0]).by_name
            tallies.setdefault(kind, Tally()).add(Tally(1, bool(found), right))
            if not right:
                near = subject.recognised.names.near(wrong, match.domains)[:3]
                told = _titles(found) or [f"near {item.name}, {item.surely}" for item in near]
                missed.append(f"{kind}: {one.name} -> {made} {told}")
            break
    return tallies, missed


def _known(subject: Subject, path: str, one: Assignment) -> bool:
    match = subject.recognised.match(path)
    return (
        match is not None
        and any(option.name == one.name for option in match.options.get(one.name, ()))
        and len(subject.config_files[path].by_name[one.name]) == 1
        and re.fullmatch(r"[\w.\-]+", one.key.text) is not None
        and any(char.isalpha() for char in one.key.text)
    )


# -- values ----------------------------------------------------------------------------------------


def value_slips(subject: Subject, count: int, seed: int) -> tuple[dict[str, Tally], list[str]]:
    """Return what became of ``count`` typos in values, by what the option takes, and what was missed."""
    chance = random.Random(seed)
    places = list(_enumerable(subject))
    tallies: dict[str, Tally] = {}
    missed: list[str] = []
    rounds = min(count, 4 * len(places))
    chosen = [place for _ in range(4) for place in chance.sample(places, len(places))][:rounds]
    for path, one, option in chosen:
        assert one.value is not None
        text = one.value.text
        for kind, made in edit_distance(text, chance):
            if _is_valid(option, made):
                continue
            part = (one.value.start, one.value.end)
            changed, found = _found(subject, path, part, made, values.findings)  # type: ignore[arg-type]
            found = [finding for finding in found if finding.code is Code.INVALID_VALUE]
            again = _mended(changed, found[0]).by_name[one.name][0].value if found else None
            right = again is not None and again.text.lower() == text.lower()
            tallies.setdefault(_takes(option), Tally()).add(Tally(1, bool(found), right))
            if not right:
                said = ", ".join(option.values[:8])
                missed.append(
                    f"{kind}: {one.name}={text} -> {made} {_titles(found)} {_takes(option)} "
                    f"{option.limits.accepts} [{said}]"
                )
            break
    return tallies, missed


def _enumerable(subject: Subject) -> Iterator[tuple[str, Assignment, Option]]:
    """Yield what is set to one of the known values of its option."""
    for path in subject.recognised.config_files():
        match = subject.recognised.match(path)
        assert match is not None
        for one in subject.config_files[path].assignments:
            options = match.options.get(one.name, ())
            if (
                one.value is None
                or not options
                or one.merged
                or speaks_of_secrets(options[0].name)
            ):
                continue
            known = [value.lower() for value in _values_of(options[0])]
            if (
                one.value.text.lower() in known
                and len(subject.config_files[path].by_name[one.name]) == 1
            ):
                yield path, one, options[0]


def _values_of(option: Option) -> tuple[str, ...]:
    """Return the values of an option that can be enumerated; none for another."""
    if option.type is OptionType.BOOLEAN:
        return _TRUTH
    if option.type is not OptionType.MODE:
        return ()
    return tuple(value for value in option.values if re.fullmatch(r"\w*[A-Za-z][\w.\-]+", value))


def _takes(option: Option) -> str:
    if option.type is OptionType.BOOLEAN:
        return "boolean"
    return "closed mode" if option.limits.closed else "open mode"


def _is_valid(option: Option, text: str) -> bool:
    """Whether a typo makes a value that is right, or may be since nobody knows whether case counts."""
    folds = (
        option.type is OptionType.BOOLEAN or option.limits.ignores_case or not option.limits.closed
    )
    wanted = _values_of(option) if option.type is OptionType.BOOLEAN else option.values
    return text in wanted or (folds and text.lower() in [value.lower() for value in wanted])


# -- both ------------------------------------------------------------------------------------------


def _found(
    subject: Subject, path: str, part: tuple[int, int], made: str, judge: _Judge
) -> tuple[ConfigFile, list[Finding]]:
    """Return a file with something else in a part of it, and the findings there."""
    file = subject.config_files[path]
    text = file.text[: part[0]] + made.encode() + file.text[part[1] :]
    changed = parse(path, file.format, text)
    files = {**subject.config_files, path: changed}
    other = subject_of(subject.analysis, files, subject.recognised)
    end = part[0] + len(made.encode())
    found = [
        finding
        for finding in judge(other, path)
        if finding.place.start <= end and finding.place.end >= part[0]
    ]
    return changed, found


def _mended(file: ConfigFile, finding: Finding) -> ConfigFile:
    """Return a file after the first fix of a finding."""
    text = file.text
    for edit in sorted(finding.fixes[0].edits, reverse=True) if finding.fixes else ():
        text = text[: edit.place.start] + edit.text.encode() + text[edit.place.end :]
    return parse(file.path, file.format, text)


def _titles(found: list[Finding]) -> list[str]:
    return [fix.title for finding in found for fix in finding.fixes[:2]]


def unmodified(subject: Subject) -> tuple[int, Counter[Severity]]:
    """Print what is said of files as they are; return how many keys they have and how many findings of each severity."""
    counted = 0
    told: Counter[Severity] = Counter()
    for path in subject.recognised.config_files():
        file, match = subject.config_files[path], subject.recognised.match(path)
        assert match is not None
        counted += sum(one.kind is not Kind.SECTION for one in file.assignments)
        print(f"   {path}: {match.why}; domains {', '.join(sorted(match.domains))}")
        for finding in check.findings(subject, path):  # type: ignore[arg-type]
            severity = SEVERITIES[finding.code]
            if finding.code is Code.UNDOCUMENTED_OPTION:
                continue
            told[severity] += 1
            print(f"      {severity} {finding.code}: {finding.message}")
    return counted, told


def run(project: Shipped, seeds: tuple[int, ...]) -> tuple[Tally, Tally, int, int]:
    """Print and return what one project gives: typos in keys and in values, keys looked at, warnings on them."""
    print(f"== {project.name}: {len(project.analysis.options.options)} options")
    counted, told = unmodified(project.plain)
    print(f"   {counted} keys; {dict(told)}")
    all_keys, all_values = Tally(), Tally()
    few = sum(1 for _ in _enumerable(project.commented)) < FEW
    sources = {"shipped": project.commented, **({"written": project.written} if few else {})}
    for seed in seeds:
        tallies, missed = key_slips(project.commented, KEYS, seed)
        all_keys.add(_printed(f"keys, seed {seed}", tallies, missed))
        for whose, subject in sources.items():
            tallies, missed = value_slips(subject, VALUES, seed)
            all_values.add(_printed(f"values in {whose} files, seed {seed}", tallies, missed))
    warned = told[Severity.WARNING] + told[Severity.ERROR]
    return all_keys, all_values, counted, warned


def _printed(title: str, tallies: Mapping[str, Tally], missed: list[str]) -> Tally:
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    print(f"   {title}: {whole.shown()}")
    for kind, tally in sorted(tallies.items()):
        print(f"      {kind:14} {tally.shown()}")
    for one in missed:
        print(f"      missed: {one}")
    return whole


def _jobs(wanted: list[str]) -> Iterator[tuple[str, Path, Path | None]]:
    """Yield the projects to run: name, folder with sources, folder with config files."""
    for name in wanted or list(_SHIPPED):
        if name not in _SHIPPED:
            sources, _, config = name.partition("+")
            yield name, Path(sources), Path(config) if config else None
            continue
        more = _FOLDER / name
        if _SHIPPED[name] and not more.is_dir():
            with zipfile.ZipFile(binary(_SHIPPED[name])) as archive:
                for entry in archive.namelist():
                    if entry.endswith(".properties") and ".." not in entry:
                        archive.extract(entry, more)
        yield name, fetch(projects()[name]), more if more.is_dir() else None


def main() -> int:
    """Run all; print the sums."""
    wanted, seeds = sys.argv[1:], SEEDS
    if wanted[:1] == ["--seeds"]:
        seeds = tuple(map(int, wanted[1].split(",")))
        wanted = wanted[2:]
    all_keys, all_values, counted, warned = Tally(), Tally(), 0, 0
    for name, folder, more in _jobs(wanted):
        results = run(load(name, analyse(folder), folder, more), seeds)
        all_keys.add(results[0])
        all_values.add(results[1])
        counted += results[2]
        warned += results[3]
    print(f"keys: {all_keys.shown()}\nvalues: {all_values.shown()}")
    print(f"{warned} warnings on {counted} keys")
    return 0


if __name__ == "__main__":
    sys.exit(main())
