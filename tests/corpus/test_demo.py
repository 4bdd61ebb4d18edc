"""``make demo`` fits on a screen, names the option and says where to go next; the store is not run here."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus import demo
from corpus.fetch import FetchError, Project
from living.run import Misconfiguration, Run, Way

PROFILES = Path(__file__).parent.parent / "living" / "profiles"


def recording(folder: Path) -> Callable[..., tuple[Run, str]]:
    """Return what records a run: it takes one of the profiles that are kept of such runs."""

    def record(
        _: Path, wrong: Misconfiguration | None, way: Way, **kept: object
    ) -> tuple[Run, str]:
        name = "good.cpu.collapsed" if wrong is None else "slow.cpu.collapsed"
        shutil.copy(PROFILES / name, folder / name)
        return Run(name, way, 1, name, "", "", "", 1.0, 1.0), ""

    return record


def offline(_: Project) -> Path:
    raise FetchError("Maven is offline.")


def test_the_demo_fits_on_a_screen_and_ends_with_where_to_go_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    snapshots = tmp_path / "living"
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(demo, "_SNAPSHOTS", snapshots)
    monkeypatch.setattr(demo, "build", lambda folder: folder)
    monkeypatch.setattr(demo, "record", recording(snapshots))
    monkeypatch.setattr(demo, "fetch", offline)
    assert demo.main() == 0
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert len(lines) <= demo.LINES
    assert err == ""
    assert any(
        "Likely cause: store.index.enabled (all of the added CPU time" in line for line in lines
    )
    assert (snapshots / "diagnosis.html").is_file()
    after = lines[[line.startswith("Next: ") for line in lines].index(True) :]
    assert "diagnosis.html" in after[0] and "README.md" in after[-1]
