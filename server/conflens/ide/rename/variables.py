"""Environment variables that set an option: renamed wherever a script, container or ``.env`` file spells them.

A variable is one thing in all of a file: set (``X=``, ``export X``, ``ENV X``, ``ARG X``, ``- X=``, ``set X=``), and used (``$X``,
``${X:-…}``, ``%X%``, ``[ -v X ]``).  All its spellings get the new name together.  Its name as a part of a path, or of a longer name
with dots or dashes, may be anything, and so may a plain word (``PORT``) that is neither set nor used: then nothing is renamed, unless
that stands in a comment.
Absent: names that a script puts together; variables in documents (``rename``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.documents.configfiles.arguments.lines import Shape, shape_of
from conflens.documents.configfiles.model import ConfigFile, Format
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.targets.mentions import is_distinct
from conflens.options.model import Option

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DOMAIN = "environment"
_FORMATS = frozenset((Format.ARGUMENTS, Format.ENVIRONMENT))
_MARKED = re.compile(rb"(?:[$%!]|\$\{[!#]?|\$\(|\$env:)\Z", re.IGNORECASE)
_JOINED = re.compile(rb"[.\-/\\@][\w${]")
_SET = re.compile(
    rb"(?:(?:^|[;&|({])[ \t]*+"
    rb"|(?:^|[ \t\"])(?:export|readonly|declare|typeset|local|unset|read|arg|env|defined|set|printenv|-v|-e|--env)[ \t]++(?:[\w=]++[ \t]++)*+"
    rb"|-[ \t]++)[\"']?\Z",
    re.IGNORECASE,
)
"""What stands before the name of a variable that is set, passed on or asked for, from the beginning of the line."""
_COMMENT = re.compile(rb"[ \t]*(?:#|;|::|@?rem\b)", re.IGNORECASE)
_NEAR = 200


def is_variable(name: str) -> bool:
    """Whether a name is one of an environment variable."""
    return _VARIABLE.fullmatch(name) is not None


def sets_variable(name: str, old: str, new: str, options: Iterable[Option]) -> bool:
    """Whether a name by which a file calls ``options`` is one of an environment variable that can be called ``new``: another form
    of the option's name, or that name itself where the option is read from the environment."""
    if not is_variable(name) or _WORD.fullmatch(new) is None:
        return False
    return name != old or all(one.domain == _DOMAIN for one in options if one.name == name)


def has_variables(file: ConfigFile) -> bool:
    """Whether a file is one whose text sets and uses environment variables."""
    return file.format in _FORMATS


def spellings(file: ConfigFile, old: str, new: str, *, counts: bool) -> Iterator[Place]:
    """Yield the places where a file spells a variable that is to be called ``new``; raises ``RefusedError`` where a file that
    ``counts`` has places that cannot be told apart, or uses ``new`` for something else."""
    text = file.text
    batch = file.format is Format.ARGUMENTS and shape_of(text.decode()) is Shape.BATCH
    flags = re.IGNORECASE if batch else 0
    if counts and _token(new, flags).search(text):
        raise RefusedError(f"{file.path} uses {new} already.")
    for found in _token(old, flags).finditer(text):
        start, end = found.span()
        number, _ = file.lines.position(start, Encoding.UTF8)
        before = text[max(file.lines.starts[number], start - _NEAR) : start]
        if not _MARKED.search(before) and (
            before[-1:] in (b".", b"-", b"/", b"\\", b"@")
            or _JOINED.match(text, end)
            or not (is_distinct(old) or text[end : end + 1] == b"=" or _SET.search(before))
        ):
            if counts and not _COMMENT.match(file.lines.line_bytes(number)):
                raise RefusedError(
                    f"{file.path}:{number + 1} has {old} as a part of something else. Rename it by hand."
                )
            continue
        yield Place(file.path, start, end)


def _token(name: str, flags: int) -> re.Pattern[bytes]:
    """A variable's whole name; docker takes it directly behind ``-e``."""
    written = re.escape(name.encode())
    return re.compile(
        rb"(?:(?<![A-Za-z0-9_])|(?<=[ \t]-e))" + written + rb"(?![A-Za-z0-9_])", flags
    )
