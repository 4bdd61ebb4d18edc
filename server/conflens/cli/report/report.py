"""The plain form of an ``Analysis`` that every format is written from.

Paths are relative to the project with ``/``; lines and columns are 1-based, columns count code points.
Invariant: everything is sorted (options by name and domain, reads by place, flows as the table has
them), so equal projects give equal output.  Flows stay as the analysis has them, since there can be
very many; ``Report.steps`` shows theirs when a format asks.  ``sensitivity`` is ``None`` of every
option as long as no model has looked (``Report.judged``): then nothing is said of it.
Absent: text for a person (``tables``, ``markdown``, ``chains``), JSON (``contract``) and ``sarif``.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.checking.documentation import reported_at
from conflens.checking.gaps import gaps
from conflens.checking.option_codes import option_codes
from conflens.checking.results import Code
from conflens.cli.report.steps import Steps
from conflens.flow.results import Reach
from conflens.flow.terms import written
from conflens.options.adjustments import shown
from conflens.options.model import Effect, Option
from conflens.options.secret_values import shown_value
from conflens.properties.directions import by_kind
from conflens.render.option_view import OptionView, option_view
from conflens.sensitivity.results import Label, Verdict
from conflens.session.analysis import Analysis, Stats


@attrs.frozen
class Where:
    """A place for a person: 1-based."""

    path: str
    line: int
    column: int


@attrs.frozen
class ReportedRead:
    """One read; ``default`` is the text given there, if any."""

    where: Where
    method: str
    api: str
    default: str | None


@attrs.frozen
class ReportedLimit:
    """What becomes of values on one side of a bound, as the contract says it; ``value`` is an expression or the name of an option."""

    bound: str
    value: str
    exclusive: bool
    effect: str
    to: str
    where: Where | None


@attrs.frozen
class ReportedSlope:
    """By how much the cost of an operation grows: ``expression`` over the value ``v``, in ``unit``."""

    expression: str
    kind: str
    unit: str
    where: Where


@attrs.frozen
class ReportedRelation:
    """What another option does to one; ``when``: how a value must compare for one of them to be used, perhaps empty."""

    option: str
    kind: str
    when: str
    where: Where


@attrs.frozen
class ReportedProperties:
    """What changing an option does; see ``properties``."""

    slopes: tuple[ReportedSlope, ...] = ()
    direction: tuple[tuple[str, str], ...] = ()
    monotone: bool | None = None
    relations: tuple[ReportedRelation, ...] = ()
    felt_by: tuple[str, ...] = ()
    entries: tuple[tuple[str, str], ...] = ()


UNKNOWN_PROPERTIES = ReportedProperties()


@attrs.frozen
class ReportedOption:
    """One option: its view, and places for a person.

    ``verdicts`` name the kinds of its findings (``verdict_name``), ``declared`` is its first declaration.  ``reported_at`` is where an editor
    reports it, ``None`` for an option that only tests read.
    """

    view: OptionView = attrs.field(repr=False)
    verdicts: tuple[str, ...]
    reads: tuple[ReportedRead, ...]
    declared: Where | None
    reported_at: Place | None
    limits: tuple[ReportedLimit, ...] = ()
    properties: ReportedProperties = UNKNOWN_PROPERTIES

    @property
    def name(self) -> str:
        """The name."""
        return self.view.name

    @property
    def domain(self) -> str:
        """Where the name lives."""
        return self.view.domain

    @property
    def aliases(self) -> tuple[tuple[str, str], ...]:
        """Further domains and names."""
        return self.view.option.aliases

    @property
    def type(self) -> str:
        """The type as the contract names it."""
        return self.view.option.type.value

    @property
    def unit(self) -> str:
        """The unit, perhaps empty."""
        return self.view.option.unit

    @property
    def values(self) -> tuple[str, ...]:
        """The allowed values of a mode."""
        return self.view.option.values

    @property
    def defaults(self) -> tuple[str, ...]:
        """The distinct defaults; secrets are hidden."""
        found = (shown_value(self.view.option, one) for one in self.view.all_defaults)
        return tuple(dict.fromkeys(found))

    @property
    def documented(self) -> tuple[tuple[str, int], ...]:
        """Path and line of each place that documents it, best first."""
        return tuple((ref.path, ref.line) for ref in self.view.documents)

    @property
    def reach(self) -> Reach:
        """What it reaches."""
        return self.view.reach.reach

    @property
    def sensitivity(self) -> Verdict | None:
        """The verdict; ``None`` as long as no model has looked."""
        return self.view.verdict if self.view.is_judged else None

    @property
    def where(self) -> Where | None:
        """Where a person would look first: a read, else the declaration."""
        return self.reads[0].where if self.reads else self.declared


@attrs.frozen
class ReportedProblem:
    """Something that could not be understood or was left out."""

    path: str
    line: int
    code: str
    message: str


@attrs.frozen
class Report:
    """Everything a command prints."""

    stats: Stats
    options: tuple[ReportedOption, ...]
    problems: tuple[ReportedProblem, ...]
    steps: Steps = attrs.field(eq=False, repr=False)
    judged: bool
    """Whether a model has looked at the options."""
    gaps: tuple[ReportedProblem, ...] = ()
    """Where options are probably missing, the largest gaps first; empty if nobody looked."""
    learned: tuple[str, ...] = ()
    """Which methods of unknown libraries were found to read options, a sentence each."""

    @property
    def reads(self) -> int:
        """How many reads the options have together."""
        return sum(len(option.reads) for option in self.options)

    def count(self, code: str) -> int:
        """Return how many problems have ``code``."""
        return sum(problem.code == code for problem in self.problems)

    def labelled(self, label: Label) -> int:
        """Return how many options have ``label``."""
        verdicts = (option.sensitivity for option in self.options)
        return sum(verdict is not None and verdict.label is label for verdict in verdicts)


UNRESOLVED = "unresolved-name"
LEFT_OUT = "left-out"
SYNTAX = "syntax"
WORKSPACE = "workspace-file"
GAP = "missing-options"

NOT_JUDGED = "nothing is said of sensitivity: the classifier has not looked at the options"
"""What to tell a person of a report that is not ``judged``."""


def report(analysis: Analysis, *, with_gaps: bool = False) -> Report:
    """Return the report of ``analysis``; ``with_gaps`` looks in all code for where options are missing."""
    codes = option_codes(analysis)
    options = tuple(
        _option(analysis, option_view(analysis, option), codes.get(option.key, ()))
        for option in analysis.options.options
    )
    problems = sorted(_problems(analysis), key=lambda item: (item.path, item.line, item.message))
    ready = analysis.sensitivity.ready
    missing = tuple(
        ReportedProblem(gap.path, analysis.line(Place(gap.path, gap.at, gap.at)), GAP, gap.message)
        for gap in (gaps(analysis) if with_gaps else ())
    )
    learned = tuple(item.sentence() for item in analysis.learned)
    return Report(
        analysis.stats, options, tuple(problems), Steps(analysis), ready, missing, learned
    )


def settings_problems(report: Report) -> Iterator[str]:
    """Yield the problems of workspace files, because of which results may be missing; after an empty line."""
    problems = [problem for problem in report.problems if problem.code == WORKSPACE]
    if problems:
        yield ""
    for problem in problems:
        yield f"{problem.path}:{problem.line}: {problem.message} [{problem.code}]"


def verdict_name(code: Code) -> str:
    """Return what reports and ``--fail-on`` call a kind of finding on an option."""
    return "undocumented" if code is Code.UNDOCUMENTED_OPTION else code.value


def where(analysis: Analysis, place: Place) -> Where:
    """Return a place for a person."""
    line, column = analysis.position(place.path, place.start, Encoding.UTF32)
    return Where(place.path, line + 1, column + 1)


def _option(analysis: Analysis, view: OptionView, codes: tuple[Code, ...]) -> ReportedOption:
    option = view.option
    reads = tuple(
        ReportedRead(
            where(analysis, read.place),
            read.method,
            read.api,
            shown_value(option, read.default) if read.default is not None else None,
        )
        for read in sorted(option.reads, key=lambda read: read.place)
    )
    declared = min((declaration.place for declaration in option.declarations), default=None)
    return ReportedOption(
        view,
        tuple(map(verdict_name, codes)),
        reads,
        where(analysis, declared) if declared is not None else None,
        reported_at(option),
        tuple(limits_of(analysis, option)),
        properties_of(analysis, view),
    )


def limits_of(analysis: Analysis, option: Option) -> Iterator[ReportedLimit]:
    """Yield the limits of an option: those that declarations state or reads demand, and what else becomes of values."""
    limits = option.limits
    place = where(analysis, limits.place) if limits.place is not None else None
    stated = (
        ("lower", limits.minimum, False),
        ("lower", limits.above, True),
        ("upper", limits.maximum, False),
        ("upper", limits.under, True),
    )
    for bound, value, exclusive in stated:
        if value is not None:
            effect = Effect.THROWS.value
            yield ReportedLimit(bound, written(value), exclusive, effect, "", place)
    if limits.closed:
        values = ", ".join(option.values)
        yield ReportedLimit("set", values, False, Effect.THROWS.value, "", place)
    for one, other in shown(analysis.options, option):
        named = other.name if other is not None else one.name or written(one.value)
        found = where(analysis, one.place)
        yield ReportedLimit(one.bound, named, one.strict, one.effect.value, one.to, found)


def properties_of(analysis: Analysis, view: OptionView) -> ReportedProperties:
    """Return what changing an option does."""
    found = view.properties.of(view.option)
    slopes = tuple(
        ReportedSlope(one.expression, one.kind, one.unit, where(analysis, one.place))
        for one in found.slopes
    )
    direction = tuple((kind, way.value) for kind, way in by_kind(found.directions).items())
    relations = tuple(
        ReportedRelation(
            one.other[1],
            one.kind.value,
            f"{one.op} {one.value}" if one.value else "",
            where(analysis, one.place),
        )
        for one in found.relations
    )
    felt_by = tuple(one.felt.value for one in found.felt_by)
    entries = tuple((one.felt.value, one.entry) for one in found.felt_by if one.entry)
    return ReportedProperties(slopes, direction, found.monotone, relations, felt_by, entries)


def _problems(analysis: Analysis) -> Iterator[ReportedProblem]:
    for problem in analysis.problems:
        yield ReportedProblem(problem.path, problem.line, problem.code, problem.message)
    for item in analysis.options.unresolved:
        line = analysis.line(item.place)
        message = f"{item.api} in {item.method}: {item.reason}"
        yield ReportedProblem(item.place.path, line, UNRESOLVED, message)
    for left_out in analysis.left_out:
        yield ReportedProblem(left_out.path, 1, LEFT_OUT, left_out.reason)
    for path, facts in analysis.program.files.items():
        for error in facts.problems:
            line = analysis.line(Place(path, error.at, error.at))
            yield ReportedProblem(path, line, SYNTAX, error.message)
