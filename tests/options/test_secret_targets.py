"""Options whose names are plain, and whose values code puts into, or takes from, what has the name of a secret."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.check import every
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
    A own() {{ return this; }} A apiKey(String s) {{ return this; }} String authToken(String s) {{ return "x" + s.length(); }}
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
        ("", 'Lib.builder().url("x").apiKey(p.getProperty("user.p", "hunter")).build();'),
        ("", 'new Lib.Builder().accessToken(p.getProperty("user.p", "hunter")).build();'),
        ("", 'String v = p.getProperty("user.p", "hunter"); u.clientSecret(v).secretKey("x");'),
        ("", 'Optional.of(p.getProperty("user.p", "hunter")).ifPresent(u::apiKey);'),
        ("", 'own().apiKey(p.getProperty("user.p", "hunter"));'),
        ("", 'List<String> apiKeys = new ArrayList<>(); apiKeys.add(p.getProperty("user.p", "hunter"));'),
        ("List<String> apiKeys;", 'this.apiKeys.addAll(Arrays.asList(p.getProperty("user.p", "hunter").split(",")));'),
        ("List<String> apiKeys;", 'Collections.addAll(apiKeys, p.getProperty("user.p", "hunter").split(","));'),
        ("List<String> apiKeys;", 'for (String one : p.getProperty("user.p", "hunter").split(",")) { apiKeys.add(one.trim()); }'),
        ("List<String> apiKeys;", 'apiKeys = Arrays.stream(p.getProperty("user.p", "hunter").split(",")).map(String::trim).toList();'),
        ("Set<String> apiKeys;", 'apiKeys = Arrays.stream(p.getProperty("user.p", "hunter").split(",")).collect(Collectors.toSet());'),
        ("", 'String[] passwords = new String[2]; passwords[0] = p.getProperty("user.p", "hunter");'),
        ("", 'List<String> apiKeys = Splitter.on(",").splitToList(p.getProperty("user.p", "hunter"));'),
        ("", 'String[] c = new String[3]; c[0] = "mysql"; c[1] = "--password"; c[2] = p.getProperty("user.p", "hunter");'),
        ("", 'List<String> c = new ArrayList<>(); c.add("mysql"); c.add("-p" + p.getProperty("user.p", "hunter"));'),
        ("", 'u.arg("mysql").arg("-u").arg("me").arg("-p" + p.getProperty("user.p", "hunter"));'),
        ("", 'List<String> c = new ArrayList<>(List.of("mysql", "-u")); c.add("-p" + p.getProperty("user.p", "hunter"));'),
        ("", 'ProcessBuilder b = new ProcessBuilder("mysql"); b.command().add("-p" + p.getProperty("user.p", "hunter"));'),
        ("List<String> apiKeys;", 'Arrays.stream(p.getProperty("user.p", "hunter").split(",")).forEach(apiKeys::add);'),
        ("List<String> apiKeys;", 'Arrays.stream(p.getProperty("user.p", "hunter").split(",")).forEach(one -> apiKeys.add(one));'),
        ("", 'Set<String> apiKeys = Sets.newHashSet(p.getProperty("user.p", "hunter").split(","));'),
        ("", 'Lib.builder().usernamePassword("me", p.getProperty("user.p", "hunter"));'),
        ("", 'String s = "<entry key=\\"password\\">" + p.getProperty("user.p", "hunter") + "</entry>";'),
        ("", 'String s = "<Password>" + p.getProperty("user.p", "hunter") + "</Password>";'),
        ("", 'String s = "<userPassword>" + p.getProperty("user.p", "hunter") + "</userPassword>";'),
        ("", 'String s = "<wsse:Password Type=\\"t\\">" + p.getProperty("user.p", "hunter") + "</wsse:Password>";'),
        ("", 'String s = "<property name=\\"password\\" value=\\"" + p.getProperty("user.p", "hunter") + "\\"/>";'),
        ("", 'var b = new StringBuilder("jdbc:x?user=x"); b.append("&password="); b.append(p.getProperty("user.p", "hunter"));'),
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
        ("", 'String s = u.createAccessToken(p.getProperty("user.p", "hunter"));'),
        ("", 'String s = authToken(p.getProperty("user.p", "hunter"));'),
        ("", 'List<String> tokens = new ArrayList<>(); tokens.add(p.getProperty("user.p", "hunter"));'),
        ("", 'Lib.builder().usernamePassword(p.getProperty("user.p", "hunter"), "x");'),
        ("List<String> labels;", 'Arrays.stream(p.getProperty("user.p", "hunter").split(",")).forEach(one -> labels.add(one));'),
        ("", 'List<String> c = new ArrayList<>(List.of("run", "-u")); c.add("-p" + p.getProperty("user.p", "hunter"));'),
        ("List<String> labels;", 'labels.add(p.getProperty("user.p", "hunter"));'),
        ("", 'String[] c = new String[3]; c[0] = "run"; c[1] = "--mode"; c[2] = p.getProperty("user.p", "hunter");'),
        ("", 'List<String> c = new ArrayList<>(); c.add("run"); c.add("-p" + p.getProperty("user.p", "hunter"));'),
        ("", 'String s = "<password-policy>" + p.getProperty("user.p", "hunter") + "</password-policy>";'),
        ("", 'String s = "<token/>" + p.getProperty("user.p", "hunter");'),
    ],
)  # fmt: skip
def test_what_only_stands_beside_a_secret_is_none(fields: str, body: str) -> None:
    option = plain(analysis(fields, body))
    (default,) = option.defaults
    assert shown_value(option, default) in SHOWN


LIBRARIES = """
CuratorFrameworkFactory.builder().connectString("x").authorization("digest", ("user:" + V).getBytes())
new UsernamePasswordCredentialsProvider("me", V)
Cluster.builder().withCredentials("me", V)
CqlSession.builder().withAuthCredentials("me", V)
new BasicAuthenticationInterceptor("me", V)
new SSHClient().authPassword("me", V)
new LDAPConnection().bind("cn=x", V)
new SimpleBindRequest("cn=x", V)
new GitLabApi("http://x", V)
new TelegramBot(V)
new Options.Builder().userInfo("me", V)
http.rememberMe().key(V)
http.rememberMe(one -> one.key(V))
new TokenBasedRememberMeServices(V, users)
new SendGrid(V)
JDABuilder.createDefault(V)
Slack.getInstance().methods(V)
""".strip().splitlines()


@pytest.mark.parametrize("call", LIBRARIES)
def test_what_a_library_takes_as_a_secret(call: str) -> None:
    given = call.replace("V", 'p.getProperty("user.p", "hunter")')
    option = plain(analysis("HttpSecurity http; Users users;", given + ";"))
    assert [shown_value(option, one) for one in option.defaults] == ["(hidden)"]


@pytest.mark.parametrize(
    "call", ["Foo.builder().key(V)", "http.cache().key(V)", "pool.addAuthInfo(1, V)"]
)
def test_what_another_type_takes_is_none(call: str) -> None:
    given = call.replace("V", 'p.getProperty("user.p", "hunter")')
    option = plain(analysis("HttpSecurity http; Pool pool;", given + ";"))
    assert [shown_value(option, one) for one in option.defaults] == ["hunter"]


@pytest.mark.parametrize(
    ("name", "use", "default", "shown"),
    [
        ("mail.bytes", "byte[] secretBytes = V.getBytes();", "hunter", "(hidden)"),
        ("mail.timeout", "u.setPassword(V);", "hunter", "(hidden)"),
        ("mail.url", "u.setPassword(V);", "hunter", "(hidden)"),
        ("mail.bytes", "u.setPassword(V);", "32", "32"),
        ("mail.timeout", "u.setPassword(V);", "10 seconds", "10 seconds"),
        ("mail.url", "u.setPassword(V);", "http://host/a", "http://host/a"),
        ("mail.bytes", "String label = V;", "hunter", "hunter"),
        ("mail.bytes", "int n = Integer.parseInt(V); String secret = V;", "32", "32"),
    ],
)  # fmt: skip
def test_a_type_that_only_the_name_tells_is_wrong_about_other_values(
    name: str, use: str, default: str, shown: str
) -> None:
    body = use.replace("V", f'p.getProperty("{name}", "{default}")')
    found = analysis("", body).options.options
    assert {shown_value(one, value) for one in found for value in one.defaults} == {shown}


@pytest.mark.parametrize(
    ("use", "is_shown"),
    [
        ("u.setPassword(V);", False),
        ("long label = Long.parseLong(V);", True),
        ("setPin(Long.parseLong(V));", False),
        ("Integer.parseInt(V.trim()); u.setPassword(V);", False),
    ],
)
def test_check_does_not_print_a_secret_that_is_no_number(use: str, is_shown: bool) -> None:
    body = use.replace("V", 'p.getProperty("mail.bytes")')
    files = {
        "A.java": CODE.format(fields="void setPin(long pin) { }", body=body),
        "src/main/resources/application.properties": "mail.bytes=hunter\n",
    }
    looked = every(session(MemorySystem(files)).scan(), [*files])
    messages = [one.message for found in looked for one in found]
    assert any("hunter" in one for one in messages) is is_shown


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


def test_a_method_of_another_file_becomes_a_setter() -> None:
    reader = 'package p; class Reader { void m(Sink sink) { String v = System.getProperty("user.p", "hunter"); send(sink, v); } '
    reader += "void send(Sink sink, String text) { sink.apiKey(text); } }"
    sink = "package p; class Sink {{ {0} apiKey(String text) {{ {1} }} }}"
    system = MemorySystem(
        {"Reader.java": reader, "Sink.java": sink.format("String", 'return "x" + text.length();')}
    )
    living = session(system)
    assert not plain(living.scan()).target
    for type_, body, target in (("void", "", "apiKey"), ("int", "return text.length();", "")):
        system.write("Sink.java", sink.format(type_, body))
        living.files_changed(["Sink.java"])
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
