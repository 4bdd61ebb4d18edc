"""Loads the model rows: TOML entries to checked, expanded, indexed rows.

Purpose: ``load_models`` gives everything the files named in ``grammars/models/index.toml`` say, and
``merge`` adds a workspace file's rows.

Terms
    entry       one TOML table ``[[read]]``, ``[[value]]``, …; it becomes one or more rows.
    expansion   what an entry may write for several rows: ``types``, ``methods`` (a list, or a table
                from method to value type), ``names`` of ``[[platform]]``, ``words`` of ``[[role]]``,
                ``constants`` (a table from constant to unit, value type or table), ``overloads`` of
                ``[[definition]]`` (tables that add to the entry), ``below`` (a table from what a library
                reads below a name to its type, or to type and default).  Besides: ``args`` (``2``, or
                ``[1, 3]``) for both bounds of arity, ``from`` and ``to`` for a conversion's
                places, ``refine`` for a definition's fluent methods, ``receiver`` and ``return``
                for places.
    defaults    a file's table of keys that its entries take over when their kind has them.

Invariants: a fault in any packaged row is a ``ModelError`` that names file, table, entry and reason;
nothing is dropped.  Rows keep the order of files and entries.  Equal files give equal digests.

Absent: judging whether a row fits a call (the option layer), caches.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from types import MappingProxyType
from typing import Any, TypeVar, get_args

import attrs
import tomli

from conflens.models import generators, schema, words
from conflens.models.argument_keys import INDEX_KEYS
from conflens.models.beans import BeanRow
from conflens.models.carriers import methods_of
from conflens.models.keys import with_inherited
from conflens.models.members import MapEntryRow
from conflens.models.read_index import ReadIndex
from conflens.models.resources import grammar_file
from conflens.models.structure import RowError, described, nearest, structure
from conflens.models.workspace import WorkspaceModel

FORMAT = 1
"""Version of what rows mean; part of every digest."""

_INDEX = "models/index.toml"
_ALONE = ("answer", "posting", "protocol", "schema", "stored")
"""Kinds of names whose words say nothing elsewhere, and may stand in other rows."""
_KINDS: Mapping[str, type[schema.Row]] = MappingProxyType(
    {
        "read": schema.ReadRow,
        "container": schema.ContainerRow,
        "prefix": schema.PrefixRow,
        "annotation": schema.AnnotationRow,
        "definition": schema.DefinitionRow,
        "validator": schema.ValidatorRow,
        "check": schema.CheckRow,
        "range": schema.RangeRow,
        "secret": schema.SecretRow,
        "secret_word": schema.SecretWordRow,
        "deprecation": schema.DeprecationRow,
        "binding": schema.BindingRow,
        "value": schema.ValueRow,
        "clock": schema.ClockRow,
        "conversion": schema.ConversionRow,
        "cell": schema.CellRow,
        "constant": schema.ConstantRow,
        "key": schema.KeysRow,
        "bound_class": schema.BoundClassRow,
        "library": schema.LibraryRow,
        "node": schema.NodeRow,
        "file": schema.FileRow,
        "implied": generators.ImpliedRow,
        "implied_settings": generators.ImpliedSettingsRow,
        "platform": schema.PlatformRow,
        "domain": schema.DomainRow,
        "role": schema.RoleRow,
        "operation": schema.OperationRow,
        "amount": schema.AmountRow,
        "callback": schema.CallbackRow,
        "entry": schema.EntryRow,
    }
)
_FIELDS = {row: frozenset(field.name for field in attrs.fields(row)) for row in _KINDS.values()}
_PLACES = {"receiver": schema.RECEIVER, "return": schema.RETURN}
_PLACE_KEYS = (
    "argument",
    "container",
    "content",
    "unit_argument",
    "from_unit_argument",
    "to_unit_argument",
)
_UNITS = frozenset(get_args(words.Unit))
_VALUE_TYPES = frozenset(get_args(words.ValueType))
_TYPES = ("types", "type")
_METHODS = (("methods", "method"),)
_PLURALS: Mapping[type[schema.Row], tuple[tuple[str, str], ...]] = {
    schema.PlatformRow: (("names", "name"),),
    schema.RoleRow: (("words", "word"),),
    schema.ConstantRow: (("constants", "constant"),),
    schema.AnnotationRow: (),
}
_QUALIFIED = re.compile(r"[a-z_][\w$]*(\.[a-z_][\w$]*)*(\.[A-Z_][\w$]*)+\Z")
_METHOD = re.compile(r"[A-Za-z_$][\w$]*\Z|<init>\Z")
_REFINEMENT = re.compile(r"(?P<aspect>[a-z-]+)(?: (?P<argument>\d+)|=(?P<value>.+))?\Z")

RowT = TypeVar("RowT")


class ModelError(ValueError):
    """A packaged row is wrong. ``entry`` counts from 1 within its table, 0 when it is the file."""

    def __init__(self, file: str, table: str, entry: int, reason: str) -> None:
        place = f"{file}: [[{table}]] entry {entry}" if entry else file
        super().__init__(f"{place}: {reason}")
        self.file = file
        self.table = table
        self.entry = entry
        self.reason = reason


@attrs.frozen(kw_only=True)
class Models:
    """All rows, and indices over them. Methods and annotations are indexed by simple name.

    ``digest`` is a hex text that changes whenever a row may have changed.
    """

    reads: tuple[schema.ReadRow, ...] = ()
    containers: tuple[schema.ContainerRow, ...] = ()
    prefixes: tuple[schema.PrefixRow, ...] = ()
    annotations: tuple[schema.AnnotationRow, ...] = ()
    definitions: tuple[schema.DefinitionRow, ...] = ()
    validators: tuple[schema.ValidatorRow, ...] = ()
    checks: tuple[schema.CheckRow, ...] = ()
    ranges: tuple[schema.RangeRow, ...] = ()
    secrets: tuple[schema.SecretRow, ...] = ()
    secret_words: tuple[schema.SecretWordRow, ...] = ()
    deprecations: tuple[schema.DeprecationRow, ...] = ()
    bindings: tuple[schema.BindingRow, ...] = ()
    values: tuple[schema.ValueRow, ...] = ()
    clocks: tuple[schema.ClockRow, ...] = ()
    conversions: tuple[schema.ConversionRow, ...] = ()
    cells: tuple[schema.CellRow, ...] = ()
    constants: tuple[schema.ConstantRow, ...] = ()
    keys: tuple[schema.KeysRow, ...] = ()
    bound_classes: tuple[schema.BoundClassRow, ...] = ()
    nodes: tuple[schema.NodeRow, ...] = ()
    files: tuple[schema.FileRow, ...] = ()
    libraries: tuple[schema.LibraryRow, ...] = ()
    implied: tuple[generators.ImpliedRow, ...] = ()
    implied_settings: tuple[generators.ImpliedSettingsRow, ...] = ()
    platform: tuple[schema.PlatformRow, ...] = ()
    domains: tuple[schema.DomainRow, ...] = ()
    roles: tuple[schema.RoleRow, ...] = ()
    field_reads: tuple[schema.FieldReadRow, ...] = ()
    parameter_reads: tuple[schema.ParameterReadRow, ...] = ()
    operations: tuple[schema.OperationRow, ...] = ()
    amounts: tuple[schema.AmountRow, ...] = ()
    callbacks: tuple[schema.CallbackRow, ...] = ()
    entries: tuple[schema.EntryRow, ...] = ()
    barriers: tuple[schema.BarrierRow, ...] = ()
    beans: tuple[BeanRow, ...] = ()
    wired: tuple[MapEntryRow, ...] = ()
    digest: str

    reads_by_method: Mapping[str, tuple[schema.ReadRow, ...]] = attrs.field(init=False, eq=False)
    handed_by_method: Mapping[str, tuple[schema.ContainerRow, ...]] = attrs.field(
        init=False, eq=False
    )
    """By the name of a method that a library calls: what it hands to the methods that override it."""
    containers_by_method: Mapping[str, tuple[schema.ContainerRow, ...]] = attrs.field(
        init=False, eq=False
    )
    prefixes_by_method: Mapping[str, tuple[schema.PrefixRow, ...]] = attrs.field(
        init=False, eq=False
    )
    annotations_by_name: Mapping[str, tuple[schema.AnnotationRow, ...]] = attrs.field(
        init=False, eq=False
    )
    definitions_by_method: Mapping[str, tuple[schema.DefinitionRow, ...]] = attrs.field(
        init=False, eq=False
    )
    validators_by_method: Mapping[str, tuple[schema.ValidatorRow, ...]] = attrs.field(
        init=False, eq=False
    )
    checks_by_method: Mapping[str, tuple[schema.CheckRow, ...]] = attrs.field(init=False, eq=False)
    ranges_by_method: Mapping[str, tuple[schema.RangeRow, ...]] = attrs.field(init=False, eq=False)
    bindings_by_method: Mapping[str, tuple[schema.BindingRow, ...]] = attrs.field(
        init=False, eq=False
    )
    values_by_method: Mapping[str, tuple[schema.ValueRow, ...]] = attrs.field(init=False, eq=False)
    clocks_by_method: Mapping[str, tuple[schema.ClockRow, ...]] = attrs.field(init=False, eq=False)
    conversions_by_method: Mapping[str, tuple[schema.ConversionRow, ...]] = attrs.field(
        init=False, eq=False
    )
    cells_by_method: Mapping[str, tuple[schema.CellRow, ...]] = attrs.field(init=False, eq=False)
    operations_by_method: Mapping[str, tuple[schema.OperationRow, ...]] = attrs.field(
        init=False, eq=False
    )
    amounts_by_method: Mapping[str, tuple[schema.AmountRow, ...]] = attrs.field(
        init=False, eq=False
    )
    callbacks_by_method: Mapping[str, tuple[schema.CallbackRow, ...]] = attrs.field(
        init=False, eq=False
    )
    platform_by_domain: Mapping[str, tuple[frozenset[str], tuple[str, ...]]] = attrs.field(
        init=False, eq=False
    )
    constants_by_type: Mapping[str, Mapping[str, schema.ConstantRow]] = attrs.field(
        init=False, eq=False
    )
    node_methods: Mapping[str, frozenset[str]] = attrs.field(init=False, eq=False)
    file_types: frozenset[str] = attrs.field(init=False, eq=False)
    library_keys: frozenset[str] = attrs.field(init=False, eq=False)
    """The texts of constants that name options of libraries, defaults among them."""
    keys_by_type: Mapping[str, Mapping[str, str]] = attrs.field(init=False, eq=False)
    told_names: Mapping[str, tuple[str, ...]] = attrs.field(init=False, eq=False)
    """What libraries read around a name that code tells them: by what stands in front of it, what follows."""
    roles_by_word: Mapping[str, schema.RoleRow] = attrs.field(init=False, eq=False)
    answer_words: frozenset[str] = attrs.field(init=False, eq=False)
    posting_words: frozenset[str] = attrs.field(init=False, eq=False)
    read_index: ReadIndex = attrs.field(init=False, eq=False)
    own_trees: frozenset[str] = attrs.field(init=False, eq=False)
    """The project's own classes whose lookups rows describe."""
    protocol_words: frozenset[str] = attrs.field(init=False, eq=False)
    schema_words: frozenset[str] = attrs.field(init=False, eq=False)
    stored_words: frozenset[str] = attrs.field(init=False, eq=False)
    inherited_from: Mapping[str, tuple[schema.LibraryRow, ...]] = attrs.field(init=False, eq=False)
    """By type: the library types whose subclasses inherit a field of it."""

    def __attrs_post_init__(self) -> None:
        indices: dict[str, object] = {
            f"{kind}_by_method": _grouped(getattr(self, kind), lambda row: row.method)
            for kind in (
                "reads",
                "prefixes",
                "definitions",
                "validators",
                "checks",
                "ranges",
                "bindings",
                "values",
                "clocks",
                "conversions",
                "cells",
                "operations",
                "amounts",
                "callbacks",
            )
        }
        for kind, overridden in (("containers", False), ("handed", True)):
            rows = [row for row in self.containers if row.overridden == overridden]
            indices[f"{kind}_by_method"] = _grouped(rows, lambda row: row.method)
        indices["annotations_by_name"] = _grouped(
            self.annotations, lambda row: row.type.rpartition(".")[2]
        )
        indices["read_index"] = ReadIndex(_grouped(self.reads, lambda row: row.method))
        indices["platform_by_domain"] = MappingProxyType(
            {
                domain: (
                    frozenset(row.name for row in rows),
                    tuple(row.name[:-1] for row in rows if row.name[-1] == "*"),
                )
                for domain, rows in _grouped(self.platform, lambda row: row.domain).items()
            }
        )
        indices["constants_by_type"] = MappingProxyType(
            {
                type_: MappingProxyType({row.constant: row for row in rows})
                for type_, rows in _grouped(self.constants, lambda row: row.type).items()
            }
        )
        indices["node_methods"] = methods_of(self.nodes)
        indices["file_types"] = frozenset(row.type for row in self.files)
        texts = (text for row in self.keys for text in row.texts.values())
        indices["library_keys"] = frozenset(text for text in texts if "." in text)
        indices["keys_by_type"] = with_inherited(self.keys)
        alone = {on: {row.word for row in self.roles if row.on == (on,)} for on in _ALONE}
        named = {row.word: row for row in self.roles if row.on not in {(on,) for on in _ALONE}}
        indices["answer_words"] = frozenset(alone["answer"])
        indices["posting_words"] = frozenset(alone["posting"])
        indices["protocol_words"] = frozenset(alone["protocol"])
        indices["schema_words"] = frozenset(alone["schema"])
        indices["stored_words"] = frozenset(alone["stored"])
        indices["roles_by_word"] = MappingProxyType(named)
        around = [
            *((row.root, row.suffix) for row in self.reads if row.suffix),
            *((row.root, row.suffix) for row in self.annotations if row.suffix),
        ]
        indices["told_names"] = MappingProxyType(
            {
                root: tuple(sorted({suffix for _, suffix in pairs if "*" not in suffix}))
                for root, pairs in _grouped(around, lambda pair: pair[0]).items()
            }
        )
        indices["own_trees"] = frozenset(row.type for row in self.reads if row.own)
        keepers: dict[str, list[schema.LibraryRow]] = {}
        for row in self.libraries:
            for type_ in row.fields.values():
                keepers.setdefault(type_, []).append(row)
        indices["inherited_from"] = MappingProxyType(
            {type_: tuple(rows) for type_, rows in keepers.items()}
        )
        for name, value in indices.items():
            object.__setattr__(self, name, value)

    def is_platform(self, domain: str, name: str) -> bool:
        """Whether a name of a domain states a platform fact, so that it is no option."""
        names, prefixes = self.platform_by_domain.get(domain, (frozenset(), ()))
        return name in names or name.startswith(prefixes)

    def is_told(self, name: str) -> bool:
        """Whether a library reads an option of this name, in which only one part is the program's own."""
        return any(
            name.startswith(root) and name.endswith(suffixes)
            for root, suffixes in self.told_names.items()
        )


