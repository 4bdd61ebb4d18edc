"""Files that are read through a link, and folders that are called like files: an event alone tells what a fresh session says."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conflens.base.system import MemorySystem, follow_none
from conflens.checking.check import every
from conflens.session.analysis import Analysis
from conflens.session.session import Session
from conflens.session.sources.files import RealSystem
from session.support import session

JAVA = 'package {};\nclass A {{ int v = Integer.getInteger("toy.c"); }}\n'
A = {"A.java": JAVA.format("p")}
WITHOUT_A = '[exclude]\npaths = ["A.java"]\n'
NOTHING_KNOWN = '{"version": 1, "findings": []}'


def configured(table: str, line: str) -> dict[str, str]:
    return {".conflens.toml": f"[{table}]\n{line}\n"}


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("->"):
            file.symlink_to(text[2:])
        else:
            file.write_text(text)


def said(analysis: Analysis) -> object:
    return (
        sorted(analysis.program.files),
        [option.name for option in analysis.options.options],
        analysis.left_out,
        analysis.problems,
        list(every(analysis, sorted(analysis.config_files))),
    )


def is_seen(root: Path, change: Callable[[], object], event: str) -> bool:
    """Whether one event is enough for a session to say what a fresh one says, and something new."""
    living = session(RealSystem(str(root)))
    before = said(living.scan())
    change()
    living.files_changed(filter(living.concerns, [event]))
    now = said(living.rebuild())
    return now == said(session(RealSystem(str(root))).scan()) and now != before


NAMED = configured("configuration", 'paths = ["conf/x.conf"]')
BASELINE = {"application.properties": "toy.c=abc\n", **configured("check", 'baseline = "b.json"')}


@pytest.mark.parametrize(
    ("files", "path", "text"),
    [
        ({".conflens.toml": "->config/c.txt", "config/c.txt": ""}, "config/c.txt", WITHOUT_A),
        ({".conflens.toml": "->a.txt", "a.txt": "->b.txt", "b.txt": ""}, "b.txt", WITHOUT_A),
        ({".git/info/exclude": "->../../x.txt", "x.txt": ""}, "x.txt", "A.java\n"),
        ({**NAMED, "conf/x.conf": "->../v1/x.bak", "v1/x.bak": "toy.c=1\n"}, "v1/x.bak", "toy.c=a\n"),
        ({**NAMED, "conf/x.conf": "->x.cfg", "conf/x.cfg": "toy.c=1\n"}, "conf/x.cfg", "toy.c=a\n"),
        ({**NAMED, "conf": "->v1", "v1/x.conf": "toy.c=1\n"}, "v1/x.conf", "toy.c=a\n"),
        ({**BASELINE, "b.json": "->ci/b.txt", "ci/b.txt": NOTHING_KNOWN}, "ci/b.txt", "no baseline"),
        (
            {**configured("check", 'baseline = "cur/b.txt"'), "cur": "->ci", "ci/b.txt": NOTHING_KNOWN},
            "ci/b.txt",
            "no baseline",
        ),
    ],
)  # fmt: skip
def test_a_file_that_is_read_through_a_link(
    tmp_path: Path, files: dict[str, str], path: str, text: str
) -> None:
    write(tmp_path, {**A, **files})
    assert is_seen(tmp_path, lambda: (tmp_path / path).write_text(text), path)


@pytest.mark.parametrize("event", ["current", "previous"])
def test_a_link_that_leads_elsewhere_now(tmp_path: Path, event: str) -> None:
    write(tmp_path, {**A, **configured("configuration", 'paths = ["current/x.conf"]')})
    write(tmp_path, {"current": "->previous", "previous": "->v1"})
    write(tmp_path, {"v1/x.conf": "toy.c=1\n", "v2/x.conf": "toy.c=abc\n"})

    def change() -> None:
        (tmp_path / event).unlink()
        (tmp_path / event).symlink_to("v2")

    assert is_seen(tmp_path, change, event)


def test_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    write(tmp_path, {**A, ".conflens.toml": "->a/x", "a": "->b", "b": "->a"})
    living = session(RealSystem(str(tmp_path)))
    living.scan()
    assert living.concerns("b")
    assert not living.concerns("c.png")


@pytest.mark.parametrize("folder", ["x.class", "x.java", "x.png"])
def test_a_folder_that_is_called_like_a_file(tmp_path: Path, folder: str) -> None:
    files = {f"{folder}/B.java": JAVA.format("q")}
    write(tmp_path, A)
    assert is_seen(tmp_path, lambda: write(tmp_path, files), folder)
    assert is_seen(tmp_path, lambda: shutil.rmtree(tmp_path / folder), folder)


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    write(tmp_path, {**A, "C.java": JAVA.format("c")})

    def change() -> None:
        (tmp_path / "C.java").unlink()
        write(tmp_path, {"C.java/D.java": JAVA.format("d")})

    assert is_seen(tmp_path, change, "C.java")


def test_events_cost_no_look_at_the_disk_for_each_pattern(tmp_path: Path) -> None:
    paths = ", ".join(f'"conf/{number}.x"' for number in range(90))
    write(tmp_path, {**A, **configured("configuration", f"paths = [{paths}]")})
    system = RealSystem(str(tmp_path))
    living = session(system)
    living.scan()
    asked: list[str] = []
    system.ways = lambda path: asked.append(path) or frozenset()  # type: ignore[func-returns-value,assignment,method-assign]
    for number in range(50):
        living.concerns(f"logs/{number}.png")
    assert not asked


def test_an_event_while_a_walk_is_under_way_is_never_passed_over() -> None:
    class Watched(MemorySystem):
        living: Session | None = None
        passed_over = False

        def walk(
            self, follow: Callable[[str], bool] = follow_none
        ) -> Iterator[tuple[str, list[str], list[str]]]:
            yield from super().walk(follow)
            if self.living is not None:
                self.passed_over = not self.living.concerns("org.x.y")

    system = Watched(A)
    living = session(system)
    living.scan()
    assert not living.concerns("org.x.y")
    system.living = living
    living.scan()
    assert not system.passed_over
    assert not living.concerns("org.x.y")
