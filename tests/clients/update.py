"""Write all transcripts anew: ``PYTHONPATH=tests .venv/bin/python -m clients.update [NAME ...]``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from clients.sets import HERE
from clients.test_clients import SETS, held


def main(names: list[str]) -> None:
    """Write those of ``names``, or all."""
    for one in SETS:
        if names and one.name not in names:
            continue
        with tempfile.TemporaryDirectory(prefix="conflens-clients-") as folder:
            _, transcript = held(Path(folder), one)
        file = HERE / "transcripts" / f"{one.name}.md"
        file.write_text(transcript, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
