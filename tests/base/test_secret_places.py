"""Secrets that are known by where they stand: logins without a scheme, keys in addresses, arguments of programs."""

from __future__ import annotations

import pytest

from conflens.base.redaction import redacted_text
from conflens.base.secret_places import placed_secrets
from conflens.base.secrets import is_secret, secrets_in

HEX = "9aa3d95b3bc440fa88ea12eaa4456161"
UUID = "0f1e2d3c-aaaa-bbbb-cccc-0123456789ab"


@pytest.mark.parametrize(
    ("value", "secret"),
    [
        ("u:Zx9Secr3tQ@h:3306/db", "Zx9Secr3tQ"),
        ("u:Zx9Secr3tQ@h", "Zx9Secr3tQ"),
        ("admin:hunter@proxy:8080", "hunter"),
        ("root:4711@db:3306/x", "4711"),
        ("u:p4ssword@10.0.0.1", "p4ssword"),
        ("user/Zx9Secr3tQ@QM1", "Zx9Secr3tQ"),
        ("https://hooks.zapier.com/hooks/catch/123456/bqotyzf", "bqotyzf"),
        ("https://maker.ifttt.com/trigger/ev/with/key/dk3lMnOpQ7rStUv", "dk3lMnOpQ7rStUv"),
        (f"https://mainnet.infura.io/v3/{HEX}", HEX),
        (
            "https://eth.example.com/v2/Zx9Secr3tQ4kLmNoPqRs7tUvWx12",
            "Zx9Secr3tQ4kLmNoPqRs7tUvWx12",
        ),
        (
            "https://chat.example.org/hooks/xo8q3r5ttbnyixz1aemcrk7u1w",
            "xo8q3r5ttbnyixz1aemcrk7u1w",
        ),
        (f"https://events.pagerduty.com/integration/{HEX}/enqueue", HEX),
        (f"https://events.example.com/x/{HEX}/enqueue", HEX),
        (f"https://open.feishu.cn/open-apis/bot/v2/hook/{UUID}", UUID),
        ("https://h/files/Zx9Secr3tQ4kLmNoPqRs7tUvWx12aB3c/x", "Zx9Secr3tQ4kLmNoPqRs7tUvWx12aB3c"),
        ("curl -u admin:hunter http://h/", "hunter"),
        ("curl -s -uadmin:hunter http://h/", "hunter"),
        ("curl --proxy-user='admin:hunter' http://h", "hunter"),
        ('curl --user "admin:hunter" http://h', "hunter"),
        ("redis-cli -h x -a hunter ping", "hunter"),
        ("ldapsearch -x -D cn=a -w hunter -b x", "hunter"),
        ("smbclient -U me%hunter //h/x", "hunter"),
    ],
)
def test_secrets_at_their_places(value: str, secret: str) -> None:
    assert list(placed_secrets(value)) == [secret]
    assert is_secret("x.target", value) and secret in secrets_in(f"see {value}\nfor more")
    shown = redacted_text(f"see {value} for more")
    assert secret not in shown and "(hidden)" in shown and shown.endswith(" for more")


