"""Recording a running JVM for a while, through the JDK's ``jcmd``.

A *recording* here is one that we start under a name of our own: it is the only one that is ever dumped or
stopped, whatever else that JVM records.  The JVM writes it into a private folder, which ``close`` removes.

Invariants: a process is spoken to only if ``jcmd -l`` lists it at that moment, because attaching to a process that
is no JVM can end it, or is seen to be the one that was listed.  Whatever happens between start and stop, the recording is stopped; if we are killed the JVM
ends it by itself ``GRACE`` seconds after its time.  Every ``jcmd`` ends within ``TOOL_SECONDS``.
Absent: importing the file (``snapshots``), threads.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import attrs

from conflens.base.cancel import Cancelled
from conflens.base.secrets import is_secret
from conflens.profiling.jfr.run import words
from conflens.session.snapshots.jdk import ToolMissing, find_tool

_log = logging.getLogger("conflens.session.snapshots.capture")

GRACE = 60
"""Seconds after which a recording that nobody stops ends by itself."""
MAX_SECONDS = 3_600
TOOL_SECONDS = 20.0
_LOOK_SECONDS = 2.0
_MAX_NAME = 120
_MAX_ARGUMENTS = 120
_GIVEN = re.compile(r"([^=:]+)([=:])(.*)", re.DOTALL)
_SETTINGS = re.compile(r"[\w-]{1,60}\Z")
_UNSAFE = re.compile(r"[^\w.-]+")
_OWN = ("jdk.jcmd/", "sun.tools.jcmd.")
_STARTED = "Started recording"


class CaptureFailure(Exception):  # noqa: N818 - the word of ``ImportFailure``
    """A recording that could not be made; ``str`` is one line for a person."""


@attrs.frozen
class JavaProcess:
    """A JVM of this user; ``name`` is its main class or archive.

    ``arguments`` are what the program was given, shortened and without secrets, and ``folder`` is where it runs, empty where
    that cannot be seen.
    """

    pid: int
    name: str
    arguments: str = ""
    folder: str = ""


def java_processes() -> tuple[JavaProcess, ...]:
    """Return the JVMs of this user, by process id; raises ``CaptureFailure``."""
    found: list[JavaProcess] = []
    for line in _jcmd("-l").splitlines():
        pid, _, command = line.strip().partition(" ")
        if not pid.isdecimal() or command.startswith(_OWN):
            continue
        found.append(JavaProcess(int(pid), _name(command), _arguments(command), _folder(pid)))
    return tuple(sorted(found, key=lambda process: process.pid))


def _name(command: str) -> str:
    """The main class or archive.

    ``jcmd`` does not quote, so a path with blanks is cut at its first, unless it is an archive.
    """
    return re.split(r"[/\\]", _program(command))[-1][:_MAX_NAME] or "unnamed JVM"


def _program(command: str) -> str:
    archive = re.match(r"(.*?\.jar)(?:\s|\Z)", command)
    return archive[1] if archive else command.split(" ", 1)[0]


def _arguments(command: str) -> str:
    """What follows the main class or archive, with ``…`` for secrets, on one short line."""
    shown: list[str] = []
    flag = ""
    for word in words(command[len(_program(command)) :]):
        given = _GIVEN.fullmatch(word)
        if given is not None and is_secret(given[1], given[3]):
            shown.append(f"{given[1]}{given[2]}…")
        elif is_secret(flag, word):
            shown.append("…")
        else:
            shown.append(word)
        flag = word if word.startswith("-") and given is None else ""
    text = " ".join(shown)
    return text if len(text) <= _MAX_ARGUMENTS else f"{text[: _MAX_ARGUMENTS - 1]}…"


def _folder(pid: str) -> str:
    """The working directory of a process, empty where the system does not tell it."""
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


class Capture:
    """One recording: ``run`` makes it, ``cancel`` ends it early, ``close`` removes its file."""

    def __init__(self, pid: int, seconds: int, settings: str = "profile") -> None:
        """Record the JVM ``pid`` for ``seconds``, by the JDK's ``settings`` of that name.

        Raises ``CaptureFailure`` for what cannot be asked for.
        """
        if not 1 <= seconds <= MAX_SECONDS:
            raise CaptureFailure(f"a recording takes 1 to {MAX_SECONDS} seconds, not {seconds}")
        if not _SETTINGS.match(settings):
            raise CaptureFailure(f"{settings!r} is not the name of recording settings")
        self.pid, self.seconds = pid, seconds
        self.process = JavaProcess(pid, "")
        self.recording = f"conflens-{secrets.token_hex(6)}"
        self.began = 0.0
        """Seconds since 1970; 0 before the recording runs."""
        self._settings = settings
        self._stop = threading.Event()
        self._folder: str | None = None
        self._birth = ""

    def cancel(self) -> None:
        """End the recording early, from any thread; ``run`` then raises ``Cancelled``."""
        self._stop.set()

    def run(self, progress: Callable[[float], None]) -> Path:
        """Record, and return the file; tell the seconds recorded so far.

        Raises ``CaptureFailure`` and ``Cancelled``; in either case nothing is left in the JVM.
        """
        self._birth = _birth(self.pid)
        self.process = self._listed(f"there is no JVM with the process id {self.pid}")
        self._check()
        self._folder = tempfile.mkdtemp(prefix="conflens-")
        stamp = time.strftime("%Y%m%d-%H%M%S")
        name = _UNSAFE.sub("_", self.process.name)[:60]
        file = Path(self._folder) / f"{name}-{stamp}.jfr"
        try:
            self._start(file)
            self.began = time.time()
            self._wait(progress)
        finally:
            stopped = self._stopped()
        if stopped:
            raise CaptureFailure(stopped)
        if not file.is_file() or not file.stat().st_size:
            raise CaptureFailure(f"{self._who} wrote no recording")
        return file

    def close(self) -> None:
        """Remove what was written."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _who(self) -> str:
        return f"{self.process.name or 'the JVM'} ({self.pid})"

    def _check(self) -> None:
        if self._stop.is_set():
            raise Cancelled

    def _start(self, file: Path) -> None:
        if '"' in str(file):
            raise CaptureFailure("the folder for temporary files has a quotation mark in its name")
        said = _jcmd(
            str(self.pid),
            "JFR.start",
            f"name={self.recording}",
            f"settings={self._settings}",
            f"duration={self.seconds + GRACE}s",
            f'filename="{file}"',
        )
        if _STARTED not in said:
            raise CaptureFailure(f"{self._who} does not record: {_reason(said, self.pid)}")

    def _wait(self, progress: Callable[[float], None]) -> None:
        started = looked = time.monotonic()
        while (passed := time.monotonic() - started) < self.seconds:
            progress(passed)
            if self._stop.wait(min(0.25, self.seconds - passed)):
                raise Cancelled
            if time.monotonic() - looked > _LOOK_SECONDS:
                looked = time.monotonic()
                if not _alive(self.pid):
                    raise CaptureFailure(f"{self._who} ended before the recording did")
        progress(self.seconds)

    def _stopped(self) -> str:
        """Stop the recording; return why that failed, or nothing."""
        try:
            if not self._birth or _birth(self.pid) != self._birth:
                self._listed(f"{self._who} ended before the recording did")
            said = _jcmd(str(self.pid), "JFR.stop", f"name={self.recording}")
        except CaptureFailure as failure:
            _log.info("the recording %s could not be stopped: %s", self.recording, failure)
            return str(failure)
        if "Stopped recording" not in said:
            return f"{self._who} does not stop its recording: {_reason(said, self.pid)}"
        return ""

    def _listed(self, otherwise: str) -> JavaProcess:
        for process in java_processes():
            if process.pid == self.pid:
                return process
        raise CaptureFailure(otherwise)


def _birth(pid: int) -> str:
    """What tells a process from a later one of the same number, empty where that cannot be seen."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if len(fields) < 20 or fields[0] in "ZX" else fields[19]


def _alive(pid: int) -> bool:
    """Tell whether there may be a process, as far as that can be told without asking it."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _jcmd(*arguments: str) -> str:
    try:
        command = [find_tool("jcmd"), *arguments]
    except ToolMissing as missing:
        raise CaptureFailure(str(missing)) from None
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TOOL_SECONDS,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except subprocess.TimeoutExpired:
        raise CaptureFailure(f"jcmd gave no answer within {TOOL_SECONDS:g} s") from None
    except OSError as error:
        raise CaptureFailure(f"jcmd cannot be run: {error.strerror or error}") from None
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        complaint = done.stderr.decode("utf-8", "replace") or said
        raise CaptureFailure(f"jcmd failed: {_reason(complaint, 0)}")
    return said


def _reason(said: str, pid: int) -> str:
    """The first line that says something."""
    for line in said.splitlines():
        text = line.strip()
        if text and text != f"{pid}:":
            return text[:300]
    return "it says nothing"
