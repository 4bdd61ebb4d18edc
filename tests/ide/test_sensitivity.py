"""What editors show of verdicts, rendered to text: hovers, hints, lenses, findings, actions, lists."""

from __future__ import annotations

import attrs
import pytest

from conflens.checking.results import Code, Severity
from conflens.ide.code_actions.verdicts import actions
from conflens.ide.code_lens.java import lenses
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.hover.java import MAX_LINES, hover
from conflens.ide.inlay_hints.current_line import lens_hints
from conflens.ide.inlay_hints.java import MAX_WIDTH, hints, tooltip
from conflens.ide.inlay_hints.parts import nearest, open_effect
from conflens.ide.settings.settings import Annotations, Settings
from conflens.models.workspace import parse_workspace
from conflens.models.workspace_edit import applied
from conflens.options.model import OptionTable
from conflens.sensitivity.phrases import percent
from conflens.sensitivity.results import SensitivityTable
from ide.judged import KEY, READ, SERVER, WORDING, verdict
from ide.toy import CURSOR, project


def hovered(files: dict[str, str], settings: Settings | None = None) -> list[str]:
    found = project(files)
    result = hover(found.analysis, found.path, found.offset, settings or Settings(), WORDING)
    assert result is not None
    lines = result.markdown.splitlines()
    assert len(lines) <= MAX_LINES
    return lines


def said(judge: str, workspace: str = "", text: str = SERVER) -> str:
    """The paragraph below the name in a hover; empty if it is about anything else."""
    text = text.replace('"net.buffer"', f'"net{CURSOR}.buffer"')
    files = {"A.java": text, "Judge.java": judge}
    if workspace:
        files[".conflens.toml"] = workspace
    line = hovered(files)[2]
    return "" if line.startswith("Whole number") else line


def chipped(
    files: dict[str, str], settings: Settings | None = None, path: str = "A.java"
) -> list[str]:
    found = project(files)
    size = len(files[path].encode())
    shown = []
    for hint in hints(found.analysis, path, 0, size, settings or Settings()):
        parts = [part for part in (hint.label, hint.effect) if part]
        shown.append(" · ".join(parts))
        assert len(shown[-1]) <= MAX_WIDTH
    return shown


# Words.


def test_a_percentage_never_shows_certainty() -> None:
    assert [percent(p) for p in (0.0, 0.004, 0.01, 0.123, 0.87, 0.994, 0.996, 1.0)] == [
        "<1 %", "<1 %", "1 %", "12 %", "87 %", "99 %", ">99 %", ">99 %",
    ]  # fmt: skip


# Hovers.


def test_the_performance_impact_and_its_reasons_come_first() -> None:
    assert said(verdict("sensitive 0.87")) == (
        "Affects performance: it sizes a buffer ([A.java:5](A.java#L5)) and controls how "
        "often I/O runs ([A.java:7](A.java#L7))."
    )
    text = SERVER.replace('"net.buffer"', f'"net{CURSOR}.buffer"')
    lines = hovered({"A.java": text, "Judge.java": verdict("sensitive 0.87")})
    assert lines[0] == "**`net.buffer`** · system property"
    assert lines[4] == "Whole number. Default `5`."


def test_reasons_against_follow_a_but_and_only_if_there_is_room() -> None:
    one = SERVER.replace("// + net.buffer controls how", "// - net.buffer hides how")
    assert said(verdict("sensitive 0.61"), text=one) == (
        "May affect performance: it sizes a buffer ([A.java:5](A.java#L5)), but hides how "
        "often I/O runs ([A.java:7](A.java#L7))."
    )
    two = verdict("sensitive 0.61", "-! net.buffer is read once")
    assert "read once" not in said(two)
    plain = verdict("sensitive 0.55", "-! net.buffer is read once")
    assert said(plain, text=READ) == "May affect performance, although it is read once."


def test_a_sentence_longer_than_two_lines_keeps_its_first_reason() -> None:
    long = "controls how often I/O runs " + "and runs " * 10
    text = SERVER.replace("controls how often I/O runs", long)
    assert said(verdict("sensitive 0.87"), text=text) == (
        "Affects performance: it sizes a buffer ([A.java:5](A.java#L5))."
    )
    assert long.strip() in said(
        verdict("sensitive 0.87"), text=text.replace("// + net.buffer sizes a buffer", "")
    )


