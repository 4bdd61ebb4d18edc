"""Wrappers of one method are joined, up to a bound on their names."""

from __future__ import annotations

from conflens.options.reads.wrappers import fresh
from conflens.options.sites import NO_HINT, Api
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Templates

REF = MemberRef("A.java", 0, "A")


def api(*names: str) -> Api:
    templates: Templates = tuple((Param(0), name) for name in names)
    return Api(REF, "system-property", "A.all", templates, None, NO_HINT, False, 1)


def test_names_of_one_method_are_joined_and_known_ones_left_out() -> None:
    (joined,) = fresh([api(".a")], [api(".a", ".b"), api(".b"), api(".c")])
    assert joined.names == ((Param(0), ".b"), (Param(0), ".c"))


def test_a_method_has_a_bounded_number_of_names() -> None:
    (joined,) = fresh([], [api(f".k{number}") for number in range(1_000)])
    assert 8 < len(joined.names) < 100
    assert fresh([joined], [api(".more")]) == []
