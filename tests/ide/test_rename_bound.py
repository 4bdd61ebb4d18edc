"""Renaming a key that is derived from a member: the member, what uses it, and all forms of the key; or a refusal before typing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from checking.keys_support import SPRING, analyse
from conflens.base.text import Encoding
from conflens.ide.rename.edits import Part
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.rename import Renamed, renamed, subject_at
from conflens.session.analysis import Analysis
from steps import steps

YAML = "src/main/resources/application.yml"
PROPERTIES = "src/main/resources/application.properties"
PLAIN = (
    "package p;\nimport org.springframework.boot.context.properties.ConfigurationProperties;\n"
    '@ConfigurationProperties("toy") public class Props%s {\n'
    "  private int size = 1;\n"
    "  public int getSize() { return size; }\n"
    "  public void setSize(int size) { this.size = size; }\n}\n"
)
PROPS = SPRING + (
    '@ConfigurationProperties("app.kafka") class Props {\n'
    "  private int streams = 1;\n"
    "  private String hostName;\n"
    "  public int getStreams() { return streams; }\n"
    "  public void setStreams(int streams) { this.streams = streams; }\n"
    "  public String getHostName() { return hostName; }\n"
    "  public void setHostName(String h) { hostName = h; }\n"
    "}\n"
)
KEYS = "app:\n  kafka:\n    streams: 3\n    host-name: a\n"


def at(files: dict[str, str], path: str, typed: str) -> tuple[Analysis, int]:
    return analyse(files), files[path].encode().index(typed.encode()) + 1


def change(
    files: dict[str, str],
    typed: str = "streams",
    new: str = "app.kafka.worker-count",
    path: str = YAML,
) -> tuple[dict[str, str], Renamed]:
    """The files after a rename, those that changed, and what it was."""
    analysis, offset = at(files, path, typed)
    found = renamed(analysis, path, offset, new)
    assert found is not None
    texts = {path: text.encode() for path, text in files.items()}
    for edit in sorted(found.edits, reverse=True):
        if edit.part is Part.CALL:
            continue
        text = texts[edit.place.path]
        texts[edit.place.path] = (
            text[: edit.place.start] + edit.text.encode() + text[edit.place.end :]
        )
    changed = {path: text.decode() for path, text in texts.items() if text != files[path].encode()}
    return changed, found


def refused(files: dict[str, str], typed: str = "streams", path: str = YAML) -> str:
    """Why a rename is refused before a name is typed."""
    analysis, offset = at(files, path, typed)
    with pytest.raises(RefusedError) as error:
        subject_at(analysis, path, offset)
    return str(error.value)


def refused_as(new: str, files: dict[str, str], typed: str = "streams") -> str:
    """Why a new name is refused."""
    analysis, offset = at(files, YAML, typed)
    assert subject_at(analysis, YAML, offset) is not None
    with pytest.raises(RefusedError) as error:
        renamed(analysis, YAML, offset, new)
    return str(error.value)


def test_field_accessors_calls_and_keys() -> None:
    user = (
        "class User { Props p; java.util.function.IntSupplier s = p::getStreams;\n"
        "  int f(Other o) { p.setStreams(o.getStreams()); return p.getStreams(); } }\n"
        "class Other { int streams; int getStreams() { return streams; } }\n"
    )
    changed, found = change({"Props.java": PROPS, "User.java": user, YAML: KEYS})
    assert changed == {
        "Props.java": PROPS.replace("getStreams", "getWorkerCount")
        .replace("setStreams", "setWorkerCount")
        .replace("streams", "workerCount"),
        "User.java": user.replace("p.setStreams", "p.setWorkerCount")
        .replace("p.getStreams", "p.getWorkerCount")
        .replace("p::getStreams", "p::getWorkerCount"),
        YAML: KEYS.replace("streams", "worker-count"),
    }
    assert (found.old, found.new) == ("app.kafka.streams", "app.kafka.worker-count")
    assert {(edit.part, edit.sure) for edit in found.edits} == {
        (Part.MEMBER, False),
        (Part.CONFIG, False),
    }


def test_the_renamed_program_compiles(tmp_path: Path) -> None:
    user = (
        "class User extends Base { Props props = new Props(); Props[] all = { props };\n"
        "  java.util.function.ToIntFunction<Props> size = Props::getStreams;\n"
        "  int f() { props.setStreams(1 + /* all */ all[0].getStreams()); var p = props; (p).setStreams(2);\n"
        "    return java.util.stream.Stream.of(all).mapToInt(one -> one.getStreams()).sum() + p.getStreams(); } }\n"
        "class Base extends Props { int g() { return getStreams() + super.getStreams(); } }\n"
    )
    java = PROPS.replace(
        "}\n}\n",
        "}\n  int more() { streams++; this . streams += 2; ++this.streams; int[] a = { streams };\n"
        "    Runnable r = () -> { streams = (streams) + Props.this.streams; };\n"
        "    class Inner { int streams() { return streams; } } return a[0] + new Inner().streams() + new Props().streams; }\n}\n",
    ).replace(SPRING, f"{SPRING}public ", 1)
    stub = (
        "package org.springframework.boot.context.properties;\n"
        "public @interface ConfigurationProperties { String value(); }\n"
    )
    annotation = "org/springframework/boot/context/properties/ConfigurationProperties.java"
    files = {"Props.java": java, "User.java": user, YAML: KEYS, annotation: stub}
    changed, found = change(files)
    # The array tells of which type the parameter of the lambda is.
    assert not [edit for edit in found.edits if edit.part is Part.CALL]
    assert "one.getWorkerCount()" in changed["User.java"]
    for name, text in {**files, **changed}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    command = ["javac", "-nowarn", "-d", "out", "Props.java", "User.java"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    left = (
        changed["Props.java"].replace("Inner { int streams()", "").replace("Inner().streams", "")
    )
    assert "treams" not in left + changed["User.java"].replace("java.util.stream.Stream", "")


@pytest.mark.parametrize("new", ["app.kafka.peer-address", "app.kafka.peerAddress"])
def test_each_key_keeps_its_form(new: str) -> None:
    files = {
        "Props.java": PROPS,
        YAML: KEYS,
        PROPERTIES: "app.kafka.streams=1\napp.kafka.hostName=b\nx=${app.kafka.host_name}\n",
        "src/main/resources/application-dev.properties": "app.kafka.streams=1\nAPP.KAFKA.host_name=b\n",
        ".env": "APP_KAFKA_STREAMS=1\nAPP_KAFKA_HOSTNAME=x\n",
        "docs/guide.md": "`app.kafka.host-name`, `app.kafka.hostName` and `APP_KAFKA_HOSTNAME` are one.\n",
    }
    changed, found = change(files, "host-name", new)
    assert found.new == "app.kafka.peer-address"
    java = PROPS.replace("HostName", "PeerAddress").replace("hostName", "peerAddress")
    assert changed == {
        "Props.java": java,
        YAML: KEYS.replace("host-name", "peer-address"),
        PROPERTIES: "app.kafka.streams=1\napp.kafka.peerAddress=b\nx=${app.kafka.peer_address}\n",
        "src/main/resources/application-dev.properties": "app.kafka.streams=1\nAPP.KAFKA.peer_address=b\n",
        ".env": "APP_KAFKA_STREAMS=1\nAPP_KAFKA_PEERADDRESS=x\n",
        "docs/guide.md": "`app.kafka.peer-address`, `app.kafka.peerAddress` and `APP_KAFKA_PEERADDRESS` are one.\n",
    }


def test_from_a_string_in_code() -> None:
    value = (
        "import org.springframework.beans.factory.annotation.Value;\n"
        'class V { @Value("${app.kafka.streams:2}") int s; int get() { return s; } }\n'
    )
    files = {"Props.java": PROPS, "V.java": value, YAML: KEYS}
    changed, _ = change(files, "app.kafka.streams:", "app.kafka.threads", "V.java")
    assert "getThreads" in changed["Props.java"]
    assert "${app.kafka.threads:2}" in changed["V.java"]
    assert "    threads: 3" in changed[YAML]


def test_a_class_of_the_same_name_inside_a_body_is_left_alone() -> None:
    user = (
        "class User { int f(Props p) { record Props(int x) { int getStreams() { return x; } }\n"
        "  Props inner = new Props(1); return inner.getStreams(); }\n"
        "  int g(Props p) { return p.getStreams(); } }\n"
    )
    changed, found = change({"Props.java": PROPS, "User.java": user, YAML: KEYS})
    assert changed["User.java"] == user.replace("return p.getStreams", "return p.getWorkerCount")
    assert not any(edit.sure for edit in found.edits if edit.part is Part.MEMBER)


def test_a_parameter_is_of_the_class_outside_of_the_body() -> None:
    user = (
        "class User { int f(Props p) { class Props { int getStreams() { return 1; } }\n"
        "  return p.getStreams() + new Props().getStreams(); } }\n"
    )
    changed, _ = change({"Props.java": PROPS, "User.java": user, YAML: KEYS})
    assert changed["User.java"] == user.replace("p.getStreams", "p.getWorkerCount")


def test_a_class_bound_twice_renames_both_keys() -> None:
    java = SPRING + (
        '@ConfigurationProperties("app") class App { private Pool first; private Pool second;'
        " private java.util.Map<String, Pool> more;\n"
        "  public Pool getFirst() { return first; } public void setFirst(Pool p) { first = p; }\n"
        "  public Pool getSecond() { return second; } public void setSecond(Pool p) { second = p; }\n"
        "  public java.util.Map<String, Pool> getMore() { return more; }\n"
        "  public void setMore(java.util.Map<String, Pool> m) { more = m; } }\n"
        "class Pool { private int size; public int getSize() { return size; }"
        " public void setSize(int s) { size = s; } }\n"
    )
    keys = "app.first.size=1\napp.second.size=2\napp.more.third.size=3\n"
    changed, _ = change(
        {"App.java": java, PROPERTIES: keys}, "size", "app.first.limit", PROPERTIES
    )
    assert changed[PROPERTIES] == keys.replace("size", "limit")
    assert "private int limit" in changed["App.java"] and "limit = s" in changed["App.java"]


def test_generated_accessors() -> None:
    java = (
        SPRING
        + '@ConfigurationProperties("app.kafka") @lombok.Data class Props { private int streams; private String hostName; }\n'
    )
    user = "class User { int f(Props p) { p.setStreams(2); return p.getStreams(); } }\n"
    changed, _ = change({"Props.java": java, "User.java": user, YAML: KEYS})
    assert changed["User.java"] == user.replace("Streams", "WorkerCount")
    assert changed["Props.java"] == java.replace("streams", "workerCount")


def test_generated_builders_and_other_names() -> None:
    java = (
        SPRING
        + "import lombok.*; import lombok.experimental.*;\n"
        + '@ConfigurationProperties("app.kafka") @Data @Builder @With class Props { private int streams; private String hostName; }\n'
    )
    user = (
        "class User { int f(Other o) { o.streams(1);\n"
        "  return Props.builder().streams(3).build().withStreams(4).getStreams(); } }\n"
        "class Other { void streams(int n) { } }\n"
    )
    changed, _ = change({"Props.java": java, "User.java": user, YAML: KEYS})
    assert changed["Props.java"] == java.replace("streams", "workerCount")
    assert changed["User.java"] == user.replace(".streams(3)", ".workerCount(3)").replace(
        "Streams(", "WorkerCount("
    )


@pytest.mark.parametrize(
    ("java", "key", "said"),
    [
        ("boolean isOpen;", "open", "isOpen() is generated from field 'isOpen'"),
        (
            '@Accessors(prefix = "m_") int m_size;',
            "size",
            "getSize() is generated from field 'm_size'",
        ),
        (
            "@Singular java.util.List<String> hosts;",
            "hosts",
            "host() is generated from field 'hosts'",
        ),
    ],
)
def test_accessors_whose_names_do_not_follow_are_refused(java: str, key: str, said: str) -> None:
    source = (
        SPRING
        + "import lombok.*; import lombok.experimental.*;\n"
        + f'@ConfigurationProperties("app") @Data @Builder class Props {{ {java} }}\n'
    )
    files = {"Props.java": source, YAML: f"app:\n  {key}: 1\n"}
    assert refused(files, key) == f"Can't rename: {said} (Props.java:3). Rename them by hand."


def test_a_generated_accessor_that_an_interface_declares_is_refused() -> None:
    java = (
        SPRING
        + '@ConfigurationProperties("app.kafka") @lombok.Data class Props implements Sized { int streams; }\n'
    )
    files = {
        "Props.java": java,
        "Sized.java": "interface Sized { int getStreams(); }\n",
        YAML: KEYS,
    }
    assert refused(files) == (
        "Can't rename: getStreams() is declared here too (Sized.java:1). Rename both by hand."
    )


def test_a_record() -> None:
    java = (
        SPRING
        + '@ConfigurationProperties("app.kafka") record Props(int streams, String hostName) { int twice() { return streams * 2; } }\n'
    )
    user = "class User { int f(Props p) { return p.streams(); } }\n"
    changed, _ = change({"Props.java": java, "User.java": user, YAML: KEYS})
    assert changed["Props.java"] == java.replace("streams", "workerCount")
    assert changed["User.java"] == user.replace("streams", "workerCount")
    own = java.replace(
        "{ int twice", "{ Props { if (streams < 0) throw new IllegalStateException(); } int twice"
    )
    assert refused({"Props.java": own, YAML: KEYS}) == (
        "Can't rename: the key is derived from record component 'streams' and the record has a constructor of its own"
        " (Props.java:2). Rename both by hand."
    )


def test_java_spelling_where_names_are_not_relaxed() -> None:
    java = (
        "import java.lang.reflect.Method; import java.util.Properties;\n"
        "class MixAll { static void fill(Properties p, Object object) {\n"
        "  for (Method method : object.getClass().getMethods()) { String mn = method.getName();\n"
        '    if (mn.startsWith("set")) { try { String tmp = mn.substring(4); String first = mn.substring(3, 4);\n'
        "      String property = p.getProperty(first.toLowerCase() + tmp);\n"
        "      if (property != null) method.invoke(object, Integer.parseInt(property)); } catch (Throwable t) {} } } } }\n"
        "class BrokerConfig { private int sendThreads = 1; private int pull = 2;\n"
        "  public int getSendThreads() { return sendThreads; } public void setSendThreads(int n) { sendThreads = n; }\n"
        "  public int getPull() { return pull; } public void setPull(int pull) { this.pull = pull; } }\n"
        "class Start { void main(Properties p) { BrokerConfig c = new BrokerConfig(); MixAll.fill(p, c);"
        " use(c.getSendThreads() + c.getPull()); } void use(int n) {} }\n"
    )
    path = "conf/broker.properties"
    files = {"A.java": java, path: "sendThreads=3\npull=2\n"}
    changed, _ = change(files, "pull", "pullThreads", path)
    assert changed[path] == "sendThreads=3\npullThreads=2\n"
    assert (
        "c.getPullThreads()" in changed["A.java"]
        and "this.pullThreads = pullThreads" in changed["A.java"]
    )


# -- what is not known ---------------------------------------------------------------------------------


def test_calls_on_unknown_types_and_in_tests_need_confirmation() -> None:
    files = {
        "Props.java": PROPS,
        "User.java": "class User { int f(org.lib.Box b) { return b.open().getStreams(); } }\n",
        "src/test/java/PropsTest.java": "class PropsTest { int f(Props p) { return p.getStreams(); } }\n",
        "src/test/java/OtherTest.java": "class OtherTest { int f(Box p) { return p.getStreams(); } }\n",
        YAML: KEYS,
    }
    _, found = change(files)
    unsure = [(edit.place.path, edit.text) for edit in found.edits if edit.part is Part.CALL]
    assert unsure == [
        ("User.java", "getWorkerCount"),
        ("src/test/java/PropsTest.java", "getWorkerCount"),
    ]
    assert not any(edit.sure for edit in found.edits)


def test_a_method_of_a_library_is_confirmed_though_no_other_class_has_it() -> None:
    user = (
        "class User { Props p; Object f() {\n"
        "  return org.lib.Clients.newBuilder().setStreams(p.getStreams()).build(); } }\n"
    )
    changed, found = change({"Props.java": PROPS, "User.java": user, YAML: KEYS})
    assert changed["User.java"] == user.replace("p.getStreams", "p.getWorkerCount")
    calls = [(one.place.path, one.text) for one in found.edits if one.part is Part.CALL]
    assert calls == [("User.java", "setWorkerCount")]


def test_a_member_that_a_class_of_a_library_may_hide_needs_confirmation() -> None:
    inner = (
        "  class Inner extends org.lib.Base { int f() { return getStreams() + streams; } }\n}\n"
    )
    java = PROPS.removesuffix("}\n") + inner
    changed, found = change({"Props.java": java, YAML: KEYS})
    assert changed["Props.java"].endswith(inner)
    assert len([edit for edit in found.edits if edit.part is Part.CALL]) == 2
    known = "  class Inner extends Own { int f() { return getStreams(); } }\n}\nclass Own { }\n"
    changed, _ = change({"Props.java": PROPS.removesuffix("}\n") + known, YAML: KEYS})
    assert "return getWorkerCount(); } }\n}\nclass Own" in changed["Props.java"]


def test_uses_in_kotlin_and_of_methods_in_tests_need_confirmation() -> None:
    java = SPRING + '@ConfigurationProperties("app.kafka") record Props(int streams) { }\n'
    kotlin = "class K(val props: Props) { fun f() = props.streams + props.streams() + streams }\n"
    test = "class PropsTest { int f(Props p) { return p.streams() + streams(); } }\n"
    files = {
        "Props.java": java,
        "src/main/kotlin/K.kt": kotlin,
        "src/test/java/PropsTest.java": test,
        YAML: KEYS,
    }
    _, found = change(files)
    analysis = analyse(files)
    calls = [one.place for one in found.edits if one.part is Part.CALL]
    columns = [(at.path, analysis.position(at.path, at.start, Encoding.UTF16)[1]) for at in calls]
    assert columns == [
        ("src/main/kotlin/K.kt", kotlin.index("streams")),
        ("src/main/kotlin/K.kt", kotlin.index("streams()")),
        ("src/test/java/PropsTest.java", test.index("streams()")),
    ]


def test_an_accessor_declared_by_another_type_is_refused() -> None:
    sub = "class Sub extends Props { public int getStreams() { return 3; } }\n"
    assert refused({"Props.java": PROPS, "Sub.java": sub, YAML: KEYS}) == (
        "Can't rename: getStreams() is declared here too (Sub.java:1). Rename both by hand."
    )
    java = PROPS.replace("public int getStreams", "@Override public int getStreams")
    assert "overrides a method of a library (Props.java:5)" in refused(
        {"Props.java": java, YAML: KEYS}
    )


def test_a_constructor_parameter_is_refused() -> None:
    java = SPRING + (
        '@ConfigurationProperties("app.kafka") class Props { final int count; final String hostName;\n'
        "  Props(int streams, String hostName) { this.count = streams; this.hostName = hostName; } }\n"
    )
    assert refused({"Props.java": java, YAML: KEYS}, "host-name") == (
        "Can't rename: the key is derived from a constructor parameter (Props.java:3). Rename both by hand."
    )


# -- names that cannot be ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (
            "app.other.threads",
            "Can't rename: the last part of the key is derived from field 'streams', so the new key must begin with"
            " 'app.kafka.' (Props.java:3).",
        ),
        ("app.kafka.class", "'class' cannot be the name of a field in Java."),
        ("app.kafka.9-lives", "'9Lives' cannot be the name of a field in Java."),
        (
            "app.kafka.host-name",
            "There is an option app.kafka.host-name already, in Props.java:4.",
        ),
        ("app.kafka.hostName", "There is an option app.kafka.host-name already, in Props.java:4."),
        ("app.kafka.taken", "Can't rename: there is a field 'taken' already (Props.java:9)."),
        ("app.kafka.size", "Can't rename: there is a method 'getSize' already (Props.java:10)."),
        ("app.kafka.local", "Can't rename: a local variable is called 'local' (Props.java:11)."),
    ],
)
def test_invalid_new_names(new: str, said: str) -> None:
    more = (
        "  static int taken;\n  static int getSize() { return 1; }\n"
        "  int f() { int local = 2; return local + streams; }\n}\n"
    )
    java = PROPS.removesuffix("}\n") + more
    assert refused_as(new, {"Props.java": java, YAML: KEYS}) == said


def test_a_key_that_is_already_set() -> None:
    keys = KEYS + "    worker-count: 9\n"
    assert "sets app.kafka.worker-count already" in refused_as(
        "app.kafka.worker-count", {"Props.java": PROPS, YAML: keys}
    )


def test_whether_a_file_names_the_class_is_looked_up_once() -> None:
    def counted(subclasses: int) -> int:
        below = "".join(f"class P{number} extends Props {{ }}\n" for number in range(subclasses))
        files = {
            "Props.java": SPRING
            + '@ConfigurationProperties("app") class Props {\n  public int size = 1;\n'
            "  public int getSize() { return size; }\n  public void setSize(int s) { size = s; }\n}\n"
            + below,
            "Use.java": f"class Use {{ void m() {{ {'g().size++; ' * 200} }} }}\n",
            PROPERTIES: "app.size=3\n",
        }
        analysis = analyse(files)
        return steps(lambda: renamed(analysis, PROPERTIES, 1, "app.limit"))

    counted(1)  # rows are read once
    assert counted(60) < 2 * counted(2)


OUTER = SPRING + (
    "import lombok.Data;\n"
    "class Outer {\n"
    "  static int %s\n"
    '  @Data @ConfigurationProperties("app") static class Props {\n'
    "    private int size = 1;\n"
    "    int twice() { return 2 * %s; }\n"
    "  }\n"
    "}\n"
)


@pytest.mark.parametrize(
    ("declared", "used"), [("limit = 3;", "limit"), ("getLimit() { return 4; }", "getLimit()")]
)
def test_a_name_from_around_the_class_is_not_captured(declared: str, used: str) -> None:
    files = {"Outer.java": OUTER % (declared, used), PROPERTIES: "app.size=3\n"}
    with pytest.raises(
        RefusedError, match=r"another field there|means something else here already"
    ):
        renamed(analyse(files), PROPERTIES, 1, "app.limit")


def test_a_parameter_keeps_its_name_where_the_new_one_is_taken() -> None:
    files = {
        "Props.java": SPRING
        + '@ConfigurationProperties("app") class Props {\n'
        + "  private int size = 1;\n  public int getSize() { return size; }\n"
        + "  public void setSize(int size) { int limit = 100; this.size = Math.min(size, limit); }\n}\n",
        PROPERTIES: "app.size=3\n",
    }
    found = renamed(analyse(files), PROPERTIES, 1, "app.limit")
    assert isinstance(found, Renamed)
    text = files["Props.java"]
    kept = text.index("(int size)") + len("(int ")
    assert all(edit.place.start != kept for edit in found.edits if edit.place.path == "Props.java")


def test_many_method_references_in_one_body_take_linear_time() -> None:
    def counted(n: int) -> int:
        refs = "; s = Props::getSize" * n
        files = {
            "p/Props.java": PLAIN % "",
            "p/U.java": f"package p; class U {{ void f() {{ java.util.function.ToIntFunction<Props> s = null{refs}; }} }}\n",
            PROPERTIES: "toy.size=3\n",
        }
        analysis = analyse(files)
        return steps(lambda: renamed(analysis, PROPERTIES, 1, "toy.limit"))

    counted(1)  # rows are read once
    few = counted(100)
    assert counted(400) < 5 * few


@pytest.mark.parametrize("new", ["toString", "hashCode", "notify"])
def test_a_record_component_that_java_forbids(new: str) -> None:
    java = SPRING + '@ConfigurationProperties("app.kafka") record Props(int streams) { }\n'
    with pytest.raises(RefusedError, match="cannot be the name of a record component"):
        renamed(
            analyse({"P.java": java, YAML: KEYS}), YAML, KEYS.index("streams"), f"app.kafka.{new}"
        )
