"""Which values of a run are redacted: by name, by form, and inside command lines; and what must stay."""

import pytest

from conflens.base.secrets import is_secret
from conflens.profiling.jfr.run import jvm_arguments, program_arguments
from conflens.profiling.model import Origin, RunValue
from conflens.profiling.redaction import redacted

SECRETS = [
    ("db.password", "hunter2"),
    ("spring.datasource.password", "123456"),
    ("DB_PASS", "x1"),
    ("AWS_SECRET_ACCESS_KEY", "abc"),
    ("apiKey", "q"),
    ("javax.net.ssl.trustStorePassword", "changeit"),
    ("PGPASSWORD", "pg"),
    ("url", "jdbc:postgresql://u:p4ss@h/db"),
    ("x", "https://bob:s3cret@example.org/p"),
    ("opts", "-Xmx1g -Ddb.password=foo -Dx=1"),
    ("sun.java.command", "Main --password hunter2 in.txt"),
    ("sun.java.command", "Main --token=abcdef"),
    ("k", "AKIAIOSFODNN7EXAMPLE"),
    ("k", "wJalrXUtnFEMI/K7MDENG/bPx4fiCYzq1xTpL0kQ2d"),
    ("h", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"),
    ("cert", "-----BEGIN RSA PRIVATE KEY-----\nMII"),
    ("k", "5f4dcc3b5aa765d61d8327deb882cf99"),
    ("GITHUB", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
    ("header", "Authorization: Bearer abcdef123456"),
    ("authToken", "t"),
    ("session.key", "zzz"),
    ("jdbc.url", "jdbc:mysql://h/db?user=a&password=b"),
    ("jdbc", "jdbc:oracle:thin:scott/tiger@h:1521:x"),
    ("-Ddb.password", "x"),
    ("--client-secret", "y"),
    ("oauth.client", "abcdefg-12"),
    ("-Dtoken", "x1y"),
    ("-Dpwd", "x1y"),
    ("mysqlpwd", "x1y"),
    ("SSHPASS", "x1y"),
    ("db.pw", "x1y"),
    ("token2", "x1y"),
    ("-p", "hunter"),
    ("sun.java.command", "Main -p hunter"),
    ("sun.java.command", "Main -u root -pSECRET db"),
    ("sun.java.command", "Main -phunter2"),
    ("JAVA_OPTS", "-pHunter"),
    ("JAVA_OPTS", "-pS3cr3t!"),
    ("dsn", "https://0123456789abcdef@example.org/1"),
    ("hook", "https://example.org/?sig=abcdefgh"),
    ("hook", "https://hooks.slack.com/services/T024BE7LD/B0ABCDEFG/abcdefgh"),
    ("hook", "https://discord.com/api/webhooks/1234567890/abcdefghijkl"),
    ("hook", "https://api.telegram.org/bot123456789:abcdefghijklmnopqrst/send"),
    ("bot", "123456789:AAabcdefghijklmnopqrstuvwxyzabcdefg"),
    ("settings", "<server><password>hunter2</password></server>"),
]

HARMLESS = [
    ("java.home", "/usr/lib/jvm/java-17-openjdk-amd64"),
    ("PATH", "/usr/local/bin:/usr/bin"),
    (
        "java.class.path",
        "/home/ann/.gradle/caches/modules-2/files-2.1/com.google/guava/5f4dcc3b5aa765d61d8327deb882cf99aabbccdd/guava.jar:/x/y.jar",
    ),
    ("token.cache.size", "1000"),
    ("token.ttl", "3600 s"),
    ("password.file", "/run/secrets/db"),
    ("auth.enabled", "true"),
    ("maxHeap", "12345678901234567890123456"),
    ("java.vm.version", "17.0.15+6-Debian-1deb12u1"),
    ("timestamp", "20261122004450123456789"),
    ("main", "org.springframework.boot.loader.launch.PropertiesLauncher2FactoryBeanX"),
    ("git.commit", "5f4dcc3b5aa765d61d8327deb882cf99aabbccdd"),
    ("id", "123e4567-e89b-12d3-a456-426614174000"),
    ("java.security.auth.login.config", "/etc/jaas.conf"),
    ("keys.per.page", "20"),
    ("hook", "https://example.org/webhooks/notification-service"),
    ("hook", "https://api.telegram.org/bots/help"),
    ("primary.key", "id"),
    ("user.dir", "/home/me/Work2/MyProject3/Build4Dir/aB3dE5gH7"),
    ("jvm", "-XX:+UseG1GC -Xmx4g -Dfile.encoding=UTF-8"),
    ("sun.java.command", "Busy 4 a b"),
    ("pass.count", "3"),
    ("-XX:StartFlightRecording", "filename=b17.jfr,settings=profile"),
    ("compression", "true"),
    ("bypass", "yes"),
    ("bypass", "cache"),
    ("-p", "8080"),
    (
        "sun.java.command",
        "Main -p8080 -path /x -port 5 -printFlags -parallel-gc -pid_file -parseJSON",
    ),
    ("sun.java.command", "Main -p/etc/app.conf -proc:none -p=5 -pl"),
    ("-p", "/etc/app.conf"),
    ("repository", "ssh://git@example.org/x"),
    ("home", "https://ann@example.org/"),
    ("monkey", "chimp"),
    ("JAVA_TOOL_OPTIONS", "-Dworkers=4 -Dpassword="),
    ("LS_COLORS", "rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35"),
    ("java.vm.info", "mixed mode, sharing"),
    ("two.pass", "false"),
    ("cp", "C:\\Users\\Me\\libs2\\abcDEF123ghiJKL456mnoPQR.jar"),
    ("DBUS", "unix:path=/run/user/1000/bus"),
    ("XDG_SESSION_COOKIE_FILE", "/tmp/x"),
    ("build.time", "2026-11-22T00:44:50.549910909Z"),
    ("locale", "en_US.UTF-8"),
]


@pytest.mark.parametrize(("name", "value"), SECRETS)
def test_secrets(name: str, value: str) -> None:
    assert is_secret(name, value)


@pytest.mark.parametrize(("name", "value"), HARMLESS)
def test_obvious_non_secrets_are_kept(name: str, value: str) -> None:
    assert not is_secret(name, value)


@pytest.mark.parametrize("value", ["", "true", "false", "null"])
def test_a_flag_or_an_empty_value_is_no_secret(value: str) -> None:
    assert not is_secret("db.password", value)


def given(name: str, value: str) -> RunValue:
    return RunValue(Origin.SYSTEM_PROPERTY, name, value)


def test_a_redacted_value_can_only_be_compared() -> None:
    one = redacted(given("db.password", "hunter2"), b"salt")
    same = redacted(given("db.password", "hunter2"), b"salt")
    other = redacted(given("db.password", "hunter3"), b"salt")
    elsewhere = redacted(given("db.password", "hunter2"), b"pepper")
    assert one == same and one.redacted and one.value == ""
    assert len({one.digest, other.digest, elsewhere.digest, ""}) == 4
    assert "hunter" not in repr(one)


def test_without_a_salt_there_is_no_digest() -> None:
    assert redacted(given("token", "x1"), b"") == RunValue(
        Origin.SYSTEM_PROPERTY, "token", "", redacted=True
    )


def test_a_non_secret_is_returned_unchanged() -> None:
    value = given("jobs", "4")
    assert redacted(value, b"salt") is value


@pytest.mark.parametrize("value", ["a" * 60_000, "=" * 60_000, "a=" * 30_000, "-a " * 20_000, "a:b/" * 15_000,
                                   "eyJ" * 20_000, "https://a:" * 6_000, "-" * 60_000, "-p" + "aA" * 30_000 + "!", "-p" + "A" * 60_000 + ":"])  # fmt: skip
def test_long_values_take_linear_time(value: str) -> None:
    assert isinstance(is_secret("x", value), bool)


def test_a_secret_after_a_colon_on_a_command_line_is_not_kept_in_the_name() -> None:
    (value,) = program_arguments("--password:hunter2")
    assert redacted(value, b"") == RunValue(Origin.ARGUMENT, "--password", "", redacted=True)
    (value,) = program_arguments("--mode:fast")
    assert redacted(value, b"") is value


def test_a_secret_without_a_space_after_its_option_is_hidden() -> None:
    for line in ("-pSECRET", "-pSECRET db"):
        values = [redacted(value, b"") for value in program_arguments(line)]
        assert values == [RunValue(Origin.ARGUMENT, "-p", "", redacted=True)]
    (value,) = jvm_arguments("-pSECRET")
    assert redacted(value, b"") == RunValue(Origin.JVM_ARGUMENT, "-p", "", redacted=True)
    (value,) = program_arguments("-parallel 4")
    assert redacted(value, b"") is value


def test_an_unquoted_value_with_spaces_is_hidden_completely() -> None:
    found = [redacted(value, b"") for value in jvm_arguments("-Dpassword=open sesame -Xmx1g")]
    assert found == [
        RunValue(Origin.JVM_ARGUMENT, "-Dpassword", "", redacted=True),
        RunValue(Origin.JVM_ARGUMENT, "-Xmx", "1g"),
    ]
