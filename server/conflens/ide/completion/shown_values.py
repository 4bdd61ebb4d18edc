"""Which values of keys of config files completions show beside the names of the keys.

Not shown: what is a secret by its name, its form or its option; what a reference in the value of a secret gives; a value with
the default of another option; and what a key that is no option is given beside options that hold secrets, of which it may be
a misspelt one, unless it is a number, a switch, a path or an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from conflens.base.secrets import is_harmless, is_secret, is_secret_name
from conflens.checking.placeholder_reads import name_around
from conflens.documents.configfiles.model import Assignment, ConfigFile
from conflens.options.model import Option
from conflens.options.names.patterns import covers, loose
from conflens.options.names.placeholders import placeholders
from conflens.options.secret_values import holds_secret, is_hidden, is_secret_option
from conflens.session.analysis import Analysis

_DEFAULT = re.compile(r"\$\{[^}]{0,200}:")


class ShownValues:
    """Judges the values of one analysis."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at the references of all config files."""
        self._analysis = analysis
        secret = [option for option in analysis.options.options if holds_secret(option)]
        self._beside = {_parent(option.name) for option in secret}
        self._patterns = [tuple(one.split("*")) for one in sorted(self._beside) if "*" in one]
        self._feeding = self._found()

    def of(self, path: str, file: ConfigFile, one: Assignment) -> str:
        """Return the value of a key as it may be shown, empty if not."""
        value = one.value.text if one.value is not None else ""
        if one.value is None or _DEFAULT.search(value):
            return ""
        if is_secret(one.name, value) or is_secret(name_around(file, one.value), value):
            return ""
        if is_harmless(value):
            return value
        options = self._options(path, one)
        if any(is_secret_option(option) or is_hidden(option, value) for option in options):
            return ""
        parent = _parent(one.name)
        beside = parent in self._beside or any(covers(parts, parent) for parts in self._patterns)
        return "" if (beside and not options) or loose(one.name) in self._feeding else value

    def _options(self, path: str, one: Assignment) -> Sequence[Option]:
        match = self._analysis.recognised.match(path)
        return match.options.get(one.name, ()) if match is not None else ()

    def _found(self) -> frozenset[str]:
        """Return the names, as ``loose`` makes them, that values of secrets refer to, over any number of keys."""
        feeding: dict[str, set[str]] = {}
        pending: list[str] = []
        for path, one, text in self._referring():
            key = loose(one.name)
            names = {loose(each.name) for each in placeholders(text.replace(":-", ":"), "dollar")}
            feeding.setdefault(key, set()).update(names)
            if is_secret_name(one.name) or any(map(holds_secret, self._options(path, one))):
                pending.append(key)
        met: set[str] = set()
        while pending:
            more = feeding.pop(pending.pop(), set()) - met
            met |= more
            pending += more
        return frozenset(met)

    def _referring(self) -> Iterator[tuple[str, Assignment, str]]:
        for path in self._analysis.recognised.config_files():
            file = self._analysis.config_files.get(path)
            if file is not None and b"${" in file.text:
                for one in file.assignments:
                    values = (*one.items, *((one.value,) if one.value is not None else ()))
                    text = "\n".join(value.text for value in values if "${" in value.text)
                    if text:
                        yield path, one, text


def _parent(name: str) -> str:
    """Return what stands before the last word of a name, as ``loose`` makes it: that of ``APP_PASSWORD`` is that of ``app.password``."""
    return loose(name[: max(name.rfind("."), name.rfind("_"), 0)])
