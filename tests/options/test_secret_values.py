"""Which values of options and which literals of code are hidden."""

from __future__ import annotations

import attrs
import pytest

from conflens.base.secrets import (
    is_secret,
    is_secret_default,
    secrets_in,
    speaks_of_secrets,
    without_secrets,
)
from conflens.options.described import shown_description
from conflens.options.model import Option, OptionType
from conflens.options.secret_values import is_hidden, shown_value


def option(name: str, kind: OptionType) -> Option:
    return Option(name, "system-property", kind, "", (), "", (), False, "", (), ())


@pytest.mark.parametrize(
    ("name", "value", "kind", "hidden"),
    [
        ("db.password", "changeit", OptionType.STRING, True),
        ("db.password", "", OptionType.STRING, False),
        ("db.password", "null", OptionType.PASSWORD, False),
        ("keystore.phrase", "changeit", OptionType.PASSWORD, True),
        ("keystore.phrase", "changeit", OptionType.STRING, False),
        ("api.token", "10", OptionType.STRING, True),
        ("throttle.tokens", "10", OptionType.INTEGER, False),
        ("session.secret", "x1", OptionType.INTEGER, True),
        ("auth.provider", "x509", OptionType.STRING, False),
        ("db.url", "jdbc:mysql://u:p4ss@h/db", OptionType.STRING, True),
        ("db.url", "jdbc:mysql://h/db", OptionType.STRING, False),
        ("git.remote", "https://0123456789:x-oauth-basic@host/a", OptionType.STRING, True),
        ("git.remote", "https://0123456789:x-oauth-basic", OptionType.STRING, True),
        ("basic.users", "admin:tulip", OptionType.STRING, True),
        ("acme.logins", "admin:tulip, guest:lily1", OptionType.LIST, True),
        ("super.users", "User:admin;User:alice", OptionType.STRING, False),
        ("basic.users", "admin, guest", OptionType.STRING, False),
        ("basic.users", "https://host/users", OptionType.STRING, False),
        ("basic.users", "admin:${TULIP}", OptionType.STRING, False),
        ("log.levels", "http:debug", OptionType.STRING, False),
    ],
)
def test_values_of_options(name: str, value: str, kind: OptionType, hidden: bool) -> None:
    one = option(name, kind)
    assert is_hidden(one, value) is hidden
    assert shown_value(one, value) == ("(hidden)" if hidden else value)


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ('get("db.password", "hunter")', 'get("db.password", "(hidden)")'),
        ('get("db.password" , "hunter", 5)', 'get("db.password" , "(hidden)", 5)'),
        ('get(DB_PASSWORD, "hunter")', 'get(DB_PASSWORD, "(hidden)")'),
        ('password = "hunter"', 'password = "(hidden)"'),
        ('if ("hunter".equals(get("db.password")))', 'if ("(hidden)".equals(get("db.password")))'),
        ('get("api.token").equals("hunter")', 'get("api.token").equals("(hidden)")'),
        ('open("https://u:hunter2@h/")', 'open("(hidden)")'),
        ('get("db.user", "sa")', 'get("db.user", "sa")'),
        ('get("db.password", "")', 'get("db.password", "")'),
        ('getPassword("keystore")', 'getPassword("keystore")'),
        ('log("the password: it is wrong", "x")', 'log("the password: it is wrong", "x")'),
        ('fail(password, "is too short")', 'fail(password, "is too short")'),
        ('get("auth.provider", "x509")', 'get("auth.provider", "x509")'),
        ('x.equals("a") && get("b.c")', 'x.equals("a") && get("b.c")'),
        ('get("db.password", "hun', 'get("db.password", "(hidden)"'),
        (
            '"db.password".equals(key) || "x".equals(key)',
            '"db.password".equals(key) || "(hidden)".equals(key)',
        ),
        ("a + b", "a + b"),
        ('password.equals("hunter")', 'password.equals("(hidden)")'),
        ('!password.equalsIgnoreCase( "hunter" )', '!password.equalsIgnoreCase( "(hidden)" )'),
        ('"hunter".contentEquals(config.password)', '"(hidden)".contentEquals(config.password)'),
        (
            'user.getPassword().trim().startsWith("hunter")',
            'user.getPassword().trim().startsWith("(hidden)")',
        ),
        ('adminPassword == "hunter"', 'adminPassword == "(hidden)"'),
        (
            'Arrays.equals(password.toCharArray(), "hunter".toCharArray())',
            'Arrays.equals(password.toCharArray(), "(hidden)".toCharArray())',
        ),
        ('get("db.password", """\n  hunter""")', 'get("db.password", "(hidden)")'),
        ('get("db.password", "hun" + "ter")', 'get("db.password", "(hidden)" + "(hidden)")'),
        ('password == null || mode.equals("strict")', 'password == null || mode.equals("strict")'),
        ('password.isEmpty() ? "new" : "old"', 'password.isEmpty() ? "new" : "old"'),
        ('login("admin", password)', 'login("admin", password)'),
        ('kind.equals("PASSWORD")', 'kind.equals("PASSWORD")'),
        ('log("password" + "less")', 'log("password" + "less")'),
    ],
)
def test_literals_of_code(code: str, shown: str) -> None:
    assert without_secrets(code) == shown


def test_a_literal_beside_the_plain_name_of_a_secret() -> None:
    code = 'get("user.p").equals("hunter") && get("user.q").equals("hunter")'
    assert without_secrets(code) == code
    one = 'get("user.p").equals("hunter")'
    assert without_secrets(one, (), {"user.p"}) == 'get("user.p").equals("(hidden)")'


