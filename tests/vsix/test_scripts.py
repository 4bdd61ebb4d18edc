"""What goes into the extension and how it is packed; ``make vsix-check`` builds it for real."""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from vsix.check import HOUSE, contents, differences

LOCK = (HOUSE / "requirements.lock").read_text(encoding="utf-8")


def script(name: str) -> ModuleType:
    path = HOUSE / "client-vscode" / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"client_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def archive(path: Path, *entries: tuple[str, str, int], mode: int = 0o644) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, text, year in entries:
            entry = zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0))
            entry.external_attr = mode << 16
            made.writestr(entry, text)
    return path


def test_equal_contents_give_equal_bytes(tmp_path: Path) -> None:
    left = archive(tmp_path / "1", ("b", "2", 2001), ("a", "1", 2002))
    right = archive(tmp_path / "2", ("a", "1", 2020), ("b", "2", 1999), mode=0o600)
    assert list(differences(left, right)) == ["two builds of the same sources differ"]
    for path in (left, right):
        script("repack").repack(path)
    assert list(differences(left, right)) == []
    with zipfile.ZipFile(left) as packed:
        assert packed.namelist() == ["a", "b"]
        assert packed.read("b") == b"2"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1", "2"]


def test_different_contents_are_listed_by_name(tmp_path: Path) -> None:
    left = archive(tmp_path / "1", ("a", "1", 2001), ("b", "2", 2001))
    right = archive(tmp_path / "2", ("a", "0", 2001))
    assert list(differences(left, right))[1:] == ["only one build has b", "a differs"]


def test_an_extension_without_a_server_is_reported(tmp_path: Path) -> None:
    found = list(contents(archive(tmp_path / "1", ("extension/package.json", "{}", 2001))))
    assert "it holds 0 wheels" in found
    assert "it lacks extension/server/requirements.txt" in found


def test_the_date_can_be_chosen(tmp_path: Path) -> None:
    path = archive(tmp_path / "1", ("a", "1", 2001))
    script("repack").repack(path, 1_000_000_000)
    with zipfile.ZipFile(path) as packed:
        assert packed.getinfo("a").date_time == (2001, 9, 9, 1, 46, 40)


def test_server_libraries_are_pinned_and_tools_omitted() -> None:
    requirements = script("requirements")
    names = dict(requirements.pinned(requirements.requirements(LOCK)))
    assert {"pygls", "websockets", "tree-sitter-java", "scikit-learn", "numpy", "scipy"} <= set(
        names
    )
    assert not {"pytest", "mypy", "ruff", "hatchling", "conflens"} & set(names)
    assert all("--hash=sha256:" in entry for entry in names.values())


def test_a_library_missing_from_the_lock_is_an_error() -> None:
    requirements = script("requirements")
    entries = [entry for name, entry in requirements.pinned(LOCK) if name != "numpy"]
    with pytest.raises(LookupError, match="numpy"):
        requirements.requirements("# head\n" + "".join(entries))


def test_packages_needed_only_on_another_system_count(monkeypatch: pytest.MonkeyPatch) -> None:
    requirements = script("requirements")
    stated = {
        "conflens": [
            'one; sys_platform == "win32"',
            'two; python_version < "3.11"',
            "three[more]",
        ],
        "three": ['four; extra == "more"', 'five; extra == "other"'],
    }
    monkeypatch.setattr(requirements, "requires", lambda name: stated.get(name))
    assert requirements.needed("conflens") == {"one", "three", "four"}
