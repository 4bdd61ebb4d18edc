"""Where names are documented: an immutable index over the harvests of all documents.

Terms: *postings* of a name are the documents that mention it. A *pattern* is a name with `*`
for a part that is only known at run time.

Answers. A name is found under exactly its own spelling; a command line flag also without its
dashes when it is still name-like, and an attribute of XML (`tls.[@startTLS]`) without its marks. A pattern is found where a document writes it as a template
(`fs.<scheme>.impl` for `fs.*.impl`) or mentions a concrete instance (`fs.s3a.impl`). A concrete
name that no document mentions is found through a template that covers it, if the template has a
literal part on both sides of its placeholder. Harvests keep a plain word only where the document
sets it off, so ordinary prose never documents `port`.

Costs: finding a name is one look-up and a ranking of its postings; a pattern looks at the names
with the same literal start. `with_document` copies the table of names (references only) and
shares every posting that does not change.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from heapq import nsmallest

from attrs import frozen

from conflens.documents.mention import Harvest, MentionKind
from conflens.documents.names import canonical, is_name_like
from conflens.documents.stated import NOTHING, Stated

MAX_REFERENCES = 10
"""`find` answers with at most this many places."""

_PER_DOCUMENT = 3
_LONGEST = 300
_SEPARATORS = str.maketrans("", "", "-_")


@frozen
class DocumentRef:
    """One place in a document where a name stands; see `Mention` for the fields."""

    path: str
    line: int
    column: int
    kind: MentionKind
    description: str | None = None
    default: str | None = None
    value: str | None = None
    active: bool = True
    said: Stated = NOTHING


@frozen(eq=False)
class DocumentIndex:
    """The index; build it with `DocumentIndex.build`. `postings` maps each name to the sorted
    paths of the documents that mention it; `names` holds its keys in order."""

    harvests: Mapping[str, Harvest]
    postings: Mapping[str, tuple[str, ...]]
    names: tuple[str, ...]
    templates: Mapping[str, tuple[str, ...]]

    @cached_property
    def tails(self) -> frozenset[str]:
        """What stands behind each `.` and `:` of the names; names of more than `_LONGEST` characters
        are no option's, and their ends would need a memory that grows with the square of their length."""
        return frozenset(
            name[at + 1 :]
            for name in self.names
            if len(name) <= _LONGEST
            for at, char in enumerate(name)
            if char in ".:"
        )

    @cached_property
    def loosely(self) -> frozenset[str]:
        """The names without case, `-` and `_`."""
        return frozenset(name.lower().translate(_SEPARATORS) for name in self.names)

    def mentions_loosely(self, name: str) -> bool:
        """Whether a document has a name that differs in case, `-` and `_` only."""
        return name.lower().translate(_SEPARATORS) in self.loosely

    @staticmethod
    def build(harvests: Mapping[str, Harvest]) -> "DocumentIndex":
        """Indexes documents by path."""
        gathered: dict[str, list[str]] = {}
        for path in sorted(harvests):
            for name in _names_of(harvests[path]):
                gathered.setdefault(name, []).append(path)
        postings = {name: tuple(paths) for name, paths in gathered.items()}
        return _index(dict(harvests), postings)

    def with_document(self, path: str, harvest: Harvest | None) -> "DocumentIndex":
        """This index with the document at `path` added, replaced, or removed when None."""
        old = self.harvests.get(path)
        before = _names_of(old) if old else set[str]()
        after = _names_of(harvest) if harvest else set[str]()
        harvests = dict(self.harvests)
        if harvest is None:
            harvests.pop(path, None)
        else:
            harvests[path] = harvest
        if before == after:
            return DocumentIndex(harvests, self.postings, self.names, self.templates)
        postings = dict(self.postings)
        for name in before - after:
            left = tuple(p for p in postings[name] if p != path)
            if left:
                postings[name] = left
            else:
                del postings[name]
        for name in after - before:
            postings[name] = tuple(sorted((*postings.get(name, ()), path)))
        if postings.keys() == self.postings.keys():
            return DocumentIndex(harvests, postings, self.names, self.templates)
        return _index(harvests, postings)

    def find(self, name: str, domain: str | None = None) -> tuple[DocumentRef, ...]:
        """Where `name` is documented, best first: entries before text, described before bare,
        stated defaults before none, then by path and line; at most `MAX_REFERENCES`.

        `domain` is the option's domain; for one that begins with "command" the flags `--name` and
        `-name` count as well. An empty answer means: no document searched mentions it."""
        found = _best(self._refs(self._spellings(canonical(name.strip()), domain)))
        if found or "*" in name:
            return found
        return _best(self._refs(self._covering(name))) if is_name_like(name) else ()

    def _spellings(self, name: str, domain: str | None) -> Iterator[str]:
        if name.strip("*.-_:") == "":
            return
        yield name
        if "*" in name:
            yield from self._instances(name)
        elif "[@" in name:
            yield from _without_marks(name)
        elif domain is not None and domain.lower().startswith("command") and name[0] != "-":
            yield from (f"--{name}", f"-{name}")

    def _instances(self, pattern: str) -> Iterator[str]:
        """The names that a pattern stands for. A pattern that begins with a placeholder has
        instances only if two literal parts follow, else anything would be one."""
        pieces = pattern.split("*")
        head = pieces[0]
        if not head and pattern.count(".") < 2:
            return
        at = bisect_left(self.names, head)
        while at < len(self.names) and self.names[at].startswith(head):
            name = self.names[at]
            if name != pattern and _covers(pieces, name):
                yield name
            at += 1

    def _covering(self, name: str) -> Iterator[str]:
        for head in {name.split(".", 1)[0], name.split("-", 1)[0]}:
            for template in self.templates.get(head, ()):
                if _covers(template.split("*"), name):
                    yield template

    def _refs(self, names: Iterable[str]) -> Iterator[DocumentRef]:
        for name in names:
            for path in self.postings.get(name, ()):
                yield from _refs_in(path, self.harvests[path], name)


