"""The line being typed: what is new on it waits until the person pauses, saves, or types elsewhere.

A statement that is not finished looks wrong, and a message that comes and goes with every key, or a hint that moves
what is being written, is noise.  What stood on the line before typing began stays, and what is wrong no more goes at once.
In a config file only what is said of the key waits.
Terms: a document is *quiet* in one line, from an edit in it until ``PAUSE`` seconds later; ``held`` says that something
was kept back there.
Invariants: an edit of several lines, or of several places, is no typing.  What is kept back is told when the pause is over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

import attrs
from lsprotocol import types

from conflens.checking.results import Code
from conflens.lsp.workspace.documents import Edit
from conflens.lsp.workspace.view import Shift

_OF_KEYS = frozenset(
    (Code.UNKNOWN_OPTION, Code.UNUSED_OPTION, Code.DUPLICATE_KEY, Code.OVERRIDDEN_KEY)
)
"""What is said of a key in a config file: half of a name is no name.  What is wrong with a value is told at once."""
PAUSE = 1.0
_MAX_TYPED = 20
"""A key writes a character or a pair, an accepted proposal a word; longer texts are whole, and nobody is in the middle of
writing them."""


@attrs.define
class _Typing:
    line: int
    whole: bool
    """Whether nothing new is said of the line; else nothing of its key."""
    timer: asyncio.TimerHandle
    held: bool = False

    def holds(self, item: types.Diagnostic) -> bool:
        return item.range.start.line == self.line and (self.whole or item.code in _OF_KEYS)


class Quiet:
    """See the module text.  Documents are known by their URI; used on one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, over: Callable[[str], None]) -> None:
        """``over`` hears of a document in which something was kept back and now may be told."""
        self._loop = loop
        self._over = over
        self._typing: dict[str, _Typing] = {}
        self._hints: dict[str, dict[int, frozenset[str]]] = {}

    def typed(self, uri: str, line: int | None, *, java: bool = True) -> None:
        """Hear of an edit, in ``line`` if somebody is typing there; ``java`` is whether it is in a Java file."""
        before = self._typing.pop(uri, None)
        if before is not None:
            before.timer.cancel()
        if line is not None:
            timer = self._loop.call_later(PAUSE, self.ended, uri)
            held = before is not None and before.held
            self._typing[uri] = _Typing(line, java, timer, held)
        elif before is not None and before.held:
            self._over(uri)

    def ended(self, uri: str) -> None:
        """Hear that nobody types in a document any more."""
        self.typed(uri, None)

    def closed(self, uri: str) -> None:
        """Forget a document."""
        before = self._typing.pop(uri, None)
        if before is not None:
            before.timer.cancel()
        self._hints.pop(uri, None)

    def stop(self) -> None:
        """Forget all."""
        for uri in list(self._typing):
            self.closed(uri)

    def diagnostics(
        self,
        uri: str,
        items: tuple[types.Diagnostic, ...],
        shown: Sequence[types.Diagnostic],
    ) -> tuple[types.Diagnostic, ...]:
        """Return those that can be told now; ``shown`` is what the client shows already."""
        typing = self._typing.get(uri)
        if typing is None:
            return items
        known = {item.code for item in shown if item.range.start.line == typing.line}
        told = tuple(item for item in items if not typing.holds(item) or item.code in known)
        typing.held = typing.held or len(told) < len(items)
        return told

    def hints(
        self, uri: str, asked: types.Range, hints: Iterable[types.InlayHint]
    ) -> list[types.InlayHint]:
        """Return those that can be shown now, and remember them as shown."""
        found = list(hints)
        shown = self._hints.setdefault(uri, {})
        typing = self._typing.get(uri)
        if typing is not None and typing.whole:
            known = shown.get(typing.line, frozenset())
            told = [
                hint
                for hint in found
                if hint.position.line != typing.line or _label(hint) in known
            ]
            typing.held = typing.held or len(told) < len(found)
            found = told
        for line in [one for one in shown if asked.start.line <= one <= asked.end.line]:
            del shown[line]
        for hint in found:
            line = hint.position.line
            shown[line] = shown.get(line, frozenset()) | {_label(hint)}
        return found


def typed_line(edits: Sequence[Edit], old: bytes, new: bytes) -> int | None:
    """Return the line in which edits end if they look like typing in one place, as the present text counts."""
    lines: set[int] = set()
    for edit in edits:
        if edit.start is None or edit.end is None:
            shift = Shift.of(old, new)
            if not _is_typed(new[shift.start : shift.new_end].decode("utf-8", "replace")):
                return None
            return new.count(b"\n", 0, shift.new_end)
        if edit.end[0] - edit.start[0] > 1 or not _is_typed(edit.text):
            return None
        lines.add(edit.start[0] + edit.text.count("\n"))
    return lines.pop() if len(lines) == 1 else None


def _is_typed(text: str) -> bool:
    return text.count("\n") <= 1 and len(text) <= _MAX_TYPED


def _label(hint: types.InlayHint) -> str:
    """What a hint says first: its chips come and go with what the rest of the line does."""
    label = hint.label
    return label if isinstance(label, str) else "".join(part.value for part in label[:1])