def test_an_insensitive_option_and_an_unknown_one() -> None:
    name = verdict("insensitive 0.12", "-! net.buffer is the name of a file")
    assert said(name, text=READ) == ("No performance impact found: it is the name of a file.")
    assert said(verdict("insensitive 0.001"), text=READ) == ("No performance impact found.")
    assert said(verdict("unknown"), text=READ) == "Performance impact unknown."
    assert said(
        verdict("unknown 0.4", "-! net.buffer is passed to *unknown* code"), text=READ
    ) == ("Performance impact unknown: it is passed to \\*unknown\\* code.")
    assert (
        said(verdict("sensitive 0.9", name="other.option"), text=READ)
        == "Performance impact unknown."
    )


def test_a_reason_against_no_impact_is_a_sentence_of_its_own() -> None:
    judge = verdict(
        "insensitive 0.3", "-! net.buffer is a duration", "+! net.buffer sizes a buffer"
    )
    assert said(judge, text=READ) == (
        "No performance impact found: it is a duration. However, it sizes a buffer."
    )


def test_a_reason_with_a_comma_comes_last() -> None:
    cheap = "-! net.buffer reaches only cheap operations, such as logging"
    judge = verdict("insensitive 0.1", cheap, "-! net.buffer is a duration")
    assert said(judge, text=READ) == (
        "No performance impact found: it is a duration and reaches only cheap operations, such as logging."
    )


def test_two_reasons_share_their_verb() -> None:
    text = SERVER.replace(
        "net.buffer sizes a buffer", "net.buffer controls whether a buffer grows"
    )
    assert said(verdict("sensitive 0.87"), text=text) == (
        "Affects performance: it controls whether a buffer grows ([A.java:5](A.java#L5)) and how "
        "often I/O runs ([A.java:7](A.java#L7))."
    )


def test_nothing_is_shown_before_the_classifier_has_run() -> None:
    assert said("class Judge { }\n", text=READ) == ""
    assert said("class Judge { }\n", '[verdict."net.buffer"]\nsensitive = true\n', READ) == ""


def test_a_user_verdict_shows_its_line_and_the_disagreement_of_the_classifier() -> None:
    table = '[verdict."net.buffer"]\nsensitive = {}\nreason = "measured [2026-03]"\n'
    own = "according to your verdict in [.conflens.toml:1](.conflens.toml#L1)"
    quote = '"measured \\[2026-03\\]"'
    judge = verdict("sensitive 0.87")
    assert said(judge, table.format("true")) == f"Affects performance {own}: {quote}."
    assert said(judge, table.format("false")) == (
        f"Does not affect performance {own}: {quote}. The model predicts that it does."
    )
    assert said(verdict("insensitive 0.1"), table.format("true")) == (
        f"Affects performance {own}: {quote}. The model predicts that it does not."
    )
    default = '[verdict."net.buffer"]\nsensitive = true\nreason = "set in the editor"\n'
    assert said(judge, default) == f"Affects performance {own}."


def test_a_reason_whose_code_is_gone_has_no_link() -> None:
    found = project({"A.java": SERVER, "Judge.java": verdict("sensitive 0.87")})
    before = found.analysis.sensitivity.verdicts[KEY]
    ref = before.reasons[0].ref
    assert ref is not None
    gone = attrs.evolve(before.reasons[0], ref=ref._replace(number=99))
    table = SensitivityTable({KEY: attrs.evolve(before, reasons=(gone,))}, True)
    analysis = attrs.evolve(found.analysis, sensitivity=table)
    result = hover(analysis, "A.java", SERVER.index("net.b"), Settings(), WORDING)
    assert result is not None
    assert "Affects performance: it sizes a buffer." in result.markdown.splitlines()


# Hints and lenses.


ALL = Settings(annotations=Annotations.ALL)


def test_a_hint_names_the_effect_in_the_words_of_the_hover() -> None:
    files = {"A.java": SERVER, "Judge.java": verdict("sensitive 0.87")}
    assert chipped(files) == ["sizes a buffer"]
    assert chipped(files, Settings(flow_hints=False)) == []
    assert chipped(files, Settings(inlay_hints=False)) == []


