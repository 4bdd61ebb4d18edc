"""Annotated options, one framework at a time."""

import pytest

from conflens.options.model import OptionType
from conflens.options.names.placeholders import Mention, placeholders
from options.bound_support import annotated, named, only, shown

SPRING_VALUE = "import org.springframework.beans.factory.annotation.Value;\n"
BOOT = "import org.springframework.boot.context.properties.*;\n"


def test_placeholders_nest_and_inner_defaults_are_effective() -> None:
    assert placeholders("${a:${b:c}}", "dollar") == [Mention("b", "c"), Mention("a", "c")]
    assert placeholders("${a:${b}}", "dollar") == [Mention("b", None), Mention("a", None)]


def test_an_expression_that_is_a_constant_is_a_default() -> None:
    def default(text: str) -> str | None:
        (mention,) = placeholders(f"${{a:{text}}}", "spel")
        return mention.default

    assert default("#{false}") == "false"
    assert default("#{ -2.5 }") == "-2.5"
    assert default("#{'x y'}") == "x y"
    assert default("#{''}") == ""
    for unknown in ("#{null}", "#{a}", "x#{1}", "#{1 + 1}", "#{'a' + 'b'}", "#{T(x.Y).Z}", "#{'a"):
        assert default(unknown) is None


def test_placeholders_take_several_and_colons_in_defaults() -> None:
    assert placeholders("${h}:${p:http://x:80}", "dollar") == [
        Mention("h", None),
        Mention("p", "http://x:80"),
    ]


def test_placeholder_inside_a_name_makes_a_pattern() -> None:
    assert placeholders("${a.${env}.url}", "dollar") == [
        Mention("env", None),
        Mention("a.*.url", None),
    ]


def test_unfinished_placeholder_ends_with_the_text() -> None:
    assert placeholders("x ${a.b", "dollar") == [Mention("a.b", None)]
    assert placeholders("${", "dollar") == []


def test_expression_language() -> None:
    text = "#{systemProperties['a.b'] ?: 'd'} and #{'${c:1}' + systemEnvironment['E']}"
    assert set(placeholders(text, "spel")) == {
        Mention("c", "1"),
        Mention("a.b", "d", "system-property"),
        Mention("E", None, "environment"),
    }
    assert placeholders("systemProperties['a']", "spel") == []


def test_an_expression_as_default_is_unknown() -> None:
    assert placeholders("${a:#{null}} ${b:#{T(X).y({1})}}-${c:{x}}", "spel") == [
        Mention("a", None),
        Mention("b", None),
        Mention("c", "{x}"),
    ]


def test_camel_braces() -> None:
    assert placeholders("{{q.name:in}}", "braces") == [Mention("q.name", "in")]


def test_spring_value_on_field() -> None:
    source = (
        SPRING_VALUE
        + 'package a;\nclass S { @Value("${pool.size:8}") private int size; int m() { return size; } }'
    )
    found = only(annotated(source))
    assert (found.domain, found.name, found.default) == ("spring", "pool.size", "8")
    assert found.is_read and found.member is not None and found.hint.java_type == "int"
    assert shown(found, source) == '"${pool.size:8}"'
    assert source.encode()[found.scope_at :].startswith(b"@Value")


def test_spring_value_in_constructor_belongs_to_the_assigned_field() -> None:
    source = SPRING_VALUE + (
        'class S { private final long limit; S(@Value("${limit:5}") long l) { this.limit = l; } }'
    )
    found = only(annotated(source))
    assert found.member is not None and found.member.number == 0
    assert found.hint.java_type == "long"


def test_spring_value_on_setter() -> None:
    source = SPRING_VALUE + 'class S { int n; @Value("${n.x}") void setN(int v) { n = v; } }'
    found = only(annotated(source))
    assert found.name == "n.x" and found.default is None
    assert found.member is not None and found.member.number == 0


def test_constants_of_other_files_are_resolved() -> None:
    keys = 'package k; public class Keys { public static final String P = "app"; }'
    source = (
        "package a; import k.Keys; import org.springframework.beans.factory.annotation.Value;"
        'class S { @Value("${" + Keys.P + ".size:" + 3 + "}") int size; }'
    )
    assert named(annotated(keys, source)) == {"app.size": "3"}


