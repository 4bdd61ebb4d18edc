"""Published configuration metadata as truth: the comparison itself, and one drawn artifact."""

import pytest

from corpus.metadata.score import (
    MISSING,
    RIGHT,
    UNSTATED,
    WRONG,
    canonical,
    default_verdict,
    lot,
    score,
    type_verdict,
)


@pytest.mark.parametrize(
    ("stated", "reported", "verdict"),
    [
        ("5s", ["5s"], RIGHT),
        ("60s", ["1m"], RIGHT),
        ("PT1M", ["1m"], RIGHT),
        ("5s", ["5"], RIGHT),
        ("5s", ["6s"], WRONG),
        ("64MB", ["67108864B"], RIGHT),
        ("always", ["ALWAYS"], RIGHT),
        ("on-error", ["ON_ERROR"], RIGHT),
        ("a,b", ["a, b"], RIGHT),
        ("x", [], MISSING),
        ("x", ["y"], WRONG),
        (None, ["y"], UNSTATED),
    ],
)
def test_defaults_are_compared_as_values(
    stated: str | None, reported: list[str], verdict: str
) -> None:
    assert default_verdict(stated, reported) == verdict


@pytest.mark.parametrize(
    ("declared", "reported", "verdict"),
    [
        ("java.lang.String", "string", RIGHT),
        ("java.lang.String", "uri", RIGHT),
        ("java.lang.String", "integer", WRONG),
        ("java.lang.String", "unknown", MISSING),
        ("java.lang.Integer", "port", RIGHT),
        ("java.lang.Boolean", "integer", WRONG),
        ("java.util.List<java.lang.String>", "list", RIGHT),
        ("java.util.Map<java.lang.String,java.lang.Integer>", "list", RIGHT),
        ("com.example.Level", "mode", RIGHT),
        ("com.example.Level", "boolean", WRONG),
        ("", "integer", RIGHT),
    ],
)
def test_a_narrower_type_is_right(declared: str, reported: str, verdict: str) -> None:
    assert type_verdict(declared, reported) == verdict


def test_spellings_and_lots() -> None:
    assert canonical("a.bC-d_e[0].f") == "a.bcde.*.f"
    assert lot(1) == lot(1) != lot(2)


@pytest.mark.corpus
def test_one_artifact() -> None:
    """The goals hold on an artifact of the first lot; ``score`` prints the others."""
    result = score("org.springframework.boot:spring-boot-devtools:3.2.5")
    assert result is not None
    verdicts = result.verdicts
    assert len(verdicts) >= 10
    assert all(verdict.option is not None for verdict in verdicts)
    assert {verdict.type for verdict in verdicts} == {RIGHT}
    assert {verdict.default for verdict in verdicts} <= {RIGHT, UNSTATED}