@pytest.mark.parametrize(
    ("name", "kind", "values", "hidden"),
    [
        ("user.p", OptionType.STRING, (), True),
        ("user.p", OptionType.MODE, (), True),
        ("user.p", OptionType.MODE, ("hunter", "fisher"), False),
        ("user.type", OptionType.STRING, (), False),
        ("user.p", OptionType.FILE, (), False),
        ("user.p", OptionType.CLASS, (), False),
        ("user.p", OptionType.BOOLEAN, (), False),
        ("user.p", OptionType.TIME, (), False),
    ],
)
def test_values_that_are_put_into_a_secret(
    name: str, kind: OptionType, values: tuple[str, ...], hidden: bool
) -> None:
    one = attrs.evolve(option(name, kind), target="password", values=values)
    assert is_hidden(one, "hunter") is hidden
    assert is_hidden(attrs.evolve(one, target=""), "hunter") is False
    described = shown_description(one, "A thing, e.g. `user.p=hunter`.")
    assert ("hunter" not in described) is (hidden and name == "user.p")


OPAQUE = (
    "Zx9Secr3tQ0",
    "5f4dcc3b5aa765d61d8327deb882cf99",
    "8c3c8dc9-08bf-4cd7-ac80-cecb3e7ae86c",
)


@pytest.mark.parametrize("value", OPAQUE)
@pytest.mark.parametrize(
    "name",
    ["hmac", "salt", "session.id", "crypt.seed", "user.auth", "cipherKey", "iv", "auth.value", "user.hash"],
)  # fmt: skip
def test_an_opaque_value_is_a_secret_under_a_name_that_allows_for_one(
    name: str, value: str
) -> None:
    assert is_secret_default(name, value)
    assert is_secret(name, value)
    assert without_secrets(f'get("{name}", "{value}")') == f'get("{name}", "(hidden)")'


@pytest.mark.parametrize(
    "name", ["my.psw", "db.credentials.value", "mot.de.passe", "db.pswd", "senha"]
)
def test_more_words_for_secrets(name: str) -> None:
    assert is_secret_default(name, "hunter")
    assert list(secrets_in(f"{name}: hunter")) == ["hunter"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("basalt", "Zx9Secr3tQ0"),
        ("hmac", "HmacSHA256"),
        ("auth.type", "Zx9Secr3tQ0"),
        ("user.auth", "x509"),
        ("user.auth", "PBKDF2WithHmacSHA1"),
        ("random.seed", "42"),
        ("random.seed", "1234567890"),
        ("session.timeout", "30min"),
        ("session.id", "JSESSIONID"),
        ("partition.key", "user_id1"),
        ("partition.key", "orders-2024-01"),
        ("commit.hash", "dcf5eba26e1"),
        ("node.id", "8c3c8dc9-08bf-4cd7-ac80-cecb3e7ae86c"),
        ("password.encoder.value", "bcrypt"),
        ("salt", "/etc/salt1/a2b3"),
    ],
)
def test_ordinary_values_are_shown(name: str, value: str) -> None:
    assert not is_secret_default(name, value)


def test_known_secrets_are_hidden_wherever_they_stand() -> None:
    assert without_secrets('connect("changeit", "x")', {"changeit"}) == 'connect("(hidden)", "x")'


def test_names_that_speak_of_secrets_and_defaults_that_everybody_knows() -> None:
    assert speaks_of_secrets("token.cache.size") and speaks_of_secrets("db.password")
    assert not speaks_of_secrets("auth.timeout") and not speaks_of_secrets("tokenizer.size")
    assert not is_secret_default("token.policy", "strict")


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("java -Ddb.password=hunter -jar a.jar", ["hunter"]),
        ("java -jar a.jar --db.password hunter --port 80", ["hunter"]),
        ("export URL=${DB_PASS:-hunter}", ["-hunter}"]),
        ("first\nDB_TOKEN: 'hunter'\nlast=1", ["hunter"]),
        ("see https://u:hunter2@host/", ["https://u:hunter2@"]),
        ("mysql -phunter2", ["-phunter2"]),
        ("mkdir -p ${HOME_DIR}; PASSWORD=$1", []),
        ("the password must be long, a path=/tmp/x", []),
        ("key Zx81KqPt9RwVn3LmYd7BsHf2 ok", ["Zx81KqPt9RwVn3LmYd7BsHf2"]),
    ],
)
def test_secrets_of_running_text(text: str, secrets: list[str]) -> None:
    assert list(secrets_in(text)) == secrets


@pytest.mark.parametrize("code", ['"' * 60_000, '"a",' * 15_000, '"\\' * 30_000, 'a="b",' * 10_000,
                                  '"x".equals(' * 5_000, '"x" + ' * 10_000, 'password == "x",' * 4_000, '"""' * 20_000, 'a.' * 5_000 + '"x"'])  # fmt: skip
def test_long_code_takes_little_work(code: str) -> None:
    assert without_secrets(code) is not None


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ('r.header("Authorization", "Bearer " + "S3kret")', 'r.header("Authorization", "Bearer " + "(hidden)")'),
        ('r.header("Accept", "text" + "/plain")', 'r.header("Accept", "text" + "/plain")'),
        ('r.put("db.password", p).put("host", "text")', 'r.put("db.password", p).put("host", "text")'),
        ('r.put("db.password", p()).add("text")', 'r.put("db.password", p()).add("text")'),
        ('get("db.password", "").trim().isOurs("S3kret")', 'get("db.password", "").trim().isOurs("(hidden)")'),
        ('password.matchesExactly("S3kret")', 'password.matchesExactly("(hidden)")'),
        ('"S3kret".sameAs(cfg.password)', '"(hidden)".sameAs(cfg.password)'),
    ],
)  # fmt: skip
def test_what_is_joined_behind_a_name_and_what_any_method_may_compare(
    code: str, shown: str
) -> None:
    assert without_secrets(code) == shown
