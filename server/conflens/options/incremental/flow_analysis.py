"""Where the options' values go: one walk for each read, kept from one program to the next.

A walk stays right while none of the members whose bodies it rests on changes, and no changed member uses,
before or after, a name whose users it asked for.  A change that tells the others nothing new (``moved``)
only shifts the steps in that member (``shifted``).  Where members are declared otherwise, the bodies that
this can have touched count as changed (``program.surfaces``) and, as far as what they use has another meaning,
tell the names they use it by (``meant``).  All other changes of surfaces, and other rows, redo everything.

Absent: how a value flows (``flow``), what an operation is (``operations``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set

import attrs

from conflens.base.budget import Fault, Pieces, allowance
from conflens.base.cancel import CancelToken
from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.engine import Engine, merge
from conflens.flow.results import NOTHING, FlowTable, OptionKey, Reach
from conflens.flow.rows import Rows
from conflens.flow.sinks import Operations
from conflens.flow.slices import forget
from conflens.flow.trails import write_out
from conflens.flow.walk import walk_from
from conflens.flow.walk_types import Start, StartKind, Walk
from conflens.models.load import Models
from conflens.options.binding.never_read import is_never_read
from conflens.options.discovery import Discovery
from conflens.options.incremental.body_diff import Comparer, Shift
from conflens.options.incremental.borders import Borders
from conflens.options.incremental.rebinding import differing
from conflens.options.incremental.remap import Shifter
from conflens.options.model import Read, ReadKind
from conflens.options.reads.doubts import is_plain_word
from conflens.options.sites import Found, Site
from conflens.program import versions
from conflens.program.closed import close_if_full
from conflens.program.edits import outermost
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.surfaces import Difference

FILE_STEPS = 3_000_000
"""Steps of all walks that begin in one file (``base.budget.allowance``): several times what files of known projects take."""
ALL_STEPS = 10_000_000
"""Steps of the walks of all files."""
_ENDLESS = 1e15
"""Steps that nothing makes, but that can be counted down from."""

_NULL = "null"
_MAPS = "settings"
"""The domain of what maps are asked for."""

Finder = Callable[[Program, Models, Rows], Operations]
"""Makes what finds the operations of a program's bodies."""
_Merges = Mapping[tuple[int, ...], tuple[tuple[Reach, ...], Reach]]
"""What reaches are together, by who they are: as long as they are kept here, nothing else can be at their places."""


@attrs.frozen
class Traced:
    """All flows, and what is needed to find them again after an edit."""

    table: FlowTable
    walks: Mapping[Start, Walk] = attrs.field(repr=False)
    merged: _Merges = attrs.field(repr=False)
    program: Program = attrs.field(repr=False)
    digest: str
    redone: frozenset[Start] = attrs.field(default=frozenset(), repr=False)
    """The walks that were made for this program; what incremental tests look at."""
    recalled: Set[Start] = attrs.field(default=frozenset(), repr=False)
    """The walks that another process made: what they took from bodies is not known here."""
    made: int = 0
    """The slices that were made for this program, likewise."""
    engine: Engine | None = attrs.field(default=None, repr=False, eq=False)
    rests: object = attrs.field(default=None, repr=False)
    """What operations rest on besides bodies; ``None`` if another process knew."""
    faults: tuple[Fault, ...] = ()
    """The walks that were given up, at the first read that begins each."""


def recalled(
    table: FlowTable, walks: Mapping[Start, Walk], program: Program, models: Models
) -> Traced:
    """Return what was traced in another process, to go on from after an edit of ``program``."""
    return Traced(table, walks, {}, program, models.digest, recalled=walks.keys())


