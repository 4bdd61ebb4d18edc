"""The messages of our own beside the protocol's: what each request takes and gives, and what notifications and commands carry.

The client's ``src/core/protocol.ts`` is generated from these classes (``make reference``), so both sides agree on names and
types.  Keys are written in camel case.  A field with a default may be absent in parameters; in answers only classes with
``omit_defaults`` leave out what equals its default.

Terms
    folder   the URI of a workspace folder, in parameters also of something in it; without one the first folder is meant.
    option   domain and name of an option.
    cause    counts the chains of an option from 0, the one that explains most first.

Absent: how parameters are read and refused (``shared.profiles``), and the messages that the protocol defines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from lsprotocol import types

from conflens.profiling.model import EventKind, Unit
from conflens.sensitivity.results import Label
from conflens.session.snapshots.diagnosing import State
from conflens.session.snapshots.store import Role

FLOWS = "conflens/flows"
SNAPSHOTS = "conflens/snapshots"
IMPORT_SNAPSHOT = "conflens/importSnapshot"
DROP_SNAPSHOT = "conflens/dropSnapshot"
CHOOSE_SNAPSHOTS = "conflens/chooseSnapshots"
NAME_CONFIG_FILES = "conflens/nameConfigFiles"
JAVA_PROCESSES = "conflens/javaProcesses"
RECORD = "conflens/record"
DIAGNOSIS_REPORT = "conflens/diagnosisReport"
CHAIN_STEPS = "conflens/chainSteps"
OPTIONS = "conflens/options"
HOTSPOTS = "conflens/hotspots"
HOT_LINES = "conflens/hotLines"
STATUS = "conflens/status"
"""A request for the state as a page, and the notification that it has changed."""
SNAPSHOTS_CHANGED = "conflens/snapshotsChanged"
OPTIONS_CHANGED = "conflens/optionsChanged"


class Message(msgspec.Struct, frozen=True, rename="camel"):
    """An object of our messages."""


class Empty(Message, frozen=True):
    """Parameters that say nothing."""


class FolderParams(Message, frozen=True):
    """Names a folder."""

    folder: str | None = None


class Page(Message, frozen=True):
    """A page as Markdown, and its address."""

    uri: str
    markdown: str


class PageAddress(Message, frozen=True):
    """Where a page is: one that the client can fetch, or a read-only file if it cannot."""

    uri: str


# Status.


class StatusPage(Message, frozen=True):
    """The state of the server for a person."""

    markdown: str


class StatusParams(Message, frozen=True, omit_defaults=True):
    """The state of the whole server; ``seconds`` is how long the last update took, ``memory`` is in bytes.

    ``ready`` says that all files have been read. ``verdicts`` on options come later (``waiting``, then ``ready``), and are
    missing as long as they ``failed``, which ``message`` explains; they are ``off`` if no folder gets any.
    """

    state: Literal["indexing", "ready", "error"]
    files: int
    options: int
    seconds: float
    memory: int = 0
    message: str = ""
    verdicts: Literal["off", "waiting", "ready", "failed"] = "off"


# Options.


class Position(msgspec.Struct, gc=False):
    """The protocol's, for lists of thousands."""

    line: int
    character: int


class Range(msgspec.Struct, gc=False):
    """The protocol's, for lists of thousands."""

    start: Position
    end: Position


class Location(msgspec.Struct, gc=False):
    """The protocol's, for lists of thousands."""

    uri: str
    range: Range


