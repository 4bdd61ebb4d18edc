"""Keys that are no option: what is said, and above all what is not."""

from __future__ import annotations

import attrs
import pytest

from checking.keys_support import (
    PROPERTIES,
    SPRING,
    VALUE,
    YAML,
    analyse,
    findings,
    fixed,
    said,
    shown,
)
from conflens.checking import check

READS = (
    "class P {\n"
    "  static java.util.Properties p = load();\n"
    "  static java.util.Properties load() { java.util.Properties q = new java.util.Properties();"
    ' try { q.load(new java.io.FileReader("server.properties")); } catch (Exception e) {} return q; }\n'
    '  String host = p.getProperty("server.pool.hostname");\n'
    '  String size = p.getProperty("server.pool.capacity", "3");\n'
    '  String idle = p.getProperty("server.pool.idle-timeout");\n'
    '  String path = p.getProperty("storage.directory");\n'
    "  String all() { return host + size + idle + path; }\n"
    "}\n"
)
GOOD = "server.pool.hostname=a\nserver.pool.capacity=3\n"
BOUND = SPRING + (
    '@ConfigurationProperties("app.pool") class Pool { private int maxSize; private String hostName;'
    " public void setMaxSize(int m) { maxSize = m; } public void setHostName(String h) { hostName = h; } }\n"
)


def project(text: str, java: str = READS, path: str = "conf/server.properties") -> dict[str, str]:
    return {"P.java": java, path: text}


def quiet(java: str, text: str, path: str = PROPERTIES, **more: str) -> None:
    """Nothing is said of a file, and it is looked at."""
    files = {"P.java": java, path: text, **more}
    analysis = analyse(files)
    found = analysis.recognised.match(path)
    assert found is not None and found.counts, "the file must be one of the project"
    assert [one.message for one in findings(analysis, path)] == []


# --- nearly right


@pytest.mark.parametrize(
    ("typed", "wrong", "meant"),
    [
        ("server.pool.idle-timout", "idle-timout", "server.pool.idle-timeout"),
        ("server.pool.idle.timeout", "idle.timeout", "server.pool.idle-timeout"),
        ("server.pol.idle-timeout", "pol", "server.pool.idle-timeout"),
        ("server.pool..idle-timeout", "", "server.pool.idle-timeout"),
        ("pool.server.idle-timeout", "pool.server", "server.pool.idle-timeout"),
        ("Server.pool.idle-timeout", "Server", "server.pool.idle-timeout"),
        ("storage.drectory", "drectory", "storage.directory"),
    ],
)
def test_a_typo_is_marked_on_the_wrong_segment_and_can_be_fixed(
    typed: str, wrong: str, meant: str
) -> None:
    files = project(f"{GOOD}{typed}=9\n")
    (one,) = said(files, "conf/server.properties")
    assert (one.code, one.on, one.fixes[0]) == ("unknown-option", wrong, meant)
    inside = typed.rpartition(".")[0] == meant.rpartition(".")[0]
    asked = meant.rpartition(".")[2] if inside else meant
    assert one.message == f"Unknown option '{typed}'. Did you mean '{asked}'?"
    assert fixed(files, "conf/server.properties") == f"{GOOD}{meant}=9\n"


def test_a_wrong_yaml_section_is_marked_once() -> None:
    files = {"P.java": BOUND, YAML: "app:\n  pol:\n    max-size: 3\n    host-name: b\n"}
    assert shown({**files, PROPERTIES: ""}, YAML) == []
    files[YAML] = "app:\n  pool:\n    max-size: 3\n    host-nmae: b\n"
    assert shown(files, YAML) == ["unknown-option host-nmae"]
    assert "host-name: b" in fixed(files, YAML)


def test_escapes_and_non_latin_letters() -> None:
    files = project(f"# übung\n{GOOD}serv\\u0065r.pool.idle-timout=ß\n")
    (one,) = said(files, "conf/server.properties")
    assert one.on == "serv\\u0065r.pool.idle-timout"
    assert "server.pool.idle-timeout=ß" in fixed(files, "conf/server.properties")