def test_unknown_constant_gives_a_pattern() -> None:
    source = SPRING_VALUE + 'class S { @Value("${" + Gone.X + ".size}") int size; }'
    assert [found.name for found in annotated(source)] == ["*.size"]


def test_a_project_annotation_of_that_name_is_ignored() -> None:
    own = "package a; public @interface Value { String value(); }"
    source = 'package a; class S { @Value("${pool.size:8}") int size; }'
    assert annotated(own, source) == []


def test_lombok_value_is_ignored() -> None:
    assert annotated("import lombok.Value; @Value class S { int size; }") == []


def test_micronaut_value_belongs_to_micronaut() -> None:
    source = (
        "import io.micronaut.context.annotation.*;"
        'class S { @Value("${a.b:1}") int x; @Property(name = "c.d", defaultValue = "2") int y; }'
    )
    assert {(found.domain, found.name, found.default) for found in annotated(source)} == {
        ("micronaut", "a.b", "1"),
        ("micronaut", "c.d", "2"),
    }


def test_a_meta_annotation_is_resolved_one_level_deep() -> None:
    meta = SPRING_VALUE + '@Value("${max.items:100}") public @interface MaxItems {}'
    source = "class S { @MaxItems int max; }"
    found = only(annotated(meta, source))
    assert (found.name, found.default, found.path) == ("max.items", "100", "1.java")
    assert shown(found, meta, source) == "@MaxItems"


def test_a_value_without_placeholder_is_ignored() -> None:
    assert annotated(SPRING_VALUE + 'class S { @Value("plain") String s; }') == []


def test_scheduled_attributes_are_times() -> None:
    source = (
        "import org.springframework.scheduling.annotation.Scheduled; class S {"
        '@Scheduled(fixedDelayString = "${poll:1000}", cron = "${cron:* * * * * *}") void m() {} }'
    )
    founds = {found.name: found for found in annotated(source)}
    assert founds["poll"].hint.type is OptionType.TIME and founds["poll"].default == "1000"
    assert founds["cron"].hint.type is OptionType.STRING


def test_class_level_placeholder() -> None:
    source = (
        "import org.springframework.cloud.openfeign.FeignClient;"
        '@FeignClient(name = "x", url = "${svc.url}") interface C {}'
    )
    found = only(annotated(source))
    assert (found.name, found.kind, found.member) == ("svc.url", "definition", None)


def test_configuration_properties() -> None:
    source = (
        "import org.springframework.boot.context.properties.ConfigurationProperties;"
        "import java.util.*; import java.time.Duration;"
        '@ConfigurationProperties(prefix = "app.mail") class Mail {'
        '  private String hostName = "localhost"; private int state;'
        "  private Duration timeout = Duration.ofSeconds(5);"
        "  private final Pool pool = new Pool();"
        "  private List<Target> targets = new ArrayList<>(); private Map<String, String> tags;"
        '  private List<String> names = Arrays.asList("a", "b");'
        "  public void setHostName(String h) { hostName = h; }"
        "  public void setTimeout(Duration t) { timeout = t; }"
        "  public Pool getPool() { return pool; }"
        "  public void setTargets(List<Target> t) { targets = t; }"
        "  public void setTags(Map<String, String> t) { tags = t; }"
        "  public void setNames(List<String> n) { names = n; }"
        "  static class Pool { private int maxSize = 4 * 2; public void setMaxSize(int m) { maxSize = m; } }"
        "  static class Target { private int port; public void setPort(int p) { port = p; } }"
        "}"
    )
    founds = annotated(source)
    assert named(founds) == {
        "app.mail.host-name": "localhost",
        "app.mail.timeout": "5s",
        "app.mail.pool.max-size": "8",
        "app.mail.targets": None,
        "app.mail.targets.*.port": "0",
        "app.mail.tags.*": None,
        "app.mail.names": "a,b",
    }
    by_name = {found.name: found for found in founds}
    assert by_name["app.mail.names"].hint.type is OptionType.LIST
    assert by_name["app.mail.timeout"].hint.java_type == "java.time.Duration"
    assert shown(by_name["app.mail.pool.max-size"], source) == "maxSize"


