"""Definition calls, one library at a time."""

from conflens.options.declared import definitions
from conflens.options.model import OptionType
from options.bound_support import defined, named, only, shown

KAFKA = "import org.apache.kafka.common.config.ConfigDef; import org.apache.kafka.common.config.ConfigDef.*;\n"


def test_kafka_chain() -> None:
    keys = (
        'package k; public class Keys { public static final String SIZE = "batch." + "size";'
        ' public static final String DOC = "How much " + "at once."; }'
    )
    source = KAFKA + (
        "import k.Keys; class C { static final ConfigDef CONFIG = new ConfigDef()"
        ".define(Keys.SIZE, Type.INT, 16 * 1024, Importance.HIGH, Keys.DOC)"
        '.define("acks", Type.STRING, "all", ValidString.in("all", "0", "1"), Importance.LOW, "A")'
        '.define("must", Type.LIST, ConfigDef.NO_DEFAULT_VALUE, Importance.LOW, "M")'
        '.define("req", Type.CLASS, Importance.LOW, "R")'
        '.define("nil", Type.PASSWORD, null, Importance.LOW, "N"); }'
    )
    founds = {found.name: found for found in defined(keys, source)}
    assert named(list(founds.values())) == {
        "batch.size": "16384",
        "acks": "all",
        "must": None,
        "req": None,
        "nil": None,
    }
    size = founds["batch.size"]
    assert (size.domain, size.kind, size.path) == ("kafka", "definition", "1.java")
    assert (size.hint.type, size.description) == (OptionType.INTEGER, "How much at once.")
    assert founds["acks"].hint.values == ("all", "0", "1")
    assert founds["req"].hint.type is OptionType.CLASS
    assert founds["nil"].hint.type is OptionType.PASSWORD
    assert shown(size, keys, source) == "Keys.SIZE"
    assert source.encode()[size.scope_at :].startswith(b"define(Keys.SIZE")
    assert source.encode()[size.default_at : size.default_end] == b"16 * 1024"


def test_kafka_definition_through_a_parameter() -> None:
    source = KAFKA + (
        "class S { static void add(ConfigDef def) {"
        ' def.define("sasl.x", Type.DOUBLE, 0.5, Importance.LOW, "D"); } }'
    )
    found = only(defined(source))
    assert (found.default, found.hint.type) == ("0.5", OptionType.FRACTION)


def test_kafka_name_with_prefix_of_the_caller() -> None:
    source = KAFKA + (
        "class S { static void add(ConfigDef def, String prefix) {"
        ' def.define(prefix + ".id", Type.STRING, "", Importance.LOW, "D"); }'
        ' static void all(ConfigDef d) { add(d, "a"); add(d, "b"); } }'
    )
    assert named(defined(source)) == {"a.id": "", "b.id": ""}


def test_an_unrelated_define_is_ignored() -> None:
    source = (
        "class Dictionary { Dictionary define(String word, String type, String text, String m) { return this; }"
        ' static Dictionary all() { return new Dictionary().define("a", "b", "c", "d"); } }'
    )
    assert defined(source) == []


def test_commons_cli_add_option() -> None:
    source = (
        "import org.apache.commons.cli.*; class C { void m() { Options options = new Options();"
        ' options.addOption("p", "port", true, "Port to use"); options.addOption("v", "Be loud");'
        ' options.addOption(new Option("n", true, "Number")); } }'
    )
    founds = {found.name: found for found in defined(source)}
    assert set(founds) == {"p", "port", "v", "n"}
    assert founds["port"].scope_at == founds["p"].scope_at
    assert founds["port"].description == "Port to use" and founds["port"].hint.type is None
    assert founds["v"].hint.type is None
    assert founds["n"].hint.type is None


def test_commons_cli_flag_is_boolean() -> None:
    source = (
        "import org.apache.commons.cli.Options; class C { void m(Options options) {"
        ' options.addOption("h", "help", false, "Help"); } }'
    )
    assert {found.hint.type for found in defined(source)} == {OptionType.BOOLEAN}


