"""Words that code asks for, looks up or lists: which values no code knows."""

from __future__ import annotations

import pytest

from checking.keys_support import PROPERTIES, analyse
from checking.small import subject
from conflens.base.system import MemorySystem
from conflens.checking.results import Severity
from conflens.checking.values import findings
from conflens.options.model import Limits, OptionType
from session.support import session

T = OptionType
WHOLE = Limits(accepts="integer")


def checked(line: str) -> list[str]:
    """What is said of a line of a config file by a program whose reads are of several kinds."""
    source = """
        import org.springframework.boot.context.properties.ConfigurationProperties;
        import org.springframework.core.env.Environment;
        class E {
            Environment env;
            int two() { return env.getProperty("app.two", Integer.class); }
            int three() { return env.getProperty("app.three", Integer.class, 3); }
            boolean flag() { return env.getRequiredProperty("app.flag", Boolean.class); }
            String text() { return env.getProperty("app.text", String.class, "x"); }
            boolean lenient() { return Boolean.parseBoolean(env.getProperty("app.hooks.enabled")); }
            boolean alone() { return Boolean.parseBoolean(env.getProperty("app.alone")); }
        }
        @ConfigurationProperties("app.hooks") class H {
            private boolean enabled;
            public void setEnabled(boolean v) { enabled = v; }
            boolean get() { return enabled; }
        }
    """
    found = findings(subject(source, files={"a.properties": f"{line}\n"}), "a.properties")
    return [finding.message for finding in found]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("app.two=many", '"many" is not a whole number, but app.two must be one.'),
        ("app.three=many", '"many" is not a whole number, but app.three must be one.'),
        ("app.flag=maybe", '"maybe" is neither true nor false.'),
        ("app.flag=on", None),
        ("app.text=many", None),
        ("app.hooks.enabled=maybe", '"maybe" is neither true nor false.'),
        ("app.hooks.enabled=yes", None),
        ("app.alone=yes", '"yes" counts as false here: only true means true.'),
    ],
)
def test_a_typed_read_fails_whatever_others_make_of_the_text(
    line: str, wanted: str | None
) -> None:
    assert checked(line) == ([] if wanted is None else [wanted])


FACTORY = """
    enum Level {
        TOP_LEVEL, LOW;
        static Level of(String text) { return Level.valueOf(text.replace("-", "_").toUpperCase()); }
        static Level or(String text) {
            return text.equals("none") ? LOW : Level.valueOf(text.replace("-", "_").toUpperCase());
        }
        static Level perhaps(String text) {
            try { return Level.valueOf(text.toUpperCase()); } catch (Exception e) { return LOW; }
        }
    }
    class E {
        Object a = Level.of(System.getProperty("app.level"));
        Object b = Level.or(System.getProperty("app.or"));
        Object c = Level.perhaps(System.getProperty("app.perhaps"));
    }
"""


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("app.level=bogus", '"bogus" is not one of the values of app.level: top-level, low.'),
        ("app.level=top-level", None),
        ("app.level=Top_Level", None),
        ("app.or=none", None),
        ("app.perhaps=bogus", None),
    ],
)
def test_a_factory_that_looks_a_constant_up_by_its_name(line: str, wanted: str | None) -> None:
    found = findings(subject(FACTORY, files={"a.properties": f"{line}\n"}), "a.properties")
    assert [one.message for one in found] == ([] if wanted is None else [wanted])


CONDITIONS = """
    import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
    import org.springframework.core.env.Environment;
    @ConditionalOnProperty(name = "app.store", havingValue = "memory", matchIfMissing = true) class A {}
    @ConditionalOnProperty(name = "app.store", havingValue = "disk") class B {}
    @ConditionalOnProperty(name = "app.other", havingValue = "memory") class C {}
    @ConditionalOnProperty(name = "app.other", havingValue = "disk") class D {
        void use(Environment e, java.util.Map<String, Runnable> all) { all.get(e.getProperty("app.other")).run(); }
    }
    @ConditionalOnProperty(name = "spring.x.store", havingValue = "memory") class F {}
    @ConditionalOnProperty(name = "spring.x.store", havingValue = "disk") class G {}
"""


