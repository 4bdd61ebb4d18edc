"""The house itself: what the linters cannot see."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest
from grimp import build_graph

HOUSE = Path(__file__).resolve().parents[2]
PACKAGE = HOUSE / "server" / "conflens"
MODULES = sorted(PACKAGE.rglob("*.py"))
_IMPORTED = re.compile(
    r"(?m)^\s*[\"']?(?:from|import) (conflens(?:\.\w+)+)(?: import ((?:\w+(?:, )?)+))?"
)
_REGISTRY = re.compile(
    r"(?:registry\.|repo\d*\.|files\.python|pypi\.)[\w.-]*\.(?:org|com|net|io)\b"
)
_HERE = tuple(f"{path}/" for path in (HOUSE, Path.home()) if len(path.parts) > 1)
_BINARY = {".bin", ".png", ".jar"}


def tracked() -> list[Path]:
    """Every file of the sources that a commit holds or would hold."""
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=HOUSE,
        capture_output=True,
        check=True,
    )
    paths = [HOUSE / name.decode() for name in done.stdout.split(b"\0") if name]
    return [path for path in paths if path.is_file() and path.suffix not in _BINARY]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_module_states_its_purpose_and_stays_readable(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 600
    assert ast.get_docstring(ast.parse(text))


def test_no_registry_and_no_path_of_this_machine_is_named() -> None:
    found = []
    for path in tracked():
        text = path.read_text(encoding="utf-8", errors="replace")
        named = [match.group() for match in _REGISTRY.finditer(text)]
        named += [place for place in _HERE if place in text]
        found += [(path.relative_to(HOUSE).as_posix(), name) for name in named]
    assert found == []


def test_every_pinned_package_has_hashes() -> None:
    lock = (HOUSE / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[a-z0-9])", lock.split("\n", 2)[2])
    names = {entry.split("==")[0] for entry in entries}
    assert {"pygls", "tree-sitter", "ruff", "hatchling", "editables"} <= names
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["dev"],
    ]
    names = {re.split(r"[\[<>=~ ]", item)[0].lower() for item in wanted}
    lock = (HOUSE / "requirements.lock").read_text(encoding="utf-8")
    assert {name for name in names if f"\n{name}==" not in lock} == set()


def test_modules_have_no_import_cycles() -> None:
    """Imports for type checking count: what two modules need of each other belongs into a third."""
    graph = build_graph("conflens", cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert [sorted(one) for one in strongly_connected(imports) if len(one) > 1] == []


def strongly_connected(edges: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """The strongly connected components of a graph (Kosaraju, without recursion)."""
    back: dict[str, list[str]] = {node: [] for node in edges}
    for node, targets in edges.items():
        for target in targets:
            back[target].append(node)
    seen: set[str] = set()
    left: list[str] = []
    for root in sorted(edges):
        work = [(root, False)]
        while work:
            node, ended = work.pop()
            if ended:
                left.append(node)
            elif node not in seen:
                seen.add(node)
                work += [(node, True), *((target, False) for target in edges[node])]
    components: list[set[str]] = []
    placed: set[str] = set()
    for root in reversed(left):
        component, todo = set[str](), [root]
        while todo:
            node = todo.pop()
            if node not in placed:
                placed.add(node)
                component.add(node)
                todo += back[node]
        if component:
            components.append(component)
    return components


def test_components_of_a_graph() -> None:
    graph = {"a": "b", "b": "cd", "c": "a", "d": "e", "e": "", "f": "f"}
    found = sorted("".join(sorted(one)) for one in strongly_connected(graph))
    assert found == ["abc", "d", "e", "f"]


def test_programs_in_the_tests_import_existing_modules() -> None:
    """Also those that are texts, which no linter reads."""
    missing = []
    for path in tracked():
        if path.suffix == ".py" and path.is_relative_to(HOUSE / "tests"):
            for module, names in _IMPORTED.findall(path.read_text(encoding="utf-8")):
                for name in [name for name in names.split(", ") if name] or [""]:
                    if not exists(module, name):
                        missing.append((path.name, f"{module}.{name}"))
    assert missing == []


@cache
def exists(module: str, name: str) -> bool:
    """Tell whether a module is there and has a name, defined or imported, or as a module below it."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.exists():
            words = re.findall(r"\w+", file.read_text(encoding="utf-8"))
            return not name or name in words or exists(f"{module}.{name}", "")
    return False
