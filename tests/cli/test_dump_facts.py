"""``dump-facts``: readable, and total over whatever can be lowered."""

from pathlib import Path

from cli.projects import DEMO
from conflens.cli.tools.dump_facts import dump
from conflens.facts.lower import lower


def test_declarations_and_instructions_with_their_positions() -> None:
    text = b'package p;\nclass A {\n  int a = Integer.getInteger("x.y", 4);\n}\n'
    assert list(dump(lower(text)))[3:] == [
        "type 0 class A  2:7",
        "  member 0 field a() : int  3:7",
        "       0      3:11 Name name='Integer'",
        "       1      3:30 Const kind='s' value='x.y'",
        "       2      3:37 Const kind='i' value='4'",
        "       3      3:11 Call object=0 name='getInteger' args=[1, 2] name_at=12",
        "       4       3:7 StoreField object=-1 name='a' value=3",
    ]


def test_switch_cases_and_annotations_are_spelled_out() -> None:
    text = b"""class A {
  @Named("n") int f(String s) { switch (s) { case "x": return 1; default: return 2; } }
}
"""
    lines = "\n".join(dump(lower(text)))
    assert "@Named(value=0)" in lines
    assert "parameter 0 s : String" in lines
    assert "labels=[" in lines


def test_half_typed_code_is_dumped_with_its_problems() -> None:
    lines = list(dump(lower(b"class A { int f( { return 1 + ; } ")))
    assert any(line.startswith("problem ") for line in lines)


def test_every_file_of_the_demo_project() -> None:
    files = sorted(Path(DEMO).rglob("*.java"))
    assert len(files) == 12
    for file in files:
        facts = lower(file.read_bytes())
        assert sum(line.startswith("type ") for line in dump(facts)) == len(facts.types)
