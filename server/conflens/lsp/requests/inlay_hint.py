"""``textDocument/inlayHint`` and ``inlayHint/resolve``.

What a hint explains and opens is found when a client resolves it.  A client that cannot resolve gets the explanation at
once, and the effect leads to the first instruction that shows it.  Hints of a profile come with those of options.  In a config
file hints show what placeholders resolve to.  Where only the line of the cursor is annotated, hints say what lenses would, and
there is one on a line.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import msgspec
from lsprotocol import types

from conflens.base.span import Place
from conflens.ide.inlay_hints.config_files import value_hints
from conflens.ide.inlay_hints.current_line import lens_hints
from conflens.ide.inlay_hints.java import BETWEEN, Hint, hints, tooltip
from conflens.ide.inlay_hints.parts import Opened, nearest, open_effect
from conflens.ide.profile.inlay_hints import HeatHint, heat_hints, heat_tooltip
from conflens.ide.profile.profile import Profile
from conflens.ide.settings.settings import Annotations
from conflens.lsp.registry import on_state, on_view
from conflens.lsp.state import State
from conflens.lsp.wire.convert import location_of
from conflens.lsp.workspace.folder import Folder
from conflens.lsp.workspace.profile_of import profile_of
from conflens.lsp.workspace.view import View
from conflens.session.analysis import Analysis


class _Data(msgspec.Struct, frozen=True):
    """What a hint carries until it is resolved."""

    uri: str
    option: tuple[str, str]
    read: tuple[int, int]


class _HeatData(msgspec.Struct, frozen=True):
    """What a hint of a profile carries until it is resolved."""

    uri: str
    heat: int
    line: int


@on_view(types.TEXT_DOCUMENT_INLAY_HINT)
def inlay_hint(state: State, view: View, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Answer with the hints of a range."""
    view = state.calm(params.text_document.uri, view)
    start, end = view.offset(params.range.start), view.offset(params.range.end)
    uri, settings = params.text_document.uri, view.folder.settings
    if not state.client.lenses:  # no line is left to a lens
        settings = attrs.evolve(settings, code_lens=False)
    found = hints(view.analysis, view.path, start, end, settings)
    shown = [_hint(state, view, uri, hint) for hint in found if view.kept(hint.offset)]
    shown += [
        types.InlayHint(
            position=view.range(Place(view.path, hint.offset, hint.offset)).start,
            label=hint.label,
            tooltip=_markdown(hint.tooltip),
            padding_left=True,
        )
        for hint in value_hints(
            view.analysis, view.path, start, end, settings, view.folder.wording
        )
        if view.kept(hint.offset)
    ]
    profile = profile_of(view.folder)
    if settings.annotations is Annotations.CURRENT_LINE:
        shown = _of_lenses(view, profile, start, end) + shown
    if profile is not None:
        heat = heat_hints(view.analysis, profile, view.path, start, end, settings)
        shown += [
            _heat_hint(state, view, profile, uri, hint) for hint in heat if view.kept(hint.offset)
        ]
    if settings.annotations is Annotations.CURRENT_LINE:
        shown = list({hint.position.line: hint for hint in reversed(shown)}.values())
    if not state.client.hint_refresh:
        return shown  # what is kept back could not be shown later
    return state.quiet.hints(uri, params.range, shown)


@on_state(types.INLAY_HINT_RESOLVE)
def resolve_inlay_hint(state: State, _: None, hint: types.InlayHint) -> types.InlayHint:
    """Answer with the hint and what it explains and opens; one whose read is gone stays as it is."""
    if isinstance(hint.data, Mapping) and "heat" in hint.data:
        return _resolve_heat(state, hint)
    try:
        data = msgspec.convert(hint.data, _Data)
    except msgspec.ValidationError:
        return hint
    home = state.home(data.uri)
    analysis = home[0].analysis if home is not None else None
    if home is None or analysis is None:
        return hint
    folder, path = home
    read = Place(path, *data.read)
    text = tooltip(analysis, path, data.option, read, folder.wording)
    if text is not None:
        hint.tooltip = _markdown(text)
    if isinstance(hint.label, list):
        opened = open_effect(analysis, data.option, read, folder.wording)
        if opened is not None:
            _open(state, folder, analysis, data.uri, hint, hint.label[-1], opened)
    return hint


def _of_lenses(view: View, profile: Profile | None, start: int, end: int) -> list[types.InlayHint]:
    found = lens_hints(view.analysis, view.path, start, end, view.folder.settings, profile)
    return [
        types.InlayHint(
            position=view.range(Place(view.path, hint.offset, hint.offset)).start,
            label=hint.label,
            padding_left=True,
        )
        for hint in found
        if view.kept(hint.offset)
    ]


def _hint(state: State, view: View, uri: str, hint: Hint) -> types.InlayHint:
    lazy, analysis = state.client.resolves_hints, view.analysis
    parts = [types.InlayHintLabelPart(value=hint.label)] if hint.label else []
    if hint.effect:
        part = types.InlayHintLabelPart(value=hint.effect)
        if not lazy:
            place = nearest(analysis, hint.option, hint.read)
            part.location = view.location(place) if place is not None else None
        parts += [types.InlayHintLabelPart(value=BETWEEN), part] if parts else [part]
    text = None
    if not lazy:
        text = tooltip(analysis, view.path, hint.option, hint.read, view.folder.wording)
    data = _Data(uri, hint.option, (hint.read.start, hint.read.end))
    return types.InlayHint(
        position=view.range(Place(view.path, hint.offset, hint.offset)).start,
        label=parts if hint.effect else hint.label,
        tooltip=_markdown(text) if text else None,
        padding_left=True,
        data=msgspec.to_builtins(data) if lazy else None,
    )


def _heat_hint(
    state: State, view: View, profile: Profile, uri: str, hint: HeatHint
) -> types.InlayHint:
    lazy = state.client.resolves_hints
    text = None
    if not lazy:
        wording = view.folder.wording
        text = heat_tooltip(view.analysis, profile, view.path, hint.member, hint.line, wording)
    return types.InlayHint(
        position=view.range(Place(view.path, hint.offset, hint.offset)).start,
        label=hint.label,
        tooltip=_markdown(text) if text else None,
        padding_left=True,
        data=msgspec.to_builtins(_HeatData(uri, hint.member, hint.line)) if lazy else None,
    )


def _resolve_heat(state: State, hint: types.InlayHint) -> types.InlayHint:
    try:
        data = msgspec.convert(hint.data, _HeatData)
    except msgspec.ValidationError:
        return hint
    home = state.home(data.uri)
    if home is None:
        return hint
    folder, path = home
    profile = profile_of(folder)
    if profile is None or folder.analysis is None:
        return hint
    text = heat_tooltip(folder.analysis, profile, path, data.heat, data.line, folder.wording)
    if text is not None:
        hint.tooltip = _markdown(text)
    return hint


def _open(
    state: State,
    folder: Folder,
    analysis: Analysis,
    uri: str,
    hint: types.InlayHint,
    part: types.InlayHintLabelPart,
    opened: Opened,
) -> None:
    part.tooltip = _markdown(opened.tooltip)
    if not opened.places:
        return
    places = [
        location_of(folder.root, analysis, place, state.client.encoding) for place in opened.places
    ]
    if not state.client.shows_references:
        part.location = places[0]
        return
    part.command = types.Command(
        title="Show places",
        command=state.client.references,
        arguments=[uri, hint.position, places],
    )


def _markdown(text: str) -> types.MarkupContent:
    return types.MarkupContent(kind=types.MarkupKind.Markdown, value=text)
