"""Environment files: quotes, comments, what a cursor touches, and what is written."""

import pytest

from conflens.documents.configfiles import environment
from documents.configfiles.line_support import applied, completed, shown, told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A=1\nexport B=2\n  C = 3 \n", ["A = 1", "B = 2", "C = 3"]),
        ("A=x # c\nB=x#y\nC= # c\nD=", ["A = x", "B = x#y", "C = ", "D = "]),
        ('A="x # y" # c\nB=\'a\\nb\'\nC="a\\nb\\"\\$"', ["A = x # y", "B = a\\nb", 'C = a\nb"$']),
        ('A="1\n2"\nB=3', ["A = 1\n2", "B = 3"]),
        ('A="1\nB="2"\n', ['A = "1', "B = 2"]),
        ("A='C:\\dir\\'\n", ["A = C:\\dir\\"]),
        ("A='it\\'s'", ["A = it's"]),
        ("A=${B:-c}/$D", ["A = ${B:-c}/$D"]),
        ("# A=1\n#B=2\nexport C\nD\n=1\n1A=2\n", []),
        ("spring.datasource.url=x\n", ["spring.datasource.url = x"]),
        ("A=b\t\r\nB=\t\r\n", ["A = b", "B = "]),
        ('A=x"y"', ['A = x"y"']),
        ('A="x"y', ['A = "x"y']),
    ],
)
def test_what_an_environment_file_sets(text: str, expected: list[str]) -> None:
    assert shown(environment, text) == expected


def test_places_and_domain() -> None:
    text = '# c\nexport A="x y" # z\nB=1'
    first, second = environment.parse(text).assignments
    assert first.value and text[first.value.start : first.value.end] == "x y"
    assert first.value.style == '"' and first.domain == "environment"
    assert text[first.start : first.end] == 'export A="x y" # z\n'
    assert text[second.start : second.end] == "B=1"


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("<|>", "key '' for ''"),
        ("DB<|>_URL", "key 'DB' for 'DB_URL'"),
        ("export DB<|>_URL=1", "key 'DB' for 'DB_URL' ="),
        ("A=<|>", "value of A '' for ''"),
        ("A=x<|>y", "value of A 'x' for 'xy'"),
        ('A="x<|>y"', "value of A 'x' for 'xy'"),
        ('A="1\n2<|>3"', "value of A '1\\n2' for '1\\n23'"),
        ("A=x # c<|>", "neither '' for ''"),
        ("# c<|>", "neither '' for ''"),
    ],
)
def test_the_entry_at_a_cursor(marked: str, expected: str) -> None:
    assert told(environment, marked) == expected


def test_how_entries_are_written() -> None:
    text = "export DB_URL=x\nWEB=1\n"
    assert applied(text, environment.added(text, "DB_USER", "a b", "Who")) == (
        'export DB_URL=x\n# Who\nexport DB_USER="a b"\nWEB=1\n'
    )
    assert completed(environment, "D<|>", "DB_USER", "x #y") == 'DB_USER="x #y"'
    assert completed(environment, "D<|>=1", "DB_USER") == "DB_USER=1"
    assert completed(environment, "D<|>", "no name") is None
    (one, _) = environment.parse(text).assignments
    assert environment.renamed(text, one, "1X") is None
