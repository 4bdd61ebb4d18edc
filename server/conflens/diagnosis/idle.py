"""Waiting that costs nobody anything: of threads that have nothing to do.

A pool's thread that waits for a task, and a background thread that sleeps between two looks, wait through most of a run
whatever the run does.  How long they do says how long the run is.

Terms
    idle   sleeping or waiting, either on a chain without a method of the project, or in a loop of the thread's own.
    own    of a thread: the project's first method below what begins a thread, or the one that it calls to, of the same class;
           the loop has no count (``while``, ``do``, ``for (;;)``), and no method of another class is on the chain, except of
           collections: a queue hands tasks over, and works on none.

What a task waits for while it is worked on is not idle: its methods are of other classes than the loop that took it.
Absent: whether idle time counts (``collecting``).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from conflens.diagnosis.results import Hotspot, Located
from conflens.diagnosis.sharing import Sharing
from conflens.diagnosis.sites import calls_to
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.guards import enclosing_loops
from conflens.flow.kinds import kind_of
from conflens.profiling.model import BLOCKED, EventKind
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType

_COLLECTION = "list"
"""The kind of collections, among them queues (``flow.kinds``)."""


def is_idle(sharing: Sharing, node: int) -> bool:
    """Tell whether what is done at a node of a merged tree is idle."""
    merged = sharing.merged
    if merged.kind not in BLOCKED:
        return False
    if sharing.near[node] < 0:
        return True
    nodes = merged.chain(node)
    located = [merged.methods.located[merged.method[one]] for one in nodes]
    first = next(at for at, one in enumerate(located) if one.ref is not None)
    if not first and not sharing.begins_thread(nodes[0]):
        return False
    own = _outermost(located[first])
    others = {one.ref.owner for one in located[first:] if one.ref and _outermost(one) != own}
    program = sharing.linker.program
    if any(kind_of(program, JavaType(other)) != _COLLECTION for other in others):
        return False
    return any(
        _is_in_endless_loop(sharing, caller, callee, merged.site[below])
        for (caller, callee), below in zip(
            itertools.pairwise(located[first:]), nodes[first + 1 :], strict=True
        )
        if caller.ref is not None
    )


def idle_members(hotspots: Iterable[Hotspot]) -> frozenset[tuple[MemberRef, EventKind]]:
    """Return the members on chains of idle hotspots, by kind, that are on no other chain of the kind."""
    idle: set[tuple[MemberRef, EventKind]] = set()
    busy: set[tuple[MemberRef, EventKind]] = set()
    for hotspot in hotspots:
        if hotspot.kind in BLOCKED:
            refs = (frame.ref for chain in hotspot.chains for frame in chain.frames)
            found = idle if hotspot.idle else busy
            found.update((ref, hotspot.kind) for ref in refs if ref is not None)
    return frozenset(idle - busy)


def _outermost(located: Located) -> str:
    return located.frame.owner.partition("$")[0]


def _is_in_endless_loop(sharing: Sharing, caller: Located, callee: Located, line: int) -> bool:
    ref = caller.ref
    assert ref is not None
    index = sharing.linker.index
    calls: Sequence[int] = calls_to(index, ref, callee.frame, line, caller.frame)
    code = sharing.linker.objects.code(ref)
    return bool(calls) and all(
        any(_is_endless(code.code[loop]) for loop in enclosing_loops(code, call)) for call in calls
    )


def _is_endless(loop: ir.Instr) -> bool:
    """Tell whether a loop has no count."""
    return isinstance(loop, ir.Loop) and (loop.kind in ("while", "do") or loop.test == NONE)
