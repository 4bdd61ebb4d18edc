"""Which files may be config files: decided by path alone.

More than what is searched as documentation (``documents.policy``): also XML in any folder but those of sources, ``.env``,
start scripts, container and unit files, TOML and HOCON, and files without a suffix in a folder for configuration.  Tests'
resources are left out as there.  Whether one is a config file of this project is decided by its keys, and its format by name or
content (``detection``).
It also tells how a file is commented in: not every format has comments.
Absent: translations, build files and tools' own files, as in ``documents.policy``; what a user names (``session.policy``).
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.detection import named_format, suffix
from conflens.documents.configfiles.model import Format
from conflens.documents.policy import OF_TESTS, is_bundle, is_document

_BY_CONTENT = frozenset({"conf", "cfg", "config"})
"""Suffixes of config files in several formats."""
_WITHOUT_SUFFIX = re.compile(r"(?:^|/)(?:conf|config|configuration|etc)/(?:[^/]+/)*[\w-]+\Z", re.I)
_HIDDEN = re.compile(r"(?:^|/)\.(?!env\b|mvn/jvm\.config$)")
_SOURCES = re.compile(r"(?:^|/)src/(?!main/webapp/)")
_SPLIT = re.compile(r"(?:^|/)\.mvn/(?:jvm|maven)\.config\Z", re.I)
"""Files whose every word is an argument: the wrapper of Maven, and Maven before 4, know no comments there."""
_UNCOMMENTED = frozenset({"json"})
_BATCH = frozenset({"bat", "cmd"})
_MARKUP = frozenset((Format.XML, Format.ELEMENTS, Format.BEANS, Format.LOGGING))
_BESIDE = frozenset((Format.ENVIRONMENT, Format.ARGUMENTS, Format.TOML, Format.LOGGING))
"""Formats of files that are no documents; what holds of folders is asked for a properties file in their place."""


def has_config_name(path: str) -> bool:
    """Whether a file's name is that of a config file, wherever it lies."""
    return (
        named_format(path) is not None
        or suffix(path) in _BY_CONTENT
        or _WITHOUT_SUFFIX.search(path) is not None
    )


def comment_mark(path: str, format: Format) -> str | None:
    """Return what begins a comment that has a line of its own, ``None`` where there are no comments; markup also ends it."""
    if suffix(path) in _UNCOMMENTED or _SPLIT.search(path):
        return None
    if format in _MARKUP:
        return "<!--"
    return "REM" if suffix(path) in _BATCH else "#"


def is_read_by_many(path: str) -> bool:
    """Whether the name of a file leaves open who reads it: a ``.conf`` in the syntax of properties may be read as HOCON."""
    return suffix(path) in _BY_CONTENT


def may_be_config(path: str) -> bool:
    """Whether the file at a path (relative to the project, with ``/``) may be a config file of the project."""
    if not has_config_name(path) or _HIDDEN.search(path) or is_bundle(path):
        return False
    form = named_format(path)
    if form in _BESIDE or not suffix(path):
        return is_document(f"{path.rpartition('/')[0]}/any.properties".lstrip("/")) and not (
            form is Format.TOML and not is_document(path)
        )
    folder, _, name = path.rpartition("/")
    if form is Format.XML and not _SOURCES.search(path):
        return is_document(f"{folder}/conf/{name}".lstrip("/"))
    return is_document(path)


def may_be_config_of_tests(path: str) -> bool:
    """Whether a file is left out as one of tests, and may be a config file otherwise."""
    *folders, name = path.split("/")
    kept = [folder for folder in folders if folder.lower() not in OF_TESTS]
    return len(kept) < len(folders) and may_be_config("/".join((*kept, name)))
