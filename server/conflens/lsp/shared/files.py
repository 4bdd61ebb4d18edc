"""Pages shown by the client: under their own URI if it can fetch their text, else as files, for clients that cannot fetch the text of a document from the server.

The files are read-only and lie in a folder of this process that is removed when the server stops.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types

from conflens.lsp.state import State
from conflens.lsp.wire.uris import file_path, file_uri

_UNSAFE = re.compile(r"[^\w.-]+")
_MAX_NAME = 80


def show_page(state: State, uri: str, markdown: str) -> None:
    """Have the client show a page, or tell where it is if it shows no documents; may raise ``OSError``."""
    if not state.client.shows_documents:
        state.publisher.tell(f"The page is {file_path(page_file(state, uri, markdown))}")
    else:
        shown = uri if state.client.pages else page_file(state, uri, markdown)
        params = types.ShowDocumentParams(uri=shown, take_focus=True)
        state.publisher.spawn(state.publisher.told(types.WINDOW_SHOW_DOCUMENT, params))


def page_file(state: State, uri: str, markdown: str) -> str:
    """Write the page at ``uri`` into its file and return the file's URI; may raise ``OSError``."""
    if state.pages is None:
        state.pages = tempfile.mkdtemp(prefix="conflens-")
    name = _UNSAFE.sub("_", unquote(uri.split("?", 1)[0].rsplit("/", 1)[-1]))[-_MAX_NAME:]
    file = Path(state.pages) / name
    file.unlink(missing_ok=True)
    file.write_text(markdown, encoding="utf-8")
    file.chmod(0o444)
    return file_uri(str(file).replace(os.sep, "/"))


def remove_pages(state: State) -> None:
    """Remove what was written."""
    if state.pages is not None:
        shutil.rmtree(state.pages, ignore_errors=True)
        state.pages = None