def test_a_name_that_is_already_set_can_still_be_what_was_meant() -> None:
    text = f"{GOOD}server.pool.idle-timeout=1\nserver.pool.idle-timout=2\n"
    (one,) = said(project(text), "conf/server.properties")
    assert (one.code, one.message, one.fixes) == (
        "unused-option",
        "The program never reads 'server.pool.idle-timout'. Did you mean 'idle-timeout'?",
        (),
    )
    java = READS.replace("String all()", 'String other = "server.pool.idle-timout"; String all()')
    assert shown(project(text, java), "conf/server.properties") == []


@pytest.mark.parametrize(
    "text",
    [
        "app.pool.max-size=1\napp.pool.max-szie=2\n",
        "app.pool.max-szie=2\napp.pool.maxSize=1\n",
    ],
)
def test_no_fix_sets_the_right_key_twice(text: str) -> None:
    (one,) = said({"P.java": BOUND, PROPERTIES: text}, PROPERTIES)
    assert one.message == "Unknown option 'app.pool.max-szie'. Did you mean 'max-size'?"
    assert one.fixes == ()


def test_between_equally_close_names_the_unset_one_is_suggested() -> None:
    java = BOUND.replace("hostName", "max1Size").replace("HostName", "Max1Size")
    java = java.replace("int maxSize", "int max2Size").replace(
        "MaxSize(int m) { maxSize", "Max2Size(int m) { max2Size"
    )
    for is_set, asked in (("1", "2"), ("2", "1")):
        text = f"app.pool.max{is_set}-size=1\napp.pool.max3-size=1\n"
        (one,) = said({"P.java": java, PROPERTIES: text}, PROPERTIES)
        assert one.message.endswith(f"Did you mean 'max{asked}-size'?")


def test_a_name_that_occurs_in_code_is_not_reported() -> None:
    java = READS.replace("String all()", 'String other = "server.pool.idle-timout"; String all()')
    assert (
        shown(project(f"{GOOD}server.pool.idle-timout=1\n", java), "conf/server.properties") == []
    )


def test_a_name_that_a_placeholder_refers_to_is_not_reported() -> None:
    text = f"{GOOD}server.pool.idle-timout=1\nstorage.directory=${{server.pool.idle-timout}}/x\n"
    assert shown(project(text), "conf/server.properties") == []


@pytest.mark.parametrize(("folder", "told"), [("webapp/META-INF", 0), ("java/app", 1)])
def test_a_key_that_the_beans_of_a_web_application_ask_for_is_not_reported(
    folder: str, told: int
) -> None:
    beans = (
        '<beans xmlns="http://www.springframework.org/schema/beans">\n'
        "<property><value>${server.pool.colour}</value></property>\n</beans>\n"
    )
    files = project(f"{GOOD}server.pool.colour=red\n")
    files[f"app/src/main/{folder}/applicationContext.xml"] = beans
    assert len(shown(files, "conf/server.properties")) == told


def test_hadoop_xml() -> None:
    java = (
        "import org.apache.hadoop.conf.Configuration; class P { int a(Configuration c) {"
        ' return c.getInt("pool.max.size", 1) + c.getInt("pool.min.size", 1)'
        ' + c.getInt("pool.idle.time", 2); } }'
    )
    text = (
        "<configuration>\n<property><name>pool.max.size</name><value>1</value></property>\n"
        "<property><name>pool.idel.time</name><value>1</value></property>\n</configuration>\n"
    )
    files = {"P.java": java, "conf/pool-site.xml": text}
    assert shown(files, "conf/pool-site.xml") == ["unknown-option idel"]
    assert "<name>pool.idle.time</name>" in fixed(files, "conf/pool-site.xml")


def test_system_properties_on_a_command_line() -> None:
    java = 'class P { int a = Integer.getInteger("pool.maximum") + Integer.getInteger("pool.minimum"); }'
    files = {
        "P.java": java,
        "bin/run.sh": "LIMIT=3\nexec java -Dpool.minimum=1 -Dpool.maximun=3 -jar a.jar\n",
    }
    assert shown(files, "bin/run.sh") == ["unknown-option maximun"]


# --- unknown, where everything is known


