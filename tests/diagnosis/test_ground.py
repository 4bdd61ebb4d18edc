"""What diagnoses of one program share: the second is the same as if it were the first."""

from __future__ import annotations

import attrs
import pytest

from conflens.diagnosis import ground
from conflens.diagnosis.diagnose import Subject, diagnose
from conflens.diagnosis.ground import Ground
from diagnosis.notation import snapshots, subject

WRAPPED = """
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
class Main {
  static class Journal {
    final BufferedOutputStream out;
    Journal() throws Exception {
      out = new BufferedOutputStream(new FileOutputStream("j"), Integer.getInteger("buffer", 8192));
    }
  }
  static class Page {
    final DataOutputStream mine;
    Page(Journal journal) {
      mine = new DataOutputStream(journal.out);
      check();
    }
    void write(byte[] entry) throws Exception {
      check();
      mine.write(entry);
    }
    void check() {}
  }
  public static void main(String[] args) throws Exception {
    new Page(new Journal()).write(new byte[100]);
  }
}
"""
MADE = """
cpu
Main.main; Main$Page.<init>; Main$Page.check    400 -> 900
"""
WRITTEN = """
cpu
Main.main; Main$Page.write; Main$Page.check                     400 -> 400
Main.main; Main$Page.write; java.io.DataOutputStream.write      100 -> 700
"""


def diagnosed(about: Subject, profile: str) -> object:
    return diagnose(about, *snapshots(profile, WRAPPED))


def fresh(about: Subject) -> Subject:
    return attrs.evolve(about, ground=Ground(about.program, about.flows))


@pytest.mark.parametrize("before", [(MADE,), (WRITTEN,), (WRITTEN, MADE), (MADE, WRITTEN, MADE)])
@pytest.mark.parametrize("profile", [MADE, WRITTEN])
def test_earlier_queries_do_not_change_a_diagnosis(before: tuple[str, ...], profile: str) -> None:
    """That a page holds the stream is found where pages are made, and only by who looks there."""
    about = fresh(subject(WRAPPED))
    for one in before:
        diagnosed(about, one)
    assert diagnosed(about, profile) == diagnosed(fresh(about), profile)


def test_the_index_is_cached_by_the_subject_and_its_copies() -> None:
    about = fresh(subject(WRAPPED))
    opened = about.ground.open()
    assert about.ground.open() is opened
    assert attrs.evolve(about, modified={}).ground is about.ground


def test_the_index_is_dropped_when_it_grows_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    about = fresh(subject(WRAPPED))
    opened = about.ground.open()
    diagnosed(about, WRITTEN)
    assert about.ground.open() is opened
    monkeypatch.setattr(ground, "_FRAMES", 1)
    assert about.ground.open() is not opened
