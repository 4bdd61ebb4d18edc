"""Which files of a project are documents, and how each is read: decided by path alone.

Read: configuration files and their templates, Hadoop-style XML, Spring metadata, Markdown,
AsciiDoc, reStructuredText, HTML, plain text, options of the Java machine (`jvm.options`) and start
scripts, also those without a suffix in a folder `bin`. A suffix that marks a template
(`.template`, `.example`, `.sample`, `.default`, `.dist`, `.in`, `.tmpl`, `.orig`) is looked through.

Left out, because a name in them does not document an option:
- licences, notices, change logs, release notes and news: they tell history, and a removed
  option stays in them for ever;
- translations (`messages_de.properties` and every file named like one); of the texts they are translated from only
  those are read that describe options (`harvesters.bundles`);
- files that configure tools and builds, not the program: `pom.xml`, `build.gradle.properties`,
  wrapper and lock files, logging configuration, continuous integration, container composition;
- tests, build output, dependencies and hidden folders; generated API pages (`apidocs`).

Data formats (`.csv`, JSON other than Spring metadata) and source code are no documents. Text in
folders that the workspace lists under `[documentation]` is the caller's choice: `format_of`
answers for any path.
"""

import re
from enum import StrEnum


class Format(StrEnum):
    """How a document is read."""

    XML = "xml"
    PROPERTIES = "properties"
    CONF = "conf"
    INI = "ini"
    YAML = "yaml"
    SPRING_METADATA = "spring-metadata"
    MARKDOWN = "markdown"
    ASCIIDOC = "asciidoc"
    RESTRUCTURED = "restructured"
    HTML = "html"
    TEXT = "text"
    SCRIPT = "script"


_FORMATS = {
    "xml": Format.XML,
    "properties": Format.PROPERTIES,
    "conf": Format.CONF,
    "cfg": Format.CONF,
    "config": Format.CONF,
    "cnf": Format.CONF,
    "hocon": Format.CONF,
    "ini": Format.INI,
    "toml": Format.INI,
    "yaml": Format.YAML,
    "yml": Format.YAML,
    "md": Format.MARKDOWN,
    "markdown": Format.MARKDOWN,
    "mdx": Format.MARKDOWN,
    "adoc": Format.ASCIIDOC,
    "asciidoc": Format.ASCIIDOC,
    "asc": Format.ASCIIDOC,
    "rst": Format.RESTRUCTURED,
    "rest": Format.RESTRUCTURED,
    "html": Format.HTML,
    "htm": Format.HTML,
    "xhtml": Format.HTML,
    "txt": Format.TEXT,
    "text": Format.TEXT,
    "options": Format.SCRIPT,
    "sh": Format.SCRIPT,
    "bash": Format.SCRIPT,
    "env": Format.SCRIPT,
    "bat": Format.SCRIPT,
    "cmd": Format.SCRIPT,
    "ps1": Format.SCRIPT,
}
_METADATA = ("spring-configuration-metadata.json", "additional-spring-configuration-metadata.json")
_TEMPLATE = re.compile(r"\.(?:template|example|sample|default|dist|in|tmpl|orig)$")

