"""What a person does not want to hear of: comments, rules of the workspace file, baselines."""

from __future__ import annotations

import attrs
import pytest

from conflens.base.span import Place
from conflens.checking.baseline import Baseline, BaselineError, decode, encode
from conflens.checking.results import Code, Reason, Severity
from conflens.checking.results import Finding as Found
from conflens.checking.suppression import (
    NO_POLICY,
    Policy,
    Rule,
    identity_of,
    mark,
    reasons,
    rules_of,
)
from conflens.documents.configfiles.toml.places import toml_places
from conflens.models.workspace import parse_workspace

CODE = Code.UNKNOWN_OPTION
VALUE = Code.INVALID_VALUE


def finding(text: str, at: str = "HERE", path: str = "a.yaml", **more: object) -> Found:
    start = len(text[: text.index(at)].encode())
    made = Found(CODE, Place(path, start, start + len(at.encode())), f"{at} is no option.", at)
    return attrs.evolve(made, **more)


def why(text: str, path: str = "a.yaml", policy: Policy = NO_POLICY, **more: object) -> object:
    return reasons([finding(text, path=path, **more)], text.encode(), policy)[0]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.java", 'f("HERE"); // conflens: ignore unknown-option\n'),
        ("A.java", "// conflens: ignore unknown-option\nHERE\n"),
        ("A.java", "/* conflens: ignore unknown-option */ HERE\n"),
        ("A.java", "x();\n  /* conflens: ignore unknown-option */  \r\nHERE\n"),
        ("A.java", "// conflens: ignore\nHERE\n"),
        ("A.java", "//conflens:ignore\nHERE\n"),
        ("A.java", "// conflens: ignore[unknown-option]\nHERE\n"),
        ("A.java", "// conflens: ignore[dead-option, unknown-option] as agreed\nHERE\n"),
        ("A.java", "// conflens: ignore dead-option, unknown-option -- as agreed\nHERE\n"),
        ("A.java", "// conflens: ignore dead-option unknown-option (as agreed)\nHERE\n"),
        ("A.java", "// conflens: ignore -- all of it\nHERE\n"),
        ("A.java", "// conflens: ignore unknown-option\n// conflens: ignore dead-option\nHERE\n"),
        ("a.yaml", "HERE: 1 # conflens: ignore unknown-option\n"),
        ("a.yaml", "größe: 1\n# conflens: ignore unknown-option\nHERE: 1\n"),
        ("a.yaml", "a: 1\r# conflens: ignore unknown-option\rHERE: 1\r"),
        ("a.properties", "! conflens: ignore unknown-option\nHERE=1\n"),
        ("a.properties", "# conflens: ignore unknown-option\nHERE=1\n"),
        ("a.ini", "; conflens: ignore unknown-option\nHERE=1\n"),
        ("a.xml", "<name>HERE</name> <!-- conflens: ignore unknown-option -->\n"),
        ("a.xml", "<!-- conflens: ignore unknown-option -->\n<name>HERE</name>\n"),
        ("a.md", "| `HERE` | <!-- conflens: ignore unknown-option -->\n"),
        ("a.rst", ".. conflens: ignore unknown-option\nHERE\n"),
        ("a.bat", "REM conflens: ignore unknown-option\nset HERE=1\n"),
        ("a.yaml", "# conflens: ignore-file\n\n\nHERE: 1\n"),
        ("a.yaml", "a: 1 # conflens: ignore-file unknown-option\n\n\nHERE: 1\n"),
        ("a.yaml", "\n" * 19 + "# conflens: ignore-file\n\n\nHERE: 1\n"),
    ],
)
def test_a_comment_suppresses(path: str, text: str) -> None:
    assert why(text, path) is Reason.COMMENT


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.java", "HERE // conflens: ignore dead-option\n"),
        ("A.java", "HERE // conflens: ignore unknwon-option\n"),
        ("A.java", "HERE // conflens: ignore because it is so\n"),
        ("A.java", "HERE // conflens: ignore[]\n"),
        ("A.java", "HERE // conflens: ignored\n"),
        ("A.java", "HERE // conflens: ignore-files\n"),
        ("A.java", "HERE // Conflens: ignore\n"),
        ("A.java", "HERE conflens: ignore\n"),
        ("A.java", "x(); // conflens: ignore\nHERE\n"),  # that is about its own line
        ("A.java", "// conflens: ignore\n\nHERE\n"),
        ("A.java", "HERE\n// conflens: ignore\n"),
        ("A.java", "/* conflens: ignore */ x();\nHERE\n"),
        ("a.properties", "HERE=1 # conflens: ignore\n"),  # the value of the key
        ("a.yaml", "HERE: a#conflens: ignore\n"),  # no comment in YAML
        ("a.yaml", "\n" * 20 + "# conflens: ignore-file\n\n\nHERE: 1\n"),
        ("a.yaml", "conflens: ignore-file\nHERE: 1\n"),
    ],
)
def test_other_comments_suppress_nothing(path: str, text: str) -> None:
    assert why(text, path) is None


