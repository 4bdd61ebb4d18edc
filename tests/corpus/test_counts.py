"""Options that are listed in the source of some projects and counted in scans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus.wild.counts import accumulo, dropwizard, druid, opensearch, pulsar, velocity, zuul
from corpus.wild.counts.__main__ import main
from corpus.wild.counts.counting import Reported, defaults, found
from corpus.wild.counts.java import Sources, class_body, literal, pieces, without_comments


def option(
    name: str,
    *values: str,
    read: str | None = "A.java:1",
    alias: str | None = None,
) -> dict[str, Any]:
    path, _, line = (read or "").partition(":")
    return {
        "name": name,
        "defaults": list(values),
        "reads": [{"path": path, "line": int(line)}] if read else [],
        "aliases": [{"name": alias}] if alias else [],
    }


def reported(*options: dict[str, Any]) -> Reported:
    return Reported({"options": options})


def sources(folder: Path, **texts: str) -> Sources:
    """Write one file a class, named after it."""
    for name, text in texts.items():
        (folder / f"{name}.java").write_text(text, encoding="utf-8")
    return Sources(folder)


def test_comments_are_blanked_out_and_strings_stay() -> None:
    text = 'a("http://x"); // "b"\n/* c\n */ d(\'"\', """\n  // e "f"\n""");'
    bare = without_comments(text)
    assert "http://x" in bare and '// e "f"' in bare
    assert '"b"' not in bare and "c\n" not in bare
    assert len(bare) == len(text) and bare.count("\n") == text.count("\n")


def test_arguments_are_split_outside_strings_and_brackets() -> None:
    text = 'f("a,)", g(1, 2), new int[] {3, 4}) + 5'
    arguments, end = pieces(text, 2)
    assert arguments == ['"a,)"', "g(1, 2)", "new int[] {3, 4}"]
    assert text[end:] == " + 5"
    assert pieces('"+" + A + b("x" + y)', separator="+")[0] == ['"+"', "A", 'b("x" + y)']


def test_literals_are_evaluated() -> None:
    assert literal(r'"a\"b"') == 'a"b'
    assert literal('"""\n    [{"a": 1},\n     {}]"""') == '[{"a": 1},\n {}]'
    assert literal('"""\n    a \\\n    b"""') == "a b"
    assert literal("NAME") is None and literal("'a'") is None and literal('"a" + "b"') is None


def test_the_body_of_a_class_ends_at_its_bracket() -> None:
    text = 'class A { String s = "}"; void f() { } } class B { }'
    start, end = class_body(text, "A")
    assert text[start:end] == ' String s = "}"; void f() { } }'
    assert class_body(text, "C") == (0, 0)


def test_a_constant_is_found_through_imports_and_other_constants(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "Same.java").write_text('class Same { String NAME = "right"; }', "utf-8")
    java = sources(
        tmp_path,
        Same='class Same { String NAME = "wrong"; }',
        Base='class Base { static final String TOP = "top"; String LOOP = LOOP; }',
        User="import static a.Base.TOP;\nimport b.Same;\nclass User { String X = Base.TOP; }",
    )
    assert java.constant("X", "User") == java.constant("TOP", "User") == "top"
    assert java.constant("Same.NAME", "User") == "right"
    assert java.constant("User.X", "Base") == "top"
    assert java.constant("LOOP", "Base") is None and java.constant("Base.NONE", "User") is None


def test_tests_and_benchmarks_are_no_sources(tmp_path: Path) -> None:
    for folder in ("src/main", "src/test", "m/src/test", "m/src/jmh", "test"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "A.java").touch()
    java = Sources(tmp_path)
    assert [java.relative(path) for path in java.paths] == ["src/main/A.java", "test/A.java"]


