"""Values in config files that the code which reads them cannot take: of another type, out of range, none of a set.

Only what surely goes wrong is a warning.  What texts a read takes (``Limits.accepts``), what it rejects (``Limits``) and which values
there are (``Limits.closed``) come from code; without that, a value is judged only where no code could take it, and a word in
place of a number or a boolean gets a hint.  A value with
a placeholder, an empty one and a secret are never judged.  Where code does not tell which values there are, a list that
documents state may (``stated_values``); that gives a hint.  A key that may be several options is judged wrong only
where it is wrong for each; a pattern that covers the name of an option says nothing against that option, and one with an
open end nothing at all.
Absent: which option a key is (``recognition``), keys (``keys``), what else could be written (``choices``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

import attrs

from conflens.base.prose import shorten
from conflens.base.span import Place
from conflens.checking import adjusted_values, class_names, numbers, stated_values
from conflens.checking.assigned import assigned
from conflens.checking.possible_values import Choice, spelled, value_choices
from conflens.checking.results import SEVERITIES, Code, Edit, Finding, Fix, Severity
from conflens.checking.subject import Subject
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Value
from conflens.documents.configfiles.parsing import value_text
from conflens.models.words import Syntax
from conflens.options import amounts
from conflens.options.inference.evidence import PRESENCE
from conflens.options.limits import allows
from conflens.options.model import NUMERIC, Limits, Option, OptionType
from conflens.options.names.spelling import MOST, edit_distance, likeness, squashed, words_of
from conflens.options.secret_values import is_hidden, may_hold_secret

__all__ = ["Choice", "findings", "judged", "value_choices"]

_PLACEHOLDER = re.compile(
    r"\$[({\w]|#\{|@[\w.\-]+@|%[({]?\w+[)}]?%|\{\{|<[^<>]+>|%[A-Za-z]|\$$|`[^`]+`"
    r"|(?<!\\[pPx])\{[A-Za-z_][\w.:/ -]*\}|\[\[\w|\(\(\w"
    r"|(?P<mark>[#^~!|&][\W_]{0,3})\w[\w.\-]*(?P=mark)"
)
"""What a program or a build fills in; some programs have marks of their own (``^_^port^_^``, ``env{PORT}``)."""
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)+")
"""The name of an environment variable, which some readers put in its place."""
_YES = frozenset({"yes", "on", "1", "y", "t", "enabled", "enable"})
_NO = frozenset({"no", "off", "0", "n", "f", "disabled", "disable"})
_AMOUNTS: Mapping[str, str] = {
    "iso-duration": "a duration as ISO 8601 writes it, such as PT30S",
    "unit-duration": "a duration with a unit, such as 30s",
    "duration": "a duration, such as 30s",
    "size": "a size, such as 64KB",
}
_SWITCHES = frozenset({"true", "false", "yes", "no", "on", "off", "1", "0", "y", "n", "t", "f"})
_TRUTH = ("true", "false")
_WORD = re.compile(r"[A-Za-z][a-z]{2,}")
_SENTINELS = frozenset(
    [
        "all",
        "always",
        "any",
        "auto",
        "automatic",
        "default",
        "disable",
        "disabled",
        "dynamic",
        "enable",
        "enabled",
        "forever",
        "inherit",
        "infinite",
        "infinity",
        "max",
        "maximum",
        "min",
        "minimum",
        "nan",
        "never",
        "nil",
        "none",
        "null",
        "off",
        "random",
        "undefined",
        "unlimited",
        "unset",
    ]
)
"""Words that code may take in place of a number or a boolean."""
_NOT_SPELLED = re.compile(r"[\W_]+")
_BARE = re.compile(r"[A-Za-z][\w-]*")
_SHOWN = 40
_LISTED = 6
_MOST_FIXES = 3
_LONG = 5
_PORTS = 65_535
_DOUBLED = re.compile(r"[._\-]{2}")
_SCHEME = re.compile(r"(https?)(?::/?(?!/)|//)(?=\w)", re.IGNORECASE)
_HOST_PORT = re.compile(r"[\w.\-]+:(\d{1,9})\Z|\[[0-9A-Fa-f:]+\]:(\d{1,9})\Z")


@attrs.frozen
class Wrong:
    """Why a value is wrong, what may be written in its place (likeliest first), and where code says so."""

    message: str
    better: tuple[str, ...] = ()
    place: Place | None = None
    severity: Severity | None = None
    """How loudly to say so, where that is less than usual."""


def findings(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield the values in one config file that cannot be right."""
    for file, assignment, value, options in assigned(subject, path):
        finding = _finding(subject, file, assignment, value, options)
        if finding is not None:
            yield finding


