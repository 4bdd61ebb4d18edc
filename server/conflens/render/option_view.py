"""The view of an option: all that lists, hovers, reports and reference pages show of it, found once.

``option_view`` makes it from the analysis; features lay it out and cut it to their room, and ask the analysis nothing more.

Terms
    namespace  the first part of a dotted name (of ``org.example.a.b`` the first three), by which options of a domain are
               grouped; empty for a name without dots.
    secret     an option whose value may be one: a password by type, or a default, of code or documents, that looks like a
               credential.

Invariants: the view of a secret has no defaults, neither of code nor of documents, and no description gives one.  Until a model has looked the verdict
is ``unknown`` and ``is_judged`` is false, and no feature mentions it.  What an option reaches, and what changing it does, is worked out when it is asked for.
Absent: whether an option is reported, and how loudly (``checking``); words of a verdict (``verdict_phrases``).
"""

from __future__ import annotations

import re
from functools import cached_property

import attrs

from conflens.base.paths import is_test_path
from conflens.base.span import Place
from conflens.checking.packaged import packaged_values
from conflens.documents import DocumentRef
from conflens.flow.results import OptionKey
from conflens.operations.flows import is_telling
from conflens.options.described import shown_description
from conflens.options.model import Default, Option
from conflens.options.secret_values import is_hidden, is_secret_option
from conflens.properties.model import RelationKind
from conflens.properties.properties import NO_PROPERTIES, PropertyTable
from conflens.render.adjustment_phrases import adjustment_words
from conflens.render.flow_phrases import effects, manners
from conflens.render.flow_view import ReachView, reach_view
from conflens.render.phrases import limit_words, type_words, unlabelled
from conflens.render.property_phrases import property_words
from conflens.render.relation_phrases import felt_words, relation_words
from conflens.sensitivity.results import UNKNOWN, Verdict
from conflens.session.analysis import Analysis

_EVIDENCE = re.compile(r" \([^()`]*\)\Z")
"""What a type was inferred from, at the end of its words."""
_REVERSED = frozenset({"com", "org", "net", "io", "dev", "edu", "gov"})


@attrs.frozen(eq=False)
class OptionView:
    """See the module text.

    ``type``, ``limits``, ``adjusted``, sentences on values outside of bounds, are Markdown; ``evidence`` is what the type was inferred from, in parentheses and perhaps empty.
    ``defaults`` are the distinct ones, each where it stands first, those that a packaged file sets before those of code.  ``documents`` are the places that mention the option,
    best first, and ``documented_default`` is what they state, where they do.  ``description`` is that of code, or else of
    the best document.  ``place`` is its name at its first read, outside of tests if there is one, or else its declaration.
    """

    option: Option
    namespace: str
    type: str
    evidence: str
    limits: str
    adjusted: tuple[str, ...]
    is_secret: bool
    defaults: tuple[Default, ...]
    all_defaults: tuple[Default, ...] = attrs.field(repr=False)
    documents: tuple[DocumentRef, ...]
    documented_default: str | None
    description: str
    verdict: Verdict
    is_judged: bool
    place: Place | None
    reach: ReachView
    properties: PropertyTable = attrs.field(default=NO_PROPERTIES, repr=False)

    @cached_property
    def changing(self) -> str:
        """A sentence on what raising it does, as Markdown; empty for a secret."""
        return property_words(self.properties.of(self.option))

    @cached_property
    def related(self) -> tuple[str, ...]:
        """Sentences on what other options do to it, the most important first, as Markdown; none for a secret.

        Bounds are said by ``adjusted``.
        """
        found = self.properties.relations_of(self.option)
        return relation_words([one for one in found if one.kind is not RelationKind.BOUNDED_BY])

    @cached_property
    def felt(self) -> str:
        """A sentence on whose work feels it, as Markdown; empty for a secret."""
        return felt_words(self.properties.felt_by_of(self.option))

    @property
    def name(self) -> str:
        """The name."""
        return self.option.name

    @property
    def domain(self) -> str:
        """Where the name lives."""
        return self.option.domain

    @property
    def key(self) -> OptionKey:
        """The identity of the option."""
        return self.option.key

    @property
    def default_texts(self) -> tuple[str, ...]:
        """The distinct defaults as a user would write them."""
        return tuple(default.text for default in self.defaults)

    @property
    def defaults_differ(self) -> bool:
        """Whether reads disagree about the default in a way that can be shown."""
        differ = self.option.conflict and len({one.text for one in self.option.defaults}) > 1
        return differ and not self.is_secret

    @property
    def is_documented(self) -> bool:
        """Whether the option is described or mentioned somewhere."""
        return bool(self.documents or self.option.description)

    @property
    def effects(self) -> str:
        """What it does to operations, with numbers: ``repeats 3 I/O, sizes 1 buffer``; empty for nothing."""
        return effects(self.reach.counts)

    @property
    def kinds_of_effects(self) -> str:
        """The same without numbers, which lasts while only they change: ``repeats I/O, sizes buffers``."""
        return manners(self.reach.counts)

    @cached_property
    def operations(self) -> int:
        """How many operations it surely reaches, log calls left out."""
        return sum(map(is_telling, self.reach.reach.nearest()))


