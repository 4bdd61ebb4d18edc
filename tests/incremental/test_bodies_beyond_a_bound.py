"""A bound on how many bodies are looked at counts those that can be looked at, so that no other body brings one into view."""

from __future__ import annotations

import pytest

from conflens.session.analysis import Analysis
from session.support import living_and_fresh

HELD = """import java.util.*;
public class Held {
    static final Map<String, String> NAMES = new HashMap<>();
    static { NAMES.put("a", "pool.size"); NAMES.put("b", "pool.idle"); }
    static void more() { NAMES.put("c", "pool.max"); }
    int size() { return Integer.getInteger(NAMES.get("a")) + Integer.getInteger(NAMES.get("c")); }
}
"""
TOKENS = """import java.util.*;
import com.fasterxml.jackson.databind.*;
public class Tokens {
    static final List<Class<?>> NAMES = new ArrayList<>();
    static void init() { NAMES.add(Pool.class); }
    void load() throws Exception {
        for (Class<?> one : NAMES) { Object read = new ObjectMapper().readValue(new java.io.File("conf.json"), one); }
    }
}
class Pool { public int poolSize = 4; int size() { return poolSize; } }
"""


def others(count: int, *without: int) -> str:
    """A class of which ``count`` bodies name a field of its own, but for some."""
    bodies = (
        f"int get{number}() {{ return {1 if number in without else 'NAMES'}; }}"
        for number in range(count)
    )
    return f"class Aside {{ int NAMES; {' '.join(bodies)} }}"


def names(analysis: Analysis) -> list[str]:
    return sorted(option.name for option in analysis.options.options)


@pytest.mark.parametrize(
    ("text", "found"), [(HELD, ["pool.max", "pool.size"]), (TOKENS, ["poolSize"])]
)
def test_bodies_of_other_files_that_name_a_field_of_the_same_name_change_nothing(
    text: str, found: list[str]
) -> None:
    first = {"Held.java": text, "Aside.java": others(201)}
    steps = [first, {"Aside.java": others(201, 3, 4)}, {"Aside.java": others(201)}]
    for living, fresh in living_and_fresh(steps):
        assert names(living) == names(fresh) == found