def trace(
    discovery: Discovery,
    models: Models,
    finder: Finder,
    previous: Traced | None = None,
    changed: frozenset[str] | None = None,
    token: CancelToken | None = None,
) -> Traced:
    """Return the flows of all options that ``discovery`` found.

    ``previous`` is the result for the program before ``changed`` files changed.  Raises ``Cancelled``.
    """
    program = discovery.program
    token = token or CancelToken()
    starts = starts_of(discovery)
    rows = Rows(program, models)
    engine = Engine(program, models, finder(program, models, rows), rows)
    kept: Mapping[Start, Walk] = {}
    foreign: frozenset[Start] = frozenset()
    if (
        previous is not None
        and changed is not None
        and versions.follows(previous.program, program)
        and previous.digest == models.digest
    ):
        if previous.rests in (None, engine.library.operations.rests_on()):
            # Slices that are made to compare bodies are noted with their cost.
            with program.meter.limited(_ENDLESS):
                kept = _kept(previous, changed, engine, models, finder)
        else:
            _forget(program)
        foreign = frozenset(kept.keys() & previous.recalled)
    walks: dict[Start, Walk] = {}
    redone: set[Start] = set()
    reads: dict[tuple[OptionKey, Place], Reach] = {}
    options: dict[OptionKey, Reach] = {}
    merged: dict[tuple[int, ...], tuple[tuple[Reach, ...], Reach]] = {}
    before = previous.merged if previous is not None else {}
    faults: list[Fault] = []
    count = len(program.files)
    budgets = (allowance(FILE_STEPS, count), allowance(ALL_STEPS, count))
    pieces = Pieces(program.meter, "flows", *budgets)

    written: list[Reach] = []

    def rest() -> None:
        """Close bodies where too many are open, and let go of what was made of them."""
        if close_if_full(program):
            write_out(written)
            written.clear()
            engine.slices.let_go()

    def together(reaches: list[Reach]) -> Reach:
        if len(reaches) == 1:
            return reaches[0]
        key = tuple(map(id, reaches))
        found = merged.get(key) or before.get(key) or (tuple(reaches), merge(reaches))
        merged[key] = found
        return found[1]

    for option in discovery.table.options:
        entered = starts.get((option.domain, option.name), {})
        reaches: list[Reach] = []
        for read in option.reads:
            own: list[Reach] = []
            for found in entered.get(read.place, ()):
                start = _there(found, read)
                walk = walks.get(start)
                if walk is None:
                    walk = kept.get(start)
                    if walk is None:
                        token.check()
                        rest()
                        with pieces.within(start.ref.path, start):
                            walk = walk_from(engine, start)
                        redone.add(start)
                        written.append(walk.reach)
                    walks[start] = walk
                    if walk.fault:
                        message = f"what option '{option.name}' affects is not known completely"
                        at = read.place.start
                        faults.append(Fault(read.place.path, at, f"{message}: {walk.fault}"))
                if walk.reach != NOTHING:
                    own.append(walk.reach)
            if own:
                reach = together(own)
                reads[option.key, read.place] = reach
                reaches.append(reach)
        if reaches:
            options[option.key] = together(reaches)
    return Traced(
        FlowTable(options, reads),
        walks,
        merged,
        program,
        models.digest,
        frozenset(redone),
        frozenset(foreign.intersection(walks).difference(redone)),
        engine.slices.made,
        engine,
        engine.library.operations.rests_on(),
        tuple(faults),
    )


def _forget(program: Program) -> None:
    """Drop what was worked out about bodies."""
    for context in program.contexts.values():
        context.forget()