def test_a_bound_class_defines_all_its_properties() -> None:
    files = {"P.java": BOUND, PROPERTIES: "app.pool.max-size=3\napp.pool.colour=red\n"}
    (one,) = said(files, PROPERTIES)
    assert (one.code, one.message) == (
        "unknown-option",
        "Unknown option 'app.pool.colour'.",
    )


def test_a_class_with_unresolved_parents_or_a_map_defines_no_closed_set() -> None:
    for change in (
        ("class Pool", "class Pool extends org.lib.Base"),
        ("private int maxSize", "private java.util.Map<String, String> app; private int maxSize"),
    ):
        java = BOUND.replace(*change)
        if "extends" in change[1]:
            quiet(java, "app.pool.max-size=3\napp.pool.colour=red\n")


def test_a_read_with_a_dynamic_name_leaves_the_key_set_open() -> None:
    java = BOUND + (
        "class Q { String a(org.springframework.core.env.Environment e, String name) {"
        ' return e.getProperty("app.pool." + name); } }'
    )
    quiet(java, "app.pool.max-size=3\napp.pool.colour=red\n")


def test_a_file_bound_to_one_class() -> None:
    java = (
        "import org.yaml.snakeyaml.Yaml; class L { Conf load(String t) { return new Yaml().loadAs(t, Conf.class); } }"
        " class Conf { public int max_threads; public String data_dir; public java.util.Map<String, String> tags;"
        " public java.util.List<Node> nodes; }"
        " class Node { public String host_name; public int host_port; }"
    )
    text = (
        "max_threads: 3\ndata_dir: x\ntags: {any: 1, thing: 2}\nnodes:\n"
        "- host_name: a\n  host_port: 1\n- host_name: b\n  colour: 2\nfavourite: 1\n"
    )
    files = {"L.java": java, "conf/server.yaml": text}
    assert shown(files, "conf/server.yaml") == [
        "unknown-option colour",
        "unknown-option favourite",
    ]


# --- never read


def test_an_unused_key_among_known_ones() -> None:
    text = f"{GOOD}server.pool.colour=red\n"
    (one,) = findings(analyse(project(text)), "conf/server.properties")
    assert (one.code, one.message) == (
        "unused-option",
        "The program never reads 'server.pool.colour'.",
    )
    assert [note for _, note in one.related] == ["'server.pool.hostname' is read here."]


def test_a_key_of_a_library_that_code_imports_may_be_read_by_it() -> None:
    java, path = READS.replace('"server.', '"org.server.'), "conf/server.properties"
    text = "org.server.pool.hostname=a\norg.server.pool.capacity=3\norg.server.pool.colour=red\n"
    assert shown(project(text, java), path) == ["unused-option org.server.pool.colour"]
    assert shown(project(text, f"import org.server.Server;\n{java}"), path) == []


def test_an_empty_section_is_not_an_unused_key() -> None:
    java = SPRING + (
        '@ConfigurationProperties("shop") record Shop(int size, String host, Cache cache) {'
        " record Cache(int size, boolean enabled) {} }"
    )
    text = "shop:\n  size: 1\n  host: a\n  cache:\n    \n"
    assert shown({"Shop.java": java, YAML: text}, YAML) == []
    text = "shop:\n  size: 1\n  host: a\n  cash:\n"
    assert shown({"Shop.java": java, YAML: text}, YAML) == ["unknown-option cash"]


def test_a_key_whose_last_segment_occurs_in_code_may_be_read() -> None:
    java = READS.replace("String all()", 'String suffix = ".pool.colour"; String all()')
    assert shown(project(f"{GOOD}server.pool.colour=red\n", java), "conf/server.properties") == []


@pytest.mark.parametrize(("folder", "told"), [("conf", True), ("docs/examples", False)])
def test_a_file_that_pages_show_pieces_of_is_told_typos_only(folder: str, told: bool) -> None:
    path = f"{folder}/server.properties"
    files = project(f"{GOOD}server.pool.colour=red\n", path=path)
    assert shown(files, path) == (["unused-option server.pool.colour"] if told else [])
    files = project(f"{GOOD}server.pool.idle-timout=9\n", path=path)
    assert shown(files, path) == ["unknown-option idle-timout"]


