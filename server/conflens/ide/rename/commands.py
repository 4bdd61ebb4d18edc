"""Whether an option of a command line that a script spells is given to this program, or to another one (``curl --output``).

What decides is the first word of the command that the option stands in: ``java``, an archive or script, a path that is none of the
system's, a variable, or nothing, as in a list of arguments, may be this program; any other word is another one.
Invariant: only the text before the option is looked at, up to the beginning of its command, at most ``_MOST`` bytes of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_MOST = 1_000
_JOINED = re.compile(rb"(?:\\|\^|`)[ \t]*\r?\Z")
_SEPARATOR = re.compile(rb"[;|&(){}]|`|\r?\n")
_BEFORE = re.compile(
    rb"(?:[\s\"'\[,\-@+!]++|[\w.]++:(?=\s)|(?:RUN|CMD|ENTRYPOINT)\b|Exec[A-Za-z]*+=|[A-Za-z_]\w*+=(?:\"[^\"]*+\"|'[^']*+'|\S*+)"
    rb"|(?:exec|sudo|nohup|env|time|command|call|start|then|do|else|if|gosu|su-exec|tini|setsid|nice)(?=\s))*+"
)
_WORD = re.compile(rb"[^\s\"',\]]+")
_OWN = re.compile(
    r"(?:.*[/\\])?javaw?(?:\.exe)?|.*\.(?:jar|sh|bat|cmd|ps1)|.*[$%].*"
    r"|(?!/(?:usr/(?:local/)?)?s?bin/).*[/\\].*",
    re.IGNORECASE,
)


def is_of_another(text: bytes, start: int, own: Collection[str]) -> bool:
    """Tell whether the option at ``start`` is given to another program; ``own`` are names of the project's scripts."""
    word = _WORD.search(_command(text, start))
    if word is None or word[0].startswith(b"-"):
        return False
    name = word[0].decode("utf-8", "replace")
    return _OWN.fullmatch(name) is None and re.split(r"[/\\]", name)[-1] not in own


def _command(text: bytes, start: int) -> bytes:
    """Return what stands before a place in its command, without what introduces the command."""
    first = max(0, start - _MOST)
    lines = text[first:start].split(b"\n")
    kept = [lines.pop()]
    while lines and _JOINED.search(lines[-1]):
        kept.append(_JOINED.sub(b" ", lines.pop()))
    before = b" ".join(reversed(kept))
    cuts = [found.end() for found in _SEPARATOR.finditer(before)]
    before = before[cuts[-1] if cuts else 0 :]
    introduced = _BEFORE.match(before)
    return before[introduced.end() if introduced else 0 :]
