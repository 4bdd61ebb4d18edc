"""Wherever a bound takes options, names or reads away, something says so: all bounds of discovery are listed here.

A new bound, a number that a module of discovery gives a name in capitals or cuts a sequence at, must be put into one of the
tables: ``SAID``, whose module says what is missing where the bound is met, or ``NEAR``, with what is known instead beyond it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import conflens
from conflens.base.system import MemorySystem
from session.support import session

ROOT = Path(conflens.__file__).parent
EVALUATION = [
    "bounds",
    "constant_maps",
    "elements",
    "filled_texts",
    "objects",
    "origins",
    "templates",
    "text_calls",
    "values",
]

SAID = {
    "options/binding/expand": "DEPTH MOST LOOKS TOGETHER",
    "options/binding/reflection": "_WAYS",
    "options/binding/rules": "_MOST",
    "options/declared/by_callers": "DEPTH MOST",
    "options/declared/workspace_rows": "MOST _FOUND",
    "options/discovery": "MAX_ROUNDS FILE_STEPS ALL_STEPS",
    "options/incremental/flow_analysis": "FILE_STEPS ALL_STEPS",
    "options/learned/learner": "MOST",
    "options/names/found_names": "_MAX_NAME",
    "options/origins/sections": "_STEPS _MOST",
    "options/origins/tracing": "_USERS",
    "options/reads/asked_chains": "_PLACES _HOPS",
    "options/reads/cells": "MOST",
    "options/reads/functions": "_STORES _CALLERS",
    "options/reads/given_prefixes": "HOPS _CALLS",
    "options/reads/member_maps": "MOST LOOKS",
    "options/reads/own_parts": "_MOST",
    "options/reads/picked_keys": "_CALLS",
    "options/reads/prefixes": "MOST",
    "options/reads/references": "_MOST_PASSED",
    "options/reads/wrappers": "MAX_DEPTH MOST_SPREAD _MOST_NAMES",
    "program/bounds": "DEPTH WAYS CALLERS GIVEN RETURN_SIZE MOST_CONSTANTS",
    "program/constant_maps": "MOST _LINKS",
    "program/templates": "LIMIT MOST LONGEST MOST_PARTS MOST_TURNS",
}
"""Bounds that say what is missing: their module leaves a cut, a fault, a reason or a sentence of the option."""

NEAR = {
    "what a value is used for, its type, unit, default and limits are looked for near it": {
        "options/inference/by_key": "_LINKS",
        "options/inference/clocks": "_DEPTH _STORES _STEPS",
        "options/inference/adjusted": "_MOST",
        "options/inference/overwritten": "MOST",
        "options/inference/conditions": "_NESTED _MOST",
        "options/inference/default_maps": "MOST HOPS _CALLERS",
        "options/inference/defaults": "DEPTH STEPS",
        "options/inference/elsewhere": "BODIES",
        "options/inference/inference": "MAX_DEPTH",
        "options/inference/missing": "STEPS DEPTH",
        "options/inference/rejected_values": "_TRIED _STEPS _DEPTH",
        "options/inference/replaced": "_BODIES _UP _NESTED",
        "options/inference/bound_facts": "_MOST",
        "options/inference/thrown": "_DEPTH _WIDTH _PARAMETERS _NESTED",
        "options/inference/unchanged": "_LINKS",
        "options/inference/value_sets": "_DEPTH",
        "options/binding/if_missing": "DEPTH CONSTRUCTORS PARTS depth>4",
        "options/value_texts": "DEPTH _DIGITS _BITS _BODY _PARTS _SENTENCE",
        "options/conflicts": "_MOST",
        "options/assembly": "_MOST_MET",
        "options/secret_targets": "_LINKS",
        "options/secret_walk": "_STEPS _LINKS _PARTS _ENDS",
        "options/secret_texts": "_LONGEST",
        "options/declared/deprecation": "_LIMIT",
        "options/declared/objects": "_SENTENCE [:20]",
        "options/reads/fallbacks": "DEPTH",
        "options/reads/kept_values": "_MOST",
    },
    "whether something is configuration or data is looked for near it": {
        "options/arguments": "_STORES _DEPTH",
        "options/binding/classes": "depth>4",
        "options/binding/formats": "MOST _CALLS _STORES",
        "options/binding/handed_parts": "_STEPS _MOST",
        "options/binding/held": "depth>4",
        "options/binding/replaced": "_MOST _GETTERS",
        "options/binding/rules": "HOPS _OWNERS",
        "options/cuts": "_DEPTH",
        "options/declared/layers": "_USERS",
        "options/origins/backward": "HOPS MOST _STORES CALLERS",
        "options/origins/filled_here": "MOST _HOPS",
        "options/origins/handed": "MOST HOPS _LINKS",
        "options/origins/referring": "_USERS",
        "options/origins/starts": "_SAME",
        "options/origins/tokens": "_DEPTH _MOST",
        "options/reads/answers": "_PLACES",
        "options/reads/copied_parts": "_MOST",
        "options/reads/dispatch_subjects": "_DEPTH _COLLECTION_DEPTH depth>6 [:6]",
        "options/reads/doubts": "_IMPLIED",
        "options/reads/handed_over": "_MOST _MOST_AT_ONCE",
        "options/reads/opened": "FAR _STEPS",
        "options/reads/own_documents": "_ORIGINS",
        "options/reads/own_entries": "_MOST",
        "options/reads/own_stores": "_MOST",
        "options/reads/run_arguments": "_MOST _CALLS",
        "options/reads/unentered": "_USERS _PUTS MOST",
        "options/reads/unseen_objects": "_MOST",
        "options/reads/written_back": "_MOST _ORIGINS",
        "options/bundles": "_DEPTH _CALLERS",
        "options/roles": "_DEPTH CERTAIN",
        "options/reads/inherited_calls": "_LEVELS",
    },
    "code of this shape is that long or that far apart": {
        "options/binding/beans": "_LONGEST",
        "options/binding/from_maps": "_DEPTH",
        "options/binding/proxies": "_PARAMETERS _METHOD",
        "options/binding/reflection": "_CALLS",
        "options/declared/definitions": "DEPTH",
        "options/learned/beans": "_ABOVE",
        "options/origins/sections": "HOPS _ASSIGNED",
        "options/origins/taken": "_LINKS",
        "options/origins/tracing": "HOPS _ALL_USERS _DEPTH _OVERRIDERS _TOKENS",
        "options/reads/asked_chains": "_LINKS",
        "options/reads/beginnings": "_TELLERS",
        "options/reads/cells": "DEPTH",
        "options/reads/dispatch": "len(inner.code)>40",
        "options/reads/functions": "_HOPS",
        "options/reads/hints": "_CHAIN",
        "options/reads/member_maps": "HOPS",
        "options/reads/own_sections": "_LINKS _STORES",
        "options/reads/path_keys": "_LINKS _STORES",
        "options/reads/picked_keys": "_STEPS _LEVELS",
        "options/reads/picked_nodes": "_ARM",
        "options/reads/prefixes": "DEPTH",
        "options/reads/taken_parts": "_LINKS _DEPTH _STORES",
        "program/elements": "_USERS _NEAR",
        "program/filled_texts": "_DEEP",
        "program/origins": "STEPS _OVERRIDERS ASSIGNMENTS DEPTH depth>3",
        "program/templates": "_MOST_ADDED",
        "program/values": "_TESTED",
    },
    "names and words are compared, or so many tell something": {
        "options/declared/annotations": "_SHORT",
        "options/inference/evidence": "STATED CERTAIN TESTED CODE NAMED WEAK",
        "options/learned/evidence": "MOST_ARGUMENTS _LONG",
        "options/learned/learner": "FEWEST _AGREEING",
        "options/learned/option_objects": "FEWEST",
        "options/learned/own_trees": "_FEWEST",
        "options/amounts": "LONGEST",
        "options/names/joining": "_SHORTEST",
        "options/names/naming": "_MAX_NAME _MAX_ASKED _LETTERS",
        "options/names/patterns": "_FEW _LEAST",
        "options/names/placeholders": "_MAX_BRACES",
        "options/binding/replaced": "_MARKS",
        "options/names/spelling": "MOST _LONG _MAX_LENGTH _SHORT",
        "options/origins/sources": "ENTERED UNKNOWN DATA",
        "options/reads/dispatch_subjects": "_MANY",
        "options/reads/doubts": "PLAIN",
        "options/reads/named_accessors": "FEWEST",
        "options/reads/namespaces": "_ENTERED",
        "options/reads/own_stores": "_NAMES",
        "options/reads/typed_lookups": "_KINDS _FEW _MANY",
        "options/reads/unclear": "STRUCTURAL _MANY",
        "options/described": "_LONG_WORD _SHORTEST",
        "options/secret_arguments": "len(text)>10",
        "options/secret_values": "_TELLING",
        "options/value_names": "len(word)>4",
        "options/inference/uses": "_SHOWN",
    },
    "steps that something counts for, and what is kept in memory": {
        "options/binding/binding": "MEMBER_STEPS",
        "options/binding/expand": "_COST",
        "options/incremental/body_diff": "_SMALL _MANY",
        "options/reads/beginnings": "SITE_STEPS",
        "options/reads/functions": "_STEPS",
        "options/reads/references": "_STEPS",
        "program/values": "_LOCAL _MOST_REACHED",
    },
}  # fmt: skip
"""Bounds of what is looked at to learn something else, by what that is: beyond them it counts as not known."""


def bounds_of(path: Path) -> Iterator[str]:
    """Yield the bounds of a module: named numbers, depths and lengths that are compared, and slices of more than two."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            target, value = statement.targets[0], statement.value
            many = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=True) if many else [(target, value)]  # type: ignore[attr-defined]
            for name, number in pairs:
                if isinstance(name, ast.Name) and name.id.isupper() and _is_number(number):
                    yield name.id
    for node in ast.walk(tree):
        if isinstance(node, ast.Slice) and node.lower is None:
            end = node.upper.value if isinstance(node.upper, ast.Constant) else 0
            if isinstance(end, int) and end > 3:
                yield f"[:{end}]"
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Gt | ast.GtE):
            most = node.comparators[0]
            if isinstance(most, ast.Constant) and type(most.value) is int and most.value > 2:
                yield f"{ast.unparse(node.left)}>{most.value}"


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp | ast.BinOp):
        return all(
            _is_number(one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)
        )
    return isinstance(node, ast.Constant) and type(node.value) is int


