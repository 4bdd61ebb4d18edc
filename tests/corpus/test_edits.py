"""Random edits of real files: the facts are always those of a fresh parse."""

from __future__ import annotations

import random

import pytest

from corpus.fetch import fetch, projects
from incremental.test_random_edits import check_edits

pytestmark = pytest.mark.corpus

FILES = 40
EDITS = 2000


@pytest.mark.seeds(1)
def test_two_thousand_edits_of_real_files(seed: int) -> None:
    root = fetch(projects()["h2"])
    files = sorted(path for path in root.rglob("*.java") if 2_000 < path.stat().st_size < 60_000)
    chosen = random.Random(7).sample(files, FILES)
    texts = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in chosen}
    check_edits(EDITS, seed, texts)
