"""One session with the server as any client would have it, written down as a reviewer reads it.

The client announces the capabilities of a set, asks only what it announced (lenses, hints, pulled diagnostics), and does
with an answer what such a client does: applies edits, runs commands that the server offers.  The transcript holds what
the server sent, with the folder as ``ROOT``, positions as ``line:column`` from 0 in the agreed encoding, and links without their
targets.  Everything that came is kept beside it, for ``rules``.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from clients.sets import Client as Set
from e2e.client import Client, ServerError
from e2e.test_sensitivity import edited
from patience import PATIENCE

DEMO = """class Demo {
  void a() { String s = "😀ä"; int t = Integer.getInteger(Keys.K, 5); }
  void b() { int t = Integer.getInteger("net.timeout", 6); }
  void c() { System.getProperty("net.host"); wait(1); } // <- net.timeout loop io // + net.timeout sets how long a thread waits
}
// ? net.timeout sensitive 0.9
"""
KEYS = 'class Keys {\n  static final String K = "net.timeout";\n}\n'
SETTINGS = "# 😀\nnet.timeout=5\nnet.timeout=7 ä\n"
GUIDE = "# Options\n\nSet `net.timeout` and `net.host`.\n"
FILES = {
    "src/Demo.java": DEMO,
    "src/Keys.java": KEYS,
    "conf/app.properties": SETTINGS,
    "GUIDE.md": GUIDE,
}
SIZES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
REFRESHES = {
    "workspace/inlayHint/refresh": "workspace.inlayHint.refreshSupport",
    "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
}
SLOW = ("window/workDoneProgress/create", "$/progress")
"""They come where something lasts longer than a second, which says nothing about the client."""
LATER = -32802
"""``ServerCancelled``: the client asks again."""


class Session:
    """See the module text; ``sent`` holds (what it answers, the result) in order."""

    def __init__(self, client: Client, one: Set, root: Path) -> None:
        self.client, self.set, self.root = client, one, root
        self.capabilities = one.capabilities
        self.lines: list[str] = []
        self.sent: list[tuple[str, Any]] = []
        self.texts = dict(FILES)
        self.versions: dict[str, int] = {}
        self.server: dict[str, Any] = {}
        self.encoding = "utf-16"

    def announced(self, path: str) -> Any:
        """Return what the client announces at a path, ``None`` if nothing."""
        found: Any = self.capabilities
        for key in path.split("."):
            found = found.get(key) if isinstance(found, dict) else None
        return found

    def run(self) -> str:
        """Hold the session; return the transcript."""
        self._begin()
        self._read()
        self._lenses()
        self._complete()
        self._act()
        self._rename()
        self._edit()
        self._end()
        return "\n".join([*self.lines, ""])

    # The parts of the session.

    def _begin(self) -> None:
        self.client.answers["workspace/configuration"] = lambda params: [
            None for _ in params["items"]
        ]
        self.client.answers["window/showDocument"] = lambda _: {"success": True}
        params: dict[str, Any] = {
            "processId": os.getpid(),
            "rootUri": self.root.as_uri(),
            "capabilities": self.capabilities,
        }
        if self.set.folders:
            params["workspaceFolders"] = [{"name": "demo", "uri": self.root.as_uri()}]
        result = self.ask("initialize", params)
        self.server = result["capabilities"]
        self.encoding = self.server.get("positionEncoding", "utf-16")
        self.client.notify("initialized", {})
        self.title("The server offers")
        self.lines += list(_offers(self.server))
        for path in ("src/Keys.java", "src/Demo.java", "conf/app.properties"):
            self._open(path)
        self.title("Diagnostics")
        for path in ("src/Keys.java", "src/Demo.java", "conf/app.properties"):
            self.diagnostics(path)

    def _read(self) -> None:
        self.title("Hover")
        for path, text in (("src/Demo.java", "Keys.K"), ("conf/app.properties", "net.timeout")):
            found = self.ask("textDocument/hover", self.at(path, text, 2))
            self.lines.append(f"{path} {_range(found['range'])} {found['contents']['kind']}:")
            self.lines += [f"  | {line}" for line in self.plain(found["contents"]["value"])]
        self.title("Definition")
        for found in self.ask("textDocument/definition", self.at("src/Demo.java", '"net.t', 3)):
            kind, target = ("link", "target") if "targetUri" in found else ("location", "")
            uri = found.get("targetUri") or found["uri"]
            place = found.get(f"{target}SelectionRange") or found["range"]
            self.lines.append(f"{kind} to {self.path(uri)} {_range(place)}")
        self.title("References")
        context = {"includeDeclaration": True}
        asked = {**self.at("src/Demo.java", '"net.t', 3), "context": context}
        self.locations(self.ask("textDocument/references", asked))
        self.title("Symbols")
        document = {"textDocument": {"uri": self.uri("src/Demo.java")}}
        for found in self.ask("textDocument/documentSymbol", document):
            place = found.get("selectionRange") or found["location"]["range"]
            kind = "nested" if "selectionRange" in found else "flat"
            self.lines.append(f"{kind} {found['name']} {_range(place)}")
        if self.announced("textDocument.inlayHint") is None:
            return
        self.title("Inlay hints")
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        for found in self.ask("textDocument/inlayHint", {**document, "range": whole}):
            self._hint(found)

    def _hint(self, found: dict[str, Any]) -> None:
        if self.announced("textDocument.inlayHint.resolveSupport"):
            found = self.ask("inlayHint/resolve", found)
        label, place = found["label"], _position(found["position"])
        parts = [{"value": label}] if isinstance(label, str) else label
        shown = "".join(part["value"] for part in parts)
        more = [] if "tooltip" not in found else ["explained"]
        for part in parts:
            if "command" in part:
                more.append(f"{part['value']} runs {part['command']['command']}")
            elif "location" in part:
                more.append(f"{part['value']} leads to a place")
        self.lines.append(f"{place} {shown!r}" + (f" ({', '.join(more)})" if more else ""))

    def _lenses(self) -> None:
        if self.announced("textDocument.codeLens") is None:
            return
        self.title("Code lenses, and what running them does")
        for path in ("src/Keys.java", "conf/app.properties"):
            asked = {"textDocument": {"uri": self.uri(path)}}
            for lens in self.ask("textDocument/codeLens", asked):
                command = self.ask("codeLens/resolve", lens)["command"]
                where = f"{path} {_position(lens['range']['start'])}"
                self.lines.append(f"{where} {command['title']!r} runs {command['command']}")
                self._run(command)

    def _run(self, command: dict[str, Any]) -> None:
        offered = self.server["executeCommandProvider"]["commands"]
        if command["command"] not in offered:
            return
        asked, told = len(self.client.asked), len(self.client.notifications)
        params = {"command": command["command"], "arguments": command.get("arguments", [])}
        self.ask("workspace/executeCommand", params)
        # A second request is answered behind whatever the first one made the server send.
        self.client.request("workspace/executeCommand", {**params, "arguments": []})
        for message in self.client.asked[asked:]:
            if message["method"] == "window/showDocument":
                self._shown(message["params"])
        for message in self.client.notifications[told:]:
            if message["method"] == "window/showMessage":
                self.lines.append(f"  told: {self.hide(message['params']['message'])}")

    def _shown(self, params: dict[str, Any]) -> None:
        self.lines.append(f"  opened: {self.hide(params['uri'])}")
        if "places" in params["uri"]:
            page = Path(params["uri"].removeprefix("file://")).read_text(encoding="utf-8")
            self.lines += [f"  | {line}" for line in self.plain(page)]

    def _complete(self) -> None:
        self.title("Completion after `net.` in a config file")
        line = SETTINGS.count("\n")
        self.edit("conf/app.properties", [_insertion(line, 0, "net.")])
        found = self.ask(
            "textDocument/completion",
            {
                "textDocument": {"uri": self.uri("conf/app.properties")},
                "position": {"line": line, "character": 4},
            },
        )
        wanted = self.announced("textDocument.completion.completionItem.resolveSupport") or {}
        for item in found["items"]:
            if "documentation" in wanted.get("properties", ()):
                item = self.ask("completionItem/resolve", item)
            more = [key for key in ("preselect", "insertTextMode") if key in item]
            if "documentation" in item:
                more.append(f"documentation: {_kind(item['documentation'])}")
            edit = item["textEdit"]
            more += ["insert or replace" if "insert" in edit else "text edit"]
            self.lines.append(f"{item['label']} ({', '.join(more)})")
        self.edit("conf/app.properties", [{"text": SETTINGS}])

    def _act(self) -> None:
        self.title("Code actions on a key that stands twice")
        (wrong,) = [
            one
            for one in self.diagnostics("conf/app.properties", quiet=True)
            if one["code"] == "duplicate-key"
        ]
        actions = self.ask(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": self.uri("conf/app.properties")},
                "range": wrong["range"],
                "context": {"diagnostics": [wrong]},
            },
        )
        for action in actions or ():
            preferred = ", preferred" if action.get("isPreferred") else ""
            self.lines.append(f"{action['kind']}{preferred}: {action['title']}")
        if not actions:
            self.lines.append("none")
            return
        self.title("The first one, applied")
        self.apply(actions[0]["edit"])
        self.diagnostics("conf/app.properties")
        self.title("A verdict of a person")
        asked = {
            "textDocument": {"uri": self.uri("src/Keys.java")},
            "context": {"diagnostics": []},
        }
        start = self.at("src/Keys.java", "K =")["position"]
        found = self.ask(
            "textDocument/codeAction", {**asked, "range": {"start": start, "end": start}}
        )
        for action in found or ():
            self.lines.append(f"{action['kind']}: {action['title']}")
            self.lines += [f"  {line}" for line in self._edits(action["edit"])]

    def _rename(self) -> None:
        self.title("Rename net.timeout to net.patience")
        at = self.at("src/Keys.java", "net.timeout", 2)
        if self.announced("textDocument.rename.prepareSupport"):
            found = self.ask("textDocument/prepareRename", at)
            self.lines.append(f"{_range(found['range'])} {found['placeholder']}")
        before = len(self.client.notifications)
        edit = self.ask("textDocument/rename", {**at, "newName": "net.patience"})
        for message in self.client.notifications[before:]:
            if message["method"] == "window/showMessage":
                self.lines.append(f"told: {message['params']['message']}")
        self.apply(edit)
        settings = self.texts["conf/app.properties"]
        if "net.timeout" in settings:  # a person does what the client could not be given
            settings = settings.replace("net.timeout", "net.patience")
            self.edit("conf/app.properties", [{"text": settings}])
        self.diagnostics("src/Keys.java")
        self.diagnostics("src/Demo.java")

    def _edit(self) -> None:
        self.title("A read is typed")
        line = self.texts["src/Demo.java"].splitlines().index("}")
        text = '  void d() { System.getProperty("net.quiet"); }\n'
        self.edit("src/Demo.java", [_insertion(line, 0, text)])
        self.diagnostics("src/Demo.java", until="net.quiet")

    def _end(self) -> None:
        wanted = {method for method, path in REFRESHES.items() if self.announced(path)}
        self.client.wait(lambda: wanted <= {one["method"] for one in self.client.asked}, "refresh")
        self.title("Closed")
        for path in list(self.versions):
            uri = self.uri(path)
            self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.sent.append(("shutdown", self.client.request("shutdown", None)))
        left = {}
        for message in self.client.notifications:
            if message["method"] == "textDocument/publishDiagnostics":
                left[self.path(message["params"]["uri"])] = len(message["params"]["diagnostics"])
        self.lines.append(
            f"diagnostics that stay: {sum(left.values())}" if left else "nothing was published"
        )
        self.client.notify("exit", None)
        self.lines.append(f"exit code {self.client.process.wait(PATIENCE)}")
        self.title("All that came unasked")
        came = [("asked", one) for one in self.client.asked]
        came += [("told", one) for one in self.client.notifications]
        named = {f"{kind} {_name(one)}" for kind, one in came if one["method"] not in SLOW}
        self.lines += sorted(named)

    # Helpers.

    def title(self, text: str) -> None:
        self.lines += ["", f"## {text}", ""] if self.lines else [f"## {text}", ""]

    def ask(self, method: str, params: object) -> Any:
        found = self.client.request(method, params)
        self.sent.append((method, found))
        return found

    def uri(self, path: str) -> str:
        return f"{self.root.as_uri()}/{path}"

    def path(self, uri: str) -> str:
        return uri.removeprefix(f"{self.root.as_uri()}/")

    def hide(self, text: str) -> str:
        text = text.replace(self.root.as_uri(), "ROOT").replace(str(self.root), "ROOT")
        text = re.sub(r"\?.*", "?…", text)
        return re.sub(r"\S*/conflens-\w+/", "PAGES/", text)

    def plain(self, text: str) -> list[str]:
        """Lines of Markdown, with where links lead hidden."""
        text = re.sub(r"\]\((?!\s)[^)\s]*\)", "](…)", text)
        return [line.rstrip() for line in self.hide(text).splitlines()]

    def at(self, path: str, text: str, inside: int = 0) -> dict[str, Any]:
        """Parameters of a request at ``text``, in the agreed encoding."""
        whole = self.texts[path]
        offset = whole.index(text) + inside
        head = whole[:offset].rpartition("\n")[2]
        codec, size = SIZES[self.encoding]
        position = {
            "line": whole.count("\n", 0, offset),
            "character": len(head.encode(codec)) // size,
        }
        return {"textDocument": {"uri": self.uri(path)}, "position": position}

    def _open(self, path: str) -> None:
        self.versions[path] = 1
        language = "java" if path.endswith(".java") else "properties"
        item = {"uri": self.uri(path), "languageId": language, "version": 1}
        item["text"] = self.texts[path]
        self.client.notify("textDocument/didOpen", {"textDocument": item})

    def edit(self, path: str, changes: list[dict[str, Any]]) -> None:
        """Edit an open document."""
        for one in changes:
            if "range" in one:
                edits = [{"range": one["range"], "newText": one["text"]}]
                self.texts[path] = edited(self.texts[path], edits, self.encoding)
            else:
                self.texts[path] = one["text"]
        self.versions[path] += 1
        document = {"uri": self.uri(path), "version": self.versions[path]}
        params = {"textDocument": document, "contentChanges": changes}
        self.client.notify("textDocument/didChange", params)

    def apply(self, edit: dict[str, Any]) -> None:
        """Do what a workspace edit says, in open documents and on disk."""
        self.lines += self._edits(edit)
        for path, edits in _by_path(edit, self.path):
            if path in self.versions:
                self.texts[path] = edited(self.texts[path], edits, self.encoding)
                self.edit(path, [{"text": self.texts[path]}])

    def _edits(self, edit: dict[str, Any]) -> list[str]:
        """Say what an edit does; also what a client may have a person confirm."""
        found = []
        notes = edit.get("changeAnnotations", {})
        for one in edit.get("documentChanges", ()):
            if "kind" in one:
                found.append(f"{one['kind']} {self.path(one['uri'])}")
                continue
            version = one["textDocument"]["version"]
            shown = f"version {version}" if version is not None else "on disk"
            for text in one["edits"]:
                note = notes.get(text.get("annotationId"), {})
                label = f" [{note['label']}]" if note else ""
                label += " to be confirmed" if note.get("needsConfirmation") else ""
                path = self.path(one["textDocument"]["uri"])
                found.append(
                    f"{path} ({shown}) {_range(text['range'])} := {text['newText']!r}{label}"
                )
        for uri, edits in edit.get("changes", {}).items():
            for text in edits:
                found.append(f"{self.path(uri)} {_range(text['range'])} := {text['newText']!r}")
        return found

    def locations(self, found: Iterable[dict[str, Any]]) -> None:
        self.lines += [f"{self.path(one['uri'])} {_range(one['range'])}" for one in found]

    def diagnostics(self, path: str, quiet: bool = False, until: str = "") -> list[dict[str, Any]]:
        """What the client shows of the present text in the end, told or asked for."""
        pulls = "diagnosticProvider" in self.server
        found = self._pulled(path, until) if pulls else self._pushed(path, until)
        found.sort(key=lambda one: (one["range"]["start"]["line"], one["code"]))
        if quiet:
            return found
        self.lines.append(f"{path}{' (asked for)' if pulls else ''}:{'' if found else ' nothing'}")
        for one in found:
            tags = "".join(f" tag {tag}" for tag in one.get("tags", ()))
            related = len(one.get("relatedInformation", ()))
            more = f" and {related} related" if related else ""
            shown = f"{_range(one['range'])} {one['source']} {one['code']} {one['severity']}"
            self.lines.append(f"  {shown}{tags}: {one['message']}{more}")
        return found

    def _pushed(self, path: str, until: str) -> list[dict[str, Any]]:
        uri, version = self.uri(path), self.versions[path]

        def fits(params: dict[str, Any]) -> bool:
            return (
                params["uri"] == uri
                and params.get("version") == version
                and (not until or any(until in str(one) for one in params["diagnostics"]))
            )

        self.client.told("textDocument/publishDiagnostics", fits)
        last = [
            one["params"]
            for one in self.client.notifications
            if one["method"] == "textDocument/publishDiagnostics" and fits(one["params"])
        ][-1]
        return list(last["diagnostics"])

    def _pulled(self, path: str, until: str) -> list[dict[str, Any]]:
        asked = {"textDocument": {"uri": self.uri(path)}}
        end = time.monotonic() + PATIENCE
        while True:
            try:
                report = self.ask("textDocument/diagnostic", asked)
            except ServerError as error:
                assert error.code == LATER
            else:
                known = path == "GUIDE.md" or report["items"] or path == "src/Keys.java"
                if (known or self.versions[path] > 1) and (not until or until in str(report)):
                    return list(report["items"])
            assert time.monotonic() < end, f"no diagnostics of {path}"
            time.sleep(0.02)


def _by_path(edit: dict[str, Any], path: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for uri, edits in edit.get("changes", {}).items():
        yield path(uri), edits
    for one in edit.get("documentChanges", ()):
        if "kind" not in one:
            yield path(one["textDocument"]["uri"]), one["edits"]


def _offers(server: dict[str, Any]) -> Iterator[str]:
    for key, value in sorted(server.items()):
        if key == "executeCommandProvider":
            shown = ", ".join(sorted(value["commands"]))
        elif isinstance(value, dict):
            shown = ", ".join(f"{name}: {_short(one)}" for name, one in sorted(value.items()))
        else:
            shown = str(value)
        yield f"{key}: {shown}"


def _short(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_short(one)}" for key, one in sorted(value.items())) + "}"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _name(message: dict[str, Any]) -> str:
    method = str(message["method"])
    if method == "client/registerCapability":
        return f"{method} {message['params']['registrations'][0]['method']}"
    return method


def _insertion(line: int, character: int, text: str) -> dict[str, Any]:
    at = {"line": line, "character": character}
    return {"range": {"start": at, "end": at}, "text": text}


def _kind(documentation: object) -> str:
    return str(documentation["kind"]) if isinstance(documentation, dict) else "string"


def _position(position: dict[str, int]) -> str:
    return f"{position['line']}:{position['character']}"


def _range(found: dict[str, Any]) -> str:
    return f"{_position(found['start'])}-{_position(found['end'])}"
