"""Capability sets: those of real clients, and VS Code's with something taken away.

``capabilities/README.md`` says where the real ones come from.  A set also says how the client opens its folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import attrs

HERE = Path(__file__).parent
REAL = ("vscode", "neovim", "eglot", "helix", "lsp4ij", "lsp4e")
Capabilities = dict[str, Any]


@attrs.frozen
class Client:
    """What a client announces; ``folders``: it names its workspace folders, and not only a root."""

    name: str
    capabilities: Capabilities = attrs.field(repr=False)
    folders: bool = True


def clients() -> list[Client]:
    """Return all sets."""
    found = [Client(name, _real(name)) for name in REAL]
    for name, change in REDUCED.items():
        known = _real("vscode")
        change(known)
        found.append(Client(name, known, folders=name not in ("no-workspace-folders", "nothing")))
    return found


def _real(name: str) -> Capabilities:
    text = (HERE / "capabilities" / f"{name}.json").read_text(encoding="utf-8")
    found: Capabilities = json.loads(text)
    return found


def _without(*paths: str) -> Callable[[Capabilities], None]:
    """Take away what stands at these paths."""

    def change(known: Capabilities) -> None:
        for path in paths:
            *parents, last = path.split(".")
            inside = known
            for key in parents:
                inside = inside[key]
            del inside[last]

    return change


def _with(path: str, value: object) -> Callable[[Capabilities], None]:
    def change(known: Capabilities) -> None:
        *parents, last = path.split(".")
        inside = known
        for key in parents:
            inside = inside[key]
        inside[last] = deepcopy(value)

    return change


def _nothing(known: Capabilities) -> None:
    known.clear()


REDUCED: dict[str, Callable[[Capabilities], None]] = {
    "no-inlay-hints": _without("textDocument.inlayHint", "workspace.inlayHint"),
    "no-code-lens": _without("textDocument.codeLens", "workspace.codeLens"),
    "no-code-lens-refresh": _without("workspace.codeLens"),
    "no-watched-files": _without("workspace.didChangeWatchedFiles"),
    "push-only": _without("textDocument.diagnostic", "workspace.diagnostics"),
    "pull-only": _without("textDocument.publishDiagnostics"),
    "pull-only-no-refresh": _without("textDocument.publishDiagnostics", "workspace.diagnostics"),
    "utf-8": _with("general.positionEncodings", ["utf-8"]),
    "utf-32": _with("general.positionEncodings", ["utf-32"]),
    "no-document-changes": _without("workspace.workspaceEdit.documentChanges"),
    "no-change-annotations": _without("workspace.workspaceEdit.changeAnnotationSupport"),
    "no-progress": _without("window.workDoneProgress"),
    "plain-text": _with("textDocument.hover.contentFormat", ["plaintext"]),
    "no-snippets": _without("textDocument.completion.completionItem.snippetSupport"),
    "plain-completion": _with("textDocument.completion.completionItem", {}),
    "no-configuration": _without("workspace.configuration", "workspace.didChangeConfiguration"),
    "no-workspace-folders": _without("workspace.workspaceFolders"),
    "no-own-commands": _without("experimental"),
    "no-own-commands-no-documents": _without("experimental", "window.showDocument"),
    "no-code-action-literals": _without("textDocument.codeAction.codeActionLiteralSupport"),
    "flat-symbols-no-links": _without(
        "textDocument.documentSymbol.hierarchicalDocumentSymbolSupport",
        "textDocument.definition.linkSupport",
    ),
    "nothing": _nothing,
}
