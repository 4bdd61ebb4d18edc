"""Environment variables that set an option, wherever a script, container or ``.env`` file spells them: a person confirms each.

A variable is set (``X=``, ``export X``, ``ENV X``, ``ARG X``, ``- X=``, ``set X=``), and used (``$X``,
``${X:-…}``, ``%X%``, ``[ -v X ]``).  Its name as a part of a path, or of a longer name with dots or dashes, may be anything, and so
may a plain word (``PORT``) that is neither set nor used: these stay.
Absent: names that a script puts together; variables in documents (``rename``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from conflens.base.span import Place
from conflens.documents.configfiles.arguments.lines import Shape, shape_of
from conflens.documents.configfiles.model import ConfigFile, Format
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


def spellings(file: ConfigFile, name: str) -> Iterator[Place]:
    """Yield the places where a file spells a variable and no part of something else."""
    text = file.text
    batch = file.format is Format.ARGUMENTS and shape_of(text.decode()) is Shape.BATCH
    for found in _token(name, re.IGNORECASE if batch else 0).finditer(text):
        start, end = found.span()
        near = max(0, start - _NEAR)
        line = max(text.rfind(b"\n", near, start), text.rfind(b"\r", near, start)) + 1
        before = text[max(line, near) : start]
        if _MARKED.search(before) or not (
            before[-1:] in (b".", b"-", b"/", b"\\", b"@")
            or _JOINED.match(text, end)
            or not (is_distinct(name) or text[end : end + 1] == b"=" or _SET.search(before))
        ):
            yield Place(file.path, start, end)


def _token(name: str, flags: int) -> re.Pattern[bytes]:
    """A variable's whole name; docker takes it directly behind ``-e``."""
    written = re.escape(name.encode())
    return re.compile(
        rb"(?:(?<![A-Za-z0-9_])|(?<=[ \t]-e))" + written + rb"(?![A-Za-z0-9_])", flags
    )
