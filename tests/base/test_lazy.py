"""Sequences whose items are made when somebody looks."""

from __future__ import annotations

from typing_extensions import override

from conflens.base.lazy import LazySequence


class Counted(LazySequence[int]):
    def __init__(self, source: list[int]) -> None:
        super().__init__()
        self.source: list[int] | None = source
        self.rounds = 0
        self.other: Counted | None = None

    @override
    def make(self) -> tuple[int, ...]:
        self.rounds += 1
        if self.source is None:
            return self._made or ()
        found = tuple(self.source)
        if self.other is not None:
            # Another thread looks meanwhile, and is done first.
            other, self.other = self.other, None
            assert other.all() == found
        return found

    @override
    def release(self) -> None:
        self.source = None


def test_items_are_made_once_and_what_they_were_made_from_is_let_go() -> None:
    lazy = Counted([1, 2, 3])
    assert lazy.rounds == 0
    assert list(lazy) == [1, 2, 3]
    assert len(lazy) == 3
    assert lazy[1] == 2
    assert lazy[1:] == (2, 3)
    assert lazy.rounds == 1
    assert lazy.source is None


def test_two_readers_at_once_get_the_same_items() -> None:
    lazy = Counted([1, 2])
    lazy.other = lazy
    assert lazy.all() == (1, 2)
    assert lazy.all() is lazy.all()
    assert lazy.make() == (1, 2)


def test_equal_to_any_sequence_of_the_same_items() -> None:
    assert Counted([1, 2]) == (1, 2)
    assert Counted([1, 2]) == Counted([1, 2])
    assert Counted([1, 2]) != [2, 1]
    assert hash(Counted([1, 2])) == hash((1, 2))
    assert repr(Counted([1])) == "(1,)"
