"""A profile in the editor, on the made-up diagnosis of ``toy_profile``."""

from __future__ import annotations

import attrs
import pytest

from conflens.diagnosis.results import Under, Value, Verdict
from conflens.flow.results import Dependency, Step, StepRole
from conflens.ide.code_lens.config_files import config_lens_text, config_lenses
from conflens.ide.hover.config_files import config_hover
from conflens.ide.hover.java import hover
from conflens.ide.profile.chain import chain, chain_steps, step_line
from conflens.ide.profile.code_lens import (
    option_lens_text,
    profile_lens_text,
    profile_lenses,
)
from conflens.ide.profile.hot_lines import hot_lines
from conflens.ide.profile.inlay_hints import MAX_HINTS, heat_hints, heat_tooltip
from conflens.ide.profile.profile import Profile, age_note
from conflens.ide.settings.settings import Settings
from conflens.profiling.model import EventKind
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis
from ide.toy import CURSOR, project
from ide.toy_profile import line_of, profile

SOURCE = """class A {
    int jobs = Integer.getInteger("a.jobs", 4);
    void run(byte[] data) { // heat cpu 0.2 90 0.2 +0
        for (int i = 0; i < jobs; i++) { // hold a.jobs loop
            encode(data); // spent 40
        }
    }

    void encode(byte[] data) { // heat cpu 34 41 13 +21 // heat allocation 12 12 14 -2
        byte[] copy = data.clone(); // spent 12
        copy[0] = 1; // spent 0.4
    }

    void cold() { // heat cpu 0.4 0.4 0.4 +0
    }
}
"""
CHAIN = "a.jobs: 12 % A.run:5 java.util.concurrent.Executor.execute A.encode:10"


def bare(source: str) -> str:
    """Return a source without the comments of the toy."""
    return "\n".join(line.partition(" //")[0] for line in source.split("\n"))


def drawn(source: str, settings: Settings | None = None) -> str:
    found = project({"A.java": source})
    text = source.encode()
    made = profile(found.analysis, compared="+" in source)
    shown = heat_hints(found.analysis, made, "A.java", 0, len(text), settings or Settings())
    lines = source.split("\n")
    return "\n".join(
        f"{source[: hint.offset].count(chr(10)) + 1}: {hint.label}"
        for hint in shown
        if hint.offset == len("\n".join(lines[: source[: hint.offset].count("\n") + 1]))
    )


# -- hints -----------------------------------------------------------------------------------------


def test_hints_at_hot_methods_and_lines() -> None:
    assert (
        drawn(SOURCE)
        == "5: 40 % CPU\n9: 34 % CPU (51 of 150 samples), 13 samples before\n10: 12 % CPU"
    )


def test_without_a_baseline_only_shares() -> None:
    source = "class A {\n    void a() { // heat wall 34 41\n        b(); // spent 30\n    }\n}\n"
    assert drawn(source) == "2: 34 % wall (51 of 150 samples)\n3: 30 % wall"


def test_a_hot_kind_is_shown_where_the_main_kind_is_cold() -> None:
    source = "class A {\n    void a() { // heat cpu 0.2 0.3 // heat lock 60 60\n    }\n    void b() { // heat cpu 50 50\n    }\n}\n"
    assert drawn(source) == "2: 60 % lock (90 of 150 samples)\n4: 50 % CPU (75 of 150 samples)"


def test_idle_threads_are_not_hot_unless_they_wait_longer() -> None:
    source = """class A {
    void run() { // heat wait 60 60 60 +0
        take(); // spent 60
    }
    void slow() { // heat wait 30 30 2 +28
    }
    void work() { // heat cpu 50 50 30 +30
    }
}
"""
    assert drawn(source) == (
        "5: 30 % wait (45 of 150 samples), 2 samples before\n"
        "7: 50 % CPU (75 of 150 samples), 30 samples before"
    )


def test_disabled() -> None:
    assert drawn(SOURCE, Settings(profile_hints=False)) == ""
    assert drawn(SOURCE, Settings(inlay_hints=False)) == ""


