"""What maps of defaults cost that many bodies ask."""

from __future__ import annotations

from conflens.options.discovery import discover
from flow.support import models, program
from steps import steps


def test_many_entries_and_many_reads_cost_their_sum() -> None:
    def work(count: int) -> int:
        entries = ",".join(f'Map.entry("k.{one}", "{one}")' for one in range(count))
        reads = "".join(
            f'int m{one}() {{ return Integer.parseInt(config.get("k.{one}")); }}\n'
            for one in range(count)
        )
        source = (
            "import java.util.*; class A {\n"
            f"static final Map<String, String> D = Map.ofEntries({entries});\n"
            "final Map<String, String> config = new HashMap<>(D);\n"
            f"A(Properties q) {{ config.putAll((Map) q); }}\n{reads}}}"
        )

        def find() -> None:
            options = discover(program(source), models()).table.options
            assert len(options) == count
            assert all(option.defaults for option in options)

        return steps(find)

    work(1)  # reads the rows
    few, many = work(60), work(240)
    assert many < 5 * few
