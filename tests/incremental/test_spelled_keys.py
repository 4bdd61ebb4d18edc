"""Keys that annotations spell, and classes that casts tell, over several files: after an edit of any of them a session says what a new one says."""

from __future__ import annotations

import pytest

from incremental.one_edit import Edit, names_before

FILES = {
    "Named.java": "@interface Named { String key(); }",
    "RunConfig.java": (
        'class RunConfig { @Named(key = "max_tries") int tries = 2; @Named(key = "engine") String engine; int used; }'
    ),
    "Nodes.java": (
        "import org.w3c.dom.*; class Nodes { static String below(Node node, String tag) {"
        " NodeList all = node.getChildNodes(); for (int i = 0; i < all.getLength(); i++)"
        " if (all.item(i).getNodeName().equals(tag)) return all.item(i).getTextContent(); return null; } }"
    ),
    "Binder.java": (
        "import java.io.File; import java.lang.reflect.Field; import javax.xml.parsers.*; class Binder {"
        " static void bind(Object object) throws Exception {"
        " var root = DocumentBuilderFactory.newInstance().newDocumentBuilder()"
        '.parse(new File("run-config.xml")).getDocumentElement();'
        " for (Field field : object.getClass().getDeclaredFields()) { Named named = field.getAnnotation(Named.class);"
        " if (named != null) field.set(object, Nodes.below(root, named.key())); } } }"
    ),
    "Start.java": "class Start { void start() throws Exception { Binder.bind(new RunConfig()); } }",
    "Lane.java": 'class Lane { @Named(key = "lane.size") int size; @Named(key = "lane.name") String name; }',
    "Index.java": (
        "import java.lang.reflect.Field; import java.util.*; class Index { static Map<String, Field> of(Class<?> type) {"
        " Map<String, Field> found = new HashMap<>(); for (Field field : type.getDeclaredFields())"
        " found.put(field.getAnnotation(Named.class).key(), field); return found; } }"
    ),
    "Filler.java": (
        "import java.lang.reflect.Field; import java.util.*; class Filler {"
        " static void fill(Object object, Properties properties) throws Exception {"
        " Map<String, Field> fields = Index.of(object.getClass()); for (String key : properties.stringPropertyNames())"
        " fields.get(key).set(object, properties.getProperty(key)); }"
        " static void load() throws Exception { Properties all = new Properties();"
        ' all.load(new java.io.FileReader("lane.properties")); fill(new Lane(), all); } }'
    ),
}


@pytest.mark.parametrize(
    "edit",
    [
        ("RunConfig.java", "max_tries", "tries"),
        ("RunConfig.java", "int used", '@Named(key = "used") int used'),
        ("Nodes.java", "equals(tag)", 'equals("tag")'),
        ("Binder.java", "run-config.xml", "message.xml"),
        ("Binder.java", "named.key()", '"x"'),
        ("Named.java", "key()", "name()"),
        ("Index.java", "found.put(", "found.remove("),
        ("Index.java", "field.getAnnotation(Named.class).key()", "field.getName()"),
        ("Filler.java", "Index.of(", "java.util.Map.of("),
    ],
)
def test_an_edit_says_what_a_new_session_says(edit: Edit) -> None:
    assert {"max_tries", "engine", "lane.size", "lane.name"} <= names_before(FILES, edit)


CAST = {
    "d/Broker.java": (
        'package d; import jakarta.xml.bind.annotation.*; @XmlRootElement(name = "broker")'
        " @XmlAccessorType(XmlAccessType.FIELD) class Broker { @XmlElementRef Web server; }"
    ),
    "d/Web.java": (
        'package d; import jakarta.xml.bind.annotation.*; @XmlRootElement(name = "web")'
        " @XmlAccessorType(XmlAccessType.FIELD) class Web { @XmlAttribute int idle = 60; }"
    ),
    "d/Xml.java": (
        "package d; import jakarta.xml.bind.*; import java.io.*; class Xml {"
        " static <T> T decode(Class<T> type, File configuration) throws Exception {"
        ' return type.cast(JAXBContext.newInstance("d").createUnmarshaller().unmarshal(configuration)); } }'
    ),
    "d/Start.java": (
        "package d; import java.io.File; class Start { int start(File file) throws Exception {"
        " return Xml.decode(Broker.class, file).server.idle; } }"
    ),
}


@pytest.mark.parametrize(
    "edit",
    [
        ("d/Web.java", 'name = "web"', 'name = "site"'),
        ("d/Broker.java", "@XmlElementRef", "@XmlElement"),
        ("d/Xml.java", "type.cast(", "(T) ("),
        ("d/Xml.java", "File configuration", "File message"),
        ("d/Start.java", "Broker.class", "Web.class"),
    ],
)
def test_an_edit_of_a_cast_says_what_a_new_session_says(edit: Edit) -> None:
    assert {"broker/web", "broker/web/@idle"} <= names_before(CAST, edit)


NAMED = {
    "Load.java": (
        "class Load { Conf load() throws Exception { return new org.acme.Yaml()"
        '.loadAs(new java.io.FileReader("disk.yml"), Conf.class); } }'
    ),
    "Conf.java": "class Conf { public String folder; }",
}


def test_a_library_that_comes_to_be_named_in_full_is_seen() -> None:
    assert not names_before(NAMED, ("Load.java", "org.acme.Yaml", "org.yaml.snakeyaml.Yaml"))
    full = {**NAMED, "Load.java": NAMED["Load.java"].replace("org.acme", "org.yaml.snakeyaml")}
    edit = ("Load.java", "org.yaml.snakeyaml.Yaml", "org.acme.Yaml")
    assert "folder" in names_before(full, edit)