def test_configuration_properties_record_with_defaults() -> None:
    source = (
        "import org.springframework.boot.context.properties.ConfigurationProperties;"
        "import org.springframework.boot.context.properties.bind.*;"
        '@ConfigurationProperties("srv") record Server(@DefaultValue("8080") int port,'
        ' @Name("ssl-on") boolean tls, Limits limits) {}'
        'record Limits(@DefaultValue("10") int maxConnections) {}'
    )
    assert named(annotated(source)) == {
        "srv.port": "8080",
        "srv.ssl-on": "false",
        "srv.limits.max-connections": "10",
    }


def test_configuration_properties_constructor_binding() -> None:
    source = (
        "import org.springframework.boot.context.properties.ConfigurationProperties;"
        "import org.springframework.boot.context.properties.bind.DefaultValue;"
        '@ConfigurationProperties("c") class C { private final int poolSize;'
        ' C(@DefaultValue("3") int poolSize) { this.poolSize = poolSize; } }'
    )
    found = only(annotated(source))
    assert (found.name, found.default) == ("c.pool-size", "3")
    assert found.member is not None and found.member.number == 0


def test_configuration_properties_with_lombok() -> None:
    source = (
        "import lombok.Data; import org.springframework.boot.context.properties.*;"
        '@Data @ConfigurationProperties("l") class C { private int maxSize = 3; static int n; }'
    )
    assert named(annotated(source)) == {"l.max-size": "3"}


def test_configuration_properties_on_bean_method() -> None:
    source = (
        "import org.springframework.boot.context.properties.ConfigurationProperties;"
        'class A { @ConfigurationProperties("ds.pool") javax.sql.DataSource ds() { return null; }'
        '  @ConfigurationProperties("mine") Mine mine() { return new Mine(); } }'
        "class Mine { int a; public void setA(int v) { a = v; } }"
    )
    assert set(named(annotated(source))) == {"ds.pool.*", "mine.a"}


def test_a_recursive_class_terminates() -> None:
    source = (
        "import org.springframework.boot.context.properties.ConfigurationProperties;"
        '@ConfigurationProperties("n") class Node { private Node next; private int v;'
        " public void setNext(Node n) { next = n; } public void setV(int x) { v = x; } }"
    )
    assert set(named(annotated(source))) == {"n.v"}


def test_conditional_on_property() -> None:
    source = (
        "import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;"
        '@ConditionalOnProperty(prefix = "f", name = {"a", "b"}, havingValue = "true",'
        " matchIfMissing = true) class A {}"
        '@ConditionalOnProperty(name = "mode", havingValue = "redis") class B {}'
    )
    founds = {found.name: found for found in annotated(source)}
    assert named(list(founds.values())) == {"f.a": "true", "f.b": "true", "mode": None}
    assert founds["f.a"].hint.type is OptionType.BOOLEAN and founds["f.a"].is_read
    assert founds["mode"].hint.type is None and founds["mode"].hint.values == ("redis",)


def test_spring_profile_names_a_value_of_its_option() -> None:
    source = 'import org.springframework.context.annotation.Profile; @Profile("dev") class A {}'
    found = only(annotated(source))
    assert (found.name, found.hint.values) == ("spring.profiles.active", ("dev",))


def test_micronaut_nested_prefixes() -> None:
    source = (
        "import io.micronaut.context.annotation.*;"
        '@ConfigurationProperties("a") class A { private int x; public void setX(int v) { x = v; }'
        '  @ConfigurationProperties("b") static class B { private int y;'
        "  public void setY(int v) { y = v; } } }"
        '@EachProperty("each") class E { private int z; public void setZ(int v) { z = v; } }'
        '@Requires(property = "on", value = "yes") class R {}'
    )
    assert set(named(annotated(source))) == {"a.x", "a.b.y", "each.*.z", "on"}


def test_microprofile_property() -> None:
    source = (
        "package p; import org.eclipse.microprofile.config.inject.ConfigProperty; import java.util.Optional;"
        'class S { @ConfigProperty(name = "m.size", defaultValue = "7") int size;'
        "  @ConfigProperty Optional<Integer> depth; }"
    )
    founds = {found.name: found for found in annotated(source)}
    assert named(list(founds.values())) == {"m.size": "7", "p.S.depth": None}
    assert founds["p.S.depth"].hint.java_type == "java.lang.Integer"


