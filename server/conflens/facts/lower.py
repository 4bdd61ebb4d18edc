"""One Java file to facts: the declarations, each with its lowered code.

``lower`` is total: any bytes give facts and a list of problems.  Declarations inside syntax errors
are kept when they can be recognised.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from typing_extensions import override

from conflens.base.text import line_starts
from conflens.facts import ir, kinds, statements
from conflens.facts.bodies import BodyLowerer
from conflens.facts.codec import encode_body
from conflens.facts.headers import Headers
from conflens.facts.ir import NONE
from conflens.facts.known import Known, Lowered
from conflens.facts.model import (
    Annotation,
    FileFacts,
    Import,
    Member,
    Modifier,
    Param,
    SyntaxProblem,
    TypeDecl,
    TypeParam,
)
from conflens.facts.salvage import BrokenMethod, Salvage
from conflens.facts.text import type_text
from conflens.syntax.java import Node, Tree, error_places, parse

_KINDS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_DOC_LIMIT = 1500
"""Bytes of a documentation comment that are kept."""
_MAX_NESTING = 40
"""Types inside types that are followed; each costs three Python frames."""
_METHODS = kinds.kinds("method_declaration", "annotation_type_element_declaration")
_CONSTRUCTORS = kinds.kinds("constructor_declaration", "compact_constructor_declaration")
_COMPACT = kinds.kinds("compact_constructor_declaration")
_FIELDS = kinds.kinds("field_declaration", "constant_declaration")
_INITIALIZERS = kinds.kinds("static_initializer", "block")
_CONSTANT = kinds.kinds("enum_constant")
_NESTED_BODIES = kinds.kinds("enum_body_declarations")
_SUPERS = kinds.kinds("superclass", "super_interfaces", "extends_interfaces")
_PERMITS = kinds.kinds("permits")
_TYPE_PARAMETERS = kinds.kinds("type_parameters")
_OBJECT_CREATION = kinds.kinds("object_creation_expression")
_PACKAGE = kinds.kinds("package_declaration")
_IMPORT = kinds.kinds("import_declaration")


def lower(text: bytes) -> FileFacts:
    """Return the facts of a Java file (UTF-8)."""
    return lower_tree(parse(text))


def lower_tree(tree: Tree, known: Known | None = None) -> FileFacts:
    """Return the facts of a parsed Java file; what ``known`` has of its earlier texts is not lowered again."""
    if tree.masked or tree.root.has_error:
        known = None  # what stands in such a text may be read otherwise for what stands around it
    if known is not None:
        known.begin()
    return _File(tree, known).facts()


class _File(Headers):
    """The state of lowering one file; ``Collector`` of its bodies."""

    def __init__(self, tree: Tree, known: Known | None) -> None:
        super().__init__(tree.text)
        self.tree = tree
        self.known = known
        self.package = ""
        self.nesting = 0
        self.imports: list[Import] = []
        self.types: list[TypeDecl | None] = []
        self.members: list[Member | None] = []
        self.bodies: list[bytes] = []
        self.calls: dict[str, list[int]] = {}
        self.names: dict[str, list[int]] = {}
        self.hints: dict[str, list[int]] = {}
        self.docs: dict[int, str] = {}
        self.surface: list[str] = []

    def facts(self) -> FileFacts:
        root = self.tree.root
        if root.has_error:
            self.problems.extend(SyntaxProblem(at, text) for at, text in error_places(root))
        if root.is_error:
            Salvage(self).run(root.children, NONE)
        else:
            for node in root.named_children:
                self.top(node)
        types = tuple(found for found in self.types if found is not None)
        members = tuple(found for found in self.members if found is not None)
        return FileFacts(
            self.package,
            tuple(self.imports),
            types,
            members,
            tuple(self.bodies),
            {name: tuple(users) for name, users in self.calls.items()},
            {name: tuple(users) for name, users in self.names.items()},
            {name: tuple(users) for name, users in self.hints.items()},
            tuple(line_starts(self.source)),
            len(self.source),
            self.source.isascii(),
            self.docs,
            blake2b("\n".join(self.surface).encode("utf-8", "replace"), digest_size=8).digest(),
            tuple(self.problems),
        )

    def top(self, node: Node) -> None:
        """Lower what stands outside of types."""
        kind = node.kind_id
        if kind in _PACKAGE:
            self.package = type_text(self.name_text(node))
            self.surface.append(f"package {self.package}")
        elif kind in _IMPORT:
            self._import(node)
        elif kind in kinds.TYPE_DECLARATIONS:
            self._type(node, NONE, NONE, NONE, None)
        elif node.is_error:
            Salvage(self).run(node.children, NONE)

    def _import(self, node: Node) -> None:
        children = node.children
        static = any(child.type == "static" for child in children)
        on_demand = any(child.type == "asterisk" for child in children)
        found = Import(type_text(self.name_text(node)), static, on_demand)
        self.imports.append(found)
        self.surface.append(f"import {found.name} {static} {on_demand}")

    # -- types ---------------------------------------------------------------------------------

    @override
    def nested(self, node: Node, outer: BodyLowerer | None, ordinal: int) -> None:
        """Lower a class that stands in code (``Collector``)."""
        member = outer.member if outer is not None else NONE
        type_index = outer.type_index if outer is not None else NONE
        self._type(node, type_index, member, ordinal, outer)

    def _type(
        self,
        node: Node,
        outer_type: int,
        member: int,
        ordinal: int,
        outer: BodyLowerer | None,
    ) -> None:
        index = len(self.types)
        self.types.append(None)
        anonymous = node.kind_id in _OBJECT_CREATION
        name_node = None if anonymous else node.child_by_field_id(kinds.NAME)
        name = self.text(name_node) if name_node is not None else ""
        kind = _KINDS.get(node.type, "class")
        modifiers, annotations = self.modifiers(node)
        supers: list[str] = []
        permits: list[str] = []
        params: tuple[TypeParam, ...] = ()
        if anonymous:
            type_node = node.child_by_field_id(kinds.TYPE)
            if type_node is not None:
                supers.append(type_text(self.text(type_node)))
        else:
            for child in node.named_children:
                if child.kind_id in _SUPERS:
                    supers.extend(self.type_list(child))
                elif child.kind_id in _PERMITS:
                    permits.extend(self.type_list(child))
                elif child.kind_id in _TYPE_PARAMETERS:
                    params = self.type_params(child)
        at = node.start_byte
        declared = TypeDecl(
            name,
            kind,
            outer_type,
            member,
            ordinal,
            int(modifiers),
            params,
            tuple(supers),
            tuple(permits),
            annotations,
            at,
            node.end_byte,
            name_node.start_byte if name_node is not None else at,
        )
        self.types[index] = declared
        self.surface.append(
            f"{kind} {name} {outer_type} {member} {ordinal} {int(modifiers)} {params} {supers}"
            f" {permits} {[(a.name, a.keys, a.code) for a in annotations]}"
        )
        if kind == "record":
            self._components(node.child_by_field_id(kinds.PARAMETERS), index, outer, name)
        body = node.children[-1] if anonymous else node.child_by_field_id(kinds.BODY)
        if body is not None and self.nesting > _MAX_NESTING:
            self.problem(body.start_byte, "nested too deeply; not analysed")
        elif body is not None:
            self.nesting += 1
            self._members(body, index, outer, kind, name)
            self.nesting -= 1

    # -- members -------------------------------------------------------------------------------

    def _members(
        self, body: Node, owner: int, outer: BodyLowerer | None, kind: str, type_name: str
    ) -> None:
        doc: Node | None = None
        for node in body.named_children:
            if node.kind_id in kinds.BLOCK_COMMENT:
                doc = node
            elif node.kind_id not in kinds.COMMENTS:
                if node.kind_id in _NESTED_BODIES:
                    self._members(node, owner, outer, kind, type_name)
                elif node.is_error:
                    Salvage(self).run(node.children, owner, outer)
                else:
                    self.declaration(node, owner, outer, doc)
                doc = None

    def declaration(
        self, node: Node, owner: int, outer: BodyLowerer | None, doc: Node | None
    ) -> bool:
        """Lower one member of type ``owner``; tell whether ``node`` is one."""
        decl = self.types[owner]
        kind, type_name = (decl.kind, decl.name) if decl is not None else ("class", "")
        if doc is not None and not self.source.startswith(b"/**", doc.start_byte):
            doc = None
        node_kind = node.kind_id
        if node_kind in _FIELDS:
            self._field(node, owner, outer, kind, doc)
        elif node_kind in _METHODS or node_kind in _CONSTRUCTORS:
            if self.known is None or outer is not None:
                self._method(node, owner, outer, kind, doc)
            else:
                self._known_method(self.known, node, owner, kind, doc)
        elif node_kind in kinds.TYPE_DECLARATIONS:
            self._type(node, owner, NONE, NONE, outer)
        elif node_kind in _CONSTANT:
            self._enum_constant(node, owner, outer, type_name, doc)
        elif node_kind in _INITIALIZERS:
            self._initializer(node, owner, outer)
        else:
            return False
        return True

    def broken_type(self, name_node: Node, kind: str, nodes: list[Node], owner: int) -> int:
        """Declare a type of which only the header stands; ``nodes`` are the rest of the header."""
        index = len(self.types)
        supers = [
            text for node in nodes if node.kind_id in _SUPERS for text in self.type_list(node)
        ]
        name = self.text(name_node)
        at, end = name_node.start_byte, name_node.end_byte
        self.types.append(
            TypeDecl(
                name,
                kind,
                owner,
                NONE,
                NONE,
                0,
                (),
                tuple(supers),
                (),
                (),
                at,
                end,
                at,
            )
        )
        self.surface.append(f"{kind} {name} {owner} broken {supers}")
        return index

    def broken_method(
        self, name_node: Node, type_node: Node | None, params: Node, owner: int
    ) -> BrokenMethod:
        """Open a method of which only the header stands; statements are added to it."""
        lowerer = self._begin(name_node, owner, None)
        found, varargs = self.params(params, lowerer)
        decl = self.types[owner]
        name = self.text(name_node)
        constructor = decl is not None and decl.name == name

        def close() -> None:
            self._finish(
                lowerer,
                name_node,
                None,
                kind="constructor" if constructor else "method",
                name="<init>" if constructor else name,
                type_=type_text(self.text(type_node)) if type_node is not None else "",
                name_at=name_node.start_byte,
                modifiers=Modifier.NONE,
                params=found,
                varargs=varargs,
            )

        return BrokenMethod(lowerer, close)

    def _begin(self, node: Node, owner: int, outer: BodyLowerer | None) -> BodyLowerer:
        lowerer = statements.lowerer(self, node.start_byte, outer, owner)
        lowerer.member = len(self.members)
        self.members.append(None)
        self.bodies.append(b"")
        return lowerer

    def _finish(
        self,
        lowerer: BodyLowerer,
        node: Node,
        doc: Node | None,
        *,
        kind: str,
        name: str,
        type_: str,
        name_at: int,
        modifiers: Modifier,
        annotations: tuple[Annotation, ...] = (),
        params: tuple[Param, ...] = (),
        varargs: bool = False,
        type_params: tuple[TypeParam, ...] = (),
    ) -> None:
        index = lowerer.member
        body = encode_body(lowerer.body())
        digest = blake2b(body, digest_size=8).digest()
        key = f"{name}({','.join(param.type for param in params)})"
        self.bodies[index] = body
        self.members[index] = Member(
            lowerer.type_index,
            kind,
            name,
            type_,
            params,
            varargs,
            int(modifiers),
            type_params,
            annotations,
            node.start_byte,
            node.end_byte,
            name_at,
            key,
            digest,
        )
        self._document(index, kind, params, doc)
        self._list(index, sorted(lowerer.calls), sorted(lowerer.names), lowerer.hints())
        constant = kind == "enum_constant" or (kind == "field" and Modifier.FINAL in modifiers)
        self.surface.append(
            f"{kind} {lowerer.type_index} {key} {type_} {int(modifiers)} {varargs} {type_params}"
            f" {digest.hex() if constant else ''}"
            f" {[(a.name, a.keys, a.code) for a in annotations] if annotations else ''}"
            f" {[(a.name, a.keys, a.code) for one in params for a in one.annotations] or ''}"
        )

    def _document(
        self, index: int, kind: str, params: tuple[Param, ...], doc: Node | None
    ) -> None:
        if doc is not None and kind != "constructor" and not params:
            stop = min(doc.end_byte, doc.start_byte + _DOC_LIMIT)
            self.docs[index] = self.source[doc.start_byte : stop].decode("utf-8", "replace")

    def _list(
        self, index: int, calls: Iterable[str], names: Iterable[str], hints: Iterable[str]
    ) -> None:
        """Add a member to the tables of who uses what."""
        for table, used in ((self.calls, calls), (self.names, names), (self.hints, hints)):
            for name in used:
                table.setdefault(name, []).append(index)

    def _known_method(
        self, known: Known, node: Node, owner: int, kind: str, doc: Node | None
    ) -> None:
        """Lower a method unless its text was lowered before."""
        key = node.kind_id, owner, kind, self.source[node.start_byte : node.end_byte]
        index, types, problems = len(self.members), len(self.types), len(self.problems)
        found = known.find(key)
        if found is not None:
            member = found.at(node.start_byte)
            self.members.append(member)
            self.bodies.append(found.body)
            self._document(index, member.kind, member.params, doc)
            self._list(index, found.calls, found.names, found.hints)
            self.surface.append(found.surface)
            return
        lowerer = self._method(node, owner, None, kind, doc)
        made = self.members[index]
        alone = (types, problems) == (len(self.types), len(self.problems))
        if alone and made is not None and node.kind_id not in _COMPACT:
            lowered = Lowered(
                made,
                self.bodies[index],
                tuple(sorted(lowerer.calls)),
                tuple(sorted(lowerer.names)),
                tuple(lowerer.hints()),
                self.surface[-1],
            )
            if lowered.movable:
                known.put(key, lowered)

    def _field(
        self, node: Node, owner: int, outer: BodyLowerer | None, kind: str, doc: Node | None
    ) -> None:
        modifiers, annotations = self.modifiers(node)
        if kind in ("interface", "annotation"):
            modifiers |= Modifier.STATIC | Modifier.FINAL | Modifier.PUBLIC
        type_node = node.child_by_field_id(kinds.TYPE)
        type_ = type_text(self.text(type_node)) if type_node is not None else ""
        for child in node.children_by_field_id(kinds.DECLARATOR):
            name_node = child.child_by_field_id(kinds.NAME)
            if name_node is None:
                continue
            lowerer = self._begin(child, owner, outer)
            name = self.text(name_node)
            dimensions = child.child_by_field_id(kinds.DIMENSIONS)
            full = type_ + ("[]" * self.text(dimensions).count("[") if dimensions else "")
            value = child.child_by_field_id(kinds.VALUE)
            if value is not None:
                result = lowerer.expr(value)
                at = name_node.start_byte - lowerer.base
                lowerer.emit(ir.StoreField(at, child.end_byte - lowerer.base, NONE, name, result))
            self._finish(
                lowerer,
                child,
                doc,
                kind="field",
                name=name,
                type_=full,
                name_at=name_node.start_byte,
                modifiers=modifiers,
                annotations=annotations,
            )

    def _method(
        self, node: Node, owner: int, outer: BodyLowerer | None, kind: str, doc: Node | None
    ) -> BodyLowerer:
        lowerer = self._begin(node, owner, outer)
        modifiers, annotations = self.modifiers(node)
        constructor = node.kind_id in _CONSTRUCTORS
        body = node.child_by_field_id(kinds.BODY)
        if kind == "interface":
            if Modifier.PRIVATE not in modifiers:
                modifiers |= Modifier.PUBLIC
            if body is None:
                modifiers |= Modifier.ABSTRACT
        name_node = node.child_by_field_id(kinds.NAME)
        type_node = node.child_by_field_id(kinds.TYPE)
        type_ = type_text(self.text(type_node)) if type_node is not None else ""
        dimensions = node.child_by_field_id(kinds.DIMENSIONS)
        if dimensions is not None:
            type_ += "[]" * self.text(dimensions).count("[")
        type_params = self.type_params(node.child_by_field_id(kinds.TYPE_PARAMETERS))
        parameters = node.child_by_field_id(kinds.PARAMETERS)
        params, varargs = self.params(parameters, lowerer)
        if parameters is None and constructor:
            for member in self.members:
                if member is not None and member.owner == owner and member.kind == "component":
                    lowerer.declare(member.name, member.type, member.at, True)
                    params = (*params, Param(member.name, member.type))
        if body is not None:
            if body.kind_id in kinds.BLOCK:
                lowerer.block(body)
            if constructor and parameters is None:
                self._store_components(lowerer, node, len(params))
        else:
            value = node.child_by_field_id(kinds.VALUE)
            if value is not None:
                result = lowerer.expr(value)
                at = value.start_byte - lowerer.base
                lowerer.emit(ir.Return(at, value.end_byte - lowerer.base, result, "return"))
        self._finish(
            lowerer,
            node,
            doc,
            kind="constructor" if constructor else "method",
            name="<init>" if constructor or name_node is None else self.text(name_node),
            type_=type_,
            name_at=(name_node or node).start_byte,
            modifiers=modifiers,
            annotations=annotations,
            params=params,
            varargs=varargs,
            type_params=type_params,
        )
        return lowerer

    @staticmethod
    def _store_components(lowerer: BodyLowerer, node: Node, count: int) -> None:
        """End a compact constructor as the language does: parameters go into fields (JLS 8.10.4.2)."""
        at = end = node.end_byte - lowerer.base
        for slot, local in enumerate(lowerer.locals[:count]):
            value = lowerer.emit(ir.Load(at, end, slot, 0))
            lowerer.names.add(local.name)
            lowerer.emit(ir.StoreField(at, end, NONE, local.name, value))

    def _components(
        self, node: Node | None, owner: int, outer: BodyLowerer | None, type_name: str
    ) -> None:
        if node is None:
            return
        written = [
            child for child in node.named_children if child.kind_id in kinds.FORMAL_PARAMETERS
        ]
        params, _ = self.params(node, statements.lowerer(self, node.start_byte, outer, owner))
        for child, param in zip(written, params, strict=True):
            lowerer = self._begin(child, owner, outer)
            name_node = child.child_by_field_id(kinds.NAME)
            self._finish(
                lowerer,
                child,
                None,
                kind="component",
                name=param.name,
                type_=param.type,
                name_at=(name_node or child).start_byte,
                modifiers=Modifier.PRIVATE | Modifier.FINAL,
                annotations=param.annotations,
            )

    def _enum_constant(
        self, node: Node, owner: int, outer: BodyLowerer | None, type_name: str, doc: Node | None
    ) -> None:
        lowerer = self._begin(node, owner, outer)
        _, annotations = self.modifiers(node)
        name_node = node.child_by_field_id(kinds.NAME)
        args = lowerer.arguments(node.child_by_field_id(kinds.ARGUMENTS))
        at, end = 0, node.end_byte - lowerer.base
        ordinal = NONE
        body = node.child_by_field_id(kinds.BODY)
        if body is not None:
            ordinal = lowerer.classes
            lowerer.classes += 1
            self._constant_body(body, owner, lowerer, ordinal, type_name)
        name = self.text(name_node) if name_node is not None else ""
        value = lowerer.emit(ir.New(at, end, type_name, args, ordinal, at))
        lowerer.emit(ir.StoreField(at, end, NONE, name, value))
        self._finish(
            lowerer,
            node,
            doc,
            kind="enum_constant",
            name=name,
            type_=type_name,
            name_at=(name_node or node).start_byte,
            modifiers=Modifier.STATIC | Modifier.FINAL | Modifier.PUBLIC,
            annotations=annotations,
        )

    def _constant_body(
        self, body: Node, owner: int, lowerer: BodyLowerer, ordinal: int, type_name: str
    ) -> None:
        index = len(self.types)
        self.surface.append(f"class {owner} {lowerer.member} {ordinal} {type_name}")
        self.types.append(
            TypeDecl(
                "",
                "class",
                owner,
                lowerer.member,
                ordinal,
                0,
                (),
                (type_name,),
                (),
                (),
                body.start_byte,
                body.end_byte,
                body.start_byte,
            )
        )
        self._members(body, index, lowerer, "class", "")

    def _initializer(self, node: Node, owner: int, outer: BodyLowerer | None) -> None:
        lowerer = self._begin(node, owner, outer)
        static = node.type == "static_initializer"
        block = node.named_children[-1] if static and node.named_children else node
        lowerer.block(block)
        self._finish(
            lowerer,
            node,
            None,
            kind="initializer",
            name="<clinit>" if static else "<init>",
            type_="",
            name_at=node.start_byte,
            modifiers=Modifier.STATIC if static else Modifier.NONE,
        )
