"""Does an object hold configuration?  Evidence for APIs of types that also hold other things.

A ``java.util.Map`` is configuration only in its role.  Evidence, strongest first: it was made by a call that
gives configuration or was filled by one (container rows), from the command line or from the lines of a file; its names (variable, field, method, type)
hold words that speak for or against it (role rows); it is asked for several constant keys and the
values are converted.  Against beats for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import TypeDecl
from conflens.models.load import Models
from conflens.options.arguments import COMMAND_LINE, fills
from conflens.options.bundles import Bundles, words
from conflens.options.cuts import LINES, Cut, pair
from conflens.program.body_uses import calls_with, loads, returned
from conflens.program.evaluation import Evaluation
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.values import Values

_DEPTH = 4
CERTAIN = 10


@attrs.frozen
class Role:
    """``score`` is positive for configuration, negative against; ``domain`` if the origin tells it.  ``weak``: all that speaks for
    it are words of what anyone gives, such as the parameters of a request."""

    score: int
    domain: str | None = None
    weak: bool = False


def is_stored(models: Models, decl: TypeDecl) -> bool:
    """Tell whether an annotation says that objects of a class are rows of a database."""
    last = (words(note.name.rpartition(".")[2])[-1:] for note in decl.annotations)
    return any(one[0] in models.stored_words for one in last if one)


_NEUTRAL = Role(0)
_TEXTS = Role(-4)


class Roles:
    """Answers for one program and one set of rows; remembers fields."""

    def __init__(
        self,
        program: Program,
        models: Models,
        values: Values,
        is_line: Callable[[Context, Cut], bool],
    ) -> None:
        """Judge objects of ``program`` by the rows of ``models``; ``is_line`` judges lines of a file."""
        self.program = program
        self.values = values
        self.models = models
        self.is_line = is_line
        self._bundles = Bundles(models, values)
        self._evaluation = Evaluation[Role](values.trail, _DEPTH, _NEUTRAL)

    def of(self, context: Context, value: int, depth: int = 0) -> Role:
        """Return the role of an object."""
        if value == NONE:
            return self._type(context.ref.owner)
        if self._evaluation.too_deep(depth):
            return _NEUTRAL
        instr = context.code[value]
        found = self._container(context, value, instr)
        if found is not None:
            return found
        match instr:
            case ir.Load():
                return self._local(context, instr, depth)
            case ir.Name() | ir.Field():
                ref = context.field_of(value)
                own = self._named(instr.name, "field")
                return own if ref is None else _join(own, self._field(ref, depth))
            case ir.Call():
                own = self._named(instr.name, "method")
                type_ = context.type_of(value)
                if type_ is not None:
                    own = _join(own, self._type(type_.name))
                if own.score >= 0 and self._gives_texts(context, value, instr, depth):
                    return _TEXTS
                if own.score == 0 and instr.object != NONE:
                    return self.of(context, instr.object, depth + 1)
                return own
            case ir.This():
                return self._type(context.ref.owner)
            case ir.Cast():
                return self.of(context, instr.value, depth + 1)
            case ir.New():
                type_ = context.type_of(value)
                role = self._type(type_.name) if type_ is not None else _NEUTRAL
                for arg in instr.args[:1]:
                    role = _join(role, self.of(context, arg, depth + 1))
                return role
            case ir.Choice():
                return _join(
                    self.of(context, instr.then, depth + 1),
                    self.of(context, instr.other, depth + 1),
                )
            case _:
                return _NEUTRAL

    def named_field(self, name: str) -> Role:
        """Return the role that the name of a field says."""
        return self._named(name, "field")

    def named_type(self, name: str) -> Role:
        """Return the role that the simple name of a type says."""
        return self._named(name, "type")

    def _named(self, name: str, on: str) -> Role:
        score = 0
        weak, speaks = True, ""
        for word in words(name):
            row = self.models.roles_by_word.get(word)
            speaks = ""
            if row is not None and on in row.on:
                speaks = row.speaks
                score += -4 if speaks == "against" else 1 if row.weak else 2
                weak = weak and row.weak
        if on == "type" and speaks == "against":
            return Role(-4)
        if on == "type" and score > -4:
            score = max(score, 0)
        return Role(max(-6, min(4, score)), weak=weak and score > 0)

    def _keeper(self, owner: str) -> Role:
        """Speak against objects in a type whose name says that it keeps state of its own."""
        info = self.program.type(owner)
        for word in words(info.decl.name) if info is not None else ():
            row = self.models.roles_by_word.get(word)
            if row is not None and row.on == ("type",) and row.speaks == "against":
                return Role(-4)
        return _NEUTRAL

    def _type(self, name: str) -> Role:
        info = self.program.type(name)
        if info is None:
            return _NEUTRAL
        role = self._named(info.decl.name or "", "type")
        return Role(-4) if role.score == 0 and is_stored(self.models, info.decl) else role

    def _container(self, context: Context, value: int, instr: ir.Instr) -> Role | None:
        if not isinstance(instr, ir.Call):
            return None
        for row in self.models.containers_by_method.get(instr.name, ()):
            if row.container != -2 or not self._arity(row.min_args, row.max_args, instr):
                continue
            type_ = context.receiver_type(instr)
            if type_ is not None and self.matches(type_.name, row.type, row.also_types):
                return Role(CERTAIN, row.domain)
        return None

    @staticmethod
    def _arity(low: int, high: int | None, call: ir.Call) -> bool:
        return len(call.args) >= low and (high is None or len(call.args) <= high)

    def matches(self, name: str, wanted: str, also: tuple[str, ...] = ()) -> bool:
        """Tell whether a receiver's type is a row's type, a subtype, or one of its known kin."""
        return name == wanted or name in also or wanted in self.program.supertypes(name)

    def _local(self, context: Context, load: ir.Load, depth: int) -> Role:
        if load.up:
            outer = context.outer(load.up)
            if outer is None:
                return _NEUTRAL
            return self._local(outer, ir.Load(0, 0, load.slot, 0), depth)
        if not 0 <= load.slot < len(context.body.locals):
            return _NEUTRAL
        key = ("local role", context.ref, load.slot)
        return self._evaluation.once(key, depth, lambda: self._local_role(context, load, depth))

    def _local_role(self, context: Context, load: ir.Load, depth: int) -> Role:
        local = context.body.locals[load.slot]
        role = self._named(local.name, "variable")
        type_ = context.local_type(load.slot)
        if type_ is not None:
            role = _join(role, self._type(type_.name))
        role = _join(role, self._keeper(context.ref.owner))
        filled = self._filled(context, loads(context, load.slot))
        if filled is not None:
            return filled
        binder = context.binder(load.slot)
        if binder is not None and isinstance(binder[1], ir.ForEach):
            role = _join(role, self.of(context, binder[1].iterable, depth + 1))
        for store in context.stores(load.slot):
            role = _join(role, self.of(context, store.value, depth + 1))
        return role

    def _field(self, ref: MemberRef, depth: int) -> Role:
        return self._evaluation.once(("role", ref), depth, lambda: self._field_role(ref, depth))

    def _field_role(self, ref: MemberRef, depth: int) -> Role:
        member = self.program.member(ref)
        type_ = self.program.field_type(ref).name
        role = self._type(type_)
        said = type_ == "java.util.Properties" and self._named(member.name, "field").score > 1
        if role.score == 0 and not said:  # the name of its own class says less than its own
            role = self._type(ref.owner)
            role = attrs.evolve(role, score=min(role.score, 2))
        self.values.trail.names.add(member.name)
        numbers = self.program.files[ref.path].names.get(member.name, ())
        for user in (ref, *(self.program.ref(ref.path, number) for number in numbers)):
            context = self.values.open(user)
            named = context.named(member.name)
            held = [number for number in named.loads if context.field_of(number) == ref]
            filled = self._filled(context, held)
            if filled is not None:
                role = filled
                break
            for number in named.stores:
                instr = context.code[number]
                if isinstance(instr, ir.StoreField) and context.target_field(instr) == ref:
                    stored = self.of(context, instr.value, depth + 1)
                    if stored.score >= CERTAIN or (stored.score < 0 and user != ref):
                        role = _join(role, stored)
        return role

    def _gives_texts(self, context: Context, value: int, call: ir.Call, depth: int) -> bool:
        """Tell whether a call loads a resource of texts: one that it names, or that the method loads which it means."""
        if any(self._bundles.is_named(context, arg) for arg in call.args):
            return True
        return any(
            self._evaluation.once(
                ("texts", target), depth, partial(self._returned_texts, target, depth)
            ).score
            < 0
            for target in context.targets(value)[:1]
        )

    def _returned_texts(self, ref: MemberRef, depth: int) -> Role:
        """Return what is known of what a method returns, if it loads that from a resource."""
        inner = self.values.open(ref)
        for value in returned(inner):
            instr = inner.code[value] if value != NONE else None
            texts = False
            if isinstance(instr, ir.Call) and not self._evaluation.too_deep(depth + 1):
                texts = self._gives_texts(inner, value, instr, depth + 1)
            elif isinstance(instr, ir.Load) and not (instr.up or inner.is_parameter(instr.slot)):
                texts = self._filled(inner, loads(inner, instr.slot)) == _TEXTS
            if texts:
                return _TEXTS
        return _NEUTRAL

    def _filled(self, context: Context, held: Collection[int]) -> Role | None:
        """Return the role of the object of these values if some call in this body fills it with configuration."""
        held = frozenset(held)
        for _, instr in calls_with(context, held):
            if instr.object in held and fills(context, instr):
                return Role(CERTAIN, COMMAND_LINE)
            key = pair(context, instr) if instr.object in held else None
            if key is not None and self.is_line(context, key):
                return Role(CERTAIN, LINES)
            for row in self.models.containers_by_method.get(instr.name, ()):
                place = (
                    instr.object
                    if row.container == -1
                    else (
                        instr.args[row.container] if 0 <= row.container < len(instr.args) else NONE
                    )
                )
                if row.container == -2 or place not in held:
                    continue
                type_ = context.receiver_type(instr)
                if type_ is not None and self.matches(type_.name, row.type, row.also_types):
                    if any(self._bundles.is_read(context, arg) for arg in instr.args):
                        return _TEXTS
                    return Role(CERTAIN, row.domain)
        return None


def _join(one: Role, two: Role) -> Role:
    if one.score >= CERTAIN or two.score >= CERTAIN:
        return one if one.score >= two.score else two
    if one.score < 0 or two.score < 0:
        return one if one.score <= two.score else two
    weak = (one.weak or not one.score) and (two.weak or not two.score)
    return Role(
        one.score + two.score, one.domain or two.domain, weak and one.score + two.score > 0
    )
