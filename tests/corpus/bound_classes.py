"""Makes ``grammars/models/bound-classes.toml``: the classes that Spring Boot binds, with their prefixes and the types of their members.

``python -m corpus.bound_classes`` fetches the jars of ``ARTIFACTS`` by Maven and writes what ``META-INF/spring-configuration-metadata.json``
in each says: the groups are the classes, their names the prefixes; the properties are the members.  Of two versions of a class the first
wins, and the second adds what is no longer there.

Left out: endpoints, which have no accessors; classes that a method binds, since other objects of them are not bound; properties that no class declares, written by hand.  A map is a member if its values are texts or numbers;
it has ``.*`` behind its name, another is said to hold objects.  The type is empty if it is a class of a library.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from corpus.fetch import HOUSE, FetchError, binary

TARGET = HOUSE / "grammars" / "models" / "bound-classes.toml"
METADATA = "META-INF/spring-configuration-metadata.json"
_BOOT = "org.springframework.boot"
_MODULES = (
    "actuator-autoconfigure amqp autoconfigure cassandra data-redis elasticsearch flyway h2console hibernate http-client jackson jdbc jpa"
    " kafka liquibase mail mongodb neo4j quartz security security-oauth2-client security-oauth2-resource-server servlet session thymeleaf"
    " tomcat transaction web-server webflux webmvc"
)
"""What the classes of older jars are divided between since Spring Boot 4, without modules of which next to nobody asks a class."""
ARTIFACTS = (
    *(f"{_BOOT}:spring-boot-{name}:4.0.0" for name in _MODULES.split()),
    f"{_BOOT}:spring-boot-autoconfigure:3.5.0",
    f"{_BOOT}:spring-boot-actuator-autoconfigure:3.5.0",
    f"{_BOOT}:spring-boot-autoconfigure:2.7.18",
    f"{_BOOT}:spring-boot-actuator-autoconfigure:2.7.18",
    "tech.jhipster:jhipster-framework:8.7.0",
    "org.springdoc:springdoc-openapi-starter-common:2.8.9",
)

_MAP = re.compile(r"java\.util\.Map<[^<>,]+,(.+)>|java\.util\.(Properties)")
_LIST = re.compile(r"java\.util\.(?:List|Set|Collection)<.+>|.+\[\]")
_PLAIN = re.compile(r"java\.(?:lang|time|net|io|nio\.charset)\.(?!Object\b)\w+")
_KNOWN = frozenset(
    ("org.springframework.util.unit.DataSize", "org.springframework.core.io.Resource")
)
OBJECTS = "object"
"""What is said of a map of objects, whose accessor reads no option."""
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")


@attrs.define
class Bound:
    """A class: the artifacts that it is from, its prefix, the types of its members' values, and the sections that its inner classes are."""

    prefix: str
    artifacts: list[str] = attrs.field(factory=list)
    members: dict[str, str] = attrs.field(factory=dict)
    parts: dict[str, str] = attrs.field(factory=dict)

    def add(self, artifact: str, other: Bound) -> None:
        """Add what another version has."""
        self.artifacts.append(artifact)
        self.members = {**other.members, **self.members}
        self.parts = {**other.parts, **self.parts}


def metadata(jar: Path) -> Mapping[str, Any]:
    """Return what a jar says of its bound classes."""
    with zipfile.ZipFile(jar) as opened:
        if METADATA not in opened.namelist():
            raise FetchError(f"{jar.name} has no {METADATA}")
        found: Mapping[str, Any] = json.loads(opened.read(METADATA))
        return found