def load_models() -> Models:
    """All packaged rows. Raises ModelError if one is wrong, FileNotFoundError if a file lacks."""
    index = parse_file(_INDEX, grammar_file(_INDEX).decode())
    names = index.get("files")
    if not isinstance(names, list):
        raise ModelError(_INDEX, "", 0, "needs a list 'files'")
    return build_models({f"models/{name}": grammar_file(f"models/{name}") for name in names})


def build_models(files: Mapping[str, bytes]) -> Models:
    """The rows of these files (path to content), in this order. Raises ModelError."""
    rows: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    digest = hashlib.sha256(f"{FORMAT}".encode())
    first_use: dict[str, tuple[str, str, int]] = {}
    for file, content in files.items():
        digest.update(b"\0".join((b"", file.encode(), b"%d" % len(content), content)))
        for kind, entry, row in _file_rows(file, content):
            rows[kind].append(row)
            domain = getattr(row, "domain", None)
            if domain is not None and kind != "domain" and domain not in first_use:
                first_use[domain] = (file, kind, entry)
    known = {row.domain for row in rows["domain"]}
    for domain, place in first_use.items():
        if domain not in known:
            fault = RowError(f"unknown domain '{domain}'", "domain", nearest(domain, known))
            raise ModelError(*place, str(fault))
    plural = {kind: kind for kind in ("platform", "implied", "implied_settings")}
    plural |= {
        "prefix": "prefixes",
        "library": "libraries",
        "bound_class": "bound_classes",
        "entry": "entries",
    }
    return Models(
        **{plural.get(kind, f"{kind}s"): tuple(found) for kind, found in rows.items()},
        digest=digest.hexdigest(),
    )


