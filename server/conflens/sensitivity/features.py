"""The performance property of an option: what its flows, type, name and documents say, as numbers.

Terms
    feature    a named number; ``text`` is what a developer would call it.
    group      features that stand or fall together in the ablation.
    telling    a flow of high or medium confidence to an operation that does not merely log or print.
    operation  counted once however many paths lead to it.

``diagconfig`` are the 23 counts of DiagConfig §3.1, over all flows of its four kinds: 4 kinds, 6 pairs of
kinds, 1 total, 12 kinds by dependency.  ``rank`` compares an option with the others of its domain in the
program, since systems differ in size.  All else is what the data supports beyond (``conflens evaluate``).

Everything is a pure function of the program, its options, flows and documents.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

import attrs

from conflens.flow.results import (
    Confidence,
    Dependency,
    Flow,
    FlowTable,
    Operation,
    OptionKey,
    Pattern,
    Reach,
)
from conflens.options.model import Option, OptionType
from conflens.sensitivity.surroundings import Surroundings
from conflens.sensitivity.vocabulary import Vocabulary

KINDS = ("memory", "io", "lock", "thread")
"""DiagConfig's kinds of operations (§2.2)."""

CHOSEN = frozenset(("diagconfig", "lexicon", "type", "default"))
"""The groups that earn their place (``conflens evaluate --ablation``); the others are computed for the evaluation
and for explanations."""

EVIDENCE = "evidence"
"""The feature that says what a verdict rests on: 3 where it decides by itself, 2 where it is strong, 1 where it is likely, else 0."""

PLACE = "is a place or a secret"
"""The feature that is 1 for ``PLACES``."""

DOCUMENTS = 4
"""Texts of documents looked at for one option."""

_LEVELS = 20
_WEIGHTS = {Confidence.HIGH: 1.0, Confidence.MEDIUM: 0.6, Confidence.LOW: 0.2}
_NUMBERS = frozenset((OptionType.INTEGER, OptionType.FRACTION, OptionType.SIZE, OptionType.TIME))
PLACES = frozenset(
    (OptionType.FILE, OptionType.ADDRESS, OptionType.PORT, OptionType.URI, OptionType.PASSWORD)
)
"""Types of places and secrets, which cost nothing by themselves."""
_TEXTS = frozenset((OptionType.STRING, OptionType.LIST, OptionType.MAP, OptionType.REGEX))
_CHOICES = frozenset((OptionType.MODE, OptionType.CLASS))
_OFF = frozenset(("false", "0", "-1", "null", "", "none"))


class Feature(NamedTuple):
    """See the module text.  ``trend``: 1 where more can only speak for ``sensitive``, -1 where it can only
    speak against, 0 where it may do both."""

    name: str
    group: str
    text: str
    trend: int = 0


@attrs.frozen
class Subject:
    """One option with all that is known of it.  ``texts``: what documents say of it."""

    option: Option
    reach: Reach
    texts: tuple[str, ...] = ()

    @property
    def key(self) -> OptionKey:
        """The identity of the option."""
        return self.option.key


def features(vocabulary: Vocabulary) -> tuple[Feature, ...]:
    """Return all features, in the order of vectors."""
    return tuple(_all(vocabulary))


def subjects(
    options: Iterable[Option], flows: FlowTable, texts: Callable[[Option], tuple[str, ...]]
) -> list[Subject]:
    """Return options with what is known of them; ``texts`` gives what documents say."""
    return [
        Subject(option, flows.of_option(option.key), texts(option)[:DOCUMENTS])
        for option in options
    ]


def raw(
    subject: Subject,
    vocabulary: Vocabulary,
    near: Surroundings,
    groups: Set[str] | None = None,
) -> Raw:
    """Return the features of one option that need no other option; of ``groups`` only, if given."""
    flows = subject.reach.flows
    telling = [flow for flow in flows if _tells(flow, vocabulary)]
    makers: tuple[tuple[tuple[str, ...], Callable[[], Raw]], ...] = (
        (("diagconfig",), lambda: _diagconfig(flows)),
        (("weight", "rank"), lambda: _weighted(telling)),
        (("pattern",), lambda: _patterns(telling)),
        (("family", "cost"), lambda: _families(flows, vocabulary)),
        (("surroundings",), lambda: _surroundings(telling, near)),
        (("spread",), lambda: _spread(subject, telling)),
        (("type", "default"), lambda: _typed(subject.option)),
        (("words", "documents", "lexicon"), lambda: _worded(subject, vocabulary)),
    )
    found: dict[str, float] = {}
    for provided, make in makers:
        if groups is None or not groups.isdisjoint(provided):
            found.update(make())
    return found