def test_a_value_that_no_condition_asks_for() -> None:
    lines = "app.store=tape\napp.other=tape\nspring.x.store=tape\n"
    (one,) = findings(subject(CONDITIONS, files={"a.properties": lines}), "a.properties")
    assert (
        one.message
        == 'No condition asks for "tape" as the value of app.store, only for memory, disk.'
    )
    assert one.severity is Severity.HINT
    fine = "app.store=disk\napp.store=MEMORY\n"
    assert not list(findings(subject(CONDITIONS, files={"a.properties": fine}), "a.properties"))


COMPARED = """
    import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
    import org.springframework.core.env.Environment;
    @ConditionalOnProperty(name = "app.store", havingValue = "memory", matchIfMissing = true) class A {}
    @ConditionalOnProperty(name = "app.store", havingValue = "disk") class B {
        static final org.slf4j.Logger log = null;
        String unit = "weeks";
        void use(Environment e, Runner r) {
            String store = e.getProperty("app.store", "cloud");
            log.info("Store: {}", store);
            String speed = e.getProperty("app.speed");
            if ("slow".equals(speed)) { r.run(); } else if ("fast".equalsIgnoreCase(speed)) { r.stop(); }
            String kind = e.getProperty("app.kind");
            if ("one".equals(kind)) { r.run(); } else if ("two".equals(kind)) { r.stop(); }
            r.named(kind);
        }
    }
"""


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("app.store=tape", 'Code compares app.store only with memory, disk, not with "tape".'),
        ("app.speed=tape", 'Code compares app.speed only with slow, fast, not with "tape".'),
        ("app.store=cloud", None),
        ("app.store=Disk", None),
        ("app.store=weeks", None),
        ("app.store=none", None),
        ("app.store=a/b", None),
        ("app.kind=tape", None),
    ],
)
def test_a_word_that_code_has_nowhere_and_compares_with_others(
    line: str, wanted: str | None
) -> None:
    one = analyse({"A.java": COMPARED, PROPERTIES: f"{line}\n"})
    found = list(findings(one, PROPERTIES))
    assert [item.message for item in found] == ([] if wanted is None else [wanted])
    assert all(item.severity is Severity.HINT for item in found)


def test_a_word_is_fine_once_code_has_it() -> None:
    more = 'class Q {{ String s = "{}"; }}'
    system = MemorySystem(
        {"A.java": COMPARED, "Q.java": more.format("x"), PROPERTIES: "app.store=tape\n"}
    )
    living = session(system)
    assert len(list(findings(living.scan(), PROPERTIES))) == 1
    for text, count in (("tape", 0), ("y", 1)):
        system.write("Q.java", more.format(text))
        living.files_changed(["Q.java"])
        assert len(list(findings(living.rebuild(), PROPERTIES))) == count


LOOKED_UP = """
    import org.springframework.beans.factory.annotation.Value;
    enum Store { MEMORY, DISK }
    class A {
        @Value("${app.one:MEMORY}") private String one;
        @Value("${app.two:MEMORY}") private String two;
        Store one() { if (one == null || one.isEmpty()) { return Store.DISK; } return Store.valueOf(one); }
        Store two() { return Store.valueOf(two); }
        void init() { two = two.trim().toUpperCase(); }
    }
"""


@pytest.mark.parametrize(
    ("line", "count"), [("app.one=tape", 1), ("app.one=DISK", 0), ("app.two=disk", 0)]
)
def test_a_field_that_is_looked_up_in_an_enum(line: str, count: int) -> None:
    found = list(findings(analyse({"A.java": LOOKED_UP, PROPERTIES: f"{line}\n"}), PROPERTIES))
    assert [one.message for one in found] == [
        '"tape" is not one of the values of app.one: MEMORY, DISK.'
    ] * count


