"""Options that a config file sets although another option, which they need, is not as they need it.

It is said only where that is sure: no file that counts gives the other option another value, none is for a profile, no value has a
placeholder, and the program sets it nowhere; where no file sets it, all reads give one default.  What a file sets to its default is no matter.

Absent: what an option needs (``properties.relations``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.checking import numbers
from conflens.checking.assigned import assigned
from conflens.checking.packaged import packaged_values
from conflens.checking.results import Code, Finding
from conflens.checking.set_by_code import SetBy, Setters
from conflens.checking.subject import Subject
from conflens.flow.results import OptionKey
from conflens.options.model import NUMERIC, Option, OptionType
from conflens.properties.model import Relation, RelationKind

_TRUTHS = {"true": True, "false": False}
_NULL = "null"


def findings(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield the options that one config file sets to no effect."""
    options: dict[OptionKey, Option] | None = None
    for file, assignment, value, found in assigned(subject, path):
        if len(found) != 1 or assignment.condition or _is_default(found[0], value.text):
            continue
        for relation in subject.properties.relations_of(found[0]):
            if relation.kind is not RelationKind.NEEDS:
                continue
            if options is None:
                options = {one.key: one for one in subject.options.options}
            other = options.get(relation.other)
            state = _state(subject, other, relation) if other is not None else None
            if other is None or state is None:
                continue
            message = f"{assignment.name} has no effect here: it is only used if {_needed(relation)}, and {state}."
            yield Finding(
                Code.INEFFECTIVE_OPTION,
                file.place(assignment.value or value),
                message,
                assignment.name,
                (found[0].key, other.key),
                ((relation.place, "It is needed here."),),
            )
            break


def _state(subject: Subject, other: Option, relation: Relation) -> str | None:
    """Return how the option that is needed is not as it has to be, ``None`` if it may be."""
    if Setters(subject.program).of(other) is not SetBy.NOBODY:
        return None
    settings = subject.recognised.settings_of(other)
    texts = {
        assignment.value.text.strip() if assignment.value else "" for _, assignment in settings
    }
    if any(one.condition or one.value is None for _, one in settings):
        return None
    if any(_meets(other, relation, text) is not False for text in texts):
        return None
    if texts:
        return f"that is set to {texts.pop()}" if len(texts) == 1 else None
    if relation.value == _NULL or other.conflict or other.aliases:
        return None
    defaults = {
        one.text
        for one in (*other.defaults, *packaged_values(subject.recognised).get(other.key, ()))
    }
    reads = [read for read in other.program_reads if not read.unused]
    stated = all(read.default is not None for read in reads)
    if len(defaults) != 1 or not reads or not stated:
        return None
    (default,) = defaults
    if _meets(other, relation, default) is not False:
        return None
    return f"that is {default} by default and set nowhere"


def _meets(other: Option, relation: Relation, text: str) -> bool | None:
    """Tell whether a value is as it is needed, ``None`` if that is not known."""
    if relation.value == _NULL:
        return relation.op == "!="
    if other.type is OptionType.BOOLEAN:
        truth, wanted = _TRUTHS.get(text.lower()), _TRUTHS.get(relation.value)
        return (
            None if truth is None or wanted is None else (truth is wanted) == (relation.op == "==")
        )
    number, bound = numbers.plain(text), numbers.plain(relation.value)
    if other.type not in NUMERIC or number is None or bound is None:
        return None
    return {
        "==": number == bound,
        "!=": number != bound,
        "<": number < bound,
        "<=": number <= bound,
        ">": number > bound,
        ">=": number >= bound,
    }[relation.op]


def _is_default(option: Option, text: str) -> bool:
    """Tell whether a value is what the option is anyhow."""
    return text.strip() in {one.text for one in option.defaults}


def _needed(relation: Relation) -> str:
    name = relation.other[1]
    if relation.value == _NULL:
        return f"{name} is {'not ' if relation.op == '==' else ''}set"
    words = {
        "==": "",
        "!=": "not ",
        ">": "above ",
        ">=": "at least ",
        "<": "below ",
        "<=": "at most ",
    }
    return f"{name} is {words[relation.op]}{relation.value}"
