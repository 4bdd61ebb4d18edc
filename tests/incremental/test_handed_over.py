"""What the program puts into a map under a key is no option for as long as it does so, whichever file it does it in."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from session.support import session

PART = """package p;
class Part {
    static final String LIMIT = "part.limit";
    int limit;
    void configure(java.util.Map<String, ?> configs) { limit = (Integer) configs.get(LIMIT); }
    int used() { return limit; }
}
"""
MAKER = """package p;
class Maker {
    static void make(int limit) {
        java.util.Map<String, Object> map = new java.util.HashMap<>();
        map.put(%s, limit);
        new Part().configure(map);
    }
}
"""
PARSED = "Integer.parseInt((String) configs.get(LIMIT))"


def test_an_edit_of_what_fills_the_map_gives_what_a_fresh_session_gives() -> None:
    system = MemorySystem({"p/Part.java": PART, "p/Maker.java": MAKER % "Part.LIMIT"})
    living = session(system)
    assert not living.scan().options.options
    steps = (
        ("p/Maker.java", MAKER % '"other"', True),
        ("p/Maker.java", MAKER % "Part.LIMIT", False),
        ("p/Maker.java", (MAKER % "Part.LIMIT").replace(", limit)", ", 10)"), True),
        ("p/Maker.java", MAKER % "Part.LIMIT", False),
        ("p/Part.java", PART.replace("(Integer) configs.get(LIMIT)", PARSED), True),
    )
    for path, text, found in steps:
        system.write(path, text)
        living.files_changed([path])
        after = living.rebuild().options
        assert after == session(MemorySystem(dict(system.files))).scan().options
        assert bool(after.options) is found, text
