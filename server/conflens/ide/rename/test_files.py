"""The config files of tests: they set options too, and tests would go on with the old name.

No program reads them, so only their keys show which options they set: a key that spells the old name, in any form if the option's
name is relaxed.  A word that does not look like a name counts only in a file that is called like a config file beside the code.
All edits are to be confirmed; a file that has the name and cannot be edited is named.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Set

from conflens.base.span import Place
from conflens.checking.harmless import keeps_values
from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import ConfigFile
from conflens.ide.rename.edits import Part, RenameEdit, Taken
from conflens.ide.rename.key_names import respelled
from conflens.ide.rename.texts import (
    MOST_READ,
    config_files_of_tests,
    is_plain,
    last_words,
    may_be_hocon,
)
from conflens.ide.targets.mentions import is_distinct, occurrences
from conflens.options.names.naming import loose
from conflens.session.analysis import Analysis

_MOST_BYTES = 2_000_000


def edits_of_tests(
    analysis: Analysis, names: Mapping[str, str], relaxed: Set[str]
) -> tuple[list[RenameEdit], set[str]]:
    """Return the edits of old names, with the new ones, and the files that may set them and cannot be edited; ``relaxed`` are names that
    may be spelled in several forms."""
    word = last_words(names)
    known = {posixpath.basename(path) for path in analysis.config_files}
    edits: list[RenameEdit] = []
    left: set[str] = set()
    for path in config_files_of_tests(analysis):
        called_alike = posixpath.basename(path) in known
        asked = {old: new for old, new in names.items() if called_alike or is_distinct(old)}
        text = analysis.source_text(path) if asked else None
        if text is None or not _may_hold(text, asked):
            continue
        if len(text) > _MOST_BYTES:
            left.add(path)
            continue
        file = parsing.read(path, text)
        taken, own = Taken(()), list[RenameEdit]()
        for edit in _edits(file, asked, relaxed):
            if edit is None:
                left.add(path)
            elif taken.free(edit.place):
                taken.keep((edit.place,))
                own.append(edit)
        if word is not None and may_be_hocon(file):
            found = (Place(path, *one.span()) for one in word.finditer(text))
            left.update(path for place in found if taken.free(place))
        if own and not (file.text == text and keeps_values(file, own)):
            left.add(path)
        else:
            edits += own
    return edits, left


def _may_hold(text: bytes, names: Iterable[str]) -> bool:
    squeezed = text.lower().replace(b"-", b"").replace(b"_", b"")
    return any(_squeezed(name.rpartition(".")[2]) in squeezed for name in names)


def _squeezed(word: str) -> bytes:
    return word.lower().replace("-", "").replace("_", "").encode()


def _edits(
    file: ConfigFile, names: Mapping[str, str], relaxed: Set[str]
) -> Iterator[RenameEdit | None]:
    """Yield the edits of one file, ``None`` for a key that cannot be changed."""
    for old, new in names.items():
        alike = loose(old) if old in relaxed else ""
        for name, found in file.by_name.items():
            if name != old and not (alike and loose(name) == alike):
                continue
            keys = [one for one in found if not one.merged]
            wanted = new if name == old else respelled(name, old, new)
            if wanted in file.by_name or len(keys) * len(file.text) > MOST_READ:
                yield None
                continue
            for changes in parsing.all_renamed(file, keys, wanted):
                if changes is None:
                    yield None
                for change in changes or ():
                    place = Place(file.path, change.start, change.end)
                    yield RenameEdit(place, change.text, Part.TEST)
        if is_distinct(old) and is_plain(new, old):
            for start, end in occurrences(file.text, old, inside=old.startswith("--")):
                yield RenameEdit(Place(file.path, start, end), new, Part.TEST)
