"""Verdicts of a program, and that edits give what a fresh judge says."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.base.system import MemorySystem
from conflens.models.workspace import Verdict as Decision
from conflens.sensitivity.explain import Explainer
from conflens.sensitivity.features import Subject
from conflens.sensitivity.forest import FORMAT, Forest
from conflens.sensitivity.judge import Judge
from conflens.sensitivity.level import level, moved
from conflens.sensitivity.results import (
    UNKNOWN,
    Evidence,
    Label,
    Reason,
    SensitivityTable,
    Source,
    Verdict,
)
from conflens.sensitivity.vocabulary import packaged
from conflens.session.analysis import Analysis
from conflens.session.session import Session
from sensitivity.programs import analysed, body, forest, judged, option, stump, varied
from session.support import session

BUFFER = 'byte[] b = new byte[Integer.getInteger("x.size")];'


def verdict(analysis: Analysis, name: str, judge: Judge | None = None) -> Verdict:
    judge = judge or Judge(varied(), packaged())
    return judged(judge, analysis).of_option(option(analysis, name).key)


# -- labels ----------------------------------------------------------------------------------------


def test_a_score_of_at_least_one_half_is_sensitive() -> None:
    analysis = analysed(body(BUFFER))
    for score, label in ((0.9, Label.SENSITIVE), (0.1, Label.INSENSITIVE)):
        judge = Judge(forest(stump("operations", 0.5, 1 - score, score)), packaged())
        found = verdict(analysis, "x.size", judge)
        assert (found.label, found.source) == (label, Source.MODEL)
        assert found.probability is not None
        assert (found.probability > 0.5) == (label is Label.SENSITIVE)
        assert found.reasons


def test_an_unread_option_is_unknown() -> None:
    source = """
import org.apache.kafka.common.config.ConfigDef;
class Keys { static final ConfigDef D = new ConfigDef()
  .define("buffer.memory", ConfigDef.Type.LONG, 3L, ConfigDef.Importance.HIGH, "Memory."); }