def test_a_key_among_unknown_ones_may_belong_to_another_program() -> None:
    text = f"{GOOD}storage.directory=a\nother.colour=1\nother.shape=2\n"
    assert shown(project(text), "conf/server.properties") == []


def test_an_incomplete_analysis_reports_nothing() -> None:
    analysis = attrs.evolve(analyse(project(f"{GOOD}server.pool.colour=red\n")), complete=False)
    assert check.findings(analysis, "conf/server.properties") == ()


# --- what users of comparable tools were wrongly told (see user-asks, unknown keys)


def test_a_property_with_a_setter_only() -> None:
    java = SPRING + (
        '@ConfigurationProperties("app") class P { private int limit; private int level;'
        " public void setLimitPerHour(int l) { limit = l; } public void setLevel(int l) { level = l; } }"
    )
    quiet(java, "app.limit-per-hour=3\napp.level=2\n")


def test_components_of_a_record() -> None:
    java = SPRING + '@ConfigurationProperties("app") record P(int maxSize, String hostName) {}'
    quiet(java, "app.max-size=3\napp.hostName=x\n")


def test_a_property_in_another_module() -> None:
    files = {
        "core/src/main/java/P.java": BOUND,
        "web/src/main/resources/application.properties": "app.pool.max-size=1\n",
    }
    assert shown(files, "web/src/main/resources/application.properties") == []


def test_a_property_of_a_superclass() -> None:
    java = SPRING + (
        "class Base { private int baseSize; public void setBaseSize(int b) { baseSize = b; } }"
        '@ConfigurationProperties("app") class P extends Base { private int own; private int two;'
        " public void setOwn(int o) { own = o; } public void setTwo(int t) { two = t; } }"
    )
    quiet(java, "app.base-size=1\napp.own=2\n")


@pytest.mark.parametrize("name", ["max_size", "maxSize", "MAX-SIZE", "max-size", "maxsize"])
def test_every_spelling_of_a_relaxed_name(name: str) -> None:
    quiet(BOUND, f"app.pool.host-name=b\napp.pool.{name}=3\n")


def test_placeholders_of_the_build() -> None:
    quiet(BOUND, "app.pool.max-size=@size@\n@prefix@.thing=1\n")


def test_escaped_keys_of_a_map() -> None:
    java = SPRING + (
        '@ConfigurationProperties("app") class P { private java.util.Map<String, String> names; private int size;'
        " public void setNames(java.util.Map<String, String> n) { names = n; } public void setSize(int s) { size = s; } }"
    )
    quiet(java, 'app:\n  size: 1\n  names:\n    "[a.b]": x\n    "[/c]": y\n', YAML)
    quiet(java, "app.size=1\napp.names[a.b]=x\n")


def test_merge_keys() -> None:
    text = (
        "defaults: &defaults\n  max-size: 3\n  host-name: a\n"
        "app:\n  pool:\n    <<: *defaults\n    host-name: b\n"
    )
    quiet(BOUND, text, YAML)


def test_a_setter_of_properties() -> None:
    java = SPRING + (
        '@ConfigurationProperties("app") class P { private java.util.Properties extra; private int size;'
        " public void setExtra(java.util.Properties e) { extra = e; } public void setSize(int s) { size = s; } }"
    )
    quiet(java, "app.size=1\napp.extra.any.thing=2\napp.extra.sise=3\n")


def test_a_library_object() -> None:
    java = SPRING + (
        '@ConfigurationProperties("app") class P { private org.lib.Pool pool; private int size;'
        " public void setPool(org.lib.Pool p) { pool = p; } public void setSize(int s) { size = s; } }"
    )
    quiet(java, "app.size=1\napp.pool.any-thing=2\n")


@pytest.mark.parametrize(
    ("path", "mark", "line"),
    [
        (YAML, "---", "app.pool.max-size: 3"),
        (PROPERTIES, "#---", "app.pool.max-size=3"),
        (PROPERTIES, "!---", "app.pool.max-size=3"),
    ],
)
def test_several_documents_in_a_file(path: str, mark: str, line: str) -> None:
    quiet(BOUND, f"{line}\n{mark}\n{line}\n", path)


