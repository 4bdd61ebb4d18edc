"""Which files may be config files, and of which format: decided by path alone.

More than what is searched as documentation (``documents.policy``): also ``.env``, start scripts, container and unit files,
TOML and HOCON, and tests' resources are left out as there.  Whether one is a config file of this project is decided by
its keys.  Absent: translations, build files and tools' own files, as in ``documents.policy``.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.model import Format
from conflens.documents.policy import is_document

_FORMATS = {
    "properties": Format.PROPERTIES,
    "cfg": Format.PROPERTIES,
    "yaml": Format.YAML,
    "yml": Format.YAML,
    "xml": Format.XML,
    "toml": Format.TOML,
    "env": Format.ENVIRONMENT,
    "conf": Format.HOCON,
    "hocon": Format.HOCON,
    "sh": Format.ARGUMENTS,
    "bash": Format.ARGUMENTS,
    "bat": Format.ARGUMENTS,
    "cmd": Format.ARGUMENTS,
    "service": Format.ARGUMENTS,
    "options": Format.ARGUMENTS,
    "vmoptions": Format.ARGUMENTS,
}
_TEMPLATE = re.compile(r"\.(?:template|example|sample|default|dist|tmpl|orig)$")
_ARGUMENT_FILES = re.compile(
    r"(?:docker-)?compose[\w.-]*\.ya?ml|dockerfile[\w.-]*|[\w.-]*\.dockerfile|jvm[\w.-]*\.(?:options|config)"
)
_ENVIRONMENT = re.compile(r"\.env(?:\.[\w-]+)?|[\w-]+\.env")
_HIDDEN = re.compile(r"(?:^|/)\.(?!env\b|mvn/jvm\.config$)")


def config_format(path: str) -> Format | None:
    """Return how a file that may be a config file is written; ``None`` for any other."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if _ENVIRONMENT.fullmatch(name):
        return Format.ENVIRONMENT
    if _ARGUMENT_FILES.fullmatch(name):
        return Format.ARGUMENTS
    return _FORMATS.get(_TEMPLATE.sub("", name).rpartition(".")[2])


def may_be_config(path: str) -> bool:
    """Whether the file at a path (relative to the project, with ``/``) may be a config file of the project."""
    form = config_format(path)
    if form is None or _HIDDEN.search(path):
        return False
    if form in (Format.ENVIRONMENT, Format.ARGUMENTS, Format.TOML):
        return is_document(f"{path.rpartition('/')[0]}/any.properties".lstrip("/")) and not (
            form is Format.TOML and not is_document(path)
        )
    return is_document(path)