Raw = Mapping[str, float]


def vectors(
    raws: Sequence[Raw], domains: Sequence[str], order: Sequence[Feature]
) -> list[tuple[float, ...]]:
    """Return the vectors of the options of a program, ranks among their domain included."""
    return [vector(raw, rank, order) for raw, rank in zip(raws, ranks(raws, domains), strict=True)]


def vector(raw: Raw, rank: Raw, order: Sequence[Feature]) -> tuple[float, ...]:
    """Return the vector of one option; what was not asked for is 0."""
    found = {**raw, **rank}
    return tuple(found.get(feature.name, 0.0) for feature in order)


# -- DiagConfig §3.1 ---------------------------------------------------------------------------------


def _diagconfig(flows: Iterable[Flow]) -> dict[str, float]:
    """The 23 aggregated counts of operations; an operation of ours has one kind, so that a pair's count is
    the sum of its kinds'."""
    kinds: dict[str, set[Operation]] = {kind: set() for kind in KINDS}
    ways: dict[tuple[str, Dependency], set[Operation]] = defaultdict(set)
    for flow in flows:
        operation = flow.operation
        if operation.kind in kinds:
            kinds[operation.kind].add(operation)
            ways[operation.kind, flow.dependency].add(operation)
    found: dict[str, float] = {f"operations: {kind}": len(kinds[kind]) for kind in KINDS}
    for first, second in _pairs():
        found[f"operations: {first} + {second}"] = len(kinds[first] | kinds[second])
    found["operations"] = sum(map(len, kinds.values()))
    for kind in KINDS:
        for dependency in Dependency:
            found[f"{kind} by {dependency}"] = len(ways[kind, dependency])
    return found


def _pairs() -> list[tuple[str, str]]:
    return [(a, b) for index, a in enumerate(KINDS) for b in KINDS[index + 1 :]]


# -- beyond ------------------------------------------------------------------------------------------


def _tells(flow: Flow, vocabulary: Vocabulary) -> bool:
    if flow.confidence is Confidence.LOW:
        return False
    family = vocabulary.family(flow.operation.api)
    return family is None or not family.quiet


def _weighted(flows: Iterable[Flow]) -> dict[str, float]:
    """Counts in which a sure, near operation weighs 1 and others less."""
    best: dict[tuple[Operation, Dependency], float] = {}
    nearest = 9
    for flow in flows:
        weight = _WEIGHTS[flow.confidence] / (1 + flow.distance)
        key = flow.operation, flow.dependency
        best[key] = max(weight, best.get(key, 0.0))
        nearest = min(nearest, flow.distance)
    found: dict[str, float] = dict.fromkeys(
        (
            *(f"weight: {kind}" for kind in (*KINDS, "compute")),
            *(f"weight: {way}" for way in Dependency),
        ),
        0.0,
    )
    for (operation, dependency), weight in best.items():
        kind = f"weight: {operation.kind}"
        if kind in found:
            found[kind] += weight
        found[f"weight: {dependency}"] += weight
    found["weight"] = sum(best.values())
    found["nearest"] = nearest
    return found


def _patterns(flows: Iterable[Flow]) -> dict[str, float]:
    counted: Counter[Pattern] = Counter()
    for pattern, _ in {(flow.pattern, flow.operation) for flow in flows}:
        counted[pattern] += 1
    return {f"pattern: {pattern}": counted[pattern] for pattern in Pattern}