def _kept(
    previous: Traced,
    changed: Iterable[str],
    engine: Engine,
    models: Models,
    finder: Finder,
) -> Mapping[Start, Walk]:
    """Return the walks that are still right, with their steps where they are now."""
    before, after = previous.program, engine.program

    def earlier() -> Engine:
        if previous.engine is not None:
            return previous.engine
        rows = Rows(before, models)
        return Engine(before, models, finder(before, models, rows), rows)

    told = after.difference if before.memo is not after.memo else None
    if _runs_unnamed(told, models) or _is_made_first(before, after, changed):
        _forget(after)
        return {}
    comparer = Comparer(before, engine, earlier)
    members: set[MemberRef] = set()
    names: set[str] = set()
    shifts: dict[MemberRef, Shift] = {}
    borders: dict[MemberRef, Borders] = {}
    touched: set[MemberRef] = set()
    trusted = True
    if told is not None:
        members |= told.touched
        touched |= told.touched
        names |= told.asked
        for ref in told.touched:
            names |= differing(before, after, ref)
    for ref in changes(before, after, changed):
        if ref in members:
            continue
        if _captured(after, ref) - _captured(before, ref):
            around = _around(after, ref)
            members |= around
            touched |= around
        change = comparer.compare(ref)
        touched.add(ref)
        names |= change.names
        if change.askers is not None:
            members |= change.askers
            trusted = False
        if change.shift is None:
            members.add(ref)
        elif change.shift.by:
            shifts[ref] = change.shift
            borders[ref] = change.borders
    if told is not None:
        trusted = False
    bodies = versions.touched(before, after, changed)
    moved = _using_moved(previous, changed, bodies, engine, earlier)
    members |= moved
    touched |= moved
    if previous.engine is not None:
        others = told.names if told is not None else frozenset[str]()
        # What shares locals with a changed body is looked at anew, too.
        engine.take(previous.engine, names, touched | members | bodies.members, others)
    shifter = Shifter(shifts, borders)

    def right(start: Start, walk: Walk) -> bool:
        if walk.fault and not walk.members.isdisjoint(touched):
            return False
        if start in previous.recalled and not (trusted and walk.members.isdisjoint(touched)):
            return False
        return walk.members.isdisjoint(members) and walk.names.isdisjoint(names)

    return {
        shifter.start(start): shifter.walk(walk)
        for start, walk in previous.walks.items()
        if right(start, walk)
    }


def _captured(program: Program, ref: MemberRef) -> set[tuple[int, int]]:
    """Return the locals of the bodies around it that a body uses: how far out each is, and its number there."""
    if outermost(program.files[ref.path], ref.number) == ref.number:
        return set()
    code = program.peek(ref).code
    return {(instr.up, instr.slot) for instr in code if isinstance(instr, ir.Load) and instr.up}


def _around(program: Program, ref: MemberRef) -> set[MemberRef]:
    """Return the members that share locals with one."""
    facts = program.files[ref.path]
    root = outermost(facts, ref.number)
    return {
        program.ref(ref.path, number)
        for number in range(len(facts.members))
        if outermost(facts, number) == root
    }


def _using_moved(
    previous: Traced,
    changed: Iterable[str],
    bodies: versions.Touched,
    engine: Engine,
    earlier: Callable[[], Engine],
) -> frozenset[MemberRef]:
    """Return the members that may use a constant whose text the edit of another body has changed."""
    texts = earlier().library.fixed
    if previous.engine is None:
        texts.know_all()
    before, after = previous.program, engine.program
    files = frozenset(changed) | {ref.path for ref in bodies.members}
    names = versions.begun(before, after, changed, bodies)
    moved = engine.library.fixed.moved(texts, files, names)
    told = {after.member(field).name for field in moved}
    found = {ref for name in told for ref in (*after.users(name), *after.mentions(name))}
    for ref in found:
        context = after.contexts.get(ref)
        if isinstance(context, Context):
            forget(context)
    return frozenset(found)


def _runs_unnamed(told: Difference | None, models: Models) -> bool:
    """Tell whether a member that is declared otherwise may be run by a library, where nobody names it."""
    return told is not None and any(
        name in told.names for row in models.callbacks for name in row.runs
    )


def _is_made_first(before: Program, after: Program, changed: Iterable[str]) -> bool:
    """Tell whether a class begins or ceases to be named at all: calls then run other methods."""
    first = {
        name
        for path in changed
        for name in _used(before, path) ^ _used(after, path)
        if _is_named(before, name) != _is_named(after, name)
    }
    return bool(first) and any(info.decl.name in first for info in after.types())


def _used(program: Program, path: str) -> set[str]:
    facts = program.files[path]
    return {*facts.calls, *facts.names}


def _is_named(program: Program, name: str) -> bool:
    return bool(program.users(name) or program.mentions(name))


def changes(before: Program, after: Program, changed: Iterable[str]) -> list[MemberRef]:
    """Return the members whose bodies differ between programs with the same members."""
    return [
        after.ref(path, number)
        for path in changed
        if path in before.files and path in after.files
        for number, (old, new) in enumerate(
            zip(before.files[path].bodies, after.files[path].bodies, strict=True)
        )
        if old != new
    ]


Starts = Mapping[Place, Mapping[Start, None]]
"""Where the values of one option enter, by the place of the read."""


