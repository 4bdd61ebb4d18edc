"""A reference of options, as every format of ``docs`` writes it.

Terms
    namespace  what options of a domain are grouped by (``render.option_view``); empty for a name without dots.
    piece      a stretch of text, and whether it is code.  Formats mark code and escape everything else.
    page       the file that a reference is committed as.  It names all options and describes none by itself, so pages
               are no documents here: else an option would be documented as soon as its absence of documentation is.

Invariants: a function of the analysis alone, sorted by domain, namespace and name; nothing depends on the order of files,
on the machine or on the time.  What unrelated edits change (lines, numbers of operations, probabilities) is left out, lines
unless asked for.  Defaults that are or may be secrets are left out.
Absent: escaping and layout (``reference_markdown``, ``reference_asciidoc``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import attrs

from conflens.cli.report.steps import visible
from conflens.options.described import shown_description
from conflens.options.model import Option
from conflens.render.option_view import OptionView, option_view
from conflens.render.phrases import pieces
from conflens.sensitivity.results import Label, Source
from conflens.session.analysis import Analysis

MAX_READS = 10
MAX_DOCUMENTS = 3
MAX_DESCRIPTION = 1_000
MAX_TEXT = 200
_FENCED = re.compile(r"(?<!`)(?P<fence>`+)(?!`)(?P<text>.+?)(?<!`)(?P=fence)(?!`)")

Piece = tuple[bool, str]
Pieces = tuple[Piece, ...]


@attrs.frozen
class Site:
    """Where an option is read; ``line`` is 0 where it is left out."""

    method: str
    path: str
    line: int = 0


@attrs.frozen
class Entry:
    """One option.  ``sensitive`` is ``None`` where nothing is known; ``by_person`` says that a person has decided it."""

    name: str
    domain: str
    namespace: str
    pattern: bool
    deprecated: str
    type: Pieces
    limits: Pieces
    adjusted: Pieces
    changing: Pieces
    related: Pieces
    felt: Pieces
    unit: str
    values: tuple[str, ...]
    secret: bool
    defaults: tuple[str, ...]
    description: Pieces
    documents: tuple[str, ...]
    sensitive: bool | None
    by_person: bool
    effect: str
    reads: tuple[Site, ...]

    @property
    def documented(self) -> bool:
        """Whether the option is described or mentioned somewhere."""
        return bool(self.description or self.documents)


def entries(analysis: Analysis, options: Sequence[Option], lines: bool) -> tuple[Entry, ...]:
    """Return what there is to say of options; with ``lines`` also the lines of their reads."""
    all_entries = (_entry(analysis, option, lines) for option in options)
    return tuple(
        sorted(
            all_entries,
            key=lambda entry: (entry.domain, *_last(entry.namespace), entry.name),
        )
    )


def by_namespace(
    all_entries: Sequence[Entry],
) -> Iterator[tuple[str, Iterator[tuple[str, list[Entry]]]]]:
    """Yield each domain with its namespaces, and each of these with its options."""
    for domain, of_domain in groupby(all_entries, key=lambda entry: entry.domain):
        groups = groupby(of_domain, key=lambda entry: entry.namespace)
        yield domain, ((namespace, list(group)) for namespace, group in groups)


def facts(entry: Entry) -> Iterator[tuple[str, Pieces]]:
    """Yield what a page lists of an option: a label and text."""
    if entry.deprecated:
        yield "Deprecated", ((False, entry.deprecated),)
    if entry.pattern:
        yield (
            "Pattern",
            ((True, "*"), (False, " stands for a part that is only known at run time")),
        )
    if entry.type:
        yield "Type", entry.type
    if entry.limits:
        yield "Allowed", entry.limits
    if entry.adjusted:
        yield "Otherwise", entry.adjusted
    if entry.changing:
        yield "Changing it", entry.changing
    if entry.related:
        yield "Together with others", entry.related
    if entry.felt:
        yield "Who notices", entry.felt
    if entry.secret:
        yield "Default", ((False, "not shown, since it may be a secret"),)
    elif entry.defaults:
        yield "Default", _listed(entry.defaults, " or ")
    if entry.sensitive is not None:
        words = (
            "performance-sensitive" if entry.sensitive else "probably not performance-sensitive"
        )
        if entry.by_person:
            words = (
                f"{'' if entry.sensitive else 'not '}performance-sensitive, as the project says"
            )
        yield "Sensitivity", ((False, words),)
    if entry.effect:
        yield "Effect", ((False, entry.effect),)
    if entry.documents:
        yield "Documented in", _some(entry.documents, MAX_DOCUMENTS)
    if entry.reads:
        yield "Read in", tuple(_sites(entry.reads))


def _last(namespace: str) -> tuple[bool, str]:
    """Order namespaces: names without any come last."""
    return not namespace, namespace


def _entry(analysis: Analysis, option: Option, lines: bool) -> Entry:
    view = option_view(analysis, option)
    is_known = view.verdict.label is not Label.UNKNOWN
    return Entry(
        name=view.name,
        domain=view.domain,
        namespace=view.namespace,
        pattern=option.pattern,
        deprecated=_short(shown_description(option, option.deprecated)),
        type=_spans(view.type),
        limits=_spans(view.limits),
        adjusted=_spans(" ".join(view.adjusted)),
        changing=_spans(view.changing),
        related=_spans(" ".join(view.related)),
        felt=_spans(view.felt),
        unit=option.unit,
        values=option.values,
        secret=view.is_secret and bool(option.defaults),
        defaults=tuple(sorted(map(_short, view.default_texts))),
        description=_description(view),
        documents=tuple(sorted({ref.path for ref in view.documents})),
        sensitive=view.verdict.label is Label.SENSITIVE if is_known else None,
        by_person=is_known and view.verdict.source is Source.PERSON,
        effect=view.kinds_of_effects,
        reads=tuple(_reads(analysis, option, lines)),
    )


def _description(view: OptionView) -> Pieces:
    if not view.description:
        return ()
    shown = (
        (is_code, visible(part)) for is_code, part in pieces(view.description, MAX_DESCRIPTION)
    )
    return tuple(piece for piece in shown if piece[1])


def _reads(analysis: Analysis, option: Option, lines: bool) -> list[Site]:
    sites = {
        Site(read.method, read.place.path, analysis.line(read.place) if lines else 0)
        for read in option.reads
    }
    return sorted(sites, key=lambda site: (site.path, site.line, site.method))


def _spans(markdown: str) -> Pieces:
    """Take the code spans of ``render.phrases`` apart from plain words."""
    spans: list[Piece] = []
    end = 0
    for match in _FENCED.finditer(markdown):
        if match.start() > end:
            spans.append((False, markdown[end : match.start()]))
        text = match["text"]
        spans.append((True, text.strip() if "`" in text else text))
        end = match.end()
    if end < len(markdown):
        spans.append((False, markdown[end:]))
    return tuple((is_code, visible(part)) for is_code, part in spans)


def _listed(texts: Sequence[str], word: str) -> Pieces:
    listed: list[Piece] = []
    for text in texts:
        if listed:
            listed.append((False, word))
        listed.append((True, text or '""'))
    return tuple(listed)


def _some(texts: Sequence[str], most: int) -> Pieces:
    more = len(texts) - most
    shown = _listed([_short(text) for text in texts[:most]], ", ")
    return shown if more <= 0 else (*shown, (False, f" and {more:,} more"))


def _sites(reads: Sequence[Site]) -> Iterator[Piece]:
    for number, site in enumerate(reads[:MAX_READS]):
        if number:
            yield False, ", "
        yield True, _short(site.method)
        where = f"{site.path}:{site.line}" if site.line else site.path
        yield False, f" ({_short(where)})"
    if len(reads) > MAX_READS:
        yield False, f" and {len(reads) - MAX_READS:,} more"


def _short(text: str) -> str:
    text = visible(" ".join(text.split()))
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