def _without_marks(name: str) -> Iterator[str]:
    """How people write the name of an attribute in XML: behind its element's, or alone where its spelling tells it from
    a word."""
    bare = name.replace(".[@", "[@").replace("[@", ".").replace("]", "").lstrip(".")
    yield bare
    attribute = bare.rpartition(".")[2]
    if attribute != bare and is_name_like(attribute):
        yield attribute


def _index(harvests: dict[str, Harvest], postings: dict[str, tuple[str, ...]]) -> DocumentIndex:
    templates: dict[str, list[str]] = {}
    names = tuple(sorted(postings))
    for name in names:
        if "*" in name:
            pieces = name.split("*")
            literal = pieces[0].rstrip(".-")
            if literal and pieces[-1].strip(".-"):
                templates.setdefault(literal.split(".", 1)[0].split("-", 1)[0], []).append(name)
    return DocumentIndex(
        harvests, postings, names, {head: tuple(found) for head, found in templates.items()}
    )


def _names_of(harvest: Harvest) -> set[str]:
    return {mention.name for mention in harvest.mentions} | harvest.words.keys()


def _refs_in(path: str, harvest: Harvest, name: str) -> Iterator[DocumentRef]:
    """The places of one name in one document: its entries, or else its first place in text."""
    mentions = harvest.by_name.get(name, ())
    entries = [m for m in mentions if m.kind is MentionKind.ENTRY]
    for mention in entries[:_PER_DOCUMENT] or mentions[:1]:
        yield DocumentRef(
            path,
            mention.line,
            mention.column,
            mention.kind,
            mention.description,
            mention.default,
            mention.value,
            mention.active,
            mention.said,
        )
    if not mentions and name in harvest.words:
        line, column = harvest.words[name]
        yield DocumentRef(path, line, column, MentionKind.TEXT)


def _rank(ref: DocumentRef) -> tuple[bool, bool, bool, str, int, int]:
    return (
        ref.kind is not MentionKind.ENTRY,
        ref.description is None,
        ref.default is None,
        ref.path,
        ref.line,
        ref.column,
    )


def _best(refs: Iterator[DocumentRef]) -> tuple[DocumentRef, ...]:
    return tuple(nsmallest(MAX_REFERENCES, refs, key=_rank))


def _covers(pieces: list[str], name: str) -> bool:
    """Whether a name is made of the literal pieces in order with something between each two."""
    head, tail = pieces[0], pieces[-1]
    if len(pieces) < 2 or not name.startswith(head) or not name.endswith(tail):
        return False
    at, end = len(head), len(name) - len(tail)
    for piece in pieces[1:-1]:
        found = name.find(piece, at + 1, end)
        if found < 0:
            return False
        at = found + len(piece)
    return at < end