def starts_of(discovery: Discovery) -> dict[tuple[str, str], Starts]:
    """Return where the values of options enter, by domain and name."""
    entering: dict[tuple[Start, str, str], set[str]] = {}
    served: dict[Start, set[tuple[str, str]]] = {}
    prefixes: dict[tuple[MemberRef, str, str, str], set[str]] = {}
    for (domain, name), made in discovery.made.items():
        before, _, last = name.rpartition(".")
        for named in made.named:
            site, found = named.site, named.found
            for start in _of_site(site) if site is not None else ():
                served.setdefault(start, set()).add((domain, name))
                whole = site is not None and site.kept is not None
                key_of_start = (start, domain, "" if whole else last)
                entering.setdefault(key_of_start, set()).add(name if whole else before)
            if found is not None and found.member is not None and found.is_read:
                prefix, _, end = found.name.rpartition(".")
                key = (found.member, found.holder, found.domain, end)
                prefixes.setdefault(key, set()).add(prefix)
    # What one look-up gives is what all ask for who name the rest of the option; a bound class has objects for each prefix.
    several = {start for (start, _, _), known in entering.items() if len(known) > 1}
    bound = {
        (member, holder) for (member, holder, *_), known in prefixes.items() if len(known) > 1
    }
    starts: dict[tuple[str, str], Starts] = {}
    for option, made in discovery.made.items():
        own: dict[Place, dict[Start, None]] = {}
        for named in made.named:
            if named.site is not None:
                here = own.setdefault(_place_of(named.site), {})
                guessed = _is_guessed(named.site)
                for start in _of_site(named.site):
                    shared, whole = start in several, len(served[start]) > 1
                    marked = start._replace(shared=shared, guessed=guessed, whole=whole)
                    here.setdefault(marked)
            if named.found is not None and not any(
                is_never_read(discovery.program, member) for member in named.found.around
            ):
                shared = (named.found.member, named.found.holder) in bound
                _declared(discovery.program, named.found, shared, own)
        starts[option] = own
    return starts


def _is_guessed(site: Site) -> bool:
    """Tell whether a map is asked for a plain word, and only names say that it holds configuration: it may hold any data."""
    from_map = not site.sure and not site.depth and site.domain == _MAPS
    return site.guessed or (from_map and is_plain_word(site.names))


def _there(start: Start, read: Read) -> Start:
    """Return a start with what its read says of an option that is not set."""
    default = read.default.text if read.default is not None else _NULL
    if start.kind is StartKind.TEST or _NULL in default:
        return start
    return start._replace(there=True)


def _place_of(site: Site) -> Place:
    return Place(site.ref.path, site.at, site.end)


def _of_site(site: Site) -> Iterable[Start]:
    if site.kept is not None and site.followed != NONE:
        yield Start(StartKind.VALUE, *site.kept)
    elif site.followed != NONE:
        yield Start(StartKind.VALUE, site.ref, site.followed)
    if site.kind is ReadKind.DISPATCH and site.value != NONE:
        yield Start(StartKind.TEST, site.ref, site.value)
    elif site.value != NONE and site.followed == NONE:
        yield Start(StartKind.VALUE, site.ref, site.value)


def _declared(
    program: Program, declared: Found, shared: bool, found: dict[Place, dict[Start, None]]
) -> None:
    """A field, parameter, accessor or setter that is given an option's value; ``shared``: a class is bound
    under several prefixes, so that it holds the value of another option in another object."""
    ref = declared.member
    place = Place(declared.path, declared.scope_at, declared.scope_end)
    if declared.enters is not None:
        start = Start(StartKind.PARAMETER, declared.enters, declared.parameter)
        found.setdefault(place, {}).setdefault(start)
        return
    if not declared.is_read or ref is None:
        return
    member = program.member(ref)
    kind, at = StartKind.FIELD, NONE
    if member.kind in ("method", "constructor"):
        kind, at = StartKind.RESULT, NONE
        if len(member.params) == 1:
            kind, at = StartKind.PARAMETER, 0
    start = Start(kind, ref, at, declared.holder, shared)
    found.setdefault(place, {}).setdefault(start)
