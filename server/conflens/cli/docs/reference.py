"""A reference of options, as every format of ``docs`` writes it.

Terms
    namespace  what options of a domain are grouped by (``ide.option_list.rows``); empty for a name without dots.
    piece      a stretch of text, and whether it is code.  Formats mark code and escape everything else.
    page       the file that a reference is committed as.  It names all options and describes none by itself, so pages
               are no documents here: else an option would be documented as soon as its absence of documentation is.

Invariants: a function of the analysis alone, sorted by domain, namespace and name; nothing depends on the order of files,
on the machine or on the time.  What unrelated edits change (lines, numbers of operations, probabilities) is not told, lines
only if asked for.  Defaults that are or may be secrets are left out.
Absent: escaping and layout (``reference_markdown``, ``reference_asciidoc``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import attrs

from conflens.cli.report.steps import visible
from conflens.documents import DocumentRef
from conflens.ide.option_list.rows import namespace_of
from conflens.options.model import Option, OptionType
from conflens.profiling.redaction import is_secret
from conflens.render.flow_phrases import manners
from conflens.render.flows import sure_counts
from conflens.render.phrases import limit_words, pieces, type_words, unlabelled
from conflens.render.verdict_phrases import verdict_of
from conflens.sensitivity.results import Label, Source
from conflens.session.analysis import Analysis

MAX_READS = 10
MAX_DOCUMENTS = 3
MAX_DESCRIPTION = 1_000
MAX_TEXT = 200
_WHY = re.compile(r" \([^()`]*\)\Z")
"""What a type was inferred from: nothing for a user."""
_FENCED = re.compile(r"(?<!`)(?P<fence>`+)(?!`)(?P<text>.+?)(?<!`)(?P=fence)(?!`)")

Piece = tuple[bool, str]
Pieces = tuple[Piece, ...]


@attrs.frozen
class Site:
    """Where an option is read; ``line`` is 0 where it is not told."""

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
    found = (_entry(analysis, option, lines) for option in options)
    return tuple(sorted(found, key=lambda one: (one.domain, *_last(one.namespace), one.name)))


def by_namespace(
    found: Sequence[Entry],
) -> Iterator[tuple[str, Iterator[tuple[str, list[Entry]]]]]:
    """Yield each domain with its namespaces, and each of these with its options."""
    for domain, of_domain in groupby(found, key=lambda one: one.domain):
        groups = groupby(of_domain, key=lambda one: one.namespace)
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
    documents = analysis.documented(option)
    verdict = verdict_of(analysis, option)
    known = verdict is not None and verdict.label is not Label.UNKNOWN
    defaults = tuple(dict.fromkeys(default.text for default in option.defaults))
    secret = bool(defaults) and (
        option.type is OptionType.PASSWORD
        or any(is_secret(option.name, default) for default in defaults)
    )
    return Entry(
        name=option.name,
        domain=option.domain,
        namespace=namespace_of(option.name),
        pattern=option.pattern,
        deprecated=_short(option.deprecated),
        type=_spans(_WHY.sub("", type_words(option))),
        limits=_spans(limit_words(option)),
        unit=option.unit,
        values=option.values,
        secret=secret,
        defaults=() if secret else tuple(sorted(map(_short, defaults))),
        description=_description(option, documents),
        documents=tuple(sorted({ref.path for ref in documents})),
        sensitive=verdict.label is Label.SENSITIVE if verdict is not None and known else None,
        by_person=verdict is not None and known and verdict.source is Source.PERSON,
        effect=manners(sure_counts([analysis.flows.of_option(option.key)])),
        reads=tuple(_reads(analysis, option, lines)),
    )


def _description(option: Option, documents: tuple[DocumentRef, ...]) -> Pieces:
    """What code says of an option, or else the document that describes it best."""
    text = option.description or next(
        (ref.description for ref in documents if ref.description), ""
    )
    if not text:
        return ()
    text = unlabelled(text, option, documents[0].default if documents else None)
    found = ((is_code, visible(part)) for is_code, part in pieces(text, MAX_DESCRIPTION))
    return tuple(piece for piece in found if piece[1])


def _reads(analysis: Analysis, option: Option, lines: bool) -> list[Site]:
    found = {
        Site(read.method, read.place.path, analysis.line(read.place) if lines else 0)
        for read in option.reads
    }
    return sorted(found, key=lambda site: (site.path, site.line, site.method))


def _spans(markdown: str) -> Pieces:
    """Take the code spans of ``render.phrases`` apart from plain words."""
    found: list[Piece] = []
    at = 0
    for match in _FENCED.finditer(markdown):
        if match.start() > at:
            found.append((False, markdown[at : match.start()]))
        text = match["text"]
        found.append((True, text.strip() if "`" in text else text))
        at = match.end()
    if at < len(markdown):
        found.append((False, markdown[at:]))
    return tuple((is_code, visible(part)) for is_code, part in found)


def _listed(texts: Sequence[str], word: str) -> Pieces:
    found: list[Piece] = []
    for text in texts:
        if found:
            found.append((False, word))
        found.append((True, text or '""'))
    return tuple(found)


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
