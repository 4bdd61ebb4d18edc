"""Types as they are written, also nested deeper than anyone writes."""

from conflens.program.types import JavaType, parse


def test_a_type_nested_too_deeply_keeps_only_its_name() -> None:
    assert parse("List<" * 2000 + "X" + ">" * 2000, JavaType) == JavaType("List")
    assert parse("int" + "[]" * 2000, JavaType) == JavaType("int")
    assert parse("Map<K,List<V[]>>", JavaType).args[1].args[0].args == (JavaType("V"),)
