"""Makes ``signatures.bin`` from a JDK: ``python grammars/jdk/generate.py [--java JAVA]``.

Purpose: run ``Generate.java`` on a JDK and pack what it prints. Needs ConfLens importable (an
editable install, or ``PYTHONPATH=server``) and a JDK of version 17 or later.

Invariant: one JDK (and one zlib) gives the same bytes each time. With ``--check`` nothing is written, and the
exit code is 1 if the committed table differs from what this JDK gives.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from conflens.models.jdk import JdkType, pack

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Run the generator as the command line says; the exit code."""
    parser = argparse.ArgumentParser(description="Pack the signatures of a JDK.")
    parser.add_argument("--java", default="java", help="the java program of the JDK to read")
    parser.add_argument("--output", type=Path, default=HERE / "signatures.bin")
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    arguments = parser.parse_args()
    table = packed(printed(arguments.java))
    if arguments.check:
        return int(arguments.output.read_bytes() != table)
    arguments.output.write_bytes(table)
    sys.stdout.write(f"{arguments.output.name}: {len(table)} bytes\n")
    return 0


def printed(java: str) -> Iterable[str]:
    """What ``Generate.java`` prints: the version as a JSON string, then a JSON array per type."""
    command = [java, str(HERE / "Generate.java")]
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout.splitlines()


def packed(lines: Iterable[str]) -> bytes:
    """The table of printed lines. The order inside an array is that of the struct's fields."""
    # The standard module, since msgspec's JSON has no words for infinite numbers and NaN.
    version, *types = map(json.loads, lines)
    return pack(version, msgspec.convert(types, list[JdkType]))


if __name__ == "__main__":
    sys.exit(main())
