"""What was asked about other bodies is asked again when these are edited: each answer is that of a fresh scan.

A program is edited in one place, and back.  Each edit must change what is said, so that nothing can be kept.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conflens.base.system import MemorySystem
from conflens.session.analysis import Analysis
from conflens.session.store.cache import Cache
from incremental.asked_cases import CASES as FIRST
from incremental.asked_cases import OPENS, STORES
from session.support import living_and_fresh, session

BASE = "class Box { private int value; Box(int value) { this.value = value; } int get() { return value; } }"
OTHER = "class Other extends Box { Other(int value) { super(3); } int get() { return 4; } }"
FILLED = """class Pool {
    void fill() { Box box = make(Integer.getInteger("pool.size", 10)); byte[] all = new byte[box.get()]; }
    Box make(int value) { return new Box(value); }
}
"""
BEAN = """import java.util.Properties;
class Bean {
    private final Properties properties = new Properties();
    void add(String name, String value) { properties.put(name, value); }
    String get(String name) { return properties.getProperty(name); }
    Bean copy() { Bean copy = new Bean(); properties.forEach((k, v) -> copy.add(k.toString(), "" + v)); return copy; }
}
"""
STORE = """import java.util.*;
class Store {
    private final Map<String, String> properties;
    Store(Map<String, String> properties) { this.properties = properties; }
    void put(String key, String value) { properties.put(key, value); }
    String get(String key) { return properties.get(key); }
}
"""
ASKS_STORE = """class Asks {
    String all(Store store) { return store.get("index.date") + store.get("index.version") + store.get("index.profiles"); }
}
"""
PUTS_STORE = """class Puts {
    void all(Store store, long now) {
        store.put("index.date", "" + now);
        store.put("index.version", "" + (now + 1));
        store.put("index.profiles", "" + (now + 2));
    }
}
"""
ANSWER = """import java.util.*;
class Discovery {
    private final RestInvoker client = new RestInvoker();
    Component component(String url) {
        Map<String, String> properties = new HashMap<>();
        for (Map.Entry<String, Object> entry : client.invoke(url).entrySet()) properties.put(entry.getKey(), "" + entry.getValue());
        return new Component(properties);
    }
}
"""
JOB = """import com.fasterxml.jackson.databind.ObjectMapper;
class JobConfig {
    private long monitor;
    public void setMonitor(long monitor) { this.monitor = monitor; }
    public long getMonitor() { return monitor; }
}
class Jobs {
    JobConfig read(String name) throws Exception {
        return new ObjectMapper().readValue(new java.io.File("conf/job-config.json"), JobConfig.class);
    }
}
"""
MAIN = "class %s { public static void main(String[] args) { %s } }"
READS = 'class %s { int port = Integer.getInteger("some.port", %d); }'
SETTINGS = """import java.util.*;
class Settings {
    final Map<String, String> entries = new HashMap<>();
    void load(Properties file) throws Exception {
        file.load(new java.io.FileReader("a.properties"));
        for (String key : file.stringPropertyNames()) { entries.put(key, file.getProperty(key)); }
    }
    Set<String> keys() { return entries.keySet(); }
    String text(String key) { return entries.get(key); }
    void set(String key, String value) { entries.put(key, value); }
}
"""
COPY = """class Copy {
    static Settings of(Settings all) {
        Settings own = new Settings();
        for (String key : all.keys()) {
            if (key.startsWith("engine.")) { own.set(key.substring("engine.".length()), all.text(key)); }
        }
        return own;
    }
}
"""
ASKS_COPY = """class Asks {
    public static void main(String[] args) throws Exception {
        Settings all = new Settings();
        all.load(new java.util.Properties());
        byte[] most = new byte[Integer.parseInt(Copy.of(all).text("size"))];
    }
}
"""
PART_OF_CONF = """import java.util.*;
class Conf {
    final Map<String, String> all = new HashMap<>();
    void load(Properties file) throws Exception {
        file.load(new java.io.FileReader("a.properties"));
        for (String key : file.stringPropertyNames()) { all.put(key, file.getProperty(key)); }
    }
    Map<String, String> below(String prefix) {
        Map<String, String> found = new HashMap<>();
        all.forEach((key, value) -> { if (key.startsWith(prefix)) { found.put(key.substring(prefix.length()), value); } });
        return found;
    }
}
"""
SCOPES = """import org.eclipse.microprofile.config.ConfigProvider;
enum Key {
    SHOP("shop"), SIZE(SHOP, "size");
    final String key;
    Key(String key) { this.key = key; }
    Key(Key scope, String key) { this.key = scope.key + "." + key; }
    String find() { return ConfigProvider.getConfig().getValue(key, String.class); }
}
"""
BINDS = """import org.springframework.boot.context.properties.bind.Binder;
class Bind {
    <T> T get(org.springframework.core.env.Environment environment, String name, Class<T> type) {
        return Binder.get(environment).bind(name, type).get();
    }
    int size(org.springframework.core.env.Environment environment, String name) {
        return get(environment, name, Props.class).getSize();
    }
}
"""


OPTION_BUILDER = """import java.util.Properties;
class Opt<T> {
    final String key;
    final T initial;
    private Opt(Builder<T> builder) { this.key = builder.key; this.initial = builder.initial; }
    static final class Builder<T> {
        private String key;
        private T initial;
        Builder<T> key(String key) { this.key = key; return this; }
        Builder<T> or(T value) { this.initial = value; return this; }
        Opt<T> build() { Opt<T> made = new Opt<>(this); return made; }
        Opt<T> named(String name) { return key(name).build(); }
    }
    T from(Properties config) {
        Object value = config.getProperty(key);
        return value == null ? initial : (T) value;
    }
    static final Opt<Integer> MAX = new Builder<Integer>().or(16).named("app.max");
    static Integer max(Properties config) { return MAX.from(config); }
    static void last() { }
}
"""
PICKS = """import java.util.*;
class Pick {
    static List<String> ending(Map<String, String> all, String end) {
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, String> entry : all.entrySet()) { if (entry.getKey().endsWith(end)) found.add(entry.getValue()); }
        return found;
    }
}
"""
ASKS_PICKS = 'class Asks { Object asks() { return Pick.ending(System.getenv(), "_meta"); } }'
HANDED = 'class Keys { static String key(Class<?> c, Enum<?> e) { return c.getSimpleName() + "." + e.getDeclaringClass().getSimpleName() + "." + e.name(); } }'
ASKS_HANDED = "class A { String a() { return System.getProperty(Keys.key(A.class, Mode.FAST)); } }"

CASES = {
    **FIRST,
    "what a method does with an argument that it is handed": (
        {
            "Stores.java": STORES,
            "Hands.java": "class Hands { static String on(boolean keys) { return Stores.of(keys); } }",
            "Opens.java": OPENS % "Hands.on(true)",
        },
        ("Stores.java", "keys ?", "!keys ?"),
    ),
    "the type of a local": (
        {"Box.java": BASE, "Other.java": OTHER, "Pool.java": FILLED},
        ("Pool.java", "Box box", "Other box"),
    ),
    "a program that begins to use a class that none did": (
        {
            "One.java": MAIN % ("One", "/**/"),
            "Two.java": MAIN % ("Two", "new B();"),
            "A.java": READS % ("A", 1),
            "B.java": READS % ("B", 2),
        },
        ("One.java", "/**/", "new A();"),
    ),
    "a setter by which settings are copied": (
        {"Settings.java": SETTINGS, "Copy.java": COPY, "Asks.java": ASKS_COPY},
        ("Settings.java", "entries.put(key, value)", "entries.get(key)"),
    ),
    "settings that are copied as they are": (
        {"Settings.java": SETTINGS, "Copy.java": COPY, "Asks.java": ASKS_COPY},
        ("Copy.java", 'key.substring("engine.".length())', "key"),
    ),
    "a member class that begins to be inherited": (
        {
            "Part.java": 'class Part { int size() { return Integer.getInteger("part.size", 3); } }',
            "Base.java": "class Base { private static class Part { int size() { return 1; } } }",
            "User.java": "class User extends Base { byte[] use(Part part) { return new byte[part.size()]; } }",
        },
        ("Base.java", "private static class", "static class"),
    ),
    "a helper that makes something of a definition": (
        {
            "Made.java": "import org.apache.spark.internal.config.*; class Made { static TypedConfigBuilder<Integer> whole(ConfigBuilder b) { return new TypedConfigBuilder<>(b, null, null); } }",
            "Entries.java": 'import org.apache.spark.internal.config.*; class Entries { static final ConfigEntry<Integer> SIZE = Made.whole(new ConfigBuilder("spark.size")).createWithDefault(8); }',
        },
        ("Made.java", "new TypedConfigBuilder<>(b, null, null)", "Other.LAST"),
    ),
    "a use of a constant that began names alone": (
        {
            "Key.java": SCOPES,
            "Use.java": "class Use { String size() { return Key.SIZE.find(); } String other() { return /**/null; } }",
        },
        ("Use.java", "/**/null", "Key.SHOP.find()"),
    ),
    "a prefix that an annotation tells": (
        {
            "Props.java": '@org.springframework.boot.context.properties.ConfigurationProperties("shop") class Props { private int size; public int getSize() { return size; } public void setSize(int size) { this.size = size; } }',
            "Bind.java": BINDS,
        },
        ("Props.java", '("shop")', ""),
    ),
    "a method that a second body of a file begins to call": (
        {
            "Box.java": "class Box { private String key; void key(String key) { this.key = key; }"
            ' int get() { return Integer.getInteger("box." + key, 1); } }',
            "Use.java": 'class Use { void a(Box box) { box.key("size"); } void b(Box box) { } }',
        },
        ("Use.java", "void b(Box box) { }", 'void b(Box box) { box.key("depth"); }'),
    ),
    "a body that begins to fill a field of its own file": (
        {
            "A.java": "import java.io.*; import java.util.*; class A { public final Properties cache = new Properties();"
            " void init(InputStream in) throws IOException { } }",
            "B.java": 'class B { String size(A a) { return a.cache.getProperty("size"); } }',
        },
        ("A.java", "throws IOException { }", "throws IOException { cache.load(in); }"),
    ),
    "a body that begins to bind named values": (
        {
            "A.java": 'import javax.inject.*; class A { @Inject @Named("pool.size") int size; }',
            "M.java": "import com.google.inject.*; import com.google.inject.name.Names; import java.util.*;"
            " class M extends AbstractModule { protected void configure() { } }",
        },
        (
            "M.java",
            "configure() { }",
            "configure() { Names.bindProperties(binder(), new Properties()); }",
        ),
    ),
    "a body that begins to name where names begin": (
        {
            "Opts.java": 'enum Opts { POOL(null, "pool"), SIZE(POOL, "size"); final String key;'
            ' Opts(Opts s, String k) { key = s == null ? k : s.key + "." + k; } String get() { return System.getProperty(key); } }',
            "U.java": "class U { void m() { int s = Integer.parseInt(Opts.SIZE.get()); } }",
            "V.java": "class V { void f(Object o) { } void g() { } }",
        },
        ("V.java", "void g() { }", "void g() { f(Opts.POOL); }"),
    ),
    "objects that stand behind a body that grows": (
        {"Opt.java": OPTION_BUILDER},
        ("Opt.java", "(Properties config) {", "(Properties config) { int grown = 1;"),
    ),
    "a method that fills a map under its key": (
        {
            "Fills.java": "class Fills { static void put(java.util.Map<String, Object> config, String key, Object value) { if (config.get(key) == null) add(config, key, value); } static void add(java.util.Map<String, Object> config, String key, Object value) { config.put(key, value); } }",
            "Uses.java": 'class Uses { void use(java.util.Map<String, Object> config) { Fills.put(config, "pool.size", 5); } }',
        },
        ("Fills.java", "add(config, key, value); } static", "config.put(key, value); } static"),
    ),
    "keys that somebody else puts into a map that an object copies": (
        {
            "Bean.java": BEAN,
            "Scans.java": 'class Scans { Bean of(Bean bean, java.io.BufferedReader in) throws Exception { bean.add("rule", Scans.key(in)); return bean.copy(); } static String key(java.io.BufferedReader in) throws Exception { return in.readLine(); } }',
            "Asks.java": 'class Asks { String rule(Bean bean) { return bean.get("rule"); } }',
        },
        ("Scans.java", 'bean.add("rule"', "bean.add(key(in)"),
    ),
    "what an object keeps that a plug-in asks": (
        {
            "Plugin.java": "class Plugin { final java.util.Map<String, String> opts; Plugin(java.util.Map<String, String> opts) { this.opts = opts; } java.util.Map<String, String> options() { return opts; } }",
            "Conf.java": PART_OF_CONF,
            "Makes.java": 'class Makes { Plugin one(Conf conf) { return new Plugin(conf.below("one.")); } Plugin two(Conf conf) { return new Plugin(conf.below("two.")); } }',
            "Uses.java": 'class Uses { String size(Makes makes, Conf conf) { return makes.one(conf).options().get("size"); } }',
        },
        ("Makes.java", 'below("one.")', 'below("other.")'),
    ),
    "the key of a map in which a plug-in's options lie": (
        {
            "Step.java": 'class Step { void init(java.util.Map<String, String> options) { int size = Integer.parseInt(options.get("size")); } }',
            "Loads.java": "class Loads { java.util.Map<String, java.util.Map<String, String>> stepOptions; void load(Step step, String name) { step.init(stepOptions.get(name)); } }",
        },
        ("Loads.java", "stepOptions.get(name)", 'stepOptions.get("first")'),
    ),
    "a part of a document that an object is given": (
        {
            "Mail.java": "class MailConfig { public String host; }",
            "Holds.java": "import com.fasterxml.jackson.databind.JsonNode; class Holds { private JsonNode config; JsonNode getConfig() { return config; } void setConfig(JsonNode config) { this.config = config; } }",
            "Gives.java": 'import com.fasterxml.jackson.databind.JsonNode; class Gives { void give(Holds holds, JsonNode all) { holds.setConfig(all.get("mail")); } }',
            "Uses.java": "import com.fasterxml.jackson.databind.*; class Uses { String host(Holds holds, ObjectMapper mapper) { return mapper.convertValue(holds.getConfig(), MailConfig.class).host; } }",
        },
        ("Gives.java", '"mail"', '"post"'),
    ),
    "a registry that is told a name and that the program begins to make itself": (
        {
            "Makes.java": "import io.github.resilience4j.timelimiter.TimeLimiterRegistry; class Makes { static TimeLimiterRegistry of(TimeLimiterRegistry given) { return given; } }",
            "Uses.java": 'import io.github.resilience4j.timelimiter.TimeLimiterRegistry; class Uses { Object use(TimeLimiterRegistry given) { return Makes.of(given).timeLimiter("shop"); } }',
        },
        ("Makes.java", "return given", "return TimeLimiterRegistry.ofDefaults()"),
    ),
    "a map that an object of a class without source has": (
        {
            "Lineage.java": 'class Lineage { static Object topics(java.util.Map<String, Object> config) { return config.get("topics.regex"); } }',
            "Gives.java": "import x.y.Connector; import x.y.WorkerConfig; class Gives { Object of(Connector connector, WorkerConfig worker) { return Lineage.topics(connector.getAll()); } }",
        },
        ("Gives.java", "connector.getAll()", "worker.getAll()"),
    ),
    "a word that somebody else declares": (
        {
            "Asks.java": 'import org.opensearch.common.settings.Settings; class Asks { boolean of(Settings settings) { return settings.getAsBoolean("compress", false); } }',
            "Says.java": 'import org.opensearch.common.settings.Setting; class Says { static final Setting<Boolean> ON = Setting.boolSetting("compress", false); }',
        },
        ("Says.java", '"compress"', '"compressed"'),
    ),
    "keys of a table that are compared": (
        {
            "Servers.java": 'import com.electronwill.nightconfig.core.*; class Servers { Servers(CommentedConfig config) { for (UnmodifiableConfig.Entry entry : config.entrySet()) { if (entry.getKey().equals("try")) System.out.println("" + entry.getValue()); } } }',
            "Proxy.java": 'import com.electronwill.nightconfig.core.*; import com.electronwill.nightconfig.core.file.*; class Proxy { Proxy(CommentedFileConfig config) { CommentedConfig servers = config.get("servers"); System.out.println(new Servers(servers)); } }',
        },
        ("Proxy.java", '"servers"', '"hosts"'),
    ),
    "what another class puts into the map of a plug-in": (
        {
            "Live.java": 'import java.util.*; class Live implements Filter { static final String SERVERS = "servers";'
            " @Override public void init(Map<String, String> options) { System.out.println(options.get(SERVERS)); }"
            " static Map<String, String> of(Set<String> all) { return Map.of(SERVERS, all.toString()); } }",
            "Filter.java": "import java.util.*; interface Filter { void init(Map<String, String> options); }",
            "Scan.java": "import java.util.*; class Scan { void run(Set<String> all) { Live.of(all); } }",
        },
        ("Scan.java", "Live.of(all)", "all.clear()"),
    ),
    "what is put under the key of a plug-in": (
        {
            "Live.java": 'import java.util.*; class Live implements Filter { static final String SERVERS = "servers";'
            " @Override public void init(Map<String, String> options) { System.out.println(options.get(SERVERS)); } }",
            "Filter.java": "import java.util.*; interface Filter { void init(Map<String, String> options); }",
            "Scan.java": "import java.util.*; class Scan { void run(Set<String> all) { Map<String, String> given = new HashMap<>();"
            " given.put(Live.SERVERS, all.toString()); } }",
        },
        ("Scan.java", "all.toString()", '"none"'),
    ),
    "who else names the key of a plug-in": (
        {
            "Live.java": 'import java.util.*; class Live implements Filter { static final String SERVERS = "servers";'
            " @Override public void init(Map<String, String> options) { System.out.println(options.get(SERVERS)); } }",
            "Filter.java": "import java.util.*; interface Filter { void init(Map<String, String> options); }",
            "Scan.java": "import java.util.*; class Scan { void run(Set<String> all) { Map<String, String> given = new HashMap<>();"
            " given.put(Live.SERVERS, all.toString()); } }",
            "Names.java": "class Names { String name() { return describe(null); } String describe(String key) { return key; } }",
        },
        ("Names.java", "describe(null)", "describe(Live.SERVERS)"),
    ),
    "the name of a definition that a local holds": (
        {
            "Names.java": 'class Names { static final String PORT = "port"; }',
            "Local.java": "import joptsimple.*; class Local { int port(OptionParser parser, String[] args) {"
            " OptionSpec<Integer> port = parser.accepts(Names.PORT).withRequiredArg().ofType(Integer.class);"
            " OptionSet set = parser.parse(args); return port.value(set); } }",
        },
        ("Names.java", '"port"', '"http-port"'),
    ),
    "the sign of the keys that a helper picks": (
        {"Pick.java": PICKS, "Asks.java": ASKS_PICKS},
        ("Asks.java", '"_meta"', '"_host"'),
    ),
    "the map whose keys a helper picks": (
        {"Pick.java": PICKS, "Asks.java": ASKS_PICKS},
        ("Asks.java", "System.getenv()", "new java.util.HashMap<>()"),
    ),
    "the constant that a helper is handed": (
        {"Keys.java": HANDED, "A.java": ASKS_HANDED, "Mode.java": "enum Mode { FAST, SLOW }"},
        ("A.java", "Mode.FAST", "Mode.SLOW"),
    ),
    "whether the class of an object has a subclass": (
        {
            "Keys.java": HANDED,
            "B.java": 'class B { String b(Base base) { return System.getProperty("app." + base.getClass().getSimpleName()); } }',
            "Base.java": "class Base { }",
            "Sub.java": "class Sub { }",
        },
        ("Sub.java", "class Sub", "class Sub extends Base"),
    ),
    "what the program puts into the store that a wrapper asks": (
        {"Store.java": STORE, "Asks.java": ASKS_STORE, "Puts.java": PUTS_STORE},
        ("Puts.java", "store.put(", "System.out.printf("),
    ),
    "what a class writes that is made of a map": (
        {
            "Ticket.java": """import java.util.*;
