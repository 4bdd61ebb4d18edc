"""What a document says about a name: the plain results every harvester produces.

Terms: a *mention* is one place where a name stands; an *entry* is a mention that defines or
lists the name as an option (a property of a `*-default.xml`, a key, a table row, a term); a
*word* is a name-like token of running text, of which only the first place is kept.

Invariants: lines and columns are 1-based; columns count characters (code points), after a byte
order mark has been dropped; `\\r\\n` and a lone `\\r` end a line as `\\n` does. Names are
canonical (`names.canonical`): every placeholder is written `*`.

Absent: which option a name belongs to, and any reading of files.
"""

from collections.abc import Mapping
from enum import StrEnum

from attrs import field, frozen

from conflens.documents.stated import NOTHING, Stated

Place = tuple[int, int]
"""Line and column, both 1-based."""


class MentionKind(StrEnum):
    """How much a mention says: an entry documents the name, a text only contains it."""

    ENTRY = "entry"
    TEXT = "text"


@frozen
class Mention:
    """One place of a name. `default` is what the document states to be the default, never just
    a value that happens to be set; that is `value`, as written. A commented-out assignment and
    a `*-default.xml` state their value as the default. `active` is false for a commented-out
    key. `description` is one line of plain text. `said` is what the document states of the values."""

    name: str
    line: int
    column: int
    kind: MentionKind
    description: str | None = None
    default: str | None = None
    value: str | None = None
    active: bool = True
    said: Stated = NOTHING


class TooDeepError(ValueError):
    """The document is nested deeper than anyone writes, and is left out as a whole."""


@frozen
class Harvest:
    """Everything one document says about names.

    `mentions` are in document order: all entries, and of every other name that is set off as
    code its first place. `words` maps each name-like token of running text to its first place.
    `truncated` says that the document was larger than `MAX_CHARACTERS` and only its start read.
    """

    mentions: tuple[Mention, ...] = ()
    words: Mapping[str, Place] = field(factory=dict)
    truncated: bool = False
    by_name: Mapping[str, tuple[Mention, ...]] = field(init=False, repr=False, eq=False)

    @by_name.default
    def _by_name(self) -> Mapping[str, tuple[Mention, ...]]:
        gathered: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            gathered.setdefault(mention.name, []).append(mention)
        return {name: tuple(found) for name, found in gathered.items()}


MAX_CHARACTERS = 2_000_000
"""A document is harvested up to the last whole line within this many characters."""
