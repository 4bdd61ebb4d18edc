"""Values that speak of a secret and go on with what may be one, and running text that states one."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from conflens.base.redaction import redacted_text
from conflens.base.said_secrets import said
from conflens.base.secrets import is_secret, is_secret_within, secrets_in
from conflens.base.told_secrets import tells_secret
from conflens.facts.javadoc import javadoc_description


@pytest.mark.parametrize(
    "value",
    [
        "password =tulip",
        '"password" :"tulip"',
        '{"password"\n: "tulip"}',
        "password =\n  tulip",
        "password         =         tulip",
        "password := tulip",
        "password => tulip",
        "password -> tulip",
        "password <- tulip",
        "password\uff1a tulip",
        "password \u2192 tulip",
        "password == tulip",
        "passWord = tulip",
        "client_secret\u00a0=\u00a0tulip",
        "a=1&password%3Dtulip",
        "p%61ssword=tulip",
        "&quot;password&quot;:&quot;tulip&quot;",
        '{\\"password\\":\\"tulip\\"}',
        '["--password", "tulip"]',
        "--password,tulip,--x",
        '{"name": "password", "value": "tulip"}',
        '{"value": "tulip", "name": "password"}',
        "- name: DB_PASSWORD\n  value: tulip",
        '<password value="tulip"/>',
        '<property name="password"><value>tulip</value></property>',
        "<param-name>password</param-name><param-value>tulip</param-value>",
        "<key>password</key><string>tulip</string>",
        "CREATE USER a WITH PASSWORD 'tulip'",
        "CREATE USER a IDENTIFIED BY 'tulip'",
        "CREATE USER a IDENTIFIED WITH mysql_native_password BY 'tulip'",
        "SET PASSWORD FOR 'sa'@'h' = 'tulip'",
        "machine h login a password tulip",
        "ENV DB_PASSWORD tulip",
        "user|password|tul1pX",
        "user a password tul1pX",
        'put("password", "tulip")',
        '(user . "a") (password . "tulip")',
        "passwords:\n  - tulip\n  - lily",
        "pass phrase: tulip",
        "Password (default) = tulip",
        "The default password is tulip",
        "password := ${P:tulip}",
        "password 12345",
    ],
)
def test_what_goes_on_with_a_secret(value: str) -> None:
    assert is_secret("x.target", value)


@pytest.mark.parametrize(
    "value",
    [
        "Password:",
        "Enter your password",
        "Password must have at least 8 characters",
        "The password is incorrect",
        "Passphrase is missing!",
        "Leave 'New password' empty. Roles: admin, user",
        "user,password,token",
        '["user", "password", "host"]',
        "password,authorization_code,refresh_token",
        "org.example.auth.TokenFilter",
        "io.a.b.PasswordEncoder,io.a.b.Http1xServer",
        "conf/secrets.properties",
        "http://127.0.0.1:8888/oauth/token",
        "SELECT u.password, u.role FROM users2 u WHERE u.name = ?",
        "CREATE TABLE users(password VARCHAR(64), x INT)",
        "(?i).*(password|secret|token).*",
        "1Password/(\\d+)",
        "PLAIN,SCRAM-SHA-256,OAUTHBEARER",
        "JSON Web Token (JWT) as in RFC7519",
        "user = ${u}; password = ${p}; host = db01x",
        "password := <your password>",
        "password : ${env:DB_PASSWORD}",
        '{"password" : {"type" : "string"}}',
        "<b>Password</b> of the user",
    ],
)
def test_what_programs_ordinarily_have_behind_a_word_for_a_secret(value: str) -> None:
    assert not tells_secret(value)


def test_only_the_part_that_is_given_is_the_secret_of_a_text_with_parts() -> None:
    whole = "user := sa; password := tulip"
    assert is_secret_within("", whole, "tulip") and not is_secret_within("", whole, "sa")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`user = a; password = tulip`", "`user = a; password = (hidden)`"),
        ("password    =    tulip here", "password    =    (hidden) here"),
        ("password =\n  tulip here", "password =\n  (hidden) here"),
        ('the "password" :"tulip" and', 'the "password" :"(hidden)" and'),
        ("password := tulip", "password := (hidden)"),
        ("`db.password` -> tulip", "`db.password` -> (hidden)"),
        ("password => tulip", "password => (hidden)"),
        ('the password is "tulip".', 'the password is "(hidden)".'),
        ("The default password is tulip.", "The default password is (hidden)."),
        ("the password is tul1p.", "the password is (hidden)."),
        ('with the password "changeit" it', 'with the password "(hidden)" it'),
        ("api key = tulip", "api key = (hidden)"),
        ("The password is required.", None),
        ("password: the password to use", None),
        ("password = <password>", None),
        ("password is ${DB_PASSWORD}", None),
        ("If password == null then", None),
        ("`token`: type of it", None),
        ("GITHUB_TOKEN 'GitHub Copilot CLI'", None),
        ('"password": "string"', None),
        ("<property name='password' value='${tulip}'/>", None),
    ],
)
def test_running_text_that_states_a_secret(text: str, shown: str | None) -> None:
    assert redacted_text(text) == (text if shown is None else shown)
    if shown is not None:
        assert any("tul" in one or one == "changeit" for one in secrets_in(text))


def test_the_text_of_tags_and_of_code_is_found_as_it_is_shown() -> None:
    comment = "/** Default {@code a = b; password = tulip}, or <token>lily</token>, <token>token</token>, <b>rose</b>. */"
    shown = redacted_text(javadoc_description(comment))
    assert shown == "Default `a = b; password = (hidden)`, or (hidden), token, rose."


@pytest.mark.parametrize(
    "part",
    [
        "password ",
        "password 1234 ",
        "password = ",
        "\\",
        "-",
        "a.",
        "<",
        "${a:",
        "((",
        "[1",
        "%41",
        'put("password","',
        "password|\n ",
        "password\t",
        "A1",
        "name: password value: ",
        "\u2192",
        'password "',
        "password **",
        "default password is ",
        "&#65;",
        "a+",
        "http://",
        '"',
    ],
)
def test_work_is_linear_in_the_length(part: str) -> None:
    """Calls are counted; what one call of a regular expression does is not, but would take minutes if it were quadratic."""

    def calls(size: int) -> int:
        count = 0

        def counted(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        text = ("password x " + part * (size // len(part)))[:size]
        sys.setprofile(counted)
        try:
            tells_secret(text)
            list(said(text))
        finally:
            sys.setprofile(None)
        return count

    assert calls(16_000) <= 2.2 * calls(8_000) + 50
    long = "x " + part * (200_000 // len(part))
    tells_secret(long)
    list(said(long))
