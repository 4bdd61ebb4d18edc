"""The address of the page with a diagnosis: ``conflens:/diagnosis/report.md`` with the path of the folder as its query.

Absent: the page (``render.diagnosis``).
"""

from __future__ import annotations

from urllib.parse import quote, unquote, urlsplit

from conflens.ide.pages.flows import SCHEME

_PATH = "/diagnosis/report.md"


def report_uri(folder: str) -> str:
    """Return the URI of the page of a folder."""
    return f"{SCHEME}:{_PATH}?{quote(folder, safe='')}"


def report_of(uri: str) -> str | None:
    """Read the URI of a page, also as clients write it anew: the folder; ``None`` for any other."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != SCHEME or parts.path != _PATH:
        return None
    return unquote(parts.query)