def test_what_idle_threads_do_is_not_hot() -> None:
    source = """class A {
    void follow() { // heat sleep 90 90
        rest(); // spent 90
    }
    void work() { // heat sleep 10 10 // heat cpu 50 50
    }
}
"""
    found = project({"A.java": source}).analysis
    made = profile(found, compared=False)
    assert len(heat_hints(found, made, "A.java", 0, len(source), Settings())) == 3
    idle = frozenset((ref, EventKind.SLEEP) for ref in made.diagnosis.heat)
    made = attrs.evolve(made, diagnosis=attrs.evolve(made.diagnosis, idle=idle))
    (hint,) = heat_hints(found, made, "A.java", 0, len(source), Settings())
    assert hint.label == "50 % CPU (75 of 150 samples)"
    assert hot_lines(found, made, "A.java", Settings())[0].text == hint.label


def test_the_hottest_lines_of_any_screenful() -> None:
    methods = "".join(f"    void m{n}() {{ }} // heat cpu {n + 1} {n + 1}\n" for n in range(60))
    source = f"class A {{\n{methods}}}\n"
    found = project({"A.java": source})
    made = profile(found.analysis, compared=False)
    shown = heat_hints(found.analysis, made, "A.java", 0, len(source), Settings())
    assert len(shown) == MAX_HINTS
    assert shown[0].label == "31 % CPU (46 of 150 samples)"
    half = source.index("m40")
    parts = [
        *heat_hints(found.analysis, made, "A.java", 0, half, Settings()),
        *heat_hints(found.analysis, made, "A.java", half + 1, len(source), Settings()),
    ]
    assert parts == list(shown)


def test_the_tooltip_shows_all_kinds_and_the_possible_causes() -> None:
    found = project({"A.java": SOURCE})
    made = profile(found.analysis, CHAIN, note="Snapshot of 3 days ago.")
    off = Settings(profile_lenses=False)
    hints = heat_hints(found.analysis, made, "A.java", 0, len(SOURCE), off)
    method = next(hint.member for hint in hints if hint.label.startswith("34 % CPU ("))
    assert heat_tooltip(found.analysis, made, "A.java", method, 0, Wording()) == (
        "**`A.encode`** · profile\n\n"
        "34 % of CPU time (51 of 150 samples; 13 samples before) is its own, 41 % with what it calls. 12 % of "
        "memory allocation (18 of 150 samples; 14 samples before) is its own.\n\n"
        "Likely cause: [`a.jobs`](A.java#L2) (loop).\n\n"
        "Snapshot of 3 days ago."
    )
    line = heat_tooltip(found.analysis, made, "A.java", method, 10, Wording())
    assert line is not None
    assert line.startswith("12 % of CPU time is spent on this line, calls included.\n\n**`A.enc")
    assert heat_tooltip(found.analysis, made, "A.java", 99, 0, Wording()) is None


# -- edits since the diagnosis ---------------------------------------------------------------------


def shown_after(change: tuple[str, str]) -> list[str]:
    before = project({"A.java": SOURCE})
    made = profile(before.analysis)
    assert change[0] in SOURCE
    source = SOURCE.replace(*change)
    after = project({"A.java": source}).analysis
    hints = heat_hints(after, made, "A.java", 0, len(source), Settings())
    lines = source.split("\n")
    return [
        f"{lines[source[: hint.offset].count(chr(10))].partition(' //')[0].strip()} « {hint.label}"
        for hint in hints
    ]


METHOD = "void encode(byte[] data) { « 34 % CPU (51 of 150 samples), 13 samples before"
INSIDE = "byte[] copy = data.clone(); « 12 % CPU"
CALL = "encode(data); « 40 % CPU"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("class A {\n", "\n\nclass A {\n"), [CALL, METHOD, INSIDE]),
        (("    void encode", "\n    int more;\n\n    void encode"), [CALL, METHOD, INSIDE]),
        (("        byte[] copy", "        cold();\n        byte[] copy"), [CALL, METHOD]),
        (("void encode(byte[] data)", "void encode(byte[] data, int n)"), [CALL]),
        (("void cold() {", "void run(byte[] data) {"), [METHOD, INSIDE]),
    ],
)
def test_a_hint_moves_with_its_line_or_disappears(
    change: tuple[str, str], expected: list[str]
) -> None:
    assert shown_after(change) == expected


