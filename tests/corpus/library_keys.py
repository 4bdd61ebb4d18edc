"""Makes ``grammars/models/library-keys.toml``: the constants by which code names the options of widely used libraries.

``python -m corpus.library_keys`` fetches the jars of ``SOURCES`` by Maven, asks ``javap`` for the constants of their classes, and
writes those whose texts can be names of options, and the numbers and truth values beside them, which are their defaults.  A class that
it extends is written as well, since code may name either.  Of two versions of a class the first wins, and the second adds what is
no longer there.

Classes are chosen, not searched: those that hold keys of configuration and next to nothing else.  Texts for people (``*_DOC``) and
texts that can be no key or default are left out.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import attrs

from corpus.fetch import HOUSE, FetchError, binary

TARGET = HOUSE / "grammars" / "models" / "library-keys.toml"
_KAFKA = "org.apache.kafka.clients"
_HADOOP = "org.apache.hadoop"
SOURCES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "org.apache.kafka:kafka-clients:3.9.0",
        (
            f"{_KAFKA}.CommonClientConfigs",
            f"{_KAFKA}.producer.ProducerConfig",
            f"{_KAFKA}.consumer.ConsumerConfig",
            f"{_KAFKA}.admin.AdminClientConfig",
            "org.apache.kafka.common.config.SslConfigs",
            "org.apache.kafka.common.config.SaslConfigs",
            "org.apache.kafka.common.config.TopicConfig",
            "org.apache.kafka.common.config.SecurityConfig",
        ),
    ),
    ("org.apache.kafka:kafka-streams:3.9.0", ("org.apache.kafka.streams.StreamsConfig",)),
    (
        "org.springframework.kafka:spring-kafka:3.1.4",
        (
            "org.springframework.kafka.support.serializer.JsonDeserializer",
            "org.springframework.kafka.support.serializer.JsonSerializer",
            "org.springframework.kafka.support.serializer.ErrorHandlingDeserializer",
        ),
    ),
    (
        "org.hibernate.orm:hibernate-core:6.5.2.Final",
        ("org.hibernate.cfg.AvailableSettings", "org.hibernate.cfg.JdbcSettings"),
    ),
    (
        "org.hibernate:hibernate-core:5.6.15.Final",
        ("org.hibernate.cfg.AvailableSettings", "org.hibernate.cfg.Environment"),
    ),
    (
        "org.apache.hadoop:hadoop-common:3.3.6",
        (
            f"{_HADOOP}.fs.CommonConfigurationKeysPublic",
            f"{_HADOOP}.fs.CommonConfigurationKeys",
        ),
    ),
)
"""Artifacts, and the classes whose constants are keys."""

_HEADER = re.compile(
    r"(?:class|interface) \S+(?: extends (?P<extends>[^{]+?))?(?: implements (?P<implements>[^{]+?))? \{"
)
_CONSTANT = re.compile(
    r"(?:public )?static final (?P<type>java\.lang\.String|boolean|int|long|short|float|double) (?P<name>\w+) = (?P<value>.*);"
)
_TEXT = re.compile(r"[\w.,:/@*%{}$+-]{1,120}")
_SUFFIX = re.compile(r"(?<=\d)[lfd]\Z")
_SAID = re.compile(r"_DOCS?\Z|_DISPLAY\Z|_DESCRIPTION\Z|^serialVersionUID\Z")


def javap(jar: Path, class_: str) -> str | None:
    """Return what ``javap`` says of a class, ``None`` if the jar does not have it."""
    command = ["javap", "-protected", "-constants", "-cp", str(jar), class_]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def constants(said: str) -> Iterator[tuple[str, str]]:
    """Yield the constants in an answer of ``javap`` that may be keys or defaults, with their texts as Java has them."""
    for line in said.splitlines():
        match = _CONSTANT.fullmatch(line.strip())
        if match is None or _SAID.search(match["name"]):
            continue
        value = match["value"]
        if match["type"] == "java.lang.String":
            value = value[1:-1]
            if _TEXT.fullmatch(value):
                yield match["name"], value
        elif value[-1:] not in ("y", "N"):  # Infinity, NaN
            yield match["name"], _SUFFIX.sub("", value)


def supertypes(said: str) -> tuple[str, ...]:
    """Return the supertypes in an answer of ``javap``, those of the JDK left out."""
    match = _HEADER.search(said)
    if match is None:
        return ()
    listed = ",".join(part for part in (match["extends"], match["implements"]) if part)
    names = map(str.strip, re.sub(r"<[^<>]*>", "", listed).split(","))
    return tuple(name for name in names if name and not name.startswith("java."))


@attrs.define
class Table:
    """A class: the artifacts that it is from, what it extends, and its constants."""

    artifacts: list[str] = attrs.field(factory=list)
    supers: list[str] = attrs.field(factory=list)
    texts: dict[str, str] = attrs.field(factory=dict)

    def add(self, artifact: str, supers: Iterable[str], texts: Iterable[tuple[str, str]]) -> None:
        """Add what another version has."""
        self.artifacts.append(artifact)
        self.supers += [name for name in supers if name not in self.supers]
        for constant, text in texts:
            self.texts.setdefault(constant, text)


def tables() -> dict[str, Table]:
    """Return all classes, what they extend in the same artifact among them."""
    found: dict[str, Table] = {}
    for coordinates, classes in SOURCES:
        jar, artifact = binary(coordinates), coordinates.partition(":")[2]
        queue, seen = list(classes), set[str]()
        while queue:
            class_ = queue.pop(0)
            said = javap(jar, class_) if class_ not in seen else None
            if said is None and class_ in classes and class_ not in seen:
                raise FetchError(f"{coordinates} has no {class_}")
            seen.add(class_)
            if said is not None:
                found.setdefault(class_, Table()).add(artifact, supertypes(said), constants(said))
                queue += supertypes(said)
    kept = {name: table for name, table in found.items() if table.texts or table.supers}
    for table in kept.values():
        table.supers = [name for name in table.supers if name in kept]
    for table in kept.values():
        told = _inherited(kept, table)
        table.texts = {name: text for name, text in table.texts.items() if told.get(name) != text}
    return {name: table for name, table in kept.items() if table.texts or table.supers}


def _inherited(found: Mapping[str, Table], table: Table) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name in table.supers:
        texts |= _inherited(found, found[name]) | found[name].texts
    return texts


def written(found: Mapping[str, Table]) -> str:
    """Return the file."""
    lines = [
        "# Constants of libraries that are names of options, and their defaults.",
        "# Made by `PYTHONPATH=tests python -m corpus.library_keys`; do not edit.",
    ]
    for class_, table in found.items():
        provenance = "constants of " + ", ".join(table.artifacts)
        lines += ["", "[[key]]", f'type = "{class_}"', f'provenance = "{provenance}"']
        if table.supers:
            listed = ", ".join(f'"{name}"' for name in table.supers if found.get(name))
            lines.append(f"supers = [{listed}]")
        lines += ["[key.texts]"] if table.texts else []
        lines += [f'{name} = "{text}"' for name, text in sorted(table.texts.items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the file."""
    TARGET.write_text(written(tables()), encoding="utf-8")


if __name__ == "__main__":
    main()
