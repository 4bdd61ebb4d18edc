"""Which values of options are hidden: what ``base.secrets`` calls a secret, what an option of type password is given, and
what code puts into something that has the name of a secret (``Option.target``).

Everything that shows a value of an option (report, hover, finding, proposal, excerpt of code) asks here.
Absent: values of a run, which are redacted when they are imported (``profiling.redaction``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conflens.base.secrets import (
    HIDDEN,
    is_secret_default,
    is_secret_name,
    is_switch,
    speaks_of_secrets,
)
from conflens.options.amounts import with_unit
from conflens.options.model import NUMERIC, Default, Option, OptionType
from conflens.options.names.spelling import words_of

_HARMLESS = NUMERIC | {OptionType.BOOLEAN}
_NO_SECRETS = _HARMLESS | {
    OptionType.ADDRESS,
    OptionType.CLASS,
    OptionType.FILE,
    OptionType.REGEX,
    OptionType.URI,
}
"""What is none by its type, whatever the variable that holds it is called."""
KINDS = frozenset(
    [
        "type",
        "kind",
        "mode",
        "grant",
        "scheme",
        "method",
        "algorithm",
        "format",
        "header",
        "prefix",
        "suffix",
        "pattern",
        "regex",
        "separator",
        "delimiter",
    ]
)
"""Words in names of what tells one kind of secrets from another: ``TYPE_CLIENT_CREDENTIALS``, ``zk.pwd.type``."""
_NUMBER = re.compile(r"\s*[+-]?[\d._]{1,20}\s?[a-zA-Z%]{0,2}\s*\Z")
_NAMED = "named "
"""What the reason of a type begins with that only the name of the option tells."""
_OF_NAMES = NUMERIC | {OptionType.URI}
"""Types that such a name is wrong about if a value has not the form of one."""
_ADDRESSES = re.compile(r"[:/.]")
_REFERENCE = re.compile(r"[$#%]\{|\$\w")
_TELLING = 6
"""Shorter texts, such as ``sa``, stand in code for other things as well."""


def is_hidden(option: Option, given: Default | str) -> bool:
    """Tell whether a value that code, a config file or a document gives to an option may be a secret."""
    text = given if isinstance(given, str) else given.text
    if isinstance(given, Default) and given.secret:
        return True
    if option.type is OptionType.PASSWORD and not is_switch(text):
        return True
    if option.type in _HARMLESS and _NUMBER.match(text):  # ``throttle.tokens = 10``
        return False
    return is_secret_default(option.name, text) or (
        _is_secret_for(option, text) and is_secret_default(option.target, text)
    )


def is_secret_option(option: Option) -> bool:
    """Tell whether an option is a password by its type, or by what its value is put into."""
    return _is_secret_for(option, *(one.text for one in option.defaults))


def _is_secret_for(option: Option, *values: str) -> bool:
    """Whether an option is one, if it is given these values as well."""
    return option.type is OptionType.PASSWORD or (
        bool(option.target)
        and (option.type not in _NO_SECRETS or _is_misnamed(option, *values))
        and KINDS.isdisjoint(words_of(option.name)[-1:])
        and not (option.type is OptionType.MODE and len(option.values) > 1)
    )


def _is_misnamed(option: Option, *values: str) -> bool:
    """Whether only its name tells the type of an option, and a value of it has not the form of one: ``mail.bytes = x``."""
    known = (*values, *(one.text for one in option.defaults))
    return _is_guess(option.type, option.why) and not all(_fits(option.type, one) for one in known)


def _is_guess(type_: OptionType, why: str) -> bool:
    return type_ in _OF_NAMES and why.startswith(_NAMED)


def _fits(type_: OptionType, text: str) -> bool:
    if is_switch(text) or _REFERENCE.search(text):
        return True
    if type_ is OptionType.URI:
        return _ADDRESSES.search(text) is not None
    return _NUMBER.match(text) is not None or with_unit(text) is not None


def may_be_secret(type_: OptionType, why: str = "") -> bool:
    """Tell whether an option of a type may be a secret by what its value is put into; ``why`` it has the type."""
    return type_ not in _NO_SECRETS or _is_guess(type_, why)


def holds_secret(option: Option) -> bool:
    """Tell whether what an option is set to is a secret, whatever it looks like: no value of it that code knows is shown."""
    if option.type in _HARMLESS and not _is_misnamed(option):
        return False
    return is_secret_name(option.name) or is_secret_option(option)


def may_hold_secret(option: Option) -> bool:
    """Tell whether an option speaks of secrets, by its own name or by that of what holds its value."""
    return speaks_of_secrets(option.name) or is_secret_option(option)


def shown_value(option: Option, given: Default | str) -> str:
    """Return a value of an option as it may be shown."""
    if is_hidden(option, given):
        return HIDDEN
    return given if isinstance(given, str) else given.text


def plain_names(options: Iterable[Option]) -> frozenset[str]:
    """Return the names of options that hold secrets and do not say so themselves."""
    return frozenset(
        one.name for one in options if is_secret_option(one) and not is_secret_name(one.name)
    )


def hidden_defaults(options: Iterable[Option]) -> frozenset[str]:
    """Return the defaults that are hidden and are no common words: excerpts of code must not show them either."""
    return frozenset(
        one.text
        for option in options
        for one in option.defaults
        if len(one.text) >= _TELLING and is_hidden(option, one)
    )