_TRANSLATED = frozenset(("i18n", "l10n", "locale", "locales", "nls", "translations"))
OF_TESTS = frozenset(
    (
        "integration-test",
        "test",
        "test-data",
        "test-resources",
        "testdata",
        "testfixtures",
        "tests",
    )
)
"""Folders of tests, in lower case."""
_FOLDERS = OF_TESTS | frozenset(
    (
        "apidocs",
        "bower_components",
        "build",
        "changelog",
        "changelogs",
        "dist",
        "i18n",
        "javadoc",
        "javadocs",
        "l10n",
        "legal",
        "license",
        "licenses",
        "locale",
        "locales",
        "nls",
        "node_modules",
        "out",
        "release-notes",
        "release_notes",
        "releasenotes",
        "target",
        "third_party",
        "thirdparty",
        "translations",
        "vendor",
    )
)
_NAMES = re.compile(
    r"(?:licen[sc]e|notice|copying|copyright|third[-_]?party|changes|(?:[\w.]+-)?change[-_]?logs?"
    r"|(?:[\w.]+-)?release[-_]?notes?|relnotes|history|news(?!\.txt$)|authors|contributors|maintainers|code[-_]of[-_]conduct"
    r"|dependencies|package-lock|yarn|pnpm-lock)(?:[-_.][\w.-]*)?"
)
_TOOLS = re.compile(
    r"pom\.xml|build\.xml|ivy[\w-]*\.xml|plugin\.xml|web\.xml|persistence\.xml|module\.xml"
    r"|checkstyle[\w.-]*|suppressions[\w.-]*|spotbugs[\w.-]*|findbugs[\w.-]*|pmd[\w.-]*"
    r"|log4j[\w.-]*|logback[\w.-]*|logging\.properties|simplelogger\.properties"
    r"|gradle\.properties|gradle-wrapper\.properties|maven-wrapper\.properties|pom\.properties"
    r"|(?:git|build|version|[\w-]+-version-info)\.properties|sonar-project\.properties"
    r"|spring-autoconfigure-metadata\.properties|pyproject\.toml|cargo\.toml|libs\.versions\.toml"
    r"|docker-compose[\w.-]*|mkdocs\.ya?ml|_config\.ya?ml|appveyor\.ya?ml|azure-pipelines\.ya?ml"
    r"|(?:openapi|swagger)[\w.-]*|gradlew[\w.]*|mvnw[\w.]*|package\.html|package-summary\.html"
    r"|cmakelists\.txt|requirements[\w-]*\.txt|robots\.txt"
)
_TRANSLATION = re.compile(r"[\w.-]*?(?:_[a-z]{2,3}(?:_[a-z]{2,4}|_[0-9]{3})?)\.properties")
_BUNDLE = re.compile(
    r"[\w.-]*(?:messages?|strings?|labels?|resources?|bundle|translations?|errormessages|texts?)"
    r"\.properties"
)
_NO_LANGUAGES = frozenset(
    (
        "api",
        "app",
        "aws",
        "cfg",
        "cli",
        "cmd",
        "cpu",
        "csv",
        "dao",
        "db",
        "dev",
        "doc",
        "env",
        "ftp",
        "gc",
        "gcp",
        "gpu",
        "gui",
        "hdf",
        "http",
        "io",
        "ip",
        "jdk",
        "jmx",
        "jvm",
        "key",
        "lib",
        "log",
        "max",
        "min",
        "nio",
        "os",
        "prd",
        "qa",
        "raw",
        "rmi",
        "rpc",
        "sdk",
        "sql",
        "ssh",
        "ssl",
        "sys",
        "tcp",
        "tls",
        "tmp",
        "ui",
        "url",
        "vm",
        "web",
        "xml",
        "zk",
    )
)
_XML_PLACES = re.compile(
    r"(?:^|/)(?:conf|config|configuration|etc|docs?|documentation|xdocs|docbkx|docbook|site|src/site"
    r"|src/main/resources|resources|usermanual)(?:/|$)"
)
_XML_NAMES = re.compile(
    r"[\w.-]*(?:-default|-site|-conf|-config|-configuration|-env)\.xml|config\.xml"
)


def is_document(path: str) -> bool:
    """Whether the file at a path (relative to the project, with `/`) is searched for options."""
    *folders, name = path.replace("\\", "/").lower().split("/")
    if is_bundle(path):
        folders = [folder for folder in folders if folder not in _TRANSLATED]
    if any(folder in _FOLDERS or folder[:1] == "." for folder in folders if folder != "."):
        return False
    kind = format_of(path)
    if kind is None or name[:1] == "." or _NAMES.fullmatch(name) or _TOOLS.fullmatch(name):
        return False
    if kind is Format.XML:
        base = _TEMPLATE.sub("", name)
        return bool(_XML_NAMES.fullmatch(base) or _XML_PLACES.search("/".join(folders)))
    return not (kind is Format.PROPERTIES and _is_translation(name))


def is_bundle(path: str) -> bool:
    """Whether a file holds texts of the user interface, in the language that the others are translated from."""
    *folders, name = path.replace("\\", "/").lower().split("/")
    if not name.endswith(".properties") or _is_translation(name):
        return False
    return _BUNDLE.fullmatch(name) is not None or not _TRANSLATED.isdisjoint(folders)


def format_of(path: str) -> Format | None:
    """How a file of this name is read, or None when its kind is not known."""
    *folders, name = path.replace("\\", "/").lower().split("/")
    if name in _METADATA:
        return Format.SPRING_METADATA
    name = _TEMPLATE.sub("", name)
    stem, dot, extension = name.rpartition(".")
    if not dot:
        if name.startswith("readme"):
            return Format.TEXT
        return Format.SCRIPT if folders[-1:] == ["bin"] else None
    return _FORMATS.get(extension) if stem or extension == "env" else None


def _is_translation(name: str) -> bool:
    """Whether the name of a `.properties` file ends in a language and perhaps a country. Short technical words are no
    languages."""
    if _TRANSLATION.fullmatch(name) is None:
        return False
    parts = name.removesuffix(".properties").split("_")
    return len(parts) == 1 or parts[-1] not in _NO_LANGUAGES
