"""What the server knows, owned by the loop: the client, its folders and its open documents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial

import attrs
from lsprotocol import types

from conflens.documents.configfiles.policy import may_be_config
from conflens.ide.settings.settings import Settings
from conflens.lsp.push.listing import Listing
from conflens.lsp.push.publisher import Publisher
from conflens.lsp.scheduling.request_fairness import Turns
from conflens.lsp.scheduling.writer import Writer
from conflens.lsp.wire.capabilities import Client
from conflens.lsp.wire.uris import Root, below, file_path, real_path
from conflens.lsp.workspace.documents import Document, decode, encode
from conflens.lsp.workspace.folder import Folder, SessionFactory
from conflens.lsp.workspace.last_valid_text import Sound
from conflens.lsp.workspace.typing_suppression import Quiet
from conflens.lsp.workspace.view import Shift, View
from conflens.session.analysis import Analysis
from conflens.session.snapshots.snapshots import Snapshots

FRESH_SECONDS = 0.15
"""How long a request may wait for the analysis of the text it was asked about."""
MAX_FETCHED = 20
_LOOSE = Root("file://", "/")
"""Stands for the folder of files that lie in no folder."""


@attrs.define(eq=False)
class State:
    """See the module text.  ``documents`` is keyed by URI, as the client writes it, ``folders`` by root path."""

    client: Client
    writer: Writer
    loop: asyncio.AbstractEventLoop
    make_session: SessionFactory
    labels: dict[str, str]
    publisher: Publisher
    folders: dict[str, Folder] = attrs.field(factory=dict)
    documents: dict[str, Document] = attrs.field(factory=dict)
    initial: Settings = attrs.field(factory=Settings)
    revision: int = 0
    watched: bool = False
    complaints: set[str] = attrs.field(factory=set)
    pages: str | None = None
    """The folder of pages written as files, if any were (``files``)."""
    fetched: dict[str, None] = attrs.field(factory=dict)
    """The URIs of the pages last fetched, at most ``MAX_FETCHED``."""
    listing: Listing = attrs.field(
        init=False,
        default=attrs.Factory(
            lambda self: Listing(self.loop, self.publisher.options_changed), takes_self=True
        ),
    )
    quiet: Quiet = attrs.field(
        init=False,
        default=attrs.Factory(
            lambda self: Quiet(self.loop, self.publisher.typing_over), takes_self=True
        ),
    )
    sound: Sound = attrs.field(
        init=False,
        default=attrs.Factory(
            lambda self: Sound(self.loop, self.publisher.typing_over), takes_self=True
        ),
    )
    turns: Turns = attrs.field(factory=Turns)

    def document(self, uri: str) -> Document | None:
        """Return the open document of a URI: that which was opened by it, else the one that was changed last of those whose URIs
        are other spellings of its path."""
        found = self.documents.get(uri)
        if found is not None:
            return found
        path = file_path(uri)
        return max(
            (one for one in self.documents.values() if path and one.file == path),
            key=lambda one: one.revision,
            default=None,
        )

    def home(self, uri: str) -> tuple[Folder, str] | None:
        """Return the folder of a file and its path there; the innermost folder counts.

        ``None`` for what is no file, and for files outside of all folders.
        """
        path = file_path(uri)
        return None if path is None else next(self.homes_of(path), None)

    def homes_of(
        self, path: str, real: Callable[[str], str] = real_path
    ) -> Iterator[tuple[Folder, str]]:
        """Yield all folders that a file path lies in, the innermost first, with its path in each: a folder may lie in another one.

        Then come those that it lies in when links are looked through, as ``real`` does; if there are none, that of files
        without a folder.
        """
        loose = self.loose
        folders = [one for one in self.folders.values() if one is not loose]
        folders.sort(key=lambda one: len(one.root.path), reverse=True)
        inside = [(one, way) for one in folders if (way := below(path, one.root.path))]
        yield from inside
        if len(inside) < len(folders):
            target, known = real(path), {id(one) for one, _ in inside}
            for one in folders:
                if id(one) not in known and (way := below(target, one.real)):
                    inside.append((one, way))
                    yield one, way
        if not inside and loose is not None:
            yield loose, path.removeprefix("/")

    def folders_at_or_below(self, uri: str) -> list[Folder]:
        """Return the folders that came, went or were replaced with what ``uri`` names, a folder of theirs included."""
        path = file_path(uri)
        if path is None:
            return []
        return [folder for root, folder in self.folders.items() if below(root, path) is not None]

    async def view(self, uri: str, position: types.Position | None) -> View | None:
        """Return what to answer a request on ``uri`` from, ``None`` when there is nothing yet.

        A moment is waited for the analysis of the document's present text, unless the request is
        on a position whose surroundings are known already.
        """
        home = self.home(uri)
        if home is None:
            return None
        folder, path = home
        document = self.document(uri)
        view = self._view(folder, path, document)
        followed = path.endswith(".java") or may_be_config(path)
        if document is None or not (
            followed or (view is not None and path in view.analysis.config_files)
        ):
            return view
        if view is not None and (view.shift is None or (position and view.known(position))):
            return view
        folder.hasten()
        await folder.caught_up(path, document.revision, FRESH_SECONDS)
        return self._view(folder, path, document)

    def calm(self, uri: str, view: View) -> View:
        """Return the view that what is drawn into a text comes from: typing must not make it come and go (``sound``)."""
        document = self.document(uri)
        if document is None:
            return view
        return self.sound.view(document.uri, view, document.text)

    def now(self, uri: str) -> tuple[View, bytes] | None:
        """Return what is known of a config file at once, and its text as the editor has it (as UTF-8 without fault);
        ``None`` for any other file.

        Nothing is waited for: what asks on every key stroke reads the present text itself.
        """
        home = self.home(uri)
        if home is None:
            return None
        folder, path = home
        analysis = folder.analysis
        if analysis is None or path not in analysis.config_files:
            return None
        document = self.document(uri)
        view = self._view(folder, path, document)
        text = document.text if document is not None else analysis.text(path)
        return None if view is None or text is None else (view, encode(decode(text)))

    def _view(self, folder: Folder, path: str, document: Document | None) -> View | None:
        analysis = folder.analysis
        if analysis is None:
            return None
        shift = None
        seen = -1 if document is None else analysis.open_revisions.get(path, -1)
        if document is not None and seen != document.revision:
            text = analysis.text(path) or b""
            # Another document of the same file may be the newer one, with the same text.
            if seen < document.revision or text != document.text:
                shift = Shift.of(text, document.text)
        return View(folder, path, analysis, self.client.encoding, shift)

    def analyses(self) -> Iterator[tuple[Folder, Analysis]]:
        """Yield the folders that have an analysis."""
        for folder in self.folders.values():
            analysis = folder.analysis
            if analysis is not None:
                yield folder, analysis

    def document_of(self, folder: Folder, path: str) -> Document | None:
        """Return the open document at a folder's path, of several the one that was changed last: its text is the one that counts."""
        found = [one for one in self.documents.values() if one.path_in(folder.root.path) == path]
        return max(found, key=lambda one: one.revision, default=None)

    def is_behind(self, uri: str) -> bool:
        """Tell whether a document is not what counts of its file: another document of it was changed later, to another text."""
        document, home = self.document(uri), self.home(uri)
        if document is None or home is None:
            return False
        last = self.document_of(*home)
        return last is not None and last is not document and last.text != document.text

    def add_folder(self, root: Root, name: str) -> Folder:
        """Take a folder in; its session starts with its settings.  A known folder is returned."""
        known = self.folders.get(root.path)
        return known if known is not None else self._add(root, name, root.path)

    def add_loose(self) -> Folder:
        """Take in the folder of files that lie in no folder: it sees open documents only."""
        folder = self._add(_LOOSE, "files without a folder", None)
        folder.configure(self.initial)
        return folder

    def _add(self, root: Root, name: str, path: str | None) -> Folder:
        folder = Folder(
            root,
            name,
            self.publisher.wording(root, self.labels),
            self.writer,
            self.loop,
            self.publisher,
            self.client,
            partial(self.make_session, path),
        )
        if path is not None:
            folder.snapshots = Snapshots(path, changed=folder.snapshots_changed)
        self.folders[root.path] = folder
        return folder

    @property
    def loose(self) -> Folder | None:
        """The folder of files that lie in no folder, if there is any."""
        folder = self.folders.get(_LOOSE.path)
        return folder if folder is not None and self.is_loose(folder) else None

    def is_loose(self, folder: Folder) -> bool:
        """Tell whether a folder is that of files that lie in no folder."""
        return folder.root == _LOOSE

    def remove_folder(self, root: Root) -> Folder | None:
        """Let a folder go; its session ends after its last job."""
        folder = self.folders.pop(root.path, None)
        if folder is not None:
            folder.remove()
        return folder

    def page_fetched(self, uri: str) -> None:
        """Remember that the client may be showing a page."""
        self.fetched.pop(uri, None)
        self.fetched[uri] = None
        if len(self.fetched) > MAX_FETCHED:
            del self.fetched[next(iter(self.fetched))]

    def next_revision(self) -> int:
        """Return a number greater than all before."""
        self.revision += 1
        return self.revision