def modules() -> Iterator[Path]:
    yield from sorted((ROOT / "options").rglob("*.py"))
    yield from (ROOT / "program" / f"{name}.py" for name in EVALUATION)


def listed() -> set[tuple[str, str]]:
    tables = (SAID, *NEAR.values())
    return {
        (where, name)
        for table in tables
        for where, names in table.items()
        for name in names.split()
    }


def test_every_bound_of_discovery_is_listed() -> None:
    found = {
        (path.relative_to(ROOT).with_suffix("").as_posix(), name)
        for path in modules()
        for name in bounds_of(path)
    }
    assert sorted(found ^ listed()) == []


@pytest.mark.parametrize("where", SAID)
def test_where_a_bound_is_said_to_be_told_its_module_tells(where: str) -> None:
    text = (ROOT / f"{where}.py").read_text(encoding="utf-8")
    assert any(sign in text for sign in TELLS), where


TELLS = (
    ".cut(",
    ".first(",
    ".cuts[",
    ".note(",
    "cuts[where]",
    "left_open(",
    "Dynamic(",
    ".cut.setdefault(",
    ".run(",
    "Fault(",
    "self.cut = ",
    "reason = ",
)
"""How a module says what is missing; ``.run(`` says when its steps are spent."""


def _of_class(code: str, more: str = "") -> str:
    return f"class A {{ {code} }} {more}"


