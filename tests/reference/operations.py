"""The catalogue of performance operations, ``grammars/OPERATIONS.md``: one table a kind, made from the rows."""

from __future__ import annotations

from collections.abc import Iterable

from conflens.models import schema
from conflens.models.load import Models, load_models

_KINDS = {
    "memory": "Memory: what is allocated by a number, and what is kept of what I/O has read",
    "io": "I/O: files, networks, processes, databases",
    "lock": "Lock: threads wait for each other or stand still",
    "thread": "Thread: how many run, and work handed to them",
    "compute": "Compute: what keeps the processor busy (beyond the papers)",
    "log": "Log: what is written to a log; counted apart",
}
_LANGUAGE = {
    "memory": (
        (
            "`new T[n]`",
            "dimensions",
            "only when a dimension is no constant",
            "LearnConf §3.1.2; DiagConfig §2.2",
        ),
    ),
    "lock": (
        (
            "`synchronized` block or method",
            "",
            "",
            "DiagConfig §2.2 (2); LearnConf §3.1.2 (1)",
        ),
    ),
}
_HEAD = (
    "| type | methods | arguments | counts | provenance |",
    "| --- | --- | --- | --- | --- |",
)


def operations_page(models: Models | None = None) -> str:
    """Return the catalogue of all operations that rows name, with those of the language."""
    models = models or load_models()
    total = {kind: [row for row in models.operations if row.kind == kind] for kind in _KINDS}
    lines = [
        "# What costs time or memory",
        "",
        "<!-- Made by `make reference`; do not edit. -->",
        "",
        "Every call that is a performance operation, by kind. A call counts by the resolved type of its receiver, the types below that one",
        "included, never by its name. *Arguments* are those that make a dependency `direct`, counted from 0; all of them where nothing is said.",
        "*Counts* says under which condition a call is one: `sized 0`: only with a number or duration there that is no constant; `held 0`: only with an object there",
        "that holds what I/O has read (LearnConf §3.1.2); `under` a key: for what the map at the argument holds under it; `pause`: always, and the thread",
        "stands still. `(1 to 2)` behind a method is how many arguments it takes. More can be declared in `.conflens.toml`, with kinds of one's own.",
        "How to add a row: [README](README.md).",
        "",
        "| kind | calls |",
        "| --- | --- |",
        *(f"| {kind} | {len(rows)} |" for kind, rows in total.items()),
    ]
    for kind, title in _KINDS.items():
        lines += ["", f"## {title}", "", *_HEAD]
        lines += [
            f"| the language | {what} | {arguments} | {counts} | {source} |"
            for what, arguments, counts, source in _LANGUAGE.get(kind, ())
        ]
        lines += _rows(total[kind])
    lines += [
        "",
        "## What runs because of a call",
        "",
        "Calls after which methods of an object given to them run, now, later or in another thread; a lambda there runs itself.",
        "",
        "| type | methods | object | runs | provenance |",
        "| --- | --- | --- | --- | --- |",
        *_callbacks(models.callbacks),
    ]
    return "\n".join([*lines, ""])


def _rows(rows: Iterable[schema.OperationRow]) -> list[str]:
    """Return table rows; methods of one type that are alike share one."""
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    for row in rows:
        key = (row.type, _arguments(row), _counts(row), row.provenance)
        groups.setdefault(key, []).append(_method(row))
    return [
        f"| {type_} | {', '.join(dict.fromkeys(methods))} | {arguments} | {counts} | {source} |"
        for (type_, arguments, counts, source), methods in groups.items()
    ]


def _callbacks(rows: Iterable[schema.CallbackRow]) -> list[str]:
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    for row in rows:
        place = "receiver" if row.argument == schema.RECEIVER else str(row.argument)
        key = (row.type, place, ", ".join(row.runs), row.provenance)
        groups.setdefault(key, []).append(_method(row))
    return [
        f"| {type_} | {', '.join(dict.fromkeys(methods))} | {place} | {runs} | {source} |"
        for (type_, place, runs, source), methods in groups.items()
    ]


def _method(row: schema.OperationRow | schema.CallbackRow) -> str:
    name = "new" if row.method == schema.CONSTRUCTOR else row.method
    if row.parameters:
        return f"{name}({', '.join(row.parameters)})"
    fewest, most = row.min_args, row.max_args
    if most is None:
        return f"{name} ({fewest} or more)" if fewest else name
    return f"{name} ({most})" if fewest == most else f"{name} ({fewest} to {most})"


def _arguments(row: schema.OperationRow) -> str:
    if row.arguments is not None:
        return ", ".join(map(str, row.arguments)) or "none"
    return "" if row.sized is None else str(row.sized)


def _counts(row: schema.OperationRow) -> str:
    said = []
    if row.sized is not None:
        said.append(f"sized {row.sized}")
    if row.held is not None:
        said.append(f"held {row.held}")
    if row.keys:
        said.append(f"under {', '.join(f'`{key}`' for key in row.keys)}")
    if row.pause:
        said.append("pause")
    if row.unless_types:
        said.append("not over memory")
    return ", ".join(said)
