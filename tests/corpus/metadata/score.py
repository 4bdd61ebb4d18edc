"""Names, types and defaults against the metadata that published artifacts carry.

A jar with ``META-INF/spring-configuration-metadata.json`` was given it by an annotation processor, which saw the whole
class path.  The metadata is the truth for what ConfLens says of the artifact's ``-sources`` jar alone, whose own metadata
is taken away first.

*Counted* are the properties that the processor derived from a class of that jar (``sourceType``), whose member is declared
in the class or in a superclass of the same jar, whose prefix is stated in that jar too (Micronaut's is inherited), and that are not removed
(deprecation level ``error``).  A default is compared wherever the metadata has one that is no zero in place of an
expression that the processor did not evaluate, also where a hand-written file added
it.  A property of a class with members counts as found where these are.

``python -m corpus.metadata.score [--seed N] [--skip N] [--count N] [--artifacts NAME ...] [--verbose]`` draws by lot from
``artifacts.txt`` (artifacts that lack metadata or sources are passed over) and prints one line for each and for all.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from conflens.options.model import Option
from conflens.render.option_view import defaults_of
from conflens.session.analysis import Analysis
from corpus.fetch import CORPUS, FetchError, binary, sources, unpack
from corpus.scan import analyse

LIST = Path(__file__).resolve().parent / "artifacts.txt"
METADATA = "META-INF/spring-configuration-metadata.json"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
LEAST = 5
"""Artifacts with fewer properties are passed over."""

RIGHT, MISSING, WRONG, UNSTATED = "right", "missing", "wrong", "unstated"

_NUMBERS = frozenset({"integer", "time", "size", "port"})
_TEXTS = frozenset({"string", "password", "uri", "file", "address", "class", "regex", "mode"})
_ANY = _TEXTS | {"list"}
_TYPES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("java.lang.Boolean", "boolean"), frozenset({"boolean"})),
    **dict.fromkeys(
        (
            "java.lang.Integer", "java.lang.Long", "java.lang.Short", "java.lang.Byte", "java.math.BigInteger",
            "int", "long", "short", "byte", "java.util.concurrent.atomic.AtomicInteger",
        ),
        _NUMBERS,
    ),
    **dict.fromkeys(
        ("java.lang.Double", "java.lang.Float", "java.math.BigDecimal", "double", "float"),
        frozenset({"fraction", "time"}),
    ),
    **dict.fromkeys(("java.time.Duration", "java.time.Period"), frozenset({"time"})),
    "org.springframework.util.unit.DataSize": frozenset({"size"}),
    "java.lang.Class": frozenset({"class"}),
    **dict.fromkeys(
        ("java.io.File", "java.nio.file.Path", "org.springframework.core.io.Resource"), frozenset({"file", "uri"})
    ),
    **dict.fromkeys(("java.net.URI", "java.net.URL"), frozenset({"uri"})),
    **dict.fromkeys(("java.net.InetAddress", "java.net.InetSocketAddress"), frozenset({"address"})),
    "java.util.regex.Pattern": frozenset({"regex"}),
    "java.lang.String": _TEXTS,
    "java.lang.Object": _ANY | _NUMBERS | {"boolean", "fraction"},
    "char[]": _TEXTS,
}  # fmt: skip
_COLLECTION = re.compile(
    r"(?:java\.util\.(?:\w*List|\w*Set|Collection)|java\.lang\.Iterable)(?:<(.*)>)?\Z"
)
_MAP = re.compile(r"java\.util\.(?:concurrent\.)?(?:\w*Map|Properties)(?:<(.*)>)?\Z")
_ZEROS = frozenset({"0", "0.0", "false"})
_UNITS = {
    "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 7 * 86400,
    "": 1, "b": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30, "tb": 2**40,
}  # fmt: skip
_AMOUNT = re.compile(r"([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*([a-z]*)\Z")
_ISO = re.compile(r"p(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)s)?)?\Z")


@attrs.frozen
class Property:
    """One counted entry of the metadata; ``default`` is ``None`` where none is compared."""

    name: str
    type: str
    default: str | None


@attrs.frozen
class Verdict:
    """What was reported for one property, and how right it is; ``option`` is ``None`` where none was."""

    property: Property
    option: Option | None
    type: str
    default: str


@attrs.frozen
class Result:
    """The verdicts on one artifact."""

    artifact: str
    verdicts: tuple[Verdict, ...]


def artifacts() -> list[str]:
    """Return the list."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def lot(seed: int) -> list[str]:
    """Return the list in the order in which ``seed`` draws it."""
    drawn = sorted(artifacts())
    random.Random(seed).shuffle(drawn)
    return drawn


