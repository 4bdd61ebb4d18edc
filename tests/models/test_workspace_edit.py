"""Verdicts written into the text of a workspace file: what changes, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.models.workspace import parse_workspace
from conflens.models.workspace_edit import MAX_EDITED, WorkspaceText, applied

NOTE = "set in the editor"
OTHERS = """\
# the pool
[[read]]
call = "org.example.Settings.lookup"   # ours
name = 0

[verdict."pool.size"]  # by hand
# twice measured
sensitive = false   # really
reason = "measured 2026-03, \\"no\\" effect"
# end of it

[exclude]
paths = [
    "**/generated/**",  # not [ours]
]
"""


def put(text: str, option: str, sensitive: bool = True) -> str | None:
    file = WorkspaceText.of(text)
    edits = file.set_verdict(option, sensitive, NOTE) if file is not None else None
    return None if edits is None else applied(text, edits)


def taken(text: str, option: str) -> str | None:
    file = WorkspaceText.of(text)
    edits = file.remove_verdict(option) if file is not None else None
    return None if edits is None else applied(text, edits)


def test_a_first_verdict() -> None:
    table = '[verdict."a.b"]\nsensitive = true\nreason = "set in the editor"\n'
    assert put("", "a.b") == table
    assert put("# ours\n", "a.b") == f"# ours\n\n{table}"
    assert put("# ours", "a.b") == f"# ours\n\n{table}"
    assert put("# ours\n\n", "a.b") == f"# ours\n\n{table}"
    assert put("", "a.b", False) == table.replace("true", "false")


def test_a_new_verdict_follows_the_others() -> None:
    expected = OTHERS.replace(
        "# end of it\n",
        '# end of it\n\n[verdict."a.b"]\nsensitive = true\nreason = "set in the editor"\n',
    )
    assert put(OTHERS, "a.b") == expected
    assert taken(expected, "a.b") == OTHERS


def test_a_comment_above_another_table_stays_there() -> None:
    text = "[verdict.a]\nsensitive = true\n# about files\n[exclude]\n"
    assert put(text, "b") == (
        "[verdict.a]\nsensitive = true\n\n"
        '[verdict."b"]\nsensitive = true\nreason = "set in the editor"\n\n'
        "# about files\n[exclude]\n"
    )


def test_a_verdict_is_changed_in_place_and_its_old_reason_removed() -> None:
    expected = OTHERS.replace("false ", "true ").replace(
        '"measured 2026-03, \\"no\\" effect"', '"set in the editor"'
    )
    assert put(OTHERS, "pool.size") == expected


def test_a_verdict_without_a_reason_gets_none() -> None:
    assert (
        put("[verdict.x]\nsensitive = false # so\n", "x") == "[verdict.x]\nsensitive = true # so\n"
    )


def test_a_verdict_is_removed_with_its_own_lines_only() -> None:
    left = taken(OTHERS, "pool.size")
    assert left is not None
    assert left == OTHERS[: OTHERS.index("[verdict")] + OTHERS[OTHERS.index("# end of it") :]
    assert parse_workspace("", left)[0].verdicts == ()


@pytest.mark.parametrize(
    ("text", "changed", "removed"),
    [
        (
            '[verdict]\n"a.b" = { sensitive = false } # so\nc = { sensitive = true }\n',
            '[verdict]\n"a.b" = { sensitive = true } # so\nc = { sensitive = true }\n',
            "[verdict]\nc = { sensitive = true }\n",
        ),
        (
            'verdict = { "a.b" = { sensitive = false, reason = "x" }, c = { sensitive = true } } # so\n',
            'verdict = { "a.b" = { sensitive = true, reason = "set in the editor" }, c = { sensitive = true } } # so\n',
            "verdict = {  c = { sensitive = true } } # so\n",
        ),
        (
            '[verdict.c]\nsensitive = true\n[exclude]\npaths = []\n[verdict."a.b"]\nsensitive = false\n[check]\n',
            '[verdict.c]\nsensitive = true\n[exclude]\npaths = []\n[verdict."a.b"]\nsensitive = true\n[check]\n',
            "[verdict.c]\nsensitive = true\n[exclude]\npaths = []\n[check]\n",
        ),
        (
            'verdict."a.b".sensitive = false\nverdict.c.sensitive = true\nverdict.\'a.b\'.reason = """\nlong\nago"""\n',
            'verdict."a.b".sensitive = true\nverdict.c.sensitive = true\nverdict.\'a.b\'.reason = "set in the editor"\n',
            "verdict.c.sensitive = true\n",
        ),
        (
            '  [ verdict . "a.b" ]\n  reason = \'x\'\n  sensitive=false\n[exclude]\n',
            '  [ verdict . "a.b" ]\n  reason = "set in the editor"\n  sensitive=true\n[exclude]\n',
            "[exclude]\n",
        ),
    ],
)  # fmt: skip
def test_all_forms_of_a_verdict(text: str, changed: str, removed: str) -> None:
    assert put(text, "a.b") == changed
    assert taken(text, "a.b") == removed


def test_line_ends_and_byte_order_mark_are_kept() -> None:
    text = "\ufeff" + OTHERS.replace("\n", "\r\n")
    for changed in (put(text, "a.b"), put(text, "pool.size"), taken(text, "pool.size")):
        assert changed is not None
        assert changed.startswith("\ufeff# the pool\r\n")
        assert changed.count("\n") == changed.count("\r\n")
    assert taken(put(text, "a.b") or "", "a.b") == text
    only = '\ufeff[verdict."a.b"]\nsensitive = true\n'
    assert taken(only, "a.b") == "\ufeff"
    assert put(only, "a.b", False) == only.replace("true", "false")


@pytest.mark.parametrize(
    "text",
    [
        "this is no TOML",
        "[verdict\n",
        'verdict = { "c" = { sensitive = false } }\n',
        "verdict = 3\n",
        '[verdict."a.b"]\nsensitive = false\nwhy = "unknown key"\n',
        '[verdict.a]\nsensitive = true\n[verdict."a.b".c]\n',
        '[[verdict."a.b"]]\nsensitive = false\n',
        f"# {'x' * (MAX_EDITED + 1)}\n",
    ],
)
def test_an_uncertain_edit_is_refused(text: str) -> None:
    assert put(text, "a.b") is None


def test_nothing_is_removed_if_there_is_nothing_or_no_safe_edit() -> None:
    assert taken("", "a.b") is None
    assert taken(OTHERS, "a.b") is None
    assert taken("no TOML", "a.b") is None
    assert taken('[verdict."a.b"]\nsensitive = true\n[verdict."a.b".c]\n', "a.b") is None


def test_current_verdicts_of_a_file() -> None:
    faulty = '[verdict.a]\nsensitive = "yes"\n[verdict.b]\nsensitive = true\nwhy = ""\n'
    for text in (OTHERS, "", faulty, "verdict = 3\n", "\ufeff" + OTHERS):
        file = WorkspaceText.of(text)
        model, _ = parse_workspace("", text)
        assert file is not None
        assert file.verdicts == {item.option: item.sensitive for item in model.verdicts}
    assert WorkspaceText.of("[") is None


def test_a_name_that_toml_cannot_contain() -> None:
    assert put("", "a\ud800") is None


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(
    NAMES,
    st.booleans(),
    st.sampled_from(["", OTHERS, "\ufeff" + OTHERS, OTHERS.replace("\n", "\r\n")]),
)
def test_a_written_verdict_reads_back_and_can_be_reversed_and_removed(
    option: str, sensitive: bool, text: str
) -> None:
    after = put(text, option, sensitive)
    assert after is not None
    verdict = {item.option: item for item in parse_workspace("", after)[0].verdicts}[option]
    assert (verdict.sensitive, verdict.reason) == (sensitive, NOTE)
    turned = put(after, option, not sensitive)
    assert turned is not None
    verdict = {item.option: item for item in parse_workspace("", turned)[0].verdicts}[option]
    assert verdict.sensitive is not sensitive
    assert taken(after, option) == text
    assert taken(turned, option) == text


FRAGMENTS = st.sampled_from(
    [
        "\n", "\r\n", "# c\n", '[verdict."a.b"]\n', "[verdict]\n", "[exclude]\n", '"a.b".sensitive = true\n',
        "sensitive = true\n", "sensitive = false # why\r\n", 'reason = "[x]"\n', "reason = '''\n[y]\n'''\n",
        'verdict."a.b".sensitive = true\n', '"a.b" = { sensitive = true }\n', "[[read]]\n", "[verdict.c]\n",
        "paths = [ # [\n '#' ]\n", "  ", "reason = \"\"\"\n# no comment\"\"\"", "[", '"',
    ]
)  # fmt: skip


@given(st.lists(FRAGMENTS, max_size=10).map("".join))
def test_no_text_is_damaged(text: str) -> None:
    before, broken = parse_workspace("", text)
    for change, wanted in ((put(text, "a.b"), {"a.b": True}), (taken(text, "a.b"), {})):
        if change is None:
            continue
        after, problems = parse_workspace("", change)
        others = {item.option: item.sensitive for item in before.verdicts if item.option != "a.b"}
        assert {item.option: item.sensitive for item in after.verdicts} == {**others, **wanted}
        assert (after.exclude, after.reads) == (before.exclude, before.reads)
        assert len(problems) <= len(broken)
        assert change.count("# c") == text.count("# c") or wanted == {}


@pytest.mark.parametrize(
    "rest",
    [
        '[[option]]\nname = "b"\n# tail of b\n[verdict.x]\nsensitive = true\n',
        '[check]\nrules = "b"\n[verdict.x]\nsensitive = true',
        '[[read]]\nmethod = "a.B.get"\n\n[verdict."pool.size"]\nsensitive = true\n',
        '[verdict."y"]\nsensitive = true\nreason = """\n[verdict."a.b"]\n"""\n',
    ],
)
def test_a_verdict_that_goes_leaves_the_tables_and_comments_behind_it(rest: str) -> None:
    before = "# ours\n\n"
    verdict = '[verdict."a.b"]\nsensitive = false\n'
    assert (
        taken(f"{before}{verdict}\n# about next\n{rest}", "a.b")
        == f"{before}\n# about next\n{rest}"
    )
    top = f"# top\n{rest.rstrip()}\n\n# mine\n"
    assert taken(f"{top}{verdict}", "a.b") == top
