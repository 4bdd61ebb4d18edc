"""When garbage is looked for: while the writer has nothing to do, and first by its own thread.

Hardly anything that a first index makes dies before the server does, and what a rebuild makes lives to the next.  Looking
through it stops all threads for longer than an edit or a hover may take, so it is put off to moments in which nobody waits.
Only cycles need this; everything else goes as soon as nobody refers to it.  What a folder's first index made is set aside
(``folder``) and not looked through, except once after a folder was removed.
Terms: *young* is what was made since the last look.
"""

from __future__ import annotations

import gc
import time

REST = 0.1
"""Seconds without anything to do before young objects are looked through: the client is told first what was found."""
LONG_REST = 5.0
"""Seconds without anything to do before everything is looked through, once there were ``LOOKS`` looks at young objects."""
LOOKS = 10
MOST_LOOKS = 200
"""After so many looks at young objects everything is looked through at the next rest, however short it is."""
MOST_REMOVED = 8
"""So many removed folders have the same effect: what they leave must not grow while nobody pauses."""
MOST_BEGUN = 200
"""After so many pieces of work without any rest there is a look all the same."""
_YOUNG = 1
_SELDOM = 1_000
"""How often the collector looks at young objects before it looks through everything by itself; usually never."""


class Garbage:
    """See the module text.  Used by one thread; the collector is that of the process."""

    def __init__(self) -> None:
        """Begin with nothing to look through."""
        self.due: float | None = None
        """When to ``look``, on a monotonic clock in seconds; ``None``: not before something was done."""
        self._looks = 0
        """Looks at young objects since everything was looked through."""
        self._removed = 0
        """Folders removed since then."""
        self._begun = 0
        """Pieces of work since the last look."""
        self._waits = False
        """Whether the next look is the one after a long rest."""
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, _SELDOM)

    def busy(self) -> None:
        """Hear that something begins: the collector must not stop it, unless there was no rest for long."""
        self._begun += 1
        if self._begun > MOST_BEGUN:
            self.look()
        gc.disable()
        self._waits = False
        self.due = time.monotonic() + REST

    def done(self) -> None:
        """Hear that what began has ended."""
        self.due = time.monotonic() + REST

    def removed(self) -> None:
        """Hear that a folder was removed: after the next long rest also what was set aside is looked through."""
        self._removed += 1

    def look(self) -> None:
        """Look through what is young, now and then through everything; what requests make meanwhile the collector sees to."""
        self.due = None
        self._begun = 0
        if self._waits or self._looks >= MOST_LOOKS or self._removed >= MOST_REMOVED:
            if self._removed:
                gc.unfreeze()
            gc.collect()
            if self._removed:
                gc.freeze()
            self._looks, self._removed, self._waits = 0, 0, False
        else:
            gc.collect(_YOUNG)
            self._looks += 1
            if self._removed or self._looks >= LOOKS:
                self._waits = True
                self.due = time.monotonic() + LONG_REST
        gc.enable()

    def end(self) -> None:
        """Leave everything to the collector again."""
        gc.enable()
