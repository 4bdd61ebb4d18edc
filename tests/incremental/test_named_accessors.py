"""A method that says that it gives a setting reads options for as long as callers hand it enough names."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from session.support import session

SETTINGS = """package p;
interface Settings { String getGlobalProperty(String name, String defaultValue); }
"""
POOL = """package p;
class Pool {
    int a(Settings s) { return Integer.parseInt(s.getGlobalProperty("pool.size", "8")); }
    String b(Settings s) { return s.getGlobalProperty("pool.name", "main") + s.getGlobalProperty("pool.path", null); }
}
"""
QUEUE = """package p;
class Queue {
    String a(Settings s) { return s.getGlobalProperty("queue.name", "q") + s.getGlobalProperty("queue.path", null); }
}
"""
ALL = {"pool.size", "pool.name", "pool.path", "queue.name", "queue.path"}


@pytest.mark.parametrize(
    ("path", "old", "new", "names"),
    [
        ("p/Queue.java", '"queue.path"', "toString()", set()),
        ("p/Queue.java", '"queue.path"', '"queue.dir"', ALL - {"queue.path"} | {"queue.dir"}),
        ("p/Settings.java", "String getGlobal", "void getGlobal", set()),
        ("p/Settings.java", "getGlobalProperty", "getThing", set()),
        ("p/Pool.java", '"8"', '"9"', ALL),
    ],
    ids=["too few names", "another name", "gives nothing", "another method", "another default"],
)
def test_an_edit_gives_what_a_fresh_session_gives(
    path: str, old: str, new: str, names: set[str]
) -> None:
    files = {"p/Settings.java": SETTINGS, "p/Pool.java": POOL, "p/Queue.java": QUEUE}
    system = MemorySystem(dict(files))
    living = session(system)
    before = living.scan().options
    assert {option.name for option in before.options} == ALL
    assert old in files[path]
    system.write(path, files[path].replace(old, new))
    living.files_changed([path])
    after = living.rebuild().options
    assert after == session(MemorySystem(dict(system.files))).scan().options
    assert {option.name for option in after.options} == names
    system.write(path, files[path])
    living.files_changed([path])
    assert living.rebuild().options == before


BASE = """package p;
class SettingsBase implements Settings {
    public String getGlobalProperty(String name, String defaultValue) {
        String value = getGlobalProperty(name);
        return value == null ? defaultValue : value;
    }
    String getGlobalProperty(String name) { return look(name); }
    native String look(String name);
}
"""
HELPER = """package p;
class Settled { static String getSystemSetting(Settings s, String key) { return s.getGlobalProperty(key, null); } }
"""
USER = """package p;
class User {
    String all(Settings s) {
        return Settled.getSystemSetting(s, "user.a") + Settled.getSystemSetting(s, "user.b")
            + Settled.getSystemSetting(s, "user.c") + Settled.getSystemSetting(s, "user.d");
    }
}
"""


def test_wrappers_of_such_a_method_are_the_same_after_an_edit() -> None:
    files = {
        "p/Settings.java": SETTINGS,
        "p/Pool.java": POOL,
        "p/Queue.java": QUEUE,
        "p/SettingsBase.java": BASE,
        "p/Settled.java": HELPER,
        "p/User.java": USER,
    }
    system = MemorySystem(dict(files))
    living = session(system)
    assert {option.name for option in living.scan().options.options} > ALL | {"user.a", "user.d"}
    for old, new in (('"user.d"', '"user.d") + Settled.getSystemSetting(s, "user.e"'), ("x", "x")):
        system.write("p/User.java", USER.replace(old, new))
        living.files_changed(["p/User.java"])
        after = living.rebuild().options
        assert after == session(MemorySystem(dict(system.files))).scan().options
