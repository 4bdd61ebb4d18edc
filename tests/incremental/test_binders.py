"""Objects that are filled over several files: after edits of any of them a session says what a new one says."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from conflens.base.system import MemorySystem
from conflens.options.binding.reflection import Fill, fills
from conflens.options.model import OptionTable
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import Tracer
from conflens.program.refs import MemberRef
from session.support import session

FILLER = """import java.lang.reflect.Field; import java.util.*;
class Filler {
    static void fill(Map<String, String> properties, Object target) throws Exception {
        for (Field field : target.getClass().getDeclaredFields()) {
            Assign.set(field, target, properties.get("a." + field.getName()));
        }
    }
}
"""
FILES = {
    "src/PoolConfig.java": "class PoolConfig { int size = 3; String name; }",
    "src/Limits.java": "class Limits { int most = 9; }",
    "src/Filler.java": FILLER,
    "src/Assign.java": (
        "import java.lang.reflect.Field; class Assign {"
        " static void set(Field field, Object target, String text) throws Exception { field.set(target, text); } }"
    ),
    "src/Load.java": (
        "import java.util.*; class Load { static <T> T load(String file, Class<T> type) throws Exception {"
        " Properties all = new Properties(); all.load(new java.io.FileReader(file));"
        " T made = type.newInstance(); Filler.fill((Map) all, made); return made; } }"
    ),
    "src/Main.java": (
        "class Main { static PoolConfig pool; static void main(String[] args) throws Exception {"
        ' pool = Load.load("a.conf", PoolConfig.class); System.out.println(pool.size); } }'
    ),
    "src/Tree.java": (
        "import com.fasterxml.jackson.databind.*; import java.util.*; class Tree {"
        " static <T> T read(Properties props, String prefix, Class<T> type) {"
        " Map<String, Object> tree = new HashMap<>();"
        " for (String key : props.stringPropertyNames()) if (key.startsWith(prefix))"
        " tree.put(key.substring(prefix.length()), props.getProperty(key));"
        " return new ObjectMapper().convertValue(tree, type); } }"
    ),
    "src/Module.java": (
        "import java.util.*; class Module { Object bind(Properties props) {"
        ' return Tree.read(props, "b.limits.", Limits.class); } }'
    ),
    "src/Row.java": (
        "import java.util.*; class Row { static Object use() {"
        ' Map<String, Object> options = new HashMap<>(); options.put("id", System.nanoTime());'
        ' return Row.at(options); } static Object at(Map<String, Object> options) { return options.get("id"); } }'
    ),
}
FILES |= {
    "src/Provider.java": (
        "abstract class Provider { abstract String name(); abstract Class<?> type(); abstract Class<?> group(); }"
        " abstract class Group { final String name; Group(String name) { this.name = name; } String name() { return name; } }"
    ),
    "src/Web.java": (
        'class Web extends Provider { String name() { return "web"; } Class<?> type() { return WebConfig.class; }'
        " Class<?> group() { return Server.class; } } class WebConfig { int port = 80; }"
    ),
    "src/Server.java": 'class Server extends Group { Server() { super("server"); } }',
    "src/ByKey.java": (
        "import java.lang.reflect.Field; import java.util.*; class ByKey {"
        " static Field field(Class<?> type, String name) { for (Field f : type.getDeclaredFields())"
        " if (f.getName().equals(name)) return f; return null; }"
        " static void copy(Object bean, Properties all) throws Exception { for (String key : all.stringPropertyNames())"
        " field(bean.getClass(), key).set(bean, all.get(key)); } }"
    ),
    "src/Start.java": (
        "import java.util.*; class Start { void start(Map<String, Map<String, Properties>> config, Group group,"
        " Provider provider) throws Exception { ByKey.copy(provider.type().newInstance(),"
        " Sections.of(config.get(group.name()), provider.name())); } }"
    ),
    "src/Sections.java": (
        "import java.util.*; class Sections {"
        " static Properties of(Map<String, Properties> all, String key) { return all.get(key); } }"
    ),
}
FILES["src/Nested.java"] = (
    "import java.util.*; class Nested { Object read(Map<String, Map<String, Object>> config) {"
    ' return Part.use(config.get("core")); } }'
)
FILES["src/Part.java"] = (
    "import java.util.*; class Part { static Object use(Map<String, Object> settings) {"
    ' return settings.get("lanes"); } }'
)
FILES |= {
    "src/Mappers.java": (
        "import com.fasterxml.jackson.databind.ObjectMapper; import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;"
        " class Mappers { static ObjectMapper first() { return new ObjectMapper(); }"
        " static ObjectMapper second() { return with(new YAMLMapper()); }"
        " static ObjectMapper with(ObjectMapper mapper) { return mapper.copy(); } }"
    ),
    "src/Updates.java": (
        "class Updates { static Object read(String text) throws Exception {"
        " return Mappers.second().readValue(text, Tuning.class); } Object other() { return null; } }"
    ),
    "src/Tuning.java": "class Tuning { public int lanes = 2; }",
}
FILES |= {
    "src/Site.java": (
        "import com.fasterxml.jackson.databind.*; import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;"
        " class Site { static Object read() throws Exception {"
        ' return new YAMLMapper().readValue(new java.io.File("site.yaml"), SiteConfig.class); } }'
        " class SiteConfig { public Queue queue; public Range range; public Key key; }"
    ),
    "src/Queue.java": (
        "import com.fasterxml.jackson.annotation.*; @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "
        '"kind", defaultImpl = Local.class) interface Queue {}'
    ),
    "src/Local.java": (
        'import com.fasterxml.jackson.annotation.*; @JsonTypeName("local") record Local(Integer depth) implements Queue {'
        " Local { if (depth == null) depth = Bounds.DEPTH; } }"
    ),
    "src/Bounds.java": (
        "class Bounds { static final int DEPTH = 5; final Integer most; Bounds(Integer most) {"
        " this.most = most != null ? most : 7; } }"
    ),
    "src/Range.java": (
        "import com.fasterxml.jackson.annotation.*; class Range extends Bounds { private Integer least; @JsonCreator"
        ' Range(@JsonProperty("from") Integer least, @JsonProperty("to") Integer most) { super(most); this.least = least; } }'
    ),
    "src/Key.java": "record Key(String text, int size) {}",
    "src/Keys.java": (
        "import com.fasterxml.jackson.databind.*; import com.fasterxml.jackson.databind.module.SimpleModule;"
        " class Keys extends SimpleModule { Keys(JsonDeserializer<Key> reader) { addDeserializer(Key.class, reader); } }"
    ),
}
FILES |= {
    "src/Named.java": '@interface Named { String value(); String otherwise() default ""; }',
    "src/Times.java": 'interface Times { @Named(value = "times.wait", otherwise = "9") int delay(); }',
    "src/Asked.java": (
        "import java.lang.reflect.*; import java.util.*; class Asked implements InvocationHandler {"
        " final Properties properties; Asked(Properties properties) { this.properties = properties; }"
        " public Object invoke(Object proxy, Method method, Object[] args) {"
        " Named named = method.getAnnotation(Named.class);"
        " return properties.getProperty(named.value(), named.otherwise()); } }"
    ),
    "src/Proxies.java": (
        "import java.lang.reflect.*; import java.util.*; class Proxies {"
        " static <T> T of(Class<T> type, Properties properties) { return type.cast(Proxy.newProxyInstance("
        "type.getClassLoader(), new Class<?>[] {type}, new Asked(properties))); }"
        " static int use(Properties properties) { return of(Times.class, properties).delay(); } }"
    ),
}
FILES |= {
    "src/Snakes.java": (
        "import com.fasterxml.jackson.databind.*; import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;"
        " class Snakes { static final ObjectMapper ALL = new YAMLMapper();"
        " static void start() { ALL.setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE); } }"
    ),
    "src/Snake.java": (
        "class Snake { public int maxLength = 3; static Object read() throws Exception {"
        ' return Snakes.ALL.readValue(new java.io.File("snake.yaml"), Snake.class); } }'
    ),
}
FILES["src/Stage.java"] = (
    'import jakarta.xml.bind.*; import jakarta.xml.bind.annotation.*; @XmlRootElement(name = "stage") class Stage {'
    ' @XmlAttribute(name = "wide") public int width = 4;'
    " static Object read() throws Exception { return from(JAXBContext.newInstance(Stage.class).createUnmarshaller()); }"
    " static Object from(Unmarshaller reader) throws Exception {"
    ' return reader.unmarshal(new java.io.File("conf/stage-config.xml")); } }'
)
FILES |= {
    "src/Stores.java": (
        "import com.fasterxml.jackson.annotation.*; import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;"
        ' @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "sort") interface Stores {'
        " static Object read() throws Exception {"
        ' return new YAMLMapper().readValue(new java.io.File("stores.yaml"), Stores.class); } }'
    ),
    "src/Disk.java": "class Disk implements Stores { public int sectors = 4; private int used; }",
}
FILES |= {
    "src/ConfigManager.java": (
        "import com.fasterxml.jackson.databind.*; class ConfigManager { final ObjectMapper mapper = new ObjectMapper();"
        " <T> T watch(String key, Class<T> type) throws Exception { return mapper.readValue(Table.row(key), type); } }"
    ),
    "src/Watches.java": (
        "class Watches { void start(ConfigManager configs, Object name) throws Exception {"
        ' configs.watch("dynamic", DynamicConfig.class); } }'
    ),
    "src/DynamicConfig.java": "class DynamicConfig { public int share = 4; public Term term; }",
    "src/Term.java": (
        "import com.fasterxml.jackson.annotation.*; @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) interface Term {}"
    ),
    "src/Sum.java": "class Sum implements Term { public Term left; public int factor = 1; }",
}
EDITS = {
    "the key of a kept document": ("src/Watches.java", '"dynamic"', "name.toString()"),
    "the class of a kept document": ("src/Watches.java", "DynamicConfig.class", "Object.class"),
    "terms hold no terms": ("src/Sum.java", "Term left", "String left"),
    "a variant of a root goes": ("src/Disk.java", " implements Stores", ""),
    "the key that chooses a root's variant": ("src/Stores.java", '"sort"', '"type"'),
    "a root has no variants": ("src/Stores.java", "@JsonTypeInfo(", "@JsonRootName("),
    "a member of a root's variant": ("src/Disk.java", "private int", "public int"),
    "the root element": ("src/Stage.java", 'name = "stage"', 'name = "hall"'),
    "an attribute becomes an element": ("src/Stage.java", "@XmlAttribute", "@XmlElement"),
    "nothing is unmarshalled": ("src/Stage.java", "reader.unmarshal(", "reader.getProperty("),
    "the naming of a mapper": ("src/Snakes.java", "SNAKE_CASE", "KEBAB_CASE"),
    "a mapper is told no naming": ("src/Snakes.java", "ALL.set", "ALL.get"),
    "a class has its own naming": (
        "src/Snake.java",
        "class Snake",
        "@com.fasterxml.jackson.databind.annotation.JsonNaming("
        "com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerDotCaseStrategy.class) class Snake",
    ),
    "the key of a proxy's method": ("src/Times.java", '"times.wait"', '"times.delay"'),
    "the default of a proxy's method": ("src/Times.java", 'otherwise = "9"', 'otherwise = "8"'),
    "the handler asks for no default": ("src/Asked.java", "named.otherwise()", '""'),
    "the handler asks for the name": ("src/Asked.java", "named.value()", "method.getName()"),
    "the interface of a proxy": ("src/Proxies.java", "of(Times.class", "of(Runnable.class"),
    "no proxy is made": ("src/Proxies.java", "newProxyInstance", "isProxyClass"),
    "a deserializer goes": ("src/Keys.java", "addDeserializer(Key.class", "add(Key.class"),
    "the default of a component": ("src/Local.java", "depth = Bounds", "hash = Bounds"),
    "the constant behind a default": ("src/Bounds.java", "DEPTH = 5", "DEPTH = 6"),
    "what the constructor above puts in": ("src/Bounds.java", ": 7", ": 8"),
    "the constructor above is another": (
        "src/Bounds.java",
        "Bounds(Integer most)",
        "Bounds(int a, int b)",
    ),
    "the constructor that is chosen": ("src/Range.java", "@JsonCreator", ""),
    "the name of a parameter": ("src/Range.java", '"from"', '"start"'),
    "the default variant": ("src/Queue.java", ", defaultImpl = Local.class", ""),
    "the name of a variant": ("src/Local.java", '"local"', '"near"'),
    "a variant goes": ("src/Local.java", " implements Queue", ""),
    "the mapper that a class hands out": ("src/Updates.java", "second()", "first()"),
    "no mapper is handed out": ("src/Updates.java", "Mappers.second()", "Reads.of()"),
    "the mapper behind what hands it out": (
        "src/Mappers.java",
        "new YAMLMapper()",
        "new ObjectMapper()",
    ),
    "what hands the mapper out": ("src/Mappers.java", "ObjectMapper second()", "Object second()"),
    "what passes the mapper on": ("src/Mappers.java", "mapper.copy()", "new ObjectMapper()"),
    "the section that a caller takes out": ("src/Nested.java", '"core"', '"edge"'),
    "the key in a section": ("src/Part.java", '"lanes"', '"tracks"'),
    "the key of a provider": ("src/Web.java", '"web"', '"site"'),
    "the class of a provider": ("src/Web.java", "return WebConfig.class", "return null"),
    "the key of a group": ("src/Server.java", '"server"', '"host"'),
    "the group of a provider": ("src/Web.java", "Server.class", "null"),
    "the section is not taken out": ("src/Sections.java", "all.get(key)", "new Properties()"),
    "the name is not the key": ("src/ByKey.java", "f.getName().equals(name)", 'name.equals("x")'),
    "the class is filled no more": ("src/Start.java", "ByKey.copy(", "ByKey.other("),
    "the field that is filled": ("src/PoolConfig.java", "int size = 3", "int depth = 4"),
    "a default": ("src/PoolConfig.java", "size = 3", "size = 5"),
    "the prefix in the filler": ("src/Filler.java", '"a." +', '"c." +'),
    "the key is no longer looked up": ("src/Filler.java", "properties.get(", "String.valueOf("),
    "nothing is set": ("src/Assign.java", "field.set(target, text)", "field.get(target)"),
    "another class is loaded": ("src/Main.java", "PoolConfig.class)", "Limits.class)"),
    "nothing is loaded": ("src/Main.java", "Load.load(", "Load.other("),
    "the object is made elsewhere": ("src/Load.java", "type.newInstance()", "null"),
    "the prefix of a call": ("src/Module.java", '"b.limits."', '"b.other."'),
    "the class of a call": ("src/Module.java", "Limits.class", "PoolConfig.class"),
    "the mapper goes": ("src/Tree.java", "convertValue(tree, type)", "hashCode()"),
    "the view goes": ("src/Tree.java", "key.substring(prefix.length())", "key"),
    "a key is put no more": ("src/Row.java", 'options.put("id"', 'options.put("at"'),
    "a constant is put": ("src/Row.java", "System.nanoTime()", '"1"'),
}


def fresh(system: MemorySystem) -> OptionTable:
    return session(MemorySystem(dict(system.files))).scan().options


def test_what_the_program_binds() -> None:
    names = {option.name for option in fresh(MemorySystem(FILES)).options}
    assert {"a.size", "a.name", "b.limits.most", "server.web.port", "core.lanes", "lanes"} <= names
    assert "times.wait" in names
    assert {"queue.kind", "queue.depth", "range.from", "range.to", "key"} <= names
    assert not {"id", "most", "key.size", "range.least"} & names


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_gives_what_a_fresh_session_gives(name: str) -> None:
    path, old, new = EDITS[name]
    system = MemorySystem(FILES)
    one = session(system)
    before = one.scan().options
    assert old in FILES[path]
    system.write(path, FILES[path].replace(old, new))
    one.files_changed([path])
    after = one.rebuild().options
    assert after == fresh(system)
    assert after != before
    system.write(path, FILES[path])
    one.files_changed([path])
    assert one.rebuild().options == before


@pytest.mark.seeds(4)
def test_any_edits_give_what_a_fresh_session_gives(seed: int) -> None:
    dice = random.Random(seed)
    system = MemorySystem(FILES)
    one = session(system)
    one.scan()
    for number in range(25):
        path, old, new = EDITS[dice.choice(sorted(EDITS))]
        text = system.files[path].decode()
        text = (
            text.replace(old, new)
            if old in text
            else text.replace(new, old)
            if new
            else FILES[path]
        )
        system.write(path, text)
        one.files_changed([path])
        if dice.random() < 0.6:
            assert one.rebuild().options == fresh(system), f"step {number}: {path}"


def test_an_edit_follows_again_only_what_rests_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[str] = []

    def counted(tracer: Tracer, sources: Sources, ref: MemberRef) -> Iterator[Fill]:
        followed.append(ref.path)
        return fills(tracer, sources, ref)

    monkeypatch.setattr("conflens.options.binding.binding.fills", counted)
    system = MemorySystem(FILES)
    one = session(system)
    one.scan()
    assert {"src/Assign.java", "src/ByKey.java"} <= set(followed)

    def edited(path: str, old: str, new: str) -> set[str]:
        del followed[:]
        system.write(path, system.files[path].decode().replace(old, new))
        one.files_changed([path])
        assert one.rebuild().options == fresh_without_counting()
        return set(followed)

    def fresh_without_counting() -> OptionTable:
        seen = list(followed)
        try:
            return fresh(system)
        finally:
            followed[:] = seen

    # A method called only there rests on the file; what fills other classes does not.
    assert edited(
        "src/Start.java", "provider.type().newInstance()", "provider.type().newInstance( )"
    ) <= {"src/ByKey.java"}
    assert edited("src/Start.java", "void start(", "void  start(") <= {"src/ByKey.java"}
    assert "src/Assign.java" in edited("src/Filler.java", '"a." +', '"c." +')
