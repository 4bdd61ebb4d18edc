"""What a Java file said before it was broken by typing.

An unfinished statement or declaration can hide what stands below it: lenses would vanish and come back with every key, and
the text with them jump.  While somebody types in a file that does not parse, what was known of its last sound text is shown,
carried to where it is now.  Of the stretch that is being edited nothing is said.
Terms: a file is *sound* if it parses without an error, else *broken*.
Invariants: nothing is kept for a file that was never sound, or for longer than ``KEPT`` seconds after the last edit, so that
text that only our grammar finds wrong is not answered for ever from the past.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import attrs
from lsprotocol import types

from conflens.base.text import Encoding, LineIndex
from conflens.lsp.workspace.view import Shift, View
from conflens.session.analysis import Analysis

KEPT = 15.0


@attrs.define
class _Kept:
    analysis: Analysis = attrs.field(repr=False)
    items: tuple[types.Diagnostic, ...] = attrs.field(repr=False)
    broken: bool = False
    timer: asyncio.TimerHandle | None = None


class Sound:
    """See the module text.  Documents are known by their URI; used on one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, over: Callable[[str], None]) -> None:
        """``over`` hears of a document that is answered from its present text again."""
        self._loop = loop
        self._over = over
        self._kept: dict[str, _Kept] = {}

    def published(
        self, uri: str, path: str, analysis: Analysis, items: tuple[types.Diagnostic, ...]
    ) -> None:
        """Hear what is found in an open document."""
        kept = self._kept.get(uri)
        if not is_broken(analysis, path):
            self.closed(uri)
            self._kept[uri] = _Kept(analysis, items)
        elif kept is not None and not kept.broken:
            kept.broken = True
            self._wait(uri, kept)

    def typed(self, uri: str) -> None:
        """Hear of an edit."""
        kept = self._kept.get(uri)
        if kept is not None and kept.broken:
            self._wait(uri, kept)

    def closed(self, uri: str) -> None:
        """Forget a document."""
        kept = self._kept.pop(uri, None)
        if kept is not None and kept.timer is not None:
            kept.timer.cancel()

    def stop(self) -> None:
        """Forget all."""
        for uri in list(self._kept):
            self.closed(uri)

    def view(self, uri: str, view: View, present: bytes | None) -> View:
        """Return the view to answer from: that on the last sound text if the file is broken."""
        kept = self._kept.get(uri)
        if kept is None or present is None or not is_broken(view.analysis, view.path):
            return view
        shift = Shift.of(kept.analysis.text(view.path) or b"", present)
        return attrs.evolve(view, analysis=kept.analysis, shift=shift)

    def analysis(self, uri: str) -> Analysis | None:
        """Return the analysis of the last sound text of a document that is broken."""
        kept = self._kept.get(uri)
        return kept.analysis if kept is not None and kept.broken else None

    def diagnostics(
        self, uri: str, path: str, present: bytes, encoding: Encoding
    ) -> tuple[types.Diagnostic, ...] | None:
        """Return what was found in the last sound text of a document that is broken, ``None`` for any other."""
        kept = self._kept.get(uri)
        if kept is None or not kept.broken:
            return None
        old = kept.analysis.text(path) or b""
        return tuple(_carried(kept.items, LineIndex.of(old), Shift.of(old, present), encoding))

    def _wait(self, uri: str, kept: _Kept) -> None:
        if kept.timer is not None:
            kept.timer.cancel()
        kept.timer = self._loop.call_later(KEPT, self._end, uri)

    def _end(self, uri: str) -> None:
        self._kept.pop(uri, None)
        self._over(uri)


def is_broken(analysis: Analysis, path: str) -> bool:
    """Tell whether an analysed file does not parse."""
    facts = analysis.program.files.get(path)
    return facts is not None and bool(facts.problems)


def _carried(
    items: tuple[types.Diagnostic, ...], old: LineIndex, shift: Shift, encoding: Encoding
) -> Iterator[types.Diagnostic]:
    for item in items:
        first, last = item.range.start, item.range.end
        start = old.offset(first.line, first.character, encoding)
        end = old.offset(last.line, last.character, encoding)
        if start < shift.old_end and shift.start < end:
            continue
        places = (shift.present.position(at, encoding) for at in shift.carried(start, end))
        begin, stop = (types.Position(line=line, character=column) for line, column in places)
        yield attrs.evolve(item, range=types.Range(start=begin, end=stop))
