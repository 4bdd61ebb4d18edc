"""What names in placeholders stand for: a value with its references resolved, and the cycles among them.

``placeholders`` has the words and says what is reported; here values are looked up.  Invariants: see there; a resolver
serves one question or the findings of one file, and keeps what it found for that long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import attrs

from conflens.checking.placeholder_syntax import (
    ANY,
    LOOKUP,
    NAME,
    Reference,
    Template,
    references,
    template,
)
from conflens.checking.recognition import Match, Recognised
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Kind, Value

MAX_DEPTH = 32
MAX_STEPS = 500
MAX_TEXT = 4096
_MAX_VISITED = 20_000
_MAX_WAY = 200
"""A longer cycle is not found."""
_MAX_SHOWN = 8
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*+")
_SECRET = re.compile(r"password|passwd|secret|token|credential|api-?key|passphrase", re.IGNORECASE)
PLAIN = (Format.ENVIRONMENT, Format.ARGUMENTS)

Node = tuple[str, int]
"""An assignment: path and start of its key."""


@attrs.frozen
class Resolution:
    """What a value comes to.  ``text`` has every reference that could be resolved replaced, the others as they are written;
    ``complete`` says whether all were.  ``missing`` are names without a value, ``cycle`` the names of a way back to itself,
    first and last the same.  ``sources`` are the assignments that values were taken from, ``defaults`` the names for which a
    default written in a reference was, with that default."""

    text: str
    complete: bool
    missing: tuple[str, ...] = ()
    cycle: tuple[str, ...] = ()
    sources: tuple[tuple[str, Assignment], ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()


class Resolver:
    """Looks names up and keeps what it found; for one question or one file."""

    def __init__(self, recognised: Recognised) -> None:
        self.recognised = recognised
        self.rows = {row.domain: row.placeholders for row in recognised.rows if row.placeholders}
        self.files = recognised.files
        self.steps = MAX_STEPS
        self._separators: dict[str, str] = {}
        self._done: dict[Node, Resolution] = {}
        self._templates: dict[tuple[str, str], Template] = {}
        self._supplied: dict[str, bool] = {}
        self._set: dict[tuple[str, str, str], tuple[str, Assignment] | None] = {}
        self._names: dict[str, dict[int, str]] = {}

    def resolving(self, match: Match) -> frozenset[str]:
        """The separators of the domains of a file that surely resolve references."""
        return frozenset(self.rows[domain] for domain in match.domains if domain in self.rows)

    def separator(self, path: str) -> str:
        """What stands before defaults in a file; where nothing tells, any."""
        found = self._separators.get(path)
        if found is None:
            match = self.recognised.match(path)
            file = self.files.get(path)
            fitting = self.resolving(match) if match else frozenset()
            found = next(iter(fitting)) if len(fitting) == 1 else ANY
            found = ":-" if file is None or file.format in PLAIN else found
            self._separators[path] = found
        return found

    def template(self, path: str, value: Value) -> Template:
        """A value of a file in parts."""
        separator = self.separator(path)
        found = self._templates.get((separator, value.text))
        if found is None:
            found = template(value.text, separator)
            self._templates[separator, value.text] = found
        return found

    def resolve(
        self, path: str, assignment: Assignment, active: tuple[Node, ...], depth: int
    ) -> Resolution:
        node = (path, assignment.key.start)
        done = self._done.get(node)
        if done is not None:
            return done
        value = assignment.value
        file = self.files.get(path)
        if value is None:
            return Resolution("", False)
        quoted = value.style == "'" and file is not None and file.format in PLAIN
        quoted = quoted or (file is not None and file.format is Format.HOCON and bool(value.style))
        if quoted or "${" not in value.text:
            return Resolution(value.text[:MAX_TEXT], len(value.text) <= MAX_TEXT)
        if depth >= MAX_DEPTH:
            return Resolution(value.text[:MAX_TEXT], False)
        written = self.template(path, value)
        result = self._filled(written, path, assignment, (*active, node), depth)
        if not result.cycle and (result.complete or depth == 0 or result.missing):
            self._done[node] = result
        return result

    def _filled(
        self,
        written: Template,
        path: str,
        assignment: Assignment,
        active: tuple[Node, ...],
        depth: int,
    ) -> Resolution:
        texts: list[str] = []
        size = 0
        complete = not written.cut
        defaults: dict[tuple[str, str], None] = {}
        missing: list[str] = []
        cycle: tuple[str, ...] = ()
        sources: dict[Node, tuple[str, Assignment]] = {}
        for part in written.parts:
            if isinstance(part, str):
                text = part
            else:
                one = self._reference(part, path, assignment, active, depth)
                text = one.text
                complete = complete and one.complete
                defaults.update(dict.fromkeys(one.defaults))
                missing += one.missing
                cycle = cycle or one.cycle
                for source in one.sources:
                    sources[source[0], source[1].key.start] = source
            size += len(text)
            if size > MAX_TEXT:
                texts.append(text[: max(0, MAX_TEXT - size + len(text))])
                complete = False
                break
            texts.append(text)
        found = tuple(dict.fromkeys(missing))
        return Resolution(
            "".join(texts), complete, found, cycle, tuple(sources.values()), tuple(defaults)
        )

    def _reference(
        self,
        one: Reference,
        path: str,
        assignment: Assignment,
        active: tuple[Node, ...],
        depth: int,
    ) -> Resolution:
        self.steps -= 1
        named = self._filled(one.name, path, assignment, active, depth)
        if named.complete and LOOKUP.fullmatch(named.text):
            if one.default is None:
                return Resolution(one.written, False)
            default = self._filled(one.default, path, assignment, active, depth)
            return _defaulted(named.text.partition(":")[2], default)
        if self.steps < 0 or not named.complete or not NAME.fullmatch(named.text):
            missing = named.missing if self.steps >= 0 else ()
            return Resolution(one.written, False, missing, named.cycle)
        name = named.text
        source = self.find(path, assignment, name)
        if source is not None:
            node = (source[0], source[1].key.start)
            if node in active:
                names = [self._name(step) for step in active[active.index(node) :]]
                return Resolution(one.written, False, cycle=(*names, names[0]))
            inner = self.resolve(*source, active, depth + 1)
            text = inner.text if inner.complete else one.written
            return attrs.evolve(inner, text=text, sources=(*named.sources, source, *inner.sources))
        if one.default is not None and not self._ambiguous(path, name):
            default = self._filled(one.default, path, assignment, active, depth)
            default = attrs.evolve(default, sources=(*named.sources, *default.sources))
            return _defaulted(name, default)
        return Resolution(one.written, False, (name,))

    def _name(self, node: Node) -> str:
        names = self._names.get(node[0])
        if names is None:
            assignments = reversed(self.files[node[0]].assignments)
            names = self._names[node[0]] = {one.key.start: one.name for one in assignments}
        return names[node[1]]

    def find(self, path: str, assignment: Assignment, name: str) -> tuple[str, Assignment] | None:
        """Return what surely sets a name for a reader of this assignment; ``None`` where nothing or more than one does."""
        key = path, assignment.condition, name
        if key not in self._set:
            self._set[key] = self._found(path, assignment, name)
        return self._set[key]

    def _found(
        self, path: str, assignment: Assignment, name: str
    ) -> tuple[str, Assignment] | None:
        file = self.files.get(path)
        own = [one for one in file.by_name.get(name, ()) if _scalar(one)] if file else []
        for condition in dict.fromkeys((assignment.condition, "")):
            fitting = [one for one in own if one.condition == condition]
            if fitting:
                return path, fitting[-1]
        if own:
            return None
        others = [
            (other, fitting[-1])
            for other in self.recognised.holders.get(name, ())
            if other != path
            and (
                fitting := [
                    one
                    for one in self.files[other].by_name.get(name, ())
                    if _scalar(one) and not one.condition
                ]
            )
        ]
        texts = {one.value.text for _, one in others if one.value is not None}
        return others[0] if len(texts) == 1 else None

    def _ambiguous(self, path: str, name: str) -> bool:
        return name in self.recognised.holders or name in self.files[path].by_name

    def given(self, path: str, name: str) -> bool:
        """Whether something may give a name a value."""
        bare = name.partition("[")[0]
        if self.supplied(bare):
            return True
        if not self.recognised.written.isdisjoint((name, bare)):
            return True
        if self.recognised.names.named(name):
            return True
        if self._relaxed(path) and _fold(bare) in self.recognised.folded:
            return True
        return bare in self.recognised.sections

    def supplied(self, name: str) -> bool:
        """Whether a name may come from outside of the project's config files."""
        found = self._supplied.get(name)
        if found is None:
            folded = name.lower()
            found = (
                _VARIABLE.fullmatch(name) is not None
                or self.recognised.reserved.holds(name)
                or any(
                    folded == one.lower() or folded.startswith(f"{one.lower()}.")
                    for row in self.recognised.rows
                    for one in row.supplied
                )
            )
            self._supplied[name] = found
        return found

    def near(self, match: Match, name: str) -> tuple[str, ...]:
        """Return the names that may be meant by one that nothing sets, most likely first."""
        if len(name) < 4:
            return ()
        sizes = (len(name), len(name) - 1, len(name) + 1)
        by_size = self.recognised.by_size
        keys = (key for size in sizes for key in by_size.get(size, ()) if _one_typo(name, key))
        options = (
            one.name
            for one in self.recognised.names.near(name, match.domains)
            if one.surely and "*" not in one.name
        )
        return tuple(dict.fromkeys((*sorted(set(keys)), *options)))[:3]

    def own(self, match: Match, name: str) -> bool:
        """Whether a name lies in a namespace of this project, and is no secret that is kept elsewhere."""
        if _SECRET.search(name):
            return False
        if any(name.startswith(prefix) for prefix in match.known):
            return True
        parent = name.rpartition(".")[0]
        if not parent:
            return False
        if self.recognised.sections.get(parent):
            return True
        inner = parent + "."
        options = self.recognised.names.below(inner, match.domains)
        return any("." not in option.name[len(inner) :] for option in options)

    def _relaxed(self, path: str) -> bool:
        match = self.recognised.match(path)
        return match is not None and bool(match.domains & self.recognised.names.relaxed)

    def cycles(self, path: str, file: ConfigFile) -> Mapping[Node, tuple[str, ...]]:
        """Return the cycles that assignments of a file lie on: the names from each around to itself."""
        found: dict[Node, tuple[str, ...]] = {}
        finished: set[Node] = set()
        for assignment in file.assignments:
            if len(finished) > _MAX_VISITED:
                break
            self._walk(path, assignment, finished, found)
        return found

    def _walk(
        self,
        path: str,
        assignment: Assignment,
        finished: set[Node],
        found: dict[Node, tuple[str, ...]],
    ) -> None:
        """Go along the references from one assignment, depth first, on a stack of its own."""
        start = (path, assignment.key.start)
        if start in finished or not _scalar(assignment):
            return
        way = {start: assignment.name}
        stack = [(start, self._steps(path, assignment))]
        while stack:
            node, steps = stack[-1]
            following = next(steps, None)
            if following is None:
                stack.pop()
                del way[node]
                finished.add(node)
                continue
            after = (following[0], following[1].key.start)
            if after in way:
                nodes = list(way)
                around = nodes[nodes.index(after) :]
                names = [way[one] for one in around]
                if not self._excused(path, names):
                    for number, one in enumerate(around):
                        found.setdefault(one, _turned(names, number))
            elif after not in finished and len(way) < _MAX_WAY:
                way[after] = following[1].name
                stack.append((after, self._steps(*following)))

    def _excused(self, path: str, names: list[str]) -> bool:
        """Whether a cycle may be none: a name comes from elsewhere, or HOCON looks back at an earlier value."""
        if len(names) == 1 and self.files[path].format is Format.HOCON:
            return True
        scripts = [file for file in self.files.values() if file.format in PLAIN]
        return any(
            self.supplied(name) or any(name in file.by_name for file in scripts) for name in names
        )

    def _steps(self, path: str, assignment: Assignment) -> Iterator[tuple[str, Assignment]]:
        """The assignments that a value refers to without doubt, its defaults left out."""
        value = assignment.value
        if value is None or "${" not in value.text:
            return
        hocon = self.files[path].format is Format.HOCON
        if (hocon and value.style) or (value.style == "'" and self.files[path].format in PLAIN):
            return
        for one in references(self.template(path, value), defaults=False):
            name = one.name.text("")
            if one.static and NAME.fullmatch(name):
                following = self.find(path, assignment, name)
                if following is not None:
                    yield following


def _defaulted(name: str, default: Resolution) -> Resolution:
    return attrs.evolve(default, defaults=((name, default.text), *default.defaults))


def _turned(names: list[str], first: int) -> tuple[str, ...]:
    """A cycle from one of its names around to it, a long one shortened."""
    shown = [names[(first + step) % len(names)] for step in range(min(len(names), _MAX_SHOWN))]
    return (*shown, *(["…"] if len(names) > _MAX_SHOWN else []), shown[0])


def _scalar(one: Assignment) -> bool:
    return one.kind is Kind.SCALAR and one.value is not None


def _fold(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def _one_typo(name: str, other: str) -> bool:
    """Whether one typo lies between two names: case and separators, or a letter left out, put in, mistaken or swapped."""
    if abs(len(name) - len(other)) > 1 or name == other:
        return False
    if _fold(name) == _fold(other):
        return True
    start = 0
    while start < min(len(name), len(other)) and name[start] == other[start]:
        start += 1
    left, right = name[start:], other[start:]
    return (
        left[1:] == right[1:]
        or left[1:] == right
        or left == right[1:]
        or (left[:2] == right[1::-1] and left[2:] == right[2:])
    )
