"""Literals that code hands to what takes a secret, and literals near them that stay readable."""

from __future__ import annotations

import attrs
import pytest

from conflens.base.secrets import masked
from conflens.facts.lower import lower
from conflens.flow.instructions import text_of
from conflens.options.model import Option, OptionTable, OptionType
from conflens.options.secret_arguments import SecretArguments, Takers
from conflens.program.program import Program
from flow.support import call, jdk, models

HEAD = """import java.util.*; import java.sql.*; import java.security.*;
class A { %s
  Object connect(String host, String password, int n) { return null; }
  Object all(int n, String... passwords) { return null; }
  Object count(int password, String text) { return null; }
  Object remove(String token) { return null; }
  static class Pool { Pool(String host, char[] passphrase) { } static Pool of(String secret) { return null; } }
  record Login(String user, String password) { }
  enum Role { ADMIN("root", "Hunter"), USER("sa", null); Role(String name, String password) { } }
}
"""


def shown(code: str, *names: str) -> str:
    source = (
        HEAD
        % f"void m(Properties props, Map<String, String> map, Object in, KeyStore ks) {{ {code} }}"
    )
    program = Program.build({"A.java": lower(source.encode())}, jdk())
    arguments = SecretArguments(program, OptionTable.of(list(map(option, names)), []), TAKERS)
    text = masked(source.encode(), 0, arguments.of("A.java")).decode()
    assert 'ADMIN("root", "(hidden)"), USER("sa", null)' in text
    return text.partition("KeyStore ks) { ")[2].partition(" }\n")[0]


def option(name: str) -> Option:
    return Option(name, "system-property", OptionType.STRING, "", (), "", (), False, "", (), ())


TAKERS = Takers(models().secrets, models().secret_words)


@pytest.mark.parametrize(
    "code",
    [
        'connect("h", "Hunter", 1);',
        'this.connect("h", "Hunt" + x + "Hunter", 1);',
        'connect("h", x ? "Hunter" : "Hunter", 1);',
        'connect("h", ("Hunter").trim(), 1);',
        'connect("h", decode("Hunter"), 1);',
        'connect("h", new String("Hunter"), 1);',
        'new Thread(() -> connect("h", "Hunter", 1)).start();',
        'connect("h",\n "Hunter",\n 1);',
        'connect("h", """\n Hunter""", 1);',
        'String p = "Hunter"; connect("h", p, 1);',
        'connect("h", props.getProperty("k", "Hunter"), 1);',
        'connect("h", switch (1) { default -> "Hunter"; }, 1);',
        'all(1, "Hunter", "Hunter");',
        'new Pool("h", "Hunter".toCharArray());',
        'Pool.of("Hunter");',
        'new Login("u", "Hunter");',
        'char[] c = "Hunter".toCharArray();',
        'char[] c = ("Hunter" + x).toCharArray();',
        'b.withPassword("Hunter");',
        'b.password("Hunter").size(1);',
        'setCredentials(user, "Hunter");',
        'token("Hunter", 1);',
        'b.putApiKey("Hunter");',
        'b.addSecret("Hunter");',
        'b.dbPassword("Hunter");',
        'new AccessToken("Hunter");',
        'DriverManager.getConnection("jdbc:x", "sa", "Hunter");',
        'java.sql.DriverManager.getConnection("jdbc:x", "sa", "Hunter");',
        'javax.sql.DataSource d = null; d.getConnection("sa", "Hunter");',
        'HikariDataSource d = null; d.getConnection("sa", "Hunter");',
        'pool.getDataSource().getConnection("sa", "Hunter");',
        'ks.load(in, chars("Hunter"));',
        'new javax.crypto.spec.SecretKeySpec("Hunter".getBytes(), "AES");',
        'new PasswordAuthentication("u", chars("Hunter"));',
        'new UsernamePasswordCredentials("u", "Hunter");',
        'boolean b = "Hunter".equals(cfg.db().getPassword());',
        'boolean b = Objects.equals("Hunter", password);',
        'boolean b = MessageDigest.isEqual("Hunter".getBytes(), password.getBytes());',
        'boolean b = new String(password).equals("Hunter");',
        'boolean b = password.trim().toLowerCase().equals("Hunter");',
        'boolean b = Set.of("Hunter").contains(user.getPassword());',
        'boolean b = password == "Hunter";',
        'boolean b = encoder.matches("Hunter", user.getPassword());',
        'this.password = decrypt("Hunter", 1);',
        'connect("h", Objects.requireNonNull("Hunter"), 1);',
        'connect("h", new String[] {"Hunter"}[0], 1);',
        'String p = password; boolean b = p.equals("Hunter");',
        'String p = cfg.getPassword(); String q = p.trim(); boolean b = "Hunter".equals(q);',
        'boolean b = password instanceof String s && s.equals("Hunter");',
        'switch (password) { case "Hunter": x(); break; default: }',
        'int n = switch (cfg.password()) { case "Hunter", "Hunter" -> 1; default -> 0; };',
        'boolean b = Arrays.asList("Hunter").stream().anyMatch(password::equals);',
        'boolean b = Optional.ofNullable(password).filter("Hunter"::equals).isPresent();',
        'boolean b = Arrays.asList("Hunter").stream().anyMatch(k -> k.equals(password));',
        'boolean b = Optional.ofNullable(password).filter(k -> "Hunter".equals(k)).isPresent();',
        'for (String k : Arrays.asList("Hunter")) { if (k.equals(password)) x(); }',
        'boolean b = assertThat(password).isEqualTo("Hunter");',
        'assertEquals("Hunter", user.getPassword());',
    ],
)  # fmt: skip
def test_what_is_handed_to_something_that_takes_a_secret_is_hidden(code: str) -> None:
    hidden = code.replace('"""\n Hunter"""', '"Hunter"').replace('"Hunter"', '"(hidden)"')
    assert shown(code) == hidden.replace('"Hunt" ', '"(hidden)" ')


