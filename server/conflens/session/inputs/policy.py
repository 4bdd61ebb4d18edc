"""Which files of a project are analysed, and why the others are not.

The policy, in the order it is applied:

0. A link out of the project's folder is not followed unless the user names it: in ``[links] paths``, or as the start of a
   pattern of documents or config files.  What the operating system makes up (``/proc``) is never followed, and of what lies behind
   such links at most ``MOST_BEHIND`` files and folders are looked at.
1. Folders that are never sources are passed over without a word: hidden ones (``.git``, ``.idea``),
   ``node_modules``, ``__pycache__``.
2. What ``.gitignore`` files (at every level, the deepest first, ``!`` included) and
   ``.git/info/exclude`` name, and what ``[exclude] paths`` of ``.conflens.toml`` names, is left out.
3. A folder called ``target``, ``build``, ``out``, ``bin`` or ``dist`` is build output, and one called
   ``test``, ``tests``, ``*Test`` or ``test*`` in camel case holds tests, *unless it is a package*: the
   ``package`` line of a Java file below it says so (``src/main/java/org/x/build/Tool.java`` declares
   ``org.x.build``; ``target/generated/org/x/Y.java`` declares ``org.x``).  A folder called ``buildSrc``
   holds in the same way the code of a Gradle build, which is no part of the program.  Build output, code of
   the build and tests are left out; tests only unless ``include_tests``.  Scripts and config files in a
   ``bin`` without class files are nobody's output (``bin/jmeter.properties``) and stay.  The search for such
   a line stops after 200 folders.
4. Java files over 2 MB and documents over 2 MB are left out.
5. ``content_reason`` judges what only the content tells: NUL bytes (not text) and generated sources.
   Generated means a folder ``generated`` or ``generated-*``, or within the first 1,000 bytes a
   comment that says so or an ``@Generated`` annotation.  Generated sources are left out unless
   ``include_generated``: code generators write no option reads, and their files are half the bytes
   of some projects.

A config file that the user names (``named_files``) is left out by 0, [exclude] and 4 alone.

Of sources in other languages of the JVM, which are not read, only the paths are kept: they tell of classes.  So are those of tests in
these languages and of config files of tests, which a rename looks into.

Every Java file left out by 2 to 5 is a ``LeftOut``, and so is a folder or document left out by 0 or 2
and a document by 4; ``summary`` makes one line for each reason.
Invariant: a pure function of what ``System`` shows.  Absent: reading Java (only its package line).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from conflens.base.cancel import CancelToken
from conflens.base.globs import MOST_TRIED
from conflens.base.paths import is_test_source
from conflens.base.system import FileStat, System, check_own
from conflens.documents import is_document
from conflens.documents.configfiles.policy import may_be_config, may_be_config_of_tests
from conflens.session.analysis import NOTHING_UNREAD, LeftOut, Problem, Unread
from conflens.session.inputs.ignores import Ignores, lines_of
from conflens.session.inputs.named_files import NamedFiles, verdict_above

MAX_BYTES = 2_000_000
"""Java files and documents larger than this are left out."""

CODE = "ignore-file"
"""The code of problems with ignore files."""

TOO_LARGE = "larger than 2 MB"
IGNORED = "named in .gitignore"
EXCLUDED = "excluded by .conflens.toml"
BUILD_OUTPUT = "build output"
BUILD_CODE = "code of the build"
TESTS = "test sources"
GENERATED = "generated"
NOT_TEXT = "not text"
UNREADABLE = "cannot be read"
OUTSIDE = "a link out of the folder"
MADE_UP = "a link to what the operating system makes up"
MANY = "more than 10,000 files behind links out of the folder"
MOST_BEHIND = 10_000
"""Files and folders behind links out of the project's folder that are looked at."""

_LITERAL = re.compile(rb"'\0'|\"[^\"\0\n]{0,200}\0[^\"\n]{0,200}\"")
"""A literal in which the byte may stand that else tells that a file is no text."""

