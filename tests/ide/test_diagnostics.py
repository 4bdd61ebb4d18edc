"""Diagnostics, as ``severity code place: message`` with related places indented."""

from __future__ import annotations

from conflens.checking.results import Severity
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.settings.settings import Settings
from ide.toy import project

DOCUMENT = {"docs/options.md": "- `known.option`: what it does.\n"}
KNOWN = 'class K { String s = System.getProperty("known.option"); }'


def check(
    files: dict[str, str],
    path: str,
    expected: str,
    settings: Settings | None = None,
    complete: bool = True,
    **changes: object,
) -> None:
    found = project(files, complete, **changes)
    lines: list[str] = []
    for item in diagnostics(found.analysis, path, settings or Settings()):
        lines.append(f"{item.severity} {item.code} {found.show(item.place)}: {item.message}")
        lines += [f"  {found.show(place)}: {text}" for place, text in item.related]
    assert "\n".join(lines) == expected.strip()


def test_conflicting_defaults() -> None:
    files = {
        "A.java": 'class A { int a = Integer.getInteger("p.q", 4); }',
        "B.java": 'class B { int a = Integer.getInteger("p.q", 8); }',
        "C.java": 'class C { int a = Integer.getInteger("p.q", 4); }',
    }
    check(
        files,
        "A.java",
        """
warning conflicting-default A.java:1:45 4: p.q defaults to 4 here, but elsewhere to 8.
  B.java:1:45 8: default 8
""",
    )
    check(
        files,
        "B.java",
        """
warning conflicting-default B.java:1:45 8: p.q defaults to 8 here, but elsewhere to 4.
  A.java:1:45 4: default 4
  C.java:1:45 4: default 4
""",
    )
    check(files, "B.java", "", Settings(conflicting_default=Severity.OFF))
    check(files, "B.java", "", Settings(diagnostics=False))


def test_a_default_in_a_constant_is_reported_at_the_read() -> None:
    check(
        {
            "A.java": 'class A { int a = Integer.getInteger("p.q", D); }',
            "B.java": 'class B { int a = Integer.getInteger("p.q", 8); }',
            "D.java": "class D { static final int D = 4; }",
        },
        "A.java",
        """
warning conflicting-default A.java:1:38 "p.q": p.q defaults to 4 here, but elsewhere to 8.
  B.java:1:45 8: default 8
""",
    )


def test_a_read_that_is_never_used() -> None:
    source = 'class A {\n  void a() {\n    System.getProperty("x.y");\n  }\n}\n'
    used = 'class B { String s = System.getProperty("x.y"); }'
    place = 'A.java:3:12 getProperty("x.y")'
    check(
        {"A.java": source, "B.java": used},
        "A.java",
        f"hint unused-read {place}: The value of x.y is never used.",
    )
    loud = Settings(unused_read=Severity.WARNING)
    text = f"warning unused-read {place}: The value of x.y is never used."
    check({"A.java": source, "B.java": used}, "A.java", text, loud)


def test_an_option_without_a_used_read_is_reported_once() -> None:
    source = 'class A {\n  void a() {\n    System.getProperty("x.y");\n  }\n}\n'
    place = 'A.java:3:12 getProperty("x.y")'
    dead = f"hint dead-option {place}: x.y has no effect: its value is read, but never used."
    check({"A.java": source}, "A.java", dead)
    quiet = Settings(dead_option=Severity.OFF)
    text = f"hint unused-read {place}: The value of x.y is never used."
    check({"A.java": source}, "A.java", text, quiet)


UNKNOWN = 'class A { String s = System.getProperty("known.other"); }'
REPORT = "known.other is not mentioned in any document of this project."


def test_an_undocumented_option_where_others_are_documented() -> None:
    files = {"A.java": UNKNOWN, "K.java": KNOWN, **DOCUMENT}
    check(files, "A.java", f'hint undocumented-option A.java:1:41 "known.other": {REPORT}')
    check(files, "K.java", "")
    check(files, "A.java", "", complete=False)
    check(files, "A.java", "", Settings(undocumented=Severity.OFF))


def test_no_report_if_no_option_of_this_kind_is_documented() -> None:
    check({"A.java": UNKNOWN, "K.java": KNOWN}, "A.java", "")
    check({"A.java": UNKNOWN, **DOCUMENT}, "A.java", "")
    field = {
        "Config.java": "class Config { /*bound*/ int size = 64; }",
        "B.java": "class B { void b() { use(config.size); } }",
    }
    check({"K.java": KNOWN, **DOCUMENT, **field}, "Config.java", "")


def test_a_hint_if_an_option_of_the_same_namespace_is_only_mentioned() -> None:
    prose = {"docs/options.md": "The known.option is mentioned, `known.option` even.\n"}
    said = f"{REPORT[:-1]}, although known.option in the same namespace is."
    hint = f'hint undocumented-option A.java:1:41 "known.other": {said}'
    check({"A.java": UNKNOWN, "K.java": KNOWN, **prose}, "A.java", hint)


def test_options_with_a_description_in_tests_and_patterns_are_exempt() -> None:
    files = {"A.java": UNKNOWN, "K.java": KNOWN, **DOCUMENT}
    check(files, "A.java", "", description="from Javadoc")
    in_test = {"src/test/A.java": UNKNOWN, "K.java": KNOWN, **DOCUMENT}
    check(in_test, "src/test/A.java", "")
    pattern = {"A.java": UNKNOWN.replace("known.other", "known.*.x"), "K.java": KNOWN, **DOCUMENT}
    check(pattern, "A.java", "")


def test_an_undocumented_option_is_reported_once_where_it_is_declared() -> None:
    files = {
        "Keys.java": 'class Keys { static final String K = "known.other"; }',
        "A.java": "class A { String s = System.getProperty(K); String t = System.getProperty(K); }",
        "K.java": KNOWN,
        **DOCUMENT,
    }
    check(files, "A.java", "")
    check(files, "Keys.java", f"hint undocumented-option Keys.java:1:34 K: {REPORT}")
