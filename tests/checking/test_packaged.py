"""What a program is shipped with: the values that its packaged config files set."""

from __future__ import annotations

from checking.small import program
from conflens.checking.packaged import packaged_values
from conflens.checking.recognition import Recognised
from conflens.documents.configfiles.model import Format
from conflens.documents.configfiles.parsing import parse
from conflens.models.load import load_models
from conflens.options.discovery import discover

POOL = """package p;
import org.springframework.boot.context.properties.ConfigurationProperties;
@ConfigurationProperties("pool")
public class Pool {
    private int size;
    private int limit = 5;
    private String name;
    public void setSize(int size) { this.size = size; }
    public void setLimit(int limit) { this.limit = limit; }
    public void setName(String name) { this.name = name; }
}
"""
APPLICATION = "src/main/resources/application.yml"


def packaged(**files: str) -> dict[str, list[str]]:
    """Return the packaged values by option; ``APPLICATION`` is called ``main`` here, others by path with ``__`` for ``/``."""
    models = load_models()
    joined = program(POOL)
    parsed = {}
    for name, text in files.items():
        path = APPLICATION if name == "main" else f"{name.replace('__', '/')}.yml"
        parsed[path] = parse(path, Format.YAML, text.encode())
    relaxed = frozenset(row.domain for row in models.domains if row.relaxed)
    table = discover(joined, models).table
    recognised = Recognised.of(parsed, table, relaxed, rows=models.domains, program=joined)
    found = packaged_values(recognised)
    assert packaged_values(recognised) is found
    return {key[1]: [one.text for one in values] for key, values in found.items()}


def test_a_packaged_file_says_what_users_get() -> None:
    said = packaged(main="pool:\n  size: 3\n  limit: 7\n  name: first\n")
    assert said == {"pool.size": ["3"], "pool.limit": ["7"], "pool.name": ["first"]}


def test_a_placeholder_stands_for_its_default() -> None:
    said = packaged(
        main="pool:\n  size: ${POOL_SIZE:3}\n  limit: ${pool.size}\n  name: ${NOWHERE}\n"
    )
    assert said == {"pool.size": ["3"], "pool.limit": ["3"]}


def test_a_part_that_the_run_supplies_is_shown_as_written() -> None:
    text = "pool:\n  size: {}\n  limit: {}\n  name: {}\n"
    said = packaged(
        main=text.format("${user.home}/data", "${java.io.tmpdir}", "jdbc:${HOST}:80/${pool.x}")
    )
    assert said == {
        "pool.size": ["${user.home}/data"],
        "pool.limit": ["${java.io.tmpdir}"],
        "pool.name": ["jdbc:${HOST}:80/${pool.x}"],
    }
    said = packaged(main=text.format("${project.version}-a", "${NOWHERE}", "${A}${B}"))
    assert said == {}


def test_what_holds_for_a_profile_is_no_default() -> None:
    text = "pool:\n  size: 3\n---\nspring.config.activate.on-profile: dev\npool:\n  size: 9\n  limit: 9\n"
    assert packaged(main=text) == {"pool.size": ["3"]}
    other = "pool:\n  size: 9\n"
    assert packaged(**{"src__main__resources__application-dev": other}) == {}
    folder = "src__main__resources__profiles__"
    first, second = f"{folder}dev__pool", f"{folder}prod__pool"
    assert packaged(**{first: other, second: "pool:\n  size: 8\n"}) == {}
    assert packaged(**{first: other, second: "pool:\n  size:\n"}) == {}
    assert packaged(**{first: other, second: other}) == {"pool.size": ["9"]}


def test_a_variant_does_not_replace_what_the_file_beside_it_says() -> None:
    base, variant = "pool:\n  size: 3\n  name:\n", "pool:\n  size: 9\n  name: demo\n  limit: 8\n"
    folder = "src__main__resources__"
    said = packaged(**{f"{folder}pool": base, f"{folder}pool-mysql": variant})
    assert said == {"pool.size": ["3"], "pool.limit": ["8"]}


def test_what_a_build_fills_in_is_no_default() -> None:
    text = "pool:\n  size: '@pool.size@'\n  limit: 4\n  name: '@project.version@-a'\n"
    assert packaged(main=text) == {"pool.limit": ["4"]}
    assert packaged(main="pool:\n  name: me@here@there\n") == {"pool.name": ["me@here@there"]}


def test_files_that_are_not_packaged_say_nothing() -> None:
    text = "pool:\n  size: 3\n"
    assert packaged(config__application=text, src__test__resources__application=text) == {}


def test_a_file_of_a_library_in_meta_inf_is_packaged() -> None:
    assert packaged(META_INF="x: 1\n") == {}
    found = packaged(**{"META-INF__application": "pool:\n  size: 3\n"})
    assert found == {"pool.size": ["3"]}


def test_files_that_differ_are_all_told() -> None:
    said = packaged(
        a__src__main__resources__application="pool:\n  size: 3\n",
        b__src__main__resources__application="pool:\n  size: 4\n",
    )
    assert said == {"pool.size": ["3", "4"]}
