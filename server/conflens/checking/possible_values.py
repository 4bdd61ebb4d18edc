"""What could be written as the value of an option: its default, truth values, its set, classes of the project.

Absent: whether a value is right (``values``), how it is written in a format.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from conflens.base.paths import is_test_path
from conflens.checking.subject import Subject
from conflens.facts.javadoc import javadoc_description
from conflens.facts.model import Modifier
from conflens.options.model import Option, OptionType
from conflens.options.secret_values import is_hidden, is_secret_option
from conflens.program.program import Program

_MOST = 60


@attrs.frozen
class Choice:
    """A value.  ``detail`` is a word or two; ``documentation`` a sentence of Markdown, perhaps empty."""

    text: str
    detail: str = ""
    documentation: str = ""


def value_choices(subject: Subject, option: Option) -> tuple[Choice, ...]:
    """Return the values to offer for an option, the default first; none for a secret."""
    if is_secret_option(option):
        return ()
    docs = _docs(subject.program, option) if option.type is OptionType.MODE else {}
    found: dict[str, Choice] = {}
    for text in _defaults(option):
        found.setdefault(text, Choice(text, "default", docs.get(text.lower(), "")))
    for choice in _possible(subject, option, docs):
        found.setdefault(choice.text, choice)
    return tuple(found.values())[:_MOST]


def spelled(option: Option) -> tuple[str, ...]:
    """Return the values of a mode as a person writes them: small, where case does not count and the default is not large."""
    values = option.values
    if not option.limits.ignores_case or not all(value.isupper() for value in values):
        return values
    if any(default.text in values for default in option.defaults):
        return values
    joint = "-" if option.limits.joints else "_"
    return tuple(value.lower().replace("_", joint) for value in values)


def _defaults(option: Option) -> Iterator[str]:
    for default in option.defaults:
        text = default.text.strip()
        if is_hidden(option, text):
            continue
        if text and "\n" not in text and text[0] not in "(<[":
            yield text


def _possible(subject: Subject, option: Option, docs: Mapping[str, str]) -> Iterator[Choice]:
    match option.type:
        case OptionType.BOOLEAN:
            yield Choice("true")
            yield Choice("false")
        case OptionType.MODE:
            for value in spelled(option):
                yield Choice(value, "", docs.get(value.lower(), ""))
        case OptionType.CLASS if option.limits.supertype:
            yield from _classes(subject.program, option.limits.supertype)
        case _:
            return


def _classes(program: Program, supertype: str) -> Iterator[Choice]:
    simple = supertype.rpartition(".")[2]
    named = sorted(set(program.all_subtypes(supertype)) | {supertype})
    for name in named:
        info = program.type(name)
        if info is None or not info.decl.name or info.decl.kind not in ("class", "record", "enum"):
            continue
        if info.decl.modifiers & Modifier.ABSTRACT or info.decl.member >= 0:
            continue
        if is_test_path(info.path):
            continue
        facts = program.files[info.path]
        binary = f"{facts.package}." if facts.package else ""
        inner = name.removeprefix(binary).replace(".", "$")
        detail = simple if name == supertype else f"a {simple}"
        yield Choice(f"{binary}{inner}", detail)


def _docs(program: Program, option: Option) -> Mapping[str, str]:
    """Return what comments say of the constants of the enum that has exactly the option's values, in lower case."""
    wanted = set(option.values)
    for info in program.types():
        if info.decl.kind != "enum":
            continue
        constants = {
            name: ref
            for name, ref in program.own_fields(info.name).items()
            if program.member(ref).kind == "enum_constant"
        }
        if constants.keys() == wanted:
            docs = program.files[info.path].docs
            return {
                name.lower(): javadoc_description(docs[ref.number])
                for name, ref in constants.items()
                if ref.number in docs
            }
    return {}
