"""Sentences on values outside of bounds, in hovers, reference pages and reports."""

from __future__ import annotations

import attrs
import pytest

from conflens.base.system import MemorySystem
from conflens.cli.docs.reference import entries, facts
from conflens.cli.report.report import report
from conflens.ide.hover.java import hover
from conflens.ide.settings.settings import Settings
from conflens.options.model import Effect, Limits, Option, OptionType
from conflens.render.adjustment_phrases import adjustment_words, sentence
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis
from session.support import session

JAVA = """class Pool {
    private final int low = Integer.getInteger("pool.low", 1);
    private final int high = Integer.getInteger("pool.high", 9);
    Pool() { if (low > high) throw new IllegalArgumentException(); }
    int snaps() { int n = Integer.getInteger("pool.snaps", 9); if (n < 2) n = 2; return n; }
    int port() { int n = Integer.getInteger("pool.port", 9); new java.net.InetSocketAddress(n); return n; }
    int pause() throws Exception { int n = Integer.getInteger("pool.pause", 9); if (n != -1) Thread.sleep(n); return low + high; }
    void most(int i) { int n = Integer.getInteger("pool.most", 9); while (n == 0 || i < n) i++; }
    byte[] sized() { int n = Integer.getInteger("pool.sized", 9); return n != -1 ? new byte[n] : new byte[4]; }
    void kept() { int n = Integer.getInteger("pool.kept", 9); if (n > 0) System.setProperty("n", Integer.toHexString(n)); }
    void early() { int n = Integer.getInteger("pool.early", 9); if (n < 0) throw new IllegalArgumentException(); if (n > 0) { notifyAll(); System.setProperty("n", Integer.toHexString(n)); } }
    void wait(int n) { new Thread(() -> { try { Thread.sleep(Integer.getInteger("pool.wait", 9)); } catch (InterruptedException e) { return; } }).start(); }
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    public static final int SIZE = Runtime.getRuntime().availableProcessors();
    int cores() { int n = Integer.getInteger("pool.cores", 9); return n < 1 ? CORES : n; }
    int sizes() { int n = Integer.getInteger("pool.sizes", 9); return n < 1 ? SIZE : n; }
    void clean(Runnable r) { int n = Integer.getInteger("pool.clean", 9); if (n <= 0) return; r.run(); System.setProperty("n", Integer.toHexString(n)); }
}
"""


def analysis() -> Analysis:
    return session(MemorySystem({"src/Pool.java": JAVA})).scan()


def named(found: Analysis, name: str) -> Option:
    return next(option for option in found.options.options if option.name == name)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("pool.snaps", ("Values below 2 count as 2.",)),
        ("pool.port", ("Values below 0 or above 65,535 are rejected.",)),
        ("pool.pause", ("-1 turns it off.", "Other values below 0 are rejected.")),
        ("pool.wait", ("A negative value fails when it is used.",)),
        ("pool.clean", ("0 or less turns it off.",)),
        ("pool.most", ("0 means no limit.",)),
        ("pool.kept", ()),
        ("pool.sized", ("Values below -1 are rejected.",)),
        ("pool.early", ("0 turns it off.",)),
        ("pool.cores", ()),
        ("pool.sizes", ("0 or less counts as `SIZE`.",)),
        ("pool.low", ("At most `pool.high`; other values are rejected.",)),
        ("pool.high", ("At least `pool.low`; other values are rejected.",)),
    ],
)
def test_one_sentence_for_each_bound(name: str, wanted: tuple[str, ...]) -> None:
    found = analysis()
    assert adjustment_words(found.options, named(found, name)) == wanted


@pytest.mark.parametrize("bound", ["lower", "upper"])
def test_of_shares_that_are_rejected_nothing_else_is_said(bound: str) -> None:
    found = analysis()
    option = named(found, "pool.clean")
    rejected = attrs.evolve(option.adjusted[0], bound=bound, value=1.0, effect=Effect.THROWS)
    lowered = attrs.evolve(rejected, effect=Effect.LOWERED, to="1")
    share = attrs.evolve(option, type=OptionType.FRACTION, adjusted=(rejected, lowered))
    words = adjustment_words(found.options, share)
    assert words == (f"Values {'below' if bound == 'lower' else 'above'} 1 are rejected.",)


@pytest.mark.parametrize(
    ("limits", "wanted"),
    [
        (Limits(minimum=0), ("0 turns it off.",)),
        (Limits(above=-1), ("0 turns it off.",)),
        (Limits(minimum=1), ()),
        (Limits(minimum=-1), ()),
        (Limits(maximum=9), ("0 or less turns it off.",)),
    ],
)
def test_of_what_is_rejected_anyhow_nothing_else_is_said(
    limits: Limits, wanted: tuple[str, ...]
) -> None:
    found = analysis()
    option = attrs.evolve(named(found, "pool.clean"), limits=limits)
    assert adjustment_words(found.options, option) == wanted


def test_every_effect_has_words() -> None:
    found = analysis()
    option = named(found, "pool.snaps")
    (one,) = option.adjusted

    said = {
        effect: sentence(attrs.evolve(one, effect=effect, value=1.0, to="n * 2"), option)
        for effect in Effect
        if effect is not Effect.IGNORED
    }
    assert said == {
        Effect.THROWS: "0 or less is rejected.",
        Effect.FAILS: "0 or less fails when it is used.",
        Effect.RAISED: "Values below 1 count as `n * 2`.",
        Effect.LOWERED: "0 or less counts as `n * 2`.",
        Effect.RESET: "0 or less counts as `n * 2`.",
        Effect.OFF: "0 or less turns it off.",
        Effect.UNLIMITED: "0 or less means no limit.",
    }


def test_a_hover_says_it_after_what_the_option_is() -> None:
    found = analysis()
    offset = JAVA.index('"pool.snaps"') + 2
    shown = hover(found, "src/Pool.java", offset, Settings(), Wording())
    assert shown is not None and "Values below 2 count as 2." in shown.markdown.splitlines()


def test_reports_and_pages_have_it() -> None:
    found = analysis()
    option = next(one for one in report(found).options if one.name == "pool.snaps")
    assert [(one.bound, one.value, one.effect, one.to) for one in option.limits] == [
        ("lower", "2", "raised", "2")
    ]
    entry = next(
        one for one in entries(found, found.options.options, True) if one.name == "pool.low"
    )
    text = dict(facts(entry))["Otherwise"]
    assert "".join(part for _, part in text) == "At most pool.high; other values are rejected."
