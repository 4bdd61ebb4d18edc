"""What changing an option does is that of a fresh scan after each edit, whatever was looked at before."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from conflens.base.system import MemorySystem
from conflens.properties.model import Properties
from conflens.session.analysis import Analysis
from session.support import session

READ = """class Settings { int size = Integer.getInteger("pool.size", 9) * 2; int size() { return size; } }
"""
POOL = "class Pool { byte[] make(Settings settings) { return new byte[settings.size()]; } }\n"
LOOP = """class Loop { void run(Settings settings, java.io.OutputStream out) throws Exception {
    for (int i = 0; i < settings.size(); i++) { out.flush(); } } }
"""
COUNT = """class Count { final int count = Integer.getInteger("loop.count", 9); void run(java.io.OutputStream out) throws Exception {
    if (Switch.on()) { for (int i = 0; i < count; i++) { out.flush(); } } } }
"""
SWITCH = """class Switch { static boolean on() { return Boolean.getBoolean("loop.on"); } }
"""
REMOTE = "interface Remote extends java.rmi.Remote { void call() throws Exception; }\n"
SERVER = """class Server implements Remote {
    public void call() throws Exception { new Count().run(new java.io.FileOutputStream("a")); } }
"""
FILES = {
    "Settings.java": READ,
    "Pool.java": POOL,
    "Loop.java": LOOP,
    "Count.java": COUNT,
    "Switch.java": SWITCH,
    "Remote.java": REMOTE,
    "Server.java": SERVER,
}
EDITS: Mapping[str, tuple[str, str, str]] = {
    "factor": ("Settings.java", "* 2", "* 1024"),
    "clamp": ("Settings.java", "return size;", "return Math.max(size, 32);"),
    "written elsewhere": (
        "Loop.java",
        "out.flush();",
        "out.flush(); settings.size = settings.size + 1;",
    ),
    "size": ("Pool.java", "settings.size()", "settings.size() + 4"),
    "bound": ("Loop.java", "i <", "i <="),
    "condition": ("Count.java", "if (Switch.on())", "if (!Switch.on())"),
    "entry": ("Remote.java", " extends java.rmi.Remote", ""),
    "call": ("Server.java", "new Count().run", "new Loop().run"),
    "gone": ("Pool.java", "settings.size()", "4"),
}


def said(analysis: Analysis) -> dict[str, Properties]:
    return {one.name: analysis.properties.of(one) for one in analysis.options.options}


@pytest.mark.parametrize("edit", EDITS)
def test_properties_are_those_of_a_fresh_scan(edit: str) -> None:
    path, old, new = EDITS[edit]
    system = MemorySystem(FILES)
    living = session(system)
    before = said(living.scan())
    system.write(path, FILES[path].replace(old, new))
    living.files_changed([path])
    after = said(living.rebuild())
    assert after == said(session(system).scan())
    assert after != before
    system.write(path, FILES[path])
    living.files_changed([path])
    assert said(living.rebuild()) == before
