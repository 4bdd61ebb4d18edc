"""Where values of one config file ask for names: each ``${name:default}`` with its places.

Terms
    look-up   a prefix that says where a name lives (``${env:HOME}``, ``${sys:user.home}``), known where defaults begin with ``:-``.
    whole     a reference that is all of its value, so that what it gives is the value of the key.

Absent: what a name means, and whether the file is one that anybody reads (``placeholder_options``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from conflens.base.secrets import is_secret_default
from conflens.base.span import Place
from conflens.checking.placeholder_syntax import Reference, Template, references, template
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Value

_NAME = re.compile(r"(?:(env|sys|spring):)?([A-Za-z_][\w.-]{0,200})")
_LOOKUPS = {"env": "environment", "sys": "system-property", "spring": "spring"}
_MAX_READS = 5_000
"""References of one file that are looked at."""

_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,200}<")
_BEFORE = 200
_NAMED = re.compile(r"""\bname\s*=\s*["']([\w.-]{1,80})["']""")
_ATTRIBUTE = re.compile(r"""([\w.-]{1,80})\s*=\s*["']\Z""")


@attrs.frozen
class NameRead:
    """``name`` is read for the value of ``key``; ``default`` is the text that is used instead, if it is known, and ``value`` what the
    key is given then.  ``under``: the name of the attribute or element around the value, in XML.

    ``domain`` is where a look-up says that the name lives, or empty.  ``stated`` says that there is a default at all.
    """

    name: str
    domain: str
    key: str
    whole: bool
    stated: bool
    default: str | None
    place: Place
    name_place: Place
    default_place: Place
    value: str = ""
    under: str = ""


def reads(file: ConfigFile, separator: str) -> tuple[NameRead, ...]:
    """Return what the values of a file ask for, in order; ``separator`` is as in ``placeholder_syntax``."""
    if b"${" not in file.text:
        return ()
    found: list[NameRead] = []
    before: dict[str, str] = {}
    for assignment in file.assignments:
        values = assignment.items if assignment.value is None else (assignment.value,)
        for value in values if not assignment.merged else ():
            if "${" in value.text and not (file.format is Format.HOCON and value.style):
                kept = before.get(assignment.name) if file.format is Format.HOCON else None
                found += _of_value(file, assignment, value, separator, kept)
            elif assignment.value is not None:
                before[assignment.name] = value.text
        if len(found) >= _MAX_READS:
            break
    return tuple(found[:_MAX_READS])


def _of_value(
    file: ConfigFile, assignment: Assignment, value: Value, separator: str, kept: str | None
) -> Iterator[NameRead]:
    """Yield the references of one value; ``kept`` is what the key holds where an optional one gives nothing."""
    written = template(value.text, separator)
    raw = file.text[value.start : value.end]
    at, unset = 0, unset_text(written)
    under = name_around(file, value)
    for one in references(written):
        match = _NAME.fullmatch(one.name.text("")) if one.static else None
        if match is None or (match[1] and separator == ":"):
            continue
        whole = written.parts == (one,) and assignment.value is not None
        default = _text(one.default) if one.default is not None else None
        if one.optional and whole and default is None:
            default = kept
        inner = b"${" + (b"?" if one.optional else b"")
        rewritten = file.format is Format.BLUEPRINT
        wanted = match[2].encode() if rewritten else inner + match[0].encode()
        start = raw.find(wanted, at)
        if start < 0:
            start = raw.find(wanted)
        if start >= 0 and rewritten:
            at = start + 1
            place = name_place = Place(
                file.path, value.start + start, value.start + start + len(wanted)
            )
        elif start < 0:  # an escape hides it
            place = name_place = Place(file.path, value.start, value.end)
        else:
            end = start + len(one.written.encode("utf-8", "replace"))
            at = start + 1
            begin = value.start + start
            named = begin + len(inner) + match.start(2)
            place = Place(file.path, begin, min(value.start + end, value.end))
            name_place = Place(file.path, named, named + len(match[2].encode()))
        given = _default_place(name_place, place, separator, one)
        yield NameRead(
            match[2],
            _LOOKUPS.get(match[1], ""),
            assignment.name,
            whole,
            one.default is not None or one.optional,
            default,
            place,
            name_place,
            given,
            unset,
            under,
        )


def name_around(file: ConfigFile, value: Value) -> str:
    """Return the name of the attribute or element that has a value in XML; empty in any other file."""
    if not _MARKUP.match(file.text):
        return ""
    before = file.text[max(0, value.start - _BEFORE) : value.start].decode("utf-8", "replace")
    return _around(before[before.rfind("<") :])


def _around(tag: str) -> str:
    """Return the name of what has a value, by the start tag before it: an attribute, or what ``name`` says of a value or a text."""
    attribute, named = _ATTRIBUTE.search(tag), _NAMED.search(tag)
    if attribute is not None and (named is None or attribute[1] != "value"):
        return attribute[1]
    return named[1] if named is not None else ""


def _default_place(name: Place, place: Place, separator: str, one: Reference) -> Place:
    if one.default is None or name == place:
        return place
    start = name.end + (2 if separator == ":-" else 1)
    return Place(place.path, min(start, place.end), max(min(start, place.end), place.end - 1))


def unset_text(written: Template) -> str:
    """Return a value as it is used if nothing is set; what is not known then is left out."""
    return "".join(
        part
        if isinstance(part, str)
        else unset_text(part.default)
        if part.default is not None
        else ""
        for part in written.parts
    )


def _text(written: Template) -> str | None:
    """Return a default as it is used if nothing is set, ``None`` if that is not known, or holds the default of a secret."""
    found = []
    for part in written.parts:
        text: str | None = part if isinstance(part, str) else None
        if isinstance(part, Reference) and part.default is not None:
            text = _text(part.default)
            if text is not None and is_secret_default(part.name.text("*"), text):
                return None
        if text is None:
            return None
        found.append(text)
    return "".join(found)
