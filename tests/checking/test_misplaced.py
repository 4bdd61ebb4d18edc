"""Keys in the wrong section, and keys that lack a middle part of a name."""

from __future__ import annotations

import pytest

from checking.keys_support import PROPERTIES, SPRING, YAML, said, shown

BOUND = SPRING + (
    '@ConfigurationProperties("app.pool") class P { private int size; private int depth; private boolean enabled;'
    " public void setSize(int v) { size = v; } public void setDepth(int v) { depth = v; }"
    " public void setEnabled(boolean v) { enabled = v; } }\n"
)
MEMBERS = SPRING + (
    'import java.util.*; @ConfigurationProperties("app") class P {'
    " private String mainName; public void setMainName(String v) { mainName = v; }"
    " private Map<String, Client> clients = new HashMap<>();"
    " public Map<String, Client> getClients() { return clients; }"
    " static class Client { private String secret; private String address;"
    " public void setSecret(String v) { secret = v; } public void setAddress(String v) { address = v; } } }\n"
)


def test_a_key_in_the_wrong_section() -> None:
    files = {"P.java": BOUND, YAML: "app:\n  pool:\n    size: 1\n    depth: 2\nenabled: true\n"}
    (one,) = said(files, YAML)
    assert (one.code, one.on) == ("unknown-option", "enabled")
    assert one.message == "Unknown option 'enabled'. Did you mean 'app.pool.enabled'?"


def test_a_middle_part_is_left_out() -> None:
    files = {"P.java": BOUND, PROPERTIES: "app.pool.size=1\napp.pool.depth=2\napp.enabled=true\n"}
    (one,) = said(files, PROPERTIES)
    assert one.message == "Unknown option 'app.enabled'. Did you mean 'app.pool.enabled'?"
    assert one.fixes == ("app.pool.enabled",)


@pytest.mark.parametrize(
    "text",
    [
        "app:\n  pool:\n    size: 1\n    depth: 2\nactive: true\n",
        "app:\n  pool:\n    size: 1\n    depth: 2\nother:\n  pool:\n    enabled: true\n",
    ],
)
def test_a_key_of_something_else(text: str) -> None:
    assert shown({"P.java": BOUND, YAML: text}, YAML) == []


def test_code_may_have_the_last_part() -> None:
    reads = 'class Q { boolean is(String s) { return s.equals("enabled"); } }'
    files = {"P.java": BOUND, "Q.java": reads}
    files[YAML] = "app:\n  pool:\n    size: 1\n    depth: 2\nenabled: true\n"
    assert shown(files, YAML) == ["unknown-option enabled"]


def test_what_code_reads_by_a_known_name_is_not_misplaced() -> None:
    reads = 'class Q { String s = System.getProperty("app.enabled"); }'
    text = "app.pool.size=1\napp.pool.depth=2\napp.enabled=true\n"
    assert shown({"P.java": BOUND, "Q.java": reads, PROPERTIES: text}, PROPERTIES) == []


def test_members_of_the_values_of_a_map_are_known() -> None:
    text = "app.main-name=m\napp.clients.one.address=a\napp.clients.one.secret=b\napp.clients.two.addres=c\n"
    assert shown({"P.java": MEMBERS, PROPERTIES: text}, PROPERTIES) == ["unknown-option addres"]
    text = "app.main-name=m\napp.clients.one.address=a\napp.clients.two.place=c\napp.clients.two.secret=c\n"
    assert [one.message for one in said({"P.java": MEMBERS, PROPERTIES: text}, PROPERTIES)] == [
        "Unknown option 'app.clients.two.place'."
    ]


BESIDE = "app:\n  pool:\n    size: 1\n    depth: 2\n    enabled: true\n"


def test_a_word_at_the_top_belongs_into_a_section_that_is_there() -> None:
    read = 'class Q { Q(org.springframework.core.env.Environment e) { e.getRequiredProperty("web.port"); } }'
    files = {
        "P.java": BOUND,
        "Q.java": read,
        YAML: f"{BESIDE}web:\n  other:\n    on: true\nport: 80\n",
    }
    assert shown(files, YAML) == ["unknown-option port"]
    files[YAML] = f"{BESIDE}enabled: true\n"
    assert shown(files, YAML) == ["unused-option enabled"]
    files[YAML] = f"{BESIDE}web:\n  port: 80\nname: x\n"
    assert shown(files, YAML) == ["unused-option name"]


def test_a_word_at_the_top_may_be_referred_to() -> None:
    files = {"P.java": BOUND, YAML: f"{BESIDE}text: ${{name}}\nname: x\n"}
    assert shown(files, YAML) == ["unused-option text"]


def test_a_word_at_the_top_of_a_file_without_sections_is_any_ones() -> None:
    files = {"P.java": BOUND, PROPERTIES: "app.pool.size=1\napp.pool.depth=2\nname=x\n"}
    assert shown(files, PROPERTIES) == []


