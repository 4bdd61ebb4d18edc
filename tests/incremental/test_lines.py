"""Maps that a program fills from lines follow edits of the file that fills them."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from session.support import session

MAIN = 'package p; class Main { String m(java.io.File f) throws Exception { return Conf.read(f).get("p.a"); } }'
CONF = """package p; import java.io.*; import java.util.*; class Conf {
    static Map<String, String> read(File file) throws Exception {
        Map<String, String> all = new HashMap<>();
        BufferedReader reader = new BufferedReader(new FileReader(file));
        String line = reader.readLine();
        String[] parts = line.split("=");
        all.put(parts[0], parts[1]);
        return all;
    }
}
"""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('split("=")', 'split(",")'),
        ("new FileReader(file)", "new InputStreamReader(new java.net.Socket().getInputStream())"),
        ("all.put(parts[0], parts[1]);", ""),
    ],
)
@pytest.mark.parametrize("back", [False, True])
def test_the_file_that_reads_lines_changes(one: str, other: str, back: bool) -> None:
    texts = [CONF, CONF.replace(one, other)]
    if back:
        texts.reverse()
    system = MemorySystem({"Main.java": MAIN, "Conf.java": texts[0]})
    kept = session(system)
    first = kept.scan().options.options
    system.write("Conf.java", texts[1])
    kept.files_changed(["Conf.java"])
    second = kept.rebuild().options.options
    assert second == session(system).scan().options.options
    assert [any(item.domain == "properties" for item in one) for one in (first, second)] == [
        not back,
        back,
    ]
