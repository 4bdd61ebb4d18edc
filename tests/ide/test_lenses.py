"""Code lenses, written as ``place: title -> what they open``."""

from __future__ import annotations

from conflens.ide.code_lens.java import lens_text, lenses
from conflens.ide.settings.settings import Annotations, Settings
from ide.toy import project

ALL = Settings(annotations=Annotations.ALL)
KEYS = 'class Keys {\n  static final String K = "a.b";\n  static final String L = "c.d";\n}\n'
READS = "class A {\n  int a = Integer.getInteger(K);\n  int b = Integer.getInteger(K);\n}\n"


def check(files: dict[str, str], path: str, expected: str, complete: bool = True) -> None:
    found = project(files, complete)
    lines: list[str] = []
    for lens in lenses(found.analysis, path, ALL):
        text = lens_text(found.analysis, path, lens.symbol, lens.place.start, ALL)
        assert text is not None
        opened = ", ".join(found.show(place) for place in text.places)
        lines.append(f"{found.show(lens.place)}: {text.title} -> {opened}".rstrip(" ->"))
    assert "\n".join(lines) == expected.strip()


def test_reads_in_one_and_in_several_files() -> None:
    check(
        {"Keys.java": KEYS, "A.java": READS, "B.java": READS.replace("class A", "class B")},
        "Keys.java",
        """
Keys.java:2:23 K: 4 reads in 2 files -> A.java:2:30 K, A.java:3:30 K, B.java:2:30 K, B.java:3:30 K
""",
    )
    check(
        {"Keys.java": KEYS, "A.java": READS},
        "Keys.java",
        "Keys.java:2:23 K: 2 reads -> A.java:2:30 K, A.java:3:30 K",
    )


FIELD = "class Config { /*bound*/ int size = 64; }"


def test_a_bound_field() -> None:
    check(
        {"Config.java": FIELD, "A.java": "class A { void a() { use(config.size); } }"},
        "Config.java",
        "Config.java:1:30 size: 1 read -> A.java:1:33 size",
    )


def test_no_reads_is_shown_only_if_the_analysis_is_complete() -> None:
    check({"Config.java": FIELD}, "Config.java", "Config.java:1:30 size: no reads")
    check({"Config.java": FIELD}, "Config.java", "", complete=False)


def test_a_lens_follows_its_declaration_after_an_edit_and_disappears_with_it() -> None:
    found = project({"Config.java": "\n\n\n" + FIELD})
    text = lens_text(found.analysis, "Config.java", "Config.size", 29, ALL)
    assert text is not None and text.title == "no reads"
    assert lens_text(found.analysis, "Config.java", "Config.other", 29, ALL) is None
    assert lens_text(found.analysis, "Other.java", "Config.size", 29, ALL) is None


def test_disabled() -> None:
    found = project({"Config.java": FIELD})
    assert lenses(found.analysis, "Config.java", Settings(code_lens=False)) == ()
