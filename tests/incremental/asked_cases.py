"""Programs in which an answer rests on what stands in another file: files, and an edit of one of them."""

CLOCK = (
    "class Clock { static long last; static void tick() { last = System.currentTimeMillis(); } }"
)
ASKS_CLOCK = (
    'class %s { long most = Long.getLong("%s", 5); boolean late() { return Clock.last > most; } }'
)
KEYS = 'class Keys { static String size() { return "pool.size"; } }'
HELD = """import java.util.*;
class Held {
    static final String SIZE = %s;
    final Map<String, String> values = new HashMap<>();
    void load() { values.put(SIZE, System.getProperty("size")); values.put("other", System.getProperty("other")); }
    byte[] use() { return new byte[Integer.parseInt(values.get("pool.size"))]; }
}
"""
SIZES = "class Sizes { static int most() { return 3; } }"
SIZED = """class Sized {
    static final int MOST = Sizes.most();
    void use() { if (Boolean.getBoolean("sized")) { byte[] all = new byte[MOST]; } }
}
"""
STORES = 'class Stores { static String of(boolean keys) { return keys ? System.getProperty("keys") : System.getProperty("trust"); } }'
OPENS = "class Opens { void open() throws Exception { new java.io.FileInputStream(%s); } }"
CONF = {
    "Conf.java": "class Conf { String value(String k) { return System.getProperty(k); } }",
    "Other.java": "class Other { String value(String k) { return System.getenv(k); } }",
    "Registry.java": "class Registry<T> { void add(Handler<T> handler) { } }",
}
SAVES = (
    "class Saves { static void save(boolean x, int v) { if (x) { byte[] all = new byte[v]; } } }"
)
SAVED = 'class A { void m() { int v = Integer.getInteger("toy.v", 3); %s } }'
ON = "class On { static %s boolean IS = false; }"
LIMIT = """class Limit {
    final int most;
    Limit(int most) { this.most = most; }
    int most() { return most; }
    static int least() { return new Limit(Other.VALUE + 1).most(); }
}
"""
OTHER_LIMIT = 'class Other { static int VALUE = Integer.getInteger("other", 5); static Limit LIMIT = new Limit(VALUE); }'
ASKS_LIMIT = """class Asks {
    static Limit OWN = new Limit(Integer.getInteger("own", 5));
    private final Limit limit = %s;
    byte[] all() { return new byte[limit.most()]; }
}
"""
STORE = "interface Store { void load(int size); static Store[] both() { return new Store[] {new Files(), new Memory()}; } }"
FILES = (
    "class Files implements Store { public void load(int size) { byte[] all = new byte[size]; } }"
)
MEMORY = (
    "class Memory implements Store { public void load(int size) { long[] all = new long[size]; } }"
)
LOADS = """class Loads {
    private Store store;
    Loads(Store store) { this.store = store; }
    void change(Store other) { store = other; }
    void run() { store.load(Integer.getInteger("size", 3)); if (Boolean.getBoolean("load")) { store.load(4); } }
}
"""
STARTS = "class Starts { void go(java.util.List<Store> all) { Loads it = new Loads(%s); it.run(); %s } }"
NAMED = 'class Named { void run() { String name = System.getProperty("name", Names.NAME); if (name != null) { byte[] all = new byte[name.length() * 0 + %s]; } } }'
POSTED = """import java.util.Map;
class Task { Parts parts; }
class Parts { Map<String, Object> config; }
"""
ASKS_POSTED = """class Runs {
    Object most(Parts parts) { java.util.Map<String, Object> config = parts.config; return config.get("pool.most"); }
}
"""
POSTS = """import org.springframework.web.bind.annotation.RequestBody;
class Posts { void run(%s Task task) { new Runs().most(task.parts); } }
"""
BOUND = """import org.springframework.boot.context.properties.ConfigurationProperties;
@ConfigurationProperties("app")
class App {
    private Pool pool;
    public Pool getPool() { return pool; }
    public void setPool(Pool pool) { this.pool = pool; }
}
class Pool { private int size; public void setSize(int size) { this.size = size; } }
"""
WHOLE = """class Conf {
    String get(String key) { return System.getProperty(key); }
}
class Part extends Conf {
    private final String prefix;
    Part(String prefix) { this.prefix = prefix; }
    @Override String get(String key) { return System.getProperty(prefix + key); }
}
"""
CURSOR = """class Cursor {
    void set(java.util.Map<String, String> properties) {
        for (String key : properties.keySet()) { if (key.startsWith("internal.")) { %s } }
    }
}
"""
PROXY = """import java.util.*;
class Proxy {
    void call(Map<String, String> params) { use(params.get("group.name")); use(params.get("server.port")); }
    void use(String value) {}
}
"""
REGISTERS = """import java.util.*;
class Registers {
    void register(String group, Map<String, String> others) {
        Map<String, String> params = new HashMap<>();
        params.put("%s", group.trim());
        params.putAll(others);
        new Proxy().call(params);
    }
}
"""

