"""Renders harvests as text, one line per finding, so that expectations read like documents."""

from conflens.documents import Harvest, MentionKind, harvest


def shown(path: str, text: str) -> list[str]:
    """Every mention as `line:column name`, an entry followed by ` = default` and ` # description`
    where it has them, a text mention marked with `~`."""
    return [_line(m) for m in harvest(path, text).mentions]


def entries(path: str, text: str) -> list[str]:
    """The names of a document's entries in document order."""
    return [m.name for m in harvest(path, text).mentions if m.kind is MentionKind.ENTRY]


def texts(path: str, text: str) -> set[str]:
    """The names a document contains without an entry of their own."""
    found = harvest(path, text)
    return {m.name for m in found.mentions if m.kind is MentionKind.TEXT} | set(found.words)


def known(found: Harvest) -> set[str]:
    return {m.name for m in found.mentions} | set(found.words)


def _line(mention) -> str:  # type: ignore[no-untyped-def]
    text = f"{mention.line}:{mention.column} {mention.name}"
    if mention.kind is MentionKind.TEXT:
        return "~" + text
    if mention.default is not None:
        text += f" = {mention.default}"
    return f"{text} # {mention.description}" if mention.description else text