"""
    analysis = analysed(source)
    assert option(analysis, "buffer.memory").reads == ()
    found = verdict(analysis, "buffer.memory")
    assert (found.label, found.probability) == (Label.UNKNOWN, None)
    assert [reason.text for reason in found.reasons] == ["is declared, but nothing reads it"]


def test_thin_evidence_is_unknown() -> None:
    analysis = analysed(body('Object o = System.getProperty("qqq");'))
    found = verdict(analysis, "qqq")
    assert (found.label, found.probability) == (Label.UNKNOWN, None)
    assert "tell nothing" in found.reasons[0].text


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("qqq", 'Object o = Integer.getInteger("qqq");'),
        ("qqq", 'if (System.getProperty("qqq") == null) out.write(1);'),
    ],
)
def test_a_type_or_a_flow_is_evidence(name: str, code: str) -> None:
    found = verdict(analysed(body(code)), name)
    assert found.label is not Label.UNKNOWN
    assert found.probability is not None
    assert found.reasons


def test_a_word_of_the_name_alone_makes_no_option_sensitive() -> None:
    found = verdict(analysed(body('Object o = System.getProperty("qqq.cache");')), "qqq.cache")
    assert (found.label, found.evidence) == (Label.UNKNOWN, Evidence.NAME)
    assert found.probability is not None
    assert found.probability > 0.5
    assert "“cache” in its name suggests an effect" in found.reasons[0].text


@pytest.mark.parametrize(
    ("code", "decides"),
    [
        ("Executors.newFixedThreadPool(Integer.getInteger(NAME)).submit(() -> 1)", True),
        ("new Semaphore(Integer.getInteger(NAME))", True),
        ("Executors.newFixedThreadPool(System.getProperty(NAME).length())", False),
    ],
)
def test_a_number_that_sizes_a_pool_matters_whatever_it_is_called(
    code: str, decides: bool
) -> None:
    text = f"Object o = {code.replace('NAME', chr(34) + 'qqq' + chr(34))};"
    made = forest(stump("operations", 0.5, 0.3, 0.3))
    found = verdict(analysed(body(text)), "qqq", Judge(made, packaged()))
    wanted = (Label.SENSITIVE, Evidence.STRONG) if decides else (Label.INSENSITIVE, Evidence.NONE)
    assert (found.label, found.evidence) == wanted


def test_without_options_there_are_no_verdicts() -> None:
    assert judged(Judge(varied(), packaged()), analysed("class A {}")) == SensitivityTable(
        {}, True
    )


def test_missing_information_is_unknown() -> None:
    table = judged(Judge(varied(), packaged()), analysed(body(BUFFER)))
    assert table.ready
    assert table.of_option(("no", "such")) is UNKNOWN


def test_a_forest_with_other_features_is_refused() -> None:
    with pytest.raises(ValueError, match="other features"):
        Judge(Forest(FORMAT, "", ["a"], varied().trees, 1.0), packaged())


# -- a person --------------------------------------------------------------------------------------


def test_a_users_verdict_takes_precedence() -> None:
    analysis = analysed(body(BUFFER + ' Object o = System.getProperty("qqq");'))
    judge = Judge(varied(), packaged())
    plain = judged(judge, analysis)
    decisions = (
        Decision(option="x.size", sensitive=False, reason="measured: nothing", line=3),
        Decision(option="qqq", sensitive=True, reason="", line=7),
        Decision(option="no.such", sensitive=True, reason="", line=9),
    )
    table = judge.judged(analysis.program, analysis.options.options, analysis.flows, decisions)
    key = option(analysis, "x.size").key
    model, person = plain.of_option(key), table.of_option(key)
    assert (person.label, person.source) == (Label.INSENSITIVE, Source.PERSON)
    assert (person.note, person.line) == ("measured: nothing", 3)
    assert (person.model, person.probability) == (model.label, model.probability)
    assert person.model is Label.SENSITIVE
    assert person.reasons == model.reasons
    other = table.of_option(option(analysis, "qqq").key)
    assert (other.label, other.model, other.probability) == (Label.SENSITIVE, Label.UNKNOWN, None)
    assert table.verdicts.keys() == plain.verdicts.keys()
    assert judged(judge, analysis) == plain


# -- levels ----------------------------------------------------------------------------------------

SCORES = st.lists(st.floats(0, 1), max_size=40)


@given(SCORES)
def test_a_level_moves_the_mean_towards_the_expected_one(scores: list[float]) -> None:
    by = level(scores)
    assert by == level(scores[::-1])
    if scores:
        mean = sum(scores) / len(scores)
        assert by >= 0 if mean < 0.43 else by <= 0 if mean > 0.47 else abs(by) < 0.2
    else:
        assert by == 0
    ordered = sorted(scores)
    after = [moved(score, by) for score in ordered]
    assert after == sorted(after)
    assert all(0 < score < 1 for score in after)


def test_a_small_population_moves_less() -> None:
    assert 0 < level([0.1]) < level([0.1] * 5) < level([0.1] * 50)


# -- edits -----------------------------------------------------------------------------------------

A, B, C = "src/A.java", "src/B.java", "src/C.java"
FIRST = """package p;
import java.io.*;
class A {
  void size(OutputStream out) throws Exception {
    int n = Integer.getInteger("a.size", 64);
    byte[] b = new byte[n];
    if (Boolean.getBoolean("a.sync")) {
      B.pour(out);
    }
  }
}
"""
SECOND = """package p;
import java.io.*;
class B {
  static void pour(OutputStream out) throws Exception {
    out.write(1);
  }
}
"""
THIRD = """package p;
class C {
  Object dir = System.getProperty("c.directory");
  Object what = System.getProperty("ccc");
  char[] chars = new char[Integer.getInteger("c.count")];
}
"""


class Edited:
    """A session in memory, and one judge that sees all of its analyses."""

    def __init__(self, judge: Judge | None = None) -> None:
        self.system = MemorySystem({A: FIRST, B: SECOND, C: THIRD})
        self.session: Session = session(self.system)
        self.judge = judge or Judge(varied(), packaged())
        self.analysis = self.session.scan()
        self.table = judged(self.judge, self.analysis)

    def edit(self, path: str, *changes: tuple[str, str]) -> SensitivityTable:
        text = self.system.read(path).decode()
        for old, new in changes:
            assert text.count(old) == 1
            text = text.replace(old, new)
        self.system.write(path, text)
        self.session.open(path, text, 1)
        self.analysis = self.session.rebuild()
        self.table = judged(self.judge, self.analysis)
        assert self.table == self.fresh()
        return self.table

    def fresh(self) -> SensitivityTable:
        anew = session(self.system).scan()
        return judged(Judge(self.judge._forest, packaged()), anew)

    def verdict(self, name: str) -> Verdict:
        return self.table.of_option(option(self.analysis, name).key)


LOOPS = [
    ("for", [("    out.write(1);", "    for (int i = 0; i < 9; i++) { out.write(1); }")]),
    ("do", [("    out.write(1);", "    do { out.write(1); } while (out != null);")]),
    ("while", [("    out.write(1);", "    while (out != null) { out.write(1); }")]),
    ("do around all", [("    out.write(1);", "    do { out.write(1); } while (true);")]),
    ("each", [("    out.write(1);", "    for (int i : new int[3]) out.write(1);")]),
]


@pytest.mark.parametrize("changes", [changes for _, changes in LOOPS], ids=[n for n, _ in LOOPS])
def test_a_loop_is_put_around_an_operation(changes: list[tuple[str, str]]) -> None:
    edited = Edited()
    before = edited.verdict("a.sync")
    assert not any("loop" in reason.text for reason in before.reasons)
    edited.edit(B, *changes)
    after = edited.verdict("a.sync")
    assert any("inside a loop" in reason.text for reason in after.reasons)
    edited.edit(B, *((new, old) for old, new in changes))
    assert edited.verdict("a.sync") == before


@pytest.mark.parametrize(
    "loop", ["do { B.pour(out); } while (out != null);", "while (out != null) B.pour(out);"]
)
def test_a_loop_is_put_around_a_call_on_the_path(loop: str) -> None:
    edited = Edited()
    edited.edit(A, ("B.pour(out);", loop))
    assert any("inside a loop" in reason.text for reason in edited.verdict("a.sync").reasons)


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        (A, [("void size(", "void stop(")]),
        (B, [("void pour(", "void size(Object o) {}\n  static void pour(")]),
    ],
)
def test_a_method_is_renamed(path: str, changes: list[tuple[str, str]]) -> None:
    edited = Edited()
    before = edited.verdict("a.sync")
    edited.edit(path, *changes)
    edited.edit(path, *((new, old) for old, new in changes))
    assert edited.verdict("a.sync") == before


def test_a_method_on_the_path_is_renamed() -> None:
    edited = Edited()
    assert not any(
        "startup or shutdown" in reason.text for reason in edited.verdict("a.sync").reasons
    )
    edited.edit(A, ("void size(", "void stop("))
    assert any("startup or shutdown" in reason.text for reason in edited.verdict("a.sync").reasons)
    for path, change in (
        (A, ("void stop(", "void size(")),
        (B, ("void pour(", "void close(")),
        (A, ("B.pour(", "B.close(")),
    ):
        edited.edit(path, change)
    assert any("startup or shutdown" in reason.text for reason in edited.verdict("a.sync").reasons)


def test_many_edits_in_a_row() -> None:
    edited = Edited()
    sizes = set()
    for path, change in (
        (A, ('"a.size"', '"a.length"')),
        (A, ("new byte[n]", "new byte[3]")),
        (A, ('"a.sync"', '"a.threads"')),
        (C, ("new char[Integer", "new char[1 + Integer")),
        (B, ("out.write(1);", "")),
        (B, ("static void pour", "static void empty() {}\n static void pour")),
        (B, ("throws Exception {", "throws Exception { while (out != null) out.flush();")),
        (A, ("void size(", "byte[] more = new byte[Integer.getInteger(\"a.more\")];\n void size(")),
        (C, ('"c.directory"', '"c.cache"')),
        (C, ("class C {", "class C {\n  int k = Integer.getInteger(\"c.k\", 1000000);")),
        (C, ("class C {", "class C {\n  void half( {")),
        (C, ("void half( {", "")),
        (A, ("package p;", "package p;\n\n// a line more\n")),
    ):  # fmt: skip
        edited.edit(path, change)
        sizes.add(len(edited.table.verdicts))
    assert len(sizes) > 1


def test_an_added_option_moves_the_ranks_of_others() -> None:
    edited = Edited(Judge(forest(stump("rank by operations", 0.35, 0.0, 1.0)), packaged()))
    before = dict(edited.table.verdicts)
    assert edited.verdict("c.count").label is Label.SENSITIVE
    more = "".join(
        f'  char[] c{n} = new char[1 + new char[Integer.getInteger("c.x{n}")].length];\n'
        for n in range(6)
    )
    edited.edit(C, ("class C {\n", "class C {\n" + more))
    assert len(edited.table.verdicts) == len(before) + 6
    assert edited.verdict("c.count").label is Label.INSENSITIVE
    edited.edit(C, (more, ""))
    assert edited.table.verdicts == before


def test_an_added_option_moves_the_level_of_others() -> None:
    edited = Edited()
    before = edited.verdict("a.size").probability
    lines = "".join(
        f'  byte[] b{n} = new byte[Integer.getInteger("c.x{n}")];\n' for n in range(20)
    )
    edited.edit(C, ("class C {\n", "class C {\n" + lines))
    assert edited.verdict("a.size").probability != before


def test_verdicts_untouched_by_an_edit_are_the_same_objects() -> None:
    edited = Edited()
    before = dict(edited.table.verdicts)
    edited.edit(B, ("out.write(1);", "Object k = out; out.write(1);"))
    after = edited.table.verdicts
    assert {name for _, name in after} == {"a.size", "a.sync", "c.directory", "ccc", "c.count"}
    for key, found in after.items():
        if key[1] == "a.sync":
            assert found != before[key]
            assert (found.label, found.probability) == (before[key].label, before[key].probability)
        else:
            assert found is before[key]


def test_the_same_program_again_computes_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    edited = Edited()
    before = edited.table

    def refuse(*_: object) -> None:
        raise AssertionError("nothing is to be judged")

    monkeypatch.setattr(Forest, "contributions", refuse)
    monkeypatch.setattr(Forest, "score", refuse)
    again = judged(edited.judge, edited.analysis)
    assert again == before
    assert all(again.verdicts[key] is before.verdicts[key] for key in before.verdicts)


def test_reasons_are_found_when_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    reasons = Explainer.reasons

    def counted(
        self: Explainer, subject: Subject, contributions: Sequence[float], sensitive: bool
    ) -> tuple[Reason, ...]:
        asked.append(subject.option.name)
        return reasons(self, subject, contributions, sensitive)

    monkeypatch.setattr(Explainer, "reasons", counted)
    edited = Edited()
    edited.table = judged(edited.judge, edited.analysis)
    del asked[:]
    assert edited.verdict("a.size").reasons
    assert edited.verdict("a.size").reasons
    assert asked == ["a.size"]


def test_unread_reasons_keep_no_earlier_program() -> None:
    edited = Edited()
    kept = edited.verdict("a.size")
    earlier = weakref.ref(edited.analysis.program)
    for number in range(2):
        edited.edit(B, ("class B {", f"class B {{ // {number}"))
    gc.collect()
    assert edited.verdict("a.size") is kept
    assert earlier() is None
    assert kept.reasons


# -- spellings -------------------------------------------------------------------------------------

SPELT = """package p;
import java.util.concurrent.*;
class A {
  String get(String name) {
    String value = System.getenv(name);
    if (value == null) value = System.getenv(name.toUpperCase().replace('.', '_'));
    return value != null ? value : System.getProperty(name);
  }
  ExecutorService pool(String id) { return Executors.newFixedThreadPool(Integer.parseInt(get("threads.maxCount." + id))); }
}
"""


def test_spellings_of_one_option_have_one_verdict() -> None:
    analysis = analysed(SPELT)
    keys = {one.key for one in analysis.options.options}
    assert keys == {
        ("environment", "threads.maxCount.*"),
        ("environment", "THREADS_MAXCOUNT_*"),
        ("system-property", "threads.maxCount.*"),
    }
    table = judged(Judge(varied(), packaged()), analysis)
    first, *others = (table.of_option(key) for key in sorted(keys))
    assert all(other is first for other in others)
    assert first.evidence is Evidence.STRONG


def test_names_that_are_alike_and_read_apart_are_options_of_their_own() -> None:
    apart = 'int a = new byte[Integer.getInteger("x.size")].length; String b = System.getenv("X_SIZE");'
    analysis = analysed(f"class A {{ {apart} }}")
    table = judged(Judge(varied(), packaged()), analysis)
    found = {one.name: table.of_option(one.key).evidence for one in analysis.options.options}
    assert found["x.size"] is Evidence.STRONG
    assert found["X_SIZE"] is not Evidence.STRONG
