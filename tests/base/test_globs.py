"""Path patterns: what they match, and that none costs more than its length times that of the path."""

from __future__ import annotations

import pytest

from conflens.base.globs import PathGlob
from steps import steps


def matching(pattern: str, *paths: str) -> list[str]:
    glob = PathGlob(pattern)
    return [path for path in paths if glob.matches(path.split("/"))]


def test_stars_stay_within_a_name() -> None:
    assert matching("a/*.java", "a/B.java", "a/.java", "a/b/C.java", "B.java") == [
        "a/B.java",
        "a/.java",
    ]


def test_two_stars_are_any_number_of_folders() -> None:
    assert matching("a/**/z", "a/z", "a/b/z", "a/b/c/z", "a/bz", "z") == [
        "a/z",
        "a/b/z",
        "a/b/c/z",
    ]
    assert matching("**/z", "z", "a/z", "az") == ["z", "a/z"]
    assert matching("a/**", "a", "a/b", "a/b/c") == ["a/b", "a/b/c"]
    assert matching("**/a/**/**/b", "a/b", "x/a/y/b", "a/x/a/b/b", "b") == [
        "a/b",
        "x/a/y/b",
        "a/x/a/b/b",
    ]


def test_two_stars_next_to_other_characters_are_one_star() -> None:
    assert matching("a**/b", "ax/b", "a/b", "a/x/b") == ["ax/b", "a/b"]


@pytest.mark.parametrize(
    ("pattern", "matched"),
    [
        ("[a-c]", "abc"),
        ("[!a-c]", "-]["),
        ("[^a-c]", "-]["),
        ("[]]", "]"),
        ("[!]]", "abc-["),
        ("[a-]", "a-"),
        ("[[:alpha:]-]", "abc-"),
        ("[[:]", "["),
        ("[\\]]", "]"),
        ("?", "abc-]["),
        ("\\[", "["),
        ("[ab", ""),
        ("[[:nonsense:]a]", ""),
        ("a\\", ""),
    ],
)
def test_sets(pattern: str, matched: str) -> None:
    assert "".join(matching(pattern, *"abc-][")) == matched


def test_a_slash_in_a_set_does_not_separate() -> None:
    assert matching("a[x/]b", "axb", "a/b", "a[x/]b") == ["axb"]


def test_states_grow_name_by_name() -> None:
    glob = PathGlob("src/**/*.csv")
    below = glob.advance(glob.advance(glob.start(), "src"), "deep")
    assert glob.accepts(glob.advance(below, "a.csv"))
    assert not glob.accepts(below)
    assert not glob.advance(glob.start(), "other")


_HOSTILE = {
    "stars in a name": ("a*" * 100 + "b", "a" * 2_000),
    "stars and sets": ("[ab]*" * 100 + "c", "ab" * 1_000),
    "sets in a row": ("*" + "[ab]" * 100 + "c", "ab" * 1_000),
    "questions": ("*?" * 100 + "b", "a" * 2_000),
    "folders": ("**/a/" * 100 + "b", "a/" * 1_000 + "a"),
    "folders of stars": ("**/*a*/" * 50 + "b", "aa/" * 700 + "a"),
    "a group of folders": ("**/" + "*/" * 100 + "b", "a/" * 1_000 + "a"),
}


@pytest.mark.parametrize("pattern, path", _HOSTILE.values(), ids=_HOSTILE)
def test_matching_is_linear_in_pattern_and_path_length(pattern: str, path: str) -> None:
    glob, names = PathGlob(pattern), path.split("/")
    assert steps(lambda: glob.matches(names)) < 10 * len(pattern) * len(path)


def test_compiling_a_pattern_is_linear_in_its_length() -> None:
    for unit in ("[", "[[:", "[a-", "*", "**/", "\\", "a/"):
        short, long = unit * 500, unit * 5_000
        assert steps(lambda text=long: PathGlob(text)) < 12 * steps(
            lambda text=short: PathGlob(text)
        )


def test_a_path_whose_last_name_does_not_fit_costs_nothing_for_its_folders() -> None:
    glob = PathGlob("**/a*/**/*b1*")
    near, far = [*["ab"] * 3, "a.java"], [*["ab"] * 300, "a.java"]
    assert steps(lambda: glob.matches(far)) == steps(lambda: glob.matches(near))
    assert glob.matches([*far[:-1], "ab1.java"])
