"""Reads through references to methods: finds the sites that ``functions`` leads to.

A reference that is called in another body than its own counts where its method is static, belongs to the project, or the object
it is asked of surely holds configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import ReadRow
from conflens.options.member_types import simple
from conflens.options.model import ReadKind
from conflens.options.reads.functions import Functions, Reference, Told, plain, put
from conflens.options.reads.hints import Hints
from conflens.options.reads.prefixes import Prefixes
from conflens.options.reads.wrappers import ApiIndex
from conflens.options.roles import CERTAIN, Roles
from conflens.options.sites import NO_HINT, Hint, Site
from conflens.program.expressions import Context
from conflens.program.templates import Templates, concat

ByRow = Callable[[Context, int, ir.Call, ReadRow, str], Site | None]


_MOST_PASSED = 4_000
"""Calls of functions that one body passes to methods."""
_STEPS = 100
"""What the read that one such call makes costs (``base.budget``): its inference is done anew."""
_TOO_MANY = f"functions passed here are called in more than {_MOST_PASSED:,} places, of which only these are analysed"


class References:
    """Finds reads through references in the bodies of one program."""

    def __init__(
        self,
        functions: Functions,
        models: Models,
        roles: Roles,
        hints: Hints,
        prefixes: Prefixes,
    ) -> None:
        """Find by the rows of ``models``."""
        self.functions = functions
        self._models = models
        self._roles = roles
        self._hints = hints
        self._prefixes = prefixes

    def elsewhere(
        self, context: Context, value: int, call: ir.Call, reference: Reference, site: ByRow
    ) -> Site | None:
        """Return the read of a call that runs a library's method, to which another body refers; ``site`` makes that of a call
        that a row describes."""
        asked = ir.Call(call.at, call.end, NONE, reference.instr.name, call.args, call.name_at)
        for row, domain in self._fitting(reference, len(call.args)):
            return site(context, value, asked, row, domain)
        return None

    def _fitting(self, reference: Reference, count: int) -> Iterator[tuple[ReadRow, str]]:
        """Yield the rows about what a reference means, with the domain of the names."""
        owner = self.functions.owner(reference)
        if owner is None or self.functions.targets(reference, count):
            return
        for row in self._models.reads_by_method.get(reference.instr.name, ()):
            few = count < row.min_args or (row.max_args is not None and count > row.max_args)
            if few or row.write or row.presence or row.named_by:
                continue
            if not self._roles.matches(owner, row.type, row.also_types):
                continue
            if row.evidence == "certain":
                yield row, row.domain
            elif row.evidence == "role" and reference.instr.object != NONE:
                role = self._roles.of(reference.context, reference.instr.object)
                if role.score >= CERTAIN:
                    yield row, role.domain or row.domain

    def passed(
        self,
        context: Context,
        apis: ApiIndex,
        names: frozenset[str],
        cuts: dict[tuple[str, str, int], str],
    ) -> Iterator[Site]:
        """Yield the reads of methods of the project that a body passes references to; ``cuts`` hears of those beyond a bound."""
        wanted = names | apis.names
        left = _MOST_PASSED
        for number in context.of_kind(ir.MethodRef):
            instr = context.code[number]
            if isinstance(instr, ir.MethodRef) and instr.name in wanted:
                reference = Reference(context, number, instr)
                for told in self.functions.told(reference):
                    left -= 1
                    self._roles.program.meter.spend(_STEPS)
                    if left < 0:
                        where = "passed", context.ref.path, context.member.at
                        cuts[where] = _TOO_MANY
                        return
                    yield from self._told(reference, told, apis)

    def _told(self, reference: Reference, told: Told, apis: ApiIndex) -> Iterator[Site]:
        context = reference.context
        count = len(told.arguments)
        for target in self.functions.targets(reference, count):
            for api in apis.by_target.get(target, ()):
                if not plain(api) or api.lookups is not None:
                    continue
                default = put(api.default, told.arguments) if api.default is not None else None
                names = put(api.names, told.arguments)
                hint = api.hint
                result = self.functions.result(target)
                if hint == NO_HINT and result:
                    hint = Hint(java_type=result)
                site = self._made(context, told, api.domain, api.api, names, default, hint)
                yield attrs.evolve(site, through=api.ref)
        for row, domain in self._fitting(reference, count):
            if not isinstance(row.name, int) or not 0 <= row.name < count:
                continue
            names = told.arguments[row.name]
            prefix = self._prefixes.of(context, reference.instr.object)
            if prefix is not None:
                names = concat(prefix, names)
            default = None
            if isinstance(row.default, int) and row.default < count:
                default = told.arguments[row.default]
            asked = ir.Call(
                reference.instr.at, reference.instr.end, NONE, row.method, (), reference.instr.at
            )
            hint = (
                self._hints.of(context, NONE, asked, row)
                if row.class_argument is None
                else NO_HINT
            )
            called = f"{simple(row.type)}.{row.method}"
            yield self._made(context, told, domain, called, names, default, hint)
            return

    def _made(
        self,
        context: Context,
        told: Told,
        domain: str,
        api: str,
        names: Templates,
        default: Templates | None,
        hint: Hint,
    ) -> Site:
        call = context.code[told.call]
        assert isinstance(call, ir.Call)
        base = context.member.at
        given = [value for value in told.given[:1] if value != NONE]
        name = context.code[given[0]] if given else call
        return Site(
            context.ref,
            told.call,
            ReadKind.CALL,
            domain,
            api,
            names,
            given[0] if given else NONE,
            base + call.name_at,
            base + call.end,
            base + call.end,
            base + name.at,
            base + name.end,
            default if default is not None else self.functions.default(context, told),
            hint=hint,
            followed=told.call if self.functions.gives(told.target) else NONE,
            depth=1,
        )
