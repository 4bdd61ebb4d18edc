"""Completion of keys in config files.

Terms: the *rest* of an option is what of its name is still to be written below the sections around the cursor.  A rest
*matches* what is typed if it begins with it, or one of its words does (``timeout`` finds ``request.timeout.ms``); case
does not count, nor do ``-`` and ``_`` where spellings are relaxed.

Order: what begins with the typed text before what has it in the middle; the namespace that is being written, or
while none is, those that the file uses, before others; deprecated ones last; then by name.  Keys that the document sets
already are left out, and so are those that cannot be written at the cursor because their section stands elsewhere.  Of a
pattern its fixed part is given, up to where a person must choose a name.

Invariant: among thousands of options each costs one comparison; closely is looked only at what is offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import attrs

from conflens.checking.documentation import SHAPES
from conflens.checking.recognition import Match
from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import ConfigFile, Context, Format, Kind
from conflens.ide.completion.items import MAX_ITEMS, Completions, Item, ItemKind, detail_of
from conflens.ide.completion.names import Rest, rest_below
from conflens.options.described import shown_description
from conflens.options.model import Option
from conflens.options.names.naming import Alphabet, Names, loose

_MAX_LOOKED = 2000
"""So many keys are tried; a place may not allow most of them."""
_NEXT = "next"
_PLAIN = re.compile(r"[\w.-]+")
_ONE_FORM = frozenset({Format.PROPERTIES, Format.ENVIRONMENT, Format.ARGUMENTS, Format.XML})
"""Formats that write all keys at one place alike, but for the name."""


@attrs.frozen
class _Place:
    """Where a key is being written: ``file`` as analysed, ``here`` as it is now."""

    names: Names
    match: Match
    file: ConfigFile
    here: ConfigFile
    context: Context
    around: str
    """The sections around, joined by dots."""
    barred: frozenset[str]
    """Sections that cannot be begun here."""

    @property
    def head(self) -> str:
        """What stands before a rest in the whole name."""
        return f"{self.around}." if self.around else ""

    @property
    def variables(self) -> bool:
        """Whether names are written as those of environment variables."""
        dashed = self.here.text.endswith(b"-D", 0, self.context.start)
        return self.here.format is Format.ENVIRONMENT or (
            self.here.format is Format.ARGUMENTS and not dashed
        )

    def whole(self, rest: str) -> str:
        """The whole name of a key."""
        return self.head + rest


def keys(
    names: Names, match: Match, file: ConfigFile, here: ConfigFile, context: Context
) -> Completions:
    """Complete a key; ``file`` is the file as analysed and ``here`` as it is now."""
    around = ".".join(context.parents).replace(".[", "[")
    barred = parsing.barred(here, context, file.assignments)
    found = _written(_Place(names, match, file, here, context, around, barred))
    first = list(islice(found, MAX_ITEMS + 1))
    items = [
        Item(
            label=_label(rest, here.format),
            kind=ItemKind.KEY if rest.whole else ItemKind.NAMESPACE,
            text=text,
            start=context.start,
            end=context.end,
            filter=rest.found_by(context.prefix),
            detail=detail_of(option, option.defaults),
            option=option.key,
            description=shown_description(option),
            deprecated=bool(option.deprecated),
        )
        for rest, option, text in first[:MAX_ITEMS]
    ]
    return Completions(tuple(items), len(first) > MAX_ITEMS)


def _label(rest: Rest, format: Format) -> str:
    """What is shown of a rest.  In YAML a section ends with a colon and not with the dot before the names in it."""
    return rest.name.rstrip(".") if format is Format.YAML else rest.name


def _written(place: _Place) -> Iterator[tuple[Rest, Option, str]]:
    """Yield what is free to be written in order, with its text."""
    ordered = _free(place, _ordered(place))
    for _ in range(_MAX_LOOKED // MAX_ITEMS):
        looked = list(islice(ordered, MAX_ITEMS + 1))
        texts = _texts(place, [rest for rest, _ in looked])
        yield from (
            (*item, text) for item, text in zip(looked, texts, strict=True) if text is not None
        )
        if len(looked) <= MAX_ITEMS:
            return


def _ordered(place: _Place) -> Iterator[tuple[Rest, Option]]:
    """Yield what is left of each option that can be written, each name once, in order."""
    alphabet = place.names.alphabet
    options, namespaces = alphabet.options, alphabet.namespaces
    begun = place.context.prefix.rpartition(".")[0]
    wanted = frozenset([place.whole(begun).lower()]) if begun else place.match.namespaces
    seen: set[str] = set()
    for beginning in (True, False):
        found = _candidates(place, alphabet, beginning)
        near = [at for at in found if namespaces[at] in wanted]
        far = [at for at in found if namespaces[at] not in wanted]
        for group in (near, far):
            for deprecated in (False, True):
                for at in group:
                    if bool(options[at].deprecated) is not deprecated:
                        continue
                    rest = _rest(place, options[at], beginning)
                    if rest is not None and rest.name not in seen:
                        seen.add(rest.name)
                        yield rest, _told(options, at, place.match)


def _candidates(place: _Place, alphabet: Alphabet, beginning: bool) -> Iterable[int]:
    """The numbers of options that may begin with what is typed, or the others that it may lead to, in order."""
    if place.variables:
        return range(len(alphabet.options))
    head, typed = place.head, place.context.prefix
    first, end = alphabet.beginning((head + typed).lower())
    relaxed = bool(place.names.relaxed)
    if beginning:
        found = set(range(first, end))
        if relaxed:
            start = loose(head + typed)
            found.update(at for at, name in enumerate(alphabet.loosely) if name.startswith(start))
    else:
        around, part = loose(head) if relaxed else head.lower(), loose(typed)
        spelt = alphabet.loosely if relaxed else alphabet.lowers
        # What is left of a name when its separators are gone holds what the name does.
        held = enumerate(alphabet.loosely)
        found = {
            at
            for at, name in held
            if part in name and spelt[at].startswith(around) and not first <= at < end
        }
    for level in place.barred:
        found.difference_update(range(*alphabet.beginning(f"{head}{level}.".lower())))
    found.update(alphabet.patterns)
    return sorted(found)


def _rest(place: _Place, option: Option, beginning: bool) -> Rest | None:
    """The rest of one option; ``None`` if it cannot be written here or is not what is typed, at the beginning or else."""
    if option.domain not in place.match.domains:
        return None
    name, head, typed = option.name, place.head, place.context.prefix
    variables = place.variables
    if not variables and name.startswith(head + typed) and "*" not in name and name != head:
        return Rest(name[len(head) :], True, 0, len(typed)) if beginning else None
    relaxed = option.domain in place.names.relaxed
    if variables and option.domain != "environment":
        if not relaxed or option.pattern:
            return None
        name = name.replace("-", "").replace(".", "_").upper()
    rest = rest_below(name, place.around, typed, relaxed)
    return rest if rest is not None and beginning == (rest.begin == 0) else None


def _told(options: Sequence[Option], at: int, match: Match) -> Option:
    """The option that tells of a name which several domains know: rather one that says where it is set than what holds it."""
    option = options[at]
    while (
        option.domain in SHAPES and at + 1 < len(options) and options[at + 1].name == option.name
    ):
        at += 1
        if options[at].domain in match.domains and options[at].domain not in SHAPES:
            return options[at]
    return option


def _free(place: _Place, found: Iterable[tuple[Rest, Option]]) -> Iterator[tuple[Rest, Option]]:
    """Leave out options that the document sets under any condition, but for the key at the cursor."""
    context, by_name = place.context, place.file.by_name
    word = place.here.text[context.start : context.end].decode("utf-8", "replace")
    own = place.whole(word)
    alone = len(by_name.get(own, ())) == 1
    for rest, option in found:
        set_by = () if option.pattern else place.match.names.get(option.key, ())
        taken = any(
            one.document == context.document
            and one.kind is not Kind.SECTION
            and not (alone and name == own)
            and not one.path[0].text.startswith("%")
            for name in set_by
            for one in by_name.get(name, ())
        )
        if not taken:
            yield rest, option


def _texts(place: _Place, rests: Sequence[Rest]) -> Iterator[str | None]:
    """Yield how each is written.  Where all are written alike the first stands model, because asking costs a look at the file."""
    here, context = place.here, place.context
    layered = here.format is Format.YAML
    names = [
        place.whole(f"{rest.name}{_NEXT}" if layered and not rest.whole else rest.name)
        for rest in rests
    ]
    if here.format not in _ONE_FORM:
        texts = parsing.key_texts(here, context, names, place.file.assignments)
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
