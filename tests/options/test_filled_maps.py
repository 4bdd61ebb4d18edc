"""Maps of parameters that many calls of the program fill: what the first of them put tells."""

from __future__ import annotations

from conflens.options.discovery import discover
from conflens.options.reads.unentered import MOST
from flow.support import models, program


def names(count: int, key: str) -> set[str]:
    """Return the options read in a program that fills the map of a filter in ``count`` calls, with keys that ``key`` makes."""
    fills = "".join(f"filter.setParam({key.format(one)}, text);\n" for one in range(count))
    source = (
        "import java.util.*; class Filter {\n"
        "private Map<String, String> params;\n"
        "Filter(Filter other) { params = new HashMap<>(other.params); }\n"
        "Filter() { params = new HashMap<>(); }\n"
        "String getParam(String name) { return params.get(name); }\n"
        "void setParam(String name, String value) { params.put(name, value); } }\n"
        "class Search {\n"
        f"void fill(Filter filter, String text, String[] all) {{\n{fills}}}\n"
        'String zone(Filter filter) { return filter.getParam("zone.name"); } }'
    )
    return {option.name for option in discover(program(source), models()).table.options}


def test_a_map_that_few_or_many_calls_fill_under_keys_of_the_program_is_its_own() -> None:
    assert names(2, '"key.{}"') == set()
    assert names(MOST + 5, '"key.{}"') == set()


def test_a_map_that_many_calls_fill_under_keys_of_others_may_be_configuration() -> None:
    assert names(MOST + 5, "all[{}]") == {"zone.name"}
