"""What is said of numbers outside of bounds in small programs, for tests."""

from __future__ import annotations

from conflens.options.discovery import discover
from conflens.options.model import Option, OptionTable
from options.bound_support import models, program


def table(*sources: str) -> OptionTable:
    return discover(program(*sources), models()).table


def named(found: OptionTable, name: str = "pool.size") -> Option:
    return next(option for option in found.options if option.name == name)


def said(option: Option) -> set[tuple[str, str, str, str]]:
    return {
        (
            one.bound + ("=" if one.strict else ""),
            one.name or f"{one.value:g}",
            one.effect.value,
            one.to,
        )
        for one in option.adjusted
    }


def body(code: str, more: str = "") -> Option:
    source = (
        f"class T {{ {more} void run(int other) throws Exception {{ {'' if 'getInteger' in code else READ} {code} }}"
        ' void use(Object n) { System.setProperty("x", n.toString()); } }'
    )
    return named(table(source))


READ = 'int n = Integer.getInteger("pool.size", 50);'
THROW = "throw new IllegalArgumentException();"
