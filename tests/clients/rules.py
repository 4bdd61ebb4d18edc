"""What must hold in every session, whatever the client: nothing unannounced, and the core for all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clients.session import Session

_REQUESTS = {
    "workspace/configuration": "workspace.configuration",
    "workspace/inlayHint/refresh": "workspace.inlayHint.refreshSupport",
    "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
    "workspace/diagnostic/refresh": "workspace.diagnostics.refreshSupport",
    "workspace/applyEdit": "workspace.applyEdit",
    "workspace/textDocumentContent/refresh": "workspace.textDocumentContent",
    "window/workDoneProgress/create": "window.workDoneProgress",
    "window/showDocument": "window.showDocument.support",
    "window/showMessageRequest": "window.showMessage",
}
_REGISTRATIONS = {
    "workspace/didChangeWatchedFiles": "workspace.didChangeWatchedFiles.dynamicRegistration",
    "workspace/didChangeConfiguration": "workspace.didChangeConfiguration.dynamicRegistration",
}
_ALWAYS = {"window/logMessage", "window/showMessage"}


def unannounced(session: Session) -> list[str]:
    """Return what was sent although the client did not announce it."""
    return [*_offered(session), *_asked(session), *_told(session), *_answered(session)]


def missing(session: Session) -> list[str]:
    """Return which parts of what ConfLens is for the client did not get."""
    answers: dict[str, list[Any]] = {}
    for method, result in session.sent:
        answers.setdefault(method, []).append(result)
    diagnostics = "\n".join(
        str(one["message"])
        for message in session.client.notifications
        for one in message["params"].get("diagnostics", ())
    ) + str(answers.get("textDocument/diagnostic"))
    wanted = {
        "hover": "net.timeout" in str(answers["textDocument/hover"][0])
        and "Demo.java" in str(answers["textDocument/hover"][1]),
        "definition": "Keys.java" in str(answers["textDocument/definition"]),
        "references": len(answers["textDocument/references"][0]) >= 3,
        "completion": "net.host" in str(answers["textDocument/completion"]),
        "rename": "Keys.java" in str(answers["textDocument/rename"]),
        "conflicting defaults": "elsewhere to 6" in diagnostics,
        "a key that stands twice": "set again" in diagnostics,
        "what was typed": "net.quiet" in diagnostics,
    }
    return [name for name, there in wanted.items() if not there]


def _offered(session: Session) -> Iterator[str]:
    server = session.server
    if isinstance(server["renameProvider"], dict):
        yield from _needs(session, "textDocument.rename.prepareSupport", "prepareProvider")
    if "codeActionProvider" in server:
        yield from _needs(session, "textDocument.codeAction.codeActionLiteralSupport", "actions")
    if "callHierarchyProvider" in server:
        yield from _needs(session, "textDocument.callHierarchy", "callHierarchyProvider")
    if "diagnosticProvider" in server:
        yield from _needs(session, "textDocument.diagnostic", "diagnosticProvider")
    if "workspaceFolders" in server.get("workspace", {}):
        yield from _needs(session, "workspace.workspaceFolders", "workspaceFolders")
    encodings = session.announced("general.positionEncodings") or ["utf-16"]
    if session.encoding not in encodings:
        yield f"the encoding {session.encoding}"


def _asked(session: Session) -> Iterator[str]:
    for message in session.client.asked:
        method = message["method"]
        if method == "client/registerCapability":
            for one in message["params"]["registrations"]:
                yield from _needs(session, _REGISTRATIONS[one["method"]], one["method"])
        else:
            yield from _needs(session, _REQUESTS[method], method)


def _told(session: Session) -> Iterator[str]:
    known = session.announced("experimental.conflens.notifications") or ()
    for message in session.client.notifications:
        method = message["method"]
        if method == "textDocument/publishDiagnostics":
            if session.announced("textDocument.diagnostic") is not None:
                yield from _needs(session, "textDocument.publishDiagnostics", method)
            for one in message["params"]["diagnostics"]:
                yield from _diagnostic(session, one, "textDocument.publishDiagnostics")
        elif method == "$/progress":
            yield from _needs(session, "window.workDoneProgress", method)
        elif method not in _ALWAYS and method not in known:
            yield f"the notification {method}"


def _diagnostic(session: Session, one: dict[str, Any], where: str) -> Iterator[str]:
    tags = session.announced(f"{where}.tagSupport.valueSet") or ()
    if not set(one.get("tags", ())) <= set(tags):
        yield "a tag of a diagnostic"
    for key, needed in (
        ("relatedInformation", "relatedInformation"),
        ("codeDescription", "codeDescriptionSupport"),
        ("data", "dataSupport"),
    ):
        if key in one:
            yield from _needs(session, f"{where}.{needed}", f"{key} of a diagnostic")


def _answered(session: Session) -> Iterator[str]:
    for method, result in session.sent:
        if method == "textDocument/hover":
            formats = session.announced("textDocument.hover.contentFormat") or ["markdown"]
            if result["contents"]["kind"] not in formats:
                yield "the format of a hover"
        elif method == "textDocument/definition":
            if any("targetUri" in one for one in result):
                yield from _needs(session, "textDocument.definition.linkSupport", "a link")
        elif method == "textDocument/documentSymbol":
            if any("selectionRange" in one for one in result):
                needed = "textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"
                yield from _needs(session, needed, "a nested symbol")
        elif method == "textDocument/diagnostic":
            for one in result["items"]:
                yield from _diagnostic(session, one, "textDocument.diagnostic")
        elif method in ("textDocument/completion", "completionItem/resolve"):
            for item in result.get("items", [result]):
                yield from _item(session, item)
        elif method == "textDocument/codeAction":
            for action in result or ():
                if "isPreferred" in action:
                    needed = "textDocument.codeAction.isPreferredSupport"
                    yield from _needs(session, needed, "a preferred action")
                yield from _edit(session, action["edit"])
                if "command" in action:
                    yield from _command(session, action["command"]["command"])
        elif method == "textDocument/rename":
            yield from _edit(session, result)
        elif method == "codeLens/resolve":
            yield from _command(session, result["command"]["command"])
        elif method in ("textDocument/inlayHint", "inlayHint/resolve"):
            for hint in result if isinstance(result, list) else [result]:
                for part in hint["label"] if isinstance(hint["label"], list) else ():
                    if "command" in part:
                        yield from _command(session, part["command"]["command"])


def _item(session: Session, item: dict[str, Any]) -> Iterator[str]:
    where = "textDocument.completion.completionItem"
    needed = {
        "preselect": "preselectSupport",
        "insertTextMode": "insertTextModeSupport",
        "labelDetails": "labelDetailsSupport",
        "tags": "tagSupport",
        "commitCharacters": "commitCharactersSupport",
        "deprecated": "deprecatedSupport",
    }
    for key, capability in needed.items():
        if key in item:
            yield from _needs(session, f"{where}.{capability}", f"{key} of a completion")
    if "insert" in item["textEdit"]:
        yield from _needs(session, f"{where}.insertReplaceSupport", "insert or replace")
    if item.get("insertTextFormat") == 2:
        yield from _needs(session, f"{where}.snippetSupport", "a snippet")
    documentation = item.get("documentation")
    if isinstance(documentation, dict) and documentation["kind"] != "plaintext":
        formats = session.announced(f"{where}.documentationFormat") or ()
        if documentation["kind"] not in formats:
            yield "the format of a completion's documentation"


def _edit(session: Session, edit: dict[str, Any]) -> Iterator[str]:
    where = "workspace.workspaceEdit"
    for change in edit.get("documentChanges", ()):
        yield from _needs(session, f"{where}.documentChanges", "documentChanges")
        if "kind" in change and change["kind"] not in (
            session.announced(f"{where}.resourceOperations") or ()
        ):
            yield f"to {change['kind']} a file"
        if any("annotationId" in one for one in change.get("edits", ())):
            yield from _needs(session, f"{where}.changeAnnotationSupport", "an annotated edit")
    if "changeAnnotations" in edit:
        yield from _needs(session, f"{where}.changeAnnotationSupport", "annotations")


def _command(session: Session, command: str) -> Iterator[str]:
    offered = session.server["executeCommandProvider"]["commands"]
    own = session.announced("experimental.commands.commands") or ()
    if command and command not in offered and command not in own:
        yield f"the command {command}"


def _needs(session: Session, capability: str, what: str) -> Iterator[str]:
    found = session.announced(capability)
    if found is None or found is False:
        yield what