@pytest.mark.parametrize("words", ["sensitive 0.64", "insensitive 0.2", "unknown", "unknown 0.5"])
def test_only_high_impact_is_annotated_by_default(words: str) -> None:
    files = {"A.java": SERVER, "Judge.java": verdict(words)}
    assert chipped(files) == []
    assert chipped(files, ALL) == ["repeats I/O operations, sizes buffers"]


def test_an_option_whose_effect_no_code_shows_has_no_high_impact() -> None:
    name = verdict("sensitive 0.99", "+! net.buffer has “buffer” in its name")
    assert chipped({"A.java": READ, "Judge.java": name}) == []
    assert said(name, text=READ).startswith("May affect performance: it has “buffer” in its name")


def test_nothing_is_annotated_before_a_model_has_looked() -> None:
    assert chipped({"A.java": SERVER}) == []


def test_an_effect_is_named_once_in_a_method_and_goes_before_the_name_where_room_is_short() -> (
    None
):
    again = SERVER.replace("5);", '5);\n        int m = Integer.getInteger("net.buffer", 5);', 1)
    again = again.replace("        byte[] b", "        byte[] b", 1)
    judge = verdict("sensitive 0.87")
    assert chipped({"A.java": again, "Judge.java": judge}) == ["sizes a buffer"]
    for name, expected in (
        ("net.size", "net.size · sizes a buffer"),
        ("net.buffer.of.the.very.long.name.size", "sizes a buffer"),
    ):
        code = SERVER.replace('"net.buffer"', "K").replace("net.buffer", name)
        keys = f'class Keys {{ static final String K = "{name}"; }}'
        files = {"A.java": code, "K.java": keys, "Judge.java": verdict("sensitive 0.9", name=name)}
        assert chipped(files) == [expected]


def test_where_only_the_line_of_the_cursor_is_annotated_hints_at_line_ends_say_what_lenses_would() -> (
    None
):
    keys = 'class Keys {\n    static final String K = "net.buffer"; // size\n}\n'
    code = SERVER.replace('"net.buffer"', "Keys.K")
    files = {"A.java": code, "Keys.java": keys, "Judge.java": verdict("sensitive 0.87")}
    found = project(files)
    line = Settings(annotations=Annotations.CURRENT_LINE)
    (hint,) = lens_hints(found.analysis, "Keys.java", 0, len(keys), line)
    assert keys[: hint.offset].endswith("// size")
    assert hint.label == "sizes a buffer · 1 read"
    assert lens_hints(found.analysis, "Keys.java", 0, 5, line) == ()
    assert lens_hints(found.analysis, "Keys.java", 0, len(keys), Settings()) == ()
    assert lens_hints(found.analysis, "Keys.java", 0, len(keys), ALL) == ()
    # Hints at reads are those of the default.
    assert chipped(files, line) == chipped(files) == ["net.buffer · sizes a buffer"]


def test_a_line_has_a_lens_or_a_hint_and_never_both() -> None:
    both = SERVER.replace("void start() {", 'static final String K = "net.buffer"; void start() {')
    one = both.replace('int n = Integer.getInteger("net.buffer", 5);', "").replace(
        "void start() {", "int n = Integer.getInteger(K, 5); void start() {"
    )
    files = {"A.java": one, "Judge.java": verdict("sensitive 0.87")}
    found = project(files)
    assert [found.show(lens.place) for lens in lenses(found.analysis, "A.java", Settings())]
    assert chipped(files) == []
    assert chipped(files, Settings(code_lens=False)) != []


def test_an_effect_opens_the_reasons_with_the_strongest_first() -> None:
    judge = verdict("sensitive 0.87", "-! net.buffer is read once")
    found = project({"A.java": SERVER, "Judge.java": judge})
    (hint,) = hints(found.analysis, "A.java", 0, len(SERVER), Settings())
    opened = open_effect(found.analysis, hint.option, hint.read, WORDING)
    assert opened is not None
    assert opened.tooltip == (
        "Affects performance:\n"
        "- it sizes a buffer ([A.java:5](A.java#L5))\n"
        "- it controls how often I/O runs ([A.java:7](A.java#L7))\n"
        "- but it is read once"
    )
    assert [found.show(place) for place in opened.places] == [
        "A.java:5:20 new byte[n]",
        "A.java:7:17 flush",
    ]
    assert nearest(found.analysis, hint.option, hint.read) == opened.places[0]
    assert tooltip(found.analysis, "A.java", hint.option, hint.read, WORDING) == (
        "**`net.buffer`** · system property · affects performance · whole number · default `5`"
    )
    other = attrs.evolve(found.analysis, sensitivity=SensitivityTable({}, True))
    opened = open_effect(other, hint.option, hint.read, WORDING)
    assert opened is not None and opened.tooltip.startswith("Reaches 2 costly operations:")
    assert tooltip(other, "A.java", hint.option, hint.read, WORDING) == (
        "**`net.buffer`** · system property · whole number · default `5`"
    )


