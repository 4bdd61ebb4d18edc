"""The systems whose flows are checked, and how each is opened.

A system is an entry of ``projects.toml``, or a folder that a person has put below ``build/corpus``
because no sources jar exists (``README.md`` says from where).  A *spec* is a workspace file of
``specs/`` that declares what the system reads its options with; some systems show none of their options
without it.  ``NAME=FOLDER`` in place of a name takes the sources from elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs

from conflens.session.analysis import Analysis
from conflens.session.inputs.configuration import Settings
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
from corpus.fetch import CORPUS, FetchError, fetch, projects

HERE = Path(__file__).resolve().parent
SPECS = HERE / "specs"


@attrs.frozen
class System:
    """``project``: its name in ``projects.toml``; else ``folder`` is below ``build/corpus``.

    ``needs_spec``: its options are none to the analysis unless declared.  ``renamed``: options that
    DiagConfig calls otherwise than the source does, by their name in the source.
    """

    name: str
    project: str = ""
    folder: str = ""
    needs_spec: bool = False
    renamed: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def spec(self) -> Path | None:
        """The file that declares its options, if there is one."""
        path = SPECS / f"{self.name}.toml"
        return path if path.is_file() else None

    def called(self, option: str) -> str:
        """Return DiagConfig's name of an option."""
        return self.renamed.get(option, option.removeprefix("KEY_"))


@attrs.frozen
class Opened:
    """A system with its analysis."""

    system: System
    folder: Path
    analysis: Analysis = attrs.field(repr=False)


_HAND_CHECKED = ("h2", "zookeeper", "kafka", "hdfs", "jmeter")
_OTHERS = ("cassandra", "hbase-0.94", "hadoop-2.3")

SYSTEMS = {
    system.name: system
    for system in (
        *(System(name, project=name) for name in (*_HAND_CHECKED, *_OTHERS)),
        System("cassandra-1.2", project="cassandra-1.2", needs_spec=True),
        System("batik", project="batik", needs_spec=True),
        System(
            "kanzi",
            folder="kanzi-2.0.0",
            needs_spec=True,
            renamed={"verbose": "verbosity", "block": "blockSize"},
        ),
        *(
            System(name, folder=name, needs_spec=True)
            for name in ("sunflow", "catena", "prevayler", "dconverter")
        ),
    )
}


def named(texts: list[str], default: tuple[str, ...]) -> list[tuple[System, Path | None]]:
    """Return the systems that arguments name (``NAME`` or ``NAME=FOLDER``); raise ``FetchError``."""
    found = []
    for text in texts or default:
        name, _, folder = text.partition("=")
        system = SYSTEMS.get(name)
        if system is None:
            raise FetchError(f"no system is called {name}: {', '.join(SYSTEMS)}")
        found.append((system, Path(folder) if folder else None))
    return found


def sources(system: System, given: Path | None = None) -> Path:
    """Return the folder with the sources of a system; raise ``FetchError``."""
    if given is None and system.project:
        return fetch(projects()[system.project])
    folder = given or CORPUS / system.folder
    if not folder.is_dir():
        raise FetchError(
            f"no sources of {system.name} in {folder}: flows/README.md says from where"
        )
    return folder


def opened(system: System, given: Path | None = None, declared: bool = False) -> Opened:
    """Scan a system, with its spec when it needs it or ``declared`` says so."""
    folder = sources(system, given)
    specs: tuple[tuple[str, str], ...] = ()
    if system.spec is not None and (declared or system.needs_spec):
        specs = ((system.spec.name, system.spec.read_text(encoding="utf-8")),)
    options = SessionOptions(cache=False, settings=Settings(specs=specs))
    session = open_session(str(folder), options)
    try:
        return Opened(system, folder, session.scan())
    finally:
        session.dispose()