class Ticket {
    final String id;
    Ticket(Map<String, Object> properties) { id = properties.get("ticket.id").toString(); }
    Map<String, Object> asMap() { return Map.of("ticket.id", id); }
}
"""
        },
        ("Ticket.java", 'Map.of("ticket.id"', 'Map.of("ticket.no"'),
    ),
    "what fills the map that an object keeps": (
        {
            "RestInvoker.java": "import java.util.*; class RestInvoker { native Map<String, Object> invoke(String url); }",
            "Discovery.java": ANSWER,
            "Component.java": """import java.util.*;
class Component {
    private final Map<String, String> properties;
    Component(Map<String, String> properties) { this.properties = properties; }
    String port() { return properties.get("livy.server.port"); }
}
""",
        },
        ("Discovery.java", "client.invoke(url)", "System.getenv()"),
    ),
    "the map that a helper is given": (
        {
            "Options.java": """import java.util.*;
class Options { static String of(Map<String, String> options, String name) { return options.get(name); } }
""",
            "Asks.java": """class Asks { String asks(Task task) { return Options.of(task.getOptions(), "import.format"); } }""",
            "Task.java": "class Task extends Import { } class ImportRequest extends Import { }",
            "Import.java": "import java.util.*; class Import { Map<String, String> options; Map<String, String> getOptions() { return options; } }",
        },
        ("Asks.java", "Task task", "ImportRequest task"),
    ),
    "what another class writes under a constant key": (
        {
            "Bucket.java": """import java.util.*;
