"""The index of reads agrees with the rows."""

from conflens.models.load import load_models


def test_the_reads_of_a_method_are_those_that_take_so_many_arguments_and_write_nothing() -> None:
    models = load_models()
    for count in range(4):
        found = models.read_index.of("getProperty", count)
        assert list(found) == [
            row
            for row in models.reads_by_method["getProperty"]
            if not (row.write or row.named_by)
            and row.min_args <= count
            and (row.max_args is None or count <= row.max_args)
        ]
    assert models.read_index.of("getProperty", 1)
    assert not models.read_index.of("noMethodOfAnyRow", 1)


def test_types_of_the_jdk_are_not_surely_asked_and_carriers_have_lookups() -> None:
    index = load_models().read_index
    assert not any(name.startswith("java.") for name in index.asked_types)
    assert "java.util.Map" in index.carriers
    assert any(row.type == "java.util.Map" for row in index.lookups["get"])
