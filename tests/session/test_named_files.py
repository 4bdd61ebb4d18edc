"""Patterns of config files: what they open, and that many and deep ones cost their length."""

from __future__ import annotations

from conflens.session.inputs.named_files import NamedFiles


def test_a_pattern_opens_the_folders_that_it_spells_out() -> None:
    named = NamedFiles(["target/conf/*.conf", "etc/broker.conf", "!etc/x/y.conf"])
    assert named.opened == {"target/", "target/conf/", "etc/"}
    assert named.roots == {"target/conf/", "etc/"}
    assert named.exact == {"etc/broker.conf"}


def test_a_pattern_longer_than_any_path_names_nothing() -> None:
    named = NamedFiles(["a/" * 60_000 + "x"])
    assert not named
    assert not named.opened


def test_many_patterns_are_read_once() -> None:
    named = NamedFiles(f"a/x{number}/y" for number in range(50_000))
    assert len(named.exact) == 50_000
    assert len(named.opened) == 50_001