EXCLUDES = ".git/info/exclude"
"""What git ignores in one clone."""
_OTHER_LANGUAGES = (".scala", ".kt", ".groovy")
_NEVER = frozenset({"node_modules", "__pycache__"})
_BUILD = frozenset({"target", "build", "out", "bin", "dist"})
_BUILD_SOURCES = "buildSrc"
"""The folder in which Gradle keeps what only the build itself runs."""
_TEST = re.compile(r"tests?\Z|test[A-Z-]\w*\Z|[a-z]\w*Tests?\Z")
_SEARCHED_FOLDERS = 200
_ASKED_FILES = 5
_PACKAGE = re.compile(rb"^[ \t]*package[ \t]+([\w.$]+)[ \t]*;", re.MULTILINE)
_GENERATED_FOLDER = re.compile(r"(?:^|/)generated(?:-[\w-]+)?/")
_GENERATED_HEADER = re.compile(
    rb"do not (?:edit|modify)\b"
    rb"|^[ \t]*(?://|/?\*+)[ \t]*(?:this (?:file|class|code) (?:is|was|has been) )?"
    rb"(?:auto(?:matically)?[- ])?generated (?:by|from|with|using)\b"
    rb"|^[ \t]*@(?:[\w.]+\.)?Generated\b",
    re.IGNORECASE | re.MULTILINE,
)
_HEADER_BYTES = 1000

_Specs = Sequence[tuple[str, Ignores]]


@attrs.frozen
class Rules:
    """What a user can say about which files count."""

    exclude: tuple[str, ...] = ()
    """Patterns in the syntax of ``.gitignore``, from the root."""
    documents: tuple[str, ...] = ()
    """Patterns of further documents, beside those known by name."""
    configuration: tuple[str, ...] = ()
    """Patterns of config files, and with ``!`` of files that are none."""
    include_tests: bool = False
    include_generated: bool = False
    links: tuple[str, ...] = ()
    """Patterns of links out of the project's folder that are followed."""
    side_files: frozenset[str] = frozenset()
    """Names of files that say what sources cannot: how generated accessors are called, which modules there are."""


@attrs.frozen
class SourceFile:
    """A file to analyse; ``stat`` is what the walk saw."""

    path: str
    stat: FileStat


@attrs.frozen
class Discovered:
    """The files of a project, each list sorted by path."""

    java: tuple[SourceFile, ...]
    documents: tuple[SourceFile, ...]
    left_out: tuple[LeftOut, ...]
    side_files: tuple[SourceFile, ...] = ()
    problems: tuple[Problem, ...] = ()
    """What is wrong with ignore files."""
    entered: frozenset[str] = attrs.field(default=frozenset(), repr=False)
    """The folders that the walk entered, without a slash at the end."""
    links: frozenset[str] = attrs.field(default=frozenset(), repr=False)
    """The links out of the root that the walk followed, without a slash at the end."""
    unread: Unread = attrs.field(default=NOTHING_UNREAD, repr=False)


def discover_files(system: System, rules: Rules, token: CancelToken | None = None) -> Discovered:
    """Walk the project and sort its files; total, files that vanish meanwhile are not there.  Raises ``Cancelled``."""
    walk = _Walk(system, rules)
    walk.run(token or CancelToken())
    return walk.result()


def is_other_source(path: str) -> bool:
    """Tell whether a file may declare or name classes in another language of the JVM."""
    return path.endswith(_OTHER_LANGUAGES)


def is_paper(path: str) -> bool:
    """Tell whether a file is searched as a document or may be a config file, by its path alone."""
    return is_document(path) or may_be_config(path)


def content_reason(path: str, text: bytes) -> str:
    """Return why a Java file's content may keep it out, else nothing."""
    if b"\0" in text and b"\0" in _LITERAL.sub(b"", text):
        return NOT_TEXT
    if _GENERATED_FOLDER.search(path) or _GENERATED_HEADER.search(text[:_HEADER_BYTES]):
        return GENERATED
    return ""


def summary(left_out: Iterable[LeftOut]) -> tuple[str, ...]:
    """Return one line for each reason, the most frequent first: ``12 left out: generated``."""
    counts = Counter(item.reason for item in left_out)
    return tuple(
        f"{count} left out: {reason}"
        for reason, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )


