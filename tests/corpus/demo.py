"""``make demo``: a slow run of a real program explained by its recordings, and the options of a real project ranked.

The program is the document store of ``tests/living``: built with the installed JDK and run under JFR, with good settings
and with one that is wrong.  The project is H2 by its coordinates; offline, the small one in ``tests/fixtures``.  Both are
analysed as a user would, through the command line, and all of it fits on a screen of ``LINES`` lines.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from corpus.fetch import HOUSE, FetchError, fetch, projects
from living.run import MISCONFIGURATIONS, STORE, LivingError, Way, build, record

LINES = 40
_FALLBACK = HOUSE / "tests" / "fixtures" / "demo-project"
_RANKED = 4
"""Options that are listed."""
_SNAPSHOTS = HOUSE / "build" / "living"
_WRONG = "index"
"""The misconfiguration of the store that is shown."""
_ROUNDS = 20
"""A load of two to three seconds."""
_NODE = "demo"


def main() -> int:
    """Print the demo; return the exit code of the part that failed, or 0."""
    wrong = next(each for each in MISCONFIGURATIONS if each.name == _WRONG)
    print(
        f"A document store (tests/living) runs twice under JFR, then with {wrong.option} = {wrong.bad}"
    )
    print(
        "in its properties file, which no recording holds. Which option made it slow?", flush=True
    )
    shutil.rmtree(_SNAPSHOTS, ignore_errors=True)
    _SNAPSHOTS.mkdir(parents=True)
    try:
        build(_SNAPSHOTS)
        good, _ = record(_SNAPSHOTS, None, Way.FILE, rounds=_ROUNDS, node=_NODE)
        bad, _ = record(_SNAPSHOTS, wrong, Way.FILE, rounds=_ROUNDS, node=_NODE)
    except LivingError as error:
        print(error, file=sys.stderr)
        return 1
    return _explain(good.file, bad.file) or _rank()


def _explain(good: str, bad: str) -> int:
    """Ask which option made the second run slow."""
    page = _shown(_SNAPSHOTS / "diagnosis.html")
    sides = ["--baseline", _shown(_SNAPSHOTS / good), "--violation", _shown(_SNAPSHOTS / bad)]
    command = ["diagnose", _shown(STORE), *sides, "--kind", "cpu"]
    print(f"\n$ conflens {' '.join(command)} --top 2", flush=True)
    return _conflens(*command, "--top", "2") or _conflens(*command, "--output", page)


def _rank() -> int:
    """Show the options of H2 that are most likely to affect performance, and where to go from there."""
    h2 = projects()["h2"]
    try:
        folder = fetch(h2)
    except FetchError as error:
        print(f"{error}\nThe bundled project stands in for H2.", flush=True)
        folder = _FALLBACK
    path = _shown(folder)
    done = _run("sensitivity", path, "--format", "json", capture=True)
    if done.returncode != 0:
        return done.returncode
    listed = json.loads(done.stdout)["options"]
    likely = [option for option in listed if option["label"] == "sensitive"]
    print(
        f"\nOf the {len(listed)} options of {path}, {len(likely)} are likely to affect performance."
    )
    print(f"The first of them (conflens sensitivity {path}):")
    for option in likely[:_RANKED]:
        reason = next((each for each in option["reasons"] if each["toward"]), None)
        text = reason["text"] if reason is not None else ""
        print(f"  {option['name']:30} {option['score']:4.0%}  {text}")
    name = likely[0]["name"] if likely else "NAME"
    print(f"""
Next: {_shown(_SNAPSHOTS / "diagnosis.html")} shows each call chain, step by step, and a flame graph
      conflens flows {path} --option {name}
      make vsix builds the extension for VS Code; README.md: your own program, other editors""")
    return 0


def _conflens(*arguments: str) -> int:
    return _run(*arguments).returncode


def _run(*arguments: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command in the house's folder; what it notes on standard error is shown if it fails."""
    command = [sys.executable, "-m", "conflens", *arguments]
    done = subprocess.run(
        command,
        cwd=HOUSE,
        check=False,
        text=True,
        stdout=subprocess.PIPE if capture else None,
        stderr=subprocess.PIPE,
    )
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
    return done


def _shown(path: Path) -> str:
    return Path(os.path.relpath(path, HOUSE)).as_posix()


if __name__ == "__main__":
    sys.exit(main())