# -- lenses ----------------------------------------------------------------------------------------

TWO = SOURCE.replace(
    "void run(", 'boolean sync = Boolean.getBoolean("sync");\n    void run('
).replace("encode(data); // spent 40", "if (sync) encode(data); // hold sync branch")


HEAT = "34 % CPU (51 of 150 samples), 13 samples before"
CHAINED = "30 samples CPU, 10 samples before"


def lensed(analysis: Analysis, made: Profile) -> str:
    lines = []
    for lens in profile_lenses(analysis, made, "A.java", Settings()):
        text = profile_lens_text(analysis, made, "A.java", lens.member, lens.hold)
        assert text is not None
        opened = ", ".join(f"{one.text} #{one.cause}" for one in text.chains)
        lines.append(f"{line_of(lens.place, analysis)} {text.title} -> {opened}")
    return "\n".join(lines)


def test_a_lens_shows_the_possible_causes_of_a_method() -> None:
    found = project({"A.java": TWO}).analysis
    made = profile(found, CHAIN, "sync: 8 % A.run:6 A.encode", "a.jobs: 2 % A.run A.encode")
    jobs, sync = f"a.jobs · loop · {CHAINED}", f"sync · branch · {CHAINED}"
    assert lensed(found, made).splitlines()[-1] == (
        f"A.java:10 {HEAT} · likely cause: a.jobs, sync -> {jobs} #0, {jobs} #1, {sync} #0"
    )
    one = profile(found, CHAIN, verdicts={"a.jobs": Verdict.DIFFERS})
    assert lensed(found, one).splitlines()[-1] == (
        f"A.java:10 {HEAT} · option: a.jobs -> {jobs} #0"
    )


def test_library_work_called_by_a_method_is_its_own_work() -> None:
    found = project({"A.java": SOURCE}).analysis
    made = profile(found, "a.jobs: 12 % A.run:5 A.encode:10 java.util.zip.Deflater.deflate")
    assert lensed(found, made).splitlines()[-1] == (
        f"A.java:9 {HEAT} · likely cause: a.jobs -> a.jobs · loop · {CHAINED} #0"
    )
    assert steps(found, made).splitlines()[-1] == (
        "A.java:10 hotspot · byte[] copy = data.clone(); · A.encode"
    )


def test_no_lens_above_a_method_of_negligible_cost() -> None:
    found = project({"A.java": SOURCE}).analysis
    lines = lensed(found, profile(found, "a.jobs: 12 % A.run:5 A.cold")).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["A.java:4"]  # the decision point


def test_no_lens_without_a_possible_cause() -> None:
    found = project({"A.java": SOURCE}).analysis
    assert lensed(found, profile(found)) == ""
    same = profile(found, CHAIN, verdicts={"a.jobs": Verdict.UNCHANGED})
    assert lensed(found, same) == ""
    assert profile_lens_text(found, same, "A.java", 2) is None
    made = profile(found, CHAIN)
    off = Settings(profile_lenses=False)
    assert profile_lenses(found, made, "A.java", off) == ()
    assert profile_lenses(found, made, "A.java", Settings(code_lens=False)) == ()


def test_a_lens_at_the_line_that_decides_says_how_much_depends_on_it() -> None:
    found = project({"A.java": TWO}).analysis
    under = {"a.jobs": Under(EventKind.CPU, 0.89, {Dependency.LOOP: 0.89})}
    made = profile(found, CHAIN, "sync: 8 % A.run:6 A.encode", under=under)
    loop, branch, _ = lensed(found, made).splitlines()
    assert loop == (
        "A.java:5 89 % of CPU time depends on a.jobs (134 of 150 samples) · likely cause of the slow-down"
        f" -> a.jobs · loop · {CHAINED} #0"
    )
    assert branch.startswith("A.java:6 20 % of CPU time depends on sync (30 of 150 samples)")
    single = profile(
        found, CHAIN, under=under, compared=False, verdicts={"a.jobs": Verdict.BEHIND}
    )
    assert lensed(found, single).splitlines()[0] == (
        "A.java:5 89 % of CPU time depends on a.jobs (134 of 150 samples) -> a.jobs · loop · 30 samples CPU #0"
    )