def test_a_bound_member_that_others_ask_for() -> None:
    code = """
        import org.springframework.boot.context.properties.ConfigurationProperties;
        @ConfigurationProperties("app") class P {
            private String frame = "same"; public String getFrame() { return frame; } public void setFrame(String v) { frame = v; }
            private String path = "same"; public String getPath() { return path; } public void setPath(String v) { path = v; }
        }
        class Q { void m(P p, Runner r) {
            String frame = p.getFrame(); if ("deny".equals(frame)) { r.run(); } else if ("same".equals(frame)) { r.stop(); }
            String path = p.getPath(); if ("deny".equals(path)) { r.run(); } else if ("same".equals(path)) { r.stop(); } r.go(path);
        } }
    """
    one = analyse({"P.java": code, PROPERTIES: "app.frame=tape\napp.path=tape\n"})
    (found,) = findings(one, PROPERTIES)
    assert found.message == 'Code compares app.frame only with deny, same, not with "tape".'


OUTSIDE = """
    import org.springframework.boot.context.properties.ConfigurationProperties; import org.lib.Level;
    @ConfigurationProperties("app") class P {
        private Level level = Level.FAST; public void setLevel(Level v) { level = v; } public Level getLevel() { return level; }
    }
"""
LISTS = '"bogus" is not among the values that application.properties lists for app.level: FAST, SAFE, OFF.'


@pytest.mark.parametrize(
    ("comment", "value", "wanted"),
    [
        ("FAST | SAFE | OFF", "bogus", LISTS),
        ("How fast it is. Valid values: FAST, SAFE, OFF", "bogus", LISTS),
        ("FAST | SAFE | OFF", "safe", None),
        ("FAST | SAFE | OFF", "none", None),
        ("FAST | SAFE | ...", "bogus", None),
        ("RED | GREEN", "bogus", None),
        ("FAST | SAFE | OFF", "MY_APP_LEVEL", None),
        ("How fast it is", "bogus", None),
    ],
)
def test_a_word_that_is_not_in_the_list_of_a_comment(
    comment: str, value: str, wanted: str | None
) -> None:
    one = analyse({"P.java": OUTSIDE, PROPERTIES: f"# {comment}\napp.level={value}\n"})
    found = list(findings(one, PROPERTIES))
    assert [item.message for item in found] == ([] if wanted is None else [wanted])
    assert all(item.severity is Severity.HINT for item in found)


def test_a_word_is_fine_once_a_document_lists_it() -> None:
    text = "# {}\napp.level=bogus\n"
    system = MemorySystem({"P.java": OUTSIDE, PROPERTIES: text.format("FAST | SAFE")})
    living = session(system)
    assert len(list(findings(living.scan(), PROPERTIES))) == 1
    for listed, count in (("FAST | BOGUS", 0), ("FAST | SLOW", 1)):
        system.write(PROPERTIES, text.format(listed))
        living.files_changed([PROPERTIES])
        assert len(list(findings(living.rebuild(), PROPERTIES))) == count


def test_names_of_a_library_have_its_types_in_programs_that_do_not_read_them() -> None:
    read = """
        import org.springframework.beans.factory.annotation.Value;
        class A {
            @Value("${server.port}") private int port; @Value("${app.port}") private int other;
            @Value("${server.mode:fast}") private Mode mode; enum Mode { FAST, SAFE }
        }
    """
    module = "<project><artifactId>{}</artifactId></project>"
    text = "server.port=70000\napp.port=70000\nserver.mode=bogus\n"
    one = analyse(
        {
            "one/pom.xml": module.format("one"),
            "two/pom.xml": module.format("two"),
            "one/src/main/java/A.java": read,
            "two/src/main/java/B.java": "class B {}",
            f"one/{PROPERTIES}": text,
            f"two/{PROPERTIES}": text,
        }
    )
    assert [item.name for item in findings(one, f"one/{PROPERTIES}")] == [
        "server.port",
        "app.port",
        "server.mode",
    ]
    assert [item.name for item in findings(one, f"two/{PROPERTIES}")] == ["server.port"]
