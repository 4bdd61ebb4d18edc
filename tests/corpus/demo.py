"""``make demo``: scan a real project, print the table and the flows of one option.

H2 by its coordinates; offline, the small project in ``tests/fixtures``.  The scan runs as a user runs it,
through the command line.
"""

from __future__ import annotations

import subprocess
import sys

from corpus.fetch import HOUSE, FetchError, fetch, projects

_FALLBACK = HOUSE / "tests" / "fixtures" / "demo-project"
_ROWS = 8
_OPTION = "h2.maxFileRetry"
"""An option of H2 whose ways are short enough to read."""


def main() -> int:
    """Print the demo; return the scan's exit code."""
    h2 = projects()["h2"]
    print(f"Fetching {h2.artifacts[0]} (sources, by Maven) ...", flush=True)
    try:
        folder = fetch(h2)
    except FetchError as error:
        print(f"{error}\nUsing the bundled project instead.", flush=True)
        folder = _FALLBACK
    path = folder.relative_to(HOUSE).as_posix()
    print(f"\n$ conflens scan {path} --limit {_ROWS}\n", flush=True)
    command = [sys.executable, "-m", "conflens", "scan", path, "--limit", str(_ROWS)]
    done = subprocess.run(command, cwd=HOUSE, check=False)
    if done.returncode == 0 and folder is not _FALLBACK:
        print(f"\n$ conflens flows {path} --option {_OPTION}\n", flush=True)
        command = [sys.executable, "-m", "conflens", "flows", path, "--option", _OPTION]
        done = subprocess.run(command, cwd=HOUSE, check=False)
    if done.returncode == 0:
        print(
            f"""
All of it:    .venv/bin/conflens scan {path}          (also --format json, --format markdown)
              .venv/bin/conflens flows {path}         (counts; --option NAME shows each way)
In VS Code:   make package
              code --install-extension client-vscode/conflens-*.vsix
              code {path}
              (it offers to install its server; the setting conflens.server.command
              may name .venv/bin/conflens of this folder instead)
Elsewhere:    any editor that speaks LSP, with the command
              .venv/bin/conflens serve --stdio
              for Java files"""
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
