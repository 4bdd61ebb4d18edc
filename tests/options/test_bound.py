"""Classes bound from files, and data classes that are not."""

import pytest

from conflens.options.model import OptionType
from options.bound_support import bound_options, named, only, shown

CONFIG = "package c; public class Config { public int threads = 4; public String name; }"


def test_snakeyaml_load_as() -> None:
    source = (
        "package c; import org.yaml.snakeyaml.Yaml; class L { Config load(java.io.InputStream in) {"
        " return new Yaml().loadAs(in, Config.class); } }"
    )
    founds = bound_options(CONFIG, source)
    assert named(founds) == {"threads": "4", "name": None}
    threads = next(found for found in founds if found.name == "threads")
    assert (threads.domain, threads.kind, threads.loads_are_reads) == ("yaml", "field", True)
    assert threads.member is not None and not threads.is_read
    assert shown(threads, CONFIG) == "threads"
    assert CONFIG[threads.default_at : threads.default_end] == "4"


def test_snakeyaml_constructor() -> None:
    source = (
        "package c; import org.yaml.snakeyaml.*; import org.yaml.snakeyaml.constructor.Constructor;"
        "class L { Object y = new Yaml(new Constructor(Config.class, new LoaderOptions())); }"
    )
    assert set(named(bound_options(CONFIG, source))) == {"threads", "name"}


def test_snakeyaml_subclass_of_constructor_with_the_callers_class() -> None:
    source = (
        "package c; import org.yaml.snakeyaml.constructor.*; class L {"
        " static class Own extends CustomClassLoaderConstructor {"
        "   Own(Class<?> root, ClassLoader loader) { super(root, loader); } }"
        " Object a = new Own(Config.class, null); }"
    )
    assert set(named(bound_options(CONFIG, source))) == {"threads", "name"}


def test_class_passed_through_a_helper() -> None:
    source = (
        "package c; import org.yaml.snakeyaml.Yaml; class L {"
        " static <T> T load(String text, Class<T> type) { return new Yaml().loadAs(text, type); }"
        ' Config all() { return load("x", Config.class); } }'
    )
    assert set(named(bound_options(CONFIG, source))) == {"threads", "name"}


def test_nested_lists_maps_and_static_fields() -> None:
    config = (
        "package c; import java.util.*; public class Config {"
        " public static int ignored; private int hidden; public Ssl ssl = new Ssl();"
        ' public List<Node> nodes; public Map<String, Integer> weights; public String[] dirs = {"a", "b"};'
        ' public static class Ssl extends Base { public String store = "s"; }'
        " public static class Base { public boolean on = true; }"
        " public static class Node { public int port = 1; } }"
    )
    source = 'package c; import org.yaml.snakeyaml.Yaml; class L { Object o = new Yaml().loadAs("", Config.class); }'
    founds = bound_options(config, source)
    assert named(founds) == {
        "ssl": None,
        "ssl.store": "s",
        "ssl.on": "true",
        "nodes": None,
        "nodes.*.port": "1",
        "weights": None,
        "dirs": "a,b",
    }
    assert {found.name for found in founds if found.hint.type is OptionType.LIST} == {
        "nodes",
        "dirs",
    }


def test_class_used_twice_gives_both_names_at_one_place() -> None:
    config = (
        "package c; public class Config { public Tls server; public Tls client; }"
        'class Tls { public final String store; Tls() { store = "k"; } Tls(String s) { store = s; } }'
    )
    source = 'package c; import org.yaml.snakeyaml.Yaml; class L { Object o = new Yaml().loadAs("", Config.class); }'
    founds = [found for found in bound_options(config, source) if found.name.endswith("store")]
    assert named(founds) == {"server.store": "k", "client.store": "k"}
    assert len({found.at for found in founds}) == 1


def test_setters_are_properties() -> None:
    config = (
        "package c; public class Config { private int poolSize = 2; private int inner;"
        " public void setPoolSize(int n) { this.poolSize = n; } }"
    )
    source = 'package c; import org.yaml.snakeyaml.Yaml; class L { Object o = new Yaml().loadAs("", Config.class); }'
    found = only(bound_options(config, source))
    assert (found.name, found.default) == ("poolSize", "2")