def test_names_and_aliases_are_looked_up_and_what_lacks_is_said() -> None:
    known = reported(option("a.b", alias="c"), option("d", read=None))
    assert known.read("a.b") and known.read("c") and not known.read("d")
    assert known.read_below("a") and not known.read_below("a.") and not known.read_below("d")
    assert known.lack("d") == "option without read" and known.lack("e") == "no option"


def test_rows_are_counted_and_the_missing_are_kept() -> None:
    count = found("names", [(True, "a"), (False, "b"), (True, "c")], "3 seen")
    assert str(count) == "names: 2 of 3 (3 seen)" and count.lines == ["b"]


@pytest.mark.parametrize(
    ("wanted", "given", "judgement", "is_shown"),
    [
        ("8", ["8"], "1 right, 0 missing, 0 wrong", False),
        ("8", ["8", "9"], "1 right, 0 missing, 0 wrong", True),
        ("8", ["(hidden)"], "1 right, 0 missing, 0 wrong", True),
        (None, [], "1 right, 0 missing, 0 wrong", False),
        ("", [], "0 right, 1 missing, 0 wrong", True),
        ("8", ["9"], "0 right, 0 missing, 1 wrong", True),
        (None, ["9"], "0 right, 0 missing, 1 wrong", True),
    ],
)
def test_a_default_is_judged(
    wanted: str | None, given: list[str], judgement: str, is_shown: bool
) -> None:
    count = defaults("defaults", [("a", wanted, [option("a", *given)])])
    assert count.result == judgement and bool(count.lines) == is_shown


def test_pulsar_fields_and_their_literal_defaults(tmp_path: Path) -> None:
    text = """
    public class ServiceConfiguration {
      @FieldContext(category = C, doc = "a) \\"b\\" (") private int threads = 1_000;
      @FieldContext(doc = "x") @Secret
      private String name = "public";
      @FieldContext private Map<String, String> other;
      @FieldContext(doc = "x") private static final long NONE = 1; // skipped
      @FieldContext(doc = "y") private Set<String> roles = new TreeSet<>();
      @FieldContext(doc = "z") private boolean unread = true;
    }"""
    counts = pulsar.count(
        sources(tmp_path, ServiceConfiguration=text),
        reported(
            option("threads", "1000"),
            option("name", "private"),
            option("roles", "x"),
            option("unread", read=None),
        ),
    )
    assert list(pulsar.fields(text)) == ["threads", "name", "roles", "unread"]
    assert [one.result for one in counts] == ["3 of 4", "1 right, 0 missing, 1 wrong"]
    assert counts[0].lines == ["unread (option without read)"]


def test_accumulo_constants_are_evaluated(tmp_path: Path) -> None:
    text = """
    import static a.Constants.GROUP;
    public enum Property {
      // the first (
      A_PREFIX("a.", null, PropertyType.PREFIX, "Text, (with) brackets", "1"),
      A_B_PREFIX(A_PREFIX.getKey() + Scope.scan.name() + ".", null, PropertyType.PREFIX, "", "1"),
      @Deprecated(since = "2") @Sensitive
      A_SIZE(A_PREFIX + GROUP + ".size", Integer.toString(Integer.MAX_VALUE), PropertyType.BYTES, "", "1"),
      A_CLASS("a.class", Plain.class.getName(), PropertyType.CLASSNAME, "", "1"),
      A_MODE("a.mode", Plain.Mode.FAST.name().toLowerCase(), PropertyType.STRING, "", "1"),
      A_NONE("a.none", null, PropertyType.STRING, "", "1");
      String METHOD("x");
    }"""
    java = sources(
        tmp_path,
        Property=text,
        Constants='class Constants { String GROUP = "default"; }',
        Plain="package p.q;\nclass Plain { }",
    )
    listed = accumulo.properties(java.text_of("Property"), java)
    assert [(one.key, one.default) for one in listed] == [
        ("a.", None),
        ("a.scan.", None),
        ("a.default.size", "2147483647"),
        ("a.class", "p.q.Plain"),
        ("a.mode", "fast"),
        ("a.none", None),
    ]
    counts = accumulo.count(
        java,
        reported(option("a.mode", "fast"), option("a.none", "1"), option("a.class", read=None)),
    )
    assert [one.result for one in counts] == [
        "2 of 4 (6 constants, 2 are prefixes)",
        "3 of 4",
        "1 right, 1 missing, 1 wrong",
    ]


