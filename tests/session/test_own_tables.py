"""A training table of one's own: fitted like the packaged one, and a problem where it cannot be used."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conflens.base.system import MemorySystem
from conflens.sensitivity.fitting import meaning
from conflens.sensitivity.forest import Forest
from conflens.sensitivity.results import Label, Source
from conflens.sensitivity.table import Table, dumps
from conflens.session.inputs.configuration import Settings
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
from conflens.session.sources.files import RealSystem
from conflens.session.verdicts.forests import COMMAND
from sensitivity.tables import systems, table
from session.judged import (
    FAILS,
    JAVA,
    KEY,
    SMALL,
    WAITS,
    A,
    Clock,
    judged_session,
    of_the_packaged,
)

OWN = '[exclude]\npaths = []\n\n[sensitivity]\ntable = "conf/table.csv"\n'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "conf/table.csv does not exist"),
        ("option\nx\n", "conf/table.csv:1: not a training table"),
        (
            dumps(SMALL).replace("measured", "guessed", 1),
            "conf/table.csv:2: 'guessed' is not one of",
        ),
        (dumps(SMALL)[:-2] + "x\n", "conf/table.csv:13: a feature is not a number"),
        (dumps(Table(("f",), ())), "the training table was made by another version"),
        (dumps(table()), "a training table needs options of both kinds"),
        (b"\xff\xfe", "conf/table.csv cannot be read"),
    ],
)
def test_an_unusable_table_is_a_problem(
    fitted: Path, content: str | bytes | None, reason: str
) -> None:
    system = MemorySystem({A: JAVA, ".conflens.toml": OWN})
    if content is not None:
        system.write("conf/table.csv", content)
    one = judged_session(system, fitted)
    analysis = one.scan()
    (problem,) = analysis.problems
    assert (problem.path, problem.line, problem.column) == (".conflens.toml", 5, 1)
    assert problem.message.startswith("[sensitivity]: ")
    assert reason in problem.message
    assert problem.message.endswith("; the packaged training table is used")
    assert analysis.sensitivity == of_the_packaged(analysis, fitted)
    one.dispose()


@pytest.mark.parametrize("name", ["conf", "a\\u0000b"])
def test_a_table_that_is_not_a_file_is_a_problem(tmp_path: Path, fitted: Path, name: str) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "A.java").write_text(JAVA)
    (tmp_path / ".conflens.toml").write_text(f'[sensitivity]\ntable = "{name}"\n')
    one = judged_session(RealSystem(str(tmp_path)), fitted)
    analysis = one.scan()
    (problem,) = analysis.problems
    assert (problem.line, "cannot be read" in problem.message) == (2, True)
    assert analysis.sensitivity.ready
    one.dispose()


def test_a_problem_is_reported_at_the_file_that_names_the_table(fitted: Path) -> None:
    system = MemorySystem({A: JAVA, ".conflens.toml": "# nothing\n"})
    one = judged_session(system, fitted)
    one.set_settings(Settings(specs=(("more.toml", '\n[sensitivity]\ntable = "no.csv"\n'),)))
    (problem,) = one.scan().problems
    assert (problem.path, problem.line) == ("more.toml", 3)
    one.dispose()


def test_a_custom_table_is_fitted(tmp_path: Path, fitted: Path) -> None:
    own = table(*systems("ours", "theirs"))
    system = MemorySystem({A: JAVA, ".conflens.toml": OWN, "conf/table.csv": dumps(own)})
    folder = tmp_path / "cache"
    one = judged_session(system, folder)
    analysis = one.scan()
    assert analysis.problems == ()
    assert analysis.sensitivity.ready
    assert analysis.sensitivity != of_the_packaged(analysis, fitted)
    (file,) = folder.glob("forest-*.bin")
    forest = Forest.read(file.read_bytes(), meaning(own))
    assert forest is not None and COMMAND[0] == sys.executable

    for stored in fitted.glob("forest-*.bin"):
        (folder / stored.name).write_bytes(stored.read_bytes())
    system.write(".conflens.toml", "# nothing")
    one.files_changed([".conflens.toml"])
    after = one.rebuild()
    assert after.sensitivity == of_the_packaged(after, fitted)
    assert len(list(folder.glob("forest-*.bin"))) == 2
    one.dispose()


def test_a_users_verdict_needs_no_classifier_and_a_failed_one_is_retried(
    command: Callable[[tuple[str, ...]], None], fitted: Path
) -> None:
    system = MemorySystem({A: JAVA.encode()})
    command(FAILS)
    clock = Clock()
    one = judged_session(system, None, now=clock)
    assert not one.scan().sensitivity.ready
    system.write(".conflens.toml", b'[verdict."x.buffer.size"]\nsensitive = false\n')
    command((sys.executable, "-c", "import sys; sys.exit('still')"))
    one.files_changed([".conflens.toml"])
    verdict = one.rebuild().sensitivity.of_option(KEY)
    assert (verdict.label, verdict.source) == (Label.INSENSITIVE, Source.PERSON)
    data = next(fitted.glob("forest-*.bin")).read_bytes()
    file = fitted / "again.txt"
    file.write_bytes(data)
    command((sys.executable, "-c", WAITS, str(file), str(file)))
    clock.seconds += one.judging().retry
    one.open(A, JAVA + "\n", 1)
    verdict = one.rebuild().sensitivity.of_option(KEY)
    assert verdict.model in (Label.SENSITIVE, Label.INSENSITIVE)
    one.dispose()


@pytest.mark.parametrize("kind", ["pipe", "endless", "huge"])
def test_an_endless_table_is_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / "A.java").write_text(JAVA)
    file = tmp_path / "t.csv"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "endless":
        file.symlink_to("/dev/zero")
    else:
        with open(file, "wb") as out:
            out.truncate(60_000_000)
    (tmp_path / ".conflens.toml").write_text('[sensitivity]\ntable = "t.csv"\n')
    options = SessionOptions(cache=False, workers=0)
    with_problem = open_session(str(tmp_path), options)
    (problem,) = with_problem.scan().problems
    assert (problem.path, problem.line) == (".conflens.toml", 2)
    assert "t.csv" in problem.message and str(tmp_path) not in problem.message
    with_problem.dispose()
