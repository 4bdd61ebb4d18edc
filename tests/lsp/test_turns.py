"""Requests that came in together leave the loop time to see a cancellation."""

from __future__ import annotations

import asyncio

from conflens.lsp.scheduling.request_fairness import Turns
from patience import PATIENCE


def test_a_job_cancelled_while_queued_gets_no_turn() -> None:
    async def run() -> list[int]:
        turns, seen = Turns(), list[int]()

        async def request(number: int) -> None:
            await turns.mine()
            seen.append(number)

        tasks = [asyncio.create_task(request(number)) for number in range(100)]
        for _ in range(5):
            await asyncio.sleep(0)
        for task in tasks[:-1]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.wait_for(request(100), PATIENCE)
        return seen

    seen = asyncio.run(run())
    assert seen[-2:] == [99, 100]
    assert seen[:-2] == list(range(len(seen) - 2))
    assert len(seen) < 12


def test_a_long_job_that_gives_its_turn_up_can_be_cancelled() -> None:
    async def run() -> int:
        turns, steps = Turns(), 0

        async def long() -> None:
            nonlocal steps
            await turns.mine()
            for _ in range(10_000):
                steps += 1
                await turns.again()

        task = asyncio.create_task(long())
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return steps

    assert 0 < asyncio.run(run()) < 12
