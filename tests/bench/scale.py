"""Projects of generated code as large as they come: time until ready, edits, a change of branch, memory of folders.

``python -m bench.scale [--only large|branch|folders] [--files N]`` prints, beside the time on the wall, the seconds of the processor that
the server and its workers spent, which depend less on what else the machine does, and the load of the machine.

``large``    files whose classes have fields of the same names; then single edits of one of them
``branch``   the same with a quarter of the files; 5,000 of them are rewritten at once, and back again
``folders``  folders of 150 files that are added and removed again and again
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from bench.editing import Document
from bench.lsp_client import Client
from bench.scans import command, environment
from conflens.lsp.scheduling.garbage_collection import LONG_REST

_TEXT = """package p{package};

import java.util.Properties;

/** Class number {n}. */
public class C{n} {{
    private static final int DEFAULT = {n};
    int size;
    String name;
    long timeout;
    protected int count;

    public C{n}(Properties properties) {{
        this.size = Integer.getInteger("p{package}.c{n}.size", DEFAULT);
        this.name = properties.getProperty("p{package}.c{n}.name", "none");
        timeout = Long.getLong("p{package}.timeout", 10L);
        count = size;
    }}

    public int getSize() {{
        return size;
    }}

    public void setName(String name) {{
        this.name = name;
    }}