PARAMS = 'import java.util.Map; class Signs { static String tenant(Map<String, String> params) { return params.get("tenant.id"); } }'
PARSES = """import java.util.Map;
import org.yaml.snakeyaml.Yaml;
class Parses {
    static Object version(String content) { Map<String, Object> all = new Yaml().load(content); return all.get("apiVersion"); }
}
"""

LOADS_TEXTS = """import java.util.Properties;
class LoadsTexts {
    final Properties props = new Properties();
    LoadsTexts(String path) throws Exception { props.load(LoadsTexts.class.getResourceAsStream(path)); }
    static Properties all() throws Exception { Properties all = new Properties(); all.load(Names.open()); return all; }
    String size() { return props.getProperty("pool.size"); }
    static String most() throws Exception { return all().getProperty("pool.most"); }
}
"""
NAMES_TEXTS = """class Names {
    static java.io.InputStream open() { return Names.class.getResourceAsStream("app.properties"); }
    static LoadsTexts other() throws Exception { return new LoadsTexts("store.properties"); }
}
"""
DOCUMENT = """import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
class Tree {
    private final JsonObject object;
    Tree(String text) { object = JsonParser.parseString(text).getAsJsonObject(); }
    int getInt(String name) { return object.get(name).getAsInt(); }
    boolean getBoolean(String name) { return object.get(name).getAsBoolean(); }
    String getString(String name) { return object.get(name).getAsString(); }
}
"""
ASKS_DOCUMENT = 'class PoolConfig { static int size(Tree tree) { return tree.getInt("size"); } }'
OPENS_DOCUMENT = """class Opens {
    static int size(java.nio.file.Path file, Request request) throws Exception { return PoolConfig.size(new Tree(java.nio.file.Files.readString(file))); }
    interface Request { String body(); }
}
"""

