"""How many keys are written at one place of a YAML file, for a list to choose from.

The same answers as ``yaml_write.key_text``, but what stands in the file is taken from ``assignments``, which may be those of
its text some key strokes ago: reading thousands of lines once for each of hundreds of names would take seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from conflens.documents.configfiles.model import Assignment, Context
from conflens.documents.configfiles.neighbours import line_start, newline_of
from conflens.documents.configfiles.yaml.write import (
    flat,
    key_text,
    levels_of,
    nested,
    width_of,
    written,
)


def key_texts(
    text: str, context: Context, names: Iterable[str], assignments: Sequence[Assignment]
) -> Iterator[str | None]:
    """Yield what to put in place of a context's range for each name; offsets of ``assignments`` are not looked at."""
    around = ".".join(context.parents)
    start = line_start(text, context.start)
    before = text[start : context.start]
    dotted = flat(assignments)
    mixed = _mixed(context, assignments)
    there = _first_levels(assignments, context, around, text[context.start : context.end])
    width, newline = width_of(text), newline_of(text)
    for name in names:
        rest = name[len(around) :].removeprefix(".") if around else name
        levels = levels_of(rest)
        if len(levels) < 2 or "[" in rest:
            yield key_text(text, context, name)
        elif before.strip(" -"):
            yield None
        else:
            colon = "" if context.follows else ": "
            again = levels[0] in there
            if dotted or (again and mixed):
                yield written(rest) + colon
            elif again:
                yield None
            else:
                lines = nested(levels, len(before), width, "")
                yield newline.join(lines)[len(before) :].removesuffix(":") + colon


def barred(typed: str, context: Context, assignments: Sequence[Assignment]) -> frozenset[str]:
    """Return the sections that ``key_texts`` would not begin: the file has them elsewhere and writes no whole names."""
    if _mixed(context, assignments) or flat(assignments):
        return frozenset()
    return _first_levels(assignments, context, ".".join(context.parents), typed)


def _mixed(context: Context, assignments: Sequence[Assignment]) -> bool:
    """Whether a person writes several levels as one key."""
    return "." in context.prefix or any("." in one.key.text for one in assignments)


def _first_levels(
    assignments: Sequence[Assignment], context: Context, around: str, typed: str
) -> frozenset[str]:
    """The keys that stand directly below the sections around a context, but for the one that is being written."""
    depth = len(around) + 1 if around else 0
    names = {
        one.name
        for one in assignments
        if one.document == context.document and (not around or one.name.startswith(f"{around}."))
    }
    own = f"{around}.{typed}" if around else typed
    levels = {name[depth:].partition(".")[0] for name in names if name != own}
    return frozenset(level.partition("[")[0] for level in levels)