def _families(flows: Iterable[Flow], vocabulary: Vocabulary) -> dict[str, float]:
    sized: dict[str, set[Operation]] = defaultdict(set)
    governed: dict[str, set[Operation]] = defaultdict(set)
    for flow in flows:
        if flow.confidence is Confidence.LOW:
            continue
        family = vocabulary.family(flow.operation.api)
        if family is not None:
            ways = sized if flow.dependency is Dependency.DIRECT else governed
            ways[family.name].add(flow.operation)
    found: dict[str, float] = {}
    for family in vocabulary.families:
        found[f"argument of: {family.name}"] = len(sized[family.name])
        found[f"governs: {family.name}"] = len(governed[family.name])
    cheap = {family.name for family in vocabulary.families if family.cheap}
    resources = {family.name for family in vocabulary.families if family.resource}
    into = set().union(*sized.values(), *governed.values())
    both = (*sized.items(), *governed.items())
    idle = set().union(*(reached for name, reached in both if name in cheap))
    found["sizes a resource"] = len(set().union(*(sized[name] for name in resources)))
    found["governs costly work"] = len(
        set().union(*(reached for name, reached in governed.items() if name not in cheap))
    )
    found["share of cheap operations"] = len(idle) / (len(into) or 1)
    return found


def _surroundings(flows: Sequence[Flow], near: Surroundings) -> dict[str, float]:
    first: dict[Operation, Flow] = {}
    for flow in flows:
        first.setdefault(flow.operation, flow)
    looped = requested = starting = 0
    users = 0.0
    for flow in first.values():
        about = near.of(flow)
        looped += about.looped
        requested += about.request
        starting += about.start
        users = max(users, math.log1p(about.users))
    number = len(first) or 1
    return {
        "inside loops": looped,
        "share inside loops": looped / number,
        "on a request path": requested,
        "share on a request path": requested / number,
        "share at start or stop": starting / number,
        "most used method": users,
    }


def _spread(subject: Subject, telling: Sequence[Flow]) -> dict[str, float]:
    return {
        "methods reached": len({flow.operation.ref for flow in telling}),
        "files reached": len({flow.operation.ref.path for flow in telling}),
        "reads": len(subject.option.reads),
        "trails gone cold": len(subject.reach.cold),
    }


def _typed(option: Option) -> dict[str, float]:
    kind = option.type
    default = next((default.text for default in option.defaults), None)
    return {
        "is a number": kind in _NUMBERS,
        "is a size": kind is OptionType.SIZE,
        "is a time": kind is OptionType.TIME,
        "is a switch": kind is OptionType.BOOLEAN,
        "is a choice": kind in _CHOICES,
        PLACE: kind in PLACES,
        "is a text": kind in _TEXTS,
        "is of unknown type": kind is OptionType.UNKNOWN,
        "has a unit": bool(option.unit),
        "has a default": default is not None,
        "is off by default": default is not None and default.strip().lower() in _OFF,
        "default, magnitude": _magnitude(default),
    }


def _magnitude(text: str | None) -> float:
    try:
        value = float(text) if text is not None else 0.0
    except ValueError:
        return -1.0
    return math.log10(1 + abs(value)) if math.isfinite(value) else -1.0


def _worded(subject: Subject, vocabulary: Vocabulary) -> dict[str, float]:
    name = vocabulary.spoken((subject.option.name,))
    written = (subject.option.description, *subject.texts)
    read = vocabulary.spoken(written, documentation=True)
    found: dict[str, float] = {
        _word_name(group.name, group.documentation): group.name
        in (read if group.documentation else name)
        for group in vocabulary.words
    }
    found["is documented"] = any(written)
    leaning = vocabulary.lexicon.leaning(subject.option.name)
    found["name leans"] = leaning.total
    found["strongest word for"] = leaning.most
    found["strongest word against"] = leaning.least
    found["head of the name"] = leaning.head
    return found


def _word_name(group: str, documentation: bool) -> str:
    return f"documents: {group}" if documentation else f"name: {group}"


_LEANINGS = {
    "name leans": "what engineers expect of the words of its name",
    "strongest word for": "the word of its name that most suggests a cost",
    "strongest word against": "the word of its name that least suggests a cost",
    "head of the name": "what engineers expect of the last word of its name",
}
_RANKED = {
    "operations": "rank by operations",
    "weight": "rank by weight",
    "name leans": "rank by name",
}
_TYPES = {
    "is a number": 0,
    "is a size": 0,
    "is a time": -1,
    "is a switch": 0,
    "is a choice": 0,
    PLACE: -1,
    "is a text": -1,
    "is of unknown type": 0,
    "has a unit": 0,
}


