"""An ``Analysis`` made by hand, so that formats are tested without what finds options."""

from pathlib import Path
from typing import Any

import attrs

from conflens.base.span import Place
from conflens.documents import DocumentIndex, harvest
from conflens.facts.lower import lower
from conflens.models import jdk
from conflens.options.model import (
    Declaration,
    Default,
    Option,
    OptionTable,
    OptionType,
    Read,
    ReadKind,
    Unresolved,
)
from conflens.program.program import Program
from conflens.session.analysis import Analysis, LeftOut, Problem, Stats

HOUSE = Path(__file__).resolve().parents[2]
DEMO = HOUSE / "tests" / "fixtures" / "demo-project"

PATH = "src/Größe.java"
SOURCE = """class Größe {
    static final String POOL = "pool.size";
    int a = Integer.getInteger(POOL, 4);
    /* 😀 */ int b = Integer.getInteger("pool.size", 8);
    int c = Integer.getInteger("pool.wait", 100);
    String d = System.getProperty("pool.quiet");
    String e(String name) { return System.getProperty(name); }
    int broken = ;
}
"""
DOCUMENTS = {"docs/options.md": "| option | default |\n| --- | --- |\n| `pool.wait` | `100` |\n"}


def place(text: str, after: int = 0) -> Place:
    """The place of ``text`` in ``SOURCE``, in bytes."""
    data = SOURCE.encode()
    start = data.index(text.encode(), after)
    return Place(PATH, start, start + len(text.encode()))


def read(call: str, name: str, default: str | None, *, unused: bool = False) -> Read:
    at = place(call)
    named = place(name, at.start)
    given = Default(default, place(default, named.end)) if default is not None else None
    return Read(
        at,
        named,
        at.end,
        ReadKind.CALL,
        "Größe.x",
        "Integer.getInteger",
        given,
        True,
        True,
        unused,
    )


def option(name: str, *reads: Read, **more: Any) -> Option:
    defaults = tuple(item.default for item in reads if item.default is not None)
    made = Option(
        name=name,
        domain="system-property",
        type=OptionType.INTEGER,
        why="Integer.getInteger",
        values=(),
        unit="",
        defaults=defaults,
        conflict=len({item.text for item in defaults}) > 1,
        description="",
        declarations=(),
        reads=reads,
    )
    return attrs.evolve(made, **more)


@attrs.frozen
class Texts:
    """The one source text, and nothing else."""

    def text(self, path: str) -> bytes | None:
        return SOURCE.encode() if path == PATH else None


def analysis() -> Analysis:
    """Two reads of one option with different defaults, a documented option, an unused one."""
    pool = option(
        "pool.size",
        read("Integer.getInteger(POOL, 4)", "POOL", "4"),
        read('Integer.getInteger("pool.size", 8)', '"pool.size"', "8"),
        declarations=(Declaration(place("POOL"), place("POOL"), "constant", "Größe.POOL"),),
    )
    wait = option(
        "pool.wait",
        read('Integer.getInteger("pool.wait", 100)', '"pool.wait"', "100"),
        type=OptionType.TIME,
        unit="ms",
    )
    quiet = option(
        "pool.quiet",
        read('System.getProperty("pool.quiet")', '"pool.quiet"', None, unused=True),
        type=OptionType.UNKNOWN,
    )
    dynamic = Unresolved(
        place("System.getProperty(name)"),
        "Größe.e",
        "System.getProperty",
        "system-property",
        "the name is a parameter that no caller fixes",
    )
    return Analysis(
        revision=1,
        complete=True,
        program=Program.build({PATH: lower(SOURCE.encode())}, jdk.packaged()),
        options=OptionTable.of([pool, wait, quiet], [dynamic]),
        documents=DocumentIndex.build(
            {path: harvest(path, text) for path, text in DOCUMENTS.items()}
        ),
        left_out=(LeftOut("src/gen/Parser.java", "generated"),),
        problems=(Problem(".conflens.toml", 3, 1, "workspace", "unknown key `nmae`"),),
        stats=Stats(files=1, lines=9, seconds=0.5, peak_mb=80.25, cached_files=0),
        texts=Texts(),
    )
