"""Finds all options of a program, and after an edit only what it can have changed.

The steps, each over files:
 1. *declared*: annotations, definition calls, bound classes (``declared``, ``binding``).
 2. *scanned*: calls of known APIs, and of the wrappers that take the name from their caller, to a fixed point (``reads.scan``).
 3. *dispatched*: keys and arguments compared with constants (``dispatch``).
 4. *inferred* and *assembled*: types, defaults, declarations (``infer``, ``assemble``).

``Discovery`` keeps the results of each file.  After an edit only the files are scanned that the change of surfaces touches
(``program.surfaces``); if the wrappers that they make stay the same, everything else is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import attrs

from conflens.base.budget import Fault, Pieces, allowance
from conflens.base.cancel import CancelToken
from conflens.facts.ir import NONE
from conflens.flow.uses import Uses
from conflens.models.load import Models
from conflens.options.assembly import Assembler, Made
from conflens.options.binding import binding as bound
from conflens.options.binding import loads as bound_loads
from conflens.options.compared import apis_of, joined, merge, same_requests, shape
from conflens.options.declared import definitions, deprecation, objects
from conflens.options.declared import workspace_rows as workspace
from conflens.options.declared.annotations import find as find_annotations
from conflens.options.declared.comments import Comments
from conflens.options.inference.inference import Inferrer, combine
from conflens.options.model import Option, OptionTable
from conflens.options.names.found_names import pattern_of
from conflens.options.origins.lines import Lines
from conflens.options.origins.tracing import Tracer
from conflens.options.reads import asked_sites, dispatch, last_parts, named_accessors
from conflens.options.reads.derived import Feed, Naming, namings, resolved
from conflens.options.reads.held_definitions import HeldDefinitions
from conflens.options.reads.member_maps import MemberMaps
from conflens.options.reads.scan import Scan, Scanner
from conflens.options.reads.uncalled import uncalled
from conflens.options.reads.unclear import settled
from conflens.options.reads.wrappers import ApiIndex, ApiKey, api_key, fresh
from conflens.options.roles import Roles
from conflens.options.sites import Api, Finding, Found, Inference, Site
from conflens.program import versions
from conflens.program.closed import close_if_full
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.sharing import START
from conflens.program.trail import Recall, Seen, untouched
from conflens.program.values import Values

T = TypeVar("T")
_Finder = Callable[..., Iterable[Found]]

MAX_ROUNDS = 12
_MANY_ROUNDS = f"callers of this method that {MAX_ROUNDS} rounds do not find are not analysed"
FILE_STEPS, ALL_STEPS = 2_000_000, 8_000_000
"""Steps that options of one file and of all files may cost (``base.budget.allowance``); a file of known projects takes 70,000."""


@attrs.frozen
class FileResult:
    """What one file contributes, before options are joined.

    ``settled`` are the sites of ``scan`` with those of unclear role that turned out to be reads.
    ``seen``: the result stays right until one of these changes.
    """

    scan: Scan
    settled: tuple[Site, ...]
    dispatched: tuple[Site, ...]
    loads: tuple[Site, ...]
    declared: tuple[Found, ...]
    seen: Seen

    @property
    def finds(self) -> bool:
        """Whether anything in the file has to do with options: what was not looked at beside nothing is nothing."""
        found = (self.settled, self.dispatched, self.loads, self.declared, self.scan.apis)
        return any(found)

    def resting(self, seen: Seen) -> FileResult:
        """Return the result, resting on something more."""
        if all(one <= other for one, other in zip(seen, self.seen, strict=True)):
            return self
        return attrs.evolve(self, seen=joined([self.seen, seen]))


@attrs.frozen
class Discovery:
    """The options and what is needed to find them again after an edit."""

    table: OptionTable
    files: Mapping[str, FileResult] = attrs.field(repr=False)
    apis: tuple[Api, ...] = attrs.field(repr=False)
    roots: tuple[Found, ...] = attrs.field(repr=False)
    roots_seen: Seen = attrs.field(repr=False)
    bindings: Mapping[object, tuple[bound.Bindings, Seen]] = attrs.field(repr=False)
    """What each member binds."""
    objects: tuple[Found, ...] = attrs.field(repr=False)
    objects_seen: Seen = attrs.field(repr=False)
    accessors: tuple[Api, ...] = attrs.field(repr=False)
    """The wrappers that only their names and callers tell."""
    accessors_seen: Seen = attrs.field(repr=False)
    inferences: Mapping[object, Inference] = attrs.field(repr=False)
    made: Mapping[tuple[str, str], Made] = attrs.field(repr=False)
    uses: Uses = attrs.field(repr=False, eq=False)
    program: Program = attrs.field(repr=False)
    digest: str = ""
    faults: Mapping[tuple[object, ...], Fault] = attrs.field(factory=dict, repr=False)
    """What had to be given up, by the piece of work."""


def discover(
    program: Program,
    models: Models,
    previous: Discovery | None = None,
    changed: frozenset[str] | None = None,
    token: CancelToken | None = None,
) -> Discovery:
    """Return all options of ``program``.

    ``previous`` is the result for the program before ``changed`` files changed.  Raises ``Cancelled``.
    """
    work = _Work(program, models, token or CancelToken())
    if (
        previous is not None
        and changed is not None
        and versions.follows(previous.program, program)
        and previous.digest == models.digest
    ):
        again = work.again(previous, changed)
        if again is not None:
            return again
    return work.whole()


class _Work:
    def __init__(self, program: Program, models: Models, token: CancelToken) -> None:
        self.program = program
        self.models = models
        self.token = token
        self.values = Values(program, models)
        configure = Lines(Tracer(self.values), models).configure
        self.roles = Roles(program, models, self.values, configure)
        count = len(program.files)
        budgets = (allowance(FILE_STEPS, count), allowance(ALL_STEPS, count))
        self.pieces = Pieces(
            program.meter, "discovery", *budgets, before=partial(close_if_full, program)
        )
        self.scanner = Scanner(program, models, self.values, self.roles, self.pieces)
        self.inferrer = Inferrer(program, models, self.values)
        self.inferences: dict[object, Inference] = {}
        self.kept: Mapping[object, Inference] = {}
        self.made: Mapping[tuple[str, str], Made] = {}
        self.changed: frozenset[str] = frozenset()
        self.before: Mapping[tuple[object, ...], Fault] = {}
        self.bindings: Recall[bound.Bindings] = Recall()

    # -- the whole program -----------------------------------------------------------------------

    def whole(self) -> Discovery:
        program = self.program
        during = self.values.trail.during
        trails: dict[str, list[Seen]] = {path: [] for path in program.files}
        declared: dict[str, tuple[Found, ...]] = {}
        for path in trails:
            self.token.check()
            declared[path], seen = during(partial(self._declared, path))
            trails[path].append(seen)
        roots, roots_seen = during(partial(self._roots, declared))
        self._take(declared, roots)
        scans: dict[str, list[Scan]] = {}
        apis: list[Api] = []
        new: list[Api] = []
        nothing = ApiIndex(program, ())
        for path in program.files:
            self.token.check()
            found, seen = during(partial(self._scanned, path, nothing))
            scans[path] = [found]
            trails[path].append(seen)
            new.extend(found.apis)
        accessors: tuple[tuple[Api, ...], Seen] | None = None
        for _ in range(MAX_ROUNDS):
            new = fresh(apis, new)
            if not new and accessors is None:
                accessors = during(partial(self._accessors, apis))
                new = fresh(apis, list(accessors[0]))
            if not new:
                break
            self.token.check()
            apis.extend(new)
            index = ApiIndex(program, new)
            new = []
            for path in self._callers(index):
                self.token.check()
                found, seen = during(partial(self._scanned, path, index, known_rows=False))
                scans[path].append(found)
                trails[path].append(seen)
                new.extend(found.apis)
            names = during(partial(namings, program, self.values, apis))
            feeds = frozenset[Feed]().union(
                *(one.feeds for many in scans.values() for one in many)
            )
            for path, many in scans.items() if feeds and not new else ():
                found, seen = during(partial(self._derived, path, many, feeds, names))
                many.append(found)
                trails[path].append(seen)
                new.extend(found.apis)
        for api in fresh(apis, new):
            at = program.member(api.ref).name_at
            self.pieces.note(("rounds", api.ref.path, at), api.ref.path, at, _MANY_ROUNDS)
        fields = bound_loads.fields(self.program, declared, roots)
        results: dict[str, FileResult] = {}
        for path in program.files:
            self.token.check()
            scan = merge(scans[path])
            results[path] = self._result(path, scan, declared[path], fields, trails[path])
        made = during(partial(self._objects, apis))
        accessors = accessors or during(partial(self._accessors, apis))
        return self._assemble(
            self._structural(results), tuple(apis), roots, roots_seen, made, accessors
        )

    def _accessors(self, apis: Iterable[Api]) -> tuple[Api, ...]:
        return self._of_file(
            "accessors",
            "",
            partial(named_accessors.find, self.program, self.values, self.roles, apis),
            tuple[Api, ...](),
        )

    def _objects(self, apis: Iterable[Api]) -> tuple[Found, ...]:
        """Return the options that constant objects of the project's own classes declare."""
        sure = [api for api in apis if not api.lookups]

        def guarded(path: str, make: Callable[[], tuple[Found, ...]]) -> tuple[Found, ...]:
            return self._of_file("objects", path, make, ())

        return objects.find(self.program, self.models, self.values, sure, guarded)

    def _result(
        self,
        path: str,
        scan: Scan,
        declared: tuple[Found, ...],
        fields: bound_loads.Fields,
        trails: list[Seen],
    ) -> FileResult:
        dispatched, seen = self.values.trail.during(
            lambda: self._of_file(
                "dispatch",
                path,
                lambda: tuple(
                    dispatch.find(self.program, self.models, self.values, self.roles, path)
                ),
                tuple[Site, ...](),
            )
        )
        # In one order, however many looks found them: what is told of an option may be that of its first read.
        ordered = sorted(scan.sites, key=lambda site: (site.ref.number, site.value))
        scan = attrs.evolve(scan, sites=tuple(ordered))
        return FileResult(
            scan,
            (),
            dispatched,
            self._of_file(
                "loads",
                path,
                lambda: tuple(bound_loads.find(self.program, path, fields, self.models)),
                tuple[Site, ...](),
            ),
            declared,
            joined([*trails, seen]),
        )

    def _roots(self, declared: Mapping[str, tuple[Found, ...]]) -> tuple[Found, ...]:
        """Return the options of bound classes, and those that the workspace file declares."""

        def roots(step: str, find: _Finder, **more: object) -> Iterable[Found]:
            given = (self.program, self.models, self.values, self.pieces)
            return self._of_file(step, "", lambda: tuple(find(*given, **more)), ())

        known = [found for founds in declared.values() for found in founds]
        bounds = roots("bound", bound.find, recall=self.bindings, declared=known)
        return (*bounds, *roots("workspace", workspace.find))

    def _declared(self, path: str) -> tuple[Found, ...]:
        def find() -> tuple[Found, ...]:
            return (
                *find_annotations(self.program, self.models, self.values, path, self.pieces),
                *definitions.find(self.program, self.models, self.values, path),
                *asked_sites.declared(self.scanner.chains, self.models, path),
            )

        return self._of_file("declared", path, find, ())

    def _take(self, declared: Mapping[str, tuple[Found, ...]], roots: tuple[Found, ...]) -> None:
        """Let the scanner know what is declared."""
        founds = [found for founds in declared.values() for found in founds]
        self.scanner.defined = HeldDefinitions(founds, definitions.by_member(founds))
        self.scanner.member_maps = MemberMaps(self.scanner.sources.tracer, (*founds, *roots))
        self.scanner.handed_over.declared = {found.name for found in founds}

    def _scanned(self, path: str, index: ApiIndex, known_rows: bool = True) -> Scan:
        return self._of_file(
            "scan", path, partial(self.scanner.scan, path, index, known_rows), Scan()
        )

    def _derived(
        self,
        path: str,
        scans: Iterable[Scan],
        feeds: frozenset[Feed],
        names: tuple[Mapping[Naming, str], Seen],
    ) -> Scan:
        """Return the lookups of a file in maps that were fed with the values of options."""
        self.values.trail.rest(names[1])
        keyed = [item for scan in scans for item in scan.keyed]
        sites = self._of_file(
            "derived",
            path,
            partial(resolved, self.program, self.values, keyed, feeds, names[0]),
            list[Site](),
        )
        kept, made = self.scanner.wrappers.split(sites)
        self.scanner.note_cuts(path, sites)
        return Scan(tuple(kept), tuple(made))

    def _of_file(self, step: str, path: str, make: Callable[[], T], substitute: T) -> T:
        what = "not all options of this file are found"
        return self.pieces.run(("file", step, path), path, 0, what, make, substitute)

    def _callers(self, index: ApiIndex) -> list[str]:
        return [
            path
            for path, facts in self.program.files.items()
            if not index.names.isdisjoint(facts.calls.keys())
        ]

    def _structural(self, results: Mapping[str, FileResult]) -> dict[str, FileResult]:
        """Decide about objects of unclear role."""
        known = {
            name
            for file in results.values()
            for site in file.scan.sites
            for name in (pattern_of(parts) for parts in site.names)
            if name is not None
        }
        scans = {path: file.scan for path, file in results.items()}
        declared = {
            (found.domain, found.name)
            for file in results.values()
            for found in file.declared
            if found.kind == "definition"
        }
        sites = settled(self.program, scans, known, declared)
        sites = last_parts.placed(self.program, self.models, sites, declared)
        return {
            path: file if file.settled is sites[path] else attrs.evolve(file, settled=sites[path])
            for path, file in results.items()
        }

    # -- after an edit ---------------------------------------------------------------------------

    def again(self, previous: Discovery, changed: frozenset[str]) -> Discovery | None:
        """Redo the files that were changed or touched; ``None`` when the whole program must be done."""
        index = ApiIndex(self.program, previous.apis)
        results = dict(previous.files)
        if not changed <= self.program.files.keys() & results.keys():
            return None
        told = self.program.difference if self.program.memo is not previous.program.memo else None
        if told and not same_requests(previous.program, self.program, self.models):
            return None
        bodies = versions.touched(previous.program, self.program, changed)
        others = changed | {ref.path for ref in bodies.members}
        during = self.values.trail.during
        begun = versions.begun(previous.program, self.program, changed, bodies)
        declared_all = {path: result.declared for path, result in results.items()}
        wide = versions.using_others(previous.program, self.program, changed)

        def stale(seen: Seen) -> bool:
            return seen.touched_by(others, begun, bodies.members, wide)

        touched = others | {
            path
            for path, result in results.items()
            if stale(result.seen) or any(found.path in changed for found in result.declared)
        }
        trails: dict[str, list[Seen]] = {}
        # Declarations follow from surfaces as well, and that of any file may rest on those told.
        for path in touched if told is None else results:
            known = results[path]
            declared, seen = during(partial(self._declared, path))
            trails[path] = [seen]
            if shape(declared) != shape(known.declared):
                return None
            if path not in touched:
                results[path] = known.resting(seen)
            if declared != known.declared:
                touched |= {path}
                declared_all[path] = declared
        self._take(declared_all, previous.roots)
        roots, roots_seen = previous.roots, previous.roots_seen
        self.bindings.now.update(previous.bindings)
        if told is not None or stale(roots_seen) or any(found.path in changed for found in roots):
            kept = previous.bindings if told is None else {}
            self.bindings = Recall(untouched(kept, others, begun))
            roots, roots_seen = during(partial(self._roots, declared_all))
            if shape(roots) != shape(previous.roots):
                return None
            roots = previous.roots if roots == previous.roots else roots
        fields = bound_loads.fields(self.program, declared_all, roots)
        moved: dict[tuple[ApiKey, str, MemberRef | None], Api] = {}
        names = during(partial(namings, self.program, self.values, previous.apis))
        feeds = frozenset[Feed]().union(*(result.scan.feeds for result in results.values()))
        for path in touched:
            scan, seen = during(partial(self._scanned, path, index))
            trails[path].append(seen)
            if scan.feeds != results[path].scan.feeds:
                return None
            scans = [scan]
            if scan.keyed and feeds:
                more, seen = during(partial(self._derived, path, scans, feeds, names))
                scans.append(more)
                trails[path].append(seen)
            scan = merge(scans)
            for api in scan.apis:
                moved.setdefault((api_key(api), api.inner, api.through), api)
            if apis_of(scan.apis) != apis_of(results[path].scan.apis):
                return None
            results[path] = self._result(path, scan, declared_all[path], fields, trails[path])
        self.kept = {
            key: inference
            for key, inference in previous.inferences.items()
            if inference.files
            and inference.files.isdisjoint(others)
            and inference.names.isdisjoint(begun)
        }
        if told is None or START not in told.names:
            self.made = previous.made
        self.changed = changed
        self.before = previous.faults
        self.inferrer.uses.take(previous.uses, bodies.names, bodies.members)
        apis = tuple(
            attrs.evolve(api, at=now.at, end=now.end)
            if (now := moved.get((api_key(api), api.inner, api.through))) is not None
            else api
            for api in previous.apis
        )
        made = previous.objects, previous.objects_seen
        if told is not None or stale(made[1]) or any(found.path in changed for found in made[0]):
            made = during(partial(self._objects, apis))
        accessors = previous.accessors, previous.accessors_seen
        if (
            told is not None
            or stale(accessors[1])
            or any(api.ref.path in changed for api in accessors[0])
        ):
            explained = named_accessors.without(accessors[0], apis)
            accessors = during(partial(self._accessors, explained))
            if apis_of(accessors[0]) != apis_of(previous.accessors):
                return None
        return self._assemble(self._structural(results), apis, roots, roots_seen, made, accessors)

    # -- options ---------------------------------------------------------------------------------

    def _assemble(
        self,
        results: Mapping[str, FileResult],
        apis: tuple[Api, ...],
        roots: tuple[Found, ...],
        roots_seen: Seen,
        objects: tuple[tuple[Found, ...], Seen],
        accessors: tuple[tuple[Api, ...], Seen],
    ) -> Discovery:
        made = objects[0]
        assembler = Assembler(
            self.program, self.models, self._infer, self._infer_found, self.values.trail
        )
        for result in results.values():
            self.token.check()
            for site in (*result.settled, *result.dispatched, *result.loads):
                assembler.add_site(site)
            for found in result.declared:
                assembler.add_found(found)
        for found in (*roots, *made):
            assembler.add_found(found)
        superseded = self._of_file(
            "deltas",
            "",
            partial(deprecation.deltas, self.program, self.models, self.values),
            tuple[Found, ...](),
        )
        for found in superseded:
            assembler.add_found(found)
        called = {site.through for result in results.values() for site in result.settled}
        for site in uncalled(self.values, apis, called, made):
            assembler.add_site(site)
        self.token.check()
        comments = Comments(self.program, self.models, self.values)
        options = assembler.options(
            comments.constant,
            combine,
            comments.description,
            comments.deprecated,
            self.made,
            self.changed,
            self._option,
        )
        faults = {
            key: fault
            for key, fault in self.before.items()
            if key[:3] not in self.pieces.done
            and key[0] != "bound"
            and (key[0] != "infer" or key[1] in self.inferences)
        }
        faults |= self.pieces.faults
        own = (one.seen for one in results.values() if one.finds)
        rested = (roots_seen, objects[1], accessors[1], *own)
        for cut in {cut for seen in rested for cut in seen.cuts}:
            faults["bound", *cut] = Fault(*cut, bounded=True)
        table = OptionTable.of(options, assembler.unresolved)
        return Discovery(
            table,
            results,
            apis,
            roots,
            roots_seen,
            self.bindings.now,
            *objects,
            *accessors,
            self.inferences,
            assembler.made,
            self.inferrer.uses,
            self.program,
            self.models.digest,
            faults,
        )

    def _option(self, named: Sequence[Finding], make: Callable[[], Option]) -> Option | None:
        """Return what ``make`` gives of one option's reads and declarations, ``None`` if it fails."""
        first = named[0]
        what = f"option '{first.name}' is left out"
        path, at = ("", 0)
        if first.site is not None:
            path, at = first.site.ref.path, first.site.at
        elif first.found is not None:
            path, at = first.found.path, first.found.at
        return self.pieces.run(("option", path, at, first.name), path, at, what, make, None)

    def _infer(self, site: Site, default: str | None, name: str) -> Inference:
        key = (site, name, default)
        return self._inferred(
            key,
            site.ref.path,
            site.at,
            lambda: self.inferrer.infer(site, default, name),
            lambda: self.inferrer.infer_hint(site.hint, default, name),
        )

    def _inferred(
        self,
        key: object,
        path: str,
        at: int,
        infer: Callable[[], Inference],
        substitute: Callable[[], Inference],
    ) -> Inference:
        """Return what following a value says, or what is known without, where that fails."""

        def make() -> Inference:
            what = "what is done with this option's value is not looked at"
            found = self.pieces.run(("infer", key), path, at, what, infer, None)
            return found or attrs.evolve(substitute(), files=frozenset((path,)))

        found = self.kept.get(key)
        if found is None:
            made, seen = self.values.trail.during(make)
            found = attrs.evolve(
                made, files=made.files | seen.paths, names=made.names | seen.names
            )
        self.inferences[key] = found
        return found

    def _infer_found(self, declared: Found) -> Inference:
        hint, default = declared.hint, declared.default
        member, entry = declared.member or declared.enters, (declared.enters, declared.parameter)
        slot = declared.parameter if declared.member is None else NONE
        stated = partial(self.inferrer.infer_hint, hint, default, declared.name)
        infer = stated
        if member is not None:
            args = (member, hint, default, declared.name, slot, entry)
            infer = partial(self.inferrer.infer_member, *args)
        return self._inferred(declared, declared.path, declared.at, infer, stated)
