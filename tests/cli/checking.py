"""A small project on disk for ``check`` and ``docs``, and the command line in this process."""

from __future__ import annotations

from pathlib import Path

from conflens.cli.errors import BadInputError
from conflens.cli.main import main

JAVA = """\
package a;

/** Keeps parcels. */
class Größe {
    /** How many are kept | *at most*. */
    static final String SIZE = "pool.size";
    int a = Integer.getInteger(SIZE, 4);
    int b() { return Integer.getInteger("pool.size", 8); }
    int c = Integer.getInteger("pool.wait", 100);
    String d = System.getProperty("pool.secret", "s3cr3tPassw0rd!");
    String e = System.getProperty("quiet.mode");
    String all() { return d + e + a + b() + c; }
}
"""
GUIDE = "| option | default |\n| --- | --- |\n| `pool.wait` | `100` |\n"


def project(folder: Path, **more: str) -> Path:
    """Write the project into a new folder; ``more`` are files, with ``__`` for ``/`` and ``_dot_`` for a dot."""
    files = {"src/a/Größe.java": JAVA, "docs/guide.md": GUIDE, **more}
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def run(command: str, folder: Path, *arguments: str) -> tuple[int, str]:
    """Run a command in this process; return the exit code and what it wrote or complained of."""
    output = folder.parent / f"{folder.name}-output"
    output.unlink(missing_ok=True)
    given = [command, str(folder), "--workers", "0", *arguments]
    status = main([*given, "--output", str(output)])
    return status, output.read_text(encoding="utf-8") if output.exists() else ""


__all__ = ["GUIDE", "JAVA", "BadInputError", "project", "run"]