def _constants(count: int) -> str:
    return f"enum E {{ {', '.join(f'K{number}' for number in range(count))} }}"


def _loop(count: int) -> str:
    return _of_class(
        "void m() { for (E e : E.values()) System.getProperty(e.name()); }", _constants(count)
    )


def _pairs(count: int) -> str:
    body = 'for (E e : E.values()) for (F f : F.values()) System.getProperty(e.name() + "." + f.name());'
    other = _constants(count).replace("enum E", "enum F")
    return _of_class(f"void m() {{ {body} }}", _constants(count) + other)


def _elements(count: int) -> str:
    texts = ", ".join(f'"k.{number}"' for number in range(count))
    return _of_class(
        f"void m() {{ for (String k : new String[] {{ {texts} }}) System.getProperty(k); }}"
    )


def _arms(count: int) -> str:
    cases = " ".join(f'case {number}: k = "k.{number}"; break;' for number in range(count))
    return _of_class(
        f'void m(int t) {{ String k = "k.x"; switch (t) {{ {cases} }} System.getProperty(k); }}'
    )


def _objects(count: int) -> str:
    objects = " ".join(
        f'static final A A{number} = new A("p{number}");' for number in range(count)
    )
    read = 'String get(String a) { return System.getProperty(pre + "." + a); } void m(A a) { a.get("k"); }'
    return _of_class(f"String pre; A(String p) {{ pre = p; }} {read} {objects}")


