"""Options that are set although what they need is off, and as many where that may be otherwise."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.check import findings
from conflens.checking.results import Code
from session.support import session

JAVA = """import java.io.FileInputStream;
import java.util.Properties;
class Store {
    private final Properties config = new Properties();
    void load() throws Exception { config.load(new FileInputStream("conf/store.properties")); }
    byte[] take() {
        boolean on = Boolean.parseBoolean(config.getProperty("snap.enabled", "false"));
        if (on) {
            return new byte[Integer.parseInt(config.getProperty("snap.size", "9"))];
        }
        return null;
    }
    byte[] other() { return new byte[Integer.parseInt(config.getProperty("store.size", "9"))]; }
}
"""
SET = '        config.setProperty("snap.enabled", "true");\n        boolean on'
BY_DEFAULT = "snap.size has no effect here: it is only used if snap.enabled is true, and that is false by default and set nowhere."
SET_TO = "snap.size has no effect here: it is only used if snap.enabled is true, and that is set to false."


def told(files: dict[str, str], java: str = JAVA) -> list[str]:
    analysis = session(MemorySystem({"src/Store.java": java, **files})).scan()
    return [
        finding.message
        for path in analysis.config_files
        for finding in findings(analysis, path)
        if finding.code is Code.INEFFECTIVE_OPTION
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("store.size=5\nsnap.size=5\n", [BY_DEFAULT]),
        ("store.size=5\nsnap.size=5\nsnap.enabled=false\n", [SET_TO]),
        ("store.size=5\nsnap.size=5\nsnap.enabled=true\n", []),
        ("store.size=5\nsnap.size=5\nsnap.enabled=${on}\n", []),
        ("store.size=5\nsnap.size=9\n", []),
        ("store.size=5\nsnap.enabled=false\n", []),
    ],
)
def test_what_an_option_needs_is_asked_of_the_file(text: str, wanted: list[str]) -> None:
    assert told({"conf/store.properties": text}) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("store.size=5\nsnap.size=-5\nsnap.enabled=false\n", [Code.INEFFECTIVE_OPTION]),
        ("store.size=5\nsnap.size=-5\nsnap.enabled=true\n", [Code.INVALID_VALUE]),
    ],
)
def test_of_a_value_without_effect_nothing_else_is_said(text: str, wanted: list[Code]) -> None:
    files = {"src/Store.java": JAVA, "conf/store.properties": text}
    analysis = session(MemorySystem(files)).scan()
    found = findings(analysis, "conf/store.properties")
    assert [one.code for one in found if one.name == "snap.size"] == wanted


def test_another_file_may_say_otherwise() -> None:
    files = {
        "conf/store.properties": "store.size=5\nsnap.size=5\nsnap.enabled=false\n",
        "conf/local.properties": "store.size=5\nsnap.enabled=true\n",
    }
    assert told(files) == []


def test_the_program_may_set_it() -> None:
    text = "store.size=5\nsnap.size=5\n"
    java = JAVA.replace("        boolean on", SET)
    assert told({"conf/store.properties": text}, java) == []