CASES = {
    "what a resource is called that another class opens": (
        {"LoadsTexts.java": LOADS_TEXTS, "Names.java": NAMES_TEXTS},
        ("Names.java", "app.properties", "messages.properties"),
    ),
    "what a resource is called whose name a caller gives": (
        {"LoadsTexts.java": LOADS_TEXTS, "Names.java": NAMES_TEXTS},
        ("Names.java", "store.properties", "i18n/store.properties"),
    ),
    "where a document comes from that a class of the project holds": (
        {"Tree.java": DOCUMENT, "PoolConfig.java": ASKS_DOCUMENT, "Opens.java": OPENS_DOCUMENT},
        ("Opens.java", "java.nio.file.Files.readString(file)", "request.body()"),
    ),
    "which class holds a document": (
        {"Tree.java": DOCUMENT, "PoolConfig.java": ASKS_DOCUMENT, "Opens.java": OPENS_DOCUMENT},
        ("Tree.java", "String getString(String name)", "String find(String name)"),
    ),
    "who gives parameters that nothing has entered": (
        {
            "Signs.java": PARAMS,
            "Asks.java": "import java.util.Map; class Asks { String of(Map<String, String> options) { return null; } }",
        },
        ("Asks.java", "return null", "return Signs.tenant(options)"),
    ),
    "whether a method with parameters overrides one of the program's own": (
        {
            "Own.java": 'import java.util.Map; class Own extends Base { String tenant(Map<String, String> params) { return params.get("tenant.id"); } }',
            "Base.java": "class Base { void close() {} }",
        },
        (
            "Base.java",
            "void close() {}",
            "String tenant(java.util.Map<String, String> params) { return null; }",
        ),
    ),
    "whether the text of a document is what somebody sent": (
        {
            "Parses.java": PARSES,
            "Asks.java": "class Asks { Object of(ChangeEvent event) { return Parses.version(event.content()); } }",
            "ChangeEvent.java": 'class ChangeEvent { String content() { return ""; } }',
        },
        ("Asks.java", "event.content()", '"a: b"'),
    ),
    "which class a request brings": (
        {"Task.java": POSTED, "Runs.java": ASKS_POSTED, "Posts.java": POSTS % ""},
        ("Posts.java", "run( Task", "run(@RequestBody Task"),
    ),
    "what a class has that a request brings": (
        {
            "Task.java": POSTED,
            "Runs.java": ASKS_POSTED,
            "Posts.java": POSTS % "@RequestBody",
        },
        ("Task.java", "Parts parts", "Object parts"),
    ),
    "who replaces a member of a bound class": (
        {
            "App.java": BOUND,
            "Sets.java": "class Sets { void set(App app) { Pool pool = new Pool(); app.setPool(null); } }",
        },
        ("Sets.java", "setPool(null)", "setPool(pool)"),
    ),
    "whether a class is bound that holds what a library binds": (
        {
            "Login.java": """import org.springframework.boot.autoconfigure.security.oauth2.resource.OAuth2ResourceServerProperties;
import org.springframework.boot.context.properties.ConfigurationProperties;
@ConfigurationProperties("login") class Login {
    private OAuth2ResourceServerProperties server;
    OAuth2ResourceServerProperties getServer() { return server; }
    void setServer(OAuth2ResourceServerProperties server) { this.server = server; }
}
""",
            "Asks.java": """import org.springframework.boot.autoconfigure.security.oauth2.resource.OAuth2ResourceServerProperties;
class Asks {
    String uri(Login login) { OAuth2ResourceServerProperties server = login.getServer(); return server.getJwt().getJwkSetUri(); }
}
""",
        },
        ("Login.java", '@ConfigurationProperties("login") ', ""),
    ),
    "whether an object is seen to be of a subclass": (
        {
            "Conf.java": WHOLE,
            "Asks.java": 'class Asks { byte[] all = new byte[Integer.parseInt(Makes.conf().get("size"))]; }',
            "Makes.java": 'class Makes { static Conf conf() { return make(new Conf()); } static Conf make(Conf conf) { return conf; } Conf part = new Part("db."); }',
        },
        ("Makes.java", "return make(new Conf())", 'return new Part("pool.")'),
    ),
    "what is done for a key": (
        {"Cursor.java": CURSOR % 'throw new IllegalStateException("reserved");'},
        ("Cursor.java", "throw new IllegalStateException", "System.out.println"),
    ),
    "what the program puts among parameters": (
        {"Proxy.java": PROXY, "Registers.java": REGISTERS % "other"},
        ("Registers.java", '"other"', '"group.name"'),
    ),
    "by which of two objects of a class a method answers": (
        {
            "Limit.java": LIMIT,
            "Other.java": OTHER_LIMIT,
            "Asks.java": ASKS_LIMIT % "Makes.limit()",
            "Makes.java": "class Makes { static Limit limit() { return Asks.OWN; } }",
        },
        ("Makes.java", "Asks.OWN", "Other.LIMIT"),
    ),
    "which object a field is given elsewhere": (
        {
            "Store.java": STORE,
            "Files.java": FILES,
            "Memory.java": MEMORY,
            "Loads.java": LOADS,
            "Starts.java": STARTS % ("new Files()", "it.change(new Files()); /**/"),
        },
        ("Starts.java", "Loads(new Files()", "Loads(new Memory()"),
    ),
    "a method that somebody begins to call with another object": (
        {
            "Store.java": STORE,
            "Files.java": FILES,
            "Memory.java": MEMORY,
            "Loads.java": LOADS,
            "Starts.java": STARTS % ("new Files()", "it.change(new Files()); /**/"),
        },
        ("Starts.java", "/**/", "it.change(new Memory());"),
    ),
    "a method that somebody begins to refer to": (
        {
            "Store.java": STORE,
            "Files.java": FILES,
            "Memory.java": MEMORY,
            "Loads.java": LOADS,
            "Starts.java": STARTS % ("new Files()", "it.change(new Files()); /**/"),
        },
        ("Starts.java", "/**/", "all.forEach(it::change);"),
    ),
    "a constructor that somebody begins to refer to": (
        {
            "Store.java": STORE,
            "Files.java": FILES,
            "Memory.java": MEMORY,
            "Loads.java": LOADS,
            "Starts.java": STARTS % ("new Files()", "it.change(new Files()); /**/"),
        },
        ("Starts.java", "/**/", "all.stream().map(Loads::new);"),
    ),
    "whether what is given back for an option that is not set is null": (
        {
            "Named.java": NAMED % "Sizes.most()",
            "Sizes.java": SIZES,
            "Names.java": 'class Names { static final String NAME = "a"; }',
        },
        ("Names.java", '"a"', "null"),
    ),
    "an argument that comes over two locals": (
        {
            "Saves.java": SAVES,
            "A.java": SAVED % "boolean y = true; boolean x = y; Saves.save(x, v);",
        },
        ("A.java", "y = true", "y = false"),
    ),
    "whether a field that is handed over is a constant": (
        {"Saves.java": SAVES, "A.java": SAVED % "Saves.save(On.IS, v);", "On.java": ON % "final"},
        ("On.java", "static final", "static"),
    ),
    "a constant whose value is typed anew": (
        {"Saves.java": SAVES, "A.java": SAVED % "Saves.save(On.IS, v);", "On.java": ON % "final"},
        ("On.java", "= false", "="),
    ),
    "a local that an inner body begins to use": (
        {
            "A.java": SAVED
            % "new Thread(new Runnable() { public void run() { byte[] all = new byte[4]; } }).start();"
        },
        ("A.java", "new byte[4]", "new byte[v]"),
    ),
    "what a lambda is given as an interface of the project": (
        {
            **CONF,
            "Handler.java": "interface Handler<T> { void on(Conf conf); }",
            "A.java": 'class A { void m(Registry<Other> r) { r.add(c -> c.value("a")); } }',
        },
        ("Handler.java", "Conf", "T"),
    ),
    "which of the parameters of an interface is which": (
        {
            **CONF,
            "Handler.java": "interface Handler<T> { void on(Conf one, Other two); }",
            "A.java": 'class A { void m(Registry<Other> r) { r.add((c, d) -> c.value("a")); } }',
        },
        ("Handler.java", "Conf one, Other two", "Other one, Conf two"),
    ),
    "a field that a clock is kept in": (
        {
            "Clock.java": CLOCK,
            "A.java": ASKS_CLOCK % ("A", "a"),
            "B.java": ASKS_CLOCK % ("B", "b"),
        },
        ("Clock.java", "currentTimeMillis", "nanoTime"),
    ),
    "a constant key that a method makes": (
        {"Keys.java": KEYS, "Held.java": HELD % "Keys.size()"},
        ("Keys.java", "pool.size", "other"),
    ),
    "a constant key made of one that a method makes": (
        {
            "Keys.java": KEYS.replace("pool.size", "pool."),
            "More.java": "class More { static final String HEAD = Keys.size(); }",
            "Held.java": HELD % 'More.HEAD + "size"',
        },
        ("Keys.java", "pool.", "pond."),
    ),
    "a constant size that a method gives": (
        {"Sizes.java": SIZES, "Sized.java": SIZED},
        ("Sizes.java", "return 3", 'return Integer.getInteger("most")'),
    ),
    "a method without code that is given some": (
        {
            "Native.java": "class Native { native void fill(int size); }",
            "Calls.java": 'class Calls { void go(Native it) { it.fill(Integer.getInteger("size")); } }',
        },
        ("Native.java", "size);", "size) { int more = 3; }"),
    ),
    "an argument that keeps a value from coming back": (
        {"Stores.java": STORES, "Opens.java": OPENS % "Stores.of(true)"},
        ("Opens.java", "true", "false"),
    ),
}
