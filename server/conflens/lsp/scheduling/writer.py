"""The writer: the one thread that calls sessions.

Terms: a *job* changes a session (an edit, new settings) and is quick; a *rebuild* brings its
analysis up to date and may take long.  A session is *dirty* between the two.
Invariants: the jobs of a session run in the order in which they were given; a rebuild starts when its delay is
over, and the delay grows with further jobs only up to ``MAX_DELAY``; a job that comes in during a
rebuild urges it and makes the session dirty again.  What is to be done *afterwards* runs only while there are no
jobs and nothing is dirty; a job cancels it, and it is tried again after a pause.  A rebuild *makes way* at its checks: jobs and
rebuilds of other sessions that have been rebuilt before run in between, so that the cold read of one folder holds up no edits in
another.  A job or rebuild that raises is reported and ends nothing.
Garbage is looked for only while nothing is to be done (``garbage``).

Absent: what is done with an analysis (``publish`` of the owner, called on this thread).
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

import attrs

from conflens.base.cancel import Cancelled, CancelToken
from conflens.lsp.scheduling.garbage_collection import Garbage

logger = logging.getLogger(__name__)

TYPING_DELAY = 0.01
MAX_DELAY = 0.12
PAUSE = 1.0
"""Seconds without edits before what comes afterwards begins."""
MAX_NESTED = 3
"""Rebuilds that are under way at once."""
POLL_SECONDS = 2.0
POLL_SHARE = 20.0
"""A look takes at most one part in so many of the writer's time, however large the project."""


class Owner(Protocol):
    """Whose session it is; all methods are called on the writer's thread."""

    def rebuild(self, token: CancelToken) -> None:
        """Bring the analysis up to date and publish it; may raise."""

    def afterwards(self, token: CancelToken) -> None:
        """Do what an edit must not wait for."""

    def failed(self, error: BaseException) -> None:
        """Hear that a job or a rebuild raised."""

    def poll(self) -> bool:
        """Look for changed files; tell whether there are any."""


@attrs.define
class _Dirty:
    since: float
    due: float


