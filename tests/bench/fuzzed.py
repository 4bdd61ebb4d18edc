"""Random editing over the protocol, compared with a new server again and again.

``python -m bench.fuzzed PROJECT [--seed N] [--operations N] [--minutes N] [--every N]`` copies the project, edits the copy at
random (documents, files behind the editor's back, renames, config files, ``.conflens.toml``, ignore files, workspace folders),
and after ``--every`` operations asks the server and a new one the same questions.  The first server is asked until it answers
the same, or has rested for ``_PATIENCE`` seconds: then it is a *difference*, which is printed with the operations before it.

Compared are the lists of options, the diagnostics of all files, and lenses, hints, symbols and hovers of some files.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

import psutil

from bench.editing import Document
from bench.lsp_client import Client
from bench.scans import command, environment
from conflens.syntax.java import parse

_PATIENCE = 10
_OPEN = 12
_READS = (
    "getProperty",
    "getInteger",
    "getBoolean",
    "@Value",
    "ConfigurationProperties",
    "ConfigDef",
    "get(",
    "DEFAULT",
)
_CONFIG = (".properties", ".yml", ".yaml")
_TOML = (
    "",
    "# nothing\n",
    '[exclude]\npaths = ["**/test/**"]\n',
    '[[read]]\ncall = "java.util.Map.get"\nname = 0\n',
    '[[read]]\ncall = "java.util.Properties.getProperty"\nname = 0\ndefault = 1\n',
    '[[option]]\nname = "fuzz.option"\n',
    "[[read]\nbroken",
    '[exclude]\npaths = ["a*a*a*a*a*b", "**/*1*.java"]\n',
)
_IGNORES = ("", "*.log\n", "target/\n*.class\n", "**/*2*.java\n", "!keep\n[\n")
_SNIPPETS = (
    'int fuzz{n} = Integer.getInteger("fuzz.option{n}", {n});',
    'static final String FUZZ{n} = "fuzz.key{n}";',
    'void fuzz{n}() throws Exception {{ Thread.sleep(Long.getLong("fuzz.sleep{n}", {n})); }}',
    'boolean fuzz{n} = Boolean.getBoolean("fuzz.flag{n}");',
    "// {n}",
    "int x{n};",
)


class Server(Client):
    """A server whose diagnostics and status are kept as they are last reported."""

    notifications = ("conflens/status",)
    settings = {"annotations.show": "all"}  # noqa: RUF012

    def __init__(self, root: Path, cache: Path, folders: list[Path]) -> None:
        """Start on the first folder, and add the others."""
        self.diagnostics: dict[str, list[str]] = {}
        self.status: dict[str, Any] = {}
        self._lock = threading.Lock()
        super().__init__(command("serve", "--stdio"), environment(cache), folders[0])
        for folder in folders[1:]:
            self.folders([folder], [])

    def folders(self, added: list[Path], removed: list[Path]) -> None:
        """Add and remove workspace folders."""
        event = {
            name: [{"uri": path.as_uri(), "name": path.name} for path in paths]
            for name, paths in (("added", added), ("removed", removed))
        }
        self.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    def _take(self, at: float, message: dict[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            with self._lock:
                self.diagnostics[params["uri"]] = sorted(
                    json.dumps(item, sort_keys=True) for item in params["diagnostics"]
                )
        elif message.get("method") == "conflens/status":
            self.status = message["params"]
        elif "id" in message:
            super()._take(at, message)

    def view(self, documents: list[tuple[Path, int]]) -> dict[str, Any]:
        """Return what a person sees: of some documents, given with their numbers of lines, and of the project."""
        found: dict[str, Any] = {}
        for folder in self.request("conflens/options", {})[1]["folders"]:
            rows = [json.dumps(row, sort_keys=True) for row in folder["options"]]
            found[f"options {folder['folder']}"] = sorted(rows)
        for path, lines in documents:
            named = {"textDocument": {"uri": path.as_uri()}}
            last = {"line": lines, "character": 0}
            extent = {"range": {"start": {"line": 0, "character": 0}, "end": last}}
            for method, more in (
                ("textDocument/codeLens", {}),
                ("textDocument/inlayHint", extent),
                ("textDocument/documentSymbol", {}),
                *(
                    ("textDocument/hover", {"position": {"line": line, "character": 12}})
                    for line in range(0, lines, max(1, lines // 6))
                ),
            ):
                answer = self.request(method, {**named, **more})[1]
                key = f"{method} {path.name} {more.get('position', {}).get('line', '')}"
                found[key] = json.dumps(_plain(answer), sort_keys=True)
        with self._lock:
            found["diagnostics"] = {uri: items for uri, items in self.diagnostics.items() if items}
        return found

    def settle(self) -> None:
        """Wait until all folders have been read and verdicts are there."""
        end = time.monotonic() + 600
        while time.monotonic() < end:
            status = self.status
            if status.get("state") == "ready" and status.get("verdicts") != "waiting":
                return
            time.sleep(0.1)
        raise TimeoutError(f"not ready: {self.status}")


def _plain(answer: Any) -> Any:
    """Return an answer without what names an item in one server only."""
    if isinstance(answer, dict):
        return {key: _plain(value) for key, value in answer.items() if key != "data"}
    if isinstance(answer, list):
        return [_plain(item) for item in answer]
    return answer


class Fuzzer:
    """The person and the file system; ``done`` counts operations by kind."""

    def __init__(self, base: Path, project: Path, seed: int) -> None:
        """Copy the project below ``base`` and start the server."""
        self.dice = random.Random(seed)
        self.root = base / "project"
        shutil.copytree(project, self.root, ignore=shutil.ignore_patterns(".git"))
        (self.root / "app.properties").write_text("fuzz.option1=5\n", encoding="utf-8")
        self.second = base / "second"
        self.second.mkdir()
        for number in range(20):
            text = f"package s;\nclass S{number} {{\n  {_SNIPPETS[0].format(n=number)}\n}}\n"
            (self.second / f"S{number}.java").write_text(text, encoding="utf-8")
        self.base = base
        self.folders = [self.root]
        self.server = Server(self.root, base / "cache", self.folders)
        self.open: dict[Path, Document] = {}
        self.sound: dict[Path, str] = {}
        self.done: dict[str, int] = {}
        self.log: deque[str] = deque(maxlen=400)
        self.gone: dict[Path, bytes] = {}
        self.originals: dict[Path, bytes] = {}
        self.size = 0
        """Characters of what was compared last."""
        every = sorted(self.root.rglob("*.java"))
        reading = [
            path
            for path in every
            if any(word in path.read_text("utf-8", "replace") for word in _READS)
        ]
        self.dice.shuffle(reading)
        self.java = reading[:60] + self.dice.sample(every, min(40, len(every)))
        self.config = [path for path in sorted(self.root.rglob("*")) if path.suffix in _CONFIG][
            :40
        ]

    # -- operations --------------------------------------------------------------------------------

    def operate(self) -> None:
        """Do one operation."""
        kinds = {
            self.type: 40,
            self.erase: 10,
            self.rename_word: 6,
            self.replace_all: 2,
            self.open_document: 8,
            self.save: 6,
            self.close: 5,
            self.write_outside: 8,
            self.write_many: 1,
            self.move: 2,
            self.create: 3,
            self.delete: 3,
            self.restore: 3,
            self.change_toml: 1,
            self.change_ignores: 1,
            self.change_folders: 1,
            self.ask: 10,
        }
        (kind,) = self.dice.choices(list(kinds), weights=list(kinds.values()))
        name = kind.__name__
        detail = kind()
        if detail is not None:
            self.done[name] = self.done.get(name, 0) + 1
            self.log.append(f"{name} {detail}")

    def type(self) -> str | None:
        """Type a member, a statement or a key, in pieces."""
        document = self._document()
        if document is None:
            return None
        n = self.dice.randrange(60)
        line = self.dice.randrange(len(document.lines))
        if document.path.suffix == ".java":
            opening = [i for i, text in enumerate(document.lines) if text.rstrip().endswith("{")]
            if opening and self.dice.random() < 0.9:
                line = self.dice.choice(opening) + 1
            text = self.dice.choice(_SNIPPETS).format(n=n) + "\n"
        else:
            text = (
                f"fuzz.option{n}={n}\n"
                if document.path.suffix == ".properties"
                else f"fuzz{n}: {n}\n"
            )
        line = min(line, len(document.lines) - 1)
        if self.dice.random() < 0.3:
            half = len(text) // 2
            document.insert(line, 0, text[half:])
            document.insert(line, 0, text[:half])
        else:
            document.insert(line, 0, text)
        return f"{document.path.name}:{line} {text!r}"

    def erase(self) -> str | None:
        """Erase lines or a part of one."""
        document = self._document()
        if document is None or len(document.lines) < 4:
            return None
        line = self.dice.randrange(len(document.lines) - 3)
        if self.dice.random() < 0.5:
            end = line + self.dice.randint(1, 3)
            document.replace(line, 0, end, 0, "")
            return f"{document.path.name}:{line}-{end}"
        width = len(document.lines[line])
        first = self.dice.randint(0, width)
        document.replace(line, first, line, min(width, first + 5), "")
        return f"{document.path.name}:{line}:{first}"

    def rename_word(self) -> str | None:
        """Change one word or number of a line."""
        document = self._document()
        if document is None:
            return None
        line = self.dice.randrange(len(document.lines))
        text = document.lines[line]
        digits = [i for i, letter in enumerate(text) if letter.isalnum() and ord(letter) < 128]
        if not digits:
            return None
        at = self.dice.choice(digits)
        document.replace(line, at, line, at + 1, self.dice.choice("abX123_"))
        return f"{document.path.name}:{line}:{at}"

    def replace_all(self) -> str | None:
        """Undo everything: the text of the file on disk."""
        document = self._document()
        if document is None or not document.path.exists():
            return None
        self._set(document, document.path.read_text("utf-8", "replace"))
        return document.path.name

    def open_document(self) -> str | None:
        """Open a file."""
        if len(self.open) >= _OPEN:
            return None
        path = self.dice.choice(
            self.java if self.dice.random() < 0.75 else self.config or self.java
        )
        if path in self.open or not path.exists() or not _is_text(path):
            return None
        self.open[path] = Document(self.server, path, _language(path))
        self.open[path].open()
        return path.name

    def save(self) -> str | None:
        """Save a document."""
        document = self._document()
        if document is None or not document.path.parent.exists():
            return None
        self._keep(document.path)
        document.save()
        return document.path.name

    def close(self) -> str | None:
        """Close a document, saved or not."""
        document = self._document()
        if document is None:
            return None
        document.close()
        del self.open[document.path]
        return document.path.name

    def write_outside(self) -> str | None:
        """Change a file behind the editor's back."""
        path = self.dice.choice(self.java + self.config)
        if not path.exists() or not _is_text(path):
            return None
        self._keep(path)
        lines = path.read_text("utf-8").split("\n")
        line = self.dice.randrange(len(lines))
        n = self.dice.randrange(60)
        if path.suffix == ".java":
            opening = [i for i, text in enumerate(lines) if text.rstrip().endswith("{")]
            if opening:
                line = self.dice.choice(opening) + 1
            lines.insert(line, self.dice.choice(_SNIPPETS).format(n=n))
        else:
            lines.insert(
                line, f"fuzz.option{n}={n}" if path.suffix == ".properties" else f"fuzz{n}: {n}"
            )
        path.write_text("\n".join(lines), encoding="utf-8")
        self._changed({path: 2})
        return f"{path.name}:{line}"

    def write_many(self) -> str:
        """Change a branch: many files at once, some of them gone, some back."""
        changes: dict[Path, int] = {}
        for path in self.dice.sample(self.java, min(30, len(self.java))):
            if path.exists() and self.dice.random() < 0.15:
                self._keep(path)
                self.gone[path] = path.read_bytes()
                path.unlink()
                changes[path] = 3
            elif path in self.originals:
                changes[path] = 2 if path.exists() else 1
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self.originals[path])
                self.gone.pop(path, None)
        self._changed(changes)
        return f"{len(changes)} files"

    def move(self) -> str | None:
        """Rename a file behind the editor's back."""
        path = self.dice.choice(self.java)
        if not path.exists() or path in self.open:
            return None
        self._keep(path)
        new = path.with_name(f"Moved{self.dice.randrange(10)}{path.name}")
        if new.exists():
            return None
        path.rename(new)
        self.java[self.java.index(path)] = new
        self.originals.setdefault(new, new.read_bytes())
        self._changed({path: 3, new: 1})
        return f"{path.name} to {new.name}"

    def create(self) -> str:
        """Make a new file."""
        n = self.dice.randrange(1000)
        if self.dice.random() < 0.6:
            path = self.dice.choice(self.java).parent / f"Fuzz{n}.java"
            text = f"package fuzz;\nclass Fuzz{n} {{\n  {self.dice.choice(_SNIPPETS).format(n=n % 60)}\n}}\n"
            self.java.append(path)
        else:
            path = self.root / f"fuzz{n}.properties"
            text = f"fuzz.option{n % 60}=${{fuzz.key{n % 7}}}\nfuzz.key{n % 5}=1\n"
            self.config.append(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self._changed({path: 1})
        return path.name

    def delete(self) -> str | None:
        """Delete a file, open or not."""
        path = self.dice.choice(self.java + self.config)
        if not path.exists():
            return None
        self._keep(path)
        self.gone[path] = path.read_bytes()
        path.unlink()
        self._changed({path: 3})
        return path.name

    def restore(self) -> str | None:
        """Bring a deleted file back."""
        if not self.gone:
            return None
        path = self.dice.choice(sorted(self.gone))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.gone.pop(path))
        self._changed({path: 1})
        return path.name

    def change_toml(self) -> str:
        """Change the project's own rows."""
        return self._write(".conflens.toml", self.dice.choice(_TOML))

    def change_ignores(self) -> str:
        """Change what git ignores."""
        return self._write(".gitignore", self.dice.choice(_IGNORES))

    def change_folders(self) -> str:
        """Add or remove the second folder."""
        if self.second in self.folders:
            self.folders.remove(self.second)
            self.server.folders([], [self.second])
            return "without second"
        self.folders.append(self.second)
        self.server.folders([self.second], [])
        return "with second"

    def ask(self) -> str | None:
        """Ask something and take no notice of the answer; often withdraw the question."""
        document = self._document()
        if document is None:
            return None
        line = self.dice.randrange(len(document.lines))
        position = {"line": line, "character": self.dice.randint(0, len(document.lines[line]))}
        params = {"textDocument": {"uri": document.uri}, "position": position}
        method = self.dice.choice(
            ("hover", "completion", "definition", "references", "prepareRename", "codeLens")
        )
        if method == "references":
            params["context"] = {"includeDeclaration": True}
        if method == "codeLens":
            del params["position"]
        number, _ = self.server.send_request(f"textDocument/{method}", params)
        if self.dice.random() < 0.4:
            self.server.notify("$/cancelRequest", {"id": number})
        self.server.answer(number)
        return method

    # -- comparing ---------------------------------------------------------------------------------

    def compare(self) -> list[str]:
        """Return in what the server and a new one differ."""
        for path, document in self.open.items():
            # What a broken text leaves to be answered from the past is no difference.
            if path.suffix == ".java" and parse(document.text.encode()).root.has_error:
                self._set(document, "class Mended {\n}\n")
        toml = self.root / ".conflens.toml"
        if toml.exists() and "broken" in toml.read_text(encoding="utf-8"):
            # One that cannot be read keeps what it said before, which a new server has never heard.
            self._write(toml.name, "")
        fresh = Server(self.root, self.base / "fresh", self.folders)
        with fresh:
            for document in self.open.values():
                mine = Document(fresh, document.path, _language(document.path), document.lines)
                mine.open()
            fresh.settle()
            self.server.settle()
            chosen = self.dice.sample(sorted(self.java), min(8, len(self.java)))
            paths = [
                path
                for path in dict.fromkeys((*self.open, *chosen))
                if path in self.open or path.exists()
            ]
            documents = [
                (
                    path,
                    len(self.open[path].lines)
                    if path in self.open
                    else path.read_bytes().count(b"\n"),
                )
                for path in paths
            ]
            resting = 0
            while True:
                expected, actual = fresh.view(documents), self.server.view(documents)
                self.size = len(json.dumps(expected))
                if expected == actual:
                    return []
                if resting >= _PATIENCE:
                    return list(differences(expected, actual))
                before = self.spent()
                time.sleep(1.0)
                resting = resting + 1 if self.spent() - before < 0.02 else 0

    def spent(self) -> float:
        """Return the seconds of the processor that the server and its workers have spent."""
        process = psutil.Process(self.server.pid)
        family = (process, *process.children(recursive=True))
        return sum(sum(each.cpu_times()[:2]) for each in family)

    def memory(self) -> float:
        """Return the megabytes of the server."""
        return psutil.Process(self.server.pid).memory_info().rss / 2**20

    # -- helpers -----------------------------------------------------------------------------------

    def _document(self) -> Document | None:
        return self.dice.choice(list(self.open.values())) if self.open else None

    def _set(self, document: Document, text: str) -> None:
        last = len(document.lines) - 1
        document.replace(0, 0, last, len(document.lines[last]), text)

    def _keep(self, path: Path) -> None:
        if path.exists():
            self.originals.setdefault(path, path.read_bytes())

    def _write(self, name: str, text: str) -> str:
        path = self.root / name
        existed = path.exists()
        path.write_text(text, encoding="utf-8")
        self._changed({path: 2 if existed else 1})
        return repr(text)

    def _changed(self, changes: dict[Path, int]) -> None:
        events = [{"uri": path.as_uri(), "type": kind} for path, kind in changes.items()]
        self.server.notify("workspace/didChangeWatchedFiles", {"changes": events})


