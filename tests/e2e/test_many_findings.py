"""Code actions over a whole file: a bounded number, those nearest to the beginning of the range, with the loop free meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from e2e.client import Client

COUNT = 400
READS = "".join(
    f'    void m{n}() {{ String s = System.getProperty("cache.o{n}.size", "5"); }}\n'
    for n in range(COUNT)
)
DEMO = f"public class A {{\n{READS}}}\n"
PAGE = "| Name | Description |\n|---|---|\n" + "".join(
    f"| `cache.o{n}.size` | The size {n} in entries |\n" for n in range(0, COUNT, 10)
)


def test_a_whole_file_gets_the_actions_of_its_nearest_findings(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(DEMO)
    (tmp_path / "README.md").write_text(f"# Options\n\n{PAGE}")
    uri = (tmp_path / "A.java").as_uri()
    with Client() as client:
        client.start({"demo": tmp_path.as_uri()})
        client.open(uri, DEMO)
        shown = client.diagnostics(uri, 1)
        assert len(shown) > 300

        def asked(line: int) -> list[dict[str, Any]]:
            whole = {
                "start": {"line": line, "character": 0},
                "end": {"line": COUNT + 2, "character": 0},
            }
            params = {
                "textDocument": {"uri": uri},
                "range": whole,
                "context": {"diagnostics": shown},
            }
            found: list[dict[str, Any]] = client.request("textDocument/codeAction", params)
            return found

        def lines(found: list[dict[str, Any]]) -> set[int]:
            return {
                one["range"]["start"]["line"]
                for action in found
                for one in action.get("diagnostics") or ()
            }

        first = asked(0)
        assert 0 < len(first) <= 200
        assert lines(first) <= set(range(60))
        assert min(lines(asked(200))) > 150
        assert client.end() == 0
