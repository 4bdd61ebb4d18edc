"""Where documents, comments and other texts spell an option's name: a person should look at these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from conflens.base.span import Place
from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format
from conflens.documents.configfiles.policy import is_read_by_many
from conflens.ide.rename.edits import Part, RenameEdit, Taken
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.targets.config_keys import name_place
from conflens.ide.targets.mentions import is_distinct, occurrences
from conflens.session.analysis import Analysis
from conflens.session.inputs.inputs import WORKSPACE_FILE
from conflens.session.inputs.policy import is_other_source

_PLAIN = re.compile(r"\w+(?:[.\-]\w+)*")
"""A name that no format of config files has to quote."""
_READ_AGAIN = frozenset((Format.YAML, Format.ELEMENTS, Format.ARGUMENTS))
"""Formats in which each change of a key is read again."""
MOST_READ = 4_000_000
"""Bytes of one file that are read for it."""
_TESTS = "test sources"
_MOST_UNREAD = 5_000
_UNKNOWN = "\ufffd".encode()
_TEXTS = re.compile(
    rb"//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    rb'|"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|"(?:[^"\\\r\n]|\\.)*+"?'
    rb"|'(?:[^'\\\r\n]|\\.)*+'?",
    re.DOTALL,
)


def document_edits(
    analysis: Analysis, taken: Taken, names: Mapping[str, str]
) -> Iterator[RenameEdit]:
    """Yield the edits of old names, with the new ones, in documents, in config files that are not known to be the program's, and in
    the workspace file."""
    last = {old: old.rpartition(".")[2].encode() for old in names}
    counting = set(analysis.recognised.config_files())
    work = Counter[str]()
    for path in sorted({*analysis.documents.harvests, *analysis.config_files, WORKSPACE_FILE}):
        is_workspace = path == WORKSPACE_FILE
        found = analysis.source_text(path) if is_workspace else analysis.document_text(path)
        text = found or b""
        file = analysis.config_files.get(path)
        if file is not None and path not in counting:
            every = [
                one
                for old in names
                if is_distinct(old)
                for one in file.by_name.get(old, ())
                if not one.merged
            ]
            check_work(file, every, work)
        for old, new in names.items():
            if last[old] not in text:
                continue
            own = file.by_name.get(old, ()) if file is not None else ()
            if path in counting:
                # Keys that are options of another domain keep their name.
                taken.keep(name_place(path, one) for one in own)
            elif file is not None and own and is_distinct(old):
                keys = [one for one in own if not one.merged]
                yield from _keys_of(file, keys, new, taken)
            if file is not None and not is_plain(new, old):
                continue  # as bare text it could end what it stands in
            for start, end in occurrences(text, old, inside=old.startswith("--")):
                yield RenameEdit(Place(path, start, end), new, Part.DOCUMENT)


def _keys_of(
    file: ConfigFile, keys: list[Assignment], new: str, taken: Taken
) -> Iterator[RenameEdit]:
    """Yield the edits of keys; those that cannot be written are taken."""
    for key, changes in zip(keys, parsing.all_renamed(file, keys, new), strict=True):
        if changes is None:
            taken.keep([name_place(file.path, key)])
        for change in changes or ():
            yield RenameEdit(
                Place(file.path, change.start, change.end), change.text, Part.DOCUMENT
            )


def check_work(file: ConfigFile, keys: Sequence[Assignment], work: Counter[str]) -> None:
    """Refuse to give so many keys of one file other names that it would be read for too long; ``work`` counts them."""
    work[file.path] += len(keys)
    count = work[file.path]
    if file.format in _READ_AGAIN and count * len(file.text) > MOST_READ:
        raise RefusedError(
            f"{file.path} has {count} keys or more to change, which is too much to be edited together."
            " Rename them by hand."
        )


def is_plain(new: str, old: str) -> bool:
    """Whether a name needs no quotes wherever the old one needs none; both may begin with the dashes of a command line's option."""
    dashes = old[: len(old) - len(old.lstrip("-"))]
    return new.startswith(dashes) and _PLAIN.fullmatch(new, len(dashes)) is not None


def mentions(analysis: Analysis, names: Mapping[str, str]) -> Iterator[RenameEdit]:
    """Yield the edits of distinct old names in comments and literals of sources, those that are not analysed among them."""
    distinct = [
        (old, new, old.encode())
        for old, new in names.items()
        if is_distinct(old) and '"' not in new and "\\" not in new
    ]
    for path in (*sorted(analysis.program.files), *unread_sources(analysis)) if distinct else ():
        known = path in analysis.program.files
        text = (analysis.text(path) if known else analysis.source_text(path)) or b""
        spans: list[tuple[int, int]] = []
        for old, new, written in distinct:
            if written not in text:
                continue
            spans = spans or [found.span() for found in _TEXTS.finditer(text)]
            at = 0
            for start, end in occurrences(text, old):
                while at < len(spans) and spans[at][1] < end:
                    at += 1
                if at < len(spans) and spans[at][0] < start:
                    yield RenameEdit(Place(path, start, end), new, Part.MENTION)


def unread_sources(analysis: Analysis) -> list[str]:
    """Return the paths of tests that are not analysed, and of sources in other languages of the JVM."""
    tests = [one.path for one in analysis.left_out if one.reason == _TESTS]
    java = (path for path in tests if path.endswith(".java"))
    others = (path for path in analysis.unread.tests if is_other_source(path))
    return sorted({*java, *others, *analysis.unread.sources})[:_MOST_UNREAD]


def config_files_of_tests(analysis: Analysis) -> list[str]:
    """Return the paths of the config files of tests."""
    return sorted(path for path in analysis.unread.tests if not is_other_source(path))[
        :_MOST_UNREAD
    ]


def misread(analysis: Analysis, path: str, places: Iterable[Place]) -> list[Place]:
    """Return those places of a file before which bytes stand in their line that may be of other characters than we take them for."""
    file = analysis.config_files.get(path)
    text = analysis.text(path)
    if text is None:
        text = analysis.source_text(path) or b""
    ascii_only = file is not None and file.encoding != "utf-8"
    if _is_known(text, ascii_only):
        return []
    found = []
    for place in places:
        line = max(text.rfind(b"\n", 0, place.end), text.rfind(b"\r", 0, place.end)) + 1
        if not _is_known(text[line : place.end], ascii_only):
            found.append(place)
    return found


def _is_known(text: bytes, ascii_only: bool) -> bool:
    if ascii_only or text.isascii():
        return text.isascii()
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return _UNKNOWN not in text


def unwritten(analysis: Analysis, names: Iterable[str], edits: Iterable[Place]) -> Iterator[str]:
    """Yield the paths of HOCON files, which are not edited, that may set a key: they hold its last word where nothing changes."""
    word = last_words(names)
    if word is None:
        return
    taken = Taken(edits)
    for path, file in sorted(analysis.config_files.items()):
        if may_be_hocon(file) and any(
            taken.free(Place(path, *found.span())) for found in word.finditer(file.text)
        ):
            yield path


def last_words(names: Iterable[str]) -> re.Pattern[bytes] | None:
    """Return a pattern of the last parts of some names, ``None`` if all are of one part."""
    last = [re.escape(name.rpartition(".")[2].encode()) for name in names if "." in name]
    words = b"|".join(last)
    return re.compile(rb"(?<![\w.\-])(?:%b)(?![\w.\-])" % words) if last else None


def may_be_hocon(file: ConfigFile) -> bool:
    """Tell whether a file is read as HOCON, or may be."""
    return file.format is Format.HOCON or is_read_by_many(file.path)
