"""How generated accessors are called: by annotations, and by settings files of the folders above a class.

Terms
    style      what is stated of names; ``None`` and an empty ``builder`` state nothing.
    prefixes   beginnings of field names that are no part of the property's name (``m_size``).

A settings file has lines ``key = value``, ``key += value``, ``key -= value`` and ``clear key``; it holds for its folder and those
below, until one of them stops the search for files further up.
Absent: reading files (``session``), files that import others.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping

import attrs

from conflens.models.generators import ImpliedSettingsRow

_LINE = re.compile(
    r"\s*(?:clear\s+(?P<cleared>[\w.]+)|(?P<key>[\w.]+)\s*(?P<op>[+-]?=)(?P<value>.*))"
)
MOST_PREFIXES = 100
"""Prefixes of one folder that are looked at."""


@attrs.frozen
class Style:
    """See the module text."""

    fluent: bool | None = None
    chain: bool | None = None
    prefixes: tuple[str, ...] | None = None
    plain_booleans: bool = False
    builder: str = ""

    def over(self, outer: Style) -> Style:
        """Return this style, with what it does not state from another."""
        return Style(
            outer.fluent if self.fluent is None else self.fluent,
            outer.chain if self.chain is None else self.chain,
            outer.prefixes if self.prefixes is None else self.prefixes,
            self.plain_booleans or outer.plain_booleans,
            self.builder or outer.builder,
        )

    @property
    def chained(self) -> bool:
        """Whether setters return their object."""
        return bool(self.fluent) if self.chain is None else self.chain

    def property_of(self, field: str) -> str:
        """Return the property that a field is called after; empty if the field has none of the prefixes."""
        if not self.prefixes:
            return field
        for prefix in self.prefixes:
            rest = field[len(prefix) :]
            if not field.startswith(prefix) or not rest:
                continue
            if prefix and prefix[-1].isalpha() and rest[0].islower():
                continue
            return rest if not prefix else rest[0].lower() + rest[1:]
        return ""

    def accessor(self, field: str, prefix: str, *, boolean: bool = False) -> str:
        """Return the name of an accessor of a field; empty if it has none."""
        name = self.property_of(field)
        if self.fluent or not name:
            return name
        if boolean and name.startswith("is") and len(name) > 2 and not name[2].islower():
            name = name[2:]
        return f"{prefix}{name[0].upper()}{name[1:]}"


PLAIN = Style()


class Styles:
    """The styles of the folders of a project."""

    def __init__(self, own: Mapping[str, _Settings] | None = None, digest: str = "") -> None:
        """Use :meth:`of`."""
        self._own = own or {}
        self._styles: dict[str, Style] = {}
        self.digest = digest

    @staticmethod
    def of(files: Mapping[str, bytes], rows: Iterable[ImpliedSettingsRow]) -> Styles:
        """Return the styles that settings files (path to content) state."""
        own: dict[str, _Settings] = {}
        digest = hashlib.sha256()
        by_name = {row.file: row for row in rows}
        for path, content in sorted(files.items()):
            folder, _, name = path.rpartition("/")
            row = by_name.get(name)
            if row is not None:
                digest.update(
                    b"\0".join(
                        (path.encode("utf-8", "surrogateescape"), b"%d" % len(content), content)
                    )
                )
                own[folder] = _Settings(content.decode("utf-8", "replace"), row)
        return Styles(own, digest.hexdigest() if own else "")

    def at(self, path: str) -> Style:
        """Return the style for the classes of a file."""
        if not self._own:
            return PLAIN
        folder = path.rpartition("/")[0]
        found = self._styles.get(folder)
        if found is None:
            found = self._styles[folder] = self._style(folder)
        return found

    def _style(self, folder: str) -> Style:
        chain: list[_Settings] = []
        while True:
            own = self._own.get(folder)
            if own is not None:
                chain.append(own)
                if own.stops:
                    break
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        values: dict[str, str] = {}
        prefixes: list[str] | None = None
        for settings in reversed(chain):
            for stated, op, value in settings.lines:
                if stated != "prefixes":
                    values[stated] = value
                elif op == "clear":
                    prefixes = None
                elif op == "-=":
                    prefixes = [item for item in prefixes or () if item != value]
                elif len(prefixes or ()) < MOST_PREFIXES:
                    prefixes = [*(prefixes or ()), value]
        return Style(
            _truth(values.get("fluent")),
            _truth(values.get("chain")),
            None if prefixes is None else tuple(prefixes),
            bool(_truth(values.get("plain-booleans"))),
            values.get("class", ""),
        )


class _Settings:
    """What one file states, in its order."""

    def __init__(self, text: str, row: ImpliedSettingsRow) -> None:
        stated = {key.lower(): what for what, key in row.keys.items()}
        self.lines: list[tuple[str, str, str]] = []
        for line in text.splitlines():
            match = _LINE.match(line.partition("#")[0])
            if match is None:
                continue
            cleared = match["cleared"]
            what = stated.get((cleared or match["key"]).lower())
            if what is not None:
                op, value = ("clear", "") if cleared else (match["op"], match["value"].strip())
                self.lines.append((what, op, value))
        self.stops = any(what == "stop" and _truth(value) for what, _, value in self.lines)


def _truth(text: str | None) -> bool | None:
    return None if not text else text.lower() == "true"