def test_jackson_yaml_mapper_with_names() -> None:
    config = (
        "package c; import com.fasterxml.jackson.annotation.*; public class Setup {"
        ' @JsonProperty("max-size") private int max = 5; private int internal;'
        " @JsonIgnore public int skipped; }"
    )
    source = (
        "package c; import com.fasterxml.jackson.databind.ObjectMapper;"
        "import com.fasterxml.jackson.dataformat.yaml.YAMLFactory; class L {"
        " private final ObjectMapper mapper = new ObjectMapper(new YAMLFactory());"
        " Setup load(java.io.File f) { return mapper.readValue(f, Setup.class); } }"
    )
    founds = bound_options(config, source)
    assert named(founds) == {"max-size": "5"}
    assert founds[0].domain == "yaml"


def test_jackson_creator_parameters() -> None:
    config = (
        "package c; import com.fasterxml.jackson.annotation.*; public class ServerConfig {"
        ' private final int port; @JsonCreator public ServerConfig(@JsonProperty("the_port") int port) {'
        " this.port = port; } }"
    )
    source = (
        "package c; import com.fasterxml.jackson.databind.ObjectMapper; class L {"
        ' Object o = new ObjectMapper().readValue(new java.io.File("f"), ServerConfig.class); }'
    )
    found = only(bound_options(config, source))
    assert found.name == "the_port" and found.member is not None and found.member.number == 0


def test_members_of_a_class_that_jackson_makes_of_a_text_as_well() -> None:
    config = (
        "package c; import com.fasterxml.jackson.annotation.*; public class ServerConfig {"
        " @JsonCreator public static ServerConfig of(String text) { return new ServerConfig(1); }"
        ' @JsonCreator public ServerConfig(@JsonProperty("the_port") int port) { } }'
    )
    outer = "package c; public class Config { public java.util.List<ServerConfig> servers; }"
    source = (
        "package c; import com.fasterxml.jackson.databind.ObjectMapper; class L {"
        ' Object o = new ObjectMapper().readValue(new java.io.File("f"), Config.class); }'
    )
    names = sorted(found.name for found in bound_options(config, outer, source))
    assert names == ["servers", "servers.*.the_port"]


def test_a_jackson_dto_is_not_configuration() -> None:
    dto = "package c; public class Customer { public String name; public int age; }"
    source = (
        "package c; import com.fasterxml.jackson.databind.ObjectMapper; class L {"
        " Customer read(String json) { return new ObjectMapper().readValue(json, Customer.class); } }"
    )
    assert bound_options(dto, source) == []


def test_a_request_about_settings_is_not_configuration() -> None:
    dto = "package c; public class SettingsRequest { public String name; }"
    other = "package c; public class RequestOptions { public String name; }"
    source = (
        "package c; import com.fasterxml.jackson.databind.ObjectMapper; class L { ObjectMapper m;"
        " void read(String s) { m.readValue(s, SettingsRequest.class); m.readValue(s, RequestOptions.class); } }"
    )
    assert bound_options(dto, other, source) == []


def test_jackson_file_name_is_evidence() -> None:
    data = "package c; public class Limits { public int most = 3; }"
    source = (
        "package c; import com.fasterxml.jackson.databind.ObjectMapper; import java.io.File; class L {"
        ' static final String FILE = "etc/app-config.json";'
        " Object o = new ObjectMapper().readValue(new File(FILE), Limits.class); }"
    )
    found = only(bound_options(data, source))
    assert (found.name, found.domain) == ("most", "json")


def test_gson_uses_private_fields() -> None:
    config = (
        "package c; class AppConfig { private int retries = 3; transient int no; static int s; }"
    )
    source = (
        "package c; import com.google.gson.Gson; import java.io.FileReader; class L {"
        ' Object o = new Gson().fromJson(new FileReader("f"), AppConfig.class); }'
    )
    assert named(bound_options(config, source))["retries"] == "3"


def test_type_token() -> None:
    source = (
        "package c; import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;"
        "import com.fasterxml.jackson.core.type.TypeReference; class L {"
        ' Object o = new YAMLMapper().readValue("", new TypeReference<java.util.List<Config>>() {}); }'
    )
    assert set(named(bound_options(CONFIG, source))) == {"threads", "name"}