def test_a_property_that_only_tests_read() -> None:
    files = {
        "src/main/java/P.java": BOUND,
        "src/test/java/T.java": VALUE
        + '@org.junit.Test class T { @Value("${app.test.user}") String user; }',
        "src/test/resources/application.properties": "app.pool.max-size=1\napp.test.user=x\n",
    }
    analysis = analyse(files)
    for path in analysis.config_files:
        assert findings(analysis, path) == []


def test_a_key_in_two_files() -> None:
    files = {
        "P.java": BOUND,
        PROPERTIES: "app.pool.max-size=1\n",
        "src/main/resources/application-dev.properties": "app.pool.max-size=2\n",
        "deploy/application.properties": "app.pool.max-size=3\n",
    }
    analysis = analyse(files)
    assert len(analysis.recognised.config_files()) == 3
    assert all(findings(analysis, path) == [] for path in analysis.config_files)


def test_placeholders_in_annotations_of_any_kind() -> None:
    java = BOUND + (
        'class K { @org.springframework.kafka.annotation.KafkaListener(topics = "${app.pool.topicName}")'
        ' void on(String m) {} @own.Every("${app.pool.rate:3}") void tick() {} }'
    )
    quiet(java, "app.pool.max-size=1\napp.pool.topic-name=t\napp.pool.rate=4\n")


def test_two_fields_of_one_type() -> None:
    java = SPRING + (
        "class Ends { private int size; private int time; public void setSize(int s) { size = s; } public void setTime(int t) { time = t; } }"
        '@ConfigurationProperties("app") class P { private Ends first; private Ends second;'
        " public Ends getFirst() { return first; } public void setFirst(Ends f) { first = f; }"
        " public Ends getSecond() { return second; } public void setSecond(Ends s) { second = s; } }"
    )
    quiet(java, "app.first.size=1\napp.first.time=2\napp.second.size=3\napp.second.time=4\n")


def test_keys_that_libraries_read() -> None:
    text = (
        "app.pool.max-size=1\nlogging.level.org.acme.Pool=debug\nlogging.level.root=info\n"
        "spring.datasource.url=x\nmanagement.server.port=1\nserver.prot=1\nquarkus.http.port=3\nlog4j.rootLogger=x\n"
    )
    quiet(BOUND, text)


def test_transposed_words_of_a_library_key() -> None:
    java = VALUE + (
        'class P { @Value("${server.tomcat.max-threads}") int threads; @Value("${app.max-size}") int size;'
        " int sum() { return threads + size; } }"
    )
    quiet(java, "app.max-size=1\nserver.tomcat.threads.max=3\n")


def test_keys_that_begin_with_a_dot() -> None:
    quiet(BOUND, "app.pool.max-size=1\n.app.pool.max-siz=2\n.hidden=3\n")


def test_hostile_keys() -> None:
    text = "app.pool.max-size=1\n" + "".join(
        f"{name}=1\n"
        for name in (
            "a" * 5000,
            "." * 300,
            "[" * 300,
            "a[0][1].b",
            "app.pool[",
            "\\u0000",
            "app.pool.]x[",
        )
    )
    analysis = analyse({"P.java": BOUND, PROPERTIES: text})
    for finding in findings(analysis, PROPERTIES):
        assert 0 <= finding.place.start <= finding.place.end <= len(text.encode())


# --- alone among options

ALONE = (
    "class P {\n"
    "  static java.util.Properties p = load();\n"
    "  static java.util.Properties load() { java.util.Properties q = new java.util.Properties();"
    ' try { q.load(new java.io.FileReader("server.properties")); } catch (Exception e) {} return q; }\n'
    '  String name = p.getProperty("name");\n'
    '  String node = p.getProperty("node.id");\n'
    '  String most = p.getProperty("tasks.max");\n'
    '  String every = p.getProperty("task.log.every");\n'
    '  String host = p.getProperty("server.hostname");\n'
    '  String text = p.getProperty("b.servers");\n'
    "  String all() { return name + node + most + every + host + text; }\n"
    "}\n"
)
ALL = ("name", "node.id", "tasks.max", "task.log.every", "server.hostname")


