"""Types and texts nested deeper than anyone writes are passed over, not recursed into."""

from conflens.options.declared.placeholders import placeholders
from conflens.program.types import JavaType, parse


def test_a_type_nested_too_deeply_is_its_name() -> None:
    assert parse("List<" * 2000 + "X" + ">" * 2000, JavaType) == JavaType("List")
    assert parse("int" + "[]" * 2000, JavaType) == JavaType("int")
    assert parse("Map<K,List<V[]>>", JavaType).args[1].args[0].args == (JavaType("V"),)


def test_a_text_of_very_many_braces_names_nothing() -> None:
    assert placeholders("${a:" * 2000 + "}" * 2000, "dollar") == []
    assert [found.name for found in placeholders("${a:${b:1}}", "dollar")] == ["b", "a"]
