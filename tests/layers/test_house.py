"""The house itself: what the linters cannot see."""

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]
PACKAGE = HOUSE / "server" / "conflens"
MODULES = sorted(PACKAGE.rglob("*.py"))
LAYERS = tomllib.loads((HOUSE / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
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
def test_a_module_says_what_it_is_for_and_stays_readable(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 600
    assert ast.get_docstring(ast.parse(text))


def test_no_registry_and_no_place_of_this_machine_is_named() -> None:
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


def test_the_protocol_is_imported_in_lsp_only() -> None:
    for path in MODULES:
        if path.is_relative_to(PACKAGE / "lsp"):
            continue
        imported = {
            name.split(".")[0]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else [a.name for a in node.names]
            )
        }
        assert not imported & {"pygls", "lsprotocol"}, path


def test_every_package_has_its_layer() -> None:
    contract = next(item for item in LAYERS if item["type"] == "layers")
    named = {part.strip(" ()") for layer in contract["layers"] for part in layer.split("|")}
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages <= named
    assert contract["exhaustive"]
