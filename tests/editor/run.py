"""Run `check.lua` in a headless Neovim on a copy of the demonstration project.

    PYTHONPATH=tests .venv/bin/python -m editor.run NVIM      (`make editor-test`)

Home, caches and temporary files of the run lie in one folder, which is removed; a run that takes
longer than `LIMIT` seconds is ended and fails.  Exits as `check.lua` does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 50
HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent / "fixtures" / "demo-project"


def main(nvim: str) -> int:
    """Return the exit code of the checks."""
    with tempfile.TemporaryDirectory(prefix="conflens-editor-") as scratch:
        root = Path(scratch, "project")
        shutil.copytree(PROJECT, root)
        homes = ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
        folders = {name: str(Path(scratch, name.lower())) for name in homes}
        for folder in folders.values():
            Path(folder).mkdir()
        command = [nvim, "--clean", "--headless", "-l", str(HERE / "check.lua")]
        try:
            done = subprocess.run(
                [*command, sys.executable, str(root)],
                env={**os.environ, **folders},
                stdin=subprocess.DEVNULL,
                timeout=LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            sys.stdout.write(f"editor test FAILED: not done after {LIMIT} s\n")
            return 1
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
