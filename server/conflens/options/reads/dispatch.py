"""Hand-written dispatch: keys of a configuration and command-line arguments compared with constants.

``if (key.equals("dataDir")) dataDir = value;`` and ``case "-port":`` name options without any API.  A
comparison counts when its subject is an element of an argument list, or a key of an object whose
role is configuration; a parameter counts when a caller passes such a thing, or when name and shape
of the method say so (``dispatch_subjects``).  Command-line names keep their dash, and lose the sign
before a value; words without a dash are commands, not options.  A prefix names a pattern.
The name of an XML node counts where the program itself names the file as configuration, and the comparison leads to the node's text.

The names of methods are those of the JDK's ``String``, ``Iterator``, ``Queue`` and ``List``: they are semantics of
the language's own library, not of any project's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.transfer import EQUALITY
from conflens.models.load import Models
from conflens.options.arguments import COMMAND_LINE, NEXT
from conflens.options.cuts import cut
from conflens.options.model import OptionType, ReadKind
from conflens.options.reads import picked_keys
from conflens.options.reads.dispatch_subjects import (
    Subject,
    Subjects,
    is_first,
    split_text,
)
from conflens.options.reads.nodes import NODES, source_of
from conflens.options.roles import Roles
from conflens.options.sites import NO_HINT, Hint, Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import concat
from conflens.program.types import unboxed
from conflens.program.values import Values

_NOTE = "options.comparing"
_PREFIX = "startsWith"
_SUFFIX = "endsWith"
_JOINTS = "._-"
"""What precedes the last word of a key, where a program compares only that word."""
_REST = frozenset({"substring", "replace", "replaceFirst"})
"""Calls that give an argument without its prefix."""

_LOOKUPS = frozenset({"get", "getProperty", "getOrDefault"})
"""Calls that give the value of a key."""

_SIGNS = "=:"
"""What may stand between the name of an argument and its value."""


_FAULTS = ("Exception", "Error")


@attrs.frozen
class _Compared:
    """A comparison: its value, the constant and its text, the subject, and the code it governs.

    ``at``/``end`` are its place, ``start``/``stop`` the instructions that run when it holds.
    ``prefix``: the subject only begins with the text; ``suffix``: it ends with it.
    """

    value: int
    constant: int
    text: str
    prefix: bool
    subject: int
    at: int
    end: int
    start: int
    stop: int
    root: object
    suffix: bool = False


def find(
    program: Program, models: Models, values: Values, roles: Roles, path: str
) -> Iterator[Site]:
    """Yield the dispatch reads of one file."""
    numbers = program.files[path].hints.get("dispatch", ())
    finder = _Finder(program, models, values, roles)
    for number in numbers:
        yield from finder.body(Context.of(program, program.ref(path, number)))


def _comparing(context: Context) -> list[tuple[int, ir.Call | ir.Switch]]:
    """Return what may compare something in a body, kept with it."""
    kept = context.notes.get(_NOTE)
    if isinstance(kept, list):
        return kept
    found = [
        (value, instr)
        for value, instr in enumerate(context.code)
        if isinstance(instr, ir.Switch) or (isinstance(instr, ir.Call) and instr.args)
    ]
    context.notes[_NOTE] = found
    return found


class _Finder:
    def __init__(self, program: Program, models: Models, values: Values, roles: Roles) -> None:
        self.program = program
        self.models = models
        self.values = values
        self.subjects = Subjects(program, values, roles)
        self._comparers: dict[MemberRef, tuple[int, int] | None] = {}

    def body(self, context: Context) -> Iterator[Site]:
        groups: dict[object, list[_Compared]] = {}
        for compared in self._comparisons(context):
            groups.setdefault(compared.root, []).append(compared)
        for found in groups.values():
            names = frozenset(item.text for item in found)
            subject = self.subjects.of(context, found[0].subject, names)
            if subject is None:
                continue
            seen: set[tuple[str, int]] = set()
            for item in found:
                name = self._name(item, subject)
                if name is not None and (name, item.at) not in seen:
                    seen.add((name, item.at))
                    site = self._site(context, item, name, subject)
                    if site.followed == NONE and subject.domain == COMMAND_LINE:
                        site = self._by_state(context, site, item, groups)
                    taken = site.followed != NONE
                    refused = subject.domain != COMMAND_LINE and _refuses(context, item)
                    if refused and not taken:
                        continue
                    if taken or (subject.domain != NODES and not item.suffix):
                        yield site
        yield from self._picked(context)

    def _picked(self, context: Context) -> Iterator[Site]:
        """Yield the reads of a helper that takes those keys of a map out which have a sign that callers name."""
        seen: set[tuple[str, str, int]] = set()
        for value, instr in _comparing(context):
            one = isinstance(instr, ir.Call) and instr.object != NONE and len(instr.args) == 1
            if not isinstance(instr, ir.Call) or not one or instr.name not in (_PREFIX, _SUFFIX):
                continue
            root = self.subjects.root(context, instr.object)
            if root is None:
                continue
            arm = self._arm(context, value)
            for call in picked_keys.told(self.values, context, instr.object, instr.args[0]):
                subject = self.subjects.keys_of(call.context, call.container)
                if subject is None or not call.text.strip():
                    continue
                ends = instr.name == _SUFFIX
                item = _Compared(
                    value,
                    instr.args[0],
                    call.text,
                    not ends,
                    instr.object,
                    instr.name_at,
                    instr.end,
                    *arm,
                    root,
                    ends,
                )
                subject = self.subjects.with_values(context, subject, instr.object)
                name = self._name(item, subject)
                if name is None or (name, subject.domain, item.at) in seen:
                    continue
                seen.add((name, subject.domain, item.at))
                site = self._site(context, item, name, subject)
                if site.followed != NONE and not self._takes_off(context, item):
                    yield site

    def _takes_off(self, context: Context, item: _Compared) -> bool:
        """Tell whether the keys lose the start that is compared: what is looked up in what they are put into tells their names."""
        return any(
            self._is_rest(context, instr, item)
            for instr in context.code.within(item.start, item.stop)
        )

    @staticmethod
    def _name(item: _Compared, subject: Subject) -> str | None:
        """Return the option that a comparison names: a command without a dash is none."""
        domain, text = subject.domain, item.text
        if subject.dashes and domain == COMMAND_LINE and text[:1] != "-":
            text = f"{subject.dashes}{text}"
        if item.suffix:
            told = domain not in (COMMAND_LINE, NODES) and text[0] in _JOINTS and len(text) > 2
            return f"*{text}" if told else None
        if domain == COMMAND_LINE:
            named = text.startswith("-") or subject.paired
            if not named or not text.strip("-" + _SIGNS):
                return None
            if item.prefix and text[-1] in _SIGNS:
                return text[:-1]
        if not item.prefix:
            return text
        return f"{text}*" if len(text) > 1 else None

    # -- comparisons -----------------------------------------------------------------------------

    def _comparisons(self, context: Context) -> Iterator[_Compared]:
        for value, instr in _comparing(context):
            if isinstance(instr, ir.Call):
                yield from self._call(context, value, instr)
            else:
                yield from self._switch(context, instr)

    def _call(self, context: Context, value: int, call: ir.Call) -> Iterator[_Compared]:
        pairs: list[tuple[int, int]] = []
        if (
            call.object != NONE
            and len(call.args) == 1
            and (call.name in EQUALITY or call.name in (_PREFIX, _SUFFIX))
        ):
            pairs = [(call.object, call.args[0])]
            if call.name in EQUALITY:
                pairs.append((call.args[0], call.object))
        elif len(call.args) >= 2:
            compared = self._comparer(context, value)
            if compared is not None and max(compared) < len(call.args):
                pairs = [(call.args[compared[0]], call.args[compared[1]])]
                pairs.append((pairs[0][1], pairs[0][0]))
        for subject, constant in pairs:
            place = self.subjects.root(context, subject)
            whole = call.name in EQUALITY
            texts = self._texts(context, constant, whole) if place is not None else []
            start, stop = self._arm(context, value)
            for text in texts:
                yield _Compared(
                    value,
                    constant,
                    text,
                    call.name == _PREFIX,
                    subject,
                    call.name_at,
                    call.end,
                    start,
                    stop,
                    place,
                    call.name == _SUFFIX,
                )
            if texts:
                return

    def _texts(self, context: Context, value: int, whole: bool = False) -> list[str]:
        """Return the constants that something is compared with, also made of others if it is compared as a ``whole``."""
        instr = context.code[value]
        joined = whole and isinstance(instr, ir.Binary) and instr.op == "+"
        if not joined and not isinstance(instr, (ir.Const, ir.Name, ir.Field)):
            if not isinstance(instr, ir.Call) or instr.args or instr.object == NONE:
                return []
            if not isinstance(context.code[instr.object], (ir.Name, ir.Field)):
                return []
        found = []
        for parts in self.values.of(context, value):
            if len(parts) == 1 and isinstance(parts[0], str) and parts[0].strip():
                found.append(parts[0])
            else:
                return []
        return found if len(found) <= 2 else []

    def _comparer(self, context: Context, value: int) -> tuple[int, int] | None:
        """Return the parameters that a called project method compares for equality."""
        targets = context.targets(value)
        if not targets:
            return None
        target = targets[0]
        if target not in self._comparers:
            self._comparers[target] = self._compares(target)
        return self._comparers[target]

    def _compares(self, ref: MemberRef) -> tuple[int, int] | None:
        inner = self.values.open(ref)
        if len(inner.code) > 40:
            return None
        for instr in inner.code:
            if (
                not isinstance(instr, ir.Call)
                or instr.name not in EQUALITY
                or len(instr.args) != 1
            ):
                continue
            if instr.object == NONE:
                continue
            one, two = inner.code[instr.object], inner.code[instr.args[0]]
            if (
                isinstance(one, ir.Load)
                and isinstance(two, ir.Load)
                and inner.is_parameter(one.slot)
                and inner.is_parameter(two.slot)
            ):
                return one.slot, two.slot
        return None

    def _switch(self, context: Context, switch: ir.Switch) -> Iterator[_Compared]:
        if switch.subject == NONE:
            return
        place = self.subjects.root(context, switch.subject)
        if place is None:
            return
        for case in switch.cases:
            for label in case.labels:
                instr = context.code[label]
                if not (isinstance(instr, ir.Const) and instr.kind == "s") and not isinstance(
                    instr, (ir.Name, ir.Field)
                ):
                    continue
                if isinstance(instr, (ir.Name, ir.Field)):
                    field = context.field_of(label)
                    if field is None or self.program.member(field).kind == "enum_constant":
                        continue
                for text in self._texts(context, label):
                    stop = self._case_stop(switch, case)
                    yield _Compared(
                        label,
                        label,
                        text,
                        False,
                        switch.subject,
                        instr.at,
                        instr.end,
                        case.start,
                        stop,
                        place,
                    )

    @staticmethod
    def _case_stop(switch: ir.Switch, case: ir.Case) -> int:
        """Return the end of the code a case runs: an empty group falls through to the next."""
        if case.stop > case.start:
            return case.stop
        later = [other.stop for other in switch.cases if other.start >= case.start]
        return next((stop for stop in later if stop > case.start), case.stop)

    def _arm(self, context: Context, value: int) -> tuple[int, int]:
        """Return the code that runs when the comparison holds; empty if it cannot be told."""
        for number in range(value + 1, min(value + 40, len(context.code))):
            instr = context.code[number]
            if isinstance(instr, ir.If):
                return instr.then_start, instr.else_start
            if isinstance(instr, ir.Choice) and instr.test == value:
                return instr.then_start, instr.other_start
            if isinstance(instr, ir.Unary) and instr.op == "!" and instr.operand == value:
                return 0, 0
            if isinstance(instr, (ir.Store, ir.StoreField, ir.Return)):
                return 0, 0
        return 0, 0

    # -- sites -----------------------------------------------------------------------------------

    def _site(self, context: Context, item: _Compared, name: str, subject: Subject) -> Site:
        member = context.member
        constant = context.code[item.constant]
        followed = self._followed(context, item, subject)
        hint = NO_HINT
        if followed == NONE and self._sets_flag(context, item):
            hint = Hint(OptionType.BOOLEAN)
        names = concat(subject.prefix, ((name,),))
        owner = self.program.type(context.ref.owner)
        api = owner.decl.name if owner is not None and owner.decl.name else "dispatch"
        return Site(
            context.ref,
            item.value,
            ReadKind.DISPATCH,
            subject.domain,
            f"{api}.{member.name}",
            names,
            item.constant,
            member.at + item.at,
            member.at + item.end,
            member.at + item.end,
            member.at + constant.at,
            member.at + constant.end,
            hint=hint,
            followed=followed,
        )

    def _by_state(
        self,
        context: Context,
        site: Site,
        item: _Compared,
        groups: Mapping[object, list[_Compared]],
    ) -> Site:
        """Return a read whose value is the argument that comes next: one turn of a loop puts a word into a local, and the next
        compares the local with that word."""
        for number in range(item.start, min(item.stop, len(context.code))):
            store = context.code[number]
            word = (
                context.code[store.value]
                if isinstance(store, ir.Store) and not store.up and store.value != NONE
                else None
            )
            if not isinstance(store, ir.Store) or not isinstance(word, ir.Const):
                continue
            for other in groups.get(("local", store.slot, 0), ()):
                if other.text != word.value or other.root == item.root:
                    continue
                for value in range(other.start, min(other.stop, len(context.code))):
                    load = context.code[value]
                    if isinstance(load, ir.Load) and ("local", load.slot, load.up) == item.root:
                        return attrs.evolve(site, followed=value, hint=NO_HINT)
        return site

    def _followed(self, context: Context, item: _Compared, subject: Subject) -> int:
        """Return the instruction in the arm that holds the option's value."""
        for number in range(item.start, min(item.stop, len(context.code))):
            instr = context.code[number]
            if isinstance(instr, ir.Load) and instr.slot in subject.value_slots and not instr.up:
                return number
            if subject.line is not None:
                part = cut(context, number)
                if part is not None and not part.first and part.line == subject.line:
                    return number
            if subject.domain == NODES:
                if self._is_text(context, instr, subject) or self._is_made_of_node(
                    context, number, instr, subject
                ):
                    return number
                continue
            own = self._is_rest if subject.domain == COMMAND_LINE else self._is_looked_up
            if own(context, instr, item) or self._is_of_entry(context, instr, item):
                return number
            if isinstance(instr, ir.Index) and subject.domain == COMMAND_LINE:
                if self._is_value(context, instr, item, subject):
                    return number
            elif (
                isinstance(instr, ir.Call)
                and instr.object != NONE
                and (instr.name in NEXT or (instr.name == "get" and len(instr.args) == 1))
                and subject.source is not None
                and source_of(context, instr.object) == subject.source
            ):
                return number
        return NONE

    def _is_rest(self, context: Context, instr: ir.Instr, item: _Compared) -> bool:
        """Tell whether a call gives what stands behind the prefix of the same argument."""
        return (
            item.prefix
            and isinstance(instr, ir.Call)
            and instr.name in _REST
            and instr.object != NONE
            and self.subjects.root(context, instr.object) == item.root
        )

    def _is_text(self, context: Context, instr: ir.Instr, subject: Subject) -> bool:
        """Tell whether a call gives the text of the node whose name is compared."""
        return (
            subject.source is not None
            and self.subjects.nodes.of_text(context, instr) == subject.source
        )

    def _is_made_of_node(
        self, context: Context, value: int, instr: ir.Instr, subject: Subject
    ) -> bool:
        """Tell whether a method of the project makes a plain value of the node whose name is compared (``parseLong(child)``)."""
        if not isinstance(instr, ir.Call) or subject.source is None:
            return False
        if not any(self.subjects.nodes.of(context, arg) == subject.source for arg in instr.args):
            return False
        found = [self.program.return_type(target) for target in context.targets(value)[:1]]
        return any(
            type_ is not None
            and (type_.name == "java.lang.String" or unboxed(type_) not in ("", "void"))
            for type_ in found
        )

    def _is_looked_up(self, context: Context, instr: ir.Instr, item: _Compared) -> bool:
        """Tell whether a call gives the value of the compared key."""
        return (
            isinstance(instr, ir.Call)
            and instr.name in _LOOKUPS
            and instr.object != NONE
            and len(instr.args) in (1, 2)
            and self.subjects.root(context, instr.args[0]) == item.root
        )

    def _is_of_entry(self, context: Context, instr: ir.Instr, item: _Compared) -> bool:
        """Tell whether a call gives the value of the entry whose key is compared."""
        return (
            isinstance(instr, ir.Call)
            and instr.name == "getValue"
            and instr.object != NONE
            and not instr.args
            and self.subjects.root(context, instr.object) == item.root
        )

    def _is_value(
        self, context: Context, index: ir.Index, item: _Compared, subject: Subject
    ) -> bool:
        """Tell whether an element is the argument that follows, or the part behind the sign."""
        if index.array == NONE:
            return False
        text = split_text(context, index.array)
        if text != NONE:
            same = source_of(context, index.array) == subject.source
            return not is_first(context, index) and (
                same or self.subjects.root(context, text) == item.root
            )
        return source_of(context, index.array) == subject.source

    @staticmethod
    def _sets_flag(context: Context, item: _Compared) -> bool:
        for number in range(item.start, min(item.stop, len(context.code))):
            instr = context.code[number]
            if isinstance(instr, (ir.Store, ir.StoreField)) and instr.value != NONE:
                stored = context.code[instr.value]
                if isinstance(stored, ir.Const) and stored.kind == "b":
                    return True
        return False


def _refuses(context: Context, item: _Compared) -> bool:
    """Tell whether all that is done for a key is to say that it is none that anyone may set."""
    code = context.code.within(item.start, item.stop)
    if any(isinstance(instr, (ir.Store, ir.StoreField, ir.If)) for instr in code):
        return False
    ends = any(isinstance(instr, (ir.Throw, ir.Return)) for instr in code)
    return ends and any(
        isinstance(instr, ir.New) and instr.type.endswith(_FAULTS) for instr in code
    )
