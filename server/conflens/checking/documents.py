"""What documents and code say differently: other defaults, and options that code never reads.

An entry of a document is an option's own where the document lists it under exactly the option's name and lists options of this
project nearly throughout.  Documents of one version (a folder ``version-4.10.0``) are not compared.  A commented-out value is a
default only where the words beside it say so, and no comment tells the default of a key that is set to that of the code.  An entry is of an *unused* option only where that holds of the document, or of
the entries beside it in the same namespace, and where nothing in code could make the name: no option or pattern has it, no text
in code holds it, begins or ends it, and hardly any class of the project's own packages is missing from what is analysed.

Absent: what documents do not mention (``documentation``), keys of config files (``keys``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

import attrs

from conflens.base.paths import is_test_path
from conflens.base.span import Place
from conflens.base.text import Encoding, LineIndex
from conflens.checking import defaults as stated
from conflens.checking.namespaces import of_libraries, package_of
from conflens.checking.results import Code, Finding
from conflens.checking.subject import Subject
from conflens.documents import Harvest, Mention, MentionKind
from conflens.documents.names import is_name_like
from conflens.options.conflicts import is_bare
from conflens.options.model import Default, Option, OptionType
from conflens.options.secret_values import shown_value
from conflens.program.program import Program

_LISTS = ("-default.xml", ".md", ".markdown", ".adoc", ".asciidoc", ".properties")
_METADATA = "spring-configuration-metadata.json"
_TEMPLATE = re.compile(r"default|template|example|sample|\.dist\b", re.IGNORECASE)
_GONE = re.compile(
    r"deprecat|remov|no longer|not (?:used|supported|implemented|read)|unused|obsolete|ignored|replaced by"
    r"|has no effect|reserved|superseded",
    re.IGNORECASE,
)
_NOT_GIVEN = frozenset({"", "unspecified", "unknown", "undefined", "unset"})
"""Defaults that say that there is none."""
_VERSION = re.compile(
    r"(?:v|version[-_]?|release[-_]?)?\d+(?:[._]\d+)+(?:[._][x\d]+)?", re.IGNORECASE
)
_RESOURCES = "src/main/resources/"
_MOSTLY = 0.85
_FEW = 8
_MISSING = 0.01
_ENOUGH = 5
_PART = re.compile(r"[.\-_]")
_LITERAL = re.compile(rb"[A-Za-z0-9_.\-]{2,}")
_COUNTED = 32
"""From this length on a stored text has its length before it, which may look like a letter."""
_JOINTS = (b".", b"-", b"_")
_MOST = 200
_SHOWN = 60


def defaults(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield the defaults in one Java file that documents state otherwise."""
    options = {option.key: option for _, option in subject.options.reads_in.get(path, ())}
    for _, owners in subject.options.declarations_in.get(path, ()):
        options.update((option.key, option) for option in owners)
    references: dict[str, bool] = {}
    for option in options.values():
        code = _code_default(option)
        if code is None:
            continue
        here = [
            default
            for default in option.defaults
            if default.place.path == path
            and default.implied == code.implied
            and not stated.differ(option, code.text, default.text)
        ]
        if not here or not _is_given(here[0]) or _is_packaged(subject, option):
            continue
        for document, mention in _contradicting(subject, option, code, references)[:1]:
            name = document.rpartition("/")[2]
            if not mention.active:
                name = f"a comment in {name}"
            said = _shown(shown_value(option, mention.default or ""))
            text = _shown(shown_value(option, here[0].text))
            message = f"{option.name} defaults to {text} here, but {name} says {said}."
            place = _place(subject, document, mention)
            related = ((place, f"Default {said}."),) if place is not None else ()
            yield Finding(
                Code.DEFAULT_MISMATCH,
                here[0].place,
                message,
                option.name,
                (option.key,),
                related,
            )


