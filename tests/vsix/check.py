"""``make vsix-check``: the extension is built twice from copies of the sources, and both files are compared byte by byte.

The copies hold what a commit holds or would hold, so from a clean clone they are clean clones.  They lie in different
folders and differ in what must not matter: dates and modes of files, time zone, language, and what is left of an
earlier build.  Absent: installing.  Both use the environment and the packages of this tree.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[2]
INSTALLED = (".venv", "client-vscode/node_modules")
EXPECTED = {
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/package.json",
    "extension/readme.md",
    "extension/changelog.md",
    "extension/LICENSE.txt",
    "extension/icon.png",
    "extension/out/extension.js",
    "extension/out/languageclient.js",
    "extension/out/THIRD-PARTY-NOTICES.txt",
    "extension/server/requirements.txt",
}
"""What the extension must hold, besides the server's wheel."""

_SURROUNDINGS = (
    (0o022, {"TZ": "UTC", "LC_ALL": "C.UTF-8"}),
    (0o077, {"TZ": "Asia/Kathmandu", "LC_ALL": "C"}),
)
_OUTER_MAKE = frozenset({"MAKEFLAGS", "MFLAGS", "MAKELEVEL"})
"""Variables that would tell the inner make what was meant for the one around it."""


def main() -> int:
    """Build, compare and tell; 1 when the files differ or one holds what it must not."""
    with tempfile.TemporaryDirectory(prefix="conflens-vsix-") as scratch:
        trees = [Path(scratch) / name / "tree" for name in ("one", "another place")]
        copy(trees)
        made = [build(tree, *chosen) for tree, chosen in zip(trees, _SURROUNDINGS, strict=True)]
        problems = [*contents(made[0]), *differences(*made)]
        size = made[0].stat().st_size
    for problem in problems:
        print(f"vsix-check: {problem}", file=sys.stderr)
    if not problems:
        print(f"vsix-check: two builds are equal, {size / 1e6:.2f} MB each")
    return 1 if problems else 0


def copy(trees: list[Path]) -> None:
    """Copy the sources to two folders; the second one with other dates and modes, and with left-overs of a build."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=HOUSE,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        source = HOUSE / name
        if not name or not source.is_file():
            continue
        content = source.read_bytes()
        for number, tree in enumerate(trees):
            target = tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod((0o644, 0o600)[number])
            os.utime(target, (None, (1e9, 1e9))[number])
    for tree in trees:
        for name in INSTALLED:
            (tree / name).symlink_to(HOUSE / name)
    for name in ("client-vscode/server/conflens-0.0.1-py3-none-any.whl", "client-vscode/old.vsix"):
        (trees[1] / name).parent.mkdir(exist_ok=True)
        (trees[1] / name).write_bytes(b"left over")


def build(tree: Path, umask: int, variables: Mapping[str, str]) -> Path:
    """Run ``make vsix`` in ``tree`` as if everything were installed; return the file it makes."""
    kept = [argument for name in INSTALLED for argument in ("-o", f"{name}/.installed")]
    environment = {name: value for name, value in os.environ.items() if name not in _OUTER_MAKE}
    subprocess.run(
        ["make", "--silent", *kept, "vsix"],
        cwd=tree,
        check=True,
        env={**environment, **variables},
        stdout=subprocess.DEVNULL,
        umask=umask,
    )
    (found,) = (tree / "client-vscode").glob("*.vsix")
    return found


def contents(vsix: Path) -> Iterator[str]:
    """Yield what is missing in the extension."""
    with zipfile.ZipFile(vsix) as archive:
        names = set(archive.namelist())
    wheels = {name for name in names if name.endswith(".whl")}
    if len(wheels) != 1:
        yield f"it holds {len(wheels)} wheels"
    for name in sorted(EXPECTED - names):
        yield f"it lacks {name}"
    yield from pictures(vsix)


def pictures(vsix: Path) -> Iterator[str]:
    """Yield what is wrong with the pictures of the extension's page, which the editor takes from https addresses only."""
    with zipfile.ZipFile(vsix) as archive:
        if not {"extension/package.json", "extension/readme.md"} <= set(archive.namelist()):
            return  # what is missing is reported by name
        manifest = json.loads(archive.read("extension/package.json"))
        page = archive.read("extension/readme.md").decode()
    repository = manifest["repository"]
    base = f"{repository['url'].removesuffix('.git')}/raw/HEAD/"
    addresses = re.findall(r'<img [^>]*\bsrc="([^"]+)"', page)
    if not addresses:
        yield "its page has no pictures"
    for address in addresses:
        if not address.startswith(base) or not (HOUSE / address.removeprefix(base)).is_file():
            yield f"its page shows {address}, which is no file of the repository"


def differences(left: Path, right: Path) -> Iterator[str]:
    """Yield in which entries two archives differ, and whether they do in anything else."""
    if left.read_bytes() == right.read_bytes():
        return
    yield "two builds of the same sources differ"
    with zipfile.ZipFile(left) as one, zipfile.ZipFile(right) as other:
        names = [set(archive.namelist()) for archive in (one, other)]
        yield from (f"only one build has {name}" for name in sorted(names[0] ^ names[1]))
        yield from (
            f"{name} differs"
            for name in sorted(names[0] & names[1])
            if one.read(name) != other.read(name)
        )


if __name__ == "__main__":
    sys.exit(main())