class OptionRow(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """An option in the list of options (``ide.option_list``); ``location`` is its first read and ``file`` the path of that."""

    domain: str
    domain_words: str
    name: str
    label: Label
    namespace: str = ""
    probability: float | None = None
    sentence: str = ""
    type: str = ""
    default: str = ""
    documented: bool = False
    undocumented: bool = False
    description: str = ""
    effect: str = ""
    reads: int = 0
    location: Location | None = None
    file: str = ""


class FolderOptions(Message, frozen=True):
    """The options of a folder; ``ready`` says that sensitivity has been judged."""

    folder: str
    name: str
    ready: bool
    options: list[OptionRow]


class OptionsAnswer(Message, frozen=True):
    """The options of all folders."""

    folders: list[FolderOptions]


# Snapshots.


class ImportParams(Message, frozen=True):
    """A profile to import.

    Without ``role`` the snapshot becomes the violation if there is none; with ``null`` it gets no role; a role that is given
    takes it from those that had it.
    """

    uri: str
    folder: str | None = None
    role: Role | msgspec.UnsetType | None = msgspec.UNSET
    kind: EventKind | None = None
    unit: Unit | None = None
    work_done_token: str | int | None = None


class RecordParams(Message, frozen=True):
    """A JVM to record; ``role`` as for an import."""

    pid: int
    seconds: int
    folder: str | None = None
    role: Role | msgspec.UnsetType | None = msgspec.UNSET
    settings: str | None = None
    work_done_token: str | int | None = None


class SnapshotParams(Message, frozen=True):
    """Names a snapshot."""

    id: str


class ChooseParams(Message, frozen=True):
    """Which snapshots are compared; several of one side are repetitions of one run."""

    baseline: list[str]
    violation: list[str]
    folder: str | None = None


class ConfigFilesParams(Message, frozen=True):
    """The config files that the runs of each side had, as URIs; without any, values come from what the recordings tell."""

    baseline: list[str]
    violation: list[str]
    folder: str | None = None


class JavaProcess(Message, frozen=True):
    """A JVM of this user: its main class or archive, its arguments without secrets, and whether it runs the project."""

    pid: int
    name: str
    arguments: str
    own: bool


class KindTotal(Message, frozen=True):
    """What a snapshot holds of one kind of events."""

    kind: str
    unit: str
    total: float


class SnapshotRow(Message, frozen=True):
    """A snapshot; ``path`` is ``null`` if we recorded it, ``stale`` says that Java files which it ran hold something else now."""

    id: str
    name: str
    path: str | None
    format: str
    role: Role | None
    taken_at: str | None
    age: str
    seconds: float
    kinds: list[KindTotal]
    notes: list[str]
    values: int
    stale: bool


class Pairing(Message, frozen=True):
    """Two runs that are compared although nobody has chosen a role, by id; ``text`` says so in a sentence."""

    baseline: str
    violation: str
    text: str


class ImportAnswer(SnapshotRow, frozen=True):
    """The row of an imported snapshot, and the comparison that its import led to."""

    paired: Pairing | None


class DiagnosisState(Message, frozen=True):
    """How far the diagnosis is; ``text`` says it in one line."""

    state: State
    text: str


class RecordingRow(Message, frozen=True):
    """A recording that is under way."""

    pid: int
    name: str
    started_at: str | None
    seconds: int


class SnapshotsAnswer(Message, frozen=True):
    """The snapshots of a folder, and what is made of them."""

    folder: str
    snapshots: list[SnapshotRow]
    diagnosis: DiagnosisState
    recording: RecordingRow | None
    paired: Pairing | None


class SnapshotsChangedParams(Message, frozen=True, omit_defaults=True):
    """Snapshots, their roles or the diagnosis of a folder have changed.

    ``message`` says why a watched profile was not imported, or that its import led to the comparison ``paired``.
    """

    folder: str
    message: str = ""
    paired: Pairing | None = None


# Hotspots.


class HotspotOption(Message, frozen=True):
    """An option behind a hotspot: number ``cause`` of its chains leads there."""

    option: tuple[str, str]
    name: str
    text: str
    cause: int


class HotspotRow(Message, frozen=True):
    """A hotspot; ``share`` is that of its kind, from 0 to 1, and ``change`` what it adds to the baseline's total."""

    method: str
    file: str
    location: types.Location | None
    share: float
    change: float | None
    kind: str
    text: str
    options: list[HotspotOption]


class SuspectRow(Message, frozen=True):
    """An option of the diagnosis.

    ``share`` is the part of the run's cost, or of what the slow run costs more, that ran under it; ``before`` and ``after``
    are its values where they were recorded.
    """

    option: tuple[str, str]
    name: str
    text: str
    accused: bool
    share: float | None
    before: str | None
    after: str | None
    causes: int
    location: types.Location | None


class FolderHotspots(Message, frozen=True):
    """What the diagnosis of a folder found; ``more`` counts the hotspots that are left out."""

    folder: str
    name: str
    state: State
    text: str
    compared: bool
    options: list[SuspectRow]
    hotspots: list[HotspotRow]
    more: int


class HotspotsAnswer(Message, frozen=True):
    """The hotspots of all folders."""

    folders: list[FolderHotspots]


class HotLine(Message, frozen=True):
    """A line, or the name of a method, to tint; ``level`` is 1 to 3, the hottest."""

    range: types.Range
    level: int
    share: float
    change: float | None
    text: str


class HotLinesAnswer(Message, frozen=True):
    """The hot lines of a document; ``levels`` are the least shares of each level."""

    compared: bool
    levels: list[float]
    lines: list[HotLine]


# Chains.


class ChainParams(Message, frozen=True):
    """Names a chain."""

    option: tuple[str, str]
    cause: int = 0
    folder: str | None = None


class ChainChoice(Message, frozen=True):
    """A chain that a code lens offers: an argument of the client's command ``conflens.showChain``."""

    option: tuple[str, str]
    cause: int
    text: str


class ChainStep(Message, frozen=True):
    """A step of a chain; ``label`` is its line in a list and ``why`` a sentence on what happens there."""

    location: types.Location
    role: str
    text: str
    method: str
    label: str
    why: str


class ChainAnswer(Message, frozen=True):
    """Number ``cause`` of the ``causes`` chains of an option, from its read to the hotspot."""

    title: str
    cause: int
    causes: int
    steps: list[ChainStep]


REQUESTS: Mapping[str, tuple[object, object]] = {
    FLOWS: (types.TextDocumentPositionParams, Page | None),
    OPTIONS: (Empty, OptionsAnswer),
    SNAPSHOTS: (FolderParams, SnapshotsAnswer),
    IMPORT_SNAPSHOT: (ImportParams, ImportAnswer),
    DROP_SNAPSHOT: (SnapshotParams, None),
    CHOOSE_SNAPSHOTS: (ChooseParams, None),
    NAME_CONFIG_FILES: (ConfigFilesParams, None),
    JAVA_PROCESSES: (Empty, list[JavaProcess]),
    RECORD: (RecordParams, ImportAnswer),
    DIAGNOSIS_REPORT: (FolderParams, PageAddress),
    CHAIN_STEPS: (ChainParams, ChainAnswer | None),
    HOTSPOTS: (Empty, HotspotsAnswer),
    HOT_LINES: (types.DocumentSymbolParams, HotLinesAnswer | None),
    STATUS: (Empty, StatusPage),
}
"""Parameters and answer of each request."""

NOTIFICATIONS: Mapping[str, object] = {
    STATUS: StatusParams,
    SNAPSHOTS_CHANGED: SnapshotsChangedParams,
    OPTIONS_CHANGED: Empty,
}
"""Parameters of each notification to the client."""

ARGUMENTS: tuple[type, ...] = (ChainChoice,)
"""What stands in arguments of commands."""


def plain(answer: Any) -> Any:
    """Return our messages as plain JSON; anything else as it is."""
    first = answer[0] if isinstance(answer, list) and answer else answer
    return msgspec.to_builtins(answer) if isinstance(first, msgspec.Struct) else answer