def test_an_accumulo_constant_that_is_not_understood_is_an_error(tmp_path: Path) -> None:
    java = sources(tmp_path, Property='enum Property { A("a", made(), T.STRING, "", "1"); }')
    with pytest.raises(ValueError, match=r"made\(\) is not understood"):
        accumulo.count(java, reported())


def test_druid_properties_of_bound_classes(tmp_path: Path) -> None:
    java = sources(
        tmp_path,
        Module="""class Module {
          String PREFIX = "druid.pool";
          void configure(Binder binder) {
            JsonConfigProvider.bind(binder, PREFIX, Pool.class);
            JsonConfigProvider.bind(binder, "druid.pool", Pool.class, Named.class);
            // JsonConfigProvider.bind(binder, "druid.none", Pool.class);
            JsonConfigProvider.bindWithDefault(binder, "druid.kind", Kind.class, One.class);
            JsonConfigProvider.bind(binder, first() + ".x", Pool.class);
          }
        }""",
        HttpModule="""class HttpModule {
          static HttpModule global() { return new HttpModule("druid.http", A.class); }
          void configure(Binder binder) { JsonConfigProvider.bind(binder, prefix, Http.class, a); }
        }""",
        Pool="""class Pool extends Base {
          static final String NAME = "named";
          @JsonProperty @Min(1) private int size = 1;
          @JsonProperty(NAME) public List<String> other;
          @JsonProperty public int getWidth() { return 1; }
          @JsonProperty("tall") public void setHeight(int height) { }
        }""",
        Base='class Base { Base(@JsonProperty("base") int a, @JsonProperty("size") int b) { } }',
        Http='class Http { @JsonProperty private Tls tls; @Config({"druid.config"}) int a; \n'
        ' @Config("druid.config.plain")\n int b; }',
        Kind="""@JsonSubTypes({@JsonSubTypes.Type(name = "one", value = One.class)})
        interface Kind { }""",
        One="class One implements Kind { @JsonProperty int depth; }",
    )
    counts = druid.count(
        java,
        reported(
            option("druid.pool.size"),
            option("druid.pool.named", read=None),
            option("druid.pool.tall"),
            option("druid.http.tls.protocol"),
            option("druid.kind.depth"),
        ),
    )
    assert [one.result for one in counts] == ["0 of 1", "3 of 5 (2 bindings)", "1 of 1", "1"]
    assert sorted(counts[1].lines) == [
        "druid.pool.base of Pool (no option)",
        "druid.pool.named of Pool (option without read)",
    ]


def test_zuul_keys(tmp_path: Path) -> None:
    text = """class A {
      static final String PREFIX = "zuul.pool";
      Object a = new CachedDynamicIntProperty("zuul.a", Math.max(1, 2)).get();
      Object b = new DynamicStringSetProperty<String>(PREFIX + ".size", "");
      Object c = new DynamicBooleanProperty("zuul." + name + ".disable", false);
      Object d = new DynamicBooleanProperty(limitName(), false);
      Object e = config().getIntProperty(given, 1);
      Object f = new DynamicBooleanProperty(unknown, false);
      Object g = factory.getStringProperty("zuul.g", null);
      String limitName() { return "zuul." + name + ".limit"; }
    }"""
    counts = zuul.count(
        sources(tmp_path, A=text),
        reported(
            option("zuul.a"),
            option("zuul.pool.size"),
            option("zuul.*.disabled"),
            option("zuul.*.limit", read="A.java:70"),
            option("given", read="A.java:7"),
        ),
    )
    assert [one.result for one in counts] == ["1 of 2", "4 of 5"]
    assert counts[0].lines == ['"zuul.g" (A.java:9) (no option)']
    assert counts[1].lines == ['"zuul." + name + ".disable" (A.java:5)']


