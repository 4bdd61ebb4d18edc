"""A project in texts for tests of editor features, with a toy discovery that reads one screen of
Java.

The toy knows three APIs (``System.getProperty``, ``Integer.getInteger``, ``Boolean.getBoolean``),
string and number constants, bound fields (marked ``/*bound*/``), flows and verdicts that comments
tell of (``ide.toy_flows``, ``ide.toy_verdicts``) and nothing else, so that what a
feature shows depends on this file alone and not on how good discovery is; ``test_toy`` compares its options with
real ones.  ``<|>`` in a text is the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.documents import DocumentIndex, harvest
from conflens.facts.lower import lower
from conflens.models.jdk import packaged
from conflens.options.model import (
    Declaration,
    Default,
    Option,
    OptionTable,
    OptionType,
    Read,
    ReadKind,
)
from conflens.program.program import Program
from conflens.session.analysis import Analysis, Problem, Stats
from ide.toy_config import config_files_of, recognised
from ide.toy_flows import flows_of
from ide.toy_verdicts import verdicts_of

CURSOR = "<|>"
_CONSTANT = re.compile(
    rb"(?:/\*\*(?P<doc>[^*]*)\*/\s*)?static final \w+ (?P<name>\w+) = (?P<value>\"[^\"]*\"|\d+);"
)
_READ = re.compile(
    rb"(?P<api>System\.(?=get)|Integer\.|Boolean\.)(?P<call>getProperty|getInteger|getBoolean)\s*\("
    rb"(?P<name>\"[^\"]*\"|[A-Z][\w.]*)(?:,\s*(?P<default>\"[^\"]*\"|\d+|[A-Z][\w.]*))?\)"
)
_FIELD = re.compile(
    rb"/\*bound\*/ (?P<type>int|boolean|String) (?P<name>\w+)(?: = (?P<value>\w+))?;"
)
_LOAD = re.compile(rb"config\.(?P<name>\w+)")
_METHOD = re.compile(rb"void (\w+)\(")
_CLASS = re.compile(rb"(?:class|interface) (\w+)")
_TYPES = {
    b"System.getProperty": OptionType.STRING,
    b"Integer.getInteger": OptionType.INTEGER,
    b"Boolean.getBoolean": OptionType.BOOLEAN,
    b"int": OptionType.INTEGER,
    b"boolean": OptionType.BOOLEAN,
    b"String": OptionType.STRING,
}


@attrs.frozen
class Texts:
    """Texts in a dictionary."""

    files: Mapping[str, bytes]

    def text(self, path: str) -> bytes | None:
        """See ``base.system.Texts``."""
        return self.files.get(path)


@attrs.frozen
class Project:
    """An analysed project and the cursor in it: a path and a byte offset."""

    analysis: Analysis
    path: str
    offset: int

    def show(self, place: Place) -> str:
        """Return a place as ``A.java:3:5 text``: 1-based line and column in characters."""
        text = self.analysis.texts.text(place.path) or b""
        line, column = self.analysis.position(place.path, place.start, Encoding.UTF32)
        shown = " ".join(text[place.start : place.end].decode().split())
        return f"{place.path}:{line + 1}:{column + 1} {shown}"


def project(files: Mapping[str, str], complete: bool = True, **changes: object) -> Project:
    """Analyse ``files``; ``changes`` are attributes of ``Option`` for all options."""
    cursor = ("", 0)
    texts: dict[str, bytes] = {}
    for path, text in files.items():
        at = text.find(CURSOR)
        if at >= 0:
            cursor = path, len(text[:at].encode())
        texts[path] = text.replace(CURSOR, "").encode()
    return Project(analyse(texts, complete, **changes), *cursor)


def analyse(
    texts: Mapping[str, bytes],
    complete: bool = True,
    revision: int = 1,
    opened: Mapping[str, int] | None = None,
    problems: tuple[Problem, ...] = (),
    **changes: object,
) -> Analysis:
    """Return an analysis of ``texts``."""
    java = {path: lower(text) for path, text in texts.items() if path.endswith(".java")}
    documents = {
        path: harvest(path, text.decode())
        for path, text in texts.items()
        if path not in java and not path.startswith(".")
    }
    options = [attrs.evolve(option, **changes) for option in _discover(texts)]  # type: ignore[arg-type]
    lines = sum(len(facts.starts) for facts in java.values())
    program, table = Program.build(java, packaged()), OptionTable.of(options, [])
    config_files = config_files_of(texts)
    return Analysis(
        revision=revision,
        complete=complete,
        program=program,
        options=table,
        documents=DocumentIndex.build(documents),
        left_out=(),
        problems=problems,
        stats=Stats(len(java), lines, 0.25, 50.0, 0),
        texts=Texts(dict(texts)),
        open_revisions=dict(opened or {}),
        flows=flows_of(program, table.options, texts),
        sensitivity=verdicts_of(program, table.options, texts),
        config_files=config_files,
        recognised=recognised(config_files, table),
    )


@attrs.define
class _Found:
    type: OptionType
    description: str = ""
    defaults: list[Default] = attrs.field(factory=list)
    declarations: list[Declaration] = attrs.field(factory=list)
    reads: list[Read] = attrs.field(factory=list)


def _discover(texts: Mapping[str, bytes]) -> list[Option]:
    constants: dict[str, tuple[str, Place]] = {}
    names: dict[str, tuple[Declaration, str]] = {}
    found: dict[tuple[str, str], _Found] = {}
    for path, text in texts.items():
        owner = _CLASS.search(text)
        for match in _CONSTANT.finditer(text) if owner else ():
            name, value = match["name"].decode(), match["value"].decode().strip('"')
            constants[name] = value, Place(path, match.start("value"), match.end("value"))
            place = Place(path, match.start("name"), match.end("name"))
            scope = Place(path, match.start("name"), match.end("value"))
            assert owner is not None
            symbol = f"{owner[1].decode()}.{name}"
            if match["value"].startswith(b'"') and "." in value:
                doc = (match["doc"] or b"").decode().strip()
                names[name] = Declaration(place, scope, "constant", symbol), doc
        for match in _FIELD.finditer(text):
            key = "yaml", match["name"].decode()
            field = found.setdefault(key, _Found(_TYPES[match["type"]]))
            place = Place(path, match.start("name"), match.end("name"))
            scope = Place(path, match.start(), match.end())
            field.declarations.append(Declaration(place, scope, "field", f"Config.{key[1]}"))
            if match["value"]:
                at = Place(path, match.start("value"), match.end("value"))
                field.defaults.append(Default(match["value"].decode(), at))
    for path, text in texts.items():
        for match in _READ.finditer(text) if path.endswith(".java") else ():
            _read(path, text, match, constants, names, found)
        for match in _LOAD.finditer(text) if path.endswith(".java") else ():
            load = found.get(("yaml", match["name"].decode()))
            if load is not None:
                name_place = Place(path, match.start("name"), match.end("name"))
                place = Place(path, match.start(), match.end())
                method = _method(text, match.start())
                load.reads.append(
                    Read(place, name_place, match.end(), ReadKind.FIELD, method, "field", None,
                         True, False, False)
                )  # fmt: skip
    return [
        Option(
            name=key[1],
            domain=key[0],
            type=item.type,
            why="",
            values=(),
            unit="ms" if key[1].endswith("timeout") else "",
            defaults=tuple(item.defaults),
            conflict=len({default.text for default in item.defaults}) > 1,
            description=item.description,
            declarations=tuple(item.declarations),
            reads=tuple(item.reads),
            commented=bool(item.description),
        )
        for key, item in found.items()
    ]


def _read(
    path: str,
    text: bytes,
    match: re.Match[bytes],
    constants: Mapping[str, tuple[str, Place]],
    names: Mapping[str, tuple[Declaration, str]],
    found: dict[tuple[str, str], _Found],
) -> None:
    written = match["name"].decode()
    constant = written.rsplit(".", 1)[-1]
    shows = written.startswith('"')
    name = written.strip('"') if shows else constants.get(constant, ("", None))[0]
    if not name:
        return
    item = found.setdefault(
        ("system-property", name), _Found(_TYPES[match["api"] + match["call"]])
    )
    default = None
    stated = (match["default"] or b"").decode()
    here = Place(path, match.start("default"), match.end("default"))
    if stated and (stated[0] == '"' or stated.isdigit()):
        default = Default(stated.strip('"'), here)
    elif stated:
        default = Default(*constants[stated.rsplit(".", 1)[-1]])
    if default is not None:
        item.defaults.append(default)
    if not shows and constant in names:
        declaration, doc = names[constant]
        item.description = item.description or doc
        if declaration not in item.declarations:
            item.declarations.append(declaration)
    line = text[text.rfind(b"\n", 0, match.start()) + 1 : match.start()]
    item.reads.append(
        Read(
            Place(path, match.start("call"), match.end()),
            Place(path, match.start("name"), match.end("name")),
            match.end(),
            ReadKind.CALL,
            _method(text, match.start()),
            (match["api"] + match["call"]).decode(),
            default,
            shows,
            default is None or default.place == here,
            not line.strip(),
        )
    )


def _method(text: bytes, at: int) -> str:
    owner = _CLASS.findall(text[:at])
    methods = _METHOD.findall(text[:at])
    return f"{owner[-1].decode() if owner else ''}.{methods[-1].decode() if methods else ''}"
