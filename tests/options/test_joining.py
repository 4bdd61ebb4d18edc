"""Which names are one option, and under which they are shown."""

import attrs
import pytest

from conflens.options.names.joining import Key, joined_names
from conflens.options.sites import Found, Site
from options.bound_support import models


@attrs.frozen
class Finding:
    """A declaration."""

    found: Found | None
    site: Site | None = None


def declared(path: str = "A.java", kind: str = "definition") -> list[Finding]:
    return [Finding(Found("", "", kind, path, 0, 0, 0, 0, "", ""))]


def homes(groups: dict[Key, list[Finding]]) -> dict[str, str]:
    return {name: home[1] for (_, name), home in joined_names(groups, models()).items()}


def test_spellings_of_a_relaxed_domain_are_shown_as_the_bound_class_has_them() -> None:
    groups = {
        ("spring", "a.basePath"): declared(),
        ("spring", "a.base-path"): declared(kind="field"),
        ("spring", "a.BASE_PATH"): declared(),
        ("spring", "a.other"): declared(),
    }
    assert homes(groups) == {
        "a.basePath": "a.base-path",
        "a.base-path": "a.base-path",
        "a.BASE_PATH": "a.base-path",
        "a.other": "a.other",
    }


def test_without_a_bound_class_lower_case_with_separate_words_is_shown() -> None:
    groups = {("spring", name): declared() for name in ("a.basePath", "a.basepath", "a.base-path")}
    assert set(homes(groups).values()) == {"a.base-path"}


def test_a_strict_domain_keeps_spellings_apart() -> None:
    groups = {("system-property", name): declared() for name in ("a.basePath", "a.base-path")}
    assert homes(groups) == {name: name for _, name in groups}


@pytest.mark.parametrize(("path", "home"), [("A.java", "--count"), ("B.java", "count")])
def test_a_switch_and_its_definition_are_one_option_of_one_program(path: str, home: str) -> None:
    groups = {("command-line", "count"): declared(), ("command-line", "--count"): declared(path)}
    assert homes(groups)["count"] == home


def test_a_key_behind_a_prefix_view_is_the_key() -> None:
    groups = {
        ("settings", name): declared()
        for name in ("*pool.size", "pool.size", "*pool.other", "*id", "id")
    }
    assert homes(groups) == {
        "*pool.size": "pool.size",
        "pool.size": "pool.size",
        "*pool.other": "*pool.other",
        "*id": "*id",
        "id": "id",
    }


def test_a_generic_domain_joins_the_specific_one() -> None:
    groups = {("properties", "a.b"): declared(), ("spring", "a.b"): declared()}
    assert joined_names(groups, models())["properties", "a.b"] == ("spring", "a.b")


@pytest.mark.parametrize(("path", "domain"), [("A.java", "yaml"), ("B.java", "json")])
def test_a_member_read_from_two_formats_is_one_option(path: str, domain: str) -> None:
    groups = {("json", "depth"): declared(path), ("yaml", "depth"): declared()}
    assert joined_names(groups, models())["json", "depth"] == (domain, "depth")
