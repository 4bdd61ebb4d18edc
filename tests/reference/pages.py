"""The reference pages that are made from their one source of truth, committed, and checked by a test.

``grammars/MODELS.md`` and ``grammars/OPERATIONS.md`` come from the model rows; ``server/SETTINGS.md``, the settings in the client's
manifest and the table of them in its README from the server's definitions of settings; the client's ``protocol.ts`` from the server's
messages; the JSON schema of ``.conflens.toml`` from the tables that the server reads; the counts of ``tests/spec/README.md`` from its
programs.

``python -m reference.pages`` (``make reference``) writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from conflens.models import schema
from conflens.models.load import Models, load_models
from reference import protocol, settings, spec_counts, workspace_schema
from reference.operations import operations_page

HOUSE = Path(__file__).resolve().parents[2]

_MADE = "<!-- Made by `make reference`; do not edit. -->"
_HEAD = ("API", "name", "default", "type", "provenance")
_OTHERS = {
    "containers": "calls that make or fill an object which then holds configuration",
    "prefixes": "calls that give the part of a configuration below a prefix",
    "libraries": "what types of libraries extend and what their methods return",
    "implied": "annotations for which a code generator adds members",
    "implied_settings": "files with settings of a code generator",
    "validators": "calls that make the validator of a definition",
    "checks": "calls that throw unless a condition holds",
    "secrets": "calls with an argument that is a secret",
    "secret_words": "names of methods that compare what they are given, look it up, give it back, keep it in what they give, fall back on it, add it to a list, or do something for it",
    "deprecations": "calls that say that a name is superseded",
    "values": "calls whose argument tells what a value is",
    "clocks": "calls that read a clock, with their unit",
    "conversions": "calls that pass a value on, with types and units",
    "constants": "constants that stand for a unit or a type",
    "files": "types of variables that hold a file",
    "nodes": "calls that ask the node of a tree",
    "keys": "classes whose constants are names of options",
    "platform": "names that state a fact of the platform and are no options",
    "roles": "words that speak for or against an object being configuration",
    "operations": "calls that cost time or memory: [OPERATIONS](OPERATIONS.md)",
    "amounts": "arguments of operations that their cost is linear in, with their unit",
    "entries": "where a request, background work or the start enters a program",
    "callbacks": "calls after which a method of an object given to them runs",
}


@attrs.frozen
class Entry:
    """A row as the cells of its domain's table."""

    domain: str
    api: str
    name: str
    default: str
    type: str
    provenance: str


def main() -> None:
    """Write every page."""
    for path, make in PAGES.items():
        (HOUSE / path).write_text(make(), encoding="utf-8", newline="\n")


def models_page(models: Models | None = None) -> str:
    """Return the page of all rows that read or declare options, by domain."""
    models = models or load_models()
    entries: dict[str, dict[Entry, None]] = {row.domain: {} for row in models.domains}
    for entry in _entries(models):
        entries[entry.domain][entry] = None
    lines = [
        "# What reads and declares options",
        "",
        _MADE,
        "",
        "Every API that is known, by the place where its option names live. A number is an argument, counted from 0; `role` marks",
        "an API of a type that also holds other things, which counts only on an object that is seen to be configuration.",
        "How to add one: [README](README.md).",
    ]
    for domain in models.domains:
        rows = entries[domain.domain]
        if rows:
            lines += ["", f"## {domain.label} (`{domain.domain}`)", ""]
            lines += _table(_HEAD, (attrs.astuple(row)[1:] for row in rows))
    lines += ["", "## Files that set them", ""]
    lines += _table(
        ("options", "formats", "names of files", "spelling"),
        (
            (
                f"{row.label} (`{row.domain}`)",
                ", ".join(row.formats),
                ", ".join(f"`{name}`" for name in row.files),
                ", ".join(
                    word
                    for word, holds in (("relaxed", row.relaxed), ("variables", row.variables))
                    if holds
                ),
            )
            for row in models.domains
            if row.formats
        ),
    )
    lines += ["", "## What helps to understand them", ""]
    lines += _table(
        ("rows", "number", "what they are"),
        ((kind, str(len(getattr(models, kind, ()))), what) for kind, what in _OTHERS.items()),
    )
    return "\n".join([*lines, ""])


PAGES: Mapping[str, Callable[[], str]] = {
    "grammars/MODELS.md": models_page,
    "grammars/OPERATIONS.md": operations_page,
    "server/SETTINGS.md": settings.settings_page,
    settings.MANIFEST: settings.manifest,
    settings.README: settings.readme,
    protocol.PATH: protocol.protocol,
    workspace_schema.PATH: workspace_schema.workspace_schema,
    spec_counts.PATH: spec_counts.front_page,
}


def _entries(models: Models) -> Iterator[Entry]:
    for read in models.reads:
        if not read.write:
            kind = read.value_type or ("boolean" if read.presence else "")
            default = _place(read.default) if not read.suffix else read.missing or ""
            yield _entry(read, _call(read), _below(read, _place(read.name)), default, kind)
    for item in models.annotations:
        if item.domain is not None:
            names = ", ".join(item.names) or item.prefix or item.root
            api = f"@{item.type}" + (f" ({item.role})" if item.role != "option" else "")
            default = item.default or item.missing or ""
            yield _entry(item, api, _below(item, names), default, item.value_type or "")
    for definition in models.definitions:
        names = ", ".join(map(str, definition.names))
        default, kind = _place(definition.default), definition.value_type or ""
        yield _entry(definition, f"{_call(definition)} (defines)", names, default, kind)
    for binding in models.bindings:
        api = f"{_call(binding)} (binds the {binding.shape})"
        yield _entry(binding, api, "members", "initial values", "")


def _entry(row: Any, api: str, name: str, default: str, kind: str) -> Entry:
    if getattr(row, "evidence", "certain") == "role":
        api += " (role)"
    return Entry(row.domain, api, name, default, kind, row.provenance)


def _below(row: schema.ReadRow | schema.AnnotationRow, name: str) -> str:
    """Return the name with what a row has around it, of one that is told to a library."""
    return f"`{row.root}`{name}`{row.suffix}`" if row.suffix and row.root else name


def _call(row: schema.ReadRow | schema.DefinitionRow | schema.BindingRow) -> str:
    if not row.method:
        return row.type
    return f"new {row.type}" if row.method == schema.CONSTRUCTOR else f"{row.type}.{row.method}"


def _place(value: int | str | None) -> str:
    if value is None:
        return ""
    return "receiver" if value == schema.RECEIVER else str(value)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |"


if __name__ == "__main__":
    main()
