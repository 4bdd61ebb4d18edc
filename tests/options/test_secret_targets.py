"""Options whose names are plain, and whose values code puts into, or takes from, what has the name of a secret."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.possible_values import value_choices
from conflens.options.model import Option
from conflens.options.secret_values import is_hidden, shown_value
from conflens.render.option_view import option_view
from conflens.session.analysis import Analysis
from session.support import session

CODE = """
package p; import java.util.*; import org.springframework.beans.factory.annotation.Value;
class A {{
    static final String DEFAULT_PASSWORD = "hunter"; static final String TYPE_CREDENTIALS = "hunter"; {fields}
    void m(Properties p, Unknown u) {{ {body} }}
    void setPassword(String s) {{ }} void setLabel(String s) {{ }}
    static class Cred {{ Cred(String user, String password) {{ }} }}
    static class Parser {{ Parser(String token, int password) {{ }} }}
}}
"""
SHOWN = ("hunter", "/etc/hunter", "7")


def analysis(fields: str = "", body: str = "") -> Analysis:
    return session(MemorySystem({"A.java": CODE.format(fields=fields, body=body)})).scan()


def plain(found: Analysis) -> Option:
    (one,) = (option for option in found.options.options if option.name == "user.p")
    return one


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ("", 'String password = p.getProperty("user.p", "hunter");'),
        ("", 'final char[] secret = p.getProperty("user.p", "hunter").toCharArray();'),
        ('String apiToken = System.getProperty("user.p", "hunter");', ""),
        ('@Value("${user.p:hunter}") String password;', ""),
        ('A(@Value("${user.p:hunter}") String password) { }', ""),
        ('@Value("${user.p:hunter}") void setPass(String s) { }', ""),
        ('@Value("${user.p:hunter}") List<String> secretKeys;', ""),
        ('@Value("${user.p:hunter}") String[] apiKeys;', ""),
        ("", 'byte[] secretBytes = p.getProperty("user.p", "hunter").getBytes();'),
        ("", 'String jwtSecretBase64 = p.getProperty("user.p", "hunter");'),
        ("", 'String[] apiKeys = p.getProperty("user.p", "hunter").split(",");'),
        ("", 'String passwordHash = p.getProperty("user.p", "hunter");'),
        ("", 'setPassword(p.getProperty("user.p", "hunter"));'),
        ("", 'u.setPassword(p.getProperty("user.p", "hunter"));'),
        ("", 'u.password(p.getProperty("user.p", "hunter"));'),
        ("", 'String s = p.getProperty("user.p", "hunter"); u.withApiToken(s);'),
        ("", 'new Cred("u", p.getProperty("user.p", "hunter"));'),
        ("", 'String s = p.getProperty("user.p", DEFAULT_PASSWORD);'),
        ("", 'String secret = "hunter"; String s = p.getProperty("user.p", secret);'),
        ('String getPassword(Properties p) { return p.getProperty("user.p", "hunter"); }', ""),
    ],
)  # fmt: skip
def test_what_is_put_into_a_secret_is_one(fields: str, body: str) -> None:
    found = analysis(fields, body)
    option = plain(found)
    (default,) = option.defaults
    assert default.text == "hunter"
    assert shown_value(option, default) == "(hidden)"
    assert is_hidden(option, "x1")
    assert not is_hidden(option, "")
    assert value_choices(found, option) == ()
    assert option_view(found, option).is_secret


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ("", 'String name = p.getProperty("user.p", "hunter");'),
        ("", 'setLabel(p.getProperty("user.p", "hunter"));'),
        ("", 'String passwordFormat = p.getProperty("user.p", "hunter");'),
        ("", 'int passwordLength = Integer.parseInt(p.getProperty("user.p", "7"));'),
        ("", 'int password = Integer.parseInt(p.getProperty("user.p", "7"));'),
        ('@Value("${user.p:7}") long tokenExpirySeconds;', ""),
        ('@Value("${user.p:7}") List<Integer> tokens;', ""),
        ("", 'String passwordEncoder = p.getProperty("user.p", "hunter");'),
        ("", 'String secretLocation = p.getProperty("user.p", "hunter");'),
        ("", 'String[] tokens = p.getProperty("user.p", "hunter").split(" ");'),
        ("", 'String keyStorePath = p.getProperty("user.p", "/etc/hunter");'),
        ("", 'String secret = p.getProperty("user.p", "/etc/hunter"); new java.io.File(secret).length();'),
        ("", 'new Parser(p.getProperty("user.p", "hunter"), 1);'),
        ("", 'new Cred(p.getProperty("user.p", "hunter"), "u");'),
        ("", 'String s = p.getProperty("user.p", TYPE_CREDENTIALS);'),
        ("", 'if (u.checkPassword(p.getProperty("user.p", "hunter"))) { }'),
    ],
)  # fmt: skip
def test_what_only_stands_beside_a_secret_is_none(fields: str, body: str) -> None:
    option = plain(analysis(fields, body))
    (default,) = option.defaults
    assert shown_value(option, default) in SHOWN


def test_the_name_of_what_holds_the_value_changes() -> None:
    field = '@Value("${{user.p:hunter}}") String {};'
    system = MemorySystem({"A.java": CODE.format(fields=field.format("label"), body="")})
    living = session(system)
    assert not plain(living.scan()).target
    for name, target in (("password", "password"), ("label", ""), ("token", "token")):
        text = CODE.format(fields=field.format(name), body="")
        system.write("A.java", text)
        living.files_changed(["A.java"])
        one = living.rebuild()
        assert plain(one).target == target
        assert plain(one) == plain(session(system).scan())


def test_the_parameter_of_another_file_changes_its_name() -> None:
    reader = 'package p; class Reader { void m(Sink sink) { sink.take(System.getProperty("user.p", "hunter")); } }'
    sink = "package p; class Sink {{ String held; void take(String {0}) {{ held = {0}; }} }}"
    system = MemorySystem({"Reader.java": reader, "Sink.java": sink.format("text")})
    living = session(system)
    assert not plain(living.scan()).target
    for name, target in (("password", "password"), ("words", "")):
        system.write("Sink.java", sink.format(name))
        living.files_changed(["Sink.java"])
        one = living.rebuild()
        assert plain(one).target == target
        assert plain(one) == plain(session(system).scan())
