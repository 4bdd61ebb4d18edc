"""Keys that are copied without their start over several files: after an edit of any of them a session says what a new one says."""

from __future__ import annotations

import pytest

from incremental.one_edit import Edit, names_before

FILES = {
    "Parts.java": (
        "import java.util.*; class Parts { static Properties below(Properties all, String prefix) {"
        " Properties found = new Properties(); for (String key : all.stringPropertyNames())"
        " if (key.startsWith(prefix)) found.put(key.substring(prefix.length()), all.getProperty(key));"
        " return found; } }"
    ),
    "Keys.java": 'class Keys { static final String DISK = "disk."; }',
    "Start.java": (
        "import java.io.FileReader; import java.util.*; class Start { void start() throws Exception {"
        ' Properties all = new Properties(); all.load(new FileReader("app.properties"));'
        ' new Disk(Parts.below(all, Keys.DISK)).open(); Net.open(Parts.below(all, "net.")); } }'
    ),
    "Disk.java": (
        "import java.util.*; class Disk { private final Properties config; Disk(Properties config) { this.config = config; }"
        ' void open() { System.out.println(config.getProperty("folder")); } }'
    ),
    "Net.java": (
        "import java.util.*; class Net { static void open(Properties settings) {"
        ' System.out.println(settings.getProperty("port")); } }'
    ),
}


@pytest.mark.parametrize(
    "edit",
    [
        ("Parts.java", "key.substring(prefix.length())", "key"),
        ("Parts.java", "return found", "return all"),
        ("Keys.java", "disk.", "store."),
        ("Start.java", "Keys.DISK", '"x." + Keys.DISK'),
        ("Start.java", 'Parts.below(all, "net.")', "all"),
        ("Disk.java", "this.config = config", "this.config = new Properties()"),
        ("Net.java", '"port"', '"host"'),
    ],
)
def test_an_edit_says_what_a_new_session_says(edit: Edit) -> None:
    assert {"disk.folder", "net.port"} <= names_before(FILES, edit)