@pytest.mark.parametrize(
    "code",
    [
        'connect("h", props.getProperty("db.password"), 1);',
        'connect("h", getPassword("keystore"), 1);',
        'connect("h", ask("Enter it", "the password: "), 1);',
        'connect("h", parser.getAttribute("", "password"), 1);',
        'connect("h", user.getPassword(), 1); log("connected");',
        'connect("h", "", 1);',
        'connect("h", "${db.password}", 1);',
        'connect("h", "db.password", 1);',
        'connect("h", pw);',
        'Reader r = new Reader("a prompt: "); connect("h", r.getPassword(), 1);',
        'count(1, "text");',
        'boolean b = "text".equals(name);',
        'boolean b = props.getProperty("db.password").equals(password);',
        'boolean b = name.equals("text") && password != null;',
        'boolean b = map.containsKey("text");',
        'this.passwordLength = parse("text");',
        'String name = password + decode("text");',
        'map.remove("credential");',
        'Map.of("a", "b"); all(1);',
        'getPassword("keystore");',
        'createToken("user");',
        'withPasswordEncoder("bcrypt");',
        'withTokenValidity("5m");',
        'new TokenRequest("user");',
        'new StringTokenizer("a b");',
        'char[] hex = "0123456789abcdef".toCharArray();',
        'char[] c = name.toCharArray();',
        'load(in, "text");',
        'map.load(in, "text");',
        'DriverManager.getConnection("jdbc:x", props);',
        'KeyStore.getInstance("JKS", "SUN");',
        'String p = name; boolean b = p.equals("text");',
        'switch (name) { case "text": x(password); break; default: }',
        'boolean b = Arrays.asList("text").stream().anyMatch(name::equals);',
        'boolean b = Arrays.asList("text").stream().map(password::concat).isParallel();',
        'for (String k : Arrays.asList("text")) { k.equals(name); }',
    ],
)  # fmt: skip
def test_ordinary_literals_near_stay_readable(code: str) -> None:
    assert shown(code) == code


def test_a_name_of_an_option_stays_readable_where_a_secret_is_taken() -> None:
    code = 'withPassword("mine"); withPassword("Hunter");'
    assert shown(code, "mine") == 'withPassword("mine"); withPassword("(hidden)");'


def test_an_excerpt_that_is_cut_within_a_literal_hides_what_is_there() -> None:
    assert masked(b'ter", "b")', 10, [(4, 14), (16, 19)]) == b'"(hidden)", "(hidden)")'
    assert masked(b'f("a", "Hun', 10, [(0, 5), (17, 30), (40, 50)]) == b'f("a", "(hidden)"'


def test_parameters_are_looked_at_once_for_each_version_of_a_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = (
        lower(b"class A { void a(String password) { } }"),
        lower(b"class B { void b(String token) { } }"),
    )
    takers, looked = Takers(), []
    inner = takers._of_file
    monkeypatch.setattr(takers, "_of_file", lambda facts: looked.append(facts) or inner(facts))
    program = Program.build({"A.java": one, "B.java": other}, jdk())
    assert sorted(takers.targets(program)) == ["a", "b"] and len(looked) == 2
    edited = program.with_files({"B.java": lower(b"class B { void c(String token) { } }")})
    assert sorted(takers.targets(edited)) == ["a", "c"] and len(looked) == 3
    assert (
        sorted(takers.targets(edited.with_files({"B.java": None}))) == ["a"] and len(looked) == 3
    )


@attrs.frozen
class Sources:
    """What instructions are shown from."""

    program: Program
    texts: Source

    def literals(self, path: str, at: int) -> None:
        return None

    def handed(self, path: str) -> tuple[tuple[int, int], ...]:
        return SecretArguments(self.program, OptionTable.of([], []), TAKERS).of(path)


class Source:
    """The text of every file."""

    def __init__(self, source: bytes) -> None:
        self.source = source

    def text(self, path: str) -> bytes:
        return self.source


@pytest.mark.parametrize("limit", [20, 200])
def test_an_instruction_is_shown_without_what_it_hands_over(limit: int) -> None:
    source = b'class A { void m() {\n a.b()\n  .withPassword("Hunter")\n  .with("x", "Hunter".toCharArray()); } }'
    made = Program.build({"A.java": lower(source)}, jdk())
    ref, index = call(made, "with")
    text = text_of(Sources(made, Source(source)), ref, index, limit)
    assert "Hunter" not in text and text.startswith('with("x", ')


LITERAL = '"Hunter"'
LONG = {
    "concatenation": f"char[] c = (x{f' + {LITERAL}' * 3000}).toCharArray();",
    "chain": f'getDataSource(){".a()" * 3000}.getConnection("sa", {LITERAL});',
    "choices": f"connect(x, {f'x ? {LITERAL} : ' * 100}null, 1);",
}


@pytest.mark.parametrize("title", LONG)
def test_long_expressions_are_looked_through(title: str) -> None:
    code = LONG[title]
    assert LITERAL not in shown(code)
    assert "(hidden)" in shown(code)