@pytest.mark.parametrize(
    ("meant", "typed"),
    [("name", "nmae"), ("node.id", "nozde.id"), ("tasks.max", "task.max")],
)
def test_an_uncertain_typo_is_reported_if_all_other_keys_are_known(meant: str, typed: str) -> None:
    text = "".join(f"{typed if name == meant else name}=a\n" for name in ALL)
    (found,) = said(project(text, ALONE), "conf/server.properties")
    assert (found.code, found.fixes) == ("unknown-option", (meant,))


@pytest.mark.parametrize(
    "text",
    [
        "nozde.id=a\nserver.hostname=a\ntask.log.every=1\n",
        "nozde.id=a\nserver.hostname=a\nname=a\ntasks.max=1\ntask.log.every=1\nx.one=1\ny.two=2\n",
        "node.di=a\nnode.id=a\nname=a\ntasks.max=1\nserver.hostname=a\n",
        "node.id=a\nA.b.servers=a\nname=a\ntasks.max=1\nserver.hostname=a\n",
    ],
)
def test_an_uncertain_typo_is_not_reported_among_unknown_keys(text: str) -> None:
    quiet(ALONE, text, "conf/server.properties")


def test_transposed_words_do_not_match_a_key_below_another_option() -> None:
    java = ALONE.replace('"b.servers"', '"server"')
    text = "name=a\ntasks.max=1\nhostname.server=a\nserver=b\nserver.more=c\nnode.id=1\n"
    assert shown(project(text, java), "conf/server.properties") == [
        "unknown-option hostname.server"
    ]
    java = java.replace('"server.hostname"', '"hostname.server"')
    text = text.replace("hostname.server", "server.hostname")
    assert shown(project(text, java), "conf/server.properties") == [
        "unknown-option server.hostname"
    ]


def test_a_near_match_that_occurs_in_code_is_not_a_typo() -> None:
    text = "".join(f"{'nmae' if name == 'name' else name}=a\n" for name in ALL)
    other = ALONE.replace("return name", 'return "nmae" + name')
    quiet(other, text, "conf/server.properties")


# --- deprecated


def test_a_deprecated_key_names_its_replacement() -> None:
    old = (
        "  /** @deprecated Use server.pool.capacity instead. */\n"
        '  @Deprecated static final String OLD = "server.pool.size";\n'
        "  String old = p.getProperty(OLD);\n"
        "  String all() { return old + host"
    )
    java = READS.replace("  String all() { return host", old)
    found = said(
        project("server.pool.size=3\nserver.pool.hostname=a\n", java), "conf/server.properties"
    )
    assert [(one.code, one.on, one.fixes) for one in found] == [
        ("deprecated-option", "server.pool.size", ("server.pool.capacity",))
    ]
    assert found[0].message.startswith("server.pool.size is deprecated: use server.pool.capacity")


def test_names_that_interfaces_state_are_no_unknown_options() -> None:
    rule = """import com.fasterxml.jackson.annotation.*;
    interface Named {{ @JsonProperty("{name}") String ruleName(); }}
    class Rule implements Named {{ public String ruleName() {{ return ""; }}
      @JsonProperty("match_pattern") public String match; @JsonProperty("sort_order") public int order; }}"""
    files = {
        "Load.java": "import com.fasterxml.jackson.dataformat.yaml.YAMLMapper; class Load { Conf load(java.io.File f)"
        " throws Exception { return new YAMLMapper().readValue(f, Conf.class); } }",
        "Conf.java": "class Conf { public java.util.List<Rule> ruleList; public int poolSize; }",
        "conf/app.yml": "poolSize: 4\nruleList:\n  - rule_name: a\n    match_pattern: b\n    sort_order: 1\n",
    }
    assert shown({**files, "Rule.java": rule.format(name="rule_name")}, "conf/app.yml") == []
    told = shown({**files, "Rule.java": rule.format(name="match_pattern")}, "conf/app.yml")
    assert told == ["unknown-option rule_name"]
