"""Keys and values of XML whose elements and attributes are keys."""

from __future__ import annotations

from checking.keys_support import analyse, said
from conflens.base.system import MemorySystem
from conflens.checking import check
from conflens.session.analysis import Analysis
from session.support import session

CONF = "app/sample-conf/servers.xml"
JAVA = (
    "import org.apache.commons.configuration2.HierarchicalConfiguration;\n"
    "class Server { void configure(HierarchicalConfiguration<?> config) {"
    ' boolean on = config.getBoolean("[@enabled]", true); String bind = config.getString("bind");'
    ' int backlog = config.getInt("connectionBacklog", 200); boolean tls = config.getBoolean("tls.[@socketTLS]", false);'
    ' String store = config.getString("tls.keyStore", null); int size = config.getInt("tls.cacheSize", 5);'
    ' String[] packs = config.getStringArray("packs"); } }'
)
FINE = """<servers>
  <server enabled="true">
    <bind>0.0.0.0:143</bind>
    <connectionBacklog>200</connectionBacklog>
    <tls socketTLS="true">
      <keyStore>a</keyStore>
      <cacheSize>7</cacheSize>
    </tls>
    <packs>a.B</packs>
    <packs>c.D</packs>
  </server>
  <server enabled="false">
    <bind>0.0.0.0:144</bind>
    <connectionBacklog>20</connectionBacklog>
    <tls socketTLS="false"/>
  </server>
</servers>
"""


def told(analysis: Analysis, path: str = CONF) -> list[str]:
    return [
        one.message
        for one in check.findings(analysis, path)
        if one.place.path == path and "documented" not in one.code
    ]


def test_the_keys_of_each_server_stand_for_themselves() -> None:
    assert told(analyse({"Server.java": JAVA, CONF: FINE})) == []


def test_slips() -> None:
    for right, wrong, message in (
        ("socketTLS=\"true\"", "socketTSL=\"true\"", "Unknown option 'tls.[@socketTSL]'. Did you mean '[@socketTLS]'?"),
        ("connectionBacklog>", "conectionBacklog>", "Unknown option 'conectionBacklog'. Did you mean 'connectionBacklog'?"),
        (">200<", ">many<", '"many" is not a whole number, but connectionBacklog must be one.'),
        ("enabled=\"true\"", "enabled=\"maybe\"", '"maybe" is neither true nor false.'),
        ("<cacheSize>7</cacheSize>", "<cacheSize>7</cacheSize><cacheSize>8</cacheSize>",
         "'tls.cacheSize' is set in line 7 already, which takes precedence."),
    ):  # fmt: skip
        text = FINE.replace(right, wrong, 2 if right.endswith(">") and "<" not in right else 1)
        assert told(analyse({"Server.java": JAVA, CONF: text})) == [message]


def test_an_attribute_of_a_part_is_known_with_and_without_a_dot() -> None:
    java = (
        "import org.apache.commons.configuration2.HierarchicalConfiguration;\n"
        "import org.apache.commons.configuration2.tree.ImmutableNode;\n"
        "class Chain { void configure(HierarchicalConfiguration<ImmutableNode> config) {"
        ' for (HierarchicalConfiguration<ImmutableNode> each : config.configurationsAt("chain.handler")) {'
        ' use(each.getString("[@class]")); use(each.getString("[@match]")); use(each.getString("mode")); }'
        ' use(config.getString("chain.[@root]")); } native void use(String text); }'
    )
    text = (
        '<processors><chain root="a">\n<handler class="b" match="c"><mode>d</mode></handler>\n'
        '<handler class="e"/>\n</chain></processors>\n'
    )
    files = {"Chain.java": java, CONF: text}
    assert told(analyse(files)) == []
    files[CONF] = text.replace("match", "macth", 1)
    assert told(analyse(files)) == [
        "Unknown option 'chain.handler.[@macth]'. Did you mean '[@match]'?"
    ]


def test_the_fix_of_an_element_changes_both_tags() -> None:
    text = FINE.replace("keyStore", "keyStroe")
    (one,) = said({"Server.java": JAVA, CONF: text}, CONF)
    assert (one.on, one.fixes) == ("keyStroe", ("tls.keyStore",))
    analysis = analyse({"Server.java": JAVA, CONF: text})
    (found,) = check.findings(analysis, CONF)
    assert len(found.fixes[0].edits) == 2


def test_xml_of_another_kind_is_left_alone() -> None:
    for text in (
        "<app><title>A</title><port>many</port><enabled>maybe</enabled><name>x</name></app>",
        FINE.replace("<servers>", '<servers xmlns="urn:x">').replace(">200<", ">many<"),
    ):
        assert told(analyse({"Server.java": JAVA, CONF: text})) == []


def test_an_edit_of_the_file_equals_a_fresh_scan() -> None:
    system = MemorySystem({"Server.java": JAVA.encode(), CONF: FINE.encode()})
    one = session(system)
    assert told(one.scan()) == []
    for text in (FINE.replace(">200<", ">many<"), FINE.replace("<bind>", "<bnd>"), "<a/>", FINE):
        system.write(CONF, text)
        one.files_changed([CONF])
        again, fresh = one.rebuild(), session(system).scan()
        assert told(again) == told(fresh)
        assert again.config_files[CONF].assignments == fresh.config_files[CONF].assignments