def ranks(raws: Sequence[Raw], domains: Sequence[str]) -> list[dict[str, float]]:
    """Return what compares an option with the others of its domain: the share that have less, equal
    ones counting half, in steps of 1/20, so that an edit elsewhere seldom moves it."""
    members: dict[str, list[int]] = defaultdict(list)
    for index, domain in enumerate(domains):
        members[domain].append(index)
    found: list[dict[str, float]] = [{} for _ in raws]
    for indexes in members.values():
        for source, name in _RANKED.items():
            if not all(source in raws[index] for index in indexes):
                continue  # its group was not asked for
            ordered = sorted(raws[index][source] for index in indexes)
            for index in indexes:
                value = raws[index][source]
                share = (bisect_left(ordered, value) + bisect_right(ordered, value)) / 2
                found[index][name] = math.floor(share / len(indexes) * _LEVELS) / _LEVELS
    return found


# -- the list ----------------------------------------------------------------------------------------


def _all(vocabulary: Vocabulary) -> Iterable[Feature]:
    for kind in KINDS:
        yield Feature(f"operations: {kind}", "diagconfig", f"{kind} operations reached", 1)
    for first, second in _pairs():
        text = f"{first} and {second} operations reached"
        yield Feature(f"operations: {first} + {second}", "diagconfig", text, 1)
    yield Feature("operations", "diagconfig", "operations reached", 1)
    for kind in KINDS:
        for way in Dependency:
            text = f"{kind} operations reached by {way}"
            yield Feature(f"{kind} by {way}", "diagconfig", text, 1)
    for kind in (*KINDS, "compute"):
        text = f"{kind} operations, sure and near ones more"
        yield Feature(f"weight: {kind}", "weight", text, 1)
    for way in Dependency:
        yield Feature(
            f"weight: {way}", "weight", f"operations by {way}, sure and near ones more", 1
        )
    yield Feature("weight", "weight", "operations, sure and near ones more", 1)
    yield Feature("nearest", "weight", "call levels to the nearest operation")
    for pattern in Pattern:
        yield Feature(f"pattern: {pattern}", "pattern", f"operations by the pattern {pattern}", 1)
    for family in vocabulary.families:
        yield Feature(f"argument of: {family.name}", "family", f"the option {family.sizes}")
        text = f"the option decides whether {family.happens}"
        yield Feature(f"governs: {family.name}", "family", text)
    yield Feature("sizes a resource", "cost", "resources that the option sizes or paces", 1)
    yield Feature("governs costly work", "cost", "costly operations the option decides on", 1)
    yield Feature("share of cheap operations", "cost", "operations that seldom matter", -1)
    for name in ("inside loops", "share inside loops"):
        yield Feature(name, "surroundings", f"operations {name.removeprefix('share ')}", 1)
    for name in ("on a request path", "share on a request path"):
        yield Feature(name, "surroundings", f"operations {name.removeprefix('share ')}", 1)
    yield Feature("share at start or stop", "surroundings", "operations at start or stop", -1)
    yield Feature("most used method", "surroundings", "how many members call where it acts", 1)
    for name in ("methods reached", "files reached", "reads", "trails gone cold"):
        yield Feature(name, "spread", name)
    for name, trend in _TYPES.items():
        yield Feature(name, "type", f"the option {name}", trend)
    for name in ("has a default", "is off by default", "default, magnitude"):
        yield Feature(name, "default", f"the option {name}")
    for group in vocabulary.words:
        name = _word_name(group.name, group.documentation)
        if group.documentation:
            yield Feature(name, "documents", f"the option {group.says}")
        else:
            yield Feature(name, "words", f"its name {group.says}" if group.says else f"its {name}")
    yield Feature("is documented", "documents", "the option is documented")
    for name, text in _LEANINGS.items():
        yield Feature(name, "lexicon", text, 1)
    yield Feature(EVIDENCE, "evidence", "how well the code shows an effect", 1)
    for source, name in _RANKED.items():
        kind = "lexicon" if source in _LEANINGS else "rank"
        yield Feature(name, kind, f"options of its kind with less: {source}", 1)