def defaults_of(analysis: Analysis, option: Option) -> tuple[Default, ...]:
    """Return what users get if they set nothing: what the program is shipped with first, then what code states.

    Where a packaged file sets the option, no member is left as it is.
    """
    packaged = packaged_values(analysis.recognised).get(option.key, ())
    if not packaged:
        return option.defaults
    return (*packaged, *(default for default in option.defaults if not default.implied))


def option_view(analysis: Analysis, option: Option, seen_at: Place | None = None) -> OptionView:
    """Return the view of an option; of one that is ``seen_at`` a place, without what documents say on that line."""
    documents = _documents(analysis, option, seen_at)
    defaults: dict[str, Default] = {}
    for default in defaults_of(analysis, option):
        defaults.setdefault(default.text, default)
    stated = next((ref.default for ref in documents if ref.default is not None), None)
    given = (*defaults.values(), *(() if stated is None else (stated,)))
    secret = is_secret_option(option) or any(is_hidden(option, one) for one in given)
    words = type_words(option)
    evidence = _EVIDENCE.search(words)
    table = analysis.sensitivity
    return OptionView(
        option=option,
        namespace=namespace_of(option.name),
        type=words[: evidence.start()] if evidence is not None else words,
        evidence=evidence[0] if evidence is not None else "",
        limits=limit_words(option),
        adjusted=() if secret else adjustment_words(analysis.options, option),
        is_secret=secret,
        defaults=() if secret else tuple(defaults.values()),
        all_defaults=tuple(defaults.values()),
        documents=documents,
        documented_default=None if secret else stated,
        description=_description(option, documents, None if defaults else stated),
        verdict=table.of_option(option.key) if table.ready else UNKNOWN,
        is_judged=table.ready,
        place=first_place(option),
        reach=reach_view(analysis, option),
        properties=NO_PROPERTIES if secret else analysis.properties,
    )


def namespace_of(name: str) -> str:
    """Return the first part of a dotted name, or the first three of a reversed address."""
    parts = name.split(".")
    length = 3 if parts[0] in _REVERSED else 1
    return ".".join(parts[: min(length, len(parts) - 1)])


def first_place(option: Option) -> Place | None:
    """Return where to look at an option first; see ``OptionView.place``."""
    reads = [(is_test_path(read.place.path), read.name_place) for read in option.reads]
    if reads:
        return min(reads)[1]
    return min((declaration.place for declaration in option.declarations), default=None)


def _documents(
    analysis: Analysis, option: Option, seen_at: Place | None
) -> tuple[DocumentRef, ...]:
    documents = analysis.documented(option)
    if seen_at is None or not any(ref.path == seen_at.path for ref in documents):
        return documents
    line = seen_at.path, analysis.line(seen_at)
    return tuple(ref for ref in documents if (ref.path, ref.line) != line)


def _description(
    option: Option, documents: tuple[DocumentRef, ...], documented_default: str | None
) -> str:
    text = option.description or next(
        (ref.description for ref in documents if ref.description), ""
    )
    if not text:
        return ""
    stated = [default for ref in documents for default in (ref.default, ref.value)]
    return shown_description(option, unlabelled(text, option, documented_default), stated)
