"""Recording a running JVM: ``conflens/javaProcesses`` and ``conflens/record``.

However it ends, the recording is stopped before it is answered.
"""

from __future__ import annotations

import os

from conflens.lsp.push.progress_bar import Bar
from conflens.lsp.registry import on_task
from conflens.lsp.requests.snapshots import imported, role_of
from conflens.lsp.shared.profiles import answered, place_of, read
from conflens.lsp.state import State
from conflens.lsp.threads import in_thread
from conflens.lsp.wire import messages
from conflens.lsp.wire.messages import JAVA_PROCESSES, RECORD
from conflens.session.snapshots import capture
from conflens.session.snapshots.capture import Capture, JavaProcess


@on_task(JAVA_PROCESSES)
async def java_processes(state: State, params: object) -> list[messages.JavaProcess]:
    """Answer with the JVMs of this user, first those that run a project of the workspace."""
    with answered():
        found = await in_thread(capture.java_processes)
    rows = [
        messages.JavaProcess(
            process.pid, process.name, process.arguments, _runs_project(state, process)
        )
        for process in found
    ]
    return sorted(rows, key=lambda row: not row.own)


def _runs_project(state: State, process: JavaProcess) -> bool:
    """Tell whether a JVM runs a class of the workspace, or in one of its folders."""
    return any(
        analysis.program.type(process.name) is not None
        or f"{process.folder}{os.sep}".startswith(f"{folder.root.path}{os.sep}")
        for folder, analysis in state.analyses()
    )


@on_task(RECORD)
async def record(state: State, params: object) -> messages.ImportAnswer:
    """Record, import, and answer with the snapshot's row."""
    asked = read(params, messages.RecordParams)
    folder, snapshots = place_of(state, asked.folder)
    with answered():
        wanted = Capture(asked.pid, asked.seconds, asked.settings or "profile")
    recorder = snapshots.recorder(wanted, role_of(asked.role))
    bar = Bar(state.publisher, asked.work_done_token, f"Recording process {asked.pid}")
    told = bar.told(lambda done, total: f"{done} of {total} s")
    before = snapshots.pairing()
    try:
        with answered():
            entry = await in_thread(lambda: snapshots.record(recorder, told), recorder.cancel)
    finally:
        bar.end()
    return imported(folder, snapshots, entry, before)
