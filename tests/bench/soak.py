"""An hour of editing, driven as fast as the server keeps up: does memory grow?

A *round* is what a person does in a minute or so: types a statement into a Java file and saves it, looks at hovers, hints and
lenses, sets a key in a config file with completion, opens another file and closes it, looks at the lists; sometimes a
change of branch rewrites many files at once.  What a round adds, the next one takes away, so that nothing may stay.

Memory is that of the server and its workers.  It is sampled when the server rests, and so are the numbers of its objects
by type.  The *slope* is fitted to the samples of the second half, because caches fill in the first.

``python -m bench.soak [--edits N] [--types]`` prints each sample and, if asked, which types grow.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import psutil

from bench.editing import Document
from bench.lsp_client import Client
from bench.rows import Row
from bench.scans import environment
from corpus.fetch import FetchError, fetch, projects

EDITS = 3_000
_SAMPLES = 24
_BRANCH_EVERY = 10
"""Rounds between two changes of branch."""
_BRANCH_FILES = 60
_MB = 1024 * 1024
_CONFIG = "app.properties"
_STACKS = (
    "org/h2/server/TcpServerThread.run;org/h2/server/TcpServerThread.process;org/h2/command/Command.executeQuery;",
    "org/h2/mvstore/MVMap.get;org/h2/mvstore/Page.get",
    "org/h2/mvstore/MVStore.commit;org/h2/mvstore/MVStore.store",
    "org/h2/command/Parser.parse;org/h2/command/Parser.parseSelect",
)
BUDGET_MB = 10.0
"""For 1,000 edits, in the second half."""
BUDGET_OBJECTS = 0.5
"""Percent more objects for 1,000 edits, in the second half."""


@attrs.frozen
class Sample:
    """The state of a server that rests."""

    edits: int
    seconds: float
    memory: int
    """Bytes."""
    objects: int
    types: dict[str, int]


def soak_rows(project: Path) -> Iterator[Row]:
    """Edit for as many times as in an hour; yield what grows."""
    samples = list(soak(project, EDITS))
    late = samples[len(samples) // 2 :]
    first, last = samples[0], samples[-1]
    yield Row("soak: memory of the server when indexed", first.memory / _MB, "MB")
    yield Row(f"soak: memory after {last.edits:,} edits", last.memory / _MB, "MB")
    memory = slope([(item.edits, item.memory / _MB) for item in late]) * 1000
    yield Row("soak: memory for 1,000 edits more", memory, "MB", BUDGET_MB)
    objects = slope([(item.edits, item.objects) for item in late]) * 1000 / last.objects * 100
    yield Row("soak: objects for 1,000 edits more", objects, "%", BUDGET_OBJECTS)


def soak(project: Path, edits: int) -> Iterator[Sample]:
    """Run a server on a copy of ``project``; yield samples until that many edits are made."""
    with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
        root, counts = Path(folder) / "project", Path(folder) / "counts.json"
        shutil.copytree(project, root)
        (root / _CONFIG).write_text("h2.maxMemoryRows=1000\nh2.analyzeAuto=1\n", encoding="utf-8")
        command = [sys.executable, "-m", "bench.soaked", str(counts), "serve", "--stdio"]
        variables = environment(Path(folder) / "cache")
        variables["PYTHONPATH"] += os.pathsep + str(Path(__file__).resolve().parents[1])
        with Client(command, variables, root) as client:
            hour = Hour(client, root)
            hour.begin()
            start = time.monotonic()
            probe = partial(_sample, client.pid, counts)
            yield probe(0, 0.0)
            for number in range(1, _SAMPLES + 1):
                while hour.edits < edits * number / _SAMPLES:
                    hour.round()
                hour.rest()
                yield probe(hour.edits, time.monotonic() - start)


class Hour:
    """The person at the editor; ``edits`` is how often text was changed."""

    def __init__(self, client: Client, root: Path) -> None:
        """Nothing is open yet."""
        self.edits = 0
        self._client = client
        self._root = root
        self._rounds = 0
        self._java = sorted(path for path in root.rglob("*.java") if path.stat().st_size > 4000)
        main = next(path for path in self._java if path.name == "MVStore.java")
        self._main = Document(client, main, "java")
        self._config = Document(client, root / _CONFIG, "properties")
        self._on_branch: dict[Path, str] = {}

    def begin(self) -> None:
        """Open two files, and give the server two profiles to compare."""
        for document in (self._main, self._config):
            document.open()
        for role, weight in (("baseline", 50), ("violation", 90)):
            stacks = [
                f"{_STACKS[0]}{frames} {weight + 7 * n}" for n, frames in enumerate(_STACKS[1:])
            ]
            path = self._root.parent / f"{role}.cpu.collapsed"
            path.write_text("\n".join(stacks) + "\n", encoding="utf-8")
            self._client.request("conflens/importSnapshot", {"uri": path.as_uri(), "role": role})
        self._type("soak.begin")
        # Twice: what was there at first is set aside by the server, and would not be counted before it is replaced.
        self._switch_branch()
        self.rest()
        self._switch_branch()
        self.rest()

    def round(self) -> None:
        """Do a minute's work."""
        self._rounds += 1
        self._type(f"soak.option.{self._rounds:05}")
        self._look(self._main)
        self._configure()
        self._visit(self._java[self._rounds * 7 % len(self._java)])
        if self._rounds % _BRANCH_EVERY == 0:
            self._switch_branch()
        for method in ("conflens/options", "conflens/hotspots", "conflens/snapshots"):
            self._client.request(method, {})

    def rest(self) -> None:
        """Wait until the server has nothing to do: until it uses next to no time of the processor."""
        process = psutil.Process(self._client.pid)
        quiet = 0
        while quiet < 4:
            before = sum(process.cpu_times()[:2])
            time.sleep(0.5)
            quiet = quiet + 1 if sum(process.cpu_times()[:2]) - before < 0.03 else 0

    def _type(self, option: str) -> None:
        """Type a read of ``option`` into a method, where the last one was before; save; wait for what is told."""
        main = self._main
        statement = f'        System.getProperty("{option}");'
        line = main.line_of("soak.") if "soak." in main.text else None
        if line is None:
            line = main.line_of("    public void close() {") + 1
            main.insert(line, 0, "\n")
        else:
            main.replace(line, 0, line, len(main.lines[line]), "")
        since = time.perf_counter()
        for at in range(0, len(statement), 4):
            main.insert(line, at, statement[at : at + 4])
        main.save()
        self._client.note(since, partial(_reports, main.uri, option))
        self.edits += 1 + len(statement) // 4

    def _look(self, document: Document) -> None:
        """Ask for what an editor shows of a document."""
        named = {"textDocument": {"uri": document.uri}}
        last = {"line": len(document.lines) - 1, "character": 0}
        for line in range(0, len(document.lines), max(1, len(document.lines) // 5)):
            position = {"line": line, "character": 20}
            self._client.request("textDocument/hover", {**named, "position": position})
        extent = {"start": {"line": 0, "character": 0}, "end": last}
        self._client.request("textDocument/inlayHint", {**named, "range": extent})
        for method in (
            "textDocument/codeLens",
            "textDocument/documentSymbol",
            "conflens/hotLines",
        ):
            self._client.request(method, named)
        action = {**named, "range": extent, "context": {"diagnostics": []}}
        self._client.request("textDocument/codeAction", action)

    def _configure(self) -> None:
        """Type a key with completion, save, and take it out again."""
        config = self._config
        line = len(config.lines) - 1
        for at, letter in enumerate("h2.max"):
            config.insert(line, at, letter)
            position = {"line": line, "character": at + 1}
            named = {"textDocument": {"uri": config.uri}, "position": position}
            self._client.request("textDocument/completion", named)
        config.insert(line, len("h2.max"), f"QueryTimeout={self._rounds}")
        config.save()
        self._look(config)
        config.replace(line, 0, line, len(config.lines[line]), "")
        config.save()
        self.edits += len("h2.max") + 2

    def _visit(self, path: Path) -> None:
        """Open another file, write a comment, take it back, and close."""
        document = Document(self._client, path, "java")
        document.open()
        document.insert(0, 0, f"// visited in round {self._rounds}\n")
        self._look(document)
        document.replace(0, 0, 1, 0, "")
        document.close()
        self.edits += 2

    def _switch_branch(self) -> None:
        """Rewrite many files at once, or put them back."""
        if self._on_branch:
            changed, self._on_branch = self._on_branch, {}
        else:
            paths = self._java[self._rounds % 40 :: max(1, len(self._java) // _BRANCH_FILES)]
            paths = [path for path in paths if path != self._main.path]
            self._on_branch = {path: path.read_text(encoding="utf-8") for path in paths}
            changed = {
                path: text.replace("{\n", "{\n    // on another branch\n", 1)
                + f'\nclass Branch{number} {{ int a = Integer.getInteger("branch.{number}", 1); }}\n'
                for number, (path, text) in enumerate(self._on_branch.items())
            }
        for path, text in changed.items():
            path.write_text(text, encoding="utf-8")
        changes = [{"uri": path.as_uri(), "type": 2} for path in changed]
        self._client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        self.edits += 1


def slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the line that fits best."""
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    across = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / across if across else 0.0


def _sample(pid: int, counts: Path, edits: int, seconds: float) -> Sample:
    process = psutil.Process(pid)
    family = [process, *process.children(recursive=True)]
    memory = sum(each.memory_info().rss for each in family)
    counts.unlink(missing_ok=True)
    os.kill(pid, signal.SIGUSR1)
    end = time.monotonic() + 60
    while not counts.exists():
        if time.monotonic() > end:
            raise TimeoutError("the server did not count its objects within 60 s")
        time.sleep(0.05)
    told: dict[str, Any] = json.loads(counts.read_text(encoding="utf-8"))
    return Sample(edits, seconds, memory, told["objects"], told["types"])


def _reports(uri: str, name: str, note: dict[str, Any]) -> bool:
    if note["method"] != "textDocument/publishDiagnostics" or note["params"]["uri"] != uri:
        return False
    return any(name in item["message"] for item in note["params"]["diagnostics"])


def main() -> int:
    """Print the samples as they are taken, and what grew."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--edits", type=int, default=EDITS, metavar="N")
    parser.add_argument("--types", action="store_true", help="print which types grew")
    arguments = parser.parse_args()
    try:
        h2 = fetch(projects()["h2"])
    except FetchError as error:
        print(f"soak: {error}", file=sys.stderr)
        return 2
    samples: list[Sample] = []
    for sample in soak(h2, arguments.edits):
        samples.append(sample)
        print(
            f"{sample.edits:6,} edits  {sample.seconds:7.1f} s  {sample.memory / _MB:7.1f} MB  {sample.objects:9,} objects",
            flush=True,
        )
    late = samples[len(samples) // 2 :]
    print(
        f"slope: {slope([(s.edits, s.memory / _MB) for s in late]) * 1000:.2f} MB for 1,000 edits"
    )
    print(
        f"slope: {slope([(s.edits, s.objects) for s in late]) * 1000:,.0f} objects for 1,000 edits"
    )
    if arguments.types:
        names = {name for sample in late for name in sample.types}
        grown = {n: slope([(s.edits, s.types.get(n, 0)) for s in late]) * 1000 for n in names}
        for name, more in sorted(grown.items(), key=lambda item: -item[1])[:20]:
            print(f"{more:10,.1f}  {late[-1].types.get(name, 0):9,}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