@pytest.mark.parametrize(
    "value",
    [
        "user@host",
        "host:8080",
        "jdbc:postgresql://h:5432/db",
        "mailto:alice@example.com",
        "sip:alice@example.com:5060",
        "email:john2@corp.example.com",
        f"nginx:1.21.3@sha256:{'ab12' * 16}",
        f"images.example.com/nginx@sha256:{'ab12' * 16}",
        "npm:lodash@4.17.21",
        "com.example:library@aar",
        "com.example:lib:1.0@jar",
        "1@localhost:9093,2@localhost:9094",
        "10.0.0.1:9092@rack1",
        "host1:9092@rack1",
        "RULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//",
        "nn/host1.example.com@REALM",
        "HTTP/_HOST@EXAMPLE.COM",
        "${MAIL:-apollo1@example.org}",
        "git@github.com:user/repo.git",
        "ssh:user@host:22",
        "org.example.Foo:bar@5",
        "https://github.com/a/b/blob/0123456789abcdef0123456789abcdef01234567/x.md",
        "https://docs.google.com/document/d/1zXbA9cD8eF7gH6iJ5kL4mN3oP2qR1sT0uV/edit",
        "https://img.example.com/tfs/TB1pwi9EwHqK1RjSZJnXXbNLpXa-479-59.png",
        "https://mp.example.com/s/VHugn0vgNu4m56V49geC4w",
        f"https://h/api/apps/{UUID}",
        f"https://h/objects/{HEX}",
        "https://example.com/docs/hooks/pre-commit-config",
        "https://h/oauth/token/oauth2-introspection",
        "https://h/v3/api-docs/swagger-config",
        "https://h/v1/secrets/my-database-credential",
        "http://localhost:8080/auth/realms/master/protocol/openid-connect/certs",
        "https://h/webhooks/github2gitlab",
        "curl -u $USER:$PASS http://h",
        "curl -u admin http://h",
        "curl -s http://h | sort -u a:b",
        "redis-cli -a $PW",
        "https://files.example.com/com/x/lib/1.0.0-beta2/lib-1.0.0-beta2.jar",
    ],
)
def test_ordinary_values_are_shown(value: str) -> None:
    assert not list(placed_secrets(value))
    assert not is_secret("x.target", value)
    assert redacted_text(f"see {value} there") == f"see {value} there"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("-Ddb.password=hunter and more", "-Ddb.password=(hidden) and more"),
        ("e.g. `auth.token=hunter`.", "e.g. `auth.token=(hidden)`."),
        ("password=<password>, token=${TOKEN}, pwd=***", None),
        ("password=your-password", None),
        ("at http://me:hunter@host/x", "at http://me:(hidden)@host/x"),
        ("at http://user:password@host/x", None),
        ("<password>hunter</password>", "<password>(hidden)</password>"),
        ("<Password>hunter</Password>", "<Password>(hidden)</Password>"),
        ("<userPassword>hunter</userPassword>", "<userPassword>(hidden)</userPassword>"),
        ("<api-key>hunter</api-key>", "<api-key>(hidden)</api-key>"),
        ("<password type='x'>hunter</password>", "<password type='x'>(hidden)</password>"),
        ('<w:Password a="b">$hunter</w:Password>', '<w:Password a="b">(hidden)</w:Password>'),
        (
            "<property name='password' value='hunter'/>",
            "<property name='password' value='(hidden)'/>",
        ),
        ("<property name='password' value='${hunter}'/>", None),
        ("<entry key='password'>hunter</entry>", "<entry key='password'>(hidden)</entry>"),
        ("<entry key='label'>hunter</entry>", None),
        ("<a name='token'>hunter</a>", None),
        ("<property name='label' value='hunter'/>", None),
        ("<password-policy a='b'>strict</password-policy>", None),
        ("<Token a='b'/>strict</x>", None),
        ("--password=<password> The password.", None),
        ("By default, Basic authentication is used.", None),
        ("Basic dXNlcjpodW50ZXI=", "(hidden)="),
        ("The password: it must be long. size=5", None),
    ],
)
def test_running_text(text: str, shown: str | None) -> None:
    assert redacted_text(text) == (text if shown is None else shown)


@pytest.mark.parametrize(
    "text",
    ["u:" * 60_000 + "@", "a:b@" * 30_000, "https://h/" + "hooks/" * 20_000, "curl " * 30_000,
     "curl -u " * 20_000, "x=" * 60_000, "token=" * 20_000, "<password>a" * 10_000,
     "<Password a" * 10_000, "name='password' " * 10_000, "name='password' value " * 10_000, "<entry key='password' " * 10_000,
     "u:" + "a" * 100_000 + "@h", "u/" + "a1" * 50_000 + "@h"],
)  # fmt: skip
def test_long_texts_take_little_work(text: str) -> None:
    assert redacted_text(text) and is_secret("x.target", text) in (True, False)


@pytest.mark.parametrize(
    "given", ["-Dtoken=Tulip7Garden", "-DapiKey=Tulip7Garden", "--pin=471199"]
)
def test_a_property_of_the_java_command_is_known_by_its_name(given: str) -> None:
    shown = redacted_text(f"start it with {given} and wait")
    assert shown == f"start it with {given.partition('=')[0]}=(hidden) and wait"


@pytest.mark.parametrize(
    "text",
    [
        "start it with --password Tulip7 and wait",
        "start it with --api-key 'Tulip7' and wait",
        'the file holds {"password": "Tulip7", "user": "me"}',
    ],
)
def test_a_secret_behind_its_option_or_key_is_hidden(text: str) -> None:
    assert redacted_text(text) == text.replace("Tulip7", "(hidden)")


@pytest.mark.parametrize(
    "text",
    [
        "use --password to set it",
        "use --password, --user or --token-file /etc/x",
        '{"password": "${DB_PASSWORD}", "passwordPolicy": "strict"}',
        "--password <password>",
    ],
)
def test_words_behind_an_option_are_no_secrets(text: str) -> None:
    assert redacted_text(text) == text


@pytest.mark.parametrize(
    "value",
    [
        '{ "user" : "a", "password" : "Tulip7" }',
        'PlainLoginModule required username = "admin" password = "Tulip7";',
        "user = admin; password = Tulip7",
        "user = admin\npassword = Tulip7",
        "<property><name>db.password</name><value>Tulip7</value></property>",
    ],
)
def test_a_blank_before_the_sign_hides_nothing(value: str) -> None:
    assert is_secret("db.json", value)
    assert "Tulip7" in "".join(secrets_in(value))
