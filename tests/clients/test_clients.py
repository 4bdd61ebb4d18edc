"""One session under each capability set, held against the transcript of it that a reviewer has read.

``python -m clients.update`` writes the transcripts anew.  Beside what they show, ``rules`` holds each session to two laws:
nothing is sent that the client did not announce, and what ConfLens is for is there for all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from clients.rules import missing, unannounced
from clients.session import FILES, Session
from clients.sets import HERE, Client, clients
from e2e.client import Client as Connection

SETS = clients()


def held(folder: Path, one: Client) -> tuple[Session, str]:
    """Hold the session in a project of its own."""
    root = folder / "project"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    with Connection(TMPDIR=str(folder)) as connection:
        session = Session(connection, one, root)
        transcript = session.run()
    return session, transcript


@pytest.mark.parametrize("one", SETS, ids=lambda one: one.name)
def test_a_session(tmp_path: Path, one: Client) -> None:
    session, transcript = held(tmp_path, one)
    assert unannounced(session) == []
    assert missing(session) == []
    assert transcript == (HERE / "transcripts" / f"{one.name}.md").read_text(encoding="utf-8")


def test_every_transcript_has_its_client() -> None:
    files = {file.stem for file in (HERE / "transcripts").iterdir()}
    assert files == {one.name for one in SETS}
