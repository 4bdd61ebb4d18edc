"""File paths of URIs and back, and which addresses are this machine's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.lsp.wire.uris import Root, below, file_path, file_uri


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///users/me/A.java", "/users/me/A.java"),
        ("file:///users/me/my%20pr%C3%B6ject/A.java", "/users/me/my pröject/A.java"),
        ("file:///users/me/my pröject/A.java", "/users/me/my pröject/A.java"),
        ("FILE:///a", "/a"),
        ("file:///a/", "/a"),
        ("file:///", "/"),
        ("file:///a%23b/c%3Fd", "/a#b/c?d"),
        ("file:///a#b/c?d", "/a#b/c?d"),
        ("file:///100%", "/100%"),
        ("file:///c%3A/Work/A.java", "c:/Work/A.java"),
        ("file:///C:/Work/A.java", "c:/Work/A.java"),
        ("file:///c:", "c:"),
        ("file://server/share/A.java", "//server/share/A.java"),
        ("file://localhost/a", "/a"),
        ("file:///a/./b/../c/.", "/a/c"),
        ("file:///a/%2E%2e/b", "/b"),
        ("file:///../..", "/"),
        ("file:///c:/../A.java", "c:/A.java"),
        ("file://server/a/../b", "//server/b"),
        ("file:///a/.b/..c/d./...", "/a/.b/..c/d./..."),
        ("untitled:Untitled-1", None),
        ("jdt://contents/rt.jar", None),
        ("/users/me/A.java", None),
        ("file:", None),
        ("file://[x", None),
        ("file:///a/\ud800.java", None),
        ("", None),
    ],
)
def test_file_paths(uri: str, path: str | None) -> None:
    assert file_path(uri) == path


def test_a_folder_written_with_dots_is_the_same_folder() -> None:
    assert Root.of("file:///a/./b/../b/") == Root.of("file:///a/b")
    assert Root.of("file:///a/.b") == Root("file:///a/.b", "/a/.b")


_NAMES = st.text(
    st.characters(exclude_characters="\0/\\", exclude_categories=["Cs"]), min_size=1
).filter(lambda name: name not in (".", ".."))


@given(_NAMES)
def test_every_name_survives_a_round_trip(name: str) -> None:
    root = Root.of("file:///c%3A/my%20work")
    assert root is not None
    path = file_path(root.uri_of(name))
    assert path is not None
    assert below(path, root.path) == name.rstrip("/")
    assert file_path(file_uri(f"/x/{name}")) == f"/x/{name}"


def test_paths_below_a_folder() -> None:
    assert below("/a/b/c", "/a/b") == "c"
    assert below("/a/bc", "/a/b") is None
    assert below("/a/b", "/a/b") == ""
    assert below("/a/b", "/") == "a/b"
    assert below("c:/a", "/") == "c:/a"
    assert below("c:/a/b", "c:/a") == "b"
