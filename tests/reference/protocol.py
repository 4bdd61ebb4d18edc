"""The client's ``src/core/protocol.ts``, made from the server's messages (``lsp.wire.messages``).

A message becomes an interface, an enumeration the union of its values; positions, ranges and locations are the protocol's own
types.  ``Requests`` and ``Notifications`` hold the types of each method.  A field with a default is optional, since its sender
may leave it out.  The text is laid out as Prettier lays it out.
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from enum import Enum

import msgspec
from msgspec import inspect as kinds

from conflens.lsp.wire import messages

PATH = "client-vscode/src/core/protocol.ts"

_WIDTH = 100
_IMPORTED = ("Location", "Position", "Range", "TextDocumentIdentifier")
"""What ``vscode-languageserver-types`` defines."""
_HEAD = """/**
 * The messages of our own between client and server. Made by `make reference` from the server's
 * `lsp/wire/messages.py`; do not edit.
 */
"""


def protocol() -> str:
    """Return the module."""
    enums: dict[str, type[Enum]] = {}
    blocks = [
        "\n".join(_interface(each, enums))
        for each in vars(messages).values()
        if inspect.isclass(each)
        and issubclass(each, msgspec.Struct)
        and each is not messages.Message
        and each.__name__ not in _IMPORTED
    ]
    blocks += ["\n".join(_requests(enums)), "\n".join(_notifications(enums))]
    unions = ["\n".join(_union(each)) for _, each in sorted(enums.items())]
    body = "\n\n".join([*unions, *blocks])
    used = [name for name in _IMPORTED if re.search(rf"\b{name}\b", body)]
    return "\n".join([_HEAD, *_import(used), "", body, ""])


def _import(names: list[str]) -> Iterator[str]:
    line = f'import type {{ {", ".join(names)} }} from "vscode-languageserver-types";'
    if len(line) <= _WIDTH:
        yield line
        return
    yield "import type {"
    yield from (f"  {name}," for name in names)
    yield '} from "vscode-languageserver-types";'


def _interface(struct: type, enums: dict[str, type[Enum]]) -> Iterator[str]:
    yield from _comment(inspect.getdoc(struct) or "")
    info = kinds.type_info(struct)
    assert isinstance(info, kinds.StructType)
    if not info.fields:
        yield f"export type {struct.__name__} = Readonly<Record<never, never>>;"
        return
    yield f"export interface {struct.__name__} {{"
    for field in info.fields:
        mark = "" if field.required else "?"
        yield f"  readonly {field.encode_name}{mark}: {_type(field.type, enums)};"
    yield "}"


def _union(enum: type[Enum]) -> Iterator[str]:
    values = [json.dumps(member.value) for member in enum]
    line = f"export type {enum.__name__} = {' | '.join(values)};"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"export type {enum.__name__} ="
    yield from (f"  | {value}" for value in values[:-1])
    yield f"  | {values[-1]};"


def _requests(enums: dict[str, type[Enum]]) -> Iterator[str]:
    yield "/** Parameters and answer of each request. */"
    yield "export interface Requests {"
    for method, (params, result) in messages.REQUESTS.items():
        yield f'  "{method}": {{'
        yield f"    params: {_shown(params, enums)};"
        yield f"    result: {_shown(result, enums)};"
        yield "  };"
    yield "}"


def _notifications(enums: dict[str, type[Enum]]) -> Iterator[str]:
    yield "/** Parameters of each notification. */"
    yield "export interface Notifications {"
    for method, params in messages.NOTIFICATIONS.items():
        yield f'  "{method}": {_shown(params, enums)};'
    yield "}"


def _shown(annotation: object, enums: dict[str, type[Enum]]) -> str:
    return _type(kinds.type_info(annotation), enums)


def _type(kind: kinds.Type, enums: dict[str, type[Enum]]) -> str:
    """A type as TypeScript writes it; enumerations that it names are put into ``enums``."""
    match kind:
        case kinds.StrType():
            return "string"
        case kinds.IntType() | kinds.FloatType():
            return "number"
        case kinds.BoolType():
            return "boolean"
        case kinds.NoneType():
            return "null"
        case kinds.LiteralType(values=values):
            return " | ".join(map(json.dumps, values))
        case kinds.EnumType(cls=enum):
            enums[enum.__name__] = enum
            return enum.__name__
        case kinds.ListType(item_type=item):
            text = _type(item, enums)
            return f"readonly ({text})[]" if " " in text else f"readonly {text}[]"
        case kinds.TupleType(item_types=items):
            return f"readonly [{', '.join(_type(item, enums) for item in items)}]"
        case kinds.UnionType(types=parts):
            named = sorted(parts, key=lambda part: isinstance(part, kinds.NoneType))
            return " | ".join(_type(part, enums) for part in named)
        case kinds.StructType(cls=struct):
            return struct.__name__
        case kinds.DataclassType(cls=protocol_type, fields=fields):
            if protocol_type.__name__ in _IMPORTED:
                return protocol_type.__name__
            needed = [
                f"{_camel(field.name)}: {_type(field.type, enums)}"
                for field in fields
                if field.required
            ]
            return f"{{ {'; '.join(needed)} }}"
        case _:
            raise TypeError(f"no TypeScript for {kind}")


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _comment(text: str) -> Iterator[str]:
    """A docstring as a comment, on one line if it fits."""
    plain = " ".join(text.replace("``", "`").split())
    if len(plain) + 7 <= _WIDTH:
        yield f"/** {plain} */"
        return
    yield "/**"
    yield from (f" * {line}" for line in textwrap.wrap(plain, _WIDTH - 3))
    yield " */"
