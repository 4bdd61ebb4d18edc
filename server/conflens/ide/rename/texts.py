"""Where documents, comments and other texts spell an option's name: a person should look at these."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from conflens.base.span import Place
from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import Format
from conflens.ide.rename.commands import is_of_another
from conflens.ide.rename.edits import Part, RenameEdit, Taken
from conflens.ide.targets.config_keys import name_place
from conflens.ide.targets.mentions import is_distinct, occurrences
from conflens.session.analysis import Analysis

_PLAIN = re.compile(r"\w+(?:[.\-]\w+)*")
"""A name that no format of config files has to quote."""
_TEXTS = re.compile(
    rb"//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    rb'|"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|"(?:[^"\\\r\n]|\\.)*+"?'
    rb"|'(?:[^'\\\r\n]|\\.)*+'?",
    re.DOTALL,
)


def document_edits(analysis: Analysis, taken: Taken, old: str, new: str) -> Iterator[RenameEdit]:
    """Yield the edits of a name in documents and in config files that are not known to be the program's."""
    last = old.rpartition(".")[2].encode()
    counting = set(analysis.recognised.config_files())
    scripts = _scripts(analysis) if old.startswith("-") else frozenset[str]()
    for path in sorted({*analysis.documents.harvests, *analysis.config_files}):
        text = analysis.document_text(path)
        if text is None or last not in text:
            continue
        if path in counting:
            file = analysis.config_files[path]
            # Keys that are options of another domain keep their name.
            taken.keep(name_place(path, one) for one in file.by_name.get(old, ()))
        elif path in analysis.config_files and is_distinct(old):
            file = analysis.config_files[path]
            for assignment in file.by_name.get(old, ()):
                changes = None if assignment.merged else parsing.renamed(file, assignment, new)
                if changes is None:
                    taken.keep([name_place(path, assignment)])
                for change in changes or ():
                    place = Place(path, change.start, change.end)
                    yield RenameEdit(place, change.text, Part.DOCUMENT)
        if path in analysis.config_files and not _is_plain(new, old):
            continue  # as bare text it could end what it stands in
        is_script = path in analysis.config_files and old.startswith("-")
        for start, end in occurrences(text, old, inside=old.startswith("--")):
            if is_script and is_of_another(text, start, scripts):
                continue
            yield RenameEdit(Place(path, start, end), new, Part.DOCUMENT)


def _scripts(analysis: Analysis) -> frozenset[str]:
    """Return the names of scripts of the project."""
    return frozenset(
        posixpath.basename(path)
        for path, file in analysis.config_files.items()
        if file.format is Format.ARGUMENTS
    )


def _is_plain(new: str, old: str) -> bool:
    """Whether a name needs no quotes wherever the old one needs none; both may begin with the dashes of a command line's option."""
    dashes = old[: len(old) - len(old.lstrip("-"))]
    return new.startswith(dashes) and _PLAIN.fullmatch(new, len(dashes)) is not None


def mentions(analysis: Analysis, old: str, new: str) -> Iterator[RenameEdit]:
    """Yield the edits of a distinct name in comments and literals of Java files."""
    if not is_distinct(old) or '"' in new or "\\" in new:
        return
    written = old.encode()
    for path in sorted(analysis.program.files):
        text = analysis.text(path)
        if text is None or written not in text:
            continue
        spans = [found.span() for found in _TEXTS.finditer(text)]
        at = 0
        for start, end in occurrences(text, old):
            while at < len(spans) and spans[at][1] < end:
                at += 1
            if at < len(spans) and spans[at][0] < start:
                yield RenameEdit(Place(path, start, end), new, Part.MENTION)
