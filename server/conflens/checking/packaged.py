"""The values that a program is shipped with: what its packaged config files set is what users get if they set nothing.

Terms
    packaged file   a config file below ``src/main/resources`` or ``META-INF``, outside of tests, for no profile.
    variant         a file beside another whose name it begins with (``db-mysql.properties`` beside ``db.properties``): what both set
                    is what the other one says.
    home            a packaged file in a module that itself reads or declares the option, or has beans that ask for it.

Files at home count first.  Those of other modules of the program, and those in a folder for each profile (``profiles/dev/app.properties``),
count only where no file is at home, code states no default of its own, and they agree; a sample or demo that uses a library says nothing of the library's options.

Invariants: a value counts if all of its placeholders resolve, by the defaults written in them or within the files.  One in
which only names are left that a run supplies, such as ``${user.home}/data``, is shown as it is written: if the platform sets them, or
if they are only a part of it.  What a build fills in (``${project.version}``, ``@project.version@``), or another option as a whole, is none;
nor is there one where the file at home says that nothing is set.
Absent: whether a value is fit to be shown (``options.secret_values``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from conflens.base.paths import is_test_path
from conflens.base.span import Place
from conflens.checking.placeholder_reads import reads
from conflens.checking.placeholder_syntax import ANY, template
from conflens.checking.placeholder_values import Resolution
from conflens.checking.placeholders import holds_secret, resolved
from conflens.checking.recognition import Recognised
from conflens.documents.configfiles.model import ConfigFile, Kind
from conflens.documents.configfiles.wiring import WIRING
from conflens.flow.results import OptionKey
from conflens.options.model import Default, Option

_FOLDERS = ("src/main/resources/", "META-INF/")
_PROFILE = re.compile(r"(?:application|bootstrap)-[^/]+\.\w+\Z")
_PROFILES = re.compile(r"(?:^|/)profiles?/[^/]+/[^/]+\Z")
_FILTERED = re.compile(r"(?<![\w@])@[A-Za-z][\w.-]{0,200}@(?![\w@])")
"""What Ant, and Maven in projects of Spring Boot, replace by a value of the build."""
_VARIANT = re.compile(r"[-_.]")
_SAMPLE = re.compile(
    r"examples?|samples?|demos?|quick-?starts?|tutorials?|showcases?|benchmarks?|playground",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[/_.-]")
_PLATFORM, _BUILD = "system-property", "build"
_MOST_VALUES = 8
"""Different values of one option; with more there is no default to speak of."""


def packaged_values(recognised: Recognised) -> Mapping[OptionKey, tuple[Default, ...]]:
    """Return what packaged files set options to, distinct values in order of their places."""
    if recognised.packaged is None:
        recognised.packaged = _found(recognised)
    return recognised.packaged


def _found(recognised: Recognised) -> dict[OptionKey, tuple[Default, ...]]:
    home: dict[OptionKey, dict[str, Default]] = {}
    elsewhere: dict[OptionKey, dict[str, Default]] = {}
    profiles: dict[OptionKey, dict[str, Default]] = {}
    beans = _asked_by_beans(recognised)
    for option, path, default in _set(recognised):
        profile = _PROFILES.search(path) is not None
        asked_in = beans.get(option.name, frozenset())
        at_home = not profile and _is_at_home(recognised, option, path, asked_in)
        if at_home or not (_is_sample(path) or _states(option)):
            found = home if at_home else profiles if profile else elsewhere
            found.setdefault(option.key, {}).setdefault(default.text, default)
    for others in (elsewhere, profiles):
        for key, values in others.items():
            if len(values) == 1:
                home.setdefault(key, values)
    for values in home.values():
        values.pop("", None)
    return {
        key: tuple(values.values())
        for key, values in home.items()
        if 0 < len(values) <= _MOST_VALUES
    }


def _set(recognised: Recognised) -> Iterator[tuple[Option, str, Default]]:
    """Yield what packaged files set: option, path and value."""
    run = _Run(recognised)
    bases = _bases(recognised)
    for path in sorted(recognised.files):
        if not _is_packaged(path):
            continue
        match = recognised.match(path)
        if match is None or not match.counts:
            continue
        for name, options in match.options.items():
            plain = [option for option in options if not option.pattern]
            by_name = recognised.files[path].by_name[name]
            found = [one for one in by_name if not one.condition and one.kind is not Kind.SECTION]
            if not plain or len(found) != 1:
                continue
            empty = found[0].value is None and found[0].kind is Kind.SCALAR
            if any(name in base.by_name for base in bases.get(path, ())):
                continue
            written = found[0].key if empty else found[0].value
            if written is None:
                continue
            value = (
                Resolution("", complete=True) if empty else resolved(recognised, path, found[0])
            )
            if not (value.complete or run.supplies(value)) or _FILTERED.search(value.text):
                continue
            place = Place(path, written.start, written.end)
            secret = holds_secret(recognised, path, value)
            for option in plain:
                if recognised.belongs(option, path):
                    yield option, path, Default(value.text.strip(), place, secret=secret)


class _Run:
    """What a run of the program supplies."""

    def __init__(self, recognised: Recognised) -> None:
        rows = recognised.by_domain
        self._platform = rows[_PLATFORM].reserved if _PLATFORM in rows else ()
        self._build = rows[_BUILD].supplied if _BUILD in rows else ()

    def supplies(self, value: Resolution) -> bool:
        """Tell whether only names are left in a value that are known when the program runs."""
        if (
            not value.missing
            or value.cycle
            or any(_below(one, self._build) for one in value.missing)
        ):
            return False
        return all(_below(one, self._platform) for one in value.missing) or bool(
            template(value.text, ANY).text("").strip()
        )


def _below(name: str, starts: Iterable[str]) -> bool:
    """Tell whether a name is one of some, or lies below one."""
    folded = name.lower()
    return any(folded == one.lower() or folded.startswith(f"{one.lower()}.") for one in starts)


def _is_packaged(path: str) -> bool:
    inside = any(f"/{folder}" in f"/{path}" for folder in _FOLDERS)
    return inside and not is_test_path(path) and _PROFILE.search(path) is None


def _bases(recognised: Recognised) -> Mapping[str, list[ConfigFile]]:
    """Return of each packaged file those beside it that it is a variant of."""
    beside: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for path in recognised.files:
        if _is_packaged(path):
            folder, _, name = path.rpartition("/")
            stem, _, end = name.rpartition(".")
            beside.setdefault((folder, end), []).append((stem, path))
    found: dict[str, list[ConfigFile]] = {}
    for files in beside.values():
        stems = dict(files)
        for stem, path in files:
            for sign in _VARIANT.finditer(stem):
                base = stems.get(stem[: sign.start()])
                if base is not None:
                    found.setdefault(path, []).append(recognised.files[base])
    return found


def _is_sample(path: str) -> bool:
    folders = path.split("/")[:-1]
    return any(_SAMPLE.fullmatch(word) for folder in folders for word in _WORDS.split(folder))


def _asked_by_beans(recognised: Recognised) -> Mapping[str, Set[str]]:
    """Return the names that files of beans ask for, each with the modules of these files."""
    found: dict[str, set[str]] = {}
    program = recognised.program
    for path, file in recognised.files.items() if program is not None else ():
        if file.format in WIRING and program is not None and not is_test_path(path):
            row = next((row for row in recognised.rows if file.format.value in row.formats), None)
            for one in reads(file, row.placeholders) if row is not None else ():
                found.setdefault(one.name, set()).add(program.modules.at(path))
    return found


def _is_at_home(recognised: Recognised, option: Option, path: str, asked_in: Set[str]) -> bool:
    """Tell whether something that reads or declares an option, or one of the modules ``asked_in``, is the module of a file."""
    if recognised.program is None:
        return True
    modules = recognised.program.modules
    home = modules.at(path)
    places = [read.place for read in option.reads]
    places += [declaration.place for declaration in option.declarations]
    return home in asked_in or any(modules.at(place.path) == home for place in places)


def _states(option: Option) -> bool:
    """Tell whether code states a default of an option, and does not only leave a number or a flag as it is."""
    return any(not default.implied for default in option.defaults)