def _finding(
    subject: Subject,
    file: ConfigFile,
    assignment: Assignment,
    value: Value,
    options: tuple[Option, ...],
) -> Finding | None:
    fine = subject.recognised.fine
    wrong: list[Wrong] = []
    for option in options:
        # A number in quotes is a text.
        format_ = Format.PROPERTIES if value.style and file.format is Format.YAML else file.format
        asked = option.key, value.text, format_
        if asked in fine:
            return None
        found = judged(subject, option, value.text, format_)
        if found is None:
            found = _unlisted(subject, file.path, assignment.name, option, value.text)
        if found is None:
            limits = option.limits
            if not (
                option.type is OptionType.CLASS
                or limits.accepts in _AMOUNTS
                or limits.compared
                or (option.type is OptionType.MODE and not limits.closed)
            ):
                # What these take changes as code or documents do.
                fine.add(asked)
            return None
        wrong.append(found)
    if not wrong:
        return None
    first = next((one for one in wrong if one.severity is not None), wrong[0])
    place = file.place(value)
    fixes: list[Fix] = []
    if file.format is not Format.HOCON:
        for better in dict.fromkeys(first.better):
            text = value_text(file.format, better, value.style)
            fixes.append(Fix(f"Change to {better}", (Edit(place, text),), better))
    related = ((first.place, "This says so."),) if first.place is not None else ()
    return Finding(
        Code.INVALID_VALUE,
        place,
        first.message,
        assignment.name,
        tuple(option.key for option in options),
        related,
        tuple(fixes[:_MOST_FIXES]),
        severity=first.severity or SEVERITIES[Code.INVALID_VALUE],
    )


def judged(
    subject: Subject, option: Option, text: str, format: Format = Format.PROPERTIES
) -> Wrong | None:
    """Return why an option cannot have a value, ``None`` where it may."""
    text = text.strip()
    if not text or _PLACEHOLDER.search(text) or may_hold_secret(option):
        return None
    if is_hidden(option, text):
        return None
    if _VARIABLE.fullmatch(text) and option.type is not OptionType.MODE:
        return None
    match option.type:
        case OptionType.BOOLEAN:
            return _boolean(option, text)
        case OptionType.MODE:
            if option.limits.asked and subject.recognised.reserved.holds(option.name):
                option = attrs.evolve(option, limits=attrs.evolve(option.limits, asked=False))
            return _mode(option, text, _is_relaxed(subject, option)) or _unheard_of(
                subject, option, text
            )
        case OptionType.CLASS:
            said = class_names.judged(subject, option.limits.supertype, text)
            return None if said is None else Wrong(*said, option.limits.place)
        case OptionType.URI:
            return _uri(text)
        case OptionType.REGEX:
            return _regex(text)
        case OptionType.ADDRESS:
            return _address(text)
        case _:
            if option.limits.accepts in _AMOUNTS and subject.recognised.parses_itself(
                option.domain
            ):
                option = attrs.evolve(option, limits=attrs.evolve(option.limits, accepts=""))
            return _number(option, text, format) if option.type in NUMERIC else None


def _quoted(text: str) -> str:
    return f'"{shorten(text, _SHOWN)}"'


# -- truth values --------------------------------------------------------------------------------------


def _boolean(option: Option, text: str) -> Wrong | None:
    low = text.lower()
    if low in _TRUTH:
        return None
    better = _meant_truth(low)
    says = f"{_quoted(text)} is neither true nor false"
    match option.limits.accepts:
        case "true-only":
            if low in _NO:
                return None
            return Wrong(f"{_quoted(text)} counts as false here: only true means true.", better)
        case "true-else-default":
            default = next((one.text for one in option.defaults), "")
            holds = f"the default ({default})" if default in _TRUTH else "the default"
            return Wrong(f"{says}, so {holds} applies.", better)
        case "true-or-false":
            return Wrong(f"{says}, the only values that {option.name} accepts.", better)
        case "switch":
            return None if low in _SWITCHES else Wrong(f"{says}.", better)
        case _:
            pass
    if numbers.plain(text) is not None and low not in _YES | _NO and option.why != PRESENCE:
        return Wrong(f"{says}.", _TRUTH)
    near = (
        better[:1]
        and low.isalpha()
        and low not in _YES | _NO
        and edit_distance(low, better[0]) == 1
    )
    if near:
        return Wrong(f"{says}.", better)
    return _stray_word(
        option, text, f"neither true nor false, but {option.name} seems to be a boolean"
    )