def test_a_decision_that_little_depends_on_has_no_lens() -> None:
    found = project({"A.java": SOURCE}).analysis
    made = profile(found, CHAIN)
    totals = tuple(total._replace(after=1000.0) for total in made.diagnosis.totals)
    little = attrs.evolve(made, diagnosis=attrs.evolve(made.diagnosis, totals=totals))
    assert [line.partition(" ")[0] for line in lensed(found, little).splitlines()] == ["A.java:9"]


def test_a_decision_moves_with_its_line_and_goes_with_its_code() -> None:
    before = project({"A.java": SOURCE}).analysis
    made = profile(before, CHAIN)
    moved = project({"A.java": f"\n\n{SOURCE}"}).analysis
    assert lensed(moved, made).startswith("A.java:6 20 % of CPU time depends on a.jobs")
    changed = project({"A.java": SOURCE.replace("i = 0", "i = 1")}).analysis
    assert "depends on" not in lensed(changed, made)


def test_a_line_with_a_lens_has_no_hint() -> None:
    """Both would say the same."""
    source = SOURCE.replace("// hold a.jobs loop", "// hold a.jobs loop // spent 90")
    found = project({"A.java": source})
    made = profile(found.analysis, CHAIN)

    def hinted(settings: Settings) -> list[int]:
        hints = heat_hints(found.analysis, made, "A.java", 0, len(source), settings)
        return [source[: hint.offset].count("\n") + 1 for hint in hints]

    assert hinted(Settings(profile_lenses=False)) == [4, 5, 9, 10]
    assert hinted(Settings(code_lens=False)) == [4, 5, 9, 10]
    assert hinted(Settings()) == [5, 10]


# -- hover -----------------------------------------------------------------------------------------

UNDER = Under(EventKind.CPU, 0.41, {Dependency.BRANCH: 0.11, Dependency.LOOP: 0.30})


def told(*chains: str, **changes: object) -> str:
    """Return the paragraph on the profile at the option's read."""
    at = SOURCE.index('a.jobs"')
    found = project({"A.java": SOURCE[:at] + CURSOR + SOURCE[at:]})
    made = profile(found.analysis, *chains, **changes)  # type: ignore[arg-type]
    result = hover(found.analysis, found.path, found.offset, Settings(), Wording(), made)
    assert result is not None
    return "".join(part for part in result.markdown.split("\n\n") if part.startswith("Profile"))


def test_the_hover_of_a_read_shows_its_share_its_contribution_and_its_values() -> None:
    shown = told(
        CHAIN,
        under={"a.jobs": UNDER},
        values={"a.jobs": Value("8", "4", False)},
        note="Snapshot of 3 days ago, source changed since.",
    )
    assert shown == (
        "Profile: **41 % of CPU time** ran under this option (61 of 150 samples). Likely cause of the slow-down:"
        " all of the added CPU time, 50 samples. Value in this run: `4` (baseline: `8`). Snapshot of 3 days ago,"
        " source changed since."
    )


@pytest.mark.parametrize(
    ("value", "compared", "expected"),
    [
        (Value("8", "4", False), True, "Profile: Value in this run: `4` (baseline: `8`)."),
        (Value("4", "4", True), True, "Profile: Value in this run: `4`, as in the baseline."),
        (Value(None, "4", False), True, "Profile: Value in this run: `4` (baseline: not set)."),
        (Value(None, "4", False), False, "Profile: Value in this run: `4`."),
        (Value(None, None, True), True, "Profile: Not set in either run."),
        (
            Value(None, None, False, True),
            True,
            "Profile: Its value differs between the runs; it is redacted.",
        ),
        (Value(None, None, False, True), False, ""),
        (
            Value("", "a\n`b`", False),
            True,
            'Profile: Value in this run: `` a `b` `` (baseline: `""`).',
        ),
    ],
)
def test_values_of_the_runs(value: Value, compared: bool, expected: str) -> None:
    assert told(values={"a.jobs": value}, compared=compared) == expected


