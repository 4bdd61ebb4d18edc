"""What one build file says of its module: Maven, Gradle and Bazel, read as text; nothing is built.

What a build computes (properties in names, plugins of its own) is not seen.  A file that is broken says what stands before
the fault.
"""

from __future__ import annotations

import contextlib
import re
from xml.parsers import expat

import attrs

MAVEN = frozenset({"pom.xml"})
GRADLE = frozenset({"build.gradle", "build.gradle.kts"})
GRADLE_SETTINGS = frozenset({"settings.gradle", "settings.gradle.kts"})
BAZEL = frozenset({"BUILD", "BUILD.bazel"})
NAMES = MAVEN | GRADLE | GRADLE_SETTINGS | BAZEL
"""The names of files that are read."""

_DEPTH = 200
_NO_CODE = frozenset(
    {"plugin", "dependencyManagement", "exclusions", "reporting", "pluginManagement"}
)
_TEST_SCOPES = frozenset({"test", "import"})
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\w\"'])//[^\n]*", re.DOTALL)
_GRADLE = re.compile(
    r"""(?P<block>(?<!\w)project\s{0,9}\(\s{0,9}["'](?P<name>:[\w:./-]{1,200}+)["']\s{0,9}\)\s{0,9}\{)
    |(?P<below>(?<!\w)(?:sub|all)projects\b[^{};\n]{0,80}\{)
    |(?<!\w)(?P<kind>[A-Za-z]\w{0,60}+)\s{0,9}\(?\s{0,9}(?:\w{1,30}+\s{0,9}\(\s{0,9})?
        (?:project\s{0,9}\(\s{0,9}(?:path\s{0,9}[:=]\s{0,9})?["'](?P<path>:[\w:./-]{1,200}+)["']
        |projects\.(?P<accessor>[\w.]{1,200}+))
    |(?P<open>\{)|(?P<close>\})""",
    re.VERBOSE,
)
_USED = re.compile(
    r"api|implementation|compile|runtime|provided|shadow|bundle|embed|library", re.IGNORECASE
)
_INCLUDE = re.compile(r"""(?<!\w)include\s*+\(?+((?:\s*+["'][\w:./-]++["']\s*+,?+)++)""")
_TEXT = re.compile(r"""["']([\w:./-]++)["']""")
_PLACED = re.compile(
    r"""project\s{0,9}\(\s{0,9}["'](:?[\w:./-]++)["']\s{0,9}\)\s{0,9}\.\s{0,9}projectDir\s{0,9}=[^"'\n]{0,80}["']([^"'\n]{1,300})["']"""
)
_LABEL = re.compile(r"""["']//([\w./+=,@~-]*+)(?::[^"'\s]*+)?["']""")


@attrs.frozen
class Maven:
    """A ``pom.xml``.  ``parent`` is an artifact, ``above`` the folder of its file as the child writes it.  It ``filters`` if
    the build replaces ``${name}`` in resources."""

    artifact: str = ""
    parent: str = ""
    above: str = ".."
    dependencies: frozenset[str] = frozenset()
    filters: bool = False


@attrs.frozen
class Gradle:
    """A ``build.gradle``: paths of projects (``:a:b``) or accessors (``projects.aB.c``) that it, other projects or all below
    depend on."""

    own: frozenset[str] = frozenset()
    of_others: tuple[tuple[str, str], ...] = ()
    below: frozenset[str] = frozenset()


@attrs.frozen
class GradleSettings:
    """A ``settings.gradle``: the folders of projects, where they are not what the path says."""

    included: frozenset[str] = frozenset()
    folders: tuple[tuple[str, str], ...] = ()


@attrs.frozen
class Bazel:
    """A ``BUILD`` file: the packages of other targets that its targets name."""

    packages: frozenset[str] = frozenset()


BuildFile = Maven | Gradle | GradleSettings | Bazel


def read(name: str, content: bytes) -> BuildFile | None:
    """Return what a file of this name says; ``None`` if it is no build file."""
    if name in MAVEN:
        return _maven(content)
    text = content.decode("utf-8", "replace")
    if name in GRADLE:
        return _gradle(text)
    if name in GRADLE_SETTINGS:
        text = _COMMENT.sub(" ", text)
        included = {one for found in _INCLUDE.findall(text) for one in _TEXT.findall(found)}
        return GradleSettings(
            frozenset(f":{one.lstrip(':').replace('/', ':')}" for one in included),
            tuple((f":{path.lstrip(':')}", folder) for path, folder in _PLACED.findall(text)),
        )
    if name in BAZEL:
        return Bazel(frozenset(_LABEL.findall(text)))
    return None


class _RefusedError(Exception):
    """The file declares entities or is nested too deeply."""


class _Pom:
    def __init__(self) -> None:
        self.stack: list[str] = []
        self.text: list[str] = []
        self.found: dict[str, str] = {}
        self.dependency: dict[str, str] = {}
        self.dependencies: set[str] = set()
        self.filters = False

    def start(self, name: str, _attributes: object) -> None:
        self.stack.append(name.rpartition(":")[2])
        self.text.clear()
        if len(self.stack) > _DEPTH:
            raise _RefusedError
        if self.stack[-1] == "dependency":
            self.dependency = {}

    def end(self, _name: str) -> None:
        path = self.stack[1:]
        said = "".join(self.text).strip()
        self.text.clear()
        if len(path) == 1 or (len(path) == 2 and path[0] == "parent"):
            self.found["/".join(path)] = said
        elif "dependency" in path and _NO_CODE.isdisjoint(path):
            if path[-2] == "dependency":
                self.dependency[path[-1]] = said
            elif path[-1] == "dependency" and self.dependency.get("scope") not in _TEST_SCOPES:
                self.dependencies.add(self.dependency.get("artifactId", ""))
        elif path[-2:] == ["resource", "filtering"] and said == "true":
            self.filters = True
        self.stack.pop()

    def characters(self, text: str) -> None:
        self.text.append(text)

    @staticmethod
    def refuse(*_: object) -> None:
        raise _RefusedError


def _maven(content: bytes) -> Maven:
    pom = _Pom()
    parser = expat.ParserCreate()
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartElementHandler = pom.start
    parser.EndElementHandler = pom.end
    parser.CharacterDataHandler = pom.characters
    parser.EntityDeclHandler = pom.refuse
    with contextlib.suppress(expat.ExpatError, _RefusedError, ValueError, LookupError):
        parser.Parse(content, True)
    return Maven(
        pom.found.get("artifactId", ""),
        pom.found.get("parent/artifactId", ""),
        pom.found.get("parent/relativePath", ".."),
        frozenset(pom.dependencies - {""}),
        pom.filters,
    )


def _gradle(text: str) -> Gradle:
    own: set[str] = set()
    others: dict[tuple[str, str], None] = {}
    below: set[str] = set()
    owners: list[str | None] = []
    for match in _GRADLE.finditer(_COMMENT.sub(" ", text)):
        if match["block"]:
            owners.append(match["name"])
        elif match["below"]:
            owners.append("*")
        elif match["open"]:
            owners.append(owners[-1] if owners else None)
        elif match["close"]:
            del owners[-1:]
        elif _USED.search(match["kind"]) and "test" not in match["kind"].lower():
            said = match["path"] or f"projects.{match['accessor']}"
            owner = owners[-1] if owners else None
            if owner is None:
                own.add(said)
            elif owner == "*":
                below.add(said)
            else:
                others[owner, said] = None
    return Gradle(frozenset(own), tuple(others), frozenset(below))