def prepare(artifact: str) -> tuple[Path, list[Property]] | None:
    """Fetch; return the sources without metadata and what is counted, ``None`` where that is too little."""
    try:
        jar, source = binary(artifact), sources(artifact)
    except FetchError:
        return None
    folder = CORPUS / "metadata" / "-".join(artifact.split(":")[1:])
    entries = _metadata(jar)
    if len(entries) < LEAST:
        return None
    if not folder.is_dir():
        unpack(source, folder)
        for name in (
            "spring-configuration-metadata.json",
            "additional-spring-configuration-metadata.json",
        ):
            for found in folder.rglob(name):
                found.unlink()
        for found in folder.glob("META-INF/spring"):
            shutil.rmtree(found)
    counted = list(_counted(entries, folder))
    return (folder, counted) if len(counted) >= LEAST else None


def score(artifact: str) -> Result | None:
    """Fetch, scan and compare; ``None`` where the artifact has too little metadata or no sources."""
    prepared = prepare(artifact)
    if prepared is None:
        return None
    folder, counted = prepared
    return Result(artifact, tuple(judge(analyse(folder), counted)))


def _metadata(jar: Path) -> list[dict[str, Any]]:
    found = _read(jar, METADATA)
    return list(found.get("properties", ())) if found else []


def _read(jar: Path, name: str) -> dict[str, Any] | None:
    with zipfile.ZipFile(jar) as archive:
        if name not in archive.namelist():
            return None
        table: dict[str, Any] = json.loads(archive.read(name))
        return table


def _counted(entries: list[dict[str, Any]], folder: Path) -> Iterator[Property]:
    members = _Members(folder)
    seen: set[str] = set()
    for entry in entries:
        name, owner = entry["name"], entry.get("sourceType", "")
        removed = entry.get("deprecation", {}).get("level") == "error"
        if not owner or removed or name in seen or not members.holds(owner, name):
            continue
        seen.add(name)
        default = entry.get("defaultValue")
        text = None if default is None else _written(default)
        if text in _ZEROS and members.is_computed(owner, name):
            text = None
        yield Property(name, entry.get("type", ""), text)


