"""Config files of the toy project: one counts as soon as one of its keys is an option, by name or pattern.

What a feature shows in config files so depends on the toy's options alone, not on how much evidence recognition asks for.
A domain is relaxed if its name says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase

import attrs
from typing_extensions import override

from conflens.checking.recognition import Match, Recognised
from conflens.documents.configfiles.model import ConfigFile, Kind
from conflens.documents.configfiles.parsing import read
from conflens.documents.configfiles.policy import has_config_name
from conflens.options.model import Option, OptionTable
from conflens.options.names.naming import Names

RELAXED = "relaxed"


class ToyNames(Names):
    """Names as they stand, patterns, and relaxed spellings."""

    @override
    def named(self, name: str, domains: Collection[str] | None = None) -> tuple[Option, ...]:
        return tuple(
            option
            for option in self.table.options
            if (domains is None or option.domain in domains) and _names(option, name)
        )


@attrs.define(eq=False)
class ToyRecognised(Recognised):
    """See the module text."""

    @override
    def match(self, path: str) -> Match | None:
        file = self.files.get(path)
        if file is None:
            return None
        options = {
            one.name: found
            for one in file.assignments
            if one.kind is not Kind.SECTION and (found := self.names.named(one.name))
        }
        domains = {option.domain for found in options.values() for option in found}
        return Match(path, bool(options), "a test", frozenset(domains), options, frozenset())

    @override
    def config_files(self) -> tuple[str, ...]:
        found = [path for path in self.files if (match := self.match(path)) and match.counts]
        return tuple(sorted(found))


def config_files_of(texts: Mapping[str, bytes]) -> dict[str, ConfigFile]:
    """Return the files that may be config files, parsed."""
    return {path: read(path, text) for path, text in texts.items() if has_config_name(path)}


def recognised(files: Mapping[str, ConfigFile], options: OptionTable) -> Recognised:
    """Return the toy's recognition."""
    return ToyRecognised(files, ToyNames(options, frozenset({RELAXED})))


def _names(option: Option, name: str) -> bool:
    if option.domain == RELAXED:
        squeezed = name.lower().replace("-", "").replace("_", ".")
        return squeezed == option.name.lower().replace("-", "")
    return fnmatchcase(name, option.name) if option.pattern else option.name == name
