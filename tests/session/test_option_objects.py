"""Option objects of classes whose source is not there: learned from builder chains and lookups, again after every edit."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.options.learned.option_objects import facet
from conflens.session.analysis import Analysis
from session.support import session

FETCH, BASE, LEVEL = "src/p/Fetch.java", "src/p/Base.java", "src/p/Level.java"
MADE = """package p;
import com.acme.flow.Context;
import com.acme.flow.Param;
class Fetch {
    static final Param ROWS = new Param.Builder().name("Max Rows").defaultValue("%s").required(true).build();
    static final Param LEVEL = new Param.Builder().name("Level").allowableValues(Level.class).defaultValue(Level.LOW).build();
    static final Param COPY = new Param.Builder().fromParam(Base.WAIT).required(true).build();
    void run(Context context) { %s }
    static void use(Object value) {}
}
"""
LOOKUPS = "use(context.getParam(ROWS)); use(context.getParam(LEVEL)); use(context.getParam(COPY));"
OTHER = """package p;
import com.acme.flow.Param;
class Base {
    static final Param WAIT = new Param.Builder().name("Wait").defaultValue("%s").build();
}
"""
ENUM = "package p;\nenum Level { LOW, HIGH; %s }\n"
GIVES = "public String getValue() { return name() + 1; }"


def project(**files: str) -> MemorySystem:
    own = {
        FETCH: MADE % ("10", LOOKUPS),
        BASE: OTHER % "5 secs",
        LEVEL: ENUM % "",
    }
    return MemorySystem(own | files)


def told(analysis: Analysis) -> dict[str, tuple[list[str], tuple[str, ...], int]]:
    return {
        option.name: (
            sorted({default.text for default in option.defaults}),
            option.values,
            len(option.reads),
        )
        for option in analysis.options.options
    }


def test_titles_are_names() -> None:
    assert told(session(project()).scan()) == {
        "Level": (["LOW"], ("LOW", "HIGH"), 1),
        "Max Rows": (["10"], (), 1),
        "Wait": (["5 secs"], (), 1),
    }


@pytest.mark.parametrize(
    "java",
    [
        MADE % ("10", "use(context.getParam(ROWS));"),
        MADE % ("10", LOOKUPS.replace("context.getParam", "context.setParam")),
        (MADE % ("10", LOOKUPS.replace("context.getParam", "row.getCell"))).replace(
            "Context context", "com.acme.flow.Row row"
        ),
        (MADE % ("10", LOOKUPS)).replace("import com.acme.flow.Param", "import com.acme.flow.*"),
        (MADE % ("10", LOOKUPS)).replace(".defaultValue", ".initialWidth"),
        (MADE % ("10", LOOKUPS)).replace(".required", ".width").replace(".allowable", ".shown"),
    ],
    ids=[
        "one lookup",
        "a writer",
        "no configuration",
        "unknown import",
        "no defaults",
        "nothing else that only options have",
    ],
)
def test_what_is_not_learned(java: str) -> None:
    java = java.replace("Base.WAIT", "null")
    assert told(session(project(**{FETCH: java, BASE: "package p; class Base { }"})).scan()) == {}


def test_classes_of_the_project_are_read_instead() -> None:
    system = project()
    system.write("src/com/acme/flow/Param.java", "package com.acme.flow;\npublic class Param {}\n")
    assert told(session(system).scan()) == {}


def test_edits_give_what_a_fresh_scan_gives() -> None:
    system = project()
    living = session(system)
    living.scan()
    steps = [
        (BASE, OTHER % "7 secs"),
        (LEVEL, ENUM % GIVES),
        (LEVEL, ENUM % GIVES.replace("1", "2")),
        (LEVEL, "package p;\nenum Level { LOW, MIDDLE, HIGH; }\n"),
        (FETCH, MADE % ("11", "")),
        (FETCH, MADE % ("11", LOOKUPS)),
        (FETCH, MADE % ("11", LOOKUPS.replace("getParam", "findParam"))),
        ("src/com/acme/flow/Param.java", "package com.acme.flow;\npublic class Param {}\n"),
        ("src/com/acme/flow/Param.java", "package com.other;\npublic class Param {}\n"),
        (BASE, (OTHER % "7 secs").replace("Wait", "Pause")),
    ]
    for path, text in steps:
        system.write(path, text)
        living.files_changed([path])
        edited, fresh = living.rebuild(), session(system).scan()
        assert edited.options.options == fresh.options.options, (path, text)


def test_an_edit_that_leaves_the_rows_keeps_them() -> None:
    system = project()
    living = session(system)
    living.scan()
    models = living._joined._models
    system.write(FETCH, MADE % ("12", LOOKUPS))
    living.files_changed([FETCH])
    assert told(living.rebuild())["Max Rows"][0] == ["12"]
    assert living._joined._models is models


TITLES = """import java.util.*;
class ProviderConfiguration {
    private final Map<String, String> properties;
    ProviderConfiguration(Map<String, String> properties) { this.properties = properties; }
    String getProperty(String name) { return properties.get(name); }
}
class Labels {
    private final Map<String, String> properties;
    Labels(Map<String, String> properties) { this.properties = properties; }
    String getProperty(String name) { return properties.get(name); }
}
class Ldap {
    void configure(ProviderConfiguration configuration, Labels labels) {
        use(configuration.getProperty("Read Timeout"));
        use(configuration.getProperty("Url"));
        timeout(configuration, "Connect Timeout");
        use(configuration.getProperty("Where is it? In the cellar."));
        use(labels.getProperty("Good Morning"));
    }
    void timeout(ProviderConfiguration configuration, String key) {
        long wait = Long.parseLong(configuration.getProperty(key));
    }
    void use(String value) {}
}
"""


def test_configuration_is_also_asked_for_titles() -> None:
    system = MemorySystem({"Ldap.java": TITLES})
    assert list(told(session(system).scan())) == ["Connect Timeout", "Read Timeout", "Url"]


@pytest.mark.parametrize(
    ("method", "stated"),
    [
        ("name", "name"),
        ("withKey", "name"),
        ("displayName", ""),
        ("defaultValue", "default"),
        ("setDefault", "default"),
        ("noDefaultValue", ""),
        ("autoTerminateDefault", ""),
        ("allowableValues", "values"),
        ("addValidator", "kind"),
        ("sensitive", "secret"),
        ("fromPropertyDescriptor", "copied"),
        ("dependsOn", ""),
    ],
)
def test_what_calls_of_a_chain_state(method: str, stated: str) -> None:
    assert facet(method) == stated
