"""Completion in config files: keys, values, and the names in placeholders.

What is being written is read from the text as the editor has it now; which options there are comes from the last published
analysis, so that nothing is waited for.

At most ``MAX_ITEMS`` items; if there are more the answer is *incomplete*, and a client asks again as typing goes on.

Invariant: files that do not count have no completion.  Absent: which keys there are (``completion_keys``), and documentation
of items (``config_hover``), which is made when a client looks at one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import nsmallest

from conflens.base.redaction import redacted_text
from conflens.base.words import shorten
from conflens.checking.possible_values import value_choices
from conflens.checking.recognition import Match
from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import (
    ConfigFile,
    Context,
    ContextKind,
    Kind,
)
from conflens.ide.completion.items import (
    MAX_ITEMS,
    MAX_VALUE,
    NOTHING,
    Completions,
    Item,
    ItemKind,
    detail_of,
)
from conflens.ide.completion.keys import keys
from conflens.ide.completion.names import Rest, rest_below
from conflens.ide.completion.readable import Readable
from conflens.ide.completion.shown_values import ShownValues
from conflens.ide.settings.settings import Settings
from conflens.ide.targets.config_keys import counting
from conflens.options.described import shown_description
from conflens.options.model import Option
from conflens.render.option_view import defaults_of
from conflens.session.analysis import Analysis

TRIGGERS = (".", "=", ":", "-", "{", '"', ">", " ")
"""Behind these a client asks by itself: separators of names and before values, what opens a value.  A space counts only where
a value begins."""
_OPEN_PLACEHOLDER = re.compile(rb"\$\{([^${}:\s]*)$")
_NAME = re.compile(rb"[\w.\-\[\]]*")


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
        return keys(analysis.recognised.names, match, file, here, context)
    return NOTHING


def _values(analysis: Analysis, match: Match, here: ConfigFile, context: Context) -> Completions:
    options = match.options.get(context.name) or analysis.recognised.names.named(
        context.name, match.domains
    )
    before = here.text[max(0, context.start - 3) : context.start].decode("utf-8", "replace")
    style = before[-1:] if before[-1:] in ("'", '"') else ""
    style = style * 3 if style and before == style * 3 else style
    items: dict[str, Item] = {}
    readable = Readable(here, context)
    for option in options:
        for number, choice in enumerate(value_choices(analysis, option)):
            if choice.text and choice.text not in items:
                text = parsing.value_text(here.format, choice.text, style)
                if not readable.holds(choice.text, text):
                    continue
                items[choice.text] = Item(
                    label=choice.text,
                    kind=ItemKind.VALUE,
                    text=text,
                    start=context.start,
                    end=context.end,
                    filter=choice.text,
                    detail=choice.detail,
                    option=option.key if not choice.documentation else None,
                    description=redacted_text(choice.documentation) or shown_description(option),
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
            description=shown_description(option) if option is not None else "",
        )
        for _, rest, detail, option in first[:MAX_ITEMS]
    )
    return Completions(items, len(first) > MAX_ITEMS)


def _named(
    analysis: Analysis, path: str, match: Match
) -> Iterator[tuple[int, str, str, Option | None]]:
    """Yield rank, name, detail and option of what a placeholder can name: keys of this file, of others, options."""
    shown = ShownValues(analysis)
    others = (other for other in analysis.recognised.config_files() if other != path)
    for rank, each in enumerate((path, *others)):
        file = analysis.config_files.get(each)
        matched = analysis.recognised.match(each)
        for one in file.assignments if file is not None else ():
            if one.kind is Kind.SECTION or one.name.startswith("<"):
                continue  # An element is no key.
            options = matched.options.get(one.name, ()) if matched is not None else ()
            option = options[0] if options else None
            value = shown.of(each, file, one) if file is not None else ""
            yield min(rank, 1), one.name, shorten(value, MAX_VALUE), option
    for option in analysis.options.options:
        here = option.domain in match.domains or option.is_substituted
        if here and not option.pattern:
            yield 2, option.name, detail_of(option, defaults_of(analysis, option)), option
