"""Run the checks in a headless editor on a copy of the demonstration project.

    PYTHONPATH=tests .venv/bin/python -m editor.run nvim NVIM      (`make editor-test`)
    PYTHONPATH=tests .venv/bin/python -m editor.run emacs [EMACS]

An Emacs that is not named is looked for on the path.  Where there is none, root gets it from the backports of Debian 12;
everybody else is told that it was left out, which in CI on Debian is a failure.  The checks use the configurations
that we give to users (`server/editors`).  Home, caches and temporary files of the run lie in one folder, which is
removed; a run that takes longer than `LIMIT` seconds is ended and fails.  Exits as the checks do.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 150
EMACS = 29
HERE = Path(__file__).resolve().parent
EDITORS = HERE.parents[1] / "server" / "editors"
PROJECT = HERE.parent / "fixtures" / "demo-project"
DEBIAN = Path("/etc/debian_version")
SOURCES = """Types: deb
URIs: {uri}
Suites: bookworm bookworm-backports
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""


def main(arguments: list[str]) -> int:
    """Return the exit code of the checks."""
    kind = arguments[0]
    if kind == "nvim":
        command = [arguments[1], "--clean", "--headless", "-l", str(HERE / "check.lua")]
        return run(command, EDITORS / "neovim" / "conflens.lua")
    emacs = arguments[1] if len(arguments) > 1 and arguments[1] else found_emacs()
    if emacs is None:
        why = f"there is no Emacs {EMACS} or later, and it can only be installed as root on Debian 12"
        sys.stdout.write(f"The editor test in Emacs was left out: {why}.\n")
        return 1 if "CI" in os.environ and DEBIAN.exists() else 0
    command = [emacs, "--batch", "-Q", "-l", str(HERE / "check.el")]
    return run(command, EDITORS / "emacs" / "conflens.el")


def run(command: list[str], configuration: Path) -> int:
    """Run an editor with the checks in it."""
    with tempfile.TemporaryDirectory(prefix="conflens-editor-") as scratch:
        root = Path(scratch, "project")
        shutil.copytree(PROJECT, root)
        for part in ("objects", "refs"):  # editors find the root of a project by its repository
            (root / ".git" / part).mkdir(parents=True)
        (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        homes = ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
        folders = {name: str(Path(scratch, name.lower())) for name in homes}
        for folder in folders.values():
            Path(folder).mkdir()
        try:
            done = subprocess.run(
                [*command, sys.executable, str(root), str(configuration)],
                env={**os.environ, **folders},
                stdin=subprocess.DEVNULL,
                timeout=LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            sys.stdout.write(f"editor test FAILED: not done after {LIMIT} s\n")
            return 1
    return done.returncode


def found_emacs() -> str | None:
    """Return an Emacs that is new enough, installing it if that can be done; ``None`` if there is none."""
    if not new_enough("emacs") and may_install():
        install()
    return "emacs" if new_enough("emacs") else None


def new_enough(emacs: str) -> bool:
    """Tell whether a command is such an Emacs."""
    if shutil.which(emacs) is None:
        return False
    asked = [emacs, "--version"]
    told = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False).stdout
    version = re.match(r"GNU Emacs (\d+)", told)
    return version is not None and int(version[1]) >= EMACS


def may_install() -> bool:
    """Tell whether this is root on Debian 12."""
    return (
        shutil.which("apt-get") is not None
        and os.geteuid() == 0
        and DEBIAN.exists()
        and DEBIAN.read_text().startswith("12.")
        and mirror() is not None
    )


def mirror() -> str | None:
    """Return where this machine has its packages from; the backports lie there too."""
    files = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    text = "\n".join(file.read_text() for file in sorted(files) if file.is_file())
    found = re.search(r"^[^#\n]*?(https?://\S+/debian)/?(?=\s)", text, re.MULTILINE)
    return None if found is None else found[1]


def install() -> None:
    """Install Emacs from the backports, from a list of sources that nothing else sees."""
    sys.stdout.write("Installing Emacs for the editor test ...\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory(prefix="conflens-apt-") as scratch:
        Path(scratch, "debian.sources").write_text(SOURCES.format(uri=mirror()))
        Path(scratch, "lists").mkdir()
        Path(scratch).chmod(0o755)
        options = [
            f"Dir::Etc::sourceparts={scratch}",
            "Dir::Etc::sourcelist=/dev/null",
            f"Dir::State::lists={scratch}/lists",
            "APT::Sandbox::User=root",
        ]
        apt = ["apt-get", "-qq", *(f"-o{option}" for option in options)]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for what in (
            ["update"],
            ["install", "-y", "--no-install-recommends", "-t", "bookworm-backports", "emacs-nox"],
        ):
            done = subprocess.run(
                [*apt, *what],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                timeout=600,
                check=False,
            )
            if done.returncode != 0:
                return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