def _stores(count: int) -> str:
    stores = " ".join(f'void s{number}() {{ k = "k{number}"; }}' for number in range(count))
    return _of_class(f'String k; String get() {{ return System.getProperty(k + ".x"); }} {stores}')


def _each_other(count: int) -> str:
    fields = " ".join(
        f"String f{n}; void s{n}(String p) {{ f{n} = p; }} String g{n}() {{ return f{n}; }}"
        for n in range(count)
    )
    given = " ".join(f'a.s{n}("k{n}");' for n in range(count))
    copied = " ".join(f"a.s{n}(b.g{m}());" for n in range(count) for m in range(count) if n != m)
    read = 'String get() { return System.getProperty(f0 + ".x"); }'
    return _of_class(
        f"{fields} static native A found(); static void copy() {{ A a = found(); A b = found(); {given} {copied} }} {read}"
    )


def _methods(count: int) -> str:
    classes = " ".join(
        f'class B{n} extends B {{ String k() {{ return "k{n}"; }} }}' for n in range(count)
    )
    body = 'B b; void m() { System.getProperty(b.k() + ".x"); }'
    return _of_class(body, 'class B { String k() { return "k"; } } ' + classes)


def _entries(count: int) -> str:
    put = " ".join(f'M.put("{number}", "k.{number}");' for number in range(count))
    held = "static final java.util.Map<String, String> M = new java.util.HashMap<>();"
    return _of_class(
        f"{held} static {{ {put} }} void m(String t) {{ System.getProperty(M.get(t)); }}"
    )


def _choices(count: int) -> str:
    chosen = " + ".join(f'(t > {number} ? "a{number}" : "b")' for number in range(count))
    return _of_class(f"void m(int t) {{ System.getProperty({chosen}); }}")


def _steps(count: int) -> str:
    fields = " ".join(f'static final String S{n + 1} = S{n} + "a";' for n in range(count))
    return _of_class(
        f'static final String S0 = "k."; {fields} void m() {{ System.getProperty("x." + S{count}); }}'
    )


def _long(count: int) -> str:
    lines = " ".join(f"n += {number};" for number in range(count))
    method = f'static String k(int n) {{ {lines} return "k"; }}'
    return _of_class(f'{method} void m() {{ System.getProperty("x." + k(3)); }}')