class Writer:
    """See the module text.  Created and used on the loop."""

    def __init__(self) -> None:
        """Start the thread; it is a daemon, so that a stuck rebuild cannot outlive the process."""
        self._condition = threading.Condition()
        self._jobs: deque[tuple[Owner, Callable[[], object], float]] = deque()
        self._dirty: dict[Owner, _Dirty] = {}
        self._polled: dict[Owner, float] = {}
        self._later: dict[Owner, float] = {}
        self._building: dict[Owner, CancelToken] = {}
        """The rebuilds that have begun and not ended, each made way for by the next."""
        self._built: set[Owner] = set()
        """Whose rebuild has ended once, and who has not been forgotten."""
        self._token: CancelToken | None = None
        """That of what comes afterwards."""
        self._after: Owner | None = None
        """Who is at what comes afterwards, and has not been forgotten meanwhile."""
        self._garbage = Garbage()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="conflens-writer", daemon=True)
        self._thread.start()

    def submit(self, owner: Owner, job: Callable[[], object], delay: float) -> None:
        """Run ``job`` soon and rebuild ``delay`` seconds after now."""
        with self._condition:
            self._jobs.append((owner, job, time.monotonic() + delay))
            if job is not _nothing:
                if self._token is not None:
                    self._token.cancel()
                for token in self._building.values():
                    token.urge()
            self._condition.notify()

    def afterwards(self, owner: Owner, pause: float = PAUSE) -> None:
        """Do what comes afterwards, ``pause`` seconds after now; once, however often this is said."""
        with self._condition:
            self._later[owner] = time.monotonic() + pause
            self._condition.notify()

    def hasten(self, owner: Owner) -> None:
        """Rebuild without further delay if there is anything to rebuild."""
        self.submit(owner, _nothing, -1.0)

    def watch(self, owner: Owner) -> None:
        """Look for changed files every ``POLL_SECONDS``: for clients that do not watch."""
        with self._condition:
            self._polled[owner] = time.monotonic() + POLL_SECONDS
            self._condition.notify()

    def forget(self, owner: Owner, job: Callable[[], object]) -> None:
        """Drop what is planned for ``owner``, stop its rebuild, and run ``job`` last."""
        with self._condition:
            self._jobs = deque(item for item in self._jobs if item[0] is not owner)
            self._dirty.pop(owner, None)
            self._polled.pop(owner, None)
            self._later.pop(owner, None)
            if owner in self._building:
                self._building[owner].cancel()
            if owner is self._after and self._token is not None:
                self._token.cancel()
                self._after = None
            self._jobs.append((owner, job, float("inf")))
            self._condition.notify()

    def stop(self, seconds: float) -> None:
        """Stop the rebuild that runs, finish the jobs, end the thread; wait at most ``seconds``."""
        with self._condition:
            self._stopped = True
            for token in (self._token, *self._building.values()):
                if token is not None:
                    token.cancel()
            self._condition.notify()
        self._thread.join(seconds)

    def _run(self) -> None:
        while True:
            with self._condition:
                if not self._jobs and not self._stopped:
                    self._condition.wait(self._pause())
                jobs, self._jobs = self._jobs, deque()
                stopped = self._stopped
            if jobs:
                self._garbage.busy()
            for owner, job, due in jobs:
                self._job(owner, job, due)
            if stopped:
                self._garbage.end()
                return
            self._poll()
            dirty = self._next()
            if dirty is not None:
                self._garbage.busy()
                self._rebuild(dirty)
                self._garbage.done()
            elif (later := self._next_later()) is not None:
                self._garbage.busy()
                if self._afterwards(later):
                    self._garbage.look()
            elif self._is_idle():
                self._garbage.look()

    def _pause(self) -> float | None:
        """Seconds until something is due; for ever when nothing is planned."""
        times = [dirty.due for dirty in self._dirty.values()]
        if not times:
            times += self._later.values()
            if self._garbage.due is not None:
                times.append(self._garbage.due)
        times += self._polled.values()
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _is_idle(self) -> bool:
        """Tell whether garbage is to be looked for now."""
        with self._condition:
            due = self._garbage.due is not None and self._garbage.due <= time.monotonic()
            return due and not (self._stopped or self._jobs or self._dirty)

    def _job(self, owner: Owner, job: Callable[[], object], due: float) -> None:
        try:
            job()
        except Exception as error:
            logger.exception("an update could not be taken in")
            owner.failed(error)
        now = time.monotonic()
        with self._condition:
            if due == float("inf"):
                # A job that was at work when the owner was forgotten may have planned something since.
                for planned in (self._dirty, self._polled, self._later):
                    planned.pop(owner, None)
                self._built.discard(owner)
                self._garbage.removed()
                return
            dirty = self._dirty.get(owner)
            if job is _nothing and dirty is None:
                return
            if dirty is None:
                self._dirty[owner] = _Dirty(now, due)
            else:
                late = dirty.since + MAX_DELAY
                dirty.due = due if due <= now else min(late, max(due, dirty.due))

    def _poll(self) -> None:
        now = time.monotonic()
        for owner in [owner for owner, due in self._polled.items() if due <= now]:
            began = time.monotonic()
            try:
                changed = owner.poll()
            except Exception as error:
                logger.exception("looking for changed files failed")
                owner.failed(error)
                changed = False
            with self._condition:
                if changed:
                    self._dirty.setdefault(owner, _Dirty(now, now))
                if owner in self._polled:
                    ended = time.monotonic()
                    pause = max(POLL_SECONDS, POLL_SHARE * (ended - began))
                    self._polled[owner] = ended + pause

    def _next(self) -> Owner | None:
        """The dirty session that is due longest, of those that are made way for; its rebuild begins."""
        with self._condition:
            now = time.monotonic()
            due = [
                (dirty.due, index, owner)
                for index, (owner, dirty) in enumerate(self._dirty.items())
                if self._goes_first(owner)
            ]
            waits = any(self._goes_first(item[0]) for item in self._jobs)
            if not due or self._stopped or waits or min(due)[0] > now:
                return None
            owner = min(due)[2]
            del self._dirty[owner]
            self._building[owner] = CancelToken(self._make_way)
            return owner

    def _goes_first(self, owner: Owner) -> bool:
        """Tell whether nothing that is under way must end before work for a session."""
        return not self._building or (owner in self._built and owner not in self._building)

    def _make_way(self) -> None:
        """Do what is to be done for other sessions, at a check of a rebuild."""
        if not (self._jobs or self._dirty) or len(self._building) >= MAX_NESTED:
            return
        with self._condition:
            jobs = [item for item in self._jobs if self._goes_first(item[0])]
            self._jobs = deque(item for item in self._jobs if not self._goes_first(item[0]))
        for owner, job, due in jobs:
            self._job(owner, job, due)
        while (dirty := self._next()) is not None:
            self._rebuild(dirty)

    def _rebuild(self, owner: Owner) -> None:
        try:
            owner.rebuild(self._building[owner])
            self._built.add(owner)
        except Cancelled:
            logger.info("a rebuild was cancelled")
        except Exception as error:
            logger.exception("a rebuild failed")
            owner.failed(error)
        finally:
            with self._condition:
                del self._building[owner]

    def _next_later(self) -> Owner | None:
        """Who is to do what comes afterwards now, if nothing else is to be done."""
        with self._condition:
            due = min(self._later.values(), default=float("inf"))
            if self._stopped or self._jobs or self._dirty or due > time.monotonic():
                return None
            owner = min(self._later, key=self._later.__getitem__)
            del self._later[owner]
            self._after, self._token = owner, CancelToken()
            return owner

    def _afterwards(self, owner: Owner) -> bool:
        """Do what comes afterwards; tell whether nothing has stopped it."""
        token = self._token
        assert token is not None
        try:
            owner.afterwards(token)
        except Cancelled:
            with self._condition:
                if self._after is owner:
                    self._later.setdefault(owner, time.monotonic() + PAUSE)
            return False
        except Exception:
            logger.exception("what was to be done afterwards failed")
        finally:
            with self._condition:
                self._after = self._token = None
        return True


def _nothing() -> None:
    """The job that only hastens."""