def may_leave(path: str, size: int | None) -> bool:
    """Tell whether only a walk can judge if a known file still counts, now that it has so many bytes (``None``: it is gone).

    It may have grown too large, or may have told by its package that a folder called ``build`` or ``test`` is no such thing.
    """
    if size is not None and size > MAX_BYTES:
        return True
    folders = path.split("/")[:-1]
    return path.endswith(".java") and any(
        name in _BUILD
        or name == _BUILD_SOURCES
        or _is_test("/".join((*folders[:number], "")), name)
        for number, name in enumerate(folders)
    )


def _is_test(prefix: str, name: str) -> bool:
    """Tell whether a folder is called as those of tests are."""
    below_sources = prefix == "src/" or prefix.endswith("/src/")
    return bool(_TEST.match(name)) or (below_sources and is_test_source(name))


def is_passed_over(path: str) -> bool:
    """Tell whether a file lies in a folder that no walk enters unless the user names it; git's own exclude file is not among them."""
    return path != EXCLUDES and any(
        name.startswith(".") or name in _NEVER for name in path.split("/")[:-1]
    )


def tells_of_folder(path: str) -> bool:
    """Tell whether a file says what a folder is: a class in a ``bin`` says that a compiler has filled it."""
    return path.endswith(".class") and "/bin/" in f"/{path}"