def test_a_persons_verdict_without_an_effect_in_the_code_is_named() -> None:
    table = '[verdict."net.buffer"]\nsensitive = true\n'
    files = {"A.java": READ, "Judge.java": verdict("insensitive 0.2"), ".conflens.toml": table}
    assert chipped(files) == ["affects performance"]


TWO = """
class A {
    static final String K = "net.buffer";
    static final String L = "net.name";
    void a() {
        use(Integer.getInteger(K));
        use(Integer.getInteger(L));
    }
}
"""


def test_annotations_are_of_relevant_options_or_of_all() -> None:
    files = {
        "A.java": TWO,
        "Judge.java": verdict("sensitive 0.87"),
        "S.java": SERVER.replace('Integer.getInteger("net.buffer", 5)', "1"),
    }
    assert chipped(files) == ["net.buffer · sizes a buffer"]
    assert chipped(files, ALL) == ["net.buffer · sizes a buffer", "net.name"]
    found = project(files)
    assert [found.show(lens.place) for lens in lenses(found.analysis, "A.java", ALL)] == [
        "A.java:3:25 K",
        "A.java:4:25 L",
    ]
    assert [found.show(lens.place) for lens in lenses(found.analysis, "A.java", Settings())] == [
        "A.java:3:25 K"
    ]
    assert chipped({"A.java": TWO}) == []


# Diagnostics.


DOCUMENTED = {
    "docs/options.md": "- `net.known`: what it does.\n",
    "K.java": 'class K { String s = System.getProperty("net.known"); }',
}


def reported(
    judge: str, settings: Settings | None = None, complete: bool = True, text: str = SERVER
) -> list[str]:
    found = project({"A.java": text, "Judge.java": judge, **DOCUMENTED}, complete)
    return [
        f"{item.severity} {item.code} {found.show(item.place)}: {item.message}"
        for item in diagnostics(found.analysis, "A.java", settings or Settings())
    ]


PLAIN = (
    'hint undocumented-option A.java:4:36 "net.buffer": net.buffer is not mentioned in any '
    "document of this project."
)


def test_a_sensitive_option_without_documentation() -> None:
    assert reported(verdict("sensitive 0.87")) == [
        'information sensitive-undocumented A.java:4:36 "net.buffer": net.buffer is '
        "not documented in this project, but affects performance because it sizes a "
        "buffer."
    ]
    loud = Settings(undocumented=Severity.OFF, sensitive_undocumented=Severity.WARNING)
    (told,) = reported(verdict("sensitive 0.87"), loud)
    assert told.startswith("warning sensitive-undocumented")


def test_an_uncertain_label_is_reported_with_the_usual_severity() -> None:
    (told,) = reported(verdict("sensitive 0.74"))
    assert told.startswith("hint sensitive-undocumented")
    assert "affects performance because it sizes a buffer" in told
    (told,) = reported(verdict("sensitive 0.75"))
    assert told.startswith("information sensitive-undocumented")
    quiet = Settings(undocumented=Severity.OFF)
    assert reported(verdict("sensitive 0.74"), quiet) == []
    assert reported(verdict("sensitive 0.75"), quiet)


def test_a_users_verdict_is_certain() -> None:
    own = '[verdict."net.buffer"]\nsensitive = true\n'
    files = {"A.java": SERVER, "Judge.java": verdict("insensitive 0.1"), ".conflens.toml": own}
    found = project({**files, **DOCUMENTED})
    (told,) = diagnostics(found.analysis, "A.java", Settings())
    assert (told.code, told.severity) == (Code.SENSITIVE_UNDOCUMENTED, Severity.INFORMATION)


