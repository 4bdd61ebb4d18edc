"""Nothing that an analysed project holds is obeyed by the terminal that a command writes to."""

from __future__ import annotations

import json
import logging
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.test_main import SERVER, environment
from conflens.base.control import MARK, NeutralFormatter, neutral, neutral_data
from conflens.cli.main import main
from forests import planted

ESCAPE = "\x1b]0;owned\x07\x1b[31m\x9b2J\x7f\u202e"
"""Sets a title, a colour, clears the screen, deletes, and reverses the direction of what follows."""
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

SOURCE = f"""class A {{
    /** Waits this long. {ESCAPE} Really. */
    int size = Integer.getInteger("app.size", 10);
    String name = System.getProperty("app.n{ESCAPE}ame", "de{ESCAPE}fault");
    void run() {{ if (size > 3) {{ byte[] room = new byte[size]; /* {ESCAPE} */ }} }}
}}
"""
SETTINGS = f"app.size=1{ESCAPE}x\napp.siez{ESCAPE}=5\napp.size=2\n"
GUIDE = f"# Guide {ESCAPE}\n\n| Option | Default | Text |\n|---|---|---|\n| `app.size` | 11 | {ESCAPE} |\n"


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A cache that the tests of this module share, in which there is a classifier."""
    cache = planted(tmp_path_factory.getbasetemp() / "cache")
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(cache))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "pro\x1b[31mject"
    root.mkdir()
    (root / "A.java").write_text(SOURCE, encoding="utf-8")
    (root / "B\x1b[7m.java").write_text(SOURCE.replace("class A", "class B"), encoding="utf-8")
    (root / "app.properties").write_text(SETTINGS, encoding="utf-8")
    (root / "OPTIONS.md").write_text(GUIDE, encoding="utf-8")
    toml = (
        f'[[read]]\ncall = "x.\\u001b[31mY.z"\nname = 0\n[verdict."\\u001b"]\nx = "{ESCAPE[-1]}"\n'
    )
    (root / ".conflens.toml").write_text(toml, encoding="utf-8")
    stacks = f"A.run;A.{ESCAPE}m;java.lang.Thread.run 10\n" * 3
    (root / "run\x1b[1m.collapsed").write_text(stacks, encoding="utf-8")
    return root


COMMANDS = [
    ("scan", "table json markdown"),
    ("flows", "table json markdown sarif"),
    ("sensitivity", "table json markdown"),
    ("check", "table json sarif"),
    ("docs", "markdown asciidoc json"),
    ("stats", "table json"),
]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command in this process; return its exit code and what it wrote."""
    status = main(arguments)
    return status, *capsys.readouterr()


@pytest.mark.parametrize(
    ("command", "form"), [(name, form) for name, forms in COMMANDS for form in forms.split()]
)
def test_every_command_in_every_format(
    project: Path, capsys: pytest.CaptureFixture[str], command: str, form: str
) -> None:
    status, written, said = run(capsys, command, str(project), "--format", form)
    assert status in (0, 1)
    assert "app.size" in written or command == "stats"
    assert not OBEYED.search(written + said)
    if form == "json" and command in ("scan", "docs"):
        # Escaped, so that nothing is lost for a program that reads it.
        names = {option["name"] for option in json.loads(written)["options"]}
        assert f"app.n{ESCAPE}ame" in names


@pytest.mark.parametrize("form", ["table", "json", "markdown", "html", "speedscope", "sarif"])
def test_a_diagnosis_in_every_format(
    project: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    profile = str(project / "run\x1b[1m.collapsed")
    arguments = ("diagnose", str(project), "--snapshot", profile, "--format", form)
    status, written, said = run(capsys, *arguments)
    assert status in (0, 1), said
    assert written and not OBEYED.search(written + said)


def test_the_facts_of_a_file_and_errors(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, written, _ = run(capsys, "dump-facts", str(project / "A.java"))
    assert status == 0 and "app.size" in written and not OBEYED.search(written)
    for arguments in (
        ("scan", f"nowhere{ESCAPE}"),
        ("scan", ".", f"--x{ESCAPE}"),
        ("scan", str(project), "--fail-on", ESCAPE),
        ("flows", str(project), "--option", f"app.siez{ESCAPE}"),
        ("check", str(project), f"no{ESCAPE}.properties"),
    ):
        status, _, said = run(capsys, *arguments)
        assert status == 2
        assert said.startswith("conflens: ") and MARK in said
        assert not OBEYED.search(said)


def test_a_fault_of_ours_is_reported_without_them() -> None:
    code = (
        "import logging, sys\n"
        "from conflens.cli.output import guard_errors\n"
        "guard_errors()\n"
        f"logging.getLogger('x').warning('lost %s', {ESCAPE!r})\n"
        f"raise ValueError({ESCAPE!r})\n"
    )
    known = {**os.environ, "PYTHONPATH": str(SERVER)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=known, check=False
    )
    said = done.stderr.decode()
    assert done.returncode == 1
    assert said.startswith(f"lost {MARK}]0;owned") and "ValueError: " in said
    assert not OBEYED.search(said)


def test_a_terminal_gets_our_colours_and_no_others(project: Path, tmp_path: Path) -> None:
    reader, writer = pty.openpty()
    with os.fdopen(reader, "rb", buffering=0) as terminal:
        command = [sys.executable, "-m", "conflens", "scan", str(project), "--no-cache"]
        more = {"TERM": "xterm-256color", "COLUMNS": "150"}
        with subprocess.Popen(
            command, stdout=writer, stderr=subprocess.DEVNULL, env=environment(tmp_path, **more)
        ) as process:
            os.close(writer)
            found = b""
            while chunk := _read(terminal):
                found += chunk
            assert process.wait(60) == 0
    text = found.decode()
    plain = re.sub(r"\x1b\[[\d;]*m", "", text).replace("\r\n", "\n")
    assert text.count("\x1b[") > 10  # headings are coloured
    assert "app.size" in plain and MARK in plain
    assert not OBEYED.search(plain)
    assert "\x1b[31m" not in text and "\x1b[7m" not in text  # these are of the project


def _read(terminal: object) -> bytes:
    try:
        return terminal.read(1 << 16)  # type: ignore[attr-defined,no-any-return]
    except OSError:  # how a terminal ends on Linux
        return b""


def test_line_ends_tabs_and_invisible_spaces_are_kept() -> None:
    text = "a\tb\r\nc\u00a0d\u200be\u2028\n"
    assert neutral(text) == text
    assert neutral_data(text.encode()) == text.encode()
    assert neutral("over\rwritten") == f"over{MARK}written"
    assert neutral(ESCAPE) == f"{MARK}]0;owned{MARK}{MARK}[31m{MARK}2J{MARK}{MARK}"


def test_both_forms_agree_on_every_character() -> None:
    for number in (*range(0xD800), *range(0xE000, 0x10000)):
        char = chr(number)
        assert neutral_data(f"x{char}".encode()).decode() == neutral(f"x{char}")
        if number >= 0x20 and neutral(char) != char:
            escaped = neutral_data(f'["{char}"]'.encode())
            assert escaped.isascii() and json.loads(escaped) == [char]


def test_lines_of_a_log_are_neutral() -> None:
    record = logging.LogRecord("x", logging.WARNING, "", 0, "lost %s", (ESCAPE,), None)
    assert not OBEYED.search(NeutralFormatter("%(levelname)s %(message)s").format(record))
