"""Which values of options are hidden: what ``base.secrets`` calls a secret, and what an option of type password is given.

Everything that shows a value of an option (report, hover, finding, proposal, excerpt of code) asks here.
Absent: values of a run, which are redacted when they are imported (``profiling.redaction``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conflens.base.secrets import HIDDEN, is_secret_default, is_switch
from conflens.options.model import NUMERIC, Default, Option, OptionType

_HARMLESS = NUMERIC | {OptionType.BOOLEAN}
_NUMBER = re.compile(r"\s*[+-]?[\d._]{1,20}\s?[a-zA-Z%]{0,2}\s*\Z")
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
    return is_secret_default(option.name, text)


def shown_value(option: Option, given: Default | str) -> str:
    """Return a value of an option as it may be shown."""
    if is_hidden(option, given):
        return HIDDEN
    return given if isinstance(given, str) else given.text


def hidden_defaults(options: Iterable[Option]) -> frozenset[str]:
    """Return the defaults that are hidden and are no common words: excerpts of code must not show them either."""
    return frozenset(
        one.text
        for option in options
        for one in option.defaults
        if len(one.text) >= _TELLING and is_hidden(option, one)
    )