    public void run(C{other} next) throws InterruptedException {{
        for (int i = 0; i < size; i++) {{
            Thread.sleep(timeout);
            count += next.getSize();
        }}
        byte[] buffer = new byte[count];
        next.setName(name + buffer.length);
    }}
}}
"""
_BRANCH = 5_000
_TIMES = 30
_WAIT = 3_600


class Server(Client):
    """A server whose status is kept as it is last reported."""

    notifications = ("conflens/status",)
    watches = True

    def __init__(self, root: Path, cache: Path) -> None:
        """Start on one folder."""
        self.status: dict[str, Any] = {}
        self.reports = 0
        super().__init__(command("serve", "--stdio"), environment(cache), root)

    def _take(self, at: float, message: dict[str, Any]) -> None:
        if message.get("method") == "conflens/status":
            self.status = message["params"]
            self.reports += message["params"]["state"] == "ready"
        super()._take(at, message)

    def settle(self, after: int = 0) -> None:
        """Wait until the server is ready for the next time, and then rests."""
        end = time.monotonic() + _WAIT
        while self.reports <= after or self.status["state"] != "ready":
            if time.monotonic() > end:
                raise TimeoutError(f"not ready: {self.status}")
            time.sleep(0.1)

    def rest(self, seconds: float = 2.0) -> None:
        """Wait until the server has had nothing to do for some time."""
        quiet = 0
        while quiet < 2 * seconds:
            before = self.cpu()
            time.sleep(0.5)
            quiet = quiet + 1 if self.cpu() - before < 0.05 else 0

    def cpu(self) -> float:
        """Return the seconds of the processor spent by the server and by workers that have ended or run."""
        process = psutil.Process(self.pid)
        own = sum(process.cpu_times()[:4])
        return own + sum(sum(child.cpu_times()[:2]) for child in process.children(recursive=True))

    def memory(self) -> float:
        """Return the megabytes of the server, without its workers."""
        return psutil.Process(self.pid).memory_info().rss / 2**20


def generate(root: Path, files: int, first: int = 0) -> list[Path]:
    """Write ``files`` classes, a hundred to a package."""
    paths = []
    for n in range(first, first + files):
        package = n // 100
        folder = root / f"p{package}"
        folder.mkdir(parents=True, exist_ok=True)
        other = package * 100 + (n + 1) % 100
        path = folder / f"C{n}.java"
        path.write_text(_TEXT.format(n=n, package=package, other=other), encoding="utf-8")
        paths.append(path)
    return paths


def large(base: Path, files: int) -> None:
    """Measure the first index and edits."""
    paths = generate(base / "large", files)
    begun = time.monotonic()
    with Server(base / "large", base / "cache") as server:
        server.settle()
        row(f"{files:,} files: ready", time.monotonic() - begun, server.cpu(), server.memory())
        server.rest()
        times, spent = [], []
        document = Document(server, paths[files // 2], "java")
        document.open()
        server.rest()
        for number in range(10):
            before, since = server.cpu(), time.perf_counter()
            line = document.line_of("byte[] buffer")
            document.insert(line, 0, f'        System.getProperty("edit.o{number}");\n')
            times.append(
                server.note(since, partial(_reports, document.uri, f"edit.o{number}")) - since
            )
            server.rest()
            spent.append(server.cpu() - before)
        row(
            "an edit: an option more",
            statistics.median(times),
            statistics.median(spent),
            server.memory(),
        )


def branch(base: Path, files: int) -> None:
    """Rewrite many files at once, and put them back."""
    paths = generate(base / "branch", files)
    with Server(base / "branch", base / "cache") as server:
        server.settle()
        server.rest()
        row(f"{files:,} files: ready", 0, server.cpu(), server.memory())
        for name, old, new in (
            ("to", "int size;", "int size, extent;"),
            ("back", "int size, extent;", "int size;"),
        ):
            before, since = server.cpu(), time.monotonic()
            for path in paths[:_BRANCH]:
                path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")
            changes = [{"uri": path.as_uri(), "type": 2} for path in paths[:_BRANCH]]
            server.notify("workspace/didChangeWatchedFiles", {"changes": changes})
            # A status that is the same as before is not sent again.
            server.rest(5)
            row(
                f"a branch of {_BRANCH:,} files: {name}",
                time.monotonic() - since,
                server.cpu() - before,
                server.memory(),
            )
        _, found = server.request("conflens/options", {})
        print(f"options: {len(found['folders'][0]['options']):,}")


def folders(base: Path) -> None:
    """Add folders and remove them."""
    generate(base / "folders", 50)
    made = [base / f"folder{number}" for number in range(3)]
    for number, folder in enumerate(made):
        generate(folder, 150, first=1000 * (number + 1))
    with Server(base / "folders", base / "cache") as server:
        server.settle()
        memory = []
        for number in range(_TIMES):
            folder = made[number % len(made)]
            named = [{"uri": folder.as_uri(), "name": folder.name}]
            server.notify(
                "workspace/didChangeWorkspaceFolders", {"event": {"added": named, "removed": []}}
            )
            while not _has(server, folder):
                time.sleep(0.2)
            server.notify(
                "workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": named}}
            )
            while _has(server, folder):
                time.sleep(0.2)
            if (number + 1) % 5 == 0:
                # Only then are cycles looked for everywhere.
                server.rest(LONG_REST + 2)
                memory.append(server.memory())
                print(f"{number + 1} folders: {memory[-1]:.1f} MB", flush=True)
        print(
            f"memory from {memory[1]:.1f} MB after 10 folders to {memory[-1]:.1f} MB after {_TIMES}"
        )


def _has(server: Server, folder: Path) -> bool:
    rows = server.request("conflens/options", {})[1]["folders"]
    return any(
        item["folder"] == folder.as_uri() and (item["options"] or not item["ready"])
        for item in rows
    ) and (any(item["folder"] == folder.as_uri() and item["options"] for item in rows))


def row(name: str, seconds: float, cpu: float, memory: float) -> None:
    """Print one figure."""
    load = os.getloadavg()[0]
    print(
        f"{name:32} {seconds:8.1f} s  {cpu:8.1f} s CPU  {memory:7.0f} MB  load {load:.1f}",
        flush=True,
    )


def _reports(uri: str, name: str, note: dict[str, Any]) -> bool:
    if note["method"] != "textDocument/publishDiagnostics" or note["params"]["uri"] != uri:
        return False
    return any(name in item["message"] for item in note["params"]["diagnostics"])


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="bench.scale")
    parser.add_argument("--only", choices=("large", "branch", "folders"))
    parser.add_argument("--files", type=int, default=20_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="conflens-scale-") as folder:
        base = Path(folder)
        if given.only in (None, "large"):
            large(base, given.files)
        if given.only in (None, "branch"):
            branch(base, max(_BRANCH, given.files // 4))
        if given.only in (None, "folders"):
            folders(base)
    return 0


if __name__ == "__main__":
    sys.exit(main())