def test_it_replaces_the_other_report_unless_disabled() -> None:
    off = Settings(sensitive_undocumented=Severity.OFF)
    assert reported(verdict("sensitive 0.87"), off) == [PLAIN]
    for judge in (verdict("insensitive 0.2"), verdict("unknown"), "class Judge { }"):
        assert reported(judge) == [PLAIN]
    silent = Settings(undocumented=Severity.OFF, sensitive_undocumented=Severity.OFF)
    assert reported(verdict("sensitive 0.87"), silent) == []
    assert reported(verdict("sensitive 0.87"), Settings(diagnostics=False)) == []
    assert reported(verdict("insensitive 0.2"), Settings(undocumented=Severity.OFF)) == []


def test_several_options_at_one_place_give_one_report() -> None:
    found = project({"A.java": SERVER, "Judge.java": verdict("sensitive 0.87"), **DOCUMENTED})
    table, verdicts = found.analysis.options.options, found.analysis.sensitivity
    (one,) = (option for option in table if option.key == KEY)
    other = attrs.evolve(one, name="net.other")
    said = {**verdicts.verdicts, other.key: verdicts.of_option(KEY)}
    analysis = attrs.evolve(
        found.analysis,
        options=OptionTable.of([*table, other], []),
        sensitivity=SensitivityTable(said, True),
    )
    (told,) = diagnostics(analysis, "A.java", Settings())
    assert told.message == (
        "net.other and net.buffer are not documented in this project, but are performance-sensitive."
    )


def test_it_follows_the_rule_for_undocumented_options() -> None:
    assert reported(verdict("sensitive 0.87"), complete=False) == []
    known = SERVER.replace("net.buffer", "net.known")
    assert reported(verdict("sensitive 0.87", name="net.known"), text=known) == []
    alone = project({"A.java": SERVER, "Judge.java": verdict("sensitive 0.87")})
    assert diagnostics(alone.analysis, "A.java", Settings()) == ()


def test_a_hover_does_not_repeat_the_diagnostic() -> None:
    text = SERVER.replace('"net.buffer"', f'"net{CURSOR}.buffer"')
    files = {"A.java": text, "Judge.java": verdict("sensitive 0.87"), **DOCUMENTED}
    nowhere = "Not documented in this project."
    assert nowhere not in hovered(files, Settings(undocumented=Severity.OFF))
    silent = Settings(undocumented=Severity.OFF, sensitive_undocumented=Severity.OFF)
    assert nowhere in hovered(files, silent)


# Actions.


def offered(workspace: str, text: str = READ, at: str = '"net') -> dict[str, str]:
    """The actions by title, each with the workspace file after it."""
    found = project({"A.java": text.replace(at, f"{at}{CURSOR}", 1)})
    return {
        action.title: applied(workspace, action.edits)
        for action in actions(found.analysis, found.path, found.offset, workspace)
    }


def verdicts(text: str) -> dict[str, bool]:
    return {item.option: item.sensitive for item in parse_workspace("", text)[0].verdicts}


SENSITIVE = "Mark net.buffer as performance-sensitive"
NOT = "Mark net.buffer as not performance-sensitive"
REMOVE = "Remove the verdict on net.buffer"


def test_both_verdicts_are_offered_if_there_is_none() -> None:
    found = offered("# ours\n")
    assert {title: verdicts(text) for title, text in found.items()} == {
        SENSITIVE: {"net.buffer": True},
        NOT: {"net.buffer": False},
    }
    assert list(offered("", TWO, "String K")) == [SENSITIVE, NOT]


def test_the_other_verdict_and_its_removal_are_offered_if_there_is_one() -> None:
    for given, other in ((True, NOT), (False, SENSITIVE)):
        text = f'[verdict."net.buffer"]\nsensitive = {str(given).lower()}\n\n[verdict.x]\nsensitive = true\n'
        assert {title: verdicts(after) for title, after in offered(text).items()} == {
            other: {"net.buffer": not given, "x": True},
            REMOVE: {"x": True},
        }


def test_nothing_is_offered_elsewhere_or_for_invalid_toml() -> None:
    assert offered("", at="class") == {}
    assert offered("", at=", 5") == {}
    assert offered("[verdict") == {}


def test_of_many_options_at_one_place_only_a_few_are_offered() -> None:
    found = offered("", READ.replace("net.buffer", "net." + "long." * 20 + "end"))
    assert next(iter(found)).startswith("Mark net.…")
    assert all(len(title) < 110 for title in found)