def merge(models: Models, workspace: WorkspaceModel) -> Models:
    """The rows of both; the workspace's come first, so that they win where one row is chosen."""
    return attrs.evolve(
        models,
        reads=workspace.reads + models.reads,
        conversions=workspace.flows + models.conversions,
        field_reads=workspace.field_reads + models.field_reads,
        parameter_reads=workspace.parameter_reads + models.parameter_reads,
        operations=workspace.operations + models.operations,
        barriers=workspace.barriers + models.barriers,
        digest=_joined(models.digest, workspace.digest),
    )


def _joined(models: str, workspace: str) -> str:
    """The digest of both; that of the models when the workspace declares nothing."""
    if not workspace:
        return models
    return hashlib.sha256(f"{models} {workspace}".encode()).hexdigest()


def parse_file(file: str, text: str) -> dict[str, Any]:
    """The tables of a model file. Raises ModelError with the parser's message and place."""
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ModelError(file, "", 0, str(error)) from error


def _file_rows(file: str, content: bytes) -> Iterable[tuple[str, int, schema.Row]]:
    tables = parse_file(file, content.decode())
    defaults = tables.pop("defaults", {})
    for kind, entries in tables.items():
        row_type = _KINDS.get(kind)
        if row_type is None:
            hint = nearest(kind, ("defaults", *_KINDS))
            raise ModelError(
                file, kind, 0, str(RowError(f"unknown table '{kind}'", suggestion=hint))
            )
        if not isinstance(entries, list):
            raise ModelError(file, kind, 0, f"write [[{kind}]], an array of tables")
        fields = _FIELDS[row_type]
        inherited = {
            key: value
            for key, value in defaults.items()
            if key in fields or (key == "types" and "type" in fields)
        }
        for number, entry in enumerate(entries, 1):
            try:
                for row in _rows(row_type, _inherit(inherited, entry)):
                    yield kind, number, row
            except RowError as fault:
                raise ModelError(file, kind, number, str(fault)) from fault


