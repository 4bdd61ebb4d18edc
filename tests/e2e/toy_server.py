"""A real server over toy sessions (``ide.toy``), run as a process of its own by protocol tests.

Words in the text of files make trouble on purpose: ``FAIL_REBUILD`` makes a rebuild raise, ``SLOW_REBUILD`` makes it last until
the file named in ``TOY_GO`` is there; ``PRINT_SOMETHING`` makes it write to standard output.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable

from conflens.base.cancel import CancelToken
from conflens.base.system import MemorySystem, System
from conflens.documents.configfiles.policy import may_be_config
from conflens.lsp.server import serve_stdio
from conflens.session.analysis import Analysis, Problem
from conflens.session.inputs.configuration import Settings
from conflens.session.sources.files import RealSystem
from conflens.session.verdicts.judging import OFF, JudgingStatus
from ide.toy import analyse
from patience import raise_limits


class ToySession:
    """A session that analyses everything anew; see the module text."""

    def __init__(self, system: System, publish: Callable[[Analysis], None]) -> None:
        self.system = system
        self.publish = publish
        self.analysis: Analysis | None = None
        self.opened: dict[str, tuple[str, int]] = {}
        self.revision = 0
        self.seen: dict[str, int] = {}
        self.settings = Settings()

    def open(self, path: str, text: str, version: int) -> None:
        self.opened[path] = text, version

    change = open

    def close(self, path: str) -> None:
        self.opened.pop(path, None)

    def concerns(self, path: str) -> bool:
        return True

    def files_changed(self, paths: Iterable[str]) -> None:
        list(paths)

    def set_settings(self, settings: Settings) -> None:
        self.settings = settings

    def modified(self) -> dict[str, float]:
        return dict.fromkeys(self.stamps(), 0.0)

    def poll_changes(self) -> bool:
        return self.stamps() != self.seen

    @property
    def pending(self) -> bool:
        return True

    def judging(self) -> JudgingStatus:
        return OFF

    def dispose(self) -> None:
        sys.stderr.write("session disposed\n")

    def release(self) -> None:
        self.analysis = None

    def stamps(self) -> dict[str, int]:
        return {path: self.system.stat(path).modified for path in self.paths()}

    def paths(self) -> list[str]:
        return [
            f"{folder}/{name}" if folder else name
            for folder, _, names in self.system.walk()
            for name in names
            if name not in self.settings.exclude
        ]

    def rebuild(
        self,
        token: CancelToken | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Analysis:
        self.seen = self.stamps()
        texts = {path: self.system.read(path) for path in self.paths()}
        opened = {path: text.encode() for path, (text, _) in self.opened.items()}
        versions = {path: version for path, (_, version) in self.opened.items()}
        texts.update(
            (path, text)
            for path, text in opened.items()
            if path.endswith(".java") or may_be_config(path)
        )
        everything = b"".join(texts.values())
        if b"FAIL_REBUILD" in everything:
            raise RuntimeError("the toy was told to fail")
        if b"PRINT_SOMETHING" in everything:
            print("a stray line")  # noqa: T201
            subprocess.run([sys.executable, "-c", "print('another')"], check=True)
        if b"SLOW_REBUILD" in everything:
            assert token is not None and progress is not None
            while not os.path.exists(os.environ.get("TOY_GO", "")):
                progress(1, 2)
                token.check()
                time.sleep(0.01)
        wrong = texts.get(".conflens.toml", b"").find(b"wrong")
        problems = (
            (Problem(".conflens.toml", 1, wrong + 1, "workspace", "not known"),)
            if wrong >= 0
            else ()
        )
        self.revision += 1
        analysis = analyse(texts, True, self.revision, versions, problems)
        self.analysis = analysis
        self.publish(analysis)
        return analysis


def make(path: str | None, publish: Callable[[Analysis], None]) -> ToySession:
    return ToySession(MemorySystem({}) if path is None else RealSystem(path), publish)


if __name__ == "__main__":
    raise_limits()
    os.chdir(os.sep)
    sys.exit(serve_stdio(make))
