"""What is tinted in a file with a profile."""

from __future__ import annotations

import pytest

from conflens.ide.profile.hot_lines import MAX_LINES, hot_lines
from conflens.ide.settings.settings import Settings
from ide.test_profile import CHAIN, SOURCE
from ide.toy import project
from ide.toy_profile import profile


def tinted(source: str, settings: Settings | None = None, made_of: str | None = None) -> list[str]:
    """The tints of a source with the diagnosis of another: line, level, words, text."""
    before = project({"A.java": made_of or source})
    made = profile(before.analysis, compared="+" in source)
    after = project({"A.java": source})
    return [
        f"{after.show(hot.place).partition(' //')[0].removeprefix('A.java:')} · {hot.level} · {hot.text}"
        for hot in hot_lines(after.analysis, made, "A.java", settings or Settings())
    ]


NAME = "9:10 encode · 3 · 34 % CPU (51 of 150 samples), 13 samples before"
LINE = "10:9 byte[] copy = data.clone(); · 2 · 12 % CPU"
CALL = "5:13 encode(data); · 3 · 40 % CPU"


def test_methods_and_lines_ordered_by_cost() -> None:
    assert tinted(SOURCE) == [CALL, NAME, LINE]


def test_levels_are_the_same_in_every_file() -> None:
    shares = (0.9, 1, 4.9, 5, 19, 20, 100)
    methods = "".join(f"    void m{n}() {{ }} // heat cpu {s} {s}\n" for n, s in enumerate(shares))
    found = tinted(f"class A {{\n{methods}}}\n")
    assert [line.split(" · ")[1] for line in found] == ["1", "1", "2", "2", "3", "3"]


def test_a_method_comes_before_its_first_line() -> None:
    source = "class A {\n    void a() { b(); // heat cpu 3 90 // spent 80\n    }\n}\n"
    assert tinted(source) == ["2:10 a · 1 · 3 % CPU (4.50 of 150 samples)"]


def test_shares_and_changes() -> None:
    analysis = project({"A.java": SOURCE}).analysis
    found = hot_lines(analysis, profile(analysis, CHAIN), "A.java", Settings())
    assert [(hot.share, hot.change) for hot in found] == [(0.4, None), (0.34, 0.21), (0.12, None)]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            ("class A {\n", "\n\nclass A {\n"),
            ["7:" + CALL[2:], "11:" + NAME[2:], "12:" + LINE[3:]],
        ),
        (("        byte[] copy", "        cold();\n        byte[] copy"), [CALL, NAME]),
        (("void encode(byte[] data)", "void encode(byte[] data, int n)"), [CALL]),
    ],
)
def test_a_tint_moves_with_its_line_or_disappears(
    change: tuple[str, str], expected: list[str]
) -> None:
    assert change[0] in SOURCE
    assert tinted(SOURCE.replace(*change), made_of=SOURCE) == expected


@pytest.mark.parametrize(
    ("settings", "is_shown"),
    [
        (Settings(profile_hints=False), True),
        (Settings(profile_lenses=False), True),
        (Settings(inlay_hints=False), True),
        (Settings(profile_hints=False, profile_lenses=False), False),
        (Settings(inlay_hints=False, code_lens=False), False),
        (Settings(inlay_hints=False, profile_lenses=False), False),
    ],
)
def test_disabled_together_with_hints_and_lenses(settings: Settings, is_shown: bool) -> None:
    assert bool(tinted(SOURCE, settings)) is is_shown


def test_other_files_and_too_many_lines() -> None:
    found = project({"A.java": SOURCE, "B.java": "class B { }"})
    made = profile(found.analysis)
    assert hot_lines(found.analysis, made, "B.java", Settings()) == ()
    assert hot_lines(found.analysis, made, "gone.java", Settings()) == ()
    methods = "".join(f"    void m{n}() {{ }} // heat cpu 2 2\n" for n in range(MAX_LINES + 9))
    assert len(tinted(f"class A {{\n{methods}}}\n")) == MAX_LINES
