"""The tables and keys of a workspace file, with their types and what they mean.

``workspace`` reads files by these types; the JSON schema that editors use is generated from them (``make reference``).

Absent: what a value must look like beyond its type (``workspace``), and which codes and severities there are (``checking``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs


@attrs.frozen
class Key:
    """A key: the type of its value, and one sentence about it."""

    type: Any
    text: str


@attrs.frozen
class Table:
    """A table, or each table of an array (``repeated``); those of ``named`` have names that a person chooses."""

    text: str
    keys: Mapping[str, Key]
    required: tuple[str, ...] = ()
    repeated: bool = False
    named: bool = False

    @property
    def types(self) -> dict[str, Any]:
        """The type of each key."""
        return {name: key.type for name, key in self.keys.items()}


_CALL = Key(str, "The qualified type and the method, such as `org.example.Settings.lookup`.")
_TEXTS = tuple[str, ...]


def _paths(text: str, what: str) -> Table:
    return Table(text, {"paths": Key(_TEXTS, what)})


TABLES: Mapping[str, Table] = {
    "read": Table(
        "An API that returns the value of an option. It has a `call`, a `field` or a `parameter`.",
        {
            "call": _CALL,
            "field": Key(
                str,
                "Fields that hold options, such as `org.example.Config.*`, named after the field.",
            ),
            "parameter": Key(
                str,
                "A parameter that receives an option, such as `org.example.Server.configure(0)`.",
            ),
            "name": Key(
                int | str,
                "The argument that names the option, counted from 0, or the name itself. Of a field a template with `{field}`.",
            ),
            "default": Key(
                int | str,
                "The argument that holds the default, counted from 0; of a parameter the default itself.",
            ),
            "domain": Key(
                str, "The kind of configuration that the option belongs to; `custom` if absent."
            ),
        },
        repeated=True,
    ),
    "operation": Table(
        "A call that costs time or memory.",
        {
            "call": _CALL,
            "kind": Key(
                str, "`memory`, `io`, `lock`, `thread`, `compute`, or a kind of your own."
            ),
            "arguments": Key(
                tuple[int, ...],
                "The arguments, counted from 0, that count for the dependency `direct`; all if absent.",
            ),
        },
        ("call", "kind"),
        repeated=True,
    ),
    "flow": Table(
        "How a method of a library passes values on.",
        {
            "call": _CALL,
            "from": Key(str, "Where the value comes from: `argument 0` and so on, or `receiver`."),
            "to": Key(str, "Where it goes: `return`, `receiver`, or `argument 0` and so on."),
        },
        ("call", "from", "to"),
        repeated=True,
    ),
    "barrier": Table(
        "A call that values do not pass.",
        {"call": _CALL},
        ("call",),
        repeated=True,
    ),
    "verdict": Table(
        "Your own verdict on an option, by the option's name.",
        {
            "sensitive": Key(bool, "Whether the option is performance-sensitive."),
            "reason": Key(str, "Why, for people who read the file."),
        },
        ("sensitive",),
        named=True,
    ),
    "sensitivity": Table(
        "How options are classified.",
        {"table": Key(str, "A training table to use instead of the packaged one.")},
    ),
    "documentation": _paths(
        "More files to search for documentation of options.",
        "Glob patterns, relative to this folder, such as `docs/**/*.md`.",
    ),
    "configuration": _paths(
        "Files that are always treated as config files, or never.",
        "Glob patterns, relative to this folder; with `!` in front, files that are never config files.",
    ),
    "exclude": _paths(
        "Files to leave out of the analysis.",
        "Glob patterns, relative to this folder, such as `**/generated/**`.",
    ),
    "links": _paths(
        "Links out of this folder that are followed.", "Glob patterns, relative to this folder."
    ),
    "check": Table(
        "What checks report, and how.",
        {
            "ignore": Key(
                _TEXTS,
                "Findings to suppress, each a code, or a code and a glob of option names: `unknown-option: legacy.*`. `*` is every code.",
            ),
            "severity": Key(dict, "The severity of findings, by code."),
            "baseline": Key(str, "A file of known findings, which are not reported again."),
        },
    ),
}
"""Every table; the order is that of the schema."""
