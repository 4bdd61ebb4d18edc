"""Completion in config files: keys, values, and the names in placeholders.

What is being written is read from the text as the editor has it now; which options there are comes from the last published
analysis, so that nothing is waited for.

Terms: the *rest* of an option is what of its name is still to be written below the sections around the cursor.  A rest
*matches* what is typed if it begins with it, or one of its words does (``timeout`` finds ``request.timeout.ms``); case
does not count, nor do ``-`` and ``_`` where spellings are relaxed.

Order of keys: what begins with the typed text before what has it in the middle; the namespace that is being written, or
while none is, those that the file uses, before others; deprecated ones last; then by name.  Keys that the document sets
already are left out.  Of a pattern its fixed part is given, up to where a person must choose a name.  At most
``MAX_ITEMS`` items; if there are more the answer is *incomplete*, and a client asks again as typing goes on.

Invariant: files that do not count have no completion.  Absent: documentation of items (``config_hover``), which is made
when a client looks at one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from heapq import nsmallest
from itertools import islice
from operator import itemgetter

import attrs

from conflens.checking.choices import value_choices
from conflens.checking.recognition import Match
from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import (
    Assignment,
    ConfigFile,
    Context,
    ContextKind,
    Format,
    Kind,
)
from conflens.flow.results import OptionKey
from conflens.ide.completion_names import Rest, rest_below
from conflens.ide.config_keys import counting
from conflens.ide.documented import SHAPES
from conflens.ide.settings import Settings
from conflens.ide.words import shorten
from conflens.options.model import Option, OptionType
from conflens.options.naming import loose
from conflens.session.analysis import Analysis

MAX_ITEMS = 200
MAX_LOOKED = 800
"""So many keys are tried; a place may not allow most of them."""
TRIGGERS = (".", "=", ":", "-", "{", '"', ">", " ")
"""Behind these a client asks by itself: separators of names and before values, what opens a value.  A space counts only where
a value begins."""
_MAX_DETAIL = 80
_MAX_VALUE = 40
_MAX_CHOICES = 4
_BARE_UNITS = frozenset({"", "count", "ratio"})
_OPEN_PLACEHOLDER = re.compile(rb"\$\{([^${}:\s]*)$")
_NAME = re.compile(rb"[\w.\-\[\]]*")
_NEXT = "next"
_PLAIN = re.compile(r"[\w.-]+")
_ONE_FORM = frozenset({Format.PROPERTIES, Format.ENVIRONMENT, Format.ARGUMENTS, Format.XML})
"""Formats that write all keys at one place alike, but for the name."""


class ItemKind(StrEnum):
    """What an item writes."""

    KEY = "key"
    NAMESPACE = "namespace"
    """The fixed part of a pattern."""
    VALUE = "value"
    PLACEHOLDER = "placeholder"


@attrs.frozen
class Item:
    """Puts ``text`` in place of the bytes ``start`` to ``end`` of the present text.  A client finds it by ``filter``, which
    begins with what stands between ``start`` and the cursor if it matches; ``preferred`` is the default."""

    label: str
    kind: ItemKind
    text: str
    start: int
    end: int
    filter: str
    detail: str = ""
    option: OptionKey | None = None
    description: str = ""
    deprecated: bool = False
    preferred: bool = False


@attrs.frozen
class Completions:
    """The items in order."""

    items: tuple[Item, ...]
    incomplete: bool = False


NOTHING = Completions(())


def complete(
    analysis: Analysis,
    path: str,
    present: bytes,
    offset: int,
    settings: Settings,
    trigger: str = "",
) -> Completions:
    """Return what can be written at byte ``offset`` of the ``present`` text, UTF-8 without fault.

    ``trigger`` is the character that made the client ask, if one did.
    """
    found = counting(analysis, path) if settings.completion else None
    if found is None:
        return NOTHING
    file, match = found
    here = file if file.text == present else ConfigFile(path, file.format, present, ())
    offset = max(0, min(offset, len(present)))
    context = parsing.context(here, offset)
    line = present[max(present.rfind(b"\n", 0, offset) + 1, offset - 1000) : offset]
    opened = _OPEN_PLACEHOLDER.search(line)
    if opened is not None and context.kind is ContextKind.VALUE:
        return _placeholders(analysis, path, match, present, offset - len(opened[1]), offset)
    if context.kind is ContextKind.VALUE and not (trigger == " " and context.prefix):
        return _values(analysis, match, here, context)
    if context.kind is ContextKind.KEY and trigger != " ":
        taken = _taken(file, match, here, context)
        return _keys(analysis, match, (file, here), context, taken)
    return NOTHING


def _keys(
    analysis: Analysis,
    match: Match,
    files: tuple[ConfigFile, ConfigFile],
    context: Context,
    taken: frozenset[OptionKey],
) -> Completions:
    """Complete a key; ``files`` are the file as analysed and as it is now."""
    file, here = files
    ordered = _ordered(analysis, match, here, context, _namespaces(file, match))
    looked: list[tuple[Rest, Option]] = []
    more = False
    for item in ordered:
        if item[1].key not in taken:
            more = len(looked) == MAX_LOOKED
            if more:
                break
            looked.append(item)
    texts = _texts(here, context, [rest for rest, _ in looked], file.assignments)
    found = ((*item, text) for item, text in zip(looked, texts, strict=True) if text is not None)
    first = list(islice(found, MAX_ITEMS + 1))
    items = [
        Item(
            label=rest.name,
            kind=ItemKind.KEY if rest.whole else ItemKind.NAMESPACE,
            text=text,
            start=context.start,
            end=context.end,
            filter=rest.found_by(context.prefix),
            detail=detail_of(option),
            option=option.key,
            description=option.description,
            deprecated=bool(option.deprecated),
        )
        for rest, option, text in first[:MAX_ITEMS]
    ]
    return Completions(tuple(items), len(first) > MAX_ITEMS or more)


def _ordered(
    analysis: Analysis,
    match: Match,
    here: ConfigFile,
    context: Context,
    used: frozenset[str],
) -> Iterator[tuple[Rest, Option]]:
    """Yield what is left of each option that can be written, each name once, in order.

    Only what is asked for is looked at closely: rests that begin with what is typed are found by one comparison each, and
    those that have it in the middle are looked for once these are used up.
    """
    namespace = context.prefix.rpartition(".")[0].lower()
    seen: set[str] = set()
    for beginning in (True, False):
        groups: dict[tuple[bool, bool], list[tuple[str, bool, Rest | None, str, Option]]] = {}
        for name, rest, option in _found(analysis, match, here, context, beginning):
            written = name if rest is None else rest.name
            own = written.rpartition(".")[0]
            near = (
                own.lower() == namespace if namespace else option.name.rpartition(".")[0] in used
            )
            groups.setdefault((not near, bool(option.deprecated)), []).append(
                (written.lower(), option.domain in SHAPES, rest, written, option)
            )
        for group in sorted(groups):
            for _, _, rest, written, option in sorted(groups[group], key=itemgetter(0, 1)):
                if written not in seen:
                    seen.add(written)
                    yield rest or Rest(written, True, 0, len(context.prefix)), option


def _found(
    analysis: Analysis, match: Match, here: ConfigFile, context: Context, beginning: bool
) -> Iterator[tuple[str, Rest | None, Option]]:
    """Yield options whose rests begin with what is typed, or the others that it leads to, with their rests; ``None`` stands for
    all of the name that is given."""
    names = analysis.recognised.names
    relaxed = names.relaxed
    variables = here.format is Format.ENVIRONMENT or (
        here.format is Format.ARGUMENTS and not here.text.endswith(b"-D", 0, context.start)
    )
    parents, typed = _around(context), context.prefix
    head = f"{parents}." if parents else ""
    whole, part = loose(head + typed), loose(typed)
    plain = not variables and names.table is analysis.options
    for option, spelt in _candidates(analysis, "" if variables else parents):
        if option.domain not in match.domains:
            continue
        name = option.name
        if plain and name.startswith(head + typed) and "*" not in name and name != head:
            if beginning:
                yield name[len(head) :], None, option
            continue
        # Loose names tell what cannot be meant, whatever spellings the domain allows.
        if (
            plain
            and spelt is not None
            and not (spelt.startswith(whole) if beginning else part in spelt)
        ):
            continue
        rest = _rest(option, context, parents, relaxed, variables)
        if rest is not None and beginning == (rest.begin == 0):
            yield name, rest, option


def _rest(
    option: Option, context: Context, parents: str, relaxed: frozenset[str], variables: bool
) -> Rest | None:
    """The rest of one option, ``None`` if it cannot be written here or is not what is typed."""
    spelled = option.domain in relaxed
    name = option.name
    if variables and option.domain != "environment":
        if not spelled or option.pattern:
            return None
        name = name.replace("-", "").replace(".", "_").upper()
    return rest_below(name, parents, context.prefix, spelled)


def _candidates(analysis: Analysis, parents: str) -> Iterator[tuple[Option, str | None]]:
    """The options that may lie below sections, in order, with their loose names where these tell what they begin with: far
    fewer than all are then looked at closely."""
    options, names = analysis.options.options, analysis.recognised.names
    if names.table is not analysis.options:
        for option in options:
            yield option, None
        return
    loosely = loose(parents)
    for option, spelt in zip(options, names.loosely, strict=True):
        if "*" in option.name:
            yield option, None
        elif spelt.startswith(loosely):
            yield option, spelt


def _texts(
    here: ConfigFile, context: Context, rests: Sequence[Rest], known: Sequence[Assignment]
) -> Iterator[str | None]:
    """Yield how each is written.  Where all are written alike the first stands model, because asking costs a look at the file."""
    layered = here.format is Format.YAML
    names = [
        _whole(context, f"{rest.name}{_NEXT}" if layered and not rest.whole else rest.name)
        for rest in rests
    ]
    if here.format not in _ONE_FORM:
        texts = parsing.key_texts(here, context, names, known)
        for rest, text in zip(rests, texts, strict=False):
            if rest.whole or not layered:
                yield text if rest.whole else rest.name
            else:  # its sections, up to where the next key of theirs begins
                yield (text or "").rpartition(_NEXT)[0] or None
        return
    model: tuple[str, str] | None = None
    for rest, name in zip(rests, names, strict=True):
        alike = _PLAIN.fullmatch(name) is not None
        if not rest.whole and here.format is not Format.XML:
            yield rest.name
        elif alike and model is not None:
            yield model[1].replace(model[0], name)
        else:
            text = parsing.key_text(here, context, name)
            if alike and text is not None and text.count(name) == 1:
                model = name, text
            yield text


def _taken(
    file: ConfigFile, match: Match, here: ConfigFile, context: Context
) -> frozenset[OptionKey]:
    """The options that the document sets under any condition, but for that of the key at the cursor."""
    word = here.text[context.start : context.end].decode("utf-8", "replace")
    own = _whole(context, word)
    alone = len(file.by_name.get(own, ())) == 1
    return frozenset(
        option.key
        for one in file.assignments
        if one.document == context.document and one.kind is not Kind.SECTION
        if not (alone and one.name == own) and not one.path[0].text.startswith("%")
        for option in match.options.get(one.name, ())
        if not option.pattern
    )


def _whole(context: Context, rest: str) -> str:
    """The name of a key below the sections around a cursor."""
    around = _around(context)
    return f"{around}.{rest}" if around else rest


def _around(context: Context) -> str:
    return ".".join(context.parents).replace(".[", "[")


def _namespaces(file: ConfigFile, match: Match) -> frozenset[str]:
    """The namespaces of which the file sets options."""
    names = (option.name for options in match.options.values() for option in options)
    return frozenset(name.rpartition(".")[0] for name in names)


def _values(analysis: Analysis, match: Match, here: ConfigFile, context: Context) -> Completions:
    options = match.options.get(context.name) or analysis.recognised.names.named(
        context.name, match.domains
    )
    before = here.text[max(0, context.start - 3) : context.start].decode("utf-8", "replace")
    style = before[-1:] if before[-1:] in ("'", '"') else ""
    style = style * 3 if style and before == style * 3 else style
    items: dict[str, Item] = {}
    for option in options:
        for number, choice in enumerate(value_choices(analysis, option)):
            if choice.text and choice.text not in items:
                text = parsing.value_text(here.format, choice.text, style)
                if style and text.startswith(style) and not choice.text.startswith(style):
                    text = text[len(style) : -len(style)]
                items[choice.text] = Item(
                    label=choice.text,
                    kind=ItemKind.VALUE,
                    text=text,
                    start=context.start,
                    end=context.end,
                    filter=choice.text,
                    detail=choice.detail,
                    option=option.key if not choice.documentation else None,
                    description=choice.documentation or option.description,
                    preferred=number == 0 and bool(option.defaults),
                )
    if len(items) <= MAX_ITEMS:
        return Completions(tuple(items.values()))
    typed = context.prefix.lower()
    found = [item for item in items.values() if typed in item.label.lower()]
    found.sort(key=lambda item: not item.label.lower().startswith(typed))
    return Completions(tuple(found[:MAX_ITEMS]), len(found) > MAX_ITEMS)


def _placeholders(
    analysis: Analysis, path: str, match: Match, present: bytes, start: int, offset: int
) -> Completions:
    typed = present[start:offset].decode("utf-8", "replace")
    after = _NAME.match(present, offset)
    behind = after.end() if after is not None else offset
    closed = present[behind : behind + 1] == b"}"
    end = behind if closed or present[behind : behind + 1] == b":" else offset
    close = "" if end == behind and present[end : end + 1] in (b"}", b":") else "}"
    found: dict[str, tuple[int, Rest, str, Option | None]] = {}
    for rank, name, detail, option in _named(analysis, path, match):
        if name not in found:
            rest = rest_below(name, "", typed, False)
            if rest is not None and rest.whole:
                found[name] = rank, rest, detail, option

    def order(item: tuple[int, Rest, str, Option | None]) -> tuple[bool, int, str]:
        return item[1].begin > 0, item[0], item[1].name.lower()

    first = nsmallest(MAX_ITEMS + 1, found.values(), key=order)
    items = tuple(
        Item(
            label=rest.name,
            kind=ItemKind.PLACEHOLDER,
            text=rest.name + close,
            start=start,
            end=end,
            filter=rest.found_by(typed),
            detail=detail,
            option=option.key if option is not None else None,
            description=option.description if option is not None else "",
        )
        for _, rest, detail, option in first[:MAX_ITEMS]
    )
    return Completions(items, len(first) > MAX_ITEMS)


def _named(
    analysis: Analysis, path: str, match: Match
) -> Iterator[tuple[int, str, str, Option | None]]:
    """Yield rank, name, detail and option of what a placeholder can name: keys of this file, of others, options."""
    others = (other for other in analysis.recognised.config_files() if other != path)
    for rank, each in enumerate((path, *others)):
        file = analysis.config_files.get(each)
        matched = analysis.recognised.match(each)
        for one in file.assignments if file is not None else ():
            if one.kind is Kind.SECTION:
                continue
            options = matched.options.get(one.name, ()) if matched is not None else ()
            option = options[0] if options else None
            secret = option is not None and option.type is OptionType.PASSWORD
            value = one.value.text if one.value is not None and not secret else ""
            yield min(rank, 1), one.name, shorten(value, _MAX_VALUE), option
    for option in analysis.options.options:
        if option.domain in match.domains and not option.pattern:
            yield 2, option.name, detail_of(option), option


def detail_of(option: Option) -> str:
    """Return type and default in a few plain words: ``integer in ms, default 30``; empty if neither is known."""
    parts = []
    if option.type is OptionType.MODE and option.values:
        more = ["…"] if len(option.values) > _MAX_CHOICES else []
        parts.append(" | ".join([*option.values[:_MAX_CHOICES], *more]))
    elif option.type is not OptionType.UNKNOWN:
        unit = "" if option.unit in _BARE_UNITS else f" in {option.unit}"
        parts.append(f"{option.type}{unit}")
    if option.defaults and option.type is not OptionType.PASSWORD:
        parts.append(f"default {shorten(option.defaults[0].text, _MAX_VALUE) or '(empty)'}")
    return shorten(", ".join(parts), _MAX_DETAIL)