def test_the_offered_comment_suppresses() -> None:
    assert why(f"# {mark(CODE)}\nHERE: 1\n") is Reason.COMMENT


def test_without_source_text_no_comment_applies() -> None:
    assert reasons([finding("HERE")], None, NO_POLICY) == [None]
    assert reasons([], b"", NO_POLICY) == []


def test_an_unknown_option_is_suppressed_by_its_own_name_not_by_the_suggestion() -> None:
    near = (("properties", "a.b"),)
    for glob, expected in (("HERE", Reason.RULE), ("a.b", None)):
        assert why("HERE", policy=Policy((Rule(CODE, glob),)), options=near) is expected


def test_a_hostile_file_is_handled_in_linear_time() -> None:
    text = "# conflens: ignore dead-option " * 100_000 + "HERE"
    assert why(text) is None
    text = "# conflens: ignore dead-option\n" * 100_000 + "HERE"
    assert why(text) is None


@pytest.mark.parametrize(
    ("rule", "names", "expected"),
    [
        (Rule(VALUE), ("a.b",), True),
        (Rule(None, "a.*"), ("a.b",), True),
        (Rule(VALUE, "A.*"), ("a.b",), False),
        (Rule(Code.DEAD_OPTION, "a.*"), ("a.b",), False),
        (Rule(VALUE, "a.*"), ("a.b", "c.d"), False),  # the other one is still to be told
        (Rule(VALUE, "a.*"), ("a.b", "a.c"), True),
    ],
)
def test_a_rule_matches_by_code_and_name(
    rule: Rule, names: tuple[str, ...], expected: bool
) -> None:
    options = tuple(("properties", name) for name in names)
    found = why("HERE", policy=Policy((rule,)), options=options, code=VALUE)
    assert (found is Reason.RULE) is expected


def test_if_no_option_is_known_a_rule_matches_the_name_in_the_file() -> None:
    assert why("HERE", policy=Policy((Rule(CODE, "HE*"),))) is Reason.RULE


def rules(text: str) -> tuple[tuple[Rule, ...], dict[Code, Severity], list[str]]:
    model, problems = parse_workspace("w.toml", text, toml_places)
    found, severities, faults = rules_of(model.checks)
    said = [f"{one.line}:{one.column} {one.message} {one.suggestion}" for one in faults]
    said += [f"{one.line}:{one.column} {one.message} {one.suggestion}" for one in problems]
    return found, dict(severities), said


