"""Methods that an object hands to its own parts without a cycle of references, which only the collector would free."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import WeakMethod

P = ParamSpec("P")
T = TypeVar("T")


def weakly(method: Callable[P, T]) -> Callable[P, T]:
    """Return what calls a bound method as long as its object is there.  The call raises ``ReferenceError`` afterwards."""
    kept = WeakMethod(method)

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        bound = kept()
        if bound is None:
            raise ReferenceError("the object of this method is gone")
        return bound(*args, **kwargs)

    return call
