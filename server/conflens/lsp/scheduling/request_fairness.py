"""Turns: requests that came in together are answered one in a pass of the loop.

All tasks that are ready run in one pass, and no input is looked at meanwhile: a cancellation would come too late for
every request that was read before it.  Between two turns the loop sees what has come in.
Invariant: who finds nobody before it does not wait; the others go in the order in which they came.
"""

from __future__ import annotations

import asyncio
from collections import deque


class Turns:
    """See the module text.  Used on one loop."""

    def __init__(self) -> None:
        """Begin with nobody's turn."""
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def mine(self) -> None:
        """Wait until it is the caller's turn; it lasts until the caller waits for something."""
        loop = asyncio.get_running_loop()
        if self._taken:
            waiter: asyncio.Future[None] = loop.create_future()
            self._waiting.append(waiter)
            await waiter
        else:
            self._taken = True
            loop.call_soon(self._next)

    async def again(self) -> None:
        """Give the turn up, so that the loop sees what has come in, and wait for the next one."""
        await asyncio.sleep(0)
        await self.mine()

    def _next(self) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                waiter.get_loop().call_soon(self._next)
                return
        self._taken = False