class _Walk:
    """The state of one walk; ``doubtful`` folders are judged at its end by what lies in them.  Of folders that only the user's
    patterns opened (``opened``) nothing but what they name counts."""

    def __init__(self, system: System, rules: Rules) -> None:
        self.system = system
        self.rules = rules
        self.ignore_lines: dict[str, list[str]] = {}
        self.ignores: dict[str, Ignores] = {}
        self.excluded = Ignores(rules.exclude)
        self.wanted = Ignores(rules.documents)
        self.named = NamedFiles(rules.configuration)
        self.followed = Ignores(rules.links)
        self.opened: set[str] = set()
        self.entered: list[str] = []
        self.links: set[str] = set()
        self.behind: set[str] = set()
        self.count_behind = 0
        self.java: list[str] = []
        self.documents: list[str] = []
        self.side_files: list[str] = []
        self.other_sources: list[str] = []
        self.tests: list[str] = []
        self.left_out: list[LeftOut] = []
        self.doubtful: dict[str, str] = {}
        self.compiled: set[str] = set()
        self.problems: list[Problem] = []
        self.search = ""
        self.searched: list[list[str]] = []
        self.known = 0

    def run(self, token: CancelToken) -> None:
        """Collect candidates."""
        self._read_ignores("", EXCLUDES)
        for folder, folders, names in self.system.walk(self._follows):
            token.check()
            self.entered.append(folder)
            prefix = f"{folder}/" if folder else ""
            if ".gitignore" in names:
                self._read_ignores(prefix, f"{prefix}.gitignore")
            specs = [
                (above, spec)
                for above, spec in sorted(self.ignores.items(), reverse=True)
                if prefix.startswith(above)
            ]
            for name in names:
                self._file(prefix, name, specs)
            if any(name.endswith(".class") for name in names):
                self.compiled.add(prefix)
            folders[:] = [name for name in folders if self._enters(prefix, name, specs)]
            self._give_up_search(prefix, folders)
            self._bound_behind(folder, folders, names)

    def _bound_behind(self, folder: str, folders: list[str], names: list[str]) -> None:
        """Count what lies behind links out of the project's folder, and go no further where that is too much."""
        if folder not in self.links and folder.rpartition("/")[0] not in self.behind:
            return
        self.behind.add(folder)
        self.count_behind += len(folders) + len(names)
        if self.count_behind > MOST_BEHIND and folders:
            folders.clear()
            self.left_out.append(LeftOut(f"{folder}/", MANY))

    def result(self) -> Discovered:
        """Judge the doubtful folders and look at sizes."""
        self.java.sort()
        outside = self._outside_packages()
        java = list(self._sized(self._kept(self.java, outside, counted=True)))
        compiled = {path: why for path, why in outside.items() if not self._is_shipped(path)}
        kept = {*self._kept(self.documents, compiled, counted=False), *self._exact()}
        kept.update(self._named_files(compiled))
        documents = list(self._sized(sorted(kept)))
        left_out = sorted(self.left_out, key=lambda item: item.path)
        others = list(self._kept(self.other_sources, outside, counted=False))
        beside = self._sized(self._kept(sorted(self.side_files), outside, counted=False))
        return Discovered(
            tuple(java),
            tuple(documents),
            tuple(left_out),
            tuple(beside),
            tuple(self.problems),
            frozenset(self.entered),
            frozenset(self.links),
            Unread(frozenset(others), frozenset(self._tests(outside) - kept)),
        )

    def _tests(self, outside: Mapping[str, str]) -> set[str]:
        """The tests in other languages and the config files of tests."""
        found = {path for path in self.tests if _reason_above(path, outside) in (None, TESTS)}
        config = (path for path in self.documents if may_be_config(path))
        for path in (*self.other_sources, *config):
            if _reason_above(path, outside) == TESTS:
                found.add(path)
        return found

    def _exact(self) -> Iterator[str]:
        """The files that are named without a wildcard and that the walk has not come to."""
        for path in {*self.named.exact}.difference(self.documents):
            if self.named.verdict(path) and not verdict_above(self.excluded, path):
                try:
                    if self.system.stat(path).size <= MAX_BYTES:
                        self.system.read(path)  # a folder has a size too
                except (OSError, ValueError):
                    continue
                yield path

    def _named_files(self, outside: Mapping[str, str]) -> Iterator[str]:
        """The named files that lie in no folder that is left out, or whose pattern leads through that folder."""
        for path in self.documents if self.named else ():
            if self.named.verdict(path) and all(
                self.named.reaches(folder, path) for folder in outside if path.startswith(folder)
            ):
                yield path

    def _kept(self, paths: list[str], outside: Mapping[str, str], counted: bool) -> Iterator[str]:
        for path in paths:
            reason = _reason_above(path, outside) if outside else None
            if reason is None:
                yield path
            elif counted:
                self.left_out.append(LeftOut(path, reason))

    def _sized(self, paths: Iterable[str]) -> Iterator[SourceFile]:
        for path in paths:
            try:
                stat = self.system.stat(path)
            except OSError:
                continue
            if stat.size > MAX_BYTES:
                self.left_out.append(LeftOut(path, TOO_LARGE))
            else:
                yield SourceFile(path, stat)

    def _enters(self, prefix: str, name: str, specs: _Specs) -> bool:
        path = f"{prefix}{name}/"
        reason = "" if name.startswith(".") or name in _NEVER else self._named(path, specs)
        if reason is not None or prefix in self.opened:
            if reason and prefix not in self.opened:
                self.left_out.append(LeftOut(path, reason))
            if reason == EXCLUDED or not (
                path in self.named.opened
                or self.named.verdict(path)
                or (prefix in self.opened and path.startswith(tuple(self.named.roots)))
            ):
                return False
            self.opened.add(path)
            return True
        if name in _BUILD:
            self.doubtful[path] = BUILD_OUTPUT
        elif name == _BUILD_SOURCES:
            self.doubtful[path] = BUILD_CODE
        elif not self.rules.include_tests and _is_test(prefix, name):
            self.doubtful[path] = TESTS
        return True

    def _follows(self, link: str) -> bool:
        """Tell whether the user names a link out of the folder (a folder's path ends in a slash)."""
        if self._is_named_link(link):
            if self.system.made_up(link.removesuffix("/")):
                self.left_out.append(LeftOut(link, MADE_UP))
                return False
            self.links.add(link.removesuffix("/"))
            return True
        name = link.removesuffix("/").rpartition("/")[2]
        if link.endswith("/"):
            counts = not name.startswith(".") and name not in _NEVER
        else:
            counts = name.endswith(".java") or is_paper(link)
        if counts:
            self.left_out.append(LeftOut(link, OUTSIDE))
        return False

    def _is_named_link(self, link: str) -> bool:
        if self.followed.verdict(link):
            return True
        names = (
            one.removeprefix("/") for one in (*self.rules.documents, *self.rules.configuration)
        )
        return any(
            one == link or (link.endswith("/") and f"{one}/".startswith(link)) for one in names
        )

    def _file(self, prefix: str, name: str, specs: _Specs) -> None:
        path = prefix + name
        java = path.endswith(".java")
        if name in self.rules.side_files and self._named(path, specs) is None:
            self.side_files.append(path)
        if is_other_source(path) and self._named(path, specs) is None:
            self.other_sources.append(path)
        if may_be_config_of_tests(path) and self._named(path, specs) is None:
            self.tests.append(path)
        named = not java and self.named.verdict(path) is True
        if not named and (
            prefix in self.opened or not (java or is_paper(path) or self.wanted.verdict(path))
        ):
            return
        reason = self._named(path, specs)
        if named and reason == IGNORED:
            reason = None
        if reason is not None:
            self.left_out.append(LeftOut(path, reason))
        else:
            (self.java if java else self.documents).append(path)

    def _read_ignores(self, prefix: str, path: str) -> None:
        try:
            if path == EXCLUDES:
                check_own(self.system, path)
            lines = lines_of(self.system.read(path))
        except OSError:
            return
        known = self.ignore_lines.setdefault(prefix, [])
        begin = len(known)
        known += lines
        above = sum(
            spec.tried
            for folder, spec in self.ignores.items()
            if folder != prefix and prefix.startswith(folder)
        )
        read = self.ignores[prefix] = Ignores(known, MOST_TRIED - above)
        if read.unread >= begin:
            message = f"patterns with wildcards from here on do not count: there are more than {MOST_TRIED:,}"
            self.problems.append(Problem(path, read.unread - begin + 1, 1, CODE, message))

    def _named(self, path: str, specs: _Specs) -> str | None:
        if self.excluded.verdict(path):
            return EXCLUDED
        for above, spec in specs:
            include = spec.verdict(path[len(above) :])
            if include is not None:
                return IGNORED if include else None
        return None

    def _give_up_search(self, prefix: str, folders: list[str]) -> None:
        """Prune a doubtful folder that has been searched long enough for a Java file in vain."""
        if not (self.search and prefix.startswith(self.search)):
            if prefix not in self.doubtful:
                return
            self.search, self.searched, self.known = prefix, [], len(self.java)
        self.searched.append(folders)
        if len(self.searched) > _SEARCHED_FOLDERS and len(self.java) == self.known:
            # The walk still goes through the lists of the folders above.
            for listed in self.searched:
                listed.clear()

    def _outside_packages(self) -> dict[str, str]:
        """Return the doubtful folders that are no packages, with the reason each is left out."""
        outside: dict[str, str] = {}
        for folder, reason in sorted(self.doubtful.items()):
            if _reason_above(folder, outside) is None and not self._is_package(folder):
                outside[folder] = reason
        return outside

    def _is_shipped(self, folder: str) -> bool:
        """Tell whether a folder is a ``bin`` that a person filled, not a compiler."""
        if not f"/{folder}".endswith("/bin/"):
            return False
        return not any(path.startswith(folder) for path in self.compiled)

    def _is_package(self, folder: str) -> bool:
        first = bisect_left(self.java, folder)
        for path in self.java[first : first + _ASKED_FILES]:
            if not path.startswith(folder):
                return False
            try:
                found = _PACKAGE.search(self.system.read(path))
            except OSError:
                continue
            if found is not None:
                return _covers(folder, path, found.group(1).decode("utf-8", "replace"))
        return False


def _covers(folder: str, path: str, package: str) -> bool:
    """Tell whether ``package``, declared in ``path``, has ``folder`` (with its slash) in its name."""
    folders = path.split("/")[:-1]
    names = package.split(".")
    size = min(len(folders), len(names))
    return folders[-size:] == names[-size:] and folder.count("/") > len(folders) - size


def _reason_above(path: str, folders: Mapping[str, str]) -> str | None:
    return next((why for folder, why in folders.items() if path.startswith(folder)), None)