def _stray_word(option: Option, text: str, what: str) -> Wrong | None:
    """Judge a word where the option is a number or a boolean by what is done with it, but no conversion was seen."""
    if option.why == PRESENCE or option.values or text.lower() in _SENTINELS | _YES | _NO:
        return None
    defaults = [one.text for one in option.defaults]
    if _WORD.fullmatch(text) is None or text in defaults:
        return None
    if option.type in (OptionType.TIME, OptionType.SIZE) and not any(
        numbers.plain(one) is not None for one in defaults
    ):
        return None  # code may read words as durations
    return Wrong(f"{_quoted(text)} is {what}.", severity=Severity.HINT)


def _meant_truth(low: str) -> tuple[str, ...]:
    if low in _YES:
        return ("true",)
    if low in _NO:
        return ("false",)
    return tuple(sorted(_TRUTH, key=lambda word: (edit_distance(low, word), word != "true")))


# -- sets ----------------------------------------------------------------------------------------------


def _is_relaxed(subject: Subject, option: Option) -> bool:
    row = subject.recognised.by_domain.get(option.domain)
    return option.domain in subject.recognised.names.relaxed or (
        row is not None and row.relaxed_values
    )


def _mode(option: Option, text: str, relaxed: bool) -> Wrong | None:
    values = spelled(option)
    if text in values or not values:
        return None
    limits = option.limits
    relaxed = relaxed or (limits.joints and limits.ignores_case)
    folds = limits.ignores_case or relaxed
    if folds and any(_same(text, value, relaxed) for value in values):
        return None
    near = _nearest(text, values)
    if not limits.closed:
        return _perhaps(option, text, near) or (
            _asked_for(option, text, near) if limits.asked else None
        )
    cased = [value for value in values if value.lower() == text.lower()]
    if cased:
        message = f"{_quoted(text)} must be written {cased[0]}; values are case-sensitive."
        return Wrong(message, tuple(cased), limits.place)
    message = f"{_quoted(text)} is not one of the values of {option.name}: {_listed(values)}."
    return Wrong(message, near, limits.place)


def _unlisted(subject: Subject, path: str, name: str, option: Option, text: str) -> Wrong | None:
    """Judge a word that is not in the list which documents state, where code does not have one."""
    text = text.strip()
    if (
        option.type is not OptionType.MODE
        or option.limits.closed
        or option.limits.asked
        or not _BARE.fullmatch(text)
        or text.lower() in _SENTINELS | _SWITCHES
        or may_hold_secret(option)
        or _names_variable(option, text)
    ):
        return None
    stated = stated_values.of(subject, option, name, path)
    if stated is None:
        return None
    known = (*stated.values, *option.values, *(one.text for one in option.defaults))
    if any(_same(text, one, relaxed=True) for one in known):
        return None
    message = f"{_quoted(text)} is not among the values that {stated.document} lists for {option.name}: {_listed(stated.values)}."
    return Wrong(message, _nearest(text, stated.values), severity=Severity.HINT)


def _names_variable(option: Option, text: str) -> bool:
    """Tell whether a value is the environment variable that is called like the option."""
    name, value = squashed(option.name), squashed(text)
    return _VARIABLE.fullmatch(text) is not None and (name.endswith(value) or value.endswith(name))


def _asked_for(option: Option, text: str, near: tuple[str, ...]) -> Wrong:
    message = f"No condition asks for {_quoted(text)} as the value of {option.name}, only for {_listed(option.values)}."
    return Wrong(message, near, option.limits.place, Severity.HINT)


