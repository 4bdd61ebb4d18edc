"""What is taken of the metadata of bound classes, and how the file is written."""

from __future__ import annotations

import tomllib

from corpus.bound_classes import ARTIFACTS, TARGET, Bound, classes, written

ACME = "org.acme.AcmeProperties"
SAID = {
    "groups": [
        {"name": "acme", "type": ACME, "sourceType": ACME},
        {"name": "acme.pool", "type": f"{ACME}$Pool", "sourceType": ACME, "sourceMethod": "getPool()"},
        {"name": "acme.ssl", "type": "org.acme.Ssl", "sourceType": ACME, "sourceMethod": "getSsl()"},
        {
            "name": "acme.source",
            "type": "org.acme.Source",
            "sourceType": "org.acme.Beans",
            "sourceMethod": "source()",
        },
        {"name": "info", "type": "org.acme.InfoEndpoint", "sourceType": "org.acme.InfoEndpoint"},
    ],
    "properties": [
        {"name": "acme.names", "type": "java.lang.String[]", "sourceType": ACME},
        {"name": "acme.mode", "type": "org.acme.Mode", "sourceType": ACME},
        {"name": "acme.labels", "type": "java.util.Map<java.lang.String,java.lang.Integer>", "sourceType": ACME},
        {"name": "acme.groups", "type": "java.util.Map<java.lang.String,org.acme.Group>", "sourceType": ACME},
        {"name": "acme.pool.size", "type": "java.lang.Integer", "sourceType": f"{ACME}$Pool"},
        {"name": "acme.ssl.key", "type": "java.lang.String", "sourceType": "org.acme.Ssl"},
        {"name": "acme.source.url", "type": "java.lang.String", "sourceType": "org.acme.Source"},
        {"name": "acme.by-hand", "type": "java.lang.String"},
        {"name": "info.enabled", "type": "java.lang.Boolean", "sourceType": "org.acme.InfoEndpoint"},
    ],
}  # fmt: skip


def test_a_class_has_all_that_its_accessors_give() -> None:
    assert classes(SAID) == {
        ACME: Bound(
            "acme",
            members={
                "names": "java.util.List",
                "mode": "",
                "labels.*": "java.lang.Integer",
                "groups": "object",
                "pool.size": "java.lang.Integer",
                "ssl.key": "java.lang.String",
            },
            parts={"Pool": "pool"},
        )
    }


def test_the_file_is_what_would_be_written() -> None:
    rows = tomllib.loads(TARGET.read_text(encoding="utf-8"))["bound_class"]
    found = {
        row["type"]: Bound(
            row["prefix"],
            row["provenance"].removeprefix("metadata of ").split(", "),
            {name: java for java, names in row["members"].items() for name in names.split()},
            row.get("parts", {}),
        )
        for row in rows
    }
    assert written(found) == TARGET.read_text(encoding="utf-8")
    known = {coordinates.partition(":")[2] for coordinates in ARTIFACTS}
    assert {artifact for bound in found.values() for artifact in bound.artifacts} <= known
