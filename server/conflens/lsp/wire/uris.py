"""URIs of files and paths, whatever way a client writes them.

A *file path* here is absolute, decoded, with ``/``, and a Windows drive in lower case
(``c:/work``); a network share keeps its host (``//host/share``).  Only the scheme ``file`` has
one.  Segments ``.`` and ``..`` are gone, as RFC 3986 has it for URIs: no file system is asked, but by ``real_path``.
"""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote, urlsplit

import attrs

_DRIVE = re.compile(r"/?([A-Za-z]):(?=/|$)")
_DOTS = re.compile(r"/\.\.?(?=/|$)")


def file_path(uri: str) -> str | None:
    """Return the file path of ``uri``; ``None`` for other schemes and what is no URI."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme.lower() != "file" or not parts.path:
        return None
    # A raw "?" or "#" in a path is a client's mistake, but it still means that file.
    raw = parts.path + (f"?{parts.query}" if parts.query else "")
    raw += f"#{parts.fragment}" if parts.fragment else ""
    path = unquote(raw, errors="surrogateescape")
    if "\0" in path or not _is_encodable(path):
        return None
    host = unquote(parts.netloc)
    if host and host != "localhost":
        return f"//{host}{_without_dots(path)}"
    return _without_dots(normal(path))


def _is_encodable(path: str) -> bool:
    """Tell whether a file can have a path: half a surrogate pair is no character."""
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _without_dots(path: str) -> str:
    """Return an absolute path without segments ``.`` and ``..``; above its start there is nothing."""
    if not _DOTS.search(path):
        return path
    start, *parts = path.split("/")
    kept: list[str] = []
    for part in parts:
        if part == "..":
            del kept[-1:]
        elif part != ".":
            kept.append(part)
    return "/".join((start, *kept)) or "/"


def normal(path: str) -> str:
    """Return an absolute path in the form that paths are compared in."""
    drive = _DRIVE.match(path)
    if drive:
        path = f"{drive[1].lower()}:{path[drive.end() :]}".replace("\\", "/")
    return path if path == "/" else path.rstrip("/")


def real_path(path: str) -> str:
    """Return a file path with all links looked through."""
    return normal(os.path.realpath(path).replace(os.sep, "/"))


def file_uri(path: str) -> str:
    """Return the URI of a file path."""
    quoted = quote(path.encode("utf-8", "surrogateescape"), safe="/~:")
    if path.startswith("//"):
        return f"file:{quoted}"
    return f"file://{quoted}" if path.startswith("/") else f"file:///{quoted}"


def below(path: str, root: str) -> str | None:
    """Return ``path`` relative to ``root``, ``None`` when it is not inside; equal paths give
    ``""``.

    Everything is inside of ``/``, drives of Windows too.
    """
    if root == "/":
        return path.removeprefix("/")
    if path == root:
        return ""
    return path.removeprefix(f"{root}/") if path.startswith(f"{root}/") else None


@attrs.frozen
class Root:
    """A folder's URI, as its client writes it but for ``.`` and ``..``, and its file path."""

    uri: str
    path: str

    @staticmethod
    def of(uri: str) -> Root | None:
        """Return the root at ``uri``, ``None`` when that is no file URI."""
        path = file_path(uri)
        if path is None:
            return None
        return Root(file_uri(path) if _DOTS.search(unquote(uri)) else uri.rstrip("/"), path)

    def uri_of(self, relative: str) -> str:
        """Return the URI of a path relative to this root."""
        quoted = quote(relative.encode("utf-8", "surrogateescape"), safe="/~")
        return f"{self.uri}/{quoted}"