def classes(said: Mapping[str, Any]) -> dict[str, Bound]:
    """Return the classes that state their prefix themselves, with all that stands below it."""
    groups = [group for group in said["groups"] if group.get("type")]
    own: dict[tuple[str, str], dict[str, str]] = {
        (group["type"], group["name"]): {} for group in groups
    }
    for item in said["properties"]:
        prefix, _, name = item["name"].rpartition(".")
        members = own.get((item.get("sourceType", ""), prefix))
        member = _member(name, item.get("type", ""))
        if members is not None and member is not None:
            members[member[0]] = member[1]
    found: dict[str, Bound] = {}
    twice = set[str]()
    for group in groups:
        type_, prefix = group["type"], group["name"]
        if group["sourceType"] != type_ or "sourceMethod" in group or type_.endswith("Endpoint"):
            continue
        if type_ in found:
            twice.add(type_)
        bound = found[type_] = Bound(prefix)
        for inner, name in _reached(groups, type_, prefix):
            path = name[len(prefix) + 1 :]
            dotted = f"{path}." if path else ""
            bound.members |= {dotted + key: java for key, java in own[inner, name].items()}
            if path and inner.startswith(f"{type_}$"):
                part = inner[len(type_) + 1 :].replace("$", ".")
                bound.parts[part] = "" if part in bound.parts else path
        bound.parts = {part: path for part, path in bound.parts.items() if path}
    return {
        type_.replace("$", "."): bound
        for type_, bound in found.items()
        if type_ not in twice and bound.members
    }


def _reached(
    groups: list[Mapping[str, Any]], type_: str, prefix: str
) -> Iterator[tuple[str, str]]:
    """Yield the class and those that its accessors give, each with its prefix."""
    queue = [(type_, prefix)]
    while queue:
        outer, above = queue.pop()
        yield outer, above
        queue += [
            (group["type"], group["name"])
            for group in groups
            if group["sourceType"] == outer
            and group.get("sourceMethod", "").startswith("get")
            and group["name"].rpartition(".")[0] == above
        ]


def _member(name: str, type_: str) -> tuple[str, str] | None:
    """Return the name below which a member's values stand, and their type, empty if it says nothing."""
    if not _NAME.fullmatch(name):
        return None
    map_ = _MAP.fullmatch(type_)
    if map_ is not None:
        held = map_[1] or "java.lang.String"
        return (f"{name}.*", held) if _PLAIN.fullmatch(held) else (name, OBJECTS)
    if _LIST.fullmatch(type_):
        return name, "java.util.List"
    bare = type_.partition("<")[0]
    return name, bare if _PLAIN.fullmatch(bare) or bare in _KNOWN else ""


def tables() -> dict[str, Bound]:
    """Return all classes."""
    found: dict[str, Bound] = {}
    for coordinates in ARTIFACTS:
        for type_, bound in classes(metadata(binary(coordinates))).items():
            found.setdefault(type_, Bound(bound.prefix)).add(coordinates.partition(":")[2], bound)
    return found


def written(found: Mapping[str, Bound]) -> str:
    """Return the file."""
    lines = [
        "# Classes of libraries that Spring Boot binds: their prefixes, and the members below by the types of their values.",
        "# Made by `PYTHONPATH=tests python -m corpus.bound_classes`; do not edit.",
        "[defaults]",
        'domain = "spring"',
    ]
    for class_, bound in sorted(found.items()):
        provenance = "metadata of " + ", ".join(bound.artifacts)
        lines += ["", "[[bound_class]]", f'type = "{class_}"', f'prefix = "{bound.prefix}"']
        lines += [f'provenance = "{provenance}"']
        if bound.parts:
            parts = (f'"{part}" = "{path}"' for part, path in sorted(bound.parts.items()))
            lines.append(f"parts = {{ {', '.join(parts)} }}")
        by_type: dict[str, list[str]] = {}
        for name, java in sorted(bound.members.items()):
            by_type.setdefault(java, []).append(name)
        lines.append("[bound_class.members]")
        lines += [f"'{java}' = '{' '.join(names)}'" for java, names in sorted(by_type.items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the file."""
    TARGET.write_text(written(tables()), encoding="utf-8")


if __name__ == "__main__":
    main()
