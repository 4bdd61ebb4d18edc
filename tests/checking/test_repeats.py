"""Keys that are set more than once: which wins, and what is meant and left alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from checking.keys_support import PROPERTIES, SPRING, YAML, analyse, findings, fixed, said, shown
from conflens.checking import repeats
from patience import proportion

BOUND = SPRING + (
    '@ConfigurationProperties("app") class P { private int maxSize; private String name;'
    " public void setMaxSize(int m) { maxSize = m; } public void setName(String n) { name = n; } }\n"
)
HADOOP = (
    "import org.apache.hadoop.conf.Configuration; class P { int a(Configuration c) {"
    ' return c.getInt("pool.max.size", 1) + c.getInt("pool.min.size", 1); } }'
)


def site(*entries: tuple[str, str, bool]) -> str:
    lines = "".join(
        f"<property><name>{name}</name><value>{value}</value>"
        f"{'<final>true</final>' if final else ''}</property>\n"
        for name, value, final in entries
    )
    return f"<configuration>\n{lines}</configuration>\n"


def test_the_last_of_two_assignments_wins() -> None:
    files = {"P.java": BOUND, PROPERTIES: "app.name=a\napp.max-size=1\napp.name=b\n"}
    analysis = analyse(files)
    (one,) = findings(analysis, PROPERTIES)
    assert (str(one.code), one.message) == (
        "duplicate-key",
        "'app.name' is set again in line 3, which takes precedence.",
    )
    assert one.place.start == 0 and one.related[0][0].start == files[PROPERTIES].rindex("app.name")
    assert one.fixes == ()


def test_a_duplicate_with_the_same_value_can_be_removed() -> None:
    files = {"P.java": BOUND, PROPERTIES: "app.name=a\napp.max-size=1\napp.name=a\n"}
    assert fixed(files, PROPERTIES) == "app.max-size=1\napp.name=a\n"


@pytest.mark.parametrize(
    ("lines", "lost"),
    [
        ('JAVA_OPTS=-Xmx1g\nJAVA_OPTS="$JAVA_OPTS -Dpool.alpha=7"\n', 0),
        ("JAVA_OPTS=-Xmx1g\nexport JAVA_OPTS=${JAVA_OPTS:-none}\nJAVA_OPTS=$JAVA_OPTS\n", 0),
        ("JAVA_OPTS=-Xmx1g\nJAVA_OPTS='$JAVA_OPTS -Dpool.alpha=7'\n", 1),
        ('JAVA_OPTS=-Xmx1g\nJAVA_OPTS="$JAVA_OPTS_MORE -Dpool.alpha=7"\n', 1),
        ("JAVA_OPTS=-Xmx1g\nJAVA_OPTS=-Xmx2g\nJAVA_OPTS=$JAVA_OPTS\n", 1),
    ],
)
def test_a_variable_that_the_next_line_takes_over_is_not_lost(lines: str, lost: int) -> None:
    java = 'class A { String o = System.getenv("JAVA_OPTS"), m = System.getenv("POOL_MAX"); }'
    files = {"A.java": java, ".env": f"POOL_MAX=3\n{lines}"}
    assert shown(files, ".env") == ["duplicate-key JAVA_OPTS"] * lost


def test_yaml_keys_and_sections() -> None:
    files = {"P.java": BOUND, YAML: "app:\n  name: a\n  max-size: 1\n  name: b\n"}
    assert shown(files, YAML) == ["duplicate-key name"]
    files[YAML] = "app:\n  name: a\napp:\n  name: b\n"
    assert shown(files, YAML) == ["duplicate-key app"]
    files[YAML] = "app.name: a\napp:\n  max-size: 3\n"
    assert shown(files, YAML) == []


def test_documents_profiles_and_merges_are_separate() -> None:
    files = {
        "P.java": BOUND,
        YAML: "app.name: a\n---\nspring.config.activate.on-profile: dev\napp.name: b\n",
    }
    assert shown(files, YAML) == []
    files = {"P.java": BOUND, YAML: "x: &x\n  name: a\napp:\n  <<: *x\n  name: b\n  max-size: 1\n"}
    assert shown(files, YAML) == []


def test_two_spellings_of_a_relaxed_option() -> None:
    files = {"P.java": BOUND, PROPERTIES: "app.maxSize=1\napp.name=x\napp.max-size=2\n"}
    (one,) = said(files, PROPERTIES)
    assert (one.code, one.on, one.message) == (
        "overridden-key",
        "app.maxSize",
        "'app.maxSize' and 'app.max-size' in line 3 are the same option.",
    )


def test_properties_win_over_yaml_in_the_same_folder() -> None:
    files = {
        "P.java": BOUND,
        PROPERTIES: "\napp.name=x\n",
        YAML: "app:\n  name: y\n  max-size: 2\n",
    }
    (one,) = said(files, YAML)
    assert (one.code, one.message) == (
        "overridden-key",
        "'app.name' is set in application.properties, line 2, which takes precedence.",
    )
    assert shown(files, PROPERTIES) == []
    elsewhere = {"P.java": BOUND, PROPERTIES: "app.name=x\n", "conf/application.yml": files[YAML]}
    assert shown(elsewhere, "conf/application.yml") == []


def test_one_template_in_two_formats_overrides_nothing() -> None:
    keys = [f"k{number}" for number in range(6)]
    files = {
        "P.java": BOUND,
        PROPERTIES: "".join(f"app.{key}=1\n" for key in (*keys, "name")),
        YAML: "app:\n" + "".join(f"  {key}: 1\n" for key in (*keys, "name")),
    }
    assert "overridden-key" not in [one.code for one in said(files, YAML)]
    files[PROPERTIES] = "app.name=1\napp.k0=1\n"
    assert "overridden-key" in [one.code for one in said(files, YAML)]


def test_duplicate_system_properties_on_one_command_line_but_not_in_two_branches() -> None:
    java = 'class P { int a = Integer.getInteger("pool.maximum"); }'
    files = {"P.java": java, "run.sh": "java -Dpool.maximum=1 -Dpool.maximum=2 -jar a.jar\n"}
    (one,) = said(files, "run.sh")
    assert one.code == "overridden-key" and "the last one takes precedence" in one.message
    files["run.sh"] = (
        'if test "$1"; then\n  OPTS="-Dpool.maximum=1"\nelse\n  OPTS="-Dpool.maximum=2"\nfi\njava $OPTS\n'
    )
    assert shown(files, "run.sh") == []


def test_final_properties_keep_their_value() -> None:
    text = site(
        ("pool.max.size", "1", True), ("pool.min.size", "1", False), ("pool.max.size", "2", False)
    )
    (one,) = said({"P.java": HADOOP, "conf/pool-site.xml": text}, "conf/pool-site.xml")
    assert (one.code, one.message) == (
        "overridden-key",
        "'pool.max.size' is final in line 2, so this has no effect.",
    )
    files = {
        "P.java": HADOOP,
        "conf/pool-default.xml": site(("pool.max.size", "1", True), ("pool.min.size", "1", False)),
        "conf/pool-site.xml": site(("pool.max.size", "2", False), ("pool.min.size", "2", False)),
    }
    (one,) = said(files, "conf/pool-site.xml")
    assert "is final in pool-default.xml, line 2" in one.message
    assert shown(files, "conf/pool-default.xml") == []


def test_one_key_on_consecutive_lines_is_a_list_unless_a_value_repeats() -> None:
    """``velocity.properties`` lists what templates may not touch that way."""

    def told(*lines: str) -> list[str]:
        text = "app.max-size=1\n" + "".join(f"{line}\n" for line in lines)
        return shown({"P.java": BOUND, PROPERTIES: text}, PROPERTIES)

    assert told("app.name=a", "app.name=b", "app.name=c") == []
    assert told("app.name=a", "app.name=b") == ["duplicate-key app.name"]
    assert len(told("app.name=a", "app.name=b", "app.name=a")) == 2
    assert len(told("app.name=a", "app.name=b", "other=1", "app.name=c")) == 2


def test_repeated_keys_that_form_a_list() -> None:
    java = (
        "import org.apache.commons.configuration2.Configuration; class P { Object a(Configuration c) {"
        ' return c.getList("pool.hosts").size() + c.getInt("pool.size", 1); } }'
    )
    text = "pool.hosts=a\npool.hosts=b\npool.size=1\n"
    assert shown({"P.java": java, "conf/pool.properties": text}, "conf/pool.properties") == []


def test_where_a_repeated_key_is_a_list_the_first_value_of_an_option_with_one_counts() -> None:
    reads = (
        "import org.apache.commons.configuration2.Configuration; class P { int a(Configuration c) {"
        ' return c.getInt("pool.max.size", 1) + c.getList("pool.host.names").size(); } }'
    )
    path = "conf/server.properties"
    text = "pool.max.size=1\npool.host.names=a\npool.host.names=b\npool.max.size=2\n"
    analysis = analyse({"P.java": reads, path: text})
    (one,) = findings(analysis, path)
    assert one.message == "'pool.max.size' is set in line 1 already, which takes precedence."
    assert one.place.start == text.rindex("pool.max.size")


MANY = {
    "sections": (YAML, "app:\n  name: a\n", "s{0}:\n x: 1\ns{0}:\n x: 1\n"),
    "lists": (PROPERTIES, "app.name=a\n", "a{0}=1\na{0}=2\na{0}=3\n"),
}


@pytest.mark.parametrize("kind", MANY)
def test_many_repeated_keys_take_linear_time(kind: str) -> None:
    path, head, unit = MANY[kind]

    def work(count: int) -> Callable[[], object]:
        text = head + "".join(unit.format(number) for number in range(count))
        analysis = analyse({"P.java": BOUND, path: text})
        return lambda: list(repeats.findings(analysis, path))

    assert proportion(work(2_000), work(200), 30) < 30


def test_what_is_repeated_within_repeated_sections_is_said_of_the_sections() -> None:
    text = "app:\n  name: a\n  in:\n    b: 1\napp:\n  name: b\n  in:\n    b: 1\nother:\n  c: 1\n  c: 2\n"
    assert shown({"P.java": BOUND, YAML: text}, YAML) == ["duplicate-key app", "duplicate-key c"]