def _changes(count: int) -> str:
    turns = "".join(f'.replace("{number}", "{number + 1}")' for number in range(count))
    return _of_class(
        f'static String get(String key) {{ return System.getProperty("x." + key{turns}); }} String s = get("z");'
    )


def _beginnings(count: int) -> str:
    calls = " ".join(f'void m{number}() {{ read("p{number}"); }}' for number in range(count))
    reads = 'System.getProperty(p + ".one"); System.getProperty(p + ".two");'
    return _of_class(f"void read(String p) {{ {reads} }} {calls}")


def _passed_on(count: int) -> str:
    passed = " ".join(f"String w{n}(String k) {{ return w{n + 1}(k); }}" for n in range(count))
    return _of_class(
        f'{passed} String w{count}(String k) {{ return System.getProperty(k); }} String s = w0("k.x");'
    )


def _nested(count: int) -> str:
    classes = " ".join(
        f"@lombok.Data static class C{n} {{ int size; C{n + 1} c; }}" for n in range(count)
    )
    head = "import org.springframework.boot.context.properties.ConfigurationProperties; "
    last = f"@lombok.Data static class C{count} {{ int size; }}"
    return (
        head + f'@lombok.Data @ConfigurationProperties("a") class A {{ C0 c; {classes} {last} }}'
    )


SHAPES: dict[str, tuple[Callable[[int], str], int, int, int, str]] = {
    "an enum that a loop goes through": (_loop, 3_000, 3_000, 10_001, "more than 10,000 constants"),
    "two enums that loops go through": (_pairs, 60, 3_600, 101, "more than 10,000 constants"),
    "an array that a loop goes through": (_elements, 3_000, 3_000, 4_001, "more than 4,000 option names"),
    "the cases of a switch": (_arms, 300, 301, 4_001, "more than 4,000 option names"),
    "objects whose field is a part of the name": (_objects, 200, 200, 251, "more than 250 members name"),
    "assignments to a field": (_stores, 200, 200, 251, "assigned in more than 250 places"),
    "methods that override one": (_methods, 5, 6, 9, "more than 8"),
    "entries of a map": (_entries, 60, 60, 65, "more than 64 entries"),
    "choices of parts": (_choices, 2, 4, 5, "more than 8 option names"),
    "constants made of constants": (_steps, 10, 1, 30, "more than 24 steps"),
    "a long method": (_long, 10, 1, 60, "more than 80 instructions"),
    "changes of a text": (_changes, 8, 1, 9, "more than 8 changes"),
    "callers that give the beginning": (_beginnings, 200, 400, 251, "more members name this method"),
    "methods that pass a name on": (_passed_on, 5, 1, 8, "passed through more than 6 methods"),
    "bound classes in each other": (_nested, 4, 5, 8, "more than 6 deep"),
}  # fmt: skip
"""A read by how much of something: so much that all of its names are found, how many these are, so much that some are not,
and what is said then."""


@pytest.mark.parametrize("shape", SHAPES)
def test_what_lies_within_a_bound_is_found_and_what_lies_beyond_is_said(shape: str) -> None:
    make, within, names, beyond, said = SHAPES[shape]
    assert told(make(within)) == (names, [])
    found, reasons = told(make(beyond))
    assert any(said in reason for reason in reasons), (found, reasons)


def test_what_depends_on_itself_in_too_many_ways_is_given_up_as_a_whole() -> None:
    assert told(_each_other(3)) == (0, ["name known only at run time"])
    _, reasons = told(_each_other(12))
    assert any("depends on itself in more than 1,000 ways" in reason for reason in reasons)


def told(code: str) -> tuple[int, list[str]]:
    """Return how many options code has, and what is said of those that are not known."""
    analysis = session(MemorySystem({"A.java": code})).scan()
    reasons = [one.reason for one in analysis.options.unresolved]
    return len(analysis.options.options), [one.message for one in analysis.problems] + reasons
