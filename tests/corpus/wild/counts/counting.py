"""What a scan reported, by name, and counts of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

Option = Mapping[str, Any]

HIDDEN = ["(hidden)"]
"""What is reported as the defaults of a secret."""


@attrs.frozen
class Count:
    """One count: its title, what is printed of it, and what is missing, one line each."""

    title: str
    result: str
    lines: Sequence[str] = ()

    def __str__(self) -> str:
        return f"{self.title}: {self.result}"


class Reported:
    """The options of a scan by name, aliases included."""

    def __init__(self, scanned: Mapping[str, Any]) -> None:
        self.named: dict[str, list[Option]] = defaultdict(list)
        for option in scanned["options"]:
            for name in {option["name"], *(one["name"] for one in option.get("aliases", ()))}:
                self.named[name].append(option)

    def read(self, name: str) -> list[Option]:
        """Return the options of that name of which a read is known."""
        return [option for option in self.named.get(name, ()) if option["reads"]]

    def read_below(self, name: str) -> bool:
        """Tell whether that option or one whose name continues it is read."""
        below = name + "."
        return bool(self.read(name)) or any(
            self.read(other) for other in self.named if other.startswith(below)
        )

    def lack(self, name: str) -> str:
        """Say what is wrong with an option without a read."""
        return "option without read" if name in self.named else "no option"


def found(title: str, rows: Iterable[tuple[bool, str]], note: str = "") -> Count:
    """Count the rows that are found; the text of the others is shown."""
    listed = list(rows)
    missing = [line for is_found, line in listed if not is_found]
    result = f"{len(listed) - len(missing)} of {len(listed)}"
    return Count(title, f"{result} ({note})" if note else result, missing)


def defaults(title: str, rows: Iterable[tuple[str, str | None, Iterable[Option]]]) -> Count:
    """Compare the default of each name, ``None`` if it has none, with what its options report.

    A default that is hidden as a secret's is right, and so is one of several.
    """
    counts: Counter[str] = Counter()
    lines = []
    for name, wanted, options in rows:
        given = [text for option in options for text in option["defaults"]]
        if wanted is None:
            right = not given
        else:
            right = any(text.strip() == wanted.strip() for text in given)
        judgement = "right" if right or given == HIDDEN else "wrong" if given else "missing"
        counts[judgement] += 1
        if not right or len(set(given)) > 1:
            lines.append(f"{name}: {judgement}, {wanted!r}, reported {given}")
    result = ", ".join(f"{counts[each]} {each}" for each in ("right", "missing", "wrong"))
    return Count(title, result, lines)
