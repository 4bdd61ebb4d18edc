"""A reference of options as a Markdown page (CommonMark, and as GitHub shows it).

Invariant: nothing in names, defaults or descriptions is taken as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from conflens.cli.docs.reference import Entry, Pieces, by_namespace, facts
from conflens.documents.harvesting import MADE_HERE
from conflens.render.phrases import code

_MARKUP = re.compile(r"[\\`*_\[\]<>#|&~$]")
_BEGIN = re.compile(r"(?P<bullet>[-+=])|(?P<number>\d{1,9})(?P<dot>[.)])(?=\s|$)")


def lines(found: Sequence[Entry]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Configuration options"
    yield ""
    yield f"<!-- {MADE_HERE} -->"
    for domain, namespaces in by_namespace(found):
        yield ""
        yield f"## {_plain(domain.replace('-', ' '))}"
        for namespace, group in namespaces:
            yield ""
            yield f"### {code(namespace) if namespace else 'Other names'}"
            for entry in group:
                yield ""
                yield f"#### {code(entry.name)}"
                if entry.description:
                    yield ""
                    yield _begun(_text(entry.description))
                listed = [f"- {label}: {_text(pieces)}" for label, pieces in facts(entry)]
                if listed:
                    yield ""
                    yield from listed


def _text(pieces: Pieces) -> str:
    shown = "".join(code(part) if is_code else _plain(part) for is_code, part in pieces)
    return " ".join(shown.split(" "))


def _plain(text: str) -> str:
    return _MARKUP.sub(lambda match: f"\\{match[0]}", text)


def _begun(text: str) -> str:
    """Return a paragraph that is not taken for a list or a heading."""
    match = _BEGIN.match(text)
    if match is None:
        return text
    if match["bullet"]:
        return f"\\{text}"
    return f"{match['number']}\\{text[match.start('dot') :]}"
