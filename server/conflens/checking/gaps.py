"""Where options are probably missing: what looks like configuration and has no read that is known.

Three signs, each with its place:
  - a config file that code names (or that a framework reads by itself) and most of whose keys nothing is known to read;
  - a class with many settable fields that is called after configuration, whose fields code reads and nobody sets: something fills
    it that was not seen;
  - sources in other languages of the JVM, which are not read, beside the Java files.

What only the user's own file or a library's reserved names explain does not count.  Absent: who says so (``stats``, the status
page, the first line of ``scan``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from conflens.base.paths import is_test_path
from conflens.base.words import count, joined
from conflens.checking.recognition import Recognised
from conflens.checking.subject import Subject
from conflens.documents.configfiles.model import ConfigFile, Format, Kind
from conflens.facts.model import Member, Modifier
from conflens.options.model import OptionTable
from conflens.program.program import Program
from conflens.program.refs import TypeInfo

MOST = 10
"""Gaps that are reported, the largest first."""

_FEW_KEYS = 20
_FEW_FIELDS = 8
_KNOWN = 0.3
"""The share of known keys or fields above which nothing is reported."""
_DIFFERENT = 0.3
"""The share of keys whose last parts must differ; below it the file is a table of data."""
_LANGUAGES = {"kt": "Kotlin", "scala": "Scala", "groovy": "Groovy"}
_FEW_FILES = 5
_NOTABLE = 0.1
"""The share of the Java files that sources in other languages reach before anything is said of them."""
_INDEX = re.compile(r"\[\d+\]")
_MOST_FILES = 40
"""Files that are looked for in code."""
_BY_ITSELF = re.compile(
    r"(?:application|bootstrap|microprofile-config)[\w-]*\.(?:properties|ya?ml|conf)\Z"
)
_FORMATS = frozenset({Format.PROPERTIES, Format.YAML, Format.HOCON, Format.TOML})
_CONFIGURATION = re.compile(r"(?:Conf|Config|Configuration|Settings|Properties)\Z")
_NOT_SET = Modifier.STATIC | Modifier.TRANSIENT


@attrs.frozen
class Gap:
    """What is probably missing: ``size`` options or so, a sentence, and where to look (a byte offset)."""

    size: int
    path: str
    at: int
    message: str


def gaps(subject: Subject) -> tuple[Gap, ...]:
    """Return where options are probably missing, the largest gaps first; nothing before all files have been seen."""
    if not subject.complete:
        return ()
    found = [
        *_files(subject.program, subject.recognised),
        *_classes(subject.program, subject.options),
        *_languages(subject),
    ]
    return tuple(sorted(found, key=lambda gap: (-gap.size, gap.path, gap.at))[:MOST])


def _languages(subject: Subject) -> Iterator[Gap]:
    """Yield one gap for sources in other languages that are many, compared with the Java files."""
    by_language: dict[str, list[str]] = {}
    for path in sorted(subject.unread_sources):
        language = _LANGUAGES.get(path.rpartition(".")[2])
        if language is not None and not is_test_path(path):
            by_language.setdefault(language, []).append(path)
    many = sum(map(len, by_language.values()))
    if many < max(_FEW_FILES, _NOTABLE * len(subject.program.files)):
        return
    counted = joined(count(len(paths), f"{name} file") for name, paths in by_language.items())
    verb = "is" if many == 1 else "are"
    first = max(by_language.values(), key=len)[0]
    yield Gap(many, first, 0, f"ConfLens reads Java only: {counted} {verb} not analysed.")


# -- config files --------------------------------------------------------------------------------------


def _files(program: Program, recognised: Recognised) -> Iterator[Gap]:
    namers: dict[str, str] = {}
    for path, file in sorted(recognised.files.items()):
        if is_test_path(path) or file.format not in _FORMATS:
            continue
        name = path.rpartition("/")[2]
        if name not in namers:
            if len(namers) == _MOST_FILES:
                continue
            namers[name] = _named_in(program, name)
        named = namers[name]
        if not named and not _BY_ITSELF.match(name):
            continue
        keys = _keys(recognised, file)
        unknown = [key for key in keys if not recognised.names.named(key)]
        if len(keys) < _FEW_KEYS or len(keys) - len(unknown) > _KNOWN * len(keys):
            continue
        if len({_leaf(key) for key in unknown}) < _DIFFERENT * len(unknown):
            continue
        shown = "any" if len(unknown) == len(keys) else f"{len(unknown):,}"
        by = f" {named} refers to this file." if named else ""
        message = f"No read was found for {shown} of its {count(len(keys), 'key')}.{by}"
        yield Gap(len(unknown), path, 0, message)


def _leaf(key: str) -> str:
    return _INDEX.sub("", key).rpartition(".")[2]


def _keys(recognised: Recognised, file: ConfigFile) -> list[str]:
    """Return the keys of a file that the program itself should read."""
    domains = recognised.domains_for(file.format)
    return [
        name
        for name, found in file.by_name.items()
        if any(one.kind is not Kind.SECTION for one in found)
        and not recognised.reserved.holds(name)
        and (recognised.names.named(name) or not recognised.below_open(name, domains))
    ]


def _named_in(program: Program, name: str) -> str:
    """Return the class whose code names a file; empty if none does."""
    needle = name.encode("utf-8", "replace")
    for path, facts in program.files.items():
        if is_test_path(path):
            continue
        for number, body in enumerate(facts.bodies):
            if needle in body:
                owner = facts.members[number].owner
                return program.type_name(path, owner).rpartition(".")[2]
    return ""


# -- classes -------------------------------------------------------------------------------------------


def _classes(program: Program, options: OptionTable) -> Iterator[Gap]:
    for info in program.types():
        if info.decl.kind != "class" or not _CONFIGURATION.search(info.decl.name):
            continue
        if is_test_path(info.path) or info.decl.modifiers & Modifier.ABSTRACT:
            continue
        fields = [
            member
            for member in program.files[info.path].members
            if member.owner == info.number
            and member.kind == "field"
            and not member.modifiers & _NOT_SET
            and not member.modifiers & Modifier.FINAL
        ]
        if len(fields) < _FEW_FIELDS:
            continue
        known = _known(options, info)
        if known > _KNOWN * len(fields):
            continue
        filled = [field for field in fields if _is_filled_by_magic(program, info, field)]
        if len(filled) < max(_FEW_FIELDS, (1 - _KNOWN) * len(fields)):
            continue
        name = info.decl.name
        yield Gap(
            len(filled) - known,
            info.path,
            info.decl.name_at,
            f"{name} looks like configuration: nothing in the project sets {len(filled) - known:,} of its "
            f"{count(len(fields), 'field')}, and no read of an option was found for them.",
        )


def _known(options: OptionTable, info: TypeInfo) -> int:
    """Return how many options a class declares or reads."""
    inside = [
        place
        for declaration, _ in options.declarations_in.get(info.path, ())
        if info.decl.at <= (place := declaration.place).start < info.decl.end
    ]
    inside += [
        place
        for read, _ in options.reads_in.get(info.path, ())
        if info.decl.at <= (place := read.name_place).start < info.decl.end
    ]
    return len(set(inside))


def _is_filled_by_magic(program: Program, info: TypeInfo, field: Member) -> bool:
    """Tell whether code asks for a field's value and nobody outside of the class sets it."""
    bare = field.name[2:] if re.match(r"is[A-Z]", field.name) else field.name
    suffix = bare[:1].upper() + bare[1:]
    setters = (f"set{suffix}", f"with{suffix}", field.name)
    if any(ref.owner != info.name for setter in setters for ref in program.users(setter)):
        return False
    return any(
        ref.owner != info.name
        for getter in (f"get{suffix}", f"is{suffix}")
        for ref in program.users(getter)
    )
