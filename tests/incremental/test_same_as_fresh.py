"""After any steps of edits a session says what a new one says of the same files."""

from __future__ import annotations

import random

import pytest

from conflens.base.system import MemorySystem
from conflens.session.analysis import Analysis
from session.support import FIXTURES, java, session

TEXTS = {f"src/{file.name}": file.read_text("utf-8") for file in sorted(FIXTURES.glob("*.java"))}
HELPER = """package p;
class Helper {{
    static final String KEY = "{key}";
    static int read(String name, int otherwise) {{
        {body}
    }}
}}
"""
USER = """package p;
class User {
    int size = Helper.read("user.size", 5);
    int other = Integer.getInteger(Helper.KEY + ".other", 7);
}
"""
BODIES = (
    "return Integer.getInteger(name, otherwise);",
    "return Integer.getInteger(KEY + name, otherwise);",
    "return otherwise;",
    "String text = System.getProperty(name); return text == null ? otherwise : 1;",
)

BOUND = """package p;
import org.springframework.boot.context.properties.ConfigurationProperties;
@ConfigurationProperties("bound")
class Bound {
    private Wait wait = Wait.seconds(Wait.LONG);
    private java.time.Duration delay = Wait.DELAY;
    private String maxCount;
    private int depth;
    public void setWait(Wait wait) { this.wait = wait; }
    public void setDelay(java.time.Duration delay) { this.delay = delay; }
    public void setMaxCount(String maxCount) { this.maxCount = maxCount; }
    public void setDepth(int depth) { this.depth = depth; }
}
"""
WAIT = """package p;
class Wait {{
    static final long LONG = {amount};
    static final java.time.Duration DELAY = java.time.Duration.ofSeconds(LONG);
    private Wait(long amount, java.util.concurrent.TimeUnit unit) {{ }}
    static Wait seconds(long amount) {{ return new Wait(amount, java.util.concurrent.TimeUnit.{unit}); }}
    @org.springframework.beans.factory.annotation.Value("${{bound.{name}:9}}") int depth;
}}
"""


def waiting(dice: random.Random) -> str:
    """Return a file on which the defaults and the names of a bound class depend."""
    return WAIT.format(
        amount=dice.choice((5, 60)),
        unit=dice.choice(("SECONDS", "DAYS")),
        name=dice.choice(("maxCount", "depth", "other")),
    )


def step(system: MemorySystem, dice: random.Random) -> str:
    """Change one file on disk; return its path."""
    kind = dice.randrange(8)
    if kind == 0:
        path = f"src/p/X{dice.randrange(3)}.java"
        if path in system.files:
            system.remove(path)
        else:
            system.write(path, java(path[6:8], body=f"int v{dice.randrange(9)};"))
        return path
    if kind == 1:
        path, text = "README.md", f"Set `p.X{dice.randrange(3)}` and `pool.size`."
    elif kind == 2:
        path, text = dice.choice(sorted(TEXTS.items()))
        lines = text.splitlines(keepends=True)
        del lines[dice.randrange(len(lines))]
        text = "".join(lines)
    elif kind == 3:
        path, text = dice.choice(sorted(TEXTS.items()))
    elif kind > 5:
        path, text = "src/p/Wait.java", waiting(dice)
    else:
        path = "src/p/Helper.java"
        text = HELPER.format(key=dice.choice("ab"), body=dice.choice(BODIES))
    system.write(path, text)
    return path


def said(analysis: Analysis) -> tuple[object, ...]:
    return (
        dict(analysis.program.files),
        analysis.options,
        analysis.documents.harvests,
        analysis.left_out,
        {option.key: analysis.documented(option) for option in analysis.options.options},
    )


@pytest.mark.seeds(4)
def test_after_any_edits_a_session_equals_a_new_one(seed: int) -> None:
    dice = random.Random(seed)
    system = MemorySystem({**TEXTS, "src/p/User.java": USER, "src/p/Bound.java": BOUND})
    system.write("src/p/Helper.java", HELPER.format(key="a", body=BODIES[0]))
    one = session(system)
    one.scan()
    for number in range(20):
        path = step(system, dice)
        one.files_changed([path])
        if dice.random() < 0.7:
            assert said(one.rebuild()) == said(session(system).scan()), f"step {number}: {path}"


