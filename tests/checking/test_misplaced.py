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
        "app:\n  pool:\n    size: 1\n    depth: 2\n    enabled: true\nenabled: true\n",
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