def findings(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield what one document says otherwise than code, and the options in it that code never reads."""
    harvest = subject.documents.harvests.get(path)
    if harvest is None or is_test_path(path) or is_of_a_version(path):
        return
    text = subject.document_text(path)
    if text is None:
        return
    lines = LineIndex.of(text)
    names = subject.recognised.names
    entries = _entries(harvest)
    known = {name for name in entries if names.named(name)}
    yield from _otherwise(subject, path, lines, entries, known)
    if (path.endswith(_LISTS) or path.endswith(_METADATA)) and not _is_of_a_chart(subject, path):
        match = subject.recognised.match(path)
        counts = match is not None and match.counts
        settings = counts and path.endswith(".properties") and not _TEMPLATE.search(path)
        candidates = [
            name
            for name in _candidates(entries, known)
            if not _is_gone(entries[name]) and not (settings and entries[name].active)
        ]
        yield from _unused(subject, path, lines, entries, candidates)


def _is_of_a_chart(subject: Subject, path: str) -> bool:
    """Tell whether a document lies beside a Helm chart, whose templates take the values that it lists."""
    chart = f"{path.rpartition('/')[0]}/Chart.yaml".removeprefix("/")
    return chart in subject.documents.harvests


def _entries(harvest: Harvest) -> dict[str, Mention]:
    """Return the first entry of each name."""
    found: dict[str, Mention] = {}
    for mention in harvest.mentions:
        if mention.kind is MentionKind.ENTRY:
            found.setdefault(mention.name, mention)
    return found


def _place(
    subject: Subject, path: str, mention: Mention, lines: LineIndex | None = None
) -> Place | None:
    if lines is None:
        text = subject.document_text(path)
        if text is None:
            return None
        lines = LineIndex.of(text)
    start = lines.offset(mention.line - 1, mention.column - 1, Encoding.UTF32)
    return Place(path, start, min(start + len(mention.name.encode()), len(lines.text)))


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


# -- defaults ------------------------------------------------------------------------------------------


def _code_default(option: Option) -> Default | None:
    """Return the one default that code gives; ``None`` where it gives several, or nothing that can be compared."""
    if option.pattern or option.conflict or option.type is OptionType.PASSWORD:
        return None
    found = [default for default in option.defaults if not is_test_path(default.place.path)]
    found = [default for default in found if not default.implied] or found
    if not found or not option.reads:
        return None
    first = found[0]
    if not _is_given(first):
        return None
    if any(stated.differ(option, first.text, other.text) for other in found[1:]):
        return None
    return first


def _is_given(default: Default) -> bool:
    return default.text.strip().lower() not in _NOT_GIVEN


def _is_packaged(subject: Subject, option: Option) -> bool:
    """Tell whether a config file that the program is built with sets an option: that is what users get, not the default.

    A file that states defaults (``core-default.xml``) is a document all the same.
    """
    return any(
        f"/{_RESOURCES}" in f"/{path}" and _sets(subject.documents.harvests[path], option.name)
        for path in subject.documents.postings.get(option.name, ())
    )


def _sets(harvest: Harvest, name: str) -> bool:
    entries = harvest.by_name.get(name, ())
    return any(
        mention.active and mention.value is not None and mention.default is None
        for mention in entries
    )


def _contradicting(
    subject: Subject, option: Option, code: Default, references: dict[str, bool]
) -> list[tuple[str, Mention]]:
    """Return the entries that state another default, none where some state the same; ``references`` keeps by document
    whether it is one."""
    found: list[tuple[str, Mention]] = []
    if option.type is OptionType.PORT and code.text.strip() == "-1":
        return found  # no port: the code goes on with another
    for path in subject.documents.postings.get(option.name, ()):
        if not subject.recognised.belongs(option, path):
            continue
        harvest = subject.documents.harvests[path]
        if path not in references:
            references[path] = not (is_test_path(path) or is_of_a_version(path)) and _is_reference(
                subject, harvest
            )
        if not references[path] or _is_on_another(subject, option, harvest):
            continue
        if code.implied and path in subject.config_files:
            return []  # what it sets is what users get, so that the method's own default has no effect
        for mention in harvest.by_name.get(option.name, ()):
            if mention.kind is not MentionKind.ENTRY or mention.default is None:
                continue
            if not mention.active and not _says_default(mention):
                continue
            if not stated.differ(option, code.text, mention.default) or _sets_it(mention, code):
                return []
            found.append((path, mention))
    return found


def _is_on_another(subject: Subject, option: Option, harvest: Harvest) -> bool:
    """Tell whether an option of a single word is listed by a document all of whose other options are those of other files of code:
    several components may each have such an option."""
    if not is_bare(option.name):
        return False
    names = subject.recognised.names
    entries = [name for name in _entries(harvest) if name != option.name][:_MOST]
    others = [one for name in entries for one in names.named(name)]
    return bool(others) and _files(option).isdisjoint(
        file for one in others for file in _files(one)
    )


def _files(option: Option) -> frozenset[str]:
    declared = (one.place.path for one in option.declarations)
    return frozenset((*declared, *(read.place.path for read in option.reads)))


def _sets_it(mention: Mention, code: Default) -> bool:
    """Tell whether a file sets the default of the code, so that the comment above is about another key of its group."""
    value = mention.value if mention.active else None
    return value is not None and value.strip().lower() == code.text.strip().lower()


def is_of_a_version(path: str) -> bool:
    """Tell whether a document lies in the folder of one version: it is right for that one."""
    return any(_VERSION.fullmatch(folder) for folder in path.split("/")[:-1])


def _says_default(mention: Mention) -> bool:
    """Tell whether the words beside a commented-out value call it the default: it may be an example as well."""
    value = re.escape((mention.default or "").strip())
    said = rf"default(?:s|ing)?\b(?: value)?\s*(?:is|to|of|:|=|\()?\s*[`'\"]?{value}(?!\w|\.\d)"
    return re.search(said, (mention.description or "")[:2_000], re.IGNORECASE) is not None


def _is_reference(subject: Subject, harvest: Harvest) -> bool:
    """Tell whether a document lists options of this project throughout: most of the names that it lists are such."""
    names = subject.recognised.names
    entries = [name for name in _entries(harvest) if is_name_like(name)][:_MOST]
    return sum(bool(names.named(name)) for name in entries) * 2 >= len(entries)


def _otherwise(
    subject: Subject,
    path: str,
    lines: LineIndex,
    entries: dict[str, Mention],
    known: set[str],
) -> Iterator[Finding]:
    references: dict[str, bool] = {}
    for name in sorted(known):
        options = [
            option for option in subject.recognised.names.named(name) if option.name == name
        ]
        if len({option.key for option in options}) != 1 or entries[name].default is None:
            continue
        option = options[0]
        code = _code_default(option)
        if code is None or _is_packaged(subject, option):
            continue
        for document, mention in _contradicting(subject, option, code, references):
            place = _place(subject, path, mention, lines) if document == path else None
            if place is not None:
                stated_here = _shown(shown_value(option, mention.default or ""))
                in_code = _shown(shown_value(option, code.text))
                yield Finding(
                    Code.DEFAULT_MISMATCH,
                    place,
                    f"{name} defaults to {stated_here} here, but to {in_code} in code.",
                    name,
                    (option.key,),
                    ((code.place, f"Default {in_code}."),),
                )


# -- unused options ------------------------------------------------------------------------------------


def _unused(
    subject: Subject,
    path: str,
    lines: LineIndex,
    entries: dict[str, Mention],
    candidates: list[str],
) -> Iterator[Finding]:
    if not candidates or not is_seen_whole(subject.program):
        return
    texts, libraries = literals(subject.program), of_libraries(subject.program)
    for name in candidates:
        if texts.may_make(name) or package_of(name) in libraries:
            continue
        place = _place(subject, path, entries[name], lines)
        if place is not None:
            message = f"Nothing in the code of this project reads {name}."
            yield Finding(Code.UNUSED_OPTION, place, message, name)


def _candidates(entries: dict[str, Mention], known: set[str]) -> Iterator[str]:
    """Yield the names that are no options, though nearly all names beside them are."""
    listed = [name for name in entries if "*" not in name and is_name_like(name)]
    if len(listed) < _ENOUGH:
        return
    overall = sum(name in known for name in listed) >= _MOSTLY * len(listed)
    total: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for name in listed:
        total[_namespace(name)] += 1
        read[_namespace(name)] += name in known
    for name in listed:
        space = _namespace(name)
        if name in known or len(_PART.split(name)) < 2 or not read[space]:
            continue
        if overall or (total[space] >= _FEW and read[space] >= _MOSTLY * total[space]):
            yield name


def _namespace(name: str) -> str:
    return ".".join(name.split(".")[:2]) if name.count(".") > 1 else name.split(".")[0]


def _is_gone(mention: Mention) -> bool:
    return mention.description is not None and _GONE.search(mention.description) is not None


def is_seen_whole(program: Program) -> bool:
    """Tell whether hardly a class of the project's own packages is missing: else other code, in another language perhaps,
    reads options as well."""
    packages = {facts.package for facts in program.files.values()}
    missing: set[str] = set()
    for facts in program.files.values():
        for imported in facts.imports:
            if imported.on_demand or imported.static or program.type(imported.name) is not None:
                continue
            if imported.name.rpartition(".")[0] in packages:
                missing.add(imported.name)
    return len(missing) <= _MISSING * len(program.files)


@attrs.frozen
class Literals:
    """The name-like parts of all texts in code.  ``beginnings`` end in a separator, ``ends`` begin with one, ``middles`` do
    both around at least two parts."""

    whole: frozenset[bytes]
    beginnings: frozenset[bytes]
    ends: frozenset[bytes]
    middles: frozenset[bytes] = frozenset()

    def may_make(self, name: str) -> bool:
        """Tell whether texts in code hold a name, or a beginning of two parts, an end of one, or the middle that it may be made of."""
        key = name.encode()
        if key in self.whole:
            return True
        cuts = [match.start() for match in _PART.finditer(name)]
        if any(key[: cut + 1] in self.beginnings for cut in cuts[1:]):
            return True
        if any(key[cut:] in self.ends for cut in cuts):
            return True
        return any(key[one : two + 1] in self.middles for one, two in combinations(cuts, 2))


def literals(program: Program) -> Literals:
    """Return the texts of a program: linear in its size."""
    whole: set[bytes] = set()
    for facts in program.files.values():
        for data in (*facts.bodies, *_annotations(facts.members), *_annotations(facts.types)):
            whole.update(_LITERAL.findall(data))
    for text in [text for text in whole if len(text) > _COUNTED]:
        whole.add(text[1:])
    for text in [text for text in whole if text[:1] == b"-" or text[-1:] == b"."]:
        whole.add(text.lstrip(b"-").removeprefix(b"D").rstrip(b"."))
    beginnings = frozenset(text for text in whole if text[-1:] in _JOINTS)
    ends = frozenset(text for text in whole if text[:1] in _JOINTS)
    middles = frozenset(text for text in beginnings & ends if text.count(b".") > 2)
    return Literals(frozenset(whole), beginnings, ends, middles)


def _annotations(declared: Iterable[object]) -> Iterator[bytes]:
    for one in declared:
        for annotation in getattr(one, "annotations", ()):
            yield annotation.code