def test_dropwizard_configuration() -> None:
    source = (
        "import io.dropwizard.core.Configuration; import com.fasterxml.jackson.annotation.JsonProperty;"
        "class AppConfiguration extends Configuration {"
        ' @JsonProperty("queue") private int queueSize = 10; private Db db = new Db();'
        " public Db getDb() { return db; } public void setDb(Db d) { db = d; }"
        " static class Db { private String url; public void setUrl(String u) { url = u; } } }"
    )
    assert named(bound_options(source)) == {"queue": "10", "db": None, "db.url": None}


def test_a_project_class_called_configuration_is_ignored() -> None:
    base = "package a; public class Configuration {}"
    source = "package a; class AppConfiguration extends Configuration { public int x; }"
    assert bound_options(base, source) == []


def test_owner_methods_without_keys() -> None:
    source = (
        "import org.aeonbits.owner.Config; interface Server extends Config {"
        ' @DefaultValue("8080") int port(); @Key("host.name") String host(); }'
    )
    founds = bound_options(source)
    assert named(founds) == {"port": "8080"}
    assert founds[0].domain == "owner"


def test_spring_binder_has_a_prefix() -> None:
    config = "package c; public class Pool { private int maxSize = 1; public void setMaxSize(int m) { maxSize = m; } }"
    source = (
        "package c; import org.springframework.boot.context.properties.bind.*; class L {"
        ' Object m(Binder b) { return b.bind("app.pool", Bindable.of(Pool.class)); } }'
    )
    found = only(bound_options(config, source))
    assert (found.domain, found.name, found.default) == ("spring", "app.pool.max-size", "1")


def test_typesafe_beans() -> None:
    config = (
        "package c; public class Pool { private int max; public void setMax(int m) { max = m; } }"
    )
    source = (
        "package c; import com.typesafe.config.*; class L {"
        " Object m(Config conf) { return ConfigBeanFactory.create(conf, Pool.class); } }"
    )
    found = only(bound_options(config, source))
    assert (found.domain, found.name) == ("typesafe", "max")


def test_bean_utils_populate_needs_a_word() -> None:
    config = "package c; public class ServerConfig { int port = 1; public void setPort(int p) { port = p; } }"
    data = "package c; public class Person { int age; public void setAge(int a) { age = a; } }"
    source = (
        "package c; import org.apache.commons.beanutils.BeanUtils; class L { void m(java.util.Map<String, String> v) {"
        " ServerConfig s = new ServerConfig(); BeanUtils.populate(s, v); BeanUtils.populate(new Person(), v); } }"
    )
    assert named(bound_options(config, data, source)) == {"port": "1"}


def test_reflection_filled_beans() -> None:
    filler = (
        "package c; import java.lang.reflect.Method; import java.util.Properties; public class MixAll {"
        " public static void properties2Object(final Properties p, final Object object) {"
        "  for (Method method : object.getClass().getMethods()) { String name = method.getName();"
        '   if (name.startsWith("set")) { String v = p.getProperty(name.substring(3)); method.invoke(object, v); } } } }'
    )
    config = (
        "package c; public class BrokerConfig { private int sendThreads = 16;"
        " public void setSendThreads(int n) { sendThreads = n; } }"
    )
    source = (
        "package c; class Main { void m(java.util.Properties p) {"
        " BrokerConfig config = new BrokerConfig(); MixAll.properties2Object(p, config); } }"
    )
    found = only(bound_options(filler, config, source))
    assert (found.domain, found.name, found.default) == ("properties", "sendThreads", "16")


