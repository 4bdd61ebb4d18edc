"""No secret of a project is in what a command writes; values beside it, which are none, are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conflens.cli.main import main

SECRET = "Tr0ub4dor"
"""All secrets of the project begin like this; none has a form by which it could be known."""

SOURCE = """class Store {
    static final String KEY = "db.password";
    String first = System.getProperty("db.password", "Tr0ub4dor1");
    String second = System.getProperty(KEY, "Tr0ub4dor2");
    String token = System.getProperty("api.token", "Tr0ub4dor3");
    String url = System.getProperty("db.url", "jdbc:mysql://root:Tr0ub4dor4@host/db");
    int port = Integer.getInteger("db.port", 5151);
    int limit = Integer.getInteger("throttle.tokens", 6161);
    void run() throws Exception {
        if (System.getProperty("db.password", "Tr0ub4dor5").length() > 3) { byte[] a = new byte[port]; }
        byte[] more = System.getProperty("api.token", "Tr0ub4dor6").getBytes();
        java.nio.file.Files.write(java.nio.file.Path.of(url), more);
        if ("Tr0ub4dor7".equals(System.getProperty("db.password"))) { byte[] b = new byte[limit]; }
        String password = "Tr0ub4dor8"; if (password.equals(first)) { Thread.sleep(limit); }
    }
    void compared() throws Exception {
        String s = System.getProperty("k.password", "Tr0ub4dorU");
        switch (s) { case "Tr0ub4dorV": Thread.sleep(s.length()); break; case "Tr0ub4dorW": break; default: throw new Error(s); }
        if (java.util.Set.of("Tr0ub4dorX", "Tr0ub4dorY one").contains(s)) { byte[] b = new byte[s.length()]; }
        byte[] c = new byte[(s.replace("Tr0ub4dorZ", "") + "Tr0ub4dora").length()];
        String mode = System.getProperty("k.mode", "fast");
        if (mode.equals("fast")) { Thread.sleep(s.length()); } else if (mode.equals("slow")) { byte[] d = new byte[9]; }
    }
    void commands() throws Exception {
        byte[] line = made("mysql --password=Tr0ub4dorb -u root", limit), more = made("Authorization: Bearer Tr0ub4dorc7x", limit);
        byte[] json = made("{ \\"user\\": \\"u\\", \\"password\\": \\"Tr0ub4dord\\" }", limit);
    }
    void handed() throws Exception {
        byte[] one = connect("h", "Tr0ub4dore", limit), two = withPassword("Tr0ub4dorf", limit);
        byte[] three = made(new String("Tr0ub4dorg".toCharArray()), limit);
        java.sql.DriverManager.getConnection("jdbc:x", "sa", "Tr0ub4dorh" + limit);
        byte[] four = connect("h",
            "Tr0ub4dori", limit);
    }
    byte[] connect(String host, String password, int n) { return new byte[n]; }
    byte[] withPassword(String text, int n) { return new byte[n]; }
    byte[] made(String text, int n) { return new byte[n]; }
}
"""
SETTINGS = """db.password=Tr0ub4dorA
db.port=x7171
api.token=Tr0ub4dorB
db.password=Tr0ub4dorC
db.url=jdbc:mysql://root:Tr0ub4dorD@host/db
throttle.tokens=Tr0ub4dorE
other=${db.password}
"""
GUIDE = """# Options

| Option | Default |
|---|---|
| `db.password` | Tr0ub4dorF |
| `db.port` | 8181 |
| `api.token` | Tr0ub4dorG |
| `db.url` | jdbc:mysql://root:Tr0ub4dorH@host/db |

