"""Watched folders: their new profiles are imported one after the other, as long as the folder is open.

A file that cannot be imported is told once: it is not looked at again before it changes.  So is a comparison of two runs that
nobody asked for.
"""

from __future__ import annotations

import asyncio
import logging
import time

from conflens.base.cancel import Cancelled
from conflens.lsp.scheduling.writer import POLL_SECONDS, POLL_SHARE
from conflens.lsp.shared.profiles import paired_of
from conflens.lsp.state import State
from conflens.lsp.threads import in_thread
from conflens.lsp.workspace.folder import Folder
from conflens.profiling.model import ImportFailure
from conflens.session.snapshots.snapshots import Snapshots

logger = logging.getLogger(__name__)


async def watch(state: State, folder: Folder) -> None:
    """Look again and again, until the folder is closed."""
    snapshots = folder.snapshots
    if snapshots is None:
        return
    pause = POLL_SECONDS
    while True:
        await asyncio.sleep(pause)
        if state.publisher.state is None or state.folders.get(folder.root.path) is not folder:
            return
        try:
            spent = await _look(state, folder, snapshots)
        except Cancelled:
            return
        except Exception:
            logger.exception("a watched folder could not be looked at")
            spent = 0.0
        pause = max(POLL_SECONDS, POLL_SHARE * spent)


async def _look(state: State, folder: Folder, snapshots: Snapshots) -> float:
    """Import what is new; return how many seconds looking for it took."""
    patterns = folder.settings.profile_folders
    began = time.monotonic()
    found = await in_thread(lambda: snapshots.look(patterns))
    spent = time.monotonic() - began
    for origin in found:
        importing = snapshots.importing(origin.path)
        try:
            before = snapshots.pairing()
            work = lambda importing=importing: snapshots.take(importing)  # noqa: E731
            await in_thread(work, importing.cancel)
            pairing = snapshots.pairing_since(before)
            if pairing is not None:
                state.publisher.snapshots_changed(folder, pairing.text, paired_of(pairing))
        except ImportFailure as failure:
            logger.warning("a watched profile is passed over: %s", failure)
            state.publisher.snapshots_changed(folder, f"A profile was not imported. {failure}")
    return spent
