"""Which members of which classes an XML file of beans, Spring's or OSGi's, gives which values.

Terms
    wire  one value that one member of a bean is given: a property, which has a setter, or an argument of the constructor; or what a map
    in a property has under one key.

Invariants: total, linear in the text.  Offsets count bytes.
Absent: what a value means (``checking.placeholder_wires``); beans that a factory makes, whose class is not the one that is named;
values in lists, and in maps that are arguments; how a class is filled (``options.learned.wires``).
"""

from __future__ import annotations

import re

import attrs

from conflens.documents.configfiles.beans import attributes_of
from conflens.documents.configfiles.model import ConfigFile, Format

WIRING = frozenset({Format.BEANS, Format.BLUEPRINT})
"""The formats of such files."""
_MARK = re.compile(
    r"<!--(?:[^-]|-(?!->))*+(?:-->|\Z)|</(?P<closed>[A-Za-z][\w:.\-]*+)\s*+>"
    r"|<(?P<tag>[A-Za-z][\w:.\-]*+)(?P<rest>(?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+')*+)>(?P<text>[^<]*+)"
)
_ARGUMENTS = frozenset({"argument", "constructor-arg"})
_MAPS = frozenset({"map", "props"})
_PROP = "prop"
_ENTRIES = frozenset({"entry", _PROP})
_NUMBER = re.compile(r"\d{1,3}")
_SHORT = "p:"
"""What begins attributes that stand for properties (``p:size="16"``)."""
_DEEPEST = 200


@attrs.frozen
class Wire:
    """``member`` of ``type`` gets the value from ``start`` to ``end``: a property, or if it is empty the ``index``-th of
    ``count`` arguments.  With a ``key`` it gets a map, and the value is what that has under this key."""

    type: str
    member: str
    index: int
    count: int
    start: int
    end: int
    key: str = ""


@attrs.define
class _Bean:
    """``arguments`` are those of the constructor so far, with their places if they have values."""

    type: str
    arguments: dict[int, tuple[int, int] | None] = attrs.field(factory=dict)


@attrs.define
class _Open:
    """An element that is not closed yet: a bean, or what a bean's member gets."""

    tag: str
    bean: _Bean | None = None
    member: str | None = None
    argument: int = -1
    nested: bool = False
    holder: str = ""
    """The class of the bean whose member gets a map, if this is the map or what it has under ``key``."""
    key: str = ""


def wires(file: ConfigFile) -> tuple[Wire, ...]:
    """Return what the beans of a file are given, in order."""
    text = file.text.decode("latin-1")
    found: list[Wire] = []
    stack: list[_Open] = []
    for mark in _MARK.finditer(text):
        if mark["closed"] is not None:
            _close(stack, mark["closed"], found)
        elif mark["tag"] is not None and len(stack) < _DEEPEST:
            opened = _opened(text, mark, stack, found)
            if mark["rest"].endswith("/"):
                _finish(opened, found)
            else:
                stack.append(opened)
    return tuple(sorted(found, key=lambda one: one.start))


def _close(stack: list[_Open], tag: str, found: list[Wire]) -> None:
    if any(one.tag == tag for one in stack):
        while stack:
            last = stack.pop()
            _finish(last, found)
            if last.tag == tag:
                break


def _finish(one: _Open, found: list[Wire]) -> None:
    """Yield the arguments of a bean, whose number is known now."""
    if one.bean is not None and one.bean.type:
        count = len(one.bean.arguments)
        found += (
            Wire(one.bean.type, "", index, count, *place)
            for index, place in one.bean.arguments.items()
            if place is not None
        )


def _opened(text: str, mark: re.Match[str], stack: list[_Open], found: list[Wire]) -> _Open:
    """Return an element, after its attributes have been looked at."""
    tag = mark["tag"]
    local = tag.rpartition(":")[2]
    attributes = attributes_of(text, mark)
    parent = stack[-1] if stack else None
    if local == "bean":
        made = not any(key.startswith("factory-") for key in attributes)
        named = text[slice(*attributes["class"])] if made and "class" in attributes else ""
        new = _Bean(named.strip().replace("$", "."))
        for key, place in attributes.items():
            if key.startswith(_SHORT) and new.type and not key.endswith("-ref"):
                found.append(Wire(new.type, key.removeprefix(_SHORT), 0, 1, *place))
        return _Open(tag, new)
    bean = parent.bean if parent is not None else None
    if bean is not None and local == "property" and "name" in attributes:
        member = text[slice(*attributes["name"])]
        if "value" in attributes and bean.type:
            found.append(Wire(bean.type, member, 0, 1, *attributes["value"]))
        return _Open(tag, None, member, nested=True)
    if bean is not None and local in _ARGUMENTS:
        index = len(bean.arguments)
        if "index" in attributes:
            given = text[slice(*attributes["index"])]
            index = int(given) if _NUMBER.fullmatch(given) else index
        bean.arguments[index] = attributes.get("value")
        return _Open(tag, None, None, index, nested=True)
    if (
        parent is not None
        and parent.holder
        and not parent.key
        and local in _ENTRIES
        and "key" in attributes
    ):
        key = text[slice(*attributes["key"])]
        put = attributes.get("value", _inside(mark) if local == _PROP else None)
        if put is None:
            return _Open(tag, None, parent.member, holder=parent.holder, key=key)
        found.append(Wire(parent.holder, parent.member or "", 0, 1, *put, key))
        return _Open(tag)
    if parent is not None and parent.key and local == "value":
        found.append(Wire(parent.holder, parent.member or "", 0, 1, *_inside(mark), parent.key))
        return _Open(tag)
    if local in _MAPS and parent is not None and parent.member is not None and len(stack) > 1:
        owner = stack[-2].bean
        return _Open(tag, None, parent.member, holder=owner.type if owner is not None else "")
    if local == "value" and parent is not None and parent.nested and len(stack) > 1:
        owner = stack[-2].bean
        place = _inside(mark)
        if owner is not None and owner.type and parent.member is not None:
            found.append(Wire(owner.type, parent.member, 0, 1, *place))
        elif owner is not None and parent.argument >= 0:
            owner.arguments[parent.argument] = place
    return _Open(tag)


def _inside(mark: re.Match[str]) -> tuple[int, int]:
    """Return where the text within an element stands, without the blanks around it."""
    inside = mark["text"]
    begin = mark.start("text") + len(inside) - len(inside.lstrip())
    return begin, max(begin, mark.start("text") + len(inside.rstrip()))