def test_an_option_with_the_same_value_in_both_runs_is_no_cause() -> None:
    shown = told(CHAIN, under={"a.jobs": UNDER}, verdicts={"a.jobs": Verdict.UNCHANGED})
    assert shown == (
        "Profile: **41 % of CPU time** ran under this option (61 of 150 samples). Its value is the same in both"
        " runs, so the slow-down has another cause."
    )


def test_without_measurements_nothing_is_shown() -> None:
    assert told() == ""
    assert told(CHAIN, compared=False) == (
        "Profile: **20 % of CPU time** ran under this option (30 of 150 samples)."
    )


def test_the_hover_of_a_costly_method() -> None:
    source = SOURCE.replace("void encode", f"void enc{CURSOR}ode")
    found = project({"A.java": source})
    made = profile(found.analysis, CHAIN)
    result = hover(found.analysis, found.path, found.offset, Settings(), Wording(), made)
    assert result is not None
    assert found.show(result.place) == "A.java:9:10 encode"
    assert result.markdown.startswith("**`A.encode`** · profile\n\n34 % of CPU time (51 of")
    assert "Likely cause: [`a.jobs`](A.java#L2) (loop)." in result.markdown
    without = hover(found.analysis, found.path, found.offset, Settings(), Wording())
    assert without is None


def test_a_method_without_cost_has_no_hover() -> None:
    source = SOURCE.replace("void cold", f"void co{CURSOR}ld")
    found = project({"A.java": source})
    made = profile(found.analysis, CHAIN)
    assert hover(found.analysis, found.path, found.offset, Settings(), Wording(), made) is None


def test_keys_of_config_files_show_the_same() -> None:
    files = {"A.java": SOURCE, "conf/app.properties": "# a.jobs is below\n\na.jobs=4\nother=1\n"}
    found = project(files).analysis
    made = profile(
        found, CHAIN, under={"a.jobs": UNDER}, values={"a.jobs": Value("8", "4", False)}
    )

    path = "conf/app.properties"
    shown = config_hover(
        found, path, files[path].index("a.jobs=") + 3, Settings(), Wording(), made
    )
    assert shown is not None
    title, _, measured, *_ = shown.markdown.splitlines()
    assert title.startswith("**`a.jobs`**")
    assert measured == (
        "Profile: **41 % of CPU time** ran under this option (61 of 150 samples). Likely cause of the slow-down:"
        " all of the added CPU time, 50 samples. Value in this run: `4` (baseline: `8`)."
    )


def test_a_key_of_a_configuration_file_has_a_lens_on_what_depends_on_it() -> None:
    path, text = "conf/app.properties", "a.jobs=4\nother=1\n"
    found = project({"A.java": SOURCE, path: text}).analysis
    assert config_lenses(found, path, Settings()) == ()
    made = profile(found, CHAIN, under={"a.jobs": UNDER})
    (lens,) = config_lenses(found, path, Settings(), made)
    assert line_of(lens.place, found) == f"{path}:1"
    shown = config_lens_text(found, lens.option, Settings(), made)
    assert shown is not None
    assert shown.title == (
        "41 % of CPU time depends on this (61 of 150 samples) · likely cause of the slow-down · 1 read"
    )
    opened = option_lens_text(made, lens.option)
    assert opened is not None
    assert [one.cause for one in opened.chains] == [0]
    little = Under(EventKind.CPU, 0.04, {Dependency.LOOP: 0.04})
    assert config_lenses(found, path, Settings(), profile(found, under={"a.jobs": little})) == ()
    locks = {"a.jobs": Under(EventKind.LOCK, 0.9, {Dependency.BRANCH: 0.9})}
    assert config_lenses(found, path, Settings(), profile(found, under=locks)) == ()
    same = profile(found, CHAIN, verdicts={"a.jobs": Verdict.UNCHANGED}, under={"a.jobs": UNDER})
    assert config_lenses(found, path, Settings(), same) == ()


# -- chains ----------------------------------------------------------------------------------------


def steps(analysis: Analysis, made: Profile, number: int = 0) -> str:
    found = chain(analysis, made, ("system-property", "a.jobs"), number)
    assert found is not None
    lines = [found.title]
    lines += [f"{line_of(step.place, analysis)} {step_line(step)}" for step in found.steps]
    return "\n".join(line.partition(" //")[0] + _tail(line) for line in lines)


