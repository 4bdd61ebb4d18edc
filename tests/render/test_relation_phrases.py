"""Sentences on relations and on who feels an option."""

from __future__ import annotations

import pytest

from conflens.base.span import Place
from conflens.base.system import MemorySystem
from conflens.properties.model import Felt, FeltBy, Relation, RelationKind
from conflens.render.option_view import option_view
from conflens.render.relation_phrases import felt_words, relation_words
from session.support import session

PLACE = Place("Store.java", 0, 1)


def relation(kind: RelationKind, name: str, op: str = "", value: str = "") -> Relation:
    return Relation(("system-property", name), kind, PLACE, op, value)


NEEDS, ENABLES = RelationKind.NEEDS, RelationKind.ENABLES


@pytest.mark.parametrize(
    ("relations", "wanted"),
    [
        ([], ()),
        ([relation(NEEDS, "a.on", "==", "true")], ("Only used if `a.on` is on.",)),
        ([relation(NEEDS, "a.on", "==", "false")], ("Only used if `a.on` is off.",)),
        ([relation(NEEDS, "a.n", ">", "0")], ("Only used if `a.n` is above 0.",)),
        ([relation(NEEDS, "a.n", "==", "null")], ("Only used if `a.n` is not set.",)),
        (
            [relation(NEEDS, "a.on", "==", "true"), relation(NEEDS, "a.n", "!=", "null")],
            ("Only used if `a.on` is on and `a.n` is set.",),
        ),
        ([relation(ENABLES, "a.b", "==", "true")], ("`a.b` is only used if this is on.",)),
        (
            [relation(ENABLES, "a.b", "==", "true"), relation(ENABLES, "a.c", "==", "true")],
            ("`a.b` and `a.c` are only used if this is on.",),
        ),
        ([relation(RelationKind.BOUNDED_BY, "a.b", "upper")], ("Bounded by `a.b`.",)),
        ([relation(RelationKind.BOUNDED_BY, "a.b", "lower")], ("Bounded from below by `a.b`.",)),
        ([relation(RelationKind.MULTIPLIED, "a.b")], ("Multiplied with `a.b`.",)),
        (
            [relation(RelationKind.OVERRIDDEN_BY, "a.b")],
            ("Not used where `a.b` is set, which takes its place.",),
        ),
        ([relation(RelationKind.CONFLICTS, "a.b")], ("Cannot be on together with `a.b`.",)),
        (
            [Relation(("command-line", "c"), NEEDS, PLACE, "==", "false")],
            ("Only used if `-c` is off.",),
        ),
        (
            [relation(NEEDS, "a.on", "==", "true"), relation(RelationKind.MULTIPLIED, "a.b")],
            ("Only used if `a.on` is on.", "Multiplied with `a.b`."),
        ),
    ],
)
def test_one_sentence_for_each_kind(relations: list[Relation], wanted: tuple[str, ...]) -> None:
    assert relation_words(relations) == wanted


@pytest.mark.parametrize(
    ("felt", "wanted"),
    [
        ([], ""),
        ([FeltBy(Felt.REQUEST, "Files.doGet", PLACE)], "Felt by requests (`Files.doGet`)."),
        (
            [FeltBy(Felt.REQUEST, "A.b", PLACE), FeltBy(Felt.BACKGROUND, "C.run", PLACE)],
            "Felt by requests (`A.b`) and background work (`C.run`).",
        ),
        ([FeltBy(Felt.STARTUP, "", PLACE)], "Felt at the start only."),
    ],
)
def test_who_feels_it(felt: list[FeltBy], wanted: str) -> None:
    assert felt_words(felt) == wanted


JAVA = """class Files extends javax.servlet.http.HttpServlet {
    private final boolean on = Boolean.getBoolean("files.on");
    private final int count = Integer.getInteger("files.count", 9);
    private int least;
    private int most;
    void configure() { least = Integer.getInteger("files.least", 1); most = Integer.getInteger("files.most", 9); check(); }
    private void check() { if (least > most) throw new IllegalArgumentException(); }
    protected void doGet(Object request, Object response) throws Exception {
        java.io.FileWriter out = new java.io.FileWriter("a");
        if (on) { for (int i = 0; i < count; i++) { out.write("a"); } }
    }
}
"""


@pytest.mark.parametrize(
    ("name", "related", "felt"),
    [
        ("files.count", ("Only used if `files.on` is on.",), "Felt by requests (`Files.doGet`)."),
        (
            "files.on",
            ("`files.count` is only used if this is on.",),
            "Felt by requests (`Files.doGet`).",
        ),
        ("files.most", (), ""),
    ],
)
def test_a_view_has_them(name: str, related: tuple[str, ...], felt: str) -> None:
    found = session(MemorySystem({"Files.java": JAVA})).scan()
    view = option_view(found, next(one for one in found.options.options if one.name == name))
    assert (view.related, view.felt) == (related, felt)
