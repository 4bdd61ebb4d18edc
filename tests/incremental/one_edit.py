"""One edit of a small program and its undo, each compared with a fresh session."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from conflens.session.analysis import Analysis
from session.support import session

Edit = tuple[str, str, str]
"""A path, a text in that file, and what stands in its place."""


def names_before(files: dict[str, str], edit: Edit) -> set[str]:
    """Return the names of the options before an edit; fail where a session says something else than a new one after it."""
    path, old, new = edit
    system = MemorySystem({name: text.encode() for name, text in files.items()})
    living = session(system)
    before = living.scan().options
    for text in (files[path].replace(old, new), files[path]):
        system.write(path, text)
        living.files_changed([path])
        after = living.rebuild().options
        assert after == session(MemorySystem(dict(system.files))).scan().options
    assert after == before
    return {option.name for option in before.options}


def flows_change(files: dict[str, str], edit: Edit) -> bool:
    """Tell whether an edit changes the operations that options reach; fail where a session says something else than a new one
    after the edit or its undo."""
    path, old, new = edit
    system = MemorySystem({name: text.encode() for name, text in files.items()})
    living = session(system)
    before = _reached(living.scan())
    changed = False
    for text in (files[path].replace(old, new), files[path]):
        system.write(path, text)
        living.files_changed([path])
        after = _reached(living.rebuild())
        assert after == _reached(session(MemorySystem(dict(system.files))).scan())
        changed = changed or after != before
    assert after == before
    return changed


def _reached(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the options, each with an operation that its value reaches."""
    return sorted(
        (key[1], flow.operation.api)
        for key in analysis.flows.options
        for flow in analysis.flows.of_option(key).flows
    )