def _unheard_of(subject: Subject, option: Option, text: str) -> Wrong | None:
    """Judge a word that code compares an option with nowhere, and does not have anywhere else either.

    A word that stands for none of them (``none``, ``default``) is fine without being compared."""
    known, low = option.limits.compared, text.lower()
    if (
        not known
        or not subject.complete
        or _BARE.fullmatch(text) is None
        or low in _SENTINELS | _SWITCHES
        or any(_same(text, one, relaxed=True) for one in (*known, *option.values))
        or any(_same(text, one.text, relaxed=True) for one in option.defaults)
        or subject.recognised.reserved.holds(option.name)
    ):
        return None
    mentions = subject.recognised.mentions
    if mentions is None or any(map(mentions.holds, {text, low, text.upper()})):
        return None
    message = f"Code compares {option.name} only with {_listed(known)}, not with {_quoted(text)}."
    return Wrong(message, _nearest(text, known), option.limits.place, Severity.HINT)


def _listed(values: tuple[str, ...]) -> str:
    return ", ".join(values[:_LISTED]) + (", …" if len(values) > _LISTED else "")


def _same(text: str, value: str, relaxed: bool) -> bool:
    if relaxed:
        # Letters and digits count, as in Spring's conversion to constants.
        return _NOT_SPELLED.sub("", text).lower() == _NOT_SPELLED.sub("", value).lower()
    return text.lower() == value.lower()


def _nearest(text: str, values: tuple[str, ...]) -> tuple[str, ...]:
    low = text.lower()
    ranked = sorted(
        (_apart(text, value), edit_distance(text, value), -likeness(low, value.lower()), number)
        for number, value in enumerate(values)
    )
    return tuple(values[number] for count, _, _, number in ranked if count <= MOST)


def _apart(text: str, value: str) -> int:
    """How many typos lie between two values; other separators and words in another order are one."""
    typed, meant = words_of(text), words_of(value)
    if sorted(typed) == sorted(meant) or "".join(typed) == "".join(meant):
        return 1
    return edit_distance(text.lower(), value.lower())


def _perhaps(option: Option, text: str, near: tuple[str, ...]) -> Wrong | None:
    """Judge a value where there may be more than are known: it must be one typo away from just one that is known, in
    letters, and that a long one, or two letters be swapped or doubled.  Separators alone are nothing unless doubled,
    since many readers drop them."""
    single = {value.lower(): value for value in reversed(near) if _apart(text, value) == 1}
    if len(single) != 1:
        return None
    (meant,) = single.values()
    doubled = _DOUBLED.search(text) is not None and _DOUBLED.search(meant) is None
    if not doubled and any(squashed(text) == squashed(value) for value in option.values):
        return None
    if [*filter(str.isdigit, text)] != [*filter(str.isdigit, meant)]:
        return None
    typed = text.lower()
    if len(meant) < _LONG and (len(meant) < _LONG - 1 or likeness(typed, meant.lower()) < 3):
        return None
    if meant.lower() in (f"{typed}s", typed.removesuffix("s")):
        return None
    return Wrong(
        f"{_quoted(text)} is not a known value of {option.name}. Did you mean {meant}?", (meant,)
    )


# -- numbers -------------------------------------------------------------------------------------------


def _number(option: Option, text: str, format: Format) -> Wrong | None:
    limits = option.limits
    if limits.accepts in _AMOUNTS:
        accepts = cast("Syntax", limits.accepts)
        if not numbers.takes(accepts, text):
            return _no_amount(option, text)
        limits = attrs.evolve(limits, accepts="")
    plain = numbers.plain(text, whole=limits.accepts == "integer", yaml=format is Format.YAML)
    if limits.accepts and plain is None:
        return _no_number(option, text)
    number = plain
    if number is None:
        number = numbers.plain(text)
        if number is None and option.type in (OptionType.TIME, OptionType.SIZE):
            number = numbers.in_unit(text, option.unit)
    if number is None:
        what = f"not a number, but {option.name} seems to be one"
        return _other_unit(option, text) or _stray_word(option, text, what)
    if not allows(limits, number):
        return _out_of_range(option, text, number)
    rejected = adjusted_values.rejected(option, number)
    if rejected is not None:
        message = adjusted_values.rejection(option, rejected, _quoted(text))
        return Wrong(message, place=rejected.place)
    if option.type is OptionType.PORT and number > _PORTS:
        return Wrong(f"{_quoted(text)} is not a valid port; the highest is {_PORTS}.")
    return None