def test_a_key_from_below_a_dynamic_part() -> None:
    text = "app:\n  main-name: a\n  clients:\n    one:\n      address: b\nsecret: c\n"
    (one,) = said({"P.java": MEMBERS, YAML: text}, YAML)
    assert one.message == "Unknown option 'secret'. Did you mean 'app.clients.one.secret'?"


def test_one_part_of_a_name_in_the_namespace_of_the_project_is_left_out() -> None:
    reads = "".join(f'e.getProperty("app.audit.n{at}");' for at in range(8))
    read = (
        "class Q { Q(org.springframework.core.env.Environment e) {"
        f' {reads} e.getProperty("app.audit.log.enabled"); e.getProperty("lib.audit.log.enabled"); }} }}'
    )
    files = {"Q.java": read, PROPERTIES: "app.audit.n1=1\napp.audit.n2=2\napp.log.enabled=true\n"}
    (one,) = said(files, PROPERTIES)
    assert one.message == "Unknown option 'app.log.enabled'. Did you mean 'app.audit.log.enabled'?"
    files[PROPERTIES] = "app.audit.n1=1\napp.audit.n2=2\nlib.log.enabled=true\n"
    assert shown(files, PROPERTIES) == []


def test_a_dot_for_a_hyphen_below_a_dynamic_part() -> None:
    members = MEMBERS.replace("setSecret", "setRedirectUri").replace("secret", "redirectUri")
    text = "app:\n  main-name: a\n  clients:\n    one:\n      address: b\n      redirect.uri: c\n"
    (one,) = said({"P.java": members, YAML: text}, YAML)
    assert (
        one.message
        == "Unknown option 'app.clients.one.redirect.uri'. Did you mean 'app.clients.one.redirect-uri'?"
    )


def test_a_part_too_many() -> None:
    files = {"P.java": BOUND, YAML: "app:\n  pool:\n    size: 1\n    limits:\n      depth: 2\n"}
    (one,) = said(files, YAML)
    assert one.message == "Unknown option 'app.pool.limits.depth'. Did you mean 'app.pool.depth'?"
    files[YAML] = "app:\n  pool:\n    depth: 1\n    limits:\n      depth: 2\n"
    assert shown(files, YAML) == []


ONE = SPRING + (
    '@ConfigurationProperties("app.pool") class P { private int queueSize; public void setQueueSize(int v) { queueSize = v; } }\n'
)


def test_a_word_at_the_top_whose_section_the_file_does_not_have() -> None:
    files = {"P.java": BOUND + ONE.replace("class P", "class R").replace(SPRING, "")}
    files[YAML] = "app:\n  pool:\n    size: 1\n    depth: 2\nspring:\n  x: 1\n"
    beside = YAML.replace("application", "application-dev")
    files[beside] = "spring:\n  main:\n    banner-mode: off\nqueue-size: 3\n"
    (one,) = said(files, beside)
    assert one.message == "Unknown option 'queue-size'. Did you mean 'app.pool.queue-size'?"
    assert one.fixes == ("app.pool.queue-size",)
    # A file with any other name, or in any other place, is not known to be read.
    for path in (YAML.replace("application", "other"), f"else/{beside}"):
        assert shown({**files, path: files[beside]}, path) == []
    for text in (
        "queue-size: 3\nx: ${queue-size}\n",
        "queue-length: 3\n",
        "other:\n  queue-size: 3\n",
    ):
        assert (
            shown({**files, beside: f"spring:\n  main:\n    banner-mode: off\n{text}"}, beside)
            == []
        )


def test_a_word_at_the_top_that_many_options_end_in_is_never_read() -> None:
    classes = "".join(
        ONE.replace(SPRING, "").replace("class P", f"class P{n}").replace("app.pool", f"app.p{n}")
        for n in range(4)
    )
    files = {"P.java": BOUND + classes, YAML: "app:\n  pool:\n    size: 1\n    depth: 2\n"}
    beside = YAML.replace("application", "application-dev")
    text = "spring:\n  x: 1\nqueue-size: 3\nqueue-length: 3\n"
    assert shown({**files, beside: text}, beside) == ["unused-option queue-size"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("bpp.pool.queue-size=1", ["unknown-option bpp"]),
        ("app.pool.queue-sizes=1", ["unknown-option queue-sizes"]),
        ("app.pool.width=1", []),
        ("lib.pool.queue-size=1", []),
    ],
)
def test_the_only_key_of_a_file_beside_one_that_sets_options(line: str, wanted: list[str]) -> None:
    other = "src/main/resources/application-dev.properties"
    files = {"P.java": ONE, PROPERTIES: "app.pool.queue-size=1\n", other: f"{line}\n"}
    assert shown(files, other) == wanted
    del files[PROPERTIES]
    assert shown(files, other) == []
