"""What was read off the declarations of a class is read again when one is written otherwise, though no body names it."""

from __future__ import annotations

import pytest

from conflens.session.analysis import Analysis
from session.support import living_and_fresh

PLUGIN = """import java.util.Map;
class Plugin {
    static final String LIMIT = "scheduler.limit";
    static final String WAIT = "scheduler.wait";
    Limit limit; long wait;
    void configure(Map<String, ?> settings) {
        limit = (Limit) settings.get(Keys.LIMIT);
        wait = Long.parseLong(settings.get(Keys.WAIT).toString());
    }
}
"""
KEYS = 'class Keys { static final String LIMIT = "scheduler.limit"; static final String WAIT = "scheduler.wait"; }'
LIMIT = "class Limit {\n    final int most;\n    %s\n}\n"
TEXT, NUMBER = "Limit(String text) { most = 3; }", "Limit(int number) { most = number; }"
FACTORY = "static Limit of(%s given) { return null; } int least;"
KNOWN = "interface Known { String path(); Object byDefault(); }"
READER = """import com.typesafe.config.Config;
class Reader { static int positive(Config config, Known known) { return config.getInt(known.path()); } }
"""
NAMES = """enum Names implements Known {
    SIZE("size"), ROOM("room");
    private final String path;
    Names(String path) { this.path = path; }
    public String %s() { return path; }
    public Object byDefault() { return 5; }
}
"""
USER = """import com.typesafe.config.Config;
class User { int sum(Config config) {
    return Reader.positive(config.getConfig("pool"), Names.SIZE) + Reader.positive(config.getConfig("cache"), Names.ROOM);
} }
"""
OTHERS = {
    f"Other{number}.java": f'class Other{number} implements Known {{ public String path() {{ return "o{number}"; }}'
    " public Object byDefault() { return 1; } }"
    for number in range(9)
}
SECTION = """import java.util.*;
class Section {
    private %s map;
    Section(Map<String, Object> map) { this.map = map; }
    String get(String key) { return (String) map.get(key); }
    Section part(String key) { return new Section((Map<String, Object>) map.get(key)); }
}
"""
MAIN = """import java.util.*;
class Main {
    public static void main(String[] args) throws Exception {
        Map<String, Object> all = new org.yaml.snakeyaml.Yaml().load(new java.io.FileReader("conf.yml"));
        use(new Section(all).part("pool"));
    }
    static void use(Section section) { byte[] all = new byte[Integer.parseInt(section.get("max"))]; }
}
"""
STARTER = """import org.springframework.boot.context.properties.bind.*;
import org.springframework.boot.context.properties.source.*;
class Starter { void start(Engine engine, Given given) {
    new Binder(new MapConfigurationPropertySource(given.getProperties())).bind(ConfigurationPropertyName.EMPTY, Bindable.ofInstance(engine));
} }
"""
ENGINE = "class Engine { private int size; public void setSize(int size) { this.size = size; } }"
GIVEN = """import java.util.*;
@org.springframework.boot.context.properties.ConfigurationProperties("%s")
class Given {
    private Map<String, Object> properties = new HashMap<>();
    public Map<String, Object> getProperties() { return properties; }
    public void setProperties(Map<String, Object> properties) { this.properties = properties; }
}
"""
OUTER = """@org.springframework.boot.context.properties.ConfigurationProperties("outer")
class Outer { private Held held; public Held getHeld() { return held; } public void setHeld(Held held) { this.held = held; } }
"""
HELD = "%s class Held { %s private int size; public int getSize() { return size; } public void setSize(int size) { this.size = size; } }"
NAMESPACE = """class Jobs extends Base {
    protected Object parseInternal(org.w3c.dom.Element element, Object context) { return element.getAttribute("cron"); }
}
"""
BASE = "abstract class Base extends %s { }"
PARTS = {"Plugin.java": PLUGIN, "Keys.java": KEYS}
CASES: dict[str, tuple[dict[str, str], str, list[str]]] = {
    "a constructor that takes a text": (PARTS, "Limit.java", [LIMIT % TEXT, LIMIT % NUMBER]),
    "a factory that takes a text": (
        PARTS,
        "Limit.java",
        [LIMIT % (FACTORY % "String"), LIMIT % (FACTORY % "int")],
    ),
    "a method that one of many classes overrides": (
        {"Known.java": KNOWN, "Reader.java": READER, "User.java": USER, **OTHERS},
        "Names.java",
        [NAMES % "path", NAMES % "pathOf"],
    ),
    "the prefix of a map that fills an object": (
        {"Starter.java": STARTER, "Engine.java": ENGINE},
        "Given.java",
        [GIVEN % "first", GIVEN % "second"],
    ),
    "a class that cannot be made": (
        {"Outer.java": OUTER},
        "Held.java",
        [HELD % ("", ""), HELD % ("abstract", "")],
    ),
    "a class with constructors to choose from": (
        {"Outer.java": OUTER},
        "Held.java",
        [HELD % ("", ""), HELD % ("", "Held(int one) {} Held(long two) {}")],
    ),
    "an object that is there": (
        {"Held.java": HELD % ("abstract", "")},
        "Outer.java",
        [OUTER, OUTER.replace("Held held;", "Held held = Maker.make();")],
    ),
    "a class whose methods a library calls": (
        {"Jobs.java": NAMESPACE},
        "Base.java",
        [
            BASE % "org.springframework.beans.factory.xml.AbstractBeanDefinitionParser",
            BASE % "Object",
        ],
    ),
    "a field that keeps a document": (
        {"Main.java": MAIN},
        "Section.java",
        [SECTION % "Map", SECTION % "Map<String, Object>"],
    ),
}


def names(analysis: Analysis) -> list[str]:
    return sorted(option.name for option in analysis.options.options)


@pytest.mark.parametrize("title", CASES)
def test_what_rests_on_declarations_is_that_of_a_fresh_scan(title: str) -> None:
    files, path, (one, two) = CASES[title]
    steps = [{**files, path: one}, {path: two}, {path: one}]
    found = []
    for living, fresh in living_and_fresh(steps):
        assert names(living) == names(fresh)
        found.append(names(fresh))
    assert found[0] != found[1], "the edit was meant to change what is said"