_FIELDS = "bean.getClass().getDeclaredFields()"


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        (
            f"for (Field f : {_FIELDS}) if (key.equals(f.getName())) f.set(bean, p.get(key));",
            {"threads", "name"},
        ),
        (
            f"for (Field f : {_FIELDS}) {{ if (!Objects.equals(f.getName(), key)) continue; f.set(bean, p.get(key)); }}",
            {"threads", "name"},
        ),
        (
            f"Field f = Arrays.stream({_FIELDS}).filter(x -> x.getName().equalsIgnoreCase(key)).findFirst().get();"
            " f.set(bean, p.get(key));",
            {"threads", "name"},
        ),
        (
            f'for (Field f : {_FIELDS}) if (key.equals("app." + f.getName())) f.set(bean, p.get(key));',
            {"app.threads", "app.name"},
        ),
        (
            'if (key.startsWith("app.")) { String rest = key.substring(4);'
            f" for (Field f : {_FIELDS}) if (f.getName().equals(rest)) f.set(bean, p.get(key)); }}",
            {"app.threads", "app.name"},
        ),
        (
            f'for (Field f : {_FIELDS}) if (f.getName().equals("threads")) f.set(bean, p.get(key));',
            set(),
        ),
        (
            f"for (Field f : {_FIELDS}) if (f.getName().equals(other)) f.set(bean, p.get(key));",
            set(),
        ),
        (
            f"for (Field f : {_FIELDS}) if (f.getType().equals(key)) f.set(bean, p.get(key));",
            set(),
        ),
    ],
)
def test_a_field_that_is_found_by_the_key(chosen: str, names: set[str]) -> None:
    source = (
        "package c; import java.lang.reflect.Field; import java.util.*; class L {"
        " static void fill(Object bean, Properties p, String other) throws Exception {"
        f"  for (String key : p.stringPropertyNames()) {{ {chosen} }} }}"
        ' void m(Properties p) { p.load(new java.io.FileReader("a.conf")); fill(new Config(), p, "name"); } }'
    )
    assert set(named(bound_options(CONFIG, source))) == names


def test_each_of_many_providers_gives_a_class_and_a_section() -> None:
    providers = "".join(
        f"class P{n} extends Provider {{ Class<?> type() {{ return C{n}Config.class; }}"
        f' String name() {{ return "s{n}"; }} }} class C{n}Config {{ int port = {n}; }}'
        for n in range(20)
    )
    source = (
        "package c; import java.lang.reflect.Field; import java.util.*;"
        " abstract class Provider { abstract Class<?> type(); abstract String name(); }"
        " class L { static void fill(Object bean, Properties p) throws Exception {"
        "  for (String key : p.stringPropertyNames()) bean.getClass().getDeclaredField(key).set(bean, p.get(key)); }"
        " void m(Provider one, Map<String, Properties> configs) throws Exception {"
        "  fill(one.type().newInstance(), configs.get(one.name())); } }"
    )
    founds = named(bound_options(source, f"package c; {providers}"))
    assert founds == {f"s{n}.port": str(n) for n in range(20)}


DIGESTED = (
    "import org.apache.commons.digester3.Digester; import java.io.*;"
    " class Pool { int size = 4; public void setSize(int size) { this.size = size; } }"
    " class Main { void read(%s in) throws Exception { Digester d = new Digester(); %s d.parse(in); } }"
)
RULES = 'd.addObjectCreate("%s", Pool.class); d.addSetProperties("%s");'


@pytest.mark.parametrize(
    ("paths", "source", "names"),
    [
        (["Server/Pool"], "File", {"Server/Pool/@size": "4"}),
        (["Server/Pool", "Client/Pool"], "File", {"*/Pool/@size": "4"}),
        (["Server/Pool", "Pool"], "File", {"*/Pool/@size": "4"}),
        (["Server/In", "Server/Out"], "File", {"*/@size": "4"}),
        (["Server/Pool"], "HttpRequest", {}),
        ([], "File", {}),
    ],
)
def test_elements_are_named_by_what_their_paths_share(
    paths: list[str], source: str, names: dict[str, str]
) -> None:
    rules = "".join(RULES % (path, path) for path in paths)
    assert named(bound_options(DIGESTED % (source, rules))) == names


def test_a_class_inside_another_root_is_not_a_root() -> None:
    config = "package c; public class Config { public Part part; } class Part { public int x; }"
    source = (
        'package c; import org.yaml.snakeyaml.Yaml; class L { Object a = new Yaml().loadAs("", Config.class);'
        ' Object b = new Yaml().loadAs("", Part.class); }'
    )
    assert set(named(bound_options(config, source))) == {"part", "part.x"}


def test_a_program_without_bound_classes() -> None:
    assert bound_options(CONFIG) == []