class Bucket {
    static final String AUTHOR = "author";
    String read(java.io.InputStream in) {
        Map<String, Object> bucket = new org.yaml.snakeyaml.Yaml().load(in);
        return (String) bucket.get(AUTHOR);
    }
}
""",
            "Flow.java": """import java.util.*;
class Flow { String author; void write(Map<String, Object> map) { map.put(Bucket.AUTHOR, author); } }
""",
        },
        ("Flow.java", "map.put(Bucket.AUTHOR, author)", "map.remove(Bucket.AUTHOR)"),
    ),
    "who gives a setter the present time": (
        {
            "Setup.java": """import java.util.*;
class Setup {
    private String date;
    void setDate(String date) { this.date = date; }
    static Setup of(Dictionary<String, Object> properties) {
        Setup setup = new Setup();
        setup.date = properties.get("setup.date").toString();
        return setup;
    }
    void write(Dictionary<String, Object> properties) { properties.put("setup.date", date); }
}
""",
            "Starts.java": "class Starts { void start(Setup setup) { setup.setDate(new java.util.Date().toString()); } }",
        },
        ("Starts.java", "new java.util.Date().toString()", "toString()"),
    ),
    "the schema that a helper is given": (
        {
            "Helper.java": """import java.util.*;
class Helper { static Object required(Map<String, Object> props) { return props.get("doc.required"); } }
""",
            "Page.java": """import java.util.*;