def differences(expected: Any, actual: Any, where: str = "") -> list[str]:
    """Return where two views differ."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        return [
            line
            for key in sorted({*expected, *actual})
            for line in differences(expected.get(key), actual.get(key), f"{where}/{key}")
        ]
    if isinstance(expected, list) and isinstance(actual, list):
        missing = [item for item in expected if item not in actual][:3]
        more = [item for item in actual if item not in expected][:3]
        return [f"{where}: new only {missing}; old only {more}"] if missing or more else []
    return [f"{where}: new {expected!s:.600}; old {actual!s:.600}"] if expected != actual else []


def _is_text(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    # Columns are counted in characters here.
    return "\r" not in text and all(ord(letter) < 0x10000 for letter in text)


def _language(path: Path) -> str:
    return {".java": "java", ".properties": "properties"}.get(path.suffix, "yaml")


def main() -> int:
    """Edit and compare until the operations or minutes are over; return 1 if there were differences."""
    parser = argparse.ArgumentParser(prog="bench.fuzzed")
    parser.add_argument("project", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--operations", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=int, default=500)
    given = parser.parse_args()
    end = time.monotonic() + given.minutes * 60
    failed = 0
    with tempfile.TemporaryDirectory(prefix="conflens-fuzzed-") as folder:
        fuzzer = Fuzzer(Path(folder), given.project, given.seed)
        with fuzzer.server:
            fuzzer.server.settle()
            compared = 0
            while (
                total := sum(fuzzer.done.values())
            ) < given.operations and time.monotonic() < end:
                while sum(fuzzer.done.values()) < total + given.every:
                    fuzzer.operate()
                    if fuzzer.dice.random() < 0.1:
                        time.sleep(fuzzer.dice.random() * 0.3)
                begun = time.monotonic()
                found = fuzzer.compare()
                compared += 1
                total = sum(fuzzer.done.values())
                print(
                    f"{time.strftime('%T')} {total:7,} operations, {compared} comparisons of {fuzzer.size:,} characters, {fuzzer.memory():.0f} MB, "
                    f"compared in {time.monotonic() - begun:.0f} s, {len(found)} differences",
                    flush=True,
                )
                if found:
                    failed += 1
                    print("\n".join(found[:20]))
                    print("after:", *list(fuzzer.log)[-60:], sep="\n  ", flush=True)
            print(f"operations: {dict(sorted(fuzzer.done.items()))}")
            print(
                f"{total:,} operations, {compared} comparisons, {failed} with differences",
                flush=True,
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
