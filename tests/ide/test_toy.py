"""The toy gives what discovery gives: its options are those of the real analysis, place by place."""

from __future__ import annotations

import attrs
import pytest

from conflens.base.system import MemorySystem
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.options.model import Default, Limits, Option, OptionType
from conflens.session.options import SessionOptions
from conflens.session.session import Session
from ide.toy import project

KEYS = """
class Keys {
    /** How long a client waits. */
    static final String TIMEOUT = "net.timeout";
    static final int TIMEOUT_DEFAULT = 30;
}
"""


@pytest.mark.parametrize(
    "files",
    [
        {"A.java": 'class A { int a = Integer.getInteger("a.b", 3); }'},
        {"A.java": 'class A {\n  void a() {\n    System.getProperty("x.y");\n  }\n}\n'},
        {"A.java": 'class A { void a() { if (Boolean.getBoolean("x.on")) a(); } }'},
        {
            "Keys.java": KEYS,
            "A.java": "class A { int t = Integer.getInteger(Keys.TIMEOUT, 5); }",
            "B.java": 'class B { int t = Integer.getInteger("net.timeout", 5); }',
        },
    ],
)
def test_an_option_of_the_toy_is_the_real_one(files: dict[str, str]) -> None:
    toy = project(files).analysis.options.options
    system = MemorySystem(files)
    session = Session(
        system, load_models(), jdk.packaged(), SessionOptions(cache=False, workers=0)
    )
    assert [shape(option) for option in toy] == [
        shape(option) for option in session.rebuild().options.options
    ]


def shape(option: Option) -> Option:
    """The option without what is inferred or implied, which the toy does not imitate."""

    def stated(default: Default | None) -> Default | None:
        return None if default is None or default.implied else default

    reads = (
        attrs.evolve(
            read,
            method="",
            accepts="",
            default=(default := stated(read.default)),
            shows_default=read.shows_default or default is None,
        )
        for read in option.reads
    )
    return attrs.evolve(
        option,
        type=OptionType.UNKNOWN,
        why="",
        unit="",
        values=(),
        limits=Limits(),
        adjusted=(),
        held=(),
        description="",
        defaults=tuple(filter(stated, option.defaults)),
        reads=tuple(reads),
    )
