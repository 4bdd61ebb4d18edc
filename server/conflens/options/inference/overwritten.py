"""Whether a variable may be given another value between where it gets a number and where it is used: then that use may not take it.

Terms
    overwriting  an assignment that may run after a variable has got a number, and reaches a load of it.

An assignment is none where an exception leads to it, nor where only a value that is missing or inside of the bound comes to it.  Where more than
``MOST`` reach a load, all of them count.
Absent: fields.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.uses import Uses
from conflens.flow.ways import FIELD, Node, Ways, number_beside
from conflens.models.load import Models
from conflens.models.schema import RECEIVER
from conflens.options.inference.bound_fact import Bound, bound_of, includes
from conflens.options.inference.conditions import arms, conditions
from conflens.program.reaching import reaching

MOST = 16


class Overwritten:
    """Looks for assignments in the bodies of one program."""

    def __init__(self, uses: Uses, models: Models) -> None:
        """Look into bodies by ``uses``."""
        self.uses = uses
        self.models = models

    def between(self, ways: Ways, node: Node, taker: int, target: Node) -> tuple[int, ...]:
        """Return the overwriting assignments of a load that has a number by a link."""
        code = self.uses.code(target.ref)
        load = code.code[target.value] if target.value != FIELD else None
        if not isinstance(load, ir.Load) or load.up or not code.stores.get(load.slot):
            return ()
        near = node.ref == target.ref and taker in code.stores[load.slot]
        given = taker if near else NONE
        found = reaching(code.context, load.slot, target.value).stores
        if len(found) > MOST:
            return found
        return tuple(
            store
            for store in found
            if store != given
            and not self._carries(ways, code, target, store)
            and _follows(code, load.slot, given, store)
        )

    def spares(self, ways: Ways, target: Node, stores: tuple[int, ...], bound: Bound) -> bool:
        """Tell whether no number outside of a bound comes to the overwriting assignments of a load."""
        code = self.uses.code(target.ref)
        return len(stores) <= MOST and all(
            self._is_spared(ways, code, target, store, bound) for store in stores
        )

    def chosen(self, ways: Ways, node: Node, taker: int, bound: Bound) -> bool:
        """Tell whether a conditional expression, if an instruction is one, gives each number outside of a bound that it is made of."""
        code = self.uses.code(node.ref)
        choice = code.code[taker] if node.value != FIELD and 0 <= taker < len(code.code) else None
        if not isinstance(choice, ir.Choice) or node.value not in (choice.then, choice.other):
            return True
        other = choice.other if node.value == choice.then else choice.then
        if Node(node.ref, other, node.stack) in ways.terms:
            return True
        first = node.value == choice.then
        at = choice.other_start if first else choice.then_start
        return self._is_missing(ways, code, node, choice.test, not first) or self._is_outside(
            ways, code, node, at, bound
        )

    def _carries(self, ways: Ways, code: Code, target: Node, store: int) -> bool:
        instr = code.code[store]
        assert isinstance(instr, ir.Store)
        return Node(target.ref, instr.value, target.stack) in ways.terms

    def _is_spared(self, ways: Ways, code: Code, target: Node, store: int, bound: Bound) -> bool:
        for index in code.branches:
            branch = code.code[index]
            if not isinstance(branch, ir.If) or not branch.then_start <= store < branch.stop:
                continue
            if self._is_missing(ways, code, target, branch.test, store < branch.else_start):
                return True
        return self._is_outside(ways, code, target, store, bound)

    def _is_outside(self, ways: Ways, code: Code, target: Node, at: int, bound: Bound) -> bool:
        """Tell whether a comparison keeps the numbers outside of a bound from an instruction."""
        for value, found in conditions(code, self.uses.rows, self.models).items():
            node = Node(target.ref, value, target.stack)
            term = ways.terms.get(node)
            for one in found if term is not None else ():
                start, stop = arms(code, one)[1]
                if one.unless is not None or not start <= at < stop or term is None:
                    continue
                number = number_beside(self.uses, node, one.other)
                outside = None
                if number is not None:
                    outside = bound_of(ways, code, node, term, one.op, number)
                if outside is not None and includes(outside, bound):
                    return True
        return False

    def _is_missing(self, ways: Ways, code: Code, target: Node, test: int, truth: bool) -> bool:
        """Tell whether there is no number if a test has an outcome."""
        if test == NONE:
            return False
        instr = code.code[test]
        match instr:
            case ir.Unary(op="!"):
                return self._is_missing(ways, code, target, instr.operand, not truth)
            case ir.ShortCircuit():
                sides = (
                    self._is_missing(ways, code, target, side, truth)
                    for side in (instr.left, instr.right)
                )
                return all(sides) if (instr.op == "||") == truth else any(sides)
            case ir.Binary(op="==" | "!="):
                values = [side for side in (instr.left, instr.right) if side != NONE]
                null = any(_is_null(code, side) for side in values)
                held = any(Node(target.ref, one, target.stack) in ways.terms for one in values)
                return null and held and (instr.op == "==") == truth
            case ir.Call():
                given = [(RECEIVER, instr.object), *enumerate(instr.args)]
                return any(
                    row.asks is not None and (row.asks != "present") == truth
                    for place, value in given
                    if Node(target.ref, value, target.stack) in ways.terms
                    for row in self.uses.rows.conversions(code, test, place)
                )
            case _:
                return False


def _is_null(code: Code, value: int) -> bool:
    instr = code.code[value]
    return isinstance(instr, ir.Const) and instr.kind == "n"


def _follows(code: Code, slot: int, given: int, store: int) -> bool:
    """Tell whether an assignment may run after a variable was given a number, other than by an exception there."""
    seen = reaching(code.context, slot, store)
    if given == NONE:
        return seen.entry
    return given in seen.stores and not any(
        isinstance(instr := code.code[number], ir.Try)
        and instr.start <= given < instr.body_stop
        and any(item.start <= store < item.stop for item in instr.catches)
        for number in code.tries
    )