| Option | Description |
|---|---|
| `mail.secret` | Signs mails, e.g. `mail.secret=Tr0ub4dorP`, and is Tr0ub4dorQ by default. |
| `mail.passphrase` | Opens the key, with the default `Tr0ub4dorR`. |
| `mail.hook` | Is posted to, as in https://chat.example.org/hooks/Tr0ub4dorS9x7Kq2Lm. |
"""
MAIL = """import org.springframework.beans.factory.annotation.Value;
class Mail {
    @Value("${mail.line:${mail.password:Tr0ub4dorI}}") String line;
    @Value("${mail.text:a${mail.more:b${mail.token:Tr0ub4dorJ}}}") String text;
    @Value("${mail.made}") String made;
    @Value("${mail.form:password := Tr0ub4dorX2}") String form;
    @Value("${mail.args:['--password', 'Tr0ub4dor Y2']}") String args;
    /** By default {@code user = a; password = Tr0ub4dor}, or <token>Tr0ub4dor</token>. */ @Value("${mail.login}") String login;
    @Value("${mail.secret:Tr0ub4dorT}") String sign;
    @Value("${mail.passphrase}") String opens;
    /** The password (default Tr0ub4dorU). */ @Value("${mail.password}") String password;
    @Value("${mail.proxy:me:Tr0ub4dorV@proxy}") String proxy;
    @Value("${mail.send:curl -u me:Tr0ub4dorW https://mail.example.org/}") String send;
    @Value("${mail.hook:https://chat.example.org/hooks/Tr0ub4dorX9x7Kq2Lm}") String hook;
    @Value("${mail.copy}") String copy;
    @Value("${mail.api-key}") String key;
    @Value("${mail.box.password}") String box;
    @Value("${mail.host:${mail.name:h9191}}") String host;
    @Value("${mail.first.password:${PN:Tr0ub4dorA2}}") String first;
    @Value("${mail.second.password:${mail.third:${PM:Tr0ub4dorB2}}}") String second;
    @Value("${mail.uri:mongodb://root:${MONGO:Tr0ub4dorF2}@localhost/db}") String uri;
    @Value("jdbc:mysql://h/db?user=u&password=${PJ:Tr0ub4dorG2}") String jdbc;
    @Value("${mail.keys:Tr0ub4dorO2,Tr0ub4dorP2}") java.util.List<String> apiKeys;
    byte[] secretBytes = System.getProperty("mail.bytes", "Tr0ub4dorQ2").getBytes();
    java.util.List<String> line = java.util.List.of("mysql", "--password", System.getProperty("mail.sql", "Tr0ub4dorR2"));
    String third = System.getProperty("mail.fourth.password", System.getProperty("mail.pn", "Tr0ub4dorC2"));
    String fifth = System.getProperty("mail.fifth.password", System.getenv().getOrDefault("MAIL_PK", "Tr0ub4dorD2"));
    String sixth(java.util.Properties p) {
        String fallback = p.getProperty("mail.pl", "Tr0ub4dorE2");
        return p.getProperty("mail.sixth.password", fallback);
    }
}
"""
PLACEHOLDERS = """mail.made=u:${mail.password:Tr0ub4dorK}
mail.copy=${mail.made}
mail.other=${mail.copy}
mail.most=${mail.deep:${mail.deeper:${mail.password:Tr0ub4dorL}}}
mail.name=${mail.host:h9191}
mail.api-key=${SENDGRID:Tr0ub4dorY}
mail.box.password=${PG:Tr0ub4dorZ}
mail.store.password=${PG:Tr0ub4dorZ}
mail.queue=amqp://user:${RABBIT:Tr0ub4dorH2}@queue.example.org
mail.rows=jdbc:mysql://h/db?user=u&password=${ROWS:Tr0ub4dorI2}
mail.jaas=org.example.Login required username="u" password="${KAFKA:Tr0ub4dorJ2}";
mail.one=${ONE:Tr0ub4dorK2}
mail.two=${mail.one}
mail.pair={"name": "password", "value": "Tr0ub4dor"}
mail.login=machine h login a password Tr0ub4dor
mail.two.password=${mail.two}
mail.five=${FIVE:${SIX:Tr0ub4dorN2}}
mail.five.password=${mail.five:}
mail.keys=Tr0ub4dorS2,Tr0ub4dorT2
mail.seven.password=${MAIL_NAMED}
mail.pasword=Tr0ub4dorU2
"""
LOGGING = """<Configuration><Properties><Property name="password">${env:LOGS:-Tr0ub4dorL2}</Property></Properties>
<Appenders><Jdbc name="a"><DriverManager password="${env:ROWS2:-Tr0ub4dorM2}"/></Jdbc></Appenders></Configuration>
"""
SCRIPT = """java -Dmail.password=Tr0ub4dorM -Dmail.copy=${MAIL_PASSWORD:-Tr0ub4dorN} -jar mail.jar --api-token Tr0ub4dorO
"""
FILES = {
    "Store.java": SOURCE,
    "app.properties": SETTINGS,
    "OPTIONS.md": GUIDE,
    "Mail.java": MAIL,
    "src/main/resources/application.properties": PLACEHOLDERS,
    "src/main/resources/log4j2.xml": LOGGING,
    "run.sh": SCRIPT,
    ".env": "MAIL_NAMED=Tr0ub4dorV2\nMAIL_KEYS=Tr0ub4dorW2\n",
}
COMMANDS = [
    ("scan", "table json markdown", "5151"),
    ("flows", "json sarif", "5151"),
    ("sensitivity", "table json markdown", "db.port"),
    ("check", "table json sarif", "x7171"),
    ("docs", "markdown asciidoc json", "5151"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    write(root)
    return root


def write(root: Path) -> None:
    """Write the project's files."""
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A cache that the tests of this module share, so that the classifier is fitted once."""
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.mark.parametrize(
    ("command", "form", "shown"),
    [(name, form, shown) for name, forms, shown in COMMANDS for form in forms.split()],
)
def test_every_command_in_every_format(
    project: Path, capsys: pytest.CaptureFixture[str], command: str, form: str, shown: str
) -> None:
    assert main([command, str(project), "--format", form]) in (0, 1)
    written, said = capsys.readouterr()
    assert "db.password" in written and shown in written
    assert SECRET not in written + said


def test_paths_and_findings_of_secrets_stay_and_a_stored_baseline_has_none(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "baseline.json"
    main(["check", str(project), "--write-baseline", str(file)])
    capsys.readouterr()
    assert SECRET not in file.read_text("utf-8")
    names = ("db.password", "api.token", "db.url")
    main(["flows", str(project), *(word for name in names for word in ("--option", name))])
    written = capsys.readouterr().out
    assert "default (hidden)" in written and SECRET not in written
    main(["check", str(project)])
    written = " ".join(capsys.readouterr().out.split())
    assert "api.token defaults to (hidden) here, but elsewhere to (hidden)." in written
    assert "db.url defaults to (hidden) here, but OPTIONS.md says (hidden)." in written


@pytest.mark.parametrize(
    ("entry", "kept"),
    [
        ("password: Tr0ub4dor", 0),
        ("password: |\n    Tr0ub4dor\n    Tr0ub4dor", 0),
        ("host: me:Tr0ub4dor9@proxy", 0),
        ("host: here # token=Tr0ub4dor", 0),
        ("host: here", 1),
        ("password: ''", 1),
    ],
)
def test_a_fix_that_moves_a_secret_is_left_out_of_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: str, kept: int
) -> None:
    names = ("password", "host", "user", "size")
    fields = "".join(f'@Value("${{shop.db.{name}}}") String {name}; ' for name in names)
    annotation = "org.springframework.beans.factory.annotation.Value"
    (tmp_path / "Shop.java").write_text(f"import {annotation};\nclass Shop {{ {fields}}}\n")
    settings = tmp_path / "src/main/resources/application.yml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"shop:\n  db:\n    user: u\n    size: 4\n  {entry}\n")
    main(["check", str(tmp_path), "--format", "json"])
    written = capsys.readouterr().out
    (moved,) = [one for one in json.loads(written)["findings"] if one["code"] == "unknown-option"]
    assert len(moved["fixes"]) == kept and "Did you mean 'shop.db." in moved["message"]
    main(["check", str(tmp_path), "--format", "sarif"])
    assert SECRET not in written + capsys.readouterr().out
