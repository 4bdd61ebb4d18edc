"""What the client can do, read once from its capabilities; what is not stated is not there."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from conflens.base.text import Encoding
from conflens.ide.pages.flows import SCHEME

SHOW_REFERENCES = "conflens.showReferences"
SAVE = "conflens.saveWorkspaceFile"
SHOW_CHAIN = "conflens.showChain"
_REFERENCES = (SHOW_REFERENCES, "editor.action.showReferences")
"""Commands of clients that show places, with the same arguments; the first one that a client has is taken."""
_LAZY = frozenset({"tooltip", "label.tooltip", "label.location", "label.command"})


@attrs.frozen(kw_only=True)
class Client:
    """The capabilities that change what we send; the defaults are those of a client that says
    nothing."""

    encoding: Encoding = Encoding.UTF16
    hover_formats: tuple[str, ...] = ("markdown",)
    related_information: bool = False
    diagnostic_tags: frozenset[types.DiagnosticTag] = frozenset()
    pulls: bool = False
    """Asks for diagnostics and does not take them unasked; who can do both is told."""
    diagnostic_refresh: bool = False
    notifications: frozenset[str] = frozenset()
    """The notifications of our own that it handles (``experimental.conflens.notifications``)."""
    link_support: bool = False
    hint_refresh: bool = False
    lenses: bool = False
    """Shows code lenses."""
    lens_refresh: bool = False
    progress: bool = False
    configuration: bool = False
    configuration_registration: bool = False
    watches_files: bool = False
    resolves_hints: bool = False
    """Asks for tooltips and the parts of labels when a hint is pointed at."""
    references: str = ""
    """Its command that shows places: ``conflens.showReferences`` in our own editor client."""
    shows_chains: bool = False
    """Has the command ``conflens.showChain``, as our own editor client does."""
    saves: bool = False
    """Has the command ``conflens.saveWorkspaceFile``, as our own editor client does."""
    code_actions: bool = False
    """Takes code actions with an edit, not only commands."""
    document_changes: bool = False
    """Takes edits by document and version."""
    creates_files: bool = False
    annotates_changes: bool = False
    """Shows what edits are about, and lets a person confirm them one by one."""
    preferred_actions: bool = False
    nested_symbols: bool = False
    """Takes the symbols of a document as ``DocumentSymbol``."""
    workspace_folders: bool = False
    call_hierarchy: bool = False
    inserts_or_replaces: bool = False
    """Lets a person choose whether a completion replaces the rest of the word."""
    resolves_items: bool = False
    """Asks for the documentation of a completion when it is looked at."""
    item_formats: tuple[str, ...] = ()
    """How documentation of a completion may be written; nothing stated is plain text."""
    lines_as_is: bool = False
    """Can be told not to indent the lines of a completion again."""
    deprecates_items: bool = False
    preselects_items: bool = False
    pages: bool = False
    """Opens documents whose text the server gives (``workspace/textDocumentContent``)."""
    shows_documents: bool = False

    @property
    def shows_references(self) -> bool:
        """Whether it can show several places at once."""
        return bool(self.references)


def client_of(capabilities: types.ClientCapabilities) -> Client:
    """Read the capabilities; the encoding is the one pygls announces."""
    text = capabilities.text_document or types.TextDocumentClientCapabilities()
    space = capabilities.workspace or types.WorkspaceClientCapabilities()
    window = capabilities.window or types.WindowClientCapabilities()
    chosen = ServerCapabilitiesBuilder.choose_position_encoding(capabilities)
    edit = space.workspace_edit or types.WorkspaceEditClientCapabilities()
    item = _completion_item(text.completion)
    modes, tags = item.insert_text_mode_support, item.tag_support
    symbols, pulls = text.document_symbol, text.publish_diagnostics is None
    shown = text.diagnostic if pulls else text.publish_diagnostics
    marks = shown.tag_support if shown is not None else None
    literals = text.code_action.code_action_literal_support if text.code_action else None
    formats = text.hover.content_format if text.hover else None
    return Client(
        encoding=Encoding(str(getattr(chosen, "value", chosen))),
        hover_formats=tuple(kind.value for kind in formats) if formats else ("markdown",),
        related_information=bool(shown and shown.related_information),
        diagnostic_tags=frozenset(marks.value_set if marks is not None else ()),
        pulls=text.diagnostic is not None and pulls,
        diagnostic_refresh=bool(space.diagnostics and space.diagnostics.refresh_support),
        notifications=_notifications(capabilities.experimental),
        link_support=bool(text.definition and text.definition.link_support),
        hint_refresh=bool(space.inlay_hint and space.inlay_hint.refresh_support),
        lenses=text.code_lens is not None,
        lens_refresh=bool(space.code_lens and space.code_lens.refresh_support),
        progress=bool(window.work_done_progress),
        configuration=bool(space.configuration),
        configuration_registration=bool(
            space.did_change_configuration and space.did_change_configuration.dynamic_registration
        ),
        watches_files=bool(
            space.did_change_watched_files and space.did_change_watched_files.dynamic_registration
        ),
        resolves_hints=_resolves_hints(text.inlay_hint),
        references=next(
            (one for one in _REFERENCES if _has_command(capabilities.experimental, one)), ""
        ),
        shows_chains=_has_command(capabilities.experimental, SHOW_CHAIN),
        saves=_has_command(capabilities.experimental, SAVE),
        code_actions=literals is not None,
        document_changes=bool(edit.document_changes),
        creates_files=bool(
            edit.document_changes
            and types.ResourceOperationKind.Create in (edit.resource_operations or ())
        ),
        annotates_changes=bool(edit.document_changes and edit.change_annotation_support),
        preferred_actions=bool(text.code_action and text.code_action.is_preferred_support),
        nested_symbols=bool(symbols and symbols.hierarchical_document_symbol_support),
        workspace_folders=bool(space.workspace_folders),
        call_hierarchy=text.call_hierarchy is not None,
        inserts_or_replaces=bool(item.insert_replace_support),
        resolves_items=bool(
            item.resolve_support and "documentation" in item.resolve_support.properties
        ),
        item_formats=tuple(kind.value for kind in item.documentation_format or ()),
        lines_as_is=bool(modes and types.InsertTextMode.AsIs in modes.value_set),
        deprecates_items=bool(tags and types.CompletionItemTag.Deprecated in tags.value_set),
        preselects_items=bool(item.preselect_support),
        pages=space.text_document_content is not None,
        shows_documents=bool(window.show_document and window.show_document.support),
    )


def announced(found: types.ServerCapabilities, client: Client) -> None:
    """Fit what pygls announces to the client.

    Some editors ask only one server for call hierarchies.  A client that leaves that capability
    out keeps the one of its Java server, and can still send the requests.  Who is told diagnostics is
    not offered to ask for them, since it would show them twice.
    """
    if not client.call_hierarchy:
        found.call_hierarchy_provider = None
    if not client.code_actions:
        found.code_action_provider = None
    found.diagnostic_provider = None
    if client.pulls:
        found.diagnostic_provider = types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False
        )
    space = found.workspace
    if space is None:
        return
    if not client.workspace_folders:
        space.workspace_folders = None
    if client.pages:
        space.text_document_content = types.TextDocumentContentOptions(schemes=[SCHEME])


def _completion_item(
    completion: types.CompletionClientCapabilities | None,
) -> types.ClientCompletionItemOptions:
    found = completion.completion_item if completion is not None else None
    return found or types.ClientCompletionItemOptions()


def _resolves_hints(hint: types.InlayHintClientCapabilities | None) -> bool:
    support = hint.resolve_support if hint is not None else None
    return support is not None and _LAZY.issubset(support.properties)


def _has_command(experimental: object, command: str) -> bool:
    """Whether the client says, in the way of ``experimental.commands``, that it has a command."""
    if not isinstance(experimental, Mapping):
        return False
    commands = experimental.get("commands")
    return isinstance(commands, Mapping) and command in (commands.get("commands") or ())


def _notifications(experimental: object) -> frozenset[str]:
    own = experimental.get("conflens") if isinstance(experimental, Mapping) else None
    names = own.get("notifications") if isinstance(own, Mapping) else None
    return frozenset(name for name in names or () if isinstance(name, str))