def test_a_workspace_file_sets_rules_and_severities() -> None:
    text = """\
[check]
ignore = ["dead-option", "unknown-option: legacy.*", "* : x:y"]
severity."invalid-value" = "error"
"""
    found, severities, faults = rules(text)
    assert found == (
        Rule(Code.DEAD_OPTION),
        Rule(Code.UNKNOWN_OPTION, "legacy.*"),
        Rule(None, "x:y"),
    )
    assert severities == {Code.INVALID_VALUE: Severity.ERROR}
    assert faults == []
    assert rules('[check.severity]\ndead-option = "off"\n')[1] == {Code.DEAD_OPTION: Severity.OFF}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            '[check]\nignore = [\n  "dead-option",\n  "unknwon-option: a.*",\n]\n',
            "4:3 [check] ignore: unknown code 'unknwon-option' unknown-option",
        ),
        (
            '[check]\nseverity."deadoption" = "off"',
            "2:1 [check] severity: unknown code 'deadoption' dead-option",
        ),
        (
            '[check.severity]\ndead-option = "eror"',
            "2:1 [check] severity: 'eror' is not one of off, hint, information, warning, error error",
        ),
        ('[check]\nignore = ["*:"]', "2:11 [check] ignore: no name follows '*:' None"),
        (
            "[check]\nseverity.dead-option = 1",
            '2:1 [check] severity."dead-option": expected a text, found 1 None',
        ),
        ('[check]\nignore = "x"', "2:10 [check]: key 'ignore': expected a list, found 'x' None"),
        ("[check]\nignor = []", "2:1 [check]: unknown key 'ignor' ignore"),
        (
            '[check]\nbaseline = "../b.json"',
            "2:12 [check]: key 'baseline': '../b.json' leads out of the project's folder None",
        ),
        ("check = 1", "1:1 write [check], a table [check]"),
    ],
)
def test_errors_in_the_workspace_file_are_reported_with_their_place(text: str, fault: str) -> None:
    found, severities, faults = rules(text)
    assert faults == [fault]
    assert severities == {}
    assert len(found) <= 1


def test_one_bad_entry_does_not_disable_the_others() -> None:
    found, severities, faults = rules(
        '[check]\nignore = ["a", "dead-option"]\nseverity.b = "off"\nseverity.dead-option = "off"\n'
    )
    assert found == (Rule(Code.DEAD_OPTION),)
    assert severities == {Code.DEAD_OPTION: Severity.OFF}
    assert len(faults) == 2


def baseline_of(*found: Found) -> Baseline:
    return decode(encode(map(identity_of, found)))


def test_a_baseline_recognizes_moved_findings() -> None:
    known = baseline_of(finding("HERE: 1"))
    policy = Policy(baseline=known)
    assert why("a: 1\n\nHERE: 2", policy=policy) is Reason.BASELINE
    assert why("HERE: 1", policy=policy, name="other") is None
    assert why("HERE: 1", "b.yaml", policy=policy) is None
    assert why("HERE: 1", policy=policy, code=Code.DEAD_OPTION) is None
    assert why("HERE: 1", policy=policy, message="HERE is something else.") is None


def test_line_numbers_and_amounts_in_messages_do_not_count() -> None:
    said = "HERE is overridden in line 12 (conf/a.yaml:12), and 3 more."
    known = baseline_of(finding("HERE", message=said))
    later = said.replace("12", "140").replace("3 more", "4 more")
    assert why("HERE", policy=Policy(baseline=known), message=later) is Reason.BASELINE
    other = said.replace("overridden", "hidden")
    assert why("HERE", policy=Policy(baseline=known), message=other) is None


def test_the_performance_impact_in_a_message_does_not_count() -> None:
    of = {"code": Code.SENSITIVE_UNDOCUMENTED}
    known = baseline_of(finding("HERE", message="documented nowhere, but sensitive (61 %)", **of))
    policy = Policy(baseline=known)
    assert why("HERE", policy=policy, message="but sensitive (70 %)", **of) is Reason.BASELINE


