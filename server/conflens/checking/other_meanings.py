"""Documents that have the name of an option and mean something else: a file of that name, or a variable of a launch script.

``app.properties`` in running text is a file, unless the text calls it a property.  What a script below ``bin`` assigns and
expands is code; what a comment or a message of it says of the variable is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from conflens.checking.subject import Subject
from conflens.documents import DocumentRef, MentionKind
from conflens.options.model import Option

_FILE = re.compile(r"\w+\.(?:properties|xml|conf|cfg|ya?ml|json|toml|ini|txt|log|sh)")
_SCRIPT = re.compile(r"(?:.*/)?s?bin/(?:[^/]+/)?[\w-]+(?:\.(?:sh|bash))?", re.IGNORECASE)
_MOST_SCRIPTS = 10
_LINE_END = re.compile(r"\r\n?|\n")
_CALLED_OPTION = re.compile(
    r"(?:-D|\b(?:propert(?:y|ies)|options?|settings?|parameters?|variables?|keys?)\W{1,4})\Z",
    re.IGNORECASE,
)
"""What stands before a name that is called an option."""


def is_something_else(subject: Subject, option: Option, found: Sequence[DocumentRef]) -> bool:
    """Tell whether the places where documents have an option's name, of which there are some, all mean something else."""
    if option.domain == "environment":
        return len(found) < _MOST_SCRIPTS and all(
            _is_code(subject, ref, option.name) for ref in found
        )
    return _FILE.fullmatch(option.name) is not None and all(
        _is_file(subject, ref) for ref in found
    )


def _is_file(subject: Subject, ref: DocumentRef) -> bool:
    if ref.kind is MentionKind.ENTRY:
        return False
    lines = _LINE_END.split(_text(subject, ref), ref.line)
    if len(lines) < ref.line:
        return False
    return _CALLED_OPTION.search(lines[ref.line - 1][: ref.column - 1]) is None


def _is_code(subject: Subject, ref: DocumentRef, name: str) -> bool:
    """Tell whether a launch script only assigns and expands a variable."""
    if ref.description or _SCRIPT.fullmatch(ref.path) is None:
        return False
    variable = re.escape(name)
    code = re.compile(rf"\$\{{?{variable}\b|(?m:^[ \t]*+(?:export[ \t]++)?){variable}=")
    rest = code.sub("", _text(subject, ref))
    return re.search(rf"\b{variable}\b", rest) is None


def _text(subject: Subject, ref: DocumentRef) -> str:
    text = (subject.document_text(ref.path) or b"").decode("utf-8", "replace")
    return text.removeprefix("\ufeff")
