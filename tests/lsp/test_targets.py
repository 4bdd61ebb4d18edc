"""Which files of a folder can be edited: none outside of it, and each once."""

from __future__ import annotations

import os
from pathlib import Path

from conflens.lsp.shared.edits import Targets


def test_targets_outside_the_folder_and_under_other_names(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root / "src", outside / "lib"):
        folder.mkdir(parents=True)
    for file in (root / "a.md", root / "src" / "A.java", outside / "lib" / "B.java"):
        file.write_text("")
    (root / "lib").symlink_to(outside / "lib")
    (root / "linked.md").symlink_to(outside / "new.md")
    (root / "b.md").symlink_to(root / "a.md")
    os.link(root / "src" / "A.java", root / "src" / "Z.java")
    (tmp_path / "rooted").mkdir()
    (tmp_path / "rooted" / "c.md").write_text("")
    (root / "sibling.md").symlink_to(tmp_path / "rooted" / "c.md")  # its name begins like the root
    paths = ["a.md", "b.md", "lib/B.java", "linked.md", "sibling.md", "src/A.java", "src/Z.java"]
    expected = Targets(
        frozenset(("lib/B.java", "linked.md", "sibling.md")), frozenset(("b.md", "src/Z.java"))
    )
    assert Targets.of(str(root), [*paths, "not/yet/there.md"]) == expected
    link = tmp_path / "link-to-root"
    link.symlink_to(root)
    assert Targets.of(str(link), paths) == expected
