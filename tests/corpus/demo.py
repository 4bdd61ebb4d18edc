"""``make demo``: a slow run of a real program explained by its recordings, and a scan of a real project.

The program is the document store of ``tests/living``: built with the installed JDK and run under JFR, with good settings
and with one that is wrong.  The project is H2 by its coordinates; offline, the small one in ``tests/fixtures``.
Both parts run as a user runs them, through the command line.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from corpus.fetch import HOUSE, FetchError, fetch, projects
from living.run import MISCONFIGURATIONS, STORE, LivingError, Run, Way, build, record

_FALLBACK = HOUSE / "tests" / "fixtures" / "demo-project"
_ROWS = 8
_OPTION = "h2.maxFileRetry"
"""An option of H2 whose ways are short enough to read."""
_SNAPSHOTS = HOUSE / "build" / "living"
_WRONG = "index"
"""The misconfiguration of the store that is shown."""
_ROUNDS = 20
"""A load of two to three seconds."""


def main() -> int:
    """Print the demo; return the exit code of the part that failed, or 0."""
    return _explain() or _scan()


def _explain() -> int:
    """Run the store well and badly, and ask what is behind the difference."""
    wrong = next(each for each in MISCONFIGURATIONS if each.name == _WRONG)
    print("Building the document store of tests/living, and running it under JFR ...", flush=True)
    shutil.rmtree(_SNAPSHOTS, ignore_errors=True)
    _SNAPSHOTS.mkdir(parents=True)
    try:
        build(_SNAPSHOTS)
        good, _ = record(_SNAPSHOTS, None, Way.FILE, rounds=_ROUNDS)
        bad, _ = record(_SNAPSHOTS, wrong, Way.FILE, rounds=_ROUNDS)
    except LivingError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"  {good.seconds:5.1f} s  with good settings")
    print(f"  {bad.seconds:5.1f} s  with {wrong.option} = {wrong.bad} instead of {wrong.good}")
    print("         (in its properties file, which recordings do not hold)")
    done = _conflens("diagnose", _shown(STORE), *_sides(good, bad), "--top", "3")
    page = _SNAPSHOTS / "diagnosis.html"
    if done == 0:
        done = _conflens(
            "diagnose", _shown(STORE), *_sides(good, bad), "--output", _shown(page), quiet=True
        )
    if done == 0:
        print(f"\nWith each chain and a flame graph: {_shown(page)}", flush=True)
    return done


def _sides(good: Run, bad: Run) -> list[str]:
    return [
        "--baseline",
        _shown(_SNAPSHOTS / good.file),
        "--violation",
        _shown(_SNAPSHOTS / bad.file),
    ]


def _scan() -> int:
    """Scan H2 and follow one of its options."""
    h2 = projects()["h2"]
    print(f"\nFetching {h2.artifacts[0]} (sources, by Maven) ...", flush=True)
    try:
        folder = fetch(h2)
    except FetchError as error:
        print(f"{error}\nUsing the bundled project instead.", flush=True)
        folder = _FALLBACK
    path = _shown(folder)
    done = _conflens("scan", path, "--limit", str(_ROWS))
    if done == 0 and folder is not _FALLBACK:
        done = _conflens("flows", path, "--option", _OPTION)
    if done == 0:
        print(
            f"""
All of it:    .venv/bin/conflens scan {path}          (also --format json, --format markdown)
              .venv/bin/conflens flows {path}         (counts; --option NAME shows each way)
In VS Code:   make vsix
              code --install-extension client-vscode/conflens-*.vsix
              code {path}
              (it offers to install its server; the setting conflens.server.command
              may name .venv/bin/conflens of this folder instead)
Elsewhere:    any editor that speaks LSP, with the command
              .venv/bin/conflens serve --stdio
              for Java files"""
        )
    return done


def _conflens(*arguments: str, quiet: bool = False) -> int:
    """Show a command, run it in the house's folder, and return its exit code."""
    if not quiet:
        print(f"\n$ conflens {' '.join(arguments)}\n", flush=True)
    command = [sys.executable, "-m", "conflens", *arguments]
    return subprocess.run(command, cwd=HOUSE, check=False).returncode


def _shown(path: Path) -> str:
    return path.relative_to(HOUSE).as_posix()


if __name__ == "__main__":
    sys.exit(main())