def _tail(line: str) -> str:
    """What stands behind a comment of the toy."""
    _, comment, tail = line.partition(" //")
    return " · " + tail.partition(" · ")[2] if comment else ""


def test_a_chain_goes_from_the_read_to_the_hotspot() -> None:
    found = project({"A.java": SOURCE}).analysis
    assert steps(found, profile(found, CHAIN)) == "\n".join(
        [
            "a.jobs → A.encode by a loop: 30 samples CPU, 10 samples before",
            'A.java:2 read · Integer.getInteger("a.jobs", 4) · A.jobs',
            "A.java:4 decides here · for (int i = 0; i < jobs; i++) · A.run",
            "A.java:5 call · encode(data); · A.run",
            "A.java:10 hotspot · byte[] copy = data.clone(); · A.encode · after 1 call outside the project",
        ]
    )


def test_a_call_at_an_influence_point_is_one() -> None:
    source = SOURCE.replace("// hold a.jobs loop", "").replace(
        "// spent 40", "// hold a.jobs direct"
    )
    found = project({"A.java": source}).analysis
    assert steps(found, profile(found, CHAIN)).splitlines()[2:] == [
        "A.java:5 decides here · encode(data) · A.run",
        "A.java:10 hotspot · byte[] copy = data.clone(); · A.encode · after 1 call outside the project",
    ]


def test_steps_at_the_same_place_are_merged() -> None:
    source = SOURCE.replace("int jobs =", "final int jobs =")
    found = project({"A.java": source}).analysis
    made = profile(found, CHAIN)
    ((cause,),) = [suspect.causes for suspect in made.diagnosis.suspects]
    read, guard = cause.hold.path.steps
    store = Step(read.ref, len(found.program.body(read.ref).code) - 1, StepRole.STORE)
    path = attrs.evolve(cause.hold.path, steps=(read, store, guard))
    longer = attrs.evolve(cause, hold=attrs.evolve(cause.hold, path=path))
    assert chain_steps(found, made, longer) == chain_steps(found, made, cause)


def test_without_lines_a_chain_lists_methods() -> None:
    found = project({"A.java": SOURCE}).analysis
    made = profile(found, "a.jobs: 12 % A.run A.encode", compared=False)
    assert steps(found, made) == "\n".join(
        [
            "a.jobs → A.encode by a loop: 30 samples CPU",
            'A.java:2 read · Integer.getInteger("a.jobs", 4) · A.jobs',
            "A.java:4 decides here · for (int i = 0; i < jobs; i++) · A.run",
            "A.java:9 hotspot · A.encode",
        ]
    )


def test_after_an_edit_a_step_is_its_method() -> None:
    before = project({"A.java": SOURCE}).analysis
    made = profile(before, CHAIN)
    after = project({"A.java": SOURCE.replace("byte[] copy", "cold();\n byte[] copy")}).analysis
    assert steps(after, made).splitlines()[-1] == (
        "A.java:9 hotspot · A.encode · after 1 call outside the project"
    )


def test_a_missing_chain() -> None:
    found = project({"A.java": SOURCE}).analysis
    made = profile(found, CHAIN)
    key = ("system-property", "a.jobs")
    assert chain(found, made, key, 1) is None
    assert chain(found, made, key, -1) is None
    assert chain(found, made, ("system-property", "other"), 0) is None


# -- age -------------------------------------------------------------------------------------------

DAY = 86_400.0


@pytest.mark.parametrize(
    ("taken", "stale", "expected"),
    [
        (0.0, False, ""),
        (0.0, True, "Source changed since the snapshot was imported."),
        (100 * DAY - 3600, False, ""),
        (97 * DAY, False, "Snapshot of 3 days ago."),
        (97 * DAY, True, "Snapshot of 3 days ago, source changed since."),
        (100 * DAY - 7200, True, "Snapshot of 2 h ago, source changed since."),
        (101 * DAY, True, "Snapshot taken just now, source changed since."),
    ],
)
def test_the_age_of_a_snapshot(taken: float, stale: bool, expected: str) -> None:
    assert age_note(taken, stale, 100 * DAY) == expected