def test_microprofile_properties_class() -> None:
    source = (
        "import org.eclipse.microprofile.config.inject.*;"
        '@ConfigProperties(prefix = "srv") class S { int port = 80;'
        ' @ConfigProperty(name = "the.host") String host; }'
    )
    assert named(annotated(source)) == {"srv.port": "80", "srv.the.host": None}


def test_smallrye_mapping() -> None:
    source = (
        "import io.smallrye.config.*; import java.util.*;"
        '@ConfigMapping(prefix = "server") interface Server { String hostName();'
        '  @WithName("the-port") @WithDefault("8080") int port(); Ssl ssl(); Map<String, Form> forms();'
        "  @WithParentName Extra extra(); Optional<String> log(); default int twice() { return 2; }"
        "  interface Ssl { int certCount(); } interface Form { String page(); } interface Extra { int e(); } }"
    )
    assert named(annotated(source)) == {
        "server.host-name": None,
        "server.the-port": "8080",
        "server.ssl.cert-count": None,
        "server.forms.*.page": None,
        "server.e": None,
        "server.log": None,
    }


def test_quarkus_root() -> None:
    source = (
        "import io.quarkus.runtime.annotations.*;"
        '@ConfigRoot(name = "http") class HttpConfig {'
        ' @ConfigItem(defaultValue = "5") int ioThreads; @ConfigItem(name = "n") int other; }'
        "@ConfigRoot class LogRuntimeConfig { @ConfigItem int level; }"
    )
    assert named(annotated(source)) == {
        "quarkus.http.io-threads": "5",
        "quarkus.http.n": None,
        "quarkus.log.level": None,
    }


def test_picocli() -> None:
    source = (
        "import picocli.CommandLine.Option; import picocli.CommandLine.Parameters; class C {"
        ' @Option(names = {"-t", "--threads"}, description = {"Number of", "threads"}) int threads = 4;'
        ' @Option(names = "-v", defaultValue = "true") boolean verbose;'
        ' @Parameters(paramLabel = "FILE") java.io.File file; }'
    )
    founds = {found.name: found for found in annotated(source)}
    assert named(list(founds.values())) == {"--threads": "4", "-v": "true", "FILE": None}
    assert founds["--threads"].description == "Number of\nthreads"
    assert founds["--threads"].domain == "command-line"


def test_picocli_names_of_one_option() -> None:
    source = (
        "import picocli.CommandLine.Option; class C {"
        ' @Option(names = {"--max-peers", "--peer-upper-bound", "-m"}) int peers = 25; }'
    )
    found = only(annotated(source))
    assert (found.name, found.aliases) == ("--peer-upper-bound", ("--max-peers",))


def test_picocli_name_in_a_constant_of_each_object() -> None:
    source = (
        "import picocli.CommandLine.Option; class C {"
        ' private final String flag = "--timeout"; @Option(names = flag) int timeout = 5; }'
    )
    assert named(annotated(source)) == {"--timeout": "5"}


def test_picocli_by_outer_class() -> None:
    source = 'import picocli.CommandLine; class C { @CommandLine.Option(names = "--x") int x; }'
    assert set(named(annotated(source))) == {"--x"}


@pytest.mark.parametrize(
    ("imported", "annotation"),
    [
        (
            "com.beust.jcommander.Parameter",
            '@Parameter(names = {"-n", "--num"}, description = "D")',
        ),
        ("org.kohsuke.args4j.Option", '@Option(name = "-n", aliases = {"--num"}, usage = "D")'),
        ("io.airlift.airline.Option", '@Option(name = {"-n", "--num"}, description = "D")'),
        (
            "com.github.rvesse.airline.annotations.Option",
            '@Option(name = {"-n", "--num"}, description = "D")',
        ),
    ],
)
def test_command_line_annotations(imported: str, annotation: str) -> None:
    source = f"import {imported}; class C {{ {annotation} private int num = 6; }}"
    found = only(annotated(source))
    assert (found.name, found.default, found.description) == ("--num", "6", "D")
    assert found.domain == "command-line" and found.is_read


