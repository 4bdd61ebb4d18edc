"""Which names are one option, and under which they are shown."""

import attrs
import pytest

from conflens.facts.ir import NONE
from conflens.options.model import ReadKind
from conflens.options.names.joining import Key, joined_names
from conflens.options.sites import Found, Site
from conflens.program.refs import MemberRef
from options.bound_support import models
from steps import steps


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


def read(domain: str, name: str, value: int) -> Finding:
    places = (0, 0, 0, 0, 0)
    ref = MemberRef("A.java", 0, "A")
    return Finding(
        None, Site(ref, value, ReadKind.CALL, domain, "", ((name,),), NONE, *places, followed=NONE)
    )


def test_variables_and_properties_of_one_method_are_not_compared_pairwise() -> None:
    def work(size: int) -> int:
        groups: dict[Key, list[Finding]] = {}
        for number in range(size):
            for domain, name in (
                ("environment", f"A{number}"),
                ("system-property", f"b.{number}"),
                ("environment", f"C_{number}"),
                ("system-property", f"c.{number}"),
                ("environment", f"D{'_' * number}"),
                ("system-property", f"d{'.' * number}"),
            ):
                groups[domain, name] = [read(domain, name, number)]
        return steps(lambda: joined_names(groups, models()))

    assert work(200) < 2.2 * work(100)