def test_commons_cli_builder_and_old_builder() -> None:
    source = (
        "import org.apache.commons.cli.Option; import org.apache.commons.cli.OptionBuilder; class C {"
        ' static final Option T = Option.builder("t").longOpt("threads").hasArg().type(Number.class)'
        '   .desc("Threads").build();'
        ' Option o = OptionBuilder.withLongOpt("out").withDescription("Where").hasArg().create("o"); }'
    )
    founds = {found.name: found for found in defined(source)}
    assert set(founds) == {"t", "threads", "o", "out"}
    assert founds["threads"].description == "Threads"
    assert founds["threads"].hint.java_type == "java.lang.Number"
    assert founds["out"].description == "Where" and founds["out"].hint.type is None
    assert founds["t"].member is not None and founds["t"].member.number == 0


def test_commons_cli_refined_through_a_local() -> None:
    source = (
        "import org.apache.commons.cli.Option; class C { Option m() {"
        ' Option o = new Option("q", "Quick"); o.setLongOpt("quick"); o.setDescription("Go"); return o; } }'
    )
    founds = defined(source)
    assert set(named(founds)) == {"q", "quick"}
    assert {found.description for found in founds} == {"Go"}


def test_picocli_programmatic() -> None:
    source = (
        "import picocli.CommandLine.Model.OptionSpec; class C {"
        ' OptionSpec o = OptionSpec.builder("-c", "--count").type(int.class).defaultValue("3")'
        '   .description("Times").build(); }'
    )
    founds = {found.name: found for found in defined(source)}
    assert named(list(founds.values())) == {"-c": "3", "--count": "3"}
    assert founds["--count"].hint.java_type == "int"


def test_jopt_simple() -> None:
    source = (
        "import joptsimple.OptionParser; import java.util.Arrays; class C { void m() {"
        ' OptionParser parser = new OptionParser(); parser.accepts("port", "The port").withRequiredArg()'
        '   .ofType(Integer.class).defaultsTo(9092); parser.accepts("help", "Help");'
        ' parser.acceptsAll(Arrays.asList("v", "verbose"), "Loud"); } }'
    )
    founds = {found.name: found for found in defined(source)}
    assert named(list(founds.values())) == {
        "port": "9092",
        "help": None,
        "v": None,
        "verbose": None,
    }
    assert founds["port"].hint.java_type == "java.lang.Integer"
    assert founds["port"].description == "The port"
    assert founds["help"].hint.type is OptionType.BOOLEAN


def test_other_names_of_a_definition_are_aliases_but_for_single_letters() -> None:
    source = (
        "import joptsimple.OptionParser; import java.util.*; class C { void m(OptionParser parser) {"
        ' parser.acceptsAll(Arrays.asList("p", "proxy", "proxy-protocol"), "Speak it");'
        ' parser.accepts("port"); parser.accepts("host"); } }'
    )
    founds = {found.name: found.aliases for found in defined(source)}
    assert founds == {
        "p": (),
        "proxy": (),
        "proxy-protocol": ("proxy",),
        "port": (),
        "host": (),
    }


def test_old_names_and_keys_of_files_are_no_aliases() -> None:
    source = KAFKA + (
        'class C { static final ConfigDef CONFIG = new ConfigDef().define("a.size", Type.INT, 3, Importance.LOW, "A")'
        '   .define("b.size", Type.INT, 4, Importance.LOW, "B"); }'
    )
    assert {found.name: found.aliases for found in defined(source)} == {"a.size": (), "b.size": ()}


def test_argparse4j() -> None:
    source = (
        "import net.sourceforge.argparse4j.inf.ArgumentParser; class C { void m(ArgumentParser p) {"
        ' p.addArgument("-l", "--limit").type(Integer.class).setDefault(10).help("Most");'
        ' p.addArgument("--mode").choices("fast", "slow"); } }'
    )
    founds = {found.name: found for found in defined(source)}
    assert named(list(founds.values())) == {"-l": "10", "--limit": "10", "--mode": None}
    assert founds["--limit"].description == "Most"
    assert founds["--mode"].hint.values == ("fast", "slow")


def test_flink_options_are_stored_in_fields() -> None:
    source = (
        "import org.apache.flink.configuration.*; import java.time.Duration; class C {"
        ' public static final ConfigOption<Duration> T = ConfigOptions.key("job.timeout")'
        '   .durationType().defaultValue(Duration.ofMinutes(2)).withDescription("Limit");'
        ' static final ConfigOption<String> N = ConfigOptions.key("job.name").stringType().noDefaultValue(); }'
    )
    founds = {found.name: found for found in defined(source)}
    assert named(list(founds.values())) == {"job.timeout": "2m", "job.name": None}
    assert founds["job.timeout"].hint.type is OptionType.TIME
    assert founds["job.timeout"].description == "Limit"
    held = definitions.by_member(founds.values())
    assert {ref.number: [found.name for found in each] for ref, each in held.items()} == {
        0: ["job.timeout"],
        1: ["job.name"],
    }


