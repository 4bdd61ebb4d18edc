"""A value that only names itself is what the build replaces, where the build filters resources."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.check import every
from session.support import session

POM = "<project><artifactId>a</artifactId><build><resources><resource>{}</resource></resources></build></project>"
JAVA = """package a;
import org.springframework.beans.factory.annotation.Value;
class A { @Value("${app.url:x}") String url; @Value("${app.host:y}") String host; }
"""


@pytest.mark.parametrize(
    ("filtering", "text", "cycles"),
    [
        ("<filtering>true</filtering>", "app.url=${app.url}\napp.host=b\n", 0),
        ("<filtering>false</filtering>", "app.url=${app.url}\napp.host=b\n", 1),
        ("<filtering>true</filtering>", "app.url=${app.host}\napp.host=${app.url}\n", 2),
    ],
)
def test_a_self_reference_in_a_filtered_resource(filtering: str, text: str, cycles: int) -> None:
    path = "a/src/main/resources/application.properties"
    files = {"a/pom.xml": POM.format(filtering), "a/src/main/java/a/A.java": JAVA, path: text}
    analysis = session(MemorySystem(files)).scan()
    found = [one.message for part in every(analysis, [path]) for one in part]
    assert len([one for one in found if "refers to itself" in one]) == cycles


def test_filtering_that_is_switched_on_is_seen_at_once() -> None:
    path = "a/src/main/resources/application.properties"
    text = "app.url=${app.url}\napp.host=b\n"
    pom = {on: POM.format(f"<filtering>{on}</filtering>") for on in ("true", "false")}
    system = MemorySystem(
        {"a/pom.xml": pom["false"], "a/src/main/java/a/A.java": JAVA, path: text}
    )
    living = session(system)
    for on, cycles in (("false", 1), ("true", 0), ("false", 1)):
        system.write("a/pom.xml", pom[on])
        living.files_changed(["a/pom.xml"])
        analysis = living.scan()
        found = [one.message for part in every(analysis, [path]) for one in part]
        assert len([one for one in found if "refers to itself" in one]) == cycles
