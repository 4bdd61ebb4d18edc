"""What a person waits for in a config file: completion among 10,000 options, and diagnostics in a file of 3,000 lines.

The project is made up: fields that Spring fills, and one ``application.yml`` that sets a quarter of them.  Completion is asked for
right after a key stroke, while the rebuild that it causes has not begun or is running, as an editor does.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench.lsp_client import Client
from bench.rows import Row, percentile
from bench.scans import command, environment

_GROUPS = 100
_OPTIONS = 100
"""In each group."""
_LINES = 3000
_STROKES = 60
_PAUSE = 0.15
_WORDS = ("pool", "cache", "timeout", "retry", "queue")


def config_file_rows() -> Iterator[Row]:
    """Measure in a project of its own."""
    with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
        project, cache = Path(folder) / "project", Path(folder) / "cache"
        text = _write(project)
        file = project / "src" / "main" / "resources" / "application.yml"
        uri = file.as_uri()
        with Client(command("serve", "--stdio"), environment(cache), project) as client:
            document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
            client.notify("textDocument/didOpen", {"textDocument": document})
            _until_ready(client, uri)
            completions = _completions(client, uri, text)
            strokes = _strokes(client, uri, text)
    options = _GROUPS * _OPTIONS
    yield Row(f"completion of keys, {options:,} options, p50", percentile(completions, 0.5), "ms")
    yield Row("completion of keys, p95", percentile(completions, 0.95), "ms", 60)
    lines = text.count("\n")
    what = f"key stroke to diagnostics, YAML of {lines:,} lines, p50"
    yield Row(what, percentile(strokes, 0.5), "ms")
    yield Row("key stroke to diagnostics, p95", percentile(strokes, 0.95), "ms", 200)


def _write(project: Path) -> str:
    """Write the project; return the text of its config file."""
    for group in range(_GROUPS):
        fields = "\n".join(
            f'    @Value("${{{_name(group, number)}:{number}}}") private int field{number:03};'
            for number in range(_OPTIONS)
        )
        source = (
            "package app;\n\nimport org.springframework.beans.factory.annotation.Value;\n"
            "import org.springframework.stereotype.Component;\n\n"
            f"@Component\nclass Group{group:03} {{\n{fields}\n"
            "    int sum() { return field000 + field001; }\n}\n"
        )
        path = project / "src" / "main" / "java" / "app" / f"Group{group:03}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    lines = ["service:"]
    for group in range(_GROUPS):
        lines.append(f"  group{group:03}:")
        for word in _WORDS:
            lines.append(f"    {word}:")
            numbers = (n for n in range(_OPTIONS) if _WORDS[n % len(_WORDS)] == word)
            lines += [f"      limit-{n:03}: {n}  # grün" for n in list(numbers)[:5]]
        if len(lines) >= _LINES - len(_WORDS) * 6:
            break
    text = "\n".join(lines) + "\n"
    file = project / "src" / "main" / "resources" / "application.yml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return text


def _name(group: int, number: int) -> str:
    return f"service.group{group:03}.{_WORDS[number % len(_WORDS)]}.limit-{number:03}"


def _until_ready(client: Client, uri: str) -> None:
    """Wait until a key is completed, and then until nothing is done any more."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        params = {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 12}}
        found = client.request("textDocument/completion", params)[1]
        if found and found["items"]:
            time.sleep(3.0)
            return
        time.sleep(0.2)
    raise TimeoutError("no completion within 120 s of opening the workspace")


def _completions(client: Client, uri: str, text: str) -> list[float]:
    """Type a name letter by letter at several places; time each request."""
    times = []
    version = 1
    lines = text.splitlines()
    places = [number for number, line in enumerate(lines) if line.endswith("pool:")]
    for round_, line in enumerate(places[:: max(1, len(places) // 5)][:5]):
        typed = f"      limit-{95 - 5 * (round_ % 3):03}"
        if round_ % 2:
            typed = f"service.group{90 + round_ % 5:03}.pool.lim"
            line = len(lines) - 1
        start = {"line": line + 1, "character": 0}
        version = _insert(client, uri, version, start, start, "\n")
        for at, letter in enumerate(typed):
            here = {"line": line + 1, "character": at}
            version = _insert(client, uri, version, here, here, letter)
            position = {"line": line + 1, "character": at + 1}
            params = {"textDocument": {"uri": uri}, "position": position}
            seconds, _ = client.request("textDocument/completion", params)
            if letter != " ":
                times.append(seconds * 1000)
            time.sleep(_PAUSE / 3)
        end = {"line": line + 2, "character": 0}
        version = _insert(client, uri, version, start, end, "")
    _insert(client, uri, version, None, None, text)
    time.sleep(1.0)
    return times


def _strokes(client: Client, uri: str, text: str) -> list[float]:
    """Change a value in the middle of the file; time until the diagnostics of that text are there."""
    times = []
    line = text.count("\n") // 2
    while ": " not in text.splitlines()[line]:
        line += 1
    column = text.splitlines()[line].index(": ") + 2
    version = 1000
    for number in range(_STROKES):
        here = {"line": line, "character": column + min(number, 1)}
        start = {"line": line, "character": column} if number else here
        sent = time.perf_counter()
        version = _insert(client, uri, version, start, here, "xyz"[number % 3])
        at = client.note(sent, partial(_reports, uri, version))
        times.append((at - sent) * 1000)
        time.sleep(_PAUSE)
    return times


def _insert(
    client: Client,
    uri: str,
    version: int,
    start: dict[str, int] | None,
    end: dict[str, int] | None,
    text: str,
) -> int:
    """Replace a stretch, or without one the whole text; return the new version."""
    change: dict[str, Any] = {"text": text}
    if start is not None:
        change["range"] = {"start": start, "end": end}
    document = {"uri": uri, "version": version + 1}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    return version + 1


def _reports(uri: str, version: int, note: dict[str, Any]) -> bool:
    if note["method"] != "textDocument/publishDiagnostics":
        return False
    params = note["params"]
    return (
        params["uri"] == uri and params.get("version") == version and bool(params["diagnostics"])
    )