def _written(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(_written(item) for item in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


class _Members:
    """Which members the source of a class and of its superclasses in the same folder declares."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files = {path.stem: path for path in folder.rglob("*.java")}
        self._declared: dict[Path, frozenset[str]] = {}
        self._texts: dict[Path, str] = {}
        self._prefixed: dict[Path, bool] = {}

    def holds(self, owner: str, name: str) -> bool:
        """Tell whether a member for the property ``name``, and the prefix of ``owner``, stand in this folder."""
        top = self._file(owner)
        if top is None or not self._prefix_known(top):
            return False
        last = re.sub(r"[-_.*\[\]]", "", name.rpartition(".")[2]).lower()
        return any(last in self._members(path) for path in self._chain(top))

    def is_computed(self, owner: str, name: str) -> bool:
        """Tell whether a member is given an arithmetic expression: the processor writes zero for what it cannot evaluate."""
        top = self._file(owner)
        last = re.sub(r"[-_.*\[\]]", "", name.rpartition(".")[2]).lower()
        return top is not None and any(
            word.lower() == last and re.search(r"[*/+]|<<", given)
            for path in self._chain(top)
            for word, given in re.findall(r"[\w>\]]\s+(\w+)\s*=\s*([^;{}\"]+);", self._text(path))
        )

    def _file(self, owner: str) -> Path | None:
        names = owner.replace("$", ".").split(".")
        for count in range(len(names), 0, -1):
            path = self.folder / ("/".join(names[:count]) + ".java")
            if path.is_file():
                return path
        return None

    def _text(self, path: Path) -> str:
        if path not in self._texts:
            text = path.read_text(encoding="utf-8", errors="replace")
            self._texts[path] = _COMMENT.sub(" ", text)
        return self._texts[path]

    def _prefix_known(self, path: Path) -> bool:
        """Tell whether the constants that the annotation on a class names are declared in the folder."""
        if path not in self._prefixed:
            names = set()
            for given in re.findall(r"@ConfigurationProperties\(([^)]*)\)", self._text(path)):
                for part in re.sub(r'"[^"]*"|\b\w+\s*=', " ", given).replace("+", " ").split():
                    if part.strip(",") not in ("", "true", "false"):
                        names.add(part.strip(","))
            known = all(self._constant(name) for name in names)
            self._prefixed[path] = known and not self._inherits_prefix(path)
        return self._prefixed[path]

    def _inherits_prefix(self, path: Path) -> bool:
        """Tell whether Micronaut prepends the prefix of a superclass that another jar holds."""
        text = self._text(path)
        annotated = re.search(
            r"@(?:ConfigurationProperties|EachProperty)\b[^{]*?\bclass\s+\w+\s+extends\s+(\w+)",
            text,
        )
        return (
            annotated is not None
            and annotated[1] not in self._files
            and "import io.micronaut.context.annotation." in text
        )

    def _constant(self, named: str) -> bool:
        """Tell whether a constant is declared in the folder: in the class that stands before it, if one does."""
        owner, _, name = named.rpartition(".")
        owner = owner.rpartition(".")[2]
        declared = re.compile(rf"\b{re.escape(name)}\s*=")
        around = re.compile(rf"\b(?:class|interface|enum|record)\s+{re.escape(owner)}\b")
        return any(
            declared.search(text) and (not owner or around.search(text))
            for text in map(self._text, self._files.values())
        )

    def _chain(self, path: Path) -> Iterator[Path]:
        seen: set[Path] = set()
        queue = [path]
        while queue:
            path = queue.pop()
            if path in seen:
                continue
            seen.add(path)
            yield path
            for parent in re.findall(r"\bextends\s+([\w.]+)", self._text(path)):
                simple = parent.rpartition(".")[2]
                if simple in self._files:
                    queue.append(self._files[simple])

    def _members(self, path: Path) -> frozenset[str]:
        """Return the lower-case names of fields, parameters and setters declared in a file."""
        if path not in self._declared:
            found = {
                word.lower() for word in re.findall(r"[\w>\]]\s+(\w+)\s*[;=,)]", self._text(path))
            }
            for word in re.findall(r"\b(?:set|get|is|with)([A-Z]\w*)\s*\(", self._text(path)):
                found.add(word.lower())
            self._declared[path] = frozenset(found)
        return self._declared[path]


# -- comparison ------------------------------------------------------------------------------------


def judge(analysis: Analysis, properties: list[Property]) -> Iterator[Verdict]:
    """Compare what a person is shown with the truth."""
    named: dict[str, list[Option]] = {}
    below: set[str] = set()
    for option in analysis.options.options:
        name = canonical(option.name)
        named.setdefault(name, []).append(option)
        parts = name.split(".")
        below.update(".".join(parts[:count]) for count in range(1, len(parts)))
    for property_ in properties:
        key = canonical(property_.name)
        options = named.get(key) or named.get(f"{key}.*") or []
        entries = not named.get(key) and bool(options)
        option = max(options, key=_filled, default=None)
        if option is None and key in below and not property_.type.startswith("java."):
            continue
        if option is None:
            yield Verdict(
                property_, None, MISSING, MISSING if property_.default is not None else UNSTATED
            )
            continue
        yield Verdict(
            property_,
            option,
            type_verdict(property_.type, option.type.value, entries),
            default_verdict(
                property_.default, [default.text for default in defaults_of(analysis, option)]
            ),
        )


def _filled(option: Option) -> tuple[bool, bool, int]:
    return option.type.value != "unknown", bool(option.defaults), len(option.declarations)


def canonical(name: str) -> str:
    """Return a name in the one spelling that Spring's relaxed binding reduces all others to."""
    return re.sub(r"[-_]", "", re.sub(r"\[\w*\]", ".*", name)).lower()


def type_verdict(expected: str, inferred: str, entries: bool = False) -> str:
    """Judge a type; ``entries``: the option reported is what stands below a map's own name."""
    if inferred == "unknown":
        return MISSING
    return RIGHT if inferred in _allowed(expected, entries) else WRONG


def _allowed(expected: str, entries: bool = False) -> frozenset[str]:
    if not expected:
        expected = "java.lang.Object"  # written by hand, without a type
    if expected in _TYPES:
        return _TYPES[expected]
    plain = expected.partition("<")[0]
    if plain in _TYPES:
        return _TYPES[plain]
    if collection := _COLLECTION.match(expected):
        return _allowed(collection[1] or "java.lang.Object") | {"list"}
    if expected.endswith("[]"):
        return _allowed(expected.removesuffix("[]")) | {"list"}
    if mapping := _MAP.match(expected):
        value = (mapping[1] or "java.lang.Object").partition(",")[2] or "java.lang.Object"
        return _allowed(value) if entries else _ANY
    return _ANY


def default_verdict(expected: str | None, stated: list[str]) -> str:
    """Judge a default; the metadata's way of writing enums, durations and sizes is not the source's."""
    if expected is None:
        return UNSTATED
    if not stated:
        return RIGHT if expected == "" else MISSING
    return RIGHT if any(_same(expected, text) for text in stated) else WRONG


def _same(expected: str, text: str) -> bool:
    one, other = _plain(expected), _plain(text)
    if one == other:
        return True
    first, second = _amounts(one), _amounts(other)
    return bool(first & second)


def _plain(text: str) -> str:
    text = text.strip().strip("[]").strip()
    return re.sub(
        r"\s*,\s*", ",", re.sub(r"[-_]", "", text) if not _number(text) else text
    ).lower()


def _number(text: str) -> bool:
    return re.match(r"[+-]?\d", text) is not None


def _amounts(text: str) -> set[float]:
    if match := _AMOUNT.match(text):
        if match[2] in _UNITS:
            return {float(match[1]) * _UNITS[match[2]]}
        return {float(match[1])} if match[2] in ("l", "f") else set()
    if (match := _ISO.match(text)) and text != "p":
        days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
        return {((days * 24 + hours) * 60 + minutes) * 60 + seconds}
    return set()


# -- report ----------------------------------------------------------------------------------------


def line(name: str, verdicts: list[Verdict]) -> str:
    """Return one line of figures."""
    names = sum(verdict.option is not None for verdict in verdicts)
    types = Counter(verdict.type for verdict in verdicts if verdict.option is not None)
    defaults = Counter(verdict.default for verdict in verdicts)
    stated = len(verdicts) - defaults[UNSTATED]
    return (
        f"{name:<48} names {_share(names, len(verdicts))}"
        f"  types right {_share(types[RIGHT], names)} wrong {types[WRONG]} unknown {types[MISSING]}"
        f"  defaults right {_share(defaults[RIGHT], stated)} missing {defaults[MISSING]} wrong {defaults[WRONG]}"
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole if whole else 1:.3f} ({part}/{whole})"


def _faults(result: Result) -> Iterator[str]:
    for verdict in result.verdicts:
        item, option = verdict.property, verdict.option
        if option is None:
            yield f"  name     {item.name}: {item.type}"
            continue
        if verdict.type != RIGHT:
            yield f"  type     {verdict.type:<8} {item.name}: {item.type}, reported {option.type.value} ({option.why})"
        if verdict.default in (MISSING, WRONG):
            texts = " | ".join(default.text for default in option.defaults)
            yield f"  default  {verdict.default:<8} {item.name}: {item.type} = {item.default!r}, reported {texts!r}"


def main() -> int:
    """Draw, score, print."""
    parser = argparse.ArgumentParser(prog="corpus.metadata.score", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0, help="leave out the first N that qualify")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument(
        "--artifacts", nargs="*", metavar="NAME", help="parts of names, instead of a lot"
    )
    parser.add_argument(
        "--verbose", action="store_true", help="print each property that is not right"
    )
    arguments = parser.parse_args()
    order = lot(arguments.seed)
    if arguments.artifacts:
        order = [item for item in order if any(part in item for part in arguments.artifacts)]
        arguments.count = len(order)
    results: list[Result] = []
    skipped = 0
    for artifact in order:
        if len(results) == arguments.count:
            break
        result = score(artifact) if skipped == arguments.skip else None
        if result is None and prepare(artifact) is None:
            print(f"{artifact}: passed over", file=sys.stderr, flush=True)
            continue
        if result is None:
            skipped += 1
            continue
        results.append(result)
        print(line(artifact.partition(":")[2], list(result.verdicts)), flush=True)
        if arguments.verbose:
            for text in _faults(result):
                print(text, flush=True)
    print(line("all", [verdict for result in results for verdict in result.verdicts]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
