"""Inlay hints, drawn into the source as ``«label»``."""

from __future__ import annotations

from conflens.ide.inlay_hints.java import MAX_HINTS, MAX_LABEL, hints, tooltip
from conflens.ide.settings.settings import Annotations, Settings
from conflens.render.phrases import Wording
from ide.toy import project

ALL = Settings(annotations=Annotations.ALL)


def drawn(
    source: str, settings: Settings | None = None, others: dict[str, str] | None = None
) -> str:
    found = project({"A.java": source, **(others or {})})
    text = source.encode()
    settings = settings or ALL
    result = hints(found.analysis, "A.java", 0, len(text), settings)
    for hint in reversed(result):
        shown = " · ".join(part for part in (hint.label, hint.effect) if part)
        label = f"«{shown}»".encode()
        text = text[: hint.offset] + label + text[hint.offset :]
    return text.decode()


def check(source: str, others: dict[str, str] | None = None) -> None:
    plain = source
    while "«" in plain:
        start = plain.index("«")
        plain = plain[:start] + plain[plain.index("»", start) + 1 :]
    assert drawn(plain, others=others) == source


def test_the_name_in_a_constant() -> None:
    check("""
class A {
    static final String K = "net.timeout";
    void a() { int t = Integer.getInteger(K, 5)«net.timeout»; }
}
""")


def test_no_hint_where_the_source_shows_name_and_default() -> None:
    check("""
class A {
    void a() { int t = Integer.getInteger("net.timeout", 5); }
    void b() { String s = System.getProperty("no.default"); }
}
""")


def test_the_default_in_a_constant() -> None:
    check("""
class A {
    static final int D = 7;
    void a() { int t = Integer.getInteger("net.timeout", D)«default 7»; }
}
""")


def test_the_default_of_a_bound_field_at_its_uses_once_in_a_method() -> None:
    check(
        """
class A {
    void a() { use(config.size«default 64»); use(config.size); }
    void b() { use(config.size«default 64»); }
    void c() {
        use(config.size«default 64»);
        use(config.size);
    }
    void d() { use(config.name); }
}
""",
        {"Config.java": "class Config { /*bound*/ int size = 64; /*bound*/ String name; }"},
    )


def test_the_default_of_another_read_does_not_apply() -> None:
    check("""
class A {
    void a() { int t = Integer.getInteger("net.timeout", 5); }
    void b() { int t = Integer.getInteger("net.timeout"); }
}
""")


def test_one_hint_per_line_and_long_names_are_shortened() -> None:
    name = "first." + "long." * 20 + "the.end"
    label = "first.…" + name[len("first.…") - MAX_LABEL :]
    check(f"""
class A {{
    static final String K = "{name}";
    static final String L = "b.c";
    void a() {{ use(Integer.getInteger(K)«{label}», Integer.getInteger(L)); }}
}}
""")
    assert len(label) == MAX_LABEL


def test_only_the_requested_range_and_never_more_than_the_limit() -> None:
    reads = "".join(f"void m{i}() {{ Integer.getInteger(K); }}\n" for i in range(60))
    source = f'class A {{ static final String K = "a.b";\n{reads}}}'
    found = project({"A.java": source})
    settings = ALL
    assert len(hints(found.analysis, "A.java", 0, len(source), settings)) == MAX_HINTS
    start = source.index("void m10(")
    end = source.index("void m12(")
    assert len(hints(found.analysis, "A.java", start, end, settings)) == 2


def test_the_tooltip_says_it_all_in_one_line() -> None:
    source = 'class A { static final String K = "a.b";\nvoid a() { Integer.getInteger(K, 5); } }'
    found = project({"A.java": source})
    (hint,) = hints(found.analysis, "A.java", 0, len(source), ALL)
    shown = tooltip(found.analysis, "A.java", hint.option, hint.read, Wording())
    assert shown == "**`a.b`** · system property · whole number · default `5`"


def test_switched_off() -> None:
    source = 'class A { static final String K = "a.b";\nvoid a() { Integer.getInteger(K); } }'
    assert "«" in drawn(source)
    assert "«" not in drawn(source, Settings(inlay_hints=False, annotations=Annotations.ALL))
