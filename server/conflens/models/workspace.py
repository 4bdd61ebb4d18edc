"""The workspace file, ``.conflens.toml``: what a person tells about a project.

Purpose: the text of the file becomes rows (the same kinds that libraries have), a person's
verdicts and path patterns.  ``load.merge`` joins the rows with the packaged ones.

Invariants: never raises, whatever the text; a faulty entry becomes problems with a place and, where
there is one, a suggestion, and the other entries stay.  A text that is no TOML keeps nothing.
Problems count lines and columns from 1 and stand in the order of the text.

Absent: reading the file, matching of path patterns and of Java names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs
import tomli

from conflens.base.globs import MOST_TRIED, is_tried
from conflens.models import schema
from conflens.models.places import FindPlaces, Path, Places, no_places
from conflens.models.structure import RowError, described, faults, nearest
from conflens.models.user_toml import LongKeyError, load_toml
from conflens.models.workspace_tables import TABLES

MAX_BYTES = 1_000_000
"""A larger file is not read."""

MAX_PATTERN, MAX_PARTS = 4096, 100
"""Characters and parts of a pattern for paths: no system has a longer path."""

DOMAIN = "custom"
"""The domain of the file's reads that name none."""

RowT = TypeVar("RowT")
_ReadRow = schema.ReadRow | schema.FieldReadRow | schema.ParameterReadRow

_JAVA = r"[A-Za-z_$][\w$]*"
_CALL = re.compile(rf"(?P<type>{_JAVA}(?:\.{_JAVA})*)\.(?P<method>{_JAVA}|<init>)\Z")
_FIELD = re.compile(rf"(?P<type>{_JAVA}(?:\.{_JAVA})*)\.(?P<field>[\w$*]+)\Z")
_PARAMETER = re.compile(
    rf"(?P<type>{_JAVA}(?:\.{_JAVA})*)\.(?P<method>{_JAVA}|<init>)\((?P<index>\d{{1,3}})\)\Z"
)
_PLACE = re.compile(r"argument (\d{1,3})\Z")
_KIND = re.compile(r"[A-Za-z][\w.-]*\Z")
_TEMPLATE = re.compile(r"\{([^{}]*)\}")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)\Z")

_EXAMPLE = "a type and method such as 'org.example.Settings.lookup'"
_ARRAYS = tuple(name for name, table in TABLES.items() if table.repeated)


@attrs.frozen
class WorkspaceProblem:
    """Something wrong in a workspace file; line and column count from 1."""

    path: str
    line: int
    column: int
    message: str
    suggestion: str | None = None


@attrs.frozen(kw_only=True)
class Verdict:
    """A person's decision on an option, by its name; ``line`` is where it stands."""

    option: str
    sensitive: bool
    reason: str
    line: int


@attrs.frozen(kw_only=True)
class Training:
    """The training table that the classifier is to be fitted from; ``line`` is where it is named."""

    path: str
    line: int


@attrs.frozen(kw_only=True)
class Ignored:
    """Findings that are not wanted: of the kind ``code`` (``*``: of every kind) on names that fit the glob ``name``."""

    code: str
    name: str
    line: int
    column: int


@attrs.frozen(kw_only=True)
class Loudness:
    """How loudly findings of the kind ``code`` are to be shown."""

    code: str
    severity: str
    line: int
    column: int


@attrs.frozen(kw_only=True)
class Checks:
    """What is said of checks; which codes and severities there are is known above.  ``baseline`` is the path of the file
    with known findings, empty for none; ``line`` is where it is named."""

    ignored: tuple[Ignored, ...] = ()
    severities: tuple[Loudness, ...] = ()
    baseline: str = ""
    line: int = 1


NO_CHECKS = Checks()