def test_a_baseline_counts_equal_findings() -> None:
    text = "HERE: 1\nHERE: 2\nHERE: 3\n"
    one = finding(text)
    found = [attrs.evolve(one, place=Place("a.yaml", 8 * n, 8 * n + 4)) for n in range(3)]
    known = baseline_of(*found[:2])
    assert reasons(found, text.encode(), Policy(baseline=known)) == [
        Reason.BASELINE,
        Reason.BASELINE,
        None,
    ]


def test_findings_suppressed_otherwise_do_not_use_up_the_baseline() -> None:
    text = "HERE: 1 # conflens: ignore\nHERE: 2\n"
    one = finding(text)
    found = [one, attrs.evolve(one, place=Place("a.yaml", 27, 31))]
    policy = Policy(baseline=baseline_of(one))
    assert reasons(found, text.encode(), policy) == [Reason.COMMENT, Reason.BASELINE]


def test_a_stored_baseline_is_sorted_and_holds_any_name() -> None:
    odd = finding("HERE", path="b\udcff.yaml", name="a\nb")
    found = [finding("HERE"), odd, finding("HERE")]
    data = encode(map(identity_of, found))
    assert data == encode(map(identity_of, reversed(found)))
    assert data.count(b'"count": 2') == 1
    assert data.endswith(b"}\n")
    assert why("HERE", "b\udcff.yaml", Policy(baseline=decode(data)), name="a\nb")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"schema": "conflens-baseline/1"}',
        b'{"schema": "conflens/1", "findings": []}',
        b'{"schema": "conflens-baseline/1", "findings": [1]}',
        b'{"schema": "conflens-baseline/1", "findings": [{"code": "a"}]}',
        b'{"schema": "conflens-baseline/1", "findings": [], "more": 1}',
        b'{"schema": "conflens-baseline/1", "findings": [{"code": "a", "path": "b", "name": "c", "message": "", "count": 0}]}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_baseline_is_rejected_with_a_one_line_error(data: bytes) -> None:
    with pytest.raises(BaselineError) as caught:
        decode(data)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("is not a baseline: ")


@pytest.mark.parametrize(
    "glob",
    [
        "a.b",
        "a.*",
        "*.b",
        "a*b",
        "*",
        "?.b",
        "[a].b",
        "a.[!c]",
        "a.b*",
        "*a.b",
        "a.[bc]",
        "x.*",
        "*.c",
        "a.",
        "a.[",
        "]",
        "a.]",
    ],
)
def test_a_rule_is_found_wherever_its_wildcards_stand(glob: str) -> None:
    for names in (("a.b",), ("a.b", "a.c"), ("a.]",), ("a.[",), ("]",)):
        policy = Policy((Rule(VALUE, glob), Rule(CODE, "none")))
        assert policy.ignores(VALUE, names) is Rule(VALUE, glob).fits(VALUE, names)


def test_a_finding_is_compared_with_the_rules_that_may_fit_it(monkeypatch) -> None:
    compared = 0
    fits = Rule.fits

    def counted(self: Rule, code: Code, names: tuple[str, ...]) -> bool:
        nonlocal compared
        compared += 1
        return fits(self, code, names)

    monkeypatch.setattr(Rule, "fits", counted)
    globs = [*(f"x{n}.*" for n in range(5000)), *(f"*.y{n}" for n in range(5000))]
    policy = Policy(tuple(Rule(None, glob) for glob in (*globs, "plain.name")))
    for number in range(200):
        assert policy.ignores(CODE, (f"x{number}.z",))
        assert policy.ignores(CODE, (f"z.y{number}",))
        assert not policy.ignores(CODE, (f"z.z{number}",))
    assert compared <= 1000


def test_rules_that_begin_alike_are_bounded() -> None:
    listed = ", ".join(f'"*: *x{n}*"' for n in range(1200))
    workspace, _ = parse_workspace(".conflens.toml", f"[check]\nignore = [{listed}]\n")
    rules, _, faults = rules_of(workspace.checks)
    assert len(rules) == 1000
    assert len(faults) == 1
    assert "more than 1000 patterns" in faults[0].message
