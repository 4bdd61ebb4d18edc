"""The profile of a folder, as the editor features show it; ``None`` while there is no diagnosis."""

from __future__ import annotations

import time

from conflens.ide.profile.profile import Profile, age_note
from conflens.lsp.workspace.folder import Folder


def profile_of(folder: Folder) -> Profile | None:
    """Return the diagnosis of the chosen snapshots, with the program that it is about and a note on its age."""
    diagnosed = folder.diagnosed
    if diagnosed.diagnosis is None or diagnosed.program is None:
        return None
    note = age_note(diagnosed.taken, diagnosed.is_stale, time.time())
    return Profile(diagnosed.diagnosis, diagnosed.program, note)