@attrs.frozen(kw_only=True)
class WorkspaceModel:
    """What a workspace file says. Path patterns are relative to its folder, with ``/``.

    ``digest`` changes whenever what it declares (reads, operations, flows, barriers) does; empty when it
    declares nothing.  Verdicts and paths do not change it, since they change no analysis.
    """

    reads: tuple[schema.ReadRow, ...] = ()
    field_reads: tuple[schema.FieldReadRow, ...] = ()
    parameter_reads: tuple[schema.ParameterReadRow, ...] = ()
    operations: tuple[schema.OperationRow, ...] = ()
    flows: tuple[schema.ConversionRow, ...] = ()
    barriers: tuple[schema.BarrierRow, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    training: Training | None = None
    documentation: tuple[str, ...] = ()
    configuration: tuple[str, ...] = ()
    """Files that are config files of the project, and with ``!`` those that are none."""
    exclude: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    """Links out of the project's folder that are followed."""
    checks: Checks = NO_CHECKS
    digest: str = ""


def parse_workspace(
    path: str, text: str, find_places: FindPlaces = no_places
) -> tuple[WorkspaceModel, tuple[WorkspaceProblem, ...]]:
    """What the text of a workspace file says, and what is wrong with it. Never raises.

    ``path`` names the file in problems and in the rows' provenance; ``find_places`` finds their lines.
    """
    content = text.encode("utf-8", "surrogatepass")
    if len(content) > MAX_BYTES:
        message = f"the file has {len(content)} bytes, more than {MAX_BYTES}; it was not read"
        return WorkspaceModel(), (WorkspaceProblem(path, 1, 1, message),)
    text = text.removeprefix("\ufeff")
    try:
        tables = load_toml(text)
    except LongKeyError as error:
        message = f"{error}; the file was not read"
        return WorkspaceModel(), (WorkspaceProblem(path, *error.place, message),)
    except (ValueError, RecursionError) as error:
        # Besides its own error the parser lets those of int() and of deep nesting through.
        return WorkspaceModel(), (_syntax_problem(path, text, error),)
    reader = _Reader(path, find_places(text.replace("\r\n", "\n")))
    model = reader.model(tables)
    return model, tuple(
        sorted(reader.problems, key=lambda problem: (problem.line, problem.column))
    )


def _syntax_problem(path: str, text: str, error: Exception) -> WorkspaceProblem:
    message = str(error)
    line, column = 1, 1
    if match := _AT.search(message):
        message = message[: match.start()]
        lines = text.split("\n")
        line, column = len(lines), len(lines[-1]) + 1
        if match[1]:
            line, column = int(match[1]), int(match[2])
    elif isinstance(error, RecursionError):
        message = "nested too deeply"
    elif not isinstance(error, tomli.TOMLDecodeError):
        message = "a number has too many digits"
    return WorkspaceProblem(path, line, column, f"not TOML: {message[:1].lower()}{message[1:]}")


class _Reader:
    """Reads the tables of one file and collects its problems."""

    def __init__(self, path: str, places: Places) -> None:
        self.path = path
        self.places = places
        self.problems: list[WorkspaceProblem] = []

    def model(self, tables: Mapping[str, Any]) -> WorkspaceModel:
        for name in tables:
            if name not in TABLES:
                self._problem(
                    (name,), RowError(f"unknown table '{name}'", None, nearest(name, TABLES))
                )
        reads = self._entries(tables, "read", _read)
        return WorkspaceModel(
            reads=tuple(row for row in reads if isinstance(row, schema.ReadRow)),
            field_reads=tuple(row for row in reads if isinstance(row, schema.FieldReadRow)),
            parameter_reads=tuple(
                row for row in reads if isinstance(row, schema.ParameterReadRow)
            ),
            operations=tuple(self._entries(tables, "operation", _operation)),
            flows=tuple(self._entries(tables, "flow", _flow)),
            barriers=tuple(self._entries(tables, "barrier", _barrier)),
            verdicts=self._verdicts(tables),
            training=self._training(tables),
            documentation=self._paths(tables, "documentation"),
            configuration=self._paths(tables, "configuration"),
            exclude=self._paths(tables, "exclude"),
            links=self._paths(tables, "links"),
            checks=self._checks(tables),
            digest=_declared(tables),
        )

    def _entries(
        self,
        tables: Mapping[str, Any],
        kind: str,
        make: Callable[[dict[str, Any], str], RowT],
    ) -> list[RowT]:
        """The rows of the faultless entries of one array of tables."""
        entries = tables.get(kind, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            reason = f"write [[{kind}]], an array of tables"
            self._problem((kind,), RowError(reason, None, f"[[{kind}]]"))
            return []
        rows = []
        for number, entry in enumerate(entries):
            place = (kind, number)
            found = faults(entry, TABLES[kind].types, TABLES[kind].required)
            if not found:
                line, _ = self.places.key(place)
                try:
                    rows.append(make(entry, f"{self.path}:{line}"))
                except RowError as error:
                    found = [error]
            for fault in found:
                self._problem(place, fault, f"[[{kind}]]: ")
        return rows

    def _verdicts(self, tables: Mapping[str, Any]) -> tuple[Verdict, ...]:
        rows = []
        for option, entry in self._table(tables, "verdict").items():
            place = ("verdict", option)
            if not isinstance(entry, dict):
                reason = f"expected a table, found {described(entry)}"
                self._problem(place, RowError(reason), f'[verdict."{option}"]: ')
                continue
            found = faults(entry, TABLES["verdict"].types, TABLES["verdict"].required)
            for fault in found:
                self._problem(place, fault, f'[verdict."{option}"]: ')
            if not found:
                line, _ = self.places.key(place)
                reason = entry.get("reason", "")
                rows.append(
                    Verdict(option=option, sensitive=entry["sensitive"], reason=reason, line=line)
                )
        return tuple(rows)

    def _training(self, tables: Mapping[str, Any]) -> Training | None:
        entry = self._table(tables, "sensitivity")
        found = faults(entry, TABLES["sensitivity"].types, ())
        path = entry.get("table")
        if not found and path is not None and (wrong := _file_fault("table", path)) is not None:
            found = [wrong]
        for fault in found:
            self._problem(("sensitivity",), fault, "[sensitivity]: ")
        if found or path is None:
            return None
        return Training(path=path, line=self.places.key(("sensitivity", "table"))[0])

    def _paths(self, tables: Mapping[str, Any], kind: str) -> tuple[str, ...]:
        entry = self._table(tables, kind)
        found = faults(entry, TABLES[kind].types, ())
        for fault in found:
            self._problem((kind,), fault, f"[{kind}]: ")
        if any(fault.key == "paths" for fault in found):
            return ()
        patterns = []
        for pattern in entry.get("paths", ()):
            wrong = _path_fault(pattern)
            if wrong is None:
                patterns.append(pattern)
            else:
                self._problem((kind,), wrong, f"[{kind}]: ")
        tried = [pattern for pattern in patterns if is_tried(pattern.removeprefix("!"))]
        if len(tried) > MOST_TRIED:
            reason = f"key 'paths': more than {MOST_TRIED:,} patterns with wildcards; the others do not count"
            self._problem((kind,), RowError(reason, "paths"), f"[{kind}]: ")
            more = {*tried[MOST_TRIED:]}.difference(tried[:MOST_TRIED])
            patterns = [pattern for pattern in patterns if pattern not in more]
        return tuple(patterns)

    def _checks(self, tables: Mapping[str, Any]) -> Checks:
        entry = self._table(tables, "check")
        found = faults(entry, TABLES["check"].types, ())
        path = entry.get("baseline")
        if isinstance(path, str) and (wrong := _file_fault("baseline", path)) is not None:
            found.append(wrong)
        for fault in found:
            self._problem(("check",), fault, "[check]: ")
        faulty = {fault.key for fault in found}
        ignored = []
        for number, text in enumerate(() if "ignore" in faulty else entry.get("ignore", ())):
            code, colon, name = text.partition(":")
            line, column = self.places.value(("check", "ignore", number))
            wanted = name.strip() if colon else "*"
            ignored.append(Ignored(code=code.strip(), name=wanted, line=line, column=column))
        severities = []
        for code, severity in ({} if "severity" in faulty else entry.get("severity", {})).items():
            place = ("check", "severity", code)
            if not isinstance(severity, str):
                reason = f"expected a text, found {described(severity)}"
                self._problem(place, RowError(reason), f'[check] severity."{code}": ')
                continue
            line, column = self.places.key(place)
            severities.append(Loudness(code=code, severity=severity, line=line, column=column))
        usable = path if path and "baseline" not in faulty else ""
        line, _ = self.places.key(("check", "baseline"))
        return Checks(
            ignored=tuple(ignored), severities=tuple(severities), baseline=usable, line=line
        )

    def _table(self, tables: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
        entry = tables.get(kind, {})
        if isinstance(entry, dict):
            return entry
        suggestion = '[verdict."name"]' if kind == "verdict" else f"[{kind}]"
        self._problem((kind,), RowError(f"write {suggestion}, a table", None, suggestion))
        return {}

    def _problem(self, place: Path, fault: RowError, prefix: str = "") -> None:
        if fault.key is None:
            line, column = self.places.key(place)
        elif fault.reason.startswith("unknown key"):
            line, column = self.places.key((*place, fault.key))
        else:
            line, column = self.places.value((*place, fault.key))
        self.problems.append(
            WorkspaceProblem(self.path, line, column, prefix + fault.reason, fault.suggestion)
        )


def _declared(tables: Mapping[str, Any]) -> str:
    declared = {kind: tables[kind] for kind in _ARRAYS if tables.get(kind)}
    return hashlib.sha256(repr(declared).encode()).hexdigest() if declared else ""


def _read(entry: dict[str, Any], provenance: str) -> _ReadRow:
    kinds = [key for key in ("call", "field", "parameter") if key in entry]
    if not kinds:
        raise RowError("missing key 'call', 'field' or 'parameter'")
    if len(kinds) > 1:
        raise RowError(f"'{kinds[0]}' and '{kinds[1]}' exclude each other", kinds[1])
    domain = entry.get("domain", DOMAIN)
    if not domain.strip():
        raise RowError("key 'domain': is empty", "domain")
    name, default = entry.get("name"), entry.get("default")
    if kinds == ["field"]:
        match = _matched(_FIELD, entry, "field", "a field such as 'org.example.Config.*'")
        if "default" in entry:
            raise RowError("key 'default': a field's default is its initial value", "default")
        return schema.FieldReadRow(
            type=match["type"],
            field=match["field"],
            name="{field}" if name is None else _template(name),
            domain=domain,
            provenance=provenance,
        )
    if name is None:
        raise RowError("missing key 'name'")
    if isinstance(name, str):
        _fixed(name)
    if kinds == ["parameter"]:
        example = "a parameter such as 'org.example.Server.configure(0)'"
        match = _matched(_PARAMETER, entry, "parameter", example)
        if not isinstance(name, str):
            raise RowError(f"key 'name': expected a text, found {name}", "name")
        return schema.ParameterReadRow(
            type=match["type"],
            method=match["method"],
            parameter=int(match["index"]),
            name=name,
            domain=domain,
            default=None if default is None else str(default),
            provenance=provenance,
        )
    match = _matched(_CALL, entry, "call", _EXAMPLE)
    if isinstance(name, int) and name < 0:
        raise RowError("key 'name': arguments count from 0", "name")
    if default is not None and (isinstance(default, str) or default < 0):
        raise RowError(
            f"key 'default': expected an argument's index, found {described(default)}", "default"
        )
    return schema.ReadRow(
        type=match["type"],
        method=match["method"],
        domain=domain,
        name=name,
        default=default,
        provenance=provenance,
    )


def _operation(entry: dict[str, Any], provenance: str) -> schema.OperationRow:
    match = _matched(_CALL, entry, "call", _EXAMPLE)
    kind = entry["kind"]
    if not _KIND.match(kind):
        raise RowError(f"key 'kind': {described(kind)} is not a word", "kind")
    arguments = entry.get("arguments")
    if arguments is not None and any(argument < 0 for argument in arguments):
        raise RowError("key 'arguments': arguments count from 0", "arguments")
    return schema.OperationRow(
        type=match["type"],
        method=match["method"],
        kind=kind,
        arguments=None if arguments is None else tuple(arguments),
        declared=True,
        provenance=provenance,
    )


def _flow(entry: dict[str, Any], provenance: str) -> schema.ConversionRow:
    match = _matched(_CALL, entry, "call", _EXAMPLE)
    return schema.ConversionRow(
        type=match["type"],
        method=match["method"],
        sources=(_place(entry, "from", ("receiver",)),),
        target=_place(entry, "to", ("return", "receiver")),
        provenance=provenance,
    )


def _barrier(entry: dict[str, Any], provenance: str) -> schema.BarrierRow:
    match = _matched(_CALL, entry, "call", _EXAMPLE)
    return schema.BarrierRow(type=match["type"], method=match["method"], provenance=provenance)


def _matched(
    pattern: re.Pattern[str], entry: Mapping[str, Any], key: str, example: str
) -> re.Match[str]:
    text = entry[key]
    match = pattern.match(text)
    if match is not None:
        return match
    # The spellings of stack traces, Javadoc and method references, put the way it is meant.
    meant = re.sub(r"::|#", ".", text.strip())
    if key == "call":
        meant = meant.partition("(")[0]
    suggestion = meant if pattern.match(meant) else None
    raise RowError(f"key '{key}': {described(text)} is not {example}", key, suggestion)


def _template(name: int | str) -> str:
    if not isinstance(name, str):
        raise RowError(f"key 'name': expected a text, found {name}", "name")
    if not name.strip():
        raise RowError("key 'name': is empty", "name")
    for word in _TEMPLATE.findall(name):
        if word != "field":
            raise RowError(f"key 'name': unknown placeholder '{{{word}}}'", "name", "{field}")
    return name


def _fixed(name: str) -> None:
    if not name.strip():
        raise RowError("key 'name': is empty", "name")
    if "{field}" in name:
        raise RowError("key 'name': '{field}' has a meaning only for fields", "name")


def _place(entry: Mapping[str, Any], key: str, words: tuple[str, ...]) -> schema.Place:
    text = entry[key]
    if match := _PLACE.match(text):
        return int(match[1])
    if text in words:
        return schema.RETURN if text == "return" else schema.RECEIVER
    allowed = ("argument 0", *words)
    listed = ", ".join(f"'{word}'" for word in allowed)
    fault = f"key '{key}': {described(text)} is not a place such as {listed}"
    raise RowError(fault, key, nearest(text, allowed))


def _file_fault(key: str, path: str) -> RowError | None:
    """Return what is wrong with the path of one file."""
    wrong = _path_fault(path)
    if wrong is None:
        return None
    reason = wrong.reason.replace("'paths': a pattern", f"'{key}':").replace("'paths'", f"'{key}'")
    return RowError(reason, key, wrong.suggestion)


def _path_fault(pattern: str) -> RowError | None:
    shown = described(pattern)
    if not pattern.strip():
        return RowError("key 'paths': a pattern is empty", "paths")
    if len(pattern) > MAX_PATTERN or pattern.count("/") >= MAX_PARTS:
        most = f"more than {MAX_PATTERN} characters or {MAX_PARTS} folders"
        return RowError(f"key 'paths': {shown} has {most}", "paths")
    if "\\" in pattern:
        meant = pattern.replace("\\", "/")
        return RowError(f"key 'paths': {shown} has '\\' between folders", "paths", meant)
    if pattern.startswith("/") or re.match("[A-Za-z]:", pattern) or ".." in pattern.split("/"):
        return RowError(f"key 'paths': {shown} leads out of the project's folder", "paths")
    return None
