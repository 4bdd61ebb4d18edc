"""Texts with holes: what is done to a hole is done to what fills it."""

from conflens.program.templates import (
    MOST,
    MOST_TURNS,
    UNKNOWN,
    Dynamic,
    Param,
    Part,
    Templates,
    Turn,
    substitute,
    turned,
)

LOWER = Turn("lower")
DOTS = Turn("replace", "_", ".")


def test_what_is_done_to_a_hole_is_done_to_what_fills_it() -> None:
    templates = turned(turned((("A_", Param(0)),), LOWER), DOTS)

    def fill(part: Part) -> Templates:
        assert part == Param(0)
        return (("MAX_SIZE",), ("Mode",))

    assert substitute(templates, fill) == (("a.max.size",), ("a.mode",))


def test_a_hole_that_is_filled_with_a_hole_keeps_what_is_done_to_it() -> None:
    templates = turned(((Param(0),),), LOWER)
    assert substitute(templates, lambda part: ((part,),)) == templates
    inner = turned(((Param(1),),), DOTS)
    both = substitute(templates, lambda _part: inner)
    assert substitute(both, lambda _part: (("A_B",),)) == (("a.b",),)


def test_what_is_unknown_stays_so() -> None:
    assert turned(UNKNOWN, LOWER) == UNKNOWN


def test_only_so_much_is_done_to_a_hole() -> None:
    templates: Templates = ((Param(0),),)
    for _ in range(MOST_TURNS + 1):
        templates = turned(templates, DOTS)
    assert isinstance(templates[0][0], Dynamic)


def test_no_more_is_filled_than_is_kept() -> None:
    asked: list[Part] = []

    def fill(part: Part) -> Templates:
        asked.append(part)
        return (("a",),)

    many: Templates = tuple((Param(0), f".k{number}") for number in range(MOST + 10))
    assert substitute(many, fill) == tuple((f"a.k{number}",) for number in range(MOST))
    assert len(asked) == MOST