def test_jadconfig() -> None:
    source = (
        "import com.github.joschi.jadconfig.Parameter;"
        'class C { @Parameter(value = "http_timeout") private int t = 30; }'
    )
    found = only(annotated(source))
    assert (found.domain, found.name, found.default) == ("jadconfig", "http_timeout", "30")


def test_ozone_config() -> None:
    source = (
        "import org.apache.hadoop.hdds.conf.*; import java.util.concurrent.TimeUnit;"
        '@ConfigGroup(prefix = "hdds.scm") class C {'
        ' @Config(key = "wait", defaultValue = "5m", type = ConfigType.TIME,'
        '   timeUnit = TimeUnit.SECONDS, description = "How long.") private long wait;'
        ' @Config(key = "hdds.scm.full", defaultValue = "1", type = ConfigType.INT) private int n;'
        " private int none; }"
    )
    founds = {found.name: found for found in annotated(source)}
    assert named(list(founds.values())) == {"hdds.scm.wait": "5m", "hdds.scm.full": "1"}
    wait = founds["hdds.scm.wait"]
    assert (wait.hint.type, wait.hint.unit, wait.description) == (
        OptionType.TIME,
        "s",
        "How long.",
    )


def test_airlift_setters() -> None:
    source = (
        "import io.airlift.configuration.*; class C { private int max = 9;"
        ' @Config("q.max") @ConfigDescription("Most") public C setMax(int m) { this.max = m; return this; } }'
    )
    found = only(annotated(source))
    assert (found.name, found.default, found.description) == ("q.max", "9", "Most")
    assert found.member is not None and found.member.number == 0


def test_owner_keys() -> None:
    source = (
        "import org.aeonbits.owner.Config; interface C extends Config {"
        ' @Key("s.port") @DefaultValue("80") int port(); }'
    )
    found = only(annotated(source))
    assert (found.domain, found.name, found.default) == ("owner", "s.port", "80")


def test_named_counts_only_where_properties_are_bound() -> None:
    source = 'import com.google.inject.name.Named; class C { C(@Named("a.b") int n) {} }'
    module = (
        "import com.google.inject.name.Names; class M { void configure() {"
        " Names.bindProperties(null, new java.util.Properties()); } }"
    )
    assert annotated(source) == []
    assert set(named(annotated(source, module))) == {"a.b"}


def test_airlift_marks_a_password() -> None:
    source = (
        "import io.airlift.configuration.*; class C { String key;"
        ' @Config("k") @ConfigSecuritySensitive void setKey(String k) { key = k; } }'
    )
    assert only(annotated(source)).hint.type is OptionType.PASSWORD


def test_osgi_metatype() -> None:
    source = (
        "import org.osgi.service.metatype.annotations.*;"
        '@ObjectClassDefinition(name = "Pool") @interface Pool { int max_size() default 10;'
        ' @AttributeDefinition(description = "Where") String data_dir() default "d"; }'
    )
    founds = {found.name: found for found in annotated(source)}
    assert set(founds) == {"max.size", "data.dir"}
    assert founds["max.size"].default == "10" and founds["data.dir"].description == "Where"


def test_a_condition_on_an_annotation_counts_where_the_annotation_is_used() -> None:
    meta = (
        "package a; import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;"
        '@ConditionalOnProperty("x.on") public @interface OnX {}'
    )
    source = "package a; @OnX class S {}"
    found = only(annotated(meta, source))
    assert (found.path, found.name) == ("1.java", "x.on")
    assert shown(found, meta, source) == "@OnX"


def test_a_plain_file_has_no_options() -> None:
    assert annotated("class A { @Override public String toString() { return null; } }") == []


def test_a_half_typed_annotation_does_no_harm() -> None:
    whole = ' @Value("${b.size:1}") int b; }'
    for half in ("class S { @Value int x;", "class S { @Value() int x;"):
        found = annotated(SPRING_VALUE + half + whole)
        assert [item.name for item in found] == ["b.size"], half
    # An annotation that is never closed takes the rest of the file with it: a known gap.
    assert annotated(SPRING_VALUE + "class S { @Value(int x;" + whole) == []
    assert annotated(SPRING_VALUE + 'class S { @Value("${a:') == []
