"""What can be the name of an option in a document, and how names are compared.

A name is *name-like* when its spelling alone sets it apart from prose: it contains one of
`. - _` between letters, or a small letter followed by a capital (`maxClientCnxns`). Any other
single word (`port`, `timeout`) is *plain* and counts only where the document sets it off.

A *template* holds placeholders, `*`, `<x>`, `{x}`, `${x}` or `[x]`, each a part of the name
that varies; `canonical` writes all of them `*`.

Invariant: all patterns are linear: quantifiers are possessive or bounded, and none can start
again inside text that an earlier attempt has scanned without bound.
"""

import re
from collections.abc import Iterator
from itertools import accumulate

_SEGMENT = r"[A-Za-z0-9_]++"
_INNER = r"[A-Za-z0-9_ \-]{1,40}+"
_HOLE = rf"(?:\$?\{{{_INNER}\}}|<{_INNER}>|&lt;{_INNER}&gt;|\[{_INNER}\]|\*(?!\*))"

NAME = rf"(?:{_HOLE}|[A-Za-z_][A-Za-z0-9_]*+)(?:[.\-:](?:{_SEGMENT}|{_HOLE}))*+"
"""A plain name, a name-like one or a template; to be embedded in other patterns."""

_HOLE_BEGIN = re.compile(r"[{<\[&]")
_HOLES = re.compile(_HOLE)
_LIKE = r"[A-Z]*+[a-z0-9]*+(?:[A-Z_]|[.\-:][A-Za-z0-9_])"
_LIKE_RE = re.compile(rf"(?:_|{_LIKE})")
_WORDS = re.compile(
    r"(?:https?|ftp)://[^\s<>\"'`)\]]*+"
    r"|(?:(?<![\w.@-])|(?<=_)(?<!\w_)(?=-D))(?<!\w#)(?:"
    rf"(?:-D|--?)?+(?!_-)(?P<like>(?=_|[A-Z]*+[a-z0-9]*+(?:[A-Z_]|[.\-][A-Za-z0-9_]))"
    rf"[A-Za-z_][A-Za-z0-9_]*+(?:[.\-]{_SEGMENT})*+)(?!\()(?![.\-](?:[<{{*\[]|\$\{{|&lt;))"
    r"|-D(?P<property>[A-Za-z]\w*+)(?==)"
    r"|(?P<flag>--[A-Za-z]\w*+)(?![\w-]))"
)
_TEMPLATES = re.compile(
    rf"(?<![\w.\-])(?:[A-Za-z_][A-Za-z0-9_.\-]*+(?<=[.\-]){_HOLE}"
    rf"(?:[.\-](?:{_SEGMENT}|{_HOLE}))*+"
    rf"|{_HOLE}(?:[.\-](?:{_SEGMENT}|{_HOLE}))++)"
)
_HOLE_MARK = re.compile(r"[*<{\[&]")
_SPACED_HOLE = re.compile(r"[.\-](?:\$?\{|<|\[|&lt;)[A-Za-z0-9_\-]{1,40}+ ")
_TOKEN_END = re.compile(r"(?<![\w.\-])[A-Za-z_][A-Za-z0-9_.\-]*+\Z")
_SPELLED = re.compile(
    rf"\s*+(?P<dash>-D|--?)?+(?P<name>{NAME})\s*+(?:=.*+|:(?:\s.*+)?|\s<[^>]*+>)?\s*+",
    re.DOTALL,
)


def is_name_like(name: str) -> bool:
    """Whether the spelling sets the name apart from an ordinary word."""
    return _LIKE_RE.match(name) is not None or _HOLES.search(name) is not None


def _is_emphasised(name: str) -> bool:
    """Whether underscores around a name are markup (`_max.size_`)."""
    return len(name) > 2 and name[0] == "_" == name[-1]


def canonical(name: str) -> str:
    """The form under which a name is stored and asked for: placeholders as `*`, and without
    the dashes of a command line flag when what remains is still name-like."""
    bare = name.lstrip("-")
    if bare != name and is_name_like(bare):
        name = bare
    return _HOLES.sub("*", name) if _HOLE_BEGIN.search(name) else name


def spelled_name(text: str) -> tuple[str, str] | None:
    """The name that a code span or label consists of, as (written, canonical); a value may
    follow (`port=80`, `port: 80`, `--port <n>`). None when the text is anything else."""
    if len(text) > 300:
        return None
    match = _SPELLED.fullmatch(text)
    if match is None or not canonical(match["name"]).strip("*.-:_"):
        return None
    dash, name = match["dash"] or "", match["name"]
    name = name[1:-1] if _is_emphasised(name) else name
    if dash == "-D" or is_name_like(name):
        return name, canonical(name)
    return dash + name, dash + name


def words(text: str) -> Iterator[tuple[str, int]]:
    """Every name-like token of running text with its offset, canonical and in no fixed order.

    Also `-Dname=` and `--name` with a plain name, as `name` and `--name`. Web addresses, method
    calls (`name(`), member references (`Type#name`) and the literal start of a template do not
    count. Text repeats itself: only the first of equal pieces between white space is looked at."""
    pieces = text.replace("\n", " ").replace("\t", " ").split(" ")
    sums = list(accumulate(map(len, pieces), initial=0))
    first = dict(zip(reversed(pieces), range(len(pieces) - 1, -1, -1), strict=True))
    for piece, number in first.items():
        if piece.islower() and piece.isalpha():
            continue
        start = sums[number] + number
        for match in _WORDS.finditer(piece):
            group = match.lastgroup
            if group is not None:
                name, at = match[group], start + match.start(group)
                yield (name[1:-1], at + 1) if _is_emphasised(name) else (name, at)
        if _HOLE_MARK.search(piece):
            for match in _TEMPLATES.finditer(piece):
                yield canonical(match[0]), start + match.start()
    for mark in _SPACED_HOLE.finditer(text):
        begin = mark.start()
        before = _TOKEN_END.search(text, max(0, begin - 200), begin)
        template = _TEMPLATES.match(text, before.start()) if before else None
        if template is not None:
            yield canonical(template[0]), template.start()
