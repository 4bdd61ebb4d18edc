"""How long a rename waits for the analysis of what is open: a few seconds for all documents together."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
from types import SimpleNamespace
from typing import Any

import pytest

from conflens.lsp.workspace.documents import Document

# The package exports the request of the same name.
rename = importlib.import_module("conflens.lsp.requests.rename")


def test_all_documents_together_are_waited_for_as_long_as_the_guide_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Tests raise the limit, so what ships is read from the source.
    shipped = next(
        ast.literal_eval(node.value)
        for node in ast.parse(inspect.getsource(rename)).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WAIT_SECONDS"
    )
    monkeypatch.setattr(rename, "WAIT_SECONDS", shipped)
    clock = [100.0]
    waited: list[float] = []

    async def caught_up(path: str, revision: int, seconds: float) -> None:
        waited.append(seconds)
        clock[0] += 2.0  # another document is read meanwhile, this one is not

    folder: Any = SimpleNamespace(
        root=SimpleNamespace(path="/w"),
        hasten=lambda: None,
        has_seen=lambda path, revision: False,
        caught_up=caught_up,
    )
    documents = {
        name: Document(f"file:///w/{name}", (("/w", name),), b"", 1, 1)
        for name in ("A.java", "B.java", "C.java")
    }
    state: Any = SimpleNamespace(loop=SimpleNamespace(time=lambda: clock[0]), documents=documents)
    asyncio.run(rename._catch_up(state, folder))
    assert waited == [3.0, 1.0, 0.0]
