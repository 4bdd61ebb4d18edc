"""What the client can do, read once from its capabilities; what is not stated is not there."""

from __future__ import annotations

import attrs
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from conflens.base.text import Encoding


@attrs.frozen(kw_only=True)
class Client:
    """The capabilities that change what we send; the defaults are those of a client that says
    nothing."""

    encoding: Encoding = Encoding.UTF16
    hover_formats: tuple[str, ...] = ("markdown",)
    related_information: bool = False
    link_support: bool = False
    hint_refresh: bool = False
    lens_refresh: bool = False
    progress: bool = False
    configuration: bool = False
    configuration_registration: bool = False
    watches_files: bool = False


def client_of(capabilities: types.ClientCapabilities) -> Client:
    """Read the capabilities; the encoding is the one pygls announces."""
    text = capabilities.text_document or types.TextDocumentClientCapabilities()
    space = capabilities.workspace or types.WorkspaceClientCapabilities()
    window = capabilities.window or types.WindowClientCapabilities()
    chosen = ServerCapabilitiesBuilder.choose_position_encoding(capabilities)
    formats = text.hover.content_format if text.hover else None
    return Client(
        encoding=Encoding(str(getattr(chosen, "value", chosen))),
        hover_formats=tuple(kind.value for kind in formats) if formats else ("markdown",),
        related_information=bool(
            text.publish_diagnostics and text.publish_diagnostics.related_information
        ),
        link_support=bool(text.definition and text.definition.link_support),
        hint_refresh=bool(space.inlay_hint and space.inlay_hint.refresh_support),
        lens_refresh=bool(space.code_lens and space.code_lens.refresh_support),
        progress=bool(window.work_done_progress),
        configuration=bool(space.configuration),
        configuration_registration=bool(
            space.did_change_configuration and space.did_change_configuration.dynamic_registration
        ),
        watches_files=bool(
            space.did_change_watched_files and space.did_change_watched_files.dynamic_registration
        ),
    )