def test_flink_through_a_static_import() -> None:
    source = (
        "import static org.apache.flink.configuration.ConfigOptions.key; class C {"
        ' Object o = key("a.b").intType().defaultValue(1); }'
    )
    found = only(defined(source))
    assert (found.name, found.default, found.hint.type) == ("a.b", "1", OptionType.INTEGER)


def test_elasticsearch_settings() -> None:
    source = (
        "import org.elasticsearch.common.settings.Setting; class C {"
        ' static final Setting<Integer> N = Setting.intSetting("pool.size", 4, Setting.Property.NodeScope);'
        ' static final Setting<Boolean> B = Setting.boolSetting("pool.on", true);'
        ' static final Setting<?> P = Setting.groupSetting("pool.each."); }'
    )
    founds = {found.name: found for found in defined(source)}
    assert named(list(founds.values())) == {
        "pool.size": "4",
        "pool.on": "true",
        "pool.each.*": None,
    }
    assert founds["pool.on"].hint.type is OptionType.BOOLEAN
    assert founds["pool.size"].member is not None


def test_trino_session_property() -> None:
    source = (
        "import io.trino.spi.session.PropertyMetadata; class C {"
        ' Object o = PropertyMetadata.integerProperty("split_count", "Splits", 8, false); }'
    )
    found = only(defined(source))
    assert (found.name, found.default, found.description) == ("split_count", "8", "Splits")


def test_debezium_field() -> None:
    source = (
        "import io.debezium.config.Field; class C {"
        ' public static final Field F = Field.create("poll.ms").withDefault(500).withDescription("Wait"); }'
    )
    found = only(defined(source))
    assert (found.name, found.default, found.description) == ("poll.ms", "500", "Wait")
    assert found.member is not None


def test_definition_assigned_in_a_static_block() -> None:
    source = (
        "import org.apache.flink.configuration.*; class C { static final ConfigOption<Integer> X;"
        ' static { X = ConfigOptions.key("x.y").intType().noDefaultValue(); } }'
    )
    found = only(defined(source))
    assert found.member is not None and found.member.number == 0


def test_an_unknown_name_defines_nothing() -> None:
    source = KAFKA + (
        "class S { static void add(ConfigDef def, String name) {"
        ' def.define(name, Type.STRING, "", Importance.LOW, "D"); } }'
    )
    assert defined(source) == []


def test_equal_words_of_another_library_define_nothing() -> None:
    source = 'import org.example.ConfigOptions; class C { Object o = ConfigOptions.key("a.b").intType(); }'
    assert defined(source) == []


def test_the_old_builder_in_separate_statements() -> None:
    source = (
        "import org.apache.commons.cli.OptionBuilder; class C { void m() {"
        ' OptionBuilder.withLongOpt("out"); OptionBuilder.withDescription("Where"); OptionBuilder.create("o");'
        ' OptionBuilder.withLongOpt("in"); OptionBuilder.create("i"); } }'
    )
    assert {(found.name, found.description) for found in defined(source)} == {
        ("o", "Where"),
        ("out", "Where"),
        ("i", ""),
        ("in", ""),
    }


def test_two_packages_imported_on_demand() -> None:
    source = (
        "import org.apache.commons.cli.*; import com.example.*; class C {"
        ' void m() { Options options = new Options(); options.addOption("x", "X"); } }'
    )
    assert set(named(defined(source))) == {"x"}


def test_overloads_are_distinguished_by_types() -> None:
    source = KAFKA + (
        'class C { ConfigDef d = new ConfigDef().define("a", Type.INT, Importance.LOW, "Doc", "Group", 1,'
        ' Width.LONG, "Shown").define("b", Type.INT, 7, Importance.LOW, "Doc", "Group", 1, Width.LONG, "Shown")'
        '.define("c", Type.INT, Importance.LOW, "Doc", "Group", 1, Width.LONG, "Shown", null); }'
    )
    founds = {found.name: found for found in defined(source)}
    assert named(list(founds.values())) == {"a": None, "b": "7", "c": None}
    assert {found.description for found in founds.values()} == {"Doc"}