def test_velocity_names_are_below_the_sections_that_are_passed_on(tmp_path: Path) -> None:
    text = """class VelocityConfiguration {
      static void read() {
        final CommentedConfig poolConfig = config.get("pool");
        final CommentedConfig hostsConfig = config.get("hosts");
        String bind = config.getOrElse("bind", "0.0.0.0");
        new VelocityConfiguration(new Pool(poolConfig), new Hosts(hostsConfig));
      }
      private static class Pool {
        Pool(CommentedConfig config) {
          if (config.contains("size")) { size = config.getIntOrElse("size", 1); }
        }
      }
      private static class Hosts { Hosts(CommentedConfig config) { config.entrySet(); } }
    }"""
    counts = velocity.count(
        sources(tmp_path, VelocityConfiguration=text), reported(option("pool.size"))
    )
    assert [one.name for one in velocity.names(text)] == [
        "pool",
        "hosts",
        "bind",
        "pool.size",
        "pool.size",
    ]
    assert [one.result for one in counts] == ["3 of 5", "1 of 2"]
    assert counts[0].lines == ["hosts (line 4, section)", "bind (line 5, no option)"]


def test_dropwizard_setters_are_read_in_their_file(tmp_path: Path) -> None:
    text = """class A {
      @JsonProperty public int getSize() { return 1; }
      @JsonProperty public void setSize(int size) { }
      @JsonProperty("max-idle") @Min(1) public void setIdleMaximum(int idle) { }
      @JsonProperty public void setOther(int other) { }
      @JsonProperty public void setMissing(int missing) { }
    }"""
    counts = dropwizard.count(
        sources(tmp_path, A=text),
        reported(
            option("pool.size"),
            option("pools[*].maxIdle[*]"),
            option("other", read="B.java:1"),
        ),
    )
    assert [one.result for one in counts] == ["2 of 4"]
    assert counts[0].lines == ["other of A (A.java)", "missing of A (A.java)"]


def test_opensearch_settings_of_pools(tmp_path: Path) -> None:
    text = """class ThreadPool {
      class Names { String GET = "get"; String GENERIC = "all"; }
      ThreadPool() {
        put(Names.GET, new FixedExecutorBuilder(settings, Names.GET, 1, 2));
        put(Names.GENERIC, new ScalingExecutorBuilder(Names.GENERIC, 1, 2));
      }
      Setting<TimeValue> INTERVAL = Setting.timeSetting("thread_pool.interval", 1);
    }"""
    counts = opensearch.count(
        sources(tmp_path, ThreadPool=text),
        reported(
            option("thread_pool.get.size"),
            option("thread_pool.interval"),
            option("thread_pool.same.size"),
        ),
    )
    assert [one.result for one in counts] == ["2 of 6", "1"]
    assert counts[0].lines[-1] == "thread_pool.all.keep_alive (no option)"
    assert counts[1].lines == ["thread_pool.same.size"]


def test_the_command_prints_one_line_for_each_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources(tmp_path, A="class A { @JsonProperty public void setSize(int size) { } }")
    kept = tmp_path / "scan.json"
    kept.write_text(json.dumps({"options": [option("other")]}), encoding="utf-8")
    arguments = [f"dropwizard={tmp_path}", "--scan", f"dropwizard={kept}"]
    main(arguments)
    line = "dropwizard: @JsonProperty setters that are read in their file: 0 of 1\n"
    assert capsys.readouterr().out == line
    main([*arguments, "-v"])
    assert capsys.readouterr().out == f"{line}  size of A (A.java)\n"


def test_a_project_that_is_not_counted_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["petclinic=folder"])
    assert "'petclinic' is none of accumulo" in capsys.readouterr().err
