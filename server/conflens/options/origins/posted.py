"""Classes that a request brings: what methods take as its body, and all that is held by that.

What a user posts is data, whatever its class is called: ``AgentConfig`` describes one agent.  A parameter is the body if its annotation
speaks of one, or if it has none in a method whose annotation says that something is posted (JAX-RS).  All of this follows from declarations
alone: it is remembered with them, and an edit that changes it redoes everything.
Absent: where a value comes from (``sources``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts.model import Annotation, Member, Modifier
from conflens.models.load import Models
from conflens.options.constant_arguments import words
from conflens.options.member_types import simple
from conflens.program.program import Program
from conflens.program.types import JavaType


def bodies(program: Program, models: Models) -> frozenset[str]:
    """Return the classes of the project that are the body of some request, or an element of it."""
    key = ("bodies", models.digest)
    if key not in program.memo.values:
        program.memo.values[key] = frozenset(_bodies(program, models))
    return program.memo.values[key]  # type: ignore[return-value]


def brought(program: Program, models: Models) -> frozenset[str]:
    """Return the classes that are the body of a request or a part of one."""
    key = ("brought", models.digest)
    if key not in program.memo.values:
        found = dict.fromkeys(bodies(program, models))
        queue = list(found)
        while queue:
            for held in _held(program, queue.pop()):
                if held not in found:
                    found[held] = None
                    queue.append(held)
        program.memo.values[key] = frozenset(found)
    return program.memo.values[key]  # type: ignore[return-value]


def _bodies(program: Program, models: Models) -> Iterator[str]:
    for path, facts in program.files.items():
        for number, member in enumerate(facts.members):
            for text in _taken(models, member):
                program.meter.spend()
                owner = program.ref(path, number).owner
                yield from _classes(program, program.resolve(text, path, owner))


def _taken(models: Models, member: Member) -> Iterator[str]:
    """Yield the types of the parameters that are the body of a request."""
    posts = any(set(words(simple(one.name))) <= models.posting_words for one in member.annotations)
    for param in member.params:
        annotated = any(_is_body(models, one) for one in param.annotations)
        if annotated or (posts and not param.annotations):
            yield param.type


def _is_body(models: Models, annotation: Annotation) -> bool:
    named = words(simple(annotation.name))
    row = models.roles_by_word.get(named[-1]) if named else None
    return row is not None and row.speaks == "against" and "source" in row.on


def _held(program: Program, name: str) -> Iterator[str]:
    """Yield the classes of what an object has in its fields."""
    for owner in (name, *program.supertypes(name)):
        for field in program.own_fields(owner).values():
            program.meter.spend()
            if not program.member(field).modifiers & Modifier.STATIC:
                yield from _classes(program, program.field_type(field))


def _classes(program: Program, type_: JavaType) -> Iterator[str]:
    """Yield the classes of the project that a type names, its elements' among them."""
    info = program.type(type_.name)
    if info is not None and info.decl.kind in ("class", "record"):
        yield type_.name
    for arg in type_.args:
        yield from _classes(program, arg)