def _no_amount(option: Option, text: str) -> Wrong | None:
    return _other_unit(option, text) or Wrong(
        f"{_quoted(text)} is not {_AMOUNTS[option.limits.accepts]}, but {option.name} must be one."
    )


def _other_unit(option: Option, text: str) -> Wrong | None:
    """Judge a number with a unit that no code would take: a size for a duration, or the other way round."""
    meant = {OptionType.TIME: "duration", OptionType.SIZE: "size"}.get(option.type, "")
    said = amounts.dimension(text)
    if not meant or not said or meant == said:
        return None
    return Wrong(f"{_quoted(text)} is a {said}, but {option.name} is a {meant}.")


def _no_number(option: Option, text: str) -> Wrong | None:
    whole = option.limits.accepts == "integer"
    wanted = "a whole number" if whole else "a number"
    says = f"{_quoted(text)} is not {wanted}"
    split = amounts.with_unit(text)
    if split is not None:
        unit = numbers.UNITS_IN_WORDS.get(option.unit, "")
        better: tuple[str, ...] = ()
        number = numbers.in_unit(text, option.unit)
        if number is not None and option.type in (OptionType.TIME, OptionType.SIZE):
            written = numbers.written(number, whole=whole)
            better = (written,) if written else ()
        told = f", in {unit}" if unit else ""
        return Wrong(f"{says}: {option.name} is read without a unit{told}.", better)
    number = numbers.loosely(text)
    written = numbers.written(number, whole=whole) if number is not None else ""
    return Wrong(f"{says}, but {option.name} must be one.", (written,) if written else ())


def _out_of_range(option: Option, text: str, number: float) -> Wrong:
    limits = option.limits
    units = amounts.with_unit(text)
    unit = f" {option.unit}" if units is not None and option.unit else ""
    whole = option.type is not OptionType.FRACTION and limits.accepts != "fraction"
    message, better = _bound(limits, number, whole)
    written = numbers.written(better, whole=whole) if better is not None else ""
    if units is not None and written:
        written = f"{written}{numbers.SUFFIXES.get(option.unit, '')}"
        if written[-1:].isdigit():
            written = ""
    return Wrong(
        message.format(value=_quoted(text), name=option.name, unit=unit),
        (written,) if written else (),
        limits.place,
    )


def _bound(limits: Limits, number: float, whole: bool) -> tuple[str, float | None]:
    if limits.minimum is not None and number < limits.minimum:
        least = limits.minimum
        return f"{{value}} is less than {least:g}{{unit}}, the minimum for {{name}}.", least
    if limits.maximum is not None and number > limits.maximum:
        most = numbers.written(limits.maximum, whole=False)
        return (
            f"{{value}} is more than {most}{{unit}}, the maximum for {{name}}.",
            limits.maximum,
        )
    if limits.above is not None and number <= limits.above:
        better = limits.above + 1 if whole else None
        return (
            f"{{value}} is too small: {{name}} must be more than {limits.above:g}{{unit}}.",
            better,
        )
    under = limits.under if limits.under is not None else number
    shown = numbers.written(under, whole=False)
    return f"{{value}} is too large: {{name}} must be less than {shown}{{unit}}.", (
        under - 1 if whole else None
    )


# -- texts with a form ---------------------------------------------------------------------------------


def _uri(text: str) -> Wrong | None:
    scheme = _SCHEME.match(text)
    if scheme is None or text.lower().startswith(f"{scheme[1].lower()}://"):
        return None
    better = f"{scheme[1]}://{text[scheme.end() :]}"
    return Wrong(
        f"{_quoted(text)} is not a valid URI: it should start with {scheme[1]}://.", (better,)
    )


def _address(text: str) -> Wrong | None:
    match = _HOST_PORT.match(text)
    if match is None or int(match[1] or match[2]) <= _PORTS:
        return None
    return Wrong(f"{_quoted(text)} has an invalid port; the highest is {_PORTS}.")


def _regex(text: str) -> Wrong | None:
    """Judge by parentheses alone, and only where no class or quotation can hide them."""
    if "[" in text or "\\Q" in text or "(?x" in text:
        return None
    depth = 0
    bare = re.sub(r"\\.", "", text)
    for char in bare:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return Wrong(f"{_quoted(text)} is not a valid regular expression: a ( is missing.")
    if depth:
        return Wrong(f"{_quoted(text)} is not a valid regular expression: a ) is missing.")
    return None
