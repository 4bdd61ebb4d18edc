"""Files whose names are not valid Unicode."""

from __future__ import annotations

import os
from pathlib import Path

from conflens.base.system import MemorySystem
from conflens.session.store.cache import Cache
from session.support import java, session


def test_a_name_that_is_not_unicode_affects_no_scan(tmp_path: Path) -> None:
    path = os.fsdecode(b"src/\xff/A.java")
    system = MemorySystem({path: java("A"), "src/p/B.java": java("B")})
    for cached in (0, 2):
        cache = Cache(tmp_path / "c.sqlite", "1")
        one = session(system, cache=cache)
        analysis = one.scan()
        assert {option.name for option in analysis.options.options} == {"p.A", "p.B"}
        assert path in analysis.program.files
        assert analysis.stats.cached_files == cached
        one.dispose()
