"""All files of a project joined: packages, types, scopes of names, hierarchy and members.

Terms
    qualified name   ``package.Outer.Inner``; a class declared in code is ``<outer>$<member>#<ordinal>`` with
                     its own name appended if it has one, so that it cannot clash.
    owner            the qualified name of the type a member belongs to.
    library          a qualified name that model rows speak of and no source declares.

Files are taken with the members that annotations and records stand for (``implied``): they are members like others.

A ``Program`` never changes for its readers.  Its memo tables only gain entries that any other
reader would compute equally.  ``with_files`` shares the tables that an edit cannot have touched:
when the *surface* of every changed file is the same, everything but the bodies that differ stays
(``edits``); when members are only declared otherwise, also everything that no such name can have
touched (``surfaces``).  Contexts of opened bodies move on to the new program: only the one thread that makes
programs may open any, and only in the newest.
Absent: types of expressions (``expressions``), constants (``values``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Protocol

from conflens.base.budget import Meter
from conflens.facts import ir
from conflens.facts.codec import decode_body
from conflens.facts.model import FINAL, STATIC, FileFacts, Member
from conflens.models.jdk import JdkTable, JdkType
from conflens.program.edits import stale
from conflens.program.implied.complete import NO_GENERATORS, Generators, by_source
from conflens.program.joining import Joined, declared, seen_from
from conflens.program.library import NO_LIBRARY, Library
from conflens.program.local_classes import LocalClasses
from conflens.program.memo import Memo
from conflens.program.modules.modules import NO_MODULES, Modules
from conflens.program.open_body import OpenBody, OpenSize
from conflens.program.overriding import is_inherited, may_override
from conflens.program.refs import MemberRef, TypeInfo
from conflens.program.surfaces import Difference, difference, told
from conflens.program.types import OBJECT, PRIMITIVES, JavaType, parse, substitute, unshaded
from conflens.program.users import Users, references


class Following(Protocol):
    """What was worked out about a program (``assignments``) and can be taken over to the next one."""

    def after(self, following: Program, touched: Set[MemberRef]) -> Following:
        """Return the same of a program with the same members, of which only ``touched`` bodies may mean others."""


class Program:
    """A project's files and what follows from them."""

    def __init__(
        self,
        files: Mapping[str, FileFacts],
        jdk: JdkTable,
        library: Library,
        joined: Joined,
        memo: Memo,
        bodies: dict[str, dict[int, ir.Body]],
        generators: Generators,
        modules: Modules,
    ) -> None:
        """Use :meth:`build`."""
        self.files = files
        self.generators = generators
        self.modules = modules
        self.jdk = jdk
        self.library = library
        self._types, self._type_names, self._packages, self._twins = joined
        self.memo = memo
        self.bodies = bodies
        self.contexts: dict[MemberRef, OpenBody] = {}
        self.open_size = OpenSize()
        self.meter = Meter()
        """Counts the steps of the one thread that opens contexts, in this program and those that take over contexts."""
        self.assignments: Following | None = None
        self.difference: Difference | None = None
        """What is declared otherwise than in the program this one was made from, if anything."""
        self.ref = references(files, self._type_names)
        """Returns the reference of a member by its file and number."""
        self.local_classes = LocalClasses(files, self._type_names)
        self._users = Users(files, lambda facts: facts.calls, self.ref)
        self._mentions = Users(files, lambda facts: facts.names, self.ref)

    @staticmethod
    def build(
        files: Mapping[str, FileFacts],
        jdk: JdkTable,
        library: Library = NO_LIBRARY,
        generators: Generators = NO_GENERATORS,
        modules: Modules = NO_MODULES,
    ) -> Program:
        """Join ``files`` (path to facts).  Of two types with one name in a module the first path's wins."""
        files = {path: generators.complete(path, files[path]) for path in sorted(files)}
        joined = declared(files, modules)
        return Program(files, jdk, library, joined, Memo(), {}, generators, modules)

    def with_files(self, changed: Mapping[str, FileFacts | None]) -> Program:
        """Return the program after some files changed, appeared or went (``None``)."""
        files = dict(self.files)
        same_surface = True
        changed = {
            path: facts and self.generators.complete(path, facts)
            for path, facts in changed.items()
        }
        for path, facts in changed.items():
            old = files.get(path)
            if facts is None:
                same_surface = same_surface and old is None
                files.pop(path, None)
            else:
                same_surface = same_surface and old is not None and old.surface == facts.surface
                files[path] = facts
        # Copies, because requests look bodies up meanwhile.
        bodies = {path: found for path, found in self.bodies.copy().items() if path not in changed}
        names = frozenset[str]() if same_surface else told(self, files, changed, self._type_names)
        following: Program | None = None
        if same_surface or names:
            following = self._following(files, changed, bodies, names)
            if names:
                following.difference = difference(self, following, names, changed)
        if following is None or (names and following.difference is None):
            fresh = Program.build(files, self.jdk, self.library, self.generators, self.modules)
            fresh.bodies = bodies
            return fresh
        touched = {path: stale(self.files[path], files[path]) for path in changed if path in files}
        for path, numbers in touched.items():
            of_file = self.bodies.get(path, {}).copy().items()
            bodies[path] = {number: body for number, body in of_file if number not in numbers}
        others = following.difference.touched if following.difference is not None else ()
        lost = frozenset(others).union(
            self.ref(path, number) for path, numbers in touched.items() for number in numbers
        )
        following.contexts = contexts = self.contexts.copy()
        for ref in lost:
            contexts.pop(ref, None)
        for context in contexts.values():
            context.program = following
        if self.assignments is not None:
            following.assignments = self.assignments.after(following, lost)
        return following

    def _following(
        self,
        files: dict[str, FileFacts],
        changed: Mapping[str, FileFacts | None],
        bodies: dict[str, dict[int, ir.Body]],
        names: frozenset[str],
    ) -> Program:
        """Return the program of ``files``, whose types and numbers of members are those of this one."""
        types = self._types
        if any(self.files[path].types != files[path].types for path in changed if path in files):
            types = dict(types)
            for path, facts in changed.items():
                if facts is not None:
                    for index, name in enumerate(self._type_names[path]):
                        info = types.get(name)
                        if info is not None and (info.path, info.number) == (path, index):
                            types[name] = info._replace(decl=facts.types[index])
        memo = self.memo
        if names:
            inside = frozenset(name for path in changed for name in self._type_names[path])
            memo = memo.without(names, inside, self.member)
        following = Program(
            files,
            self.jdk,
            self.library,
            Joined(types, self._type_names, self._packages, self._twins),
            memo,
            bodies,
            self.generators,
            self.modules,
        )
        following.meter, following.open_size = self.meter, self.open_size
        following._users = self._users.after(files, changed, following.ref)
        following._mentions = self._mentions.after(files, changed, following.ref)
        return following

    def release(self) -> int:
        """Let go of what was worked out about bodies, and refers back here; return of how many.

        What a later program took over stays; nobody may ask this one any more.
        """
        own = [context for context in self.contexts.values() if context.program is self]
        for context in own:
            context.forget()
        self.contexts.clear()
        self.assignments = None
        return len(own)

    def open_bodies(self) -> list[OpenBody]:
        """Return the bodies that are open."""
        return [context for context in list(self.contexts.values()) if context.is_open]

    # -- files, types, members -----------------------------------------------------------------

    def type(self, name: str) -> TypeInfo | None:
        """Return the project type with a qualified name."""
        return self._types.get(name)

    def types(self) -> Iterator[TypeInfo]:
        """Yield all project types."""
        return iter(self._types.values())

    def type_name(self, path: str, index: int) -> str:
        """Return the qualified name of type number ``index`` of a file."""
        names = self._type_names.get(path, ())
        return names[index] if 0 <= index < len(names) else ""

    def member(self, ref: MemberRef) -> Member:
        """Return a member's declaration."""
        return self.files[ref.path].members[ref.number]

    def body(self, ref: MemberRef) -> ir.Body:
        """Return a member's code."""
        of_file = self.bodies.setdefault(ref.path, {})
        found = of_file.get(ref.number)
        if found is None:
            found = decode_body(self.files[ref.path].bodies[ref.number])
            of_file[ref.number] = found
        return found

    def peek(self, ref: MemberRef) -> ir.Body:
        """Return a member's code for one look, without keeping it."""
        found = self.bodies.get(ref.path, {}).get(ref.number)
        return found or decode_body(self.files[ref.path].bodies[ref.number])

    def jdk_type(self, name: str) -> JdkType | None:
        """Return a JDK type."""
        return self.jdk.type(name)

    def known(self, name: str) -> bool:
        """Tell whether a qualified name is a type of the project, the JDK or a known library."""
        return name in self._types or name in self.library or self.jdk.type(name) is not None

    def users(self, called: str) -> tuple[MemberRef, ...]:
        """Return the members that call a method named ``called``."""
        return self._users.of(called)

    def mentions(self, name: str) -> tuple[MemberRef, ...]:
        """Return the members that read or write a field named ``name``, or name a type so."""
        return self._mentions.of(name)

    # -- names ---------------------------------------------------------------------------------

    def resolve(self, text: str, path: str, scope: str) -> JavaType:
        """Return the type that a type text means in ``path`` inside type ``scope``."""
        key = (text, path, scope)
        found = self.memo.texts.get(key)
        if found is None:
            found = parse(text, lambda name: self._resolve_written(name, path, scope))
            self.memo.texts[key] = found
        return found

    def _resolve_written(self, name: str, path: str, scope: str) -> JavaType:
        if name in PRIMITIVES:
            return JavaType(name)
        return self.resolve_name(name, path, scope) or JavaType(name)

    def resolve_name(self, name: str, path: str, scope: str) -> JavaType | None:
        """Return the type that a name (simple or dotted) means, ``None`` if it is none."""
        key = (name, path, scope)
        if key in self.memo.names:
            return self.memo.names[key]
        head, dot, rest = name.partition(".")
        found = self._resolve_simple(head, path, scope)
        if dot:
            found = self._nested_chain(found.name, rest) if found is not None else None
            if found is None:
                found = self._qualified(self.seen(name, path))
        self.memo.names[key] = found
        return found

    def _nested_chain(self, name: str, rest: str) -> JavaType | None:
        for part in rest.split("."):
            inner = self._member_type(name, part)
            if inner is None:
                return None if self.known(name) else JavaType(f"{name}.{rest}")
            name = inner
        return JavaType(name)

    def _qualified(self, name: str) -> JavaType | None:
        if self.known(name):
            return JavaType(name)
        parts = name.split(".")
        if len(parts) > 2 and parts[0].islower() and parts[-1][:1].isupper():
            return JavaType(name)
        return None

    def _member_type(self, owner: str, simple: str) -> str | None:
        if f"{owner}.{simple}" in self._types:  # Its supertypes may be what is being looked up.
            return f"{owner}.{simple}"
        for name in (owner, *self.supertypes(owner)):
            candidate = f"{name}.{simple}"
            inner = self._types.get(candidate)
            if inner is not None and is_inherited(inner, owner, self._types, self.files):
                return candidate
            if inner is None and candidate in self.library:
                return candidate
            jdk = self.jdk.type(name)
            if jdk is not None and simple in jdk.nested:
                return candidate
        return None

    def _resolve_simple(self, name: str, path: str, scope: str) -> JavaType | None:
        facts = self.files[path]
        current = scope
        while current:
            info = self._types.get(current)
            if info is None:
                break
            for param in info.decl.type_params:
                if param.name == name:
                    bound = param.bound if param.bound != name else ""
                    return self.resolve(bound, path, info.outer) if bound else OBJECT
            if info.decl.name == name:
                return JavaType(current)
            inner = self._member_type(current, name)
            if inner is not None:
                return JavaType(inner)
            if info.decl.member >= 0:
                local = self.local_classes.of(info.path, info.decl.member).get(name)
                if local is not None:
                    return JavaType(local)
            current = info.outer
        single = self.memo.imported(path, facts).types.get(name)
        if single is not None:
            return JavaType(self.seen(unshaded(single, self._types), path))
        found = self._packages.get(facts.package, {}).get(name, f"{facts.package}.{name}")
        found = self.seen(found, path)
        if found in self._types or found in self.library:
            return JavaType(found)
        return self._on_demand(name, facts, path)

    def seen(self, name: str, path: str) -> str:
        """Return which type of a qualified name a file means, where several modules have one."""
        return seen_from(path, name, self._twins, self.modules) if self._twins else name

    def _on_demand(self, name: str, facts: FileFacts, path: str) -> JavaType | None:
        unknown: list[str] = []
        for candidate in facts.imports:
            if not candidate.on_demand or candidate.static:
                continue
            found = self._packages.get(candidate.name, {}).get(name)
            if found is not None:
                return JavaType(self.seen(found, path))
            qualified = self.seen(f"{candidate.name}.{name}", path)
            if qualified in self.library or qualified in self._types:
                return JavaType(qualified)
            if self.jdk.has_package(candidate.name):
                if name in self.jdk.top_level(candidate.name):
                    return JavaType(qualified)
            elif candidate.name not in self._packages:
                unknown.append(qualified)
        if name in self.jdk.top_level("java.lang"):
            return JavaType(f"java.lang.{name}")
        if name == OBJECT.name.rpartition(".")[2]:
            return OBJECT
        if len(unknown) == 1 and name[:1].isupper():
            return JavaType(unknown[0])
        return None

    # -- hierarchy -----------------------------------------------------------------------------

    def direct_supers(self, name: str) -> tuple[JavaType, ...]:
        """Return the direct supertypes of a type, superclass first, with type arguments."""
        found = self.memo.supers.get(name)
        if found is not None:
            return found
        self.memo.supers[name] = ()
        info = self._types.get(name)
        if info is not None:
            found = tuple(self.resolve(text, info.path, info.outer) for text in info.decl.supers)
            found = tuple(item for item in found if item.name != name)
            if info.decl.kind == "enum":
                found = (JavaType("java.lang.Enum", (JavaType(name),)), *found)
            elif info.decl.kind == "record":
                found = (JavaType("java.lang.Record"), *found)
        else:
            jdk = self.jdk.type(name)
            known = self.library.get(name)
            if jdk is not None:
                found = tuple(parse(text, JavaType) for text in jdk.supers)
            else:
                found = tuple(map(JavaType, known.supers)) if known is not None else ()
        self.memo.supers[name] = found
        return found

    def library_return(self, name: str, method: str) -> JavaType | None:
        """Return what a method of a library type, or one it inherits, returns as far as rows say."""
        for type_ in (name, *self.supertypes(name)):
            known = self.library.get(type_)
            if known is not None and method in known.returns:
                return parse(known.returns[method], JavaType)
        return None

    def supertypes(self, name: str) -> tuple[str, ...]:
        """Return all proper supertypes by name, nearest first; ``java.lang.Object`` is left out."""
        found = self.memo.up.get(name)
        if found is not None:
            return found
        seen: dict[str, None] = {}
        queue = [name]
        while queue:
            current = queue.pop(0)
            for super_ in self.direct_supers(current):
                if super_.name not in seen and super_.name not in (name, OBJECT.name):
                    seen[super_.name] = None
                    queue.append(super_.name)
        found = tuple(seen)
        self.memo.up[name] = found
        return found

    def is_subtype(self, name: str, of: str) -> bool:
        """Tell whether ``name`` is ``of`` or one of its subtypes."""
        return name == of or of in self.supertypes(name)

    def subtypes(self, name: str) -> tuple[str, ...]:
        """Return the direct project subtypes of a type."""
        if self.memo.subtypes is None:
            below: dict[str, list[str]] = {}
            for info in self._types.values():
                for super_ in self.direct_supers(info.name):
                    below.setdefault(super_.name, []).append(info.name)
            self.memo.subtypes = {key: tuple(found) for key, found in below.items()}
        return self.memo.subtypes.get(name, ())

    def all_subtypes(self, name: str) -> list[str]:
        """Return all proper project subtypes of a type, breadth first."""
        seen: dict[str, None] = {}
        queue = list(self.subtypes(name))
        while queue:
            current = queue.pop(0)
            if current not in seen:
                seen[current] = None
                queue.extend(self.subtypes(current))
        return list(seen)

    # -- members -------------------------------------------------------------------------------

    def _index_members(self, info: TypeInfo) -> None:
        """Group the members of the types in a file; a type that another file declares first is not its."""
        names = self._type_names[info.path]
        fields: dict[str, dict[str, MemberRef]] = {name: {} for name in names}
        methods: dict[str, dict[str, list[MemberRef]]] = {name: {} for name in names}
        for index, member in enumerate(self.files[info.path].members):
            owner = names[member.owner]
            ref = MemberRef(info.path, index, owner)
            if member.kind in ("field", "enum_constant", "component"):
                fields[owner].setdefault(member.name, ref)
            elif member.kind in ("method", "constructor"):
                methods[owner].setdefault(member.name, []).append(ref)
        for number, name in enumerate(names):
            known = self._types[name]
            if (known.path, known.number) == (info.path, number):
                self.memo.fields[name] = fields[name]
                self.memo.methods[name] = {key: tuple(refs) for key, refs in methods[name].items()}

    def own_fields(self, name: str) -> Mapping[str, MemberRef]:
        """Return the fields (and enum constants, components) that a project type declares."""
        found = self.memo.fields.get(name)
        if found is None:
            info = self._types.get(name)
            if info is None:
                return {}
            self._index_members(info)
            found = self.memo.fields[name]
        return found

    def own_methods(self, name: str) -> Mapping[str, tuple[MemberRef, ...]]:
        """Return the methods that a project type declares, constructors under ``<init>``."""
        found = self.memo.methods.get(name)
        if found is None:
            info = self._types.get(name)
            if info is None:
                return {}
            self._index_members(info)
            found = self.memo.methods[name]
        return found

    def implied_by(self, ref: MemberRef) -> tuple[MemberRef, ...]:
        """Return the methods that a field or component implies."""
        key = ("implied", ref.path)
        found = self.memo.values.get(key)
        if found is None:
            found = self.memo.values[key] = by_source(self.files[ref.path])
        assert isinstance(found, dict)
        return tuple(self.ref(ref.path, number) for number in found.get(ref.number, ()))

    def field(self, owner: str, name: str) -> MemberRef | None:
        """Return a field of a type or its supertypes."""
        for type_ in (owner, *self.supertypes(owner)):
            found = self.own_fields(type_).get(name)
            if found is not None:
                return found
        return None

    def methods(self, owner: str, name: str, count: int) -> list[MemberRef]:
        """Return the project methods that a call with ``count`` arguments can mean, nearest first.

        Overridden ones of supertypes are left out; constructors are not inherited.
        """
        key = ("methods", owner, name, count)
        known = self.memo.values.get(key)
        if isinstance(known, tuple):
            return list(known)
        found, keys = list[MemberRef](), set[str]()
        for type_ in (owner,) if name == "<init>" else (owner, *self.supertypes(owner)):
            for ref in self.own_methods(type_).get(name, ()):
                member = self.member(ref)
                fits = len(member.params) == count or (
                    member.varargs and count >= len(member.params) - 1
                )
                if fits and member.key not in keys:
                    keys.add(member.key)
                    found.append(ref)
        self.memo.values[key] = tuple(found)
        return found

    def overriders(self, ref: MemberRef) -> list[MemberRef]:
        """Return the methods of project subtypes that override ``ref``."""
        found = self.memo.overriders.get(ref)
        if found is None:
            member = self.member(ref)
            found = [
                other
                for name in self.all_subtypes(ref.owner)
                for other in self.own_methods(name).get(member.name, ())
                if self._overrides(other, ref)
            ]
            self.memo.overriders[ref] = found
        return found

    def overridden(self, ref: MemberRef) -> list[MemberRef]:
        """Return the methods of project supertypes that ``ref`` overrides."""
        member = self.member(ref)
        if member.kind != "method" or self.is_static(ref):
            return []
        return [
            other
            for name in self.supertypes(ref.owner)
            for other in self.own_methods(name).get(member.name, ())
            if self._overrides(ref, other)
        ]

    def _overrides(self, below: MemberRef, above: MemberRef) -> bool:
        owners = tuple(info.decl for ref in (below, above) if (info := self._types.get(ref.owner)))
        return may_override(self.member(below), self.member(above), owners)

    def field_type(self, ref: MemberRef) -> JavaType:
        """Return the declared type of a field."""
        return self.resolve(self.member(ref).type, ref.path, ref.owner)

    def return_type(self, ref: MemberRef) -> JavaType | None:
        """Return the declared type of a method's result; its own type variables are unknown."""
        member = self.member(ref)
        if any(param.name == member.type for param in member.type_params):
            return None
        return self.resolve(member.type, ref.path, ref.owner) if member.type else None

    def bindings(self, type_: JavaType, owner: str) -> dict[str, JavaType]:
        """Return what the type variables of ``owner`` are bound to in ``type_``, a subtype of it."""
        queue = [type_]
        seen = set()
        while queue:
            current = queue.pop(0)
            if current.name == owner:
                params = self._type_variables(owner)
                if len(params) == len(current.args):
                    return dict(zip(params, current.args, strict=True))
                return {}
            if current.name in seen:
                continue
            seen.add(current.name)
            variables = self._type_variables(current.name)
            bound = (
                dict(zip(variables, current.args, strict=True))
                if len(variables) == len(current.args)
                else {}
            )
            queue.extend(substitute(item, bound) for item in self.direct_supers(current.name))
        return {}

    def _type_variables(self, name: str) -> tuple[str, ...]:
        own = self._types.get(name)
        jdk = self.jdk.type(name) if own is None else None
        params = own.decl.type_params if own is not None else jdk.params if jdk is not None else ()
        return tuple(param.name for param in params)

    def is_static(self, ref: MemberRef) -> bool:
        """Tell whether a member is static."""
        return self.member(ref).modifiers & STATIC != 0

    def is_constant(self, ref: MemberRef) -> bool:
        """Tell whether a field is an enum constant or ``final``."""
        member = self.member(ref)
        return member.kind == "enum_constant" or member.modifiers & FINAL != 0