SOURCE = "interface Source { String get(String key); }\n"
ENV = """class Env implements Source {
    public String get(String key) { return System.getenv(key); }
}
"""
POOL = """class Pool {
    String a(Source source) { return source.get("pool.a"); }
    String c(Env env) { return env.get("pool.c"); }
}
"""


@pytest.mark.parametrize(
    "others",
    [{"A.java": ENV}, {"m/Env.java": ENV}, {"B.java": ENV.replace("Env", "Other")}],
    ids=["one file", "two files", "another class"],
)
def test_a_call_that_several_wrappers_answer_is_one_read_after_an_edit_too(
    others: dict[str, str],
) -> None:
    twin = others.get("A.java", "")
    system = MemorySystem({**others, "A.java": SOURCE + ENV + twin + POOL})
    one = session(system)
    one.scan()
    system.write("A.java", SOURCE + ENV + twin + POOL.replace("pool.c", "pool.d"))
    one.files_changed(["A.java"])
    assert said(one.rebuild()) == said(session(system).scan())


TEXTS_OF_A_HELPER = """class Texts {
    static boolean isBlank(String text) { return %s; }
    static boolean isNotBlank(String text) { return %s; }
}
"""
ASKING = {
    "where it is read": """class Asking {
    long b() {
        String text = System.getProperty("pool.b");
        if (Texts.isNotBlank(text)) { return Long.parseLong(text); }
        return 500;
    }
}
""",
    "in a wrapper": """class Asking {
    String get(String key) {
        String text = System.getProperty(key);
        if (Texts.isNotBlank(text)) { return text; }
        return "500";
    }
    long b() { return Long.parseLong(get("pool.b")); }
}
""",
    "in a helper": """class Asking {
    static String or(String text, String other) {
        if (Texts.isNotBlank(text)) { return text; }
        return other;
    }
    long b() { return Long.parseLong(or(System.getProperty("pool.b"), "500")); }
}
""",
}
SAYING = (
    ("text == null || text.isEmpty()", "!isBlank(text)"),
    ("text.isEmpty()", "!isBlank(text)"),
    ("text == null || text.isEmpty()", "isBlank(text)"),
    ("text == null || text.isEmpty()", "true"),
)


@pytest.mark.parametrize("asked", ASKING)
@pytest.mark.parametrize("path", ["Asking.java", "Texts.java"])
def test_what_a_helper_says_of_a_missing_value_is_asked_again_when_its_body_changes(
    path: str, asked: str
) -> None:
    asking = {} if path == "Asking.java" else {"Asking.java": ASKING[asked]}
    beside = "" if asking else ASKING[asked]
    system = MemorySystem({**asking, path: TEXTS_OF_A_HELPER % SAYING[0] + beside})
    one = session(system)
    one.scan()
    texts = []
    for says in (SAYING[1], SAYING[0], SAYING[2], SAYING[0], SAYING[3]):
        system.write(path, TEXTS_OF_A_HELPER % says + beside)
        one.files_changed([path])
        now = one.rebuild()
        assert said(now) == said(session(system).scan())
        texts.append([default.text for default in now.options.options[0].defaults])
    assert ["500"] in texts
    assert [] in texts


def test_a_name_that_was_only_mentioned_and_is_called_now_is_looked_at() -> None:
    binder = """import com.fasterxml.jackson.databind.ObjectMapper;
class Binder {
    static Binder made() { return new Binder(Set.of(Limits.class)); }
    private final Class<T> type;
    private final ObjectMapper mapper = new ObjectMapper(new YAMLFactory());
    Binder(Class<T> type) { this.type = type; }
    T get() throws Exception { %s mapper.readValue(new File("/etc/broker.yaml"), type); }
}
"""
    limits = "class Limits { @com.fasterxml.jackson.annotation.JsonProperty int most; }"
    system = MemorySystem({"Binder.java": binder % "class", "Limits.java": limits})
    one = session(system)
    one.scan()
    system.write("Binder.java", binder % "return")
    one.files_changed(["Binder.java"])
    now = one.rebuild()
    assert [option.name for option in now.options.options] == ["most"]
    assert said(now) == said(session(system).scan())
