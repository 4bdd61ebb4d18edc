"""The text of a document with its line starts, and the collector that harvesters fill.

Invariant: `Source.text` holds `\\n` line ends only and no byte order mark, and offsets into it
give the line and column of the document as an editor shows it.
"""

from bisect import bisect_right
from itertools import accumulate

from attrs import define, evolve, field, frozen

from conflens.documents.mention import MAX_CHARACTERS, Harvest, Mention, MentionKind, Place
from conflens.documents.stated import NOTHING, Stated


@frozen
class Source:
    """A normalised document. `lines` lack their line ends; `starts[i]` is the offset of line i."""

    text: str
    lines: tuple[str, ...]
    starts: tuple[int, ...]
    truncated: bool

    def place(self, offset: int) -> Place:
        """The 1-based line and column of an offset into `text`."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def part(self, first: int, end: int) -> "Source":
        """The lines [first, end), counted from 0, with their offsets in the whole document."""
        return Source(self.text, self.lines[first:end], self.starts[first:end], self.truncated)

    def paragraph(self, first: int) -> str:
        """The text from line `first` on up to a blank line, at most twelve lines; blank lines
        before it are passed over."""
        end = len(self.lines)
        while first < end and not self.lines[first].strip():
            first += 1
        taken: list[str] = []
        for line in self.lines[first : first + 12]:
            if not line.strip():
                break
            taken.append(line.strip())
        return "\n".join(taken)


def source_of(text: str) -> Source:
    """Normalises line ends, drops a byte order mark, and cuts an oversized text at a line end."""
    text = text.removeprefix("\ufeff")
    truncated = len(text) > MAX_CHARACTERS
    if truncated:
        end = text.rfind("\n", 0, MAX_CHARACTERS)
        text = text[: end if end > 0 else MAX_CHARACTERS]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = tuple(text.split("\n"))
    starts = tuple(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
    return Source(text, lines, starts, truncated)


@define
class Collector:
    """Gathers what one harvester finds; lives only during that harvest."""

    source: Source
    mentions: dict[tuple[int, int, str], Mention] = field(factory=dict)
    spans: dict[str, int] = field(factory=dict)
    words: dict[str, int] = field(factory=dict)

    def entry(
        self,
        name: str,
        offset: int,
        description: str | None = None,
        default: str | None = None,
        value: str | None = None,
        active: bool = True,
        said: Stated = NOTHING,
    ) -> None:
        """Records an entry; the first one at a place wins."""
        line, column = self.source.place(offset)
        mention = Mention(
            name, line, column, MentionKind.ENTRY, description, default, value, active, said
        )
        self.mentions.setdefault((line, column, name), mention)

    def span(self, name: str, offset: int) -> None:
        """Records a name that is set off as code; only its first place is kept."""
        if offset < self.spans.get(name, offset + 1):
            self.spans[name] = offset

    def examples(self, other: "Collector") -> None:
        """Takes over what another collector found in an example of this document: as names set
        off as code, since an example shows an option but does not document it."""
        starts = self.source.starts
        for mention in other.mentions.values():
            self.span(mention.name, starts[mention.line - 1] + mention.column - 1)

    def restate_default(self, default: str) -> None:
        """Gives the last entry a default when it has none."""
        if self.mentions:
            key = next(reversed(self.mentions))
            if self.mentions[key].default is None:
                self.mentions[key] = evolve(self.mentions[key], default=default)

    def restate(self, said: Stated) -> None:
        """Gives the last entry what it does not state yet."""
        if self.mentions and said != NOTHING:
            key = next(reversed(self.mentions))
            mention = self.mentions[key]
            self.mentions[key] = evolve(mention, said=mention.said.over(said))

    def harvest(self) -> Harvest:
        """The result: entries and spans in document order, words without their duplicates."""
        mentions = dict(self.mentions)
        for name, offset in self.spans.items():
            line, column = self.source.place(offset)
            text = Mention(name, line, column, MentionKind.TEXT)
            mentions.setdefault((line, column, name), text)
        known = {name for _, _, name in mentions}
        place = self.source.place
        words = {name: place(at) for name, at in self.words.items() if name not in known}
        ordered = tuple(mentions[key] for key in sorted(mentions))
        return Harvest(ordered, words, self.source.truncated)
