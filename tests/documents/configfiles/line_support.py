"""Shows what line formats are read as, and applies changes."""

from types import ModuleType

from conflens.documents.configfiles.model import Change, Context


def shown(dialect: ModuleType, text: str) -> list[str]:
    """Every assignment as ``name = value``, with ``[document]`` and ``{condition}`` where there are such."""
    lines = []
    for one in dialect.parse(text).assignments:
        assert text[one.key.start : one.key.end].replace("\\", "") or one.name
        line = f"{one.name} = {one.value.text}" if one.value is not None else one.name
        line += f" [{one.document}]" if one.document else ""
        lines.append(line + (f" {{{one.condition}}}" if one.condition else ""))
    return lines


def at_cursor(dialect: ModuleType, marked: str) -> tuple[str, Context]:
    """The text without ``<|>``, and the context of the cursor that it marks."""
    at = marked.index("<|>")
    text = marked.replace("<|>", "", 1)
    return text, dialect.context(text, at)


def told(dialect: ModuleType, marked: str) -> str:
    """The context of a cursor: kind, name, what is typed, and what a completion replaces."""
    text, found = at_cursor(dialect, marked)
    name = f" of {found.name}" if found.name else ""
    follows = " =" if found.follows else ""
    return f"{found.kind}{name} {found.prefix!r} for {text[found.start : found.end]!r}{follows}"


def applied(text: str, *changes: Change | None) -> str:
    for change in sorted((c for c in changes if c), key=lambda one: one.start, reverse=True):
        text = text[: change.start] + change.text + text[change.end :]
    return text


def completed(dialect: ModuleType, marked: str, name: str, value: str = "") -> str | None:
    """The text after ``name`` was chosen at the cursor, and ``value`` written behind it."""
    text, found = at_cursor(dialect, marked)
    written = dialect.key_text(text, found, name)
    if written is None:
        return None
    value = dialect.value_text(value) if value else ""
    return text[: found.start] + written + value + text[found.end :]
