"""``textDocument/codeLens`` and ``codeLens/resolve``.

A lens is worded when it is resolved.  Its command is the client's if it says that it has one that shows places:
``conflens.showReferences`` with the URI, the position and the locations to show.  Else it is ours: ``conflens.openPlaces``,
and a lens on flows opens the page of its option.  A lens of a profile runs ``conflens.showChain`` with the
URI of the folder and the chains to choose from (``messages.ChainChoice``), else it shows the steps of the first one
as references, else the page of its option.  In a config file a lens opens the reads of its option.  Where only the line of the
cursor is annotated, there are none: hints say what they would.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from lsprotocol import types

from conflens.ide.code_lens.config_files import config_lens_text, config_lenses
from conflens.ide.code_lens.java import LensText, lens_text, lenses
from conflens.ide.pages.flows import Address, uri_of
from conflens.ide.profile.chain import chain
from conflens.ide.profile.code_lens import (
    ProfileLensText,
    option_lens_text,
    profile_lens_text,
    profile_lenses,
)
from conflens.ide.profile.profile import Profile
from conflens.ide.settings.settings import Annotations, Settings
from conflens.lsp.registry import on_state, on_view
from conflens.lsp.requests.flows import OPEN_PAGE
from conflens.lsp.requests.places import OPEN_PLACES
from conflens.lsp.state import State
from conflens.lsp.wire.capabilities import SHOW_CHAIN
from conflens.lsp.wire.convert import location_of
from conflens.lsp.wire.messages import ChainChoice, plain
from conflens.lsp.workspace.folder import Folder
from conflens.lsp.workspace.profile_of import profile_of
from conflens.lsp.workspace.view import View
from conflens.session.analysis import Analysis


@on_view(types.TEXT_DOCUMENT_CODE_LENS)
def code_lens(state: State, view: View, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Answer with where lenses stand."""
    view = state.calm(params.text_document.uri, view)
    uri, settings = params.text_document.uri, view.folder.settings
    if settings.annotations is Annotations.CURRENT_LINE:
        return []
    profile = profile_of(view.folder)
    found = [
        types.CodeLens(
            range=view.range(lens.place),
            data={"uri": uri, "symbol": lens.symbol, "start": lens.place.start},
        )
        for lens in lenses(view.analysis, view.path, settings, profile_of(view.folder))
    ]
    found += [
        types.CodeLens(
            range=view.range(lens.place), data={"uri": uri, "option": list(lens.option)}
        )
        for lens in config_lenses(view.analysis, view.path, settings, profile)
        if view.kept(lens.place.start)
    ]
    if profile is not None:
        found += [
            types.CodeLens(
                range=view.range(lens.place),
                data={"uri": uri, "member": lens.member, "hold": lens.hold},
            )
            for lens in profile_lenses(view.analysis, profile, view.path, settings)
        ]
    return found


@on_state(types.CODE_LENS_RESOLVE)
def resolve_code_lens(state: State, _: None, lens: types.CodeLens) -> types.CodeLens:
    """Answer with the lens and its words; one whose declaration is gone shows nothing and does
    nothing."""
    lens.command = types.Command(title="", command="")
    data: Any = lens.data
    if not isinstance(data, Mapping):
        return lens
    uri = data.get("uri")
    home = state.home(uri) if isinstance(uri, str) else None
    if home is None:
        return lens
    folder, path = home
    if isinstance(member := data.get("member"), int):
        hold = data.get("hold")
        place = member, hold if isinstance(hold, int) else -1
        lens.command = _of_profile(state, folder, path, place, lens) or lens.command
        return lens
    analysis = folder.analysis
    profile, settings = profile_of(folder), folder.settings
    text = _text(analysis, path, data, settings, profile) if analysis is not None else None
    before = state.sound.analysis(str(uri))
    if text is None and before is not None:
        analysis, text = before, _text(before, path, data, settings, profile)
    if analysis is None or text is None:
        return lens
    if profile is not None and text.option is not None:
        # What the profile says comes before what the code may do.
        measured = option_lens_text(profile, text.option.key)
        opening = _opening(state, folder, analysis, profile, path, lens, measured)
        if opening is not None:
            lens.command = opening
            return lens
        text = attrs.evolve(text, title=measured.title) if measured is not None else text
    if text.option is not None and not state.client.shows_references:
        page = uri_of(Address(folder.root.path, text.option.key))
        lens.command = types.Command(title=text.title, command=OPEN_PAGE, arguments=[page])
        return lens
    encoding = state.client.encoding
    places = [location_of(folder.root, analysis, place, encoding) for place in text.places]
    if not places:
        lens.command = types.Command(title=text.title, command="")
    elif state.client.shows_references:
        shown = [uri, lens.range.start, places]
        lens.command = types.Command(
            title=text.title, command=state.client.references, arguments=shown
        )
    else:
        shown = [uri, lens.range.start, places, text.title]
        lens.command = types.Command(title=text.title, command=OPEN_PLACES, arguments=shown)
    return lens


def _text(
    analysis: Analysis,
    path: str,
    data: Mapping[str, Any],
    settings: Settings,
    profile: Profile | None,
) -> LensText | None:
    """Return the words of a lens on a declaration or a key; ``None`` if there is nothing to say any more."""
    option = data.get("option")
    if isinstance(option, list) and [type(part) for part in option] == [str, str]:
        return config_lens_text(analysis, (option[0], option[1]), settings, profile)
    symbol, start = data.get("symbol"), data.get("start")
    if not isinstance(symbol, str) or not isinstance(start, int):
        return None
    return lens_text(analysis, path, symbol, start, settings)


def _of_profile(
    state: State, folder: Folder, path: str, place: tuple[int, int], lens: types.CodeLens
) -> types.Command | None:
    """Return the words of a lens of a profile and what it does; ``None`` if there is nothing to say any more."""
    profile, analysis = profile_of(folder), folder.analysis
    if profile is None or analysis is None:
        return None
    text = profile_lens_text(analysis, profile, path, *place)
    return _opening(state, folder, analysis, profile, path, lens, text)


def _opening(
    state: State,
    folder: Folder,
    analysis: Analysis,
    profile: Profile,
    path: str,
    lens: types.CodeLens,
    text: ProfileLensText | None,
) -> types.Command | None:
    """Return the command that shows the chains of a lens; ``None`` if it has none."""
    if text is None or not text.chains:
        return None
    if state.client.shows_chains:
        chains = [ChainChoice(item.option, item.cause, item.text) for item in text.chains]
        return types.Command(text.title, SHOW_CHAIN, arguments=[folder.root.uri, plain(chains)])
    if state.client.shows_references:
        places = _first_chain(state, folder, analysis, profile, text)
        uri = folder.root.uri_of(path)
        if places:
            return types.Command(
                text.title, state.client.references, arguments=[uri, lens.range.start, places]
            )
    page = uri_of(Address(folder.root.path, text.chains[0].option))
    return types.Command(text.title, OPEN_PAGE, arguments=[page])


def _first_chain(
    state: State, folder: Folder, analysis: Analysis, profile: Profile, text: ProfileLensText
) -> list[types.Location]:
    first = chain(analysis, profile, text.chains[0].option, text.chains[0].cause)
    encoding = state.client.encoding
    return [
        location_of(folder.root, analysis, step.place, encoding)
        for step in (first.steps if first is not None else ())
    ]