class Page { Map<String, Object> propertiesSchema; Map<String, Object> table; Object all() { return Helper.required(propertiesSchema); } }
""",
        },
        ("Page.java", "required(propertiesSchema)", "required(table)"),
    ),
    "whether a class is one of rows of a database": (
        {
            "Registration.java": """import java.util.*;
@jakarta.persistence.Entity class Registration {
    final Map<String, String> configMap = new HashMap<>();
    void setText(String text) { for (String part : text.split(",")) configMap.put(part.split("=")[0], part.split("=")[1]); }
}
""",
            "Asks.java": 'class Asks { String asks(Registration one) { return one.configMap.get("alert.events"); } }',
        },
        ("Registration.java", "@jakarta.persistence.Entity class", "class"),
    ),
    "methods that mark a member": (
        {
            "JobConfig.java": JOB,
            "One.java": 'class One { void one(long id) throws Exception { new Jobs().read("a").setMonitor(id); } }',
            "Two.java": 'class Two { void two(long id) throws Exception { new Jobs().read("b").setMonitor(id); } }',
        },
        ("Two.java", "setMonitor(id)", "hashCode()"),
    ),
    "whether an interface that declares a name is one of enums": (
        {
            "Named.java": 'interface Named { String name(); static String key(Named one) { return "app." + one.name(); } }',
            "Asks.java": "class Asks { String asks() { return System.getProperty(Named.key(Kind.ONE)); } }",
            "Kind.java": "enum Kind implements Named { ONE; public String label() { return null; } }",
        },
        ("Kind.java", "label", "name"),
    ),
    "a program whose start is called otherwise": (
        {
            "One.java": MAIN % ("One", "new A();"),
            "Two.java": MAIN % ("Two", "new B();"),
            "A.java": READS % ("A", 1),
            "B.java": READS % ("B", 2),
        },
        ("One.java", "main", "start"),
    ),
}


def said(analysis: Analysis) -> tuple[object, ...]:
    flows = {
        option.key: analysis.flows.of_option(option.key) for option in analysis.options.options
    }
    return analysis.options, flows, analysis.problems


@pytest.mark.parametrize("title", CASES)
def test_an_edit_of_what_was_asked_elsewhere_gives_the_result_of_a_fresh_scan(title: str) -> None:
    files, (path, old, new) = CASES[title]
    edited = {path: files[path].replace(old, new)}
    texts = [
        said(fresh)
        for living, fresh in living_and_fresh([files, edited, {path: files[path]}])
        if said(living) == said(fresh)
    ]
    assert len(texts) == 2, "the living session says something else"
    assert texts[0] != texts[1], "the edit was meant to change what is said"


@pytest.mark.parametrize("title", CASES)
def test_so_it_is_after_a_restart(title: str, tmp_path: Path) -> None:
    files, (path, old, new) = CASES[title]
    system = MemorySystem(files)
    session(system, cache=Cache(tmp_path / "cache.sqlite", "1")).scan()
    living = session(system, cache=Cache(tmp_path / "cache.sqlite", "1"))
    before = said(living.scan())
    system.write(path, files[path].replace(old, new))
    living.files_changed([path])
    after = said(living.rebuild())
    assert after == said(session(system).scan())
    assert after != before