def _inherit(inherited: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    joined = inherited | entry
    for one, other in (("type", "types"), ("types", "type")):
        if one in entry and other not in entry:
            joined.pop(other, None)
    return joined


def _rows(row_type: type[schema.Row], entry: dict[str, Any]) -> Iterable[schema.Row]:
    overloads = entry.pop("overloads", None)
    if overloads is not None:
        for overload in overloads:
            yield from _rows(row_type, entry | overload)
        return
    below = entry.pop("below", None)
    if below is not None:
        for read in _below(below):
            yield from _rows(row_type, entry | read)
        return
    _shorthands(row_type, entry)
    expansions = [
        _changes(plural, single, entry.pop(plural))
        for plural, single in (_TYPES, *_PLURALS.get(row_type, _METHODS))
        if plural in entry
    ]
    for changes in product(*expansions):
        table = entry.copy()
        for change in changes:
            table.update(change)
        row = structure(row_type, table)
        _check(row)
        yield row


def _changes(plural: str, single: str, listed: object) -> list[dict[str, Any]]:
    """What an expansion's items say in place of it."""
    if plural == "constants" and isinstance(listed, dict):
        return [
            {single: name, **value}
            if isinstance(value, dict)
            else {single: name, "unit" if value in _UNITS else "value_type": value}
            for name, value in listed.items()
        ]
    if plural == "methods" and isinstance(listed, dict):
        return [{single: name, "value_type": value} for name, value in listed.items()]
    if isinstance(listed, list) and listed:
        return [{single: item} for item in listed]
    raise RowError(f"key '{plural}': expected a list, found {described(listed)}", plural)


def _below(listed: object) -> Iterable[dict[str, Any]]:
    """Return the type and the default of each key that a library reads below a name that code gives it."""
    if not isinstance(listed, dict) or not listed:
        raise RowError(f"key 'below': expected a table, found {described(listed)}", "below")
    for name, said in listed.items():
        value_type, *missing = said if isinstance(said, list) and said else [said]
        if len(missing) > 1:
            raise RowError(f"key 'below': '{name}' has a type and a default only", "below")
        yield {"suffix": f".{name}", "value_type": value_type} | (
            {"missing": missing[0]} if missing else {}
        )


def _shorthands(row_type: type[schema.Row], entry: dict[str, Any]) -> None:
    if "args" in entry:
        args = entry.pop("args")
        bounds = args if isinstance(args, list) and len(args) == 2 else [args, args]
        entry["min_args"], entry["max_args"] = bounds
    for key in _PLACE_KEYS:
        value = entry.get(key)
        if isinstance(value, str):
            entry[key] = _place(key, value)
    if row_type is schema.ConversionRow:
        if "from" in entry:
            places = entry.pop("from")
            places = places if isinstance(places, list) else [places]
            entry["sources"] = [_place("from", place) for place in places]
        if "to" in entry:
            entry["target"] = _place("to", entry.pop("to"))
    if row_type is schema.DefinitionRow and "refine" in entry:
        entry["refinements"] = [
            _refinement(method, text)
            for method, texts in entry.pop("refine").items()
            for text in (texts if isinstance(texts, list) else [texts])
        ]


def _place(key: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    place = _PLACES.get(value)
    if place is None:
        raise RowError(f"key '{key}': '{value}' is not a place", key, nearest(value, _PLACES))
    return place


def _refinement(method: str, text: object) -> dict[str, Any]:
    match = _REFINEMENT.match(text) if isinstance(text, str) else None
    if match is None:
        shapes = "'aspect', 'aspect 0' or 'aspect=value'"
        raise RowError(f"key 'refine': {described(text)} of '{method}' is not {shapes}", "refine")
    aspect, argument, value = match["aspect"], match["argument"], match["value"]
    if aspect == "type" and value is not None and value not in _VALUE_TYPES:
        fault = f"key 'refine': '{value}' of '{method}' is not a value type"
        raise RowError(fault, "refine", nearest(value, _VALUE_TYPES))
    found: dict[str, Any] = {"method": method, "aspect": aspect}
    if argument is not None:
        found["argument"] = int(argument)
    if value is not None:
        found["value"] = value
    return found


def _check(row: schema.Row) -> None:
    """Rules between fields that the types of the schema cannot state. Raises RowError."""
    if not row.provenance.strip():
        raise RowError("key 'provenance': is empty", "provenance")
    match row:
        case schema.PlatformRow() | schema.DomainRow() | schema.RoleRow() | schema.SecretWordRow():
            return
        case generators.ImpliedSettingsRow():
            return
        case schema.AnnotationRow(role="refine", aspect=None):
            raise RowError("missing key 'aspect', which role 'refine' needs")
        case schema.ConstantRow(value_type=None, unit=None, absent=False, text="", naming=None):
            raise RowError("missing key 'value_type' or 'unit'")
        case schema.BindingRow() if (row.shape == "supertype") == bool(row.method):
            raise RowError("key 'method': a supertype binds without one, all others need one")
        case schema.AnnotationRow() | schema.ConstantRow() | generators.ImpliedRow():
            pass
        case schema.OperationRow() if row.kind not in schema.OPERATION_KINDS:
            listed = ", ".join(schema.OPERATION_KINDS)
            fault = f"key 'kind': {described(row.kind)} is not one of {listed}"
            raise RowError(fault, "kind", nearest(row.kind, schema.OPERATION_KINDS))
        case schema.OperationRow(declared=True):
            raise RowError("key 'declared': is for workspace files only", "declared")
        case schema.FileRow() | schema.BoundClassRow():
            pass
        case schema.KeysRow():
            if not (row.texts or row.supers):
                raise RowError("missing key 'texts' or 'supers'")
        case schema.LibraryRow():
            if not (row.supers or row.returns or row.fields or row.value_type):
                raise RowError("missing key 'supers', 'returns', 'fields' or 'value_type'")
        case _:
            if row.method and not _METHOD.match(row.method):
                raise RowError(f"key 'method': '{row.method}' is not a method name", "method")
            _check_indices(row)
    if not _QUALIFIED.match(row.type):
        raise RowError(f"key 'type': '{row.type}' is not a qualified type name", "type")


def _check_indices(row: schema.Row) -> None:
    most = getattr(row, "max_args", None)
    if most is None:
        return
    if most < getattr(row, "min_args", 0):
        raise RowError("key 'max_args': is less than min_args", "max_args")
    for key in INDEX_KEYS.get(row.__class__, ()):
        index = getattr(row, key)
        if index.__class__ is int and index >= most:
            raise RowError(f"key '{key}': there is no argument {index}, at most {most}", key)


def _grouped(rows: Iterable[RowT], key: Callable[[RowT], str]) -> Mapping[str, tuple[RowT, ...]]:
    groups: dict[str, list[RowT]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return MappingProxyType({name: tuple(group) for name, group in groups.items()})
