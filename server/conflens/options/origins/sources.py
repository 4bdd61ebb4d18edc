"""Does what is bound come from where configuration enters, or is it data?

``ENTERED``: something on the way is a command line, a file, a packaged resource, the environment, or an object that
configuration rows or names speak for.  ``DATA``: something on the way has a name that speaks against
(a request, a message, a database's result).  ``UNKNOWN``: neither, such as the text given to a public
method that nothing here calls.  The words are role rows, those ``on = "source"`` among them.
Absent: how a value is followed (``backward``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.constant_arguments import rendered, words
from conflens.options.member_types import simple
from conflens.options.origins.backward import CALLERS, HOPS, Part, parts, stored
from conflens.options.origins.posted import brought
from conflens.options.origins.tracing import Call, Tracer, Value, root
from conflens.options.roles import Roles
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef

ENTERED, UNKNOWN, DATA = 1, 0, -1
_FILE = re.compile(r"(?i)[\w-]\.(?:xml|conf|cfg|config|properties|json|ya?ml|toml|ini|hocon)\Z")
TEXTS = frozenset({"java.lang.String", "java.lang.CharSequence", "byte[]"})
_MAPS = frozenset({"java.util.Map", "java.util.Dictionary"})


class Sources:
    """Judges values of one program."""

    def __init__(self, tracer: Tracer, models: Models, roles: Roles) -> None:
        """Judge by the rows of ``models``."""
        self.tracer = tracer
        self.models = models
        self.roles = roles
        self.formats = frozenset(
            word
            for row in models.reads
            if row.evidence == "opened"
            for word in words(simple(row.type))
        )

        self._mappers = frozenset(
            name
            for row in models.bindings
            if row.shape == "class" and row.prefix is None and row.evidence == "role"
            for name in (row.type, *row.also_types)
            if isinstance(row.argument, int) and row.argument > 0
        )

    def of(
        self,
        context: Context,
        values: Iterable[int],
        hops: int = 0,
        ignored: Collection[str] = (),
    ) -> int:
        """Return what the first value on the way that says anything speaks for; data beats.  Words ``ignored`` say nothing."""
        found = UNKNOWN
        for value in values:
            field = context.field_of(value) if value != NONE else None
            if field is None:
                speaks = self._first(parts(self.tracer, context, value, hops), ignored)
            else:
                speaks = self._part(Part(context, value, hops), ignored)
                if speaks != DATA:
                    behind = self._stored(field, hops, frozenset(ignored))
                    speaks = behind if behind == DATA else speaks or behind
            if speaks == DATA:
                return DATA
            found = found or speaks
        return found

    def _first(self, found: Iterable[Part], ignored: Collection[str]) -> int:
        """Return what the first of some values that says anything speaks for; data beats."""
        first = UNKNOWN
        for part in found:
            speaks = self._part(part, ignored)
            if speaks == DATA:
                return DATA
            first = first or speaks
        return first

    def _stored(self, field: MemberRef, hops: int, ignored: frozenset[str]) -> int:
        """Return what is said of all that is stored in a field, found out once for all of its reads."""
        return self.tracer.values.trail.remembered(
            ("stored", field, hops, ignored),
            lambda: self._first(stored(self.tracer, field, hops), ignored),
        )

    def is_fed_data(self, context: Context, value: int, hops: int) -> bool:
        """Tell whether data is among what a value is made from, over at most ``hops`` calls and fields."""
        field = context.field_of(value) if value != NONE else None
        if field is None:
            return self._any_data(parts(self.tracer, context, value), hops)
        return self._any_data((Part(context, value, 0),), hops) or (
            self.tracer.values.trail.remembered(
                ("stored data", field, hops),
                lambda: self._any_data(stored(self.tracer, field, 0), hops),
            )
        )

    def is_fed_only_data(self, context: Context, value: int, hops: int) -> bool:
        """Tell whether every caller makes a value from data; if only some callers pass data, it is not data for the others."""
        return self.tracer.values.trail.remembered(
            ("only data", context.ref, value, hops),
            lambda: self._is_fed_only_data(context, value, hops),
        )

    def _is_fed_only_data(self, context: Context, value: int, hops: int) -> bool:
        slot = self._given(context, value) if hops else None
        calls = [
            (caller, args[slot])
            for caller, _, args in self._calls(context, slot)
            if slot is not None and slot < len(args) and not is_test_path(caller.ref.path)
        ]
        if calls:
            return all(self.is_fed_only_data(*call, hops - 1) for call in calls)
        return self.is_fed_data(context, value, hops)

    def _calls(self, context: Context, slot: int | None) -> Sequence[Call]:
        return () if slot is None else self.tracer.callers(context.ref, judged=True)[:CALLERS]

    def _given(self, context: Context, value: int) -> int | None:
        """Return the parameter that a value is, or is part of, unless something on the way is called after data."""
        for _ in range(HOPS):
            if value == NONE or self._part(Part(context, value, 0)) == DATA:
                return None
            instr = context.code[value]
            if isinstance(instr, ir.Call) and not instr.args:
                value = instr.object
            elif isinstance(instr, ir.Load) and not instr.up:
                stores = context.stores(instr.slot)
                if context.is_parameter(instr.slot):
                    return None if stores else instr.slot
                if len(stores) != 1:
                    return None
                value = stores[0].value
            else:
                return None
        return None

    def _any_data(self, found: Iterable[Part], hops: int) -> bool:
        return any(
            part.hops <= hops
            and not _is_constant(part)
            and (self._part(part) == DATA or self._asks_constant(part))
            for part in found
        )

    def _asks_constant(self, part: Part) -> bool:
        """Tell whether a call asks a constant object, none of the JDK, that is called after data (``COOKIES.load(name)``)."""
        call = part.instr
        if not isinstance(call, ir.Call) or call.object == NONE:
            return False
        asked = Part(part.context, call.object, part.hops)
        type_ = part.context.type_of(call.object) if _is_constant(asked) else None
        own = type_ is not None and self.tracer.program.jdk_type(type_.name) is None
        return own and self._part(asked) == DATA

    def opened(
        self, context: Context, value: int, ignored: Collection[str] = (), hops: int = 0
    ) -> bool:
        """Tell whether a value comes from a file that the program itself names as configuration, and from no data.

        So does what a library hands to a method that overrides one of its own (``overridden``).
        The nearest name of a file counts, be it a text or that of a variable that holds it (``configFile``), or the nearest class whose name says that it reads or holds configuration.  The words
        of the library's types, such as ``Document`` and ``Element``, and those ``ignored`` say nothing, nor does where the object comes from that parses a text.
        Fewer ``hops`` than none lead further back.
        """
        silent = self.formats.union(ignored)
        named: bool | None = None
        for part in parts(self.tracer, context, value, hops, tools=self._mappers):
            instr = part.instr
            if self._is_handed(part):
                return True
            if (
                named is None
                and (part.value == value or not self._is_helper(part))
                and self._reads_configuration(part.context)
            ):
                return True
            if named is None and self._is_called_file(part):
                named = True
            if isinstance(instr, (ir.Const, ir.Binary)):
                named = self._names_file(part) if named is None else named
            elif self._part(part, silent) == DATA:
                return False
        return named is True

    def _is_handed(self, part: Part) -> bool:
        """Tell whether a value is a parameter that a library gives an object that holds configuration."""
        context, load = part.context, part.instr
        rows = self.models.handed_by_method.get(context.member.name, ())
        if not rows or not isinstance(load, ir.Load) or load.up:
            return False
        if not context.is_parameter(load.slot):
            return False
        above = self.tracer.program.supertypes(context.ref.owner)
        return any(
            row.container == load.slot
            and row.min_args <= len(context.member.params)
            and not {row.type, *row.also_types}.isdisjoint(above)
            for row in rows
        )

    def _is_helper(self, part: Part) -> bool:
        """Tell whether a value is an object of the project, which may have helped to read a file but is none."""
        type_ = part.context.type_of(part.value)
        return type_ is not None and self.tracer.program.type(type_.name) is not None

    def is_in_configuration(self, context: Context) -> bool:
        """Tell whether code stands in a class, or within one, whose name says that it holds or reads configuration."""
        owner = context.ref.owner
        while owner:
            if self._is_configuration(owner):
                return True
            info = self.tracer.program.type(owner)
            owner = info.outer if info is not None else ""
        return False

    def _reads_configuration(self, context: Context) -> bool:
        """Tell whether code stands in a class whose name says that it holds configuration (``SslConfig``) or reads it (``ConfigParser``)."""
        return self._is_configuration(context.ref.owner)

    def _is_configuration(self, owner: str) -> bool:
        rows = [self.models.roles_by_word.get(word) for word in words(simple(owner))]
        while rows and (row := rows[-1]) is not None and "reader" in row.on:
            rows.pop()
        head = rows[-1] if rows else None
        return head is not None and "head" in head.on and head.speaks == "for"

    def carrier(
        self, context: Context, value: int, lookup: ir.Call, hops: int = 0
    ) -> tuple[int, str | None]:
        """Return what is said of the object that a lookup asks, and its domain."""
        own = lookup.object == NONE
        return self.judged(context, value if own else lookup.object, hops, is_carrier=not own)

    def judged(
        self, context: Context, value: int, hops: int = 0, *, is_carrier: bool = True
    ) -> tuple[int, str | None]:
        """Return what is said of the carrier that a value is or was made from, and its domain."""
        best: tuple[int, str | None] = (UNKNOWN, None)
        for part in parts(self.tracer, context, value, hops):
            asked = is_carrier and part.value == value
            if not asked and not self.is_map(part.context, part.value):
                continue
            role = self.roles.of(part.context, part.value)
            if role.score < 0:
                return DATA, role.domain
            if role.score > 0 and (best[0] == UNKNOWN or (best[1] is None and role.domain)):
                best = (ENTERED, role.domain)
        return best

    def speaks(self, carrier: Value | None) -> bool:
        """Tell whether the nearest name on the way to a carrier that says anything speaks for configuration, and not only for
        what anyone gives."""
        for part in parts(self.tracer, *carrier) if carrier is not None else ():
            role = self.roles.of(part.context, part.value)
            if role.score and not role.weak:
                return role.score > 0
            if self._part(part) == DATA:
                return False
        return False

    def _part(self, part: Part, ignored: Collection[str] = ()) -> int:
        context, instr = part.context, part.instr
        type_ = context.type_of(part.value)
        # A text may be kept, and hold configuration.
        text = type_ is not None and type_.name in TEXTS
        if (
            isinstance(instr, (ir.Call, ir.Field))
            and not text
            and self._is_posted(context, instr.object)
        ):
            return DATA
        # A dictionary holds whatever it is given: the name of the library's type says nothing.
        name = simple(type_.name) if type_ is not None and type_.name not in _MAPS else ""
        if isinstance(instr, ir.New):
            name = simple(instr.type.partition("<")[0])
        speaks = self._words([word for word in words(name) if word not in ignored])
        if isinstance(instr, ir.Call) and not self._is_element(context, instr):
            called = [word for word in words(instr.name) if word not in ignored]
            speaks = min(speaks, self._words(called), key=_strength)
        elif isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
            params = context.member.params
            if context.member.name == "main" and [item.type for item in params] == ["String[]"]:
                return ENTERED
            if instr.slot < len(params):
                if type_ is not None and type_.name in TEXTS:
                    # A parameter called after a response or a message holds what somebody sent.
                    sent = self._words(words(params[instr.slot].name))
                    speaks = DATA if sent == DATA else speaks
                for annotation in params[instr.slot].annotations:
                    speaks = min(
                        speaks, self._words(words(simple(annotation.name))), key=_strength
                    )
        if speaks == UNKNOWN and self.is_map(part.context, part.value) and not _is_inner(part):
            score = self.roles.of(context, part.value).score
            speaks = ENTERED if score > 0 else DATA if score < 0 else UNKNOWN
        return speaks

    def is_of_request(self, context: Context, value: int) -> bool:
        """Tell whether a value is what an object has that a request brings (``deploy.getEnv().get()``)."""
        for _ in range(HOPS):
            value = root(context, value)
            instr = context.code[value] if value != NONE else None
            if not isinstance(instr, (ir.Call, ir.Field)):
                return False
            if self._is_posted(context, instr.object):
                return True
            value = instr.object
        return False

    def _is_posted(self, context: Context, value: int) -> bool:
        """Tell whether an object is one that requests bring, or a part of one."""
        type_ = context.type_of(value) if value != NONE else None
        return type_ is not None and type_.name in brought(self.tracer.program, self.models)

    def _is_called_file(self, part: Part) -> bool:
        """Tell whether a variable holds a file, or what is read from one, and is called configuration."""
        context, load = part.context, part.instr
        type_ = context.type_of(part.value) if isinstance(load, ir.Load) and not load.up else None
        if (
            type_ is None
            or not isinstance(load, ir.Load)
            or type_.name not in self.models.file_types
        ):
            return False
        rows = map(self.models.roles_by_word.get, words(context.body.locals[load.slot].name))
        return any(row is not None and "head" in row.on and row.speaks == "for" for row in rows)

    def _is_element(self, context: Context, call: ir.Call) -> bool:
        """Tell whether a call asks an annotation, which holds constants: its name says nothing of where a value comes from."""
        type_ = context.receiver_type(call) if not call.args else None
        info = self.tracer.program.type(type_.name) if type_ is not None else None
        return info is not None and info.decl.kind == "annotation"

    def _names_file(self, part: Part) -> bool | None:
        """Tell whether the name of a file says that it, or its folder, is configuration; ``None`` for another text."""
        found = None
        for template in self.tracer.values.of(part.context, part.value):
            text = rendered(template)
            if _FILE.search(text):
                rows = map(self.models.roles_by_word.get, words(text))
                speaks = (row is not None and row.speaks == "for" for row in rows)
                found = any(speaks) or found is True
        return found

    def _words(self, found: Sequence[str]) -> int:
        """Return what the words of a name speak for; the last one says what it is, if that is configuration."""
        last = self.models.roles_by_word.get(found[-1]) if found else None
        if last is not None and "head" in last.on and last.speaks == "for":
            return UNKNOWN
        speaks = UNKNOWN
        for row in map(self.models.roles_by_word.get, found):
            if row is None:
                continue
            if row.speaks == "against" and ("type" in row.on or "source" in row.on):
                return DATA
            if row.speaks == "for" and "source" in row.on:
                speaks = ENTERED
        return speaks

    def is_data(self, name: str) -> bool:
        """Tell whether a type's name speaks against configuration."""
        return self._words(words(simple(name))) == DATA

    def is_map(self, context: Context, value: int) -> bool:
        """Tell whether a value holds others by key."""
        type_ = context.type_of(value)
        return type_ is not None and (
            type_.name in _MAPS or not _MAPS.isdisjoint(self.tracer.program.supertypes(type_.name))
        )


def _is_constant(part: Part) -> bool:
    """Tell whether a value is a constant, such as ``Locale.ROOT``, whose type says nothing about the rest."""
    return isinstance(part.instr, (ir.Name, ir.Field)) and part.instr.name.isupper()


def _is_inner(part: Part) -> bool:
    """Tell whether a value is a local of another method, whose name says nothing about what the method was given."""
    context, instr = part.context, part.instr
    return (
        part.hops > 0
        and isinstance(instr, ir.Load)
        and not instr.up
        and not context.is_parameter(instr.slot)
    )


def _strength(speaks: int) -> int:
    """Order: data, entered, unknown."""
    return {DATA: 0, ENTERED: 1, UNKNOWN: 2}[speaks]
