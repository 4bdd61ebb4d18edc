"""What the user has set for a project: the workspace file, further specifications, settings.

``load`` is total: a file that is wrong in parts gives what is right in it, and problems.  One that
cannot be read as TOML at all, as happens while it is being written, keeps what it said before.
Absent: the schema of the workspace file (``models.workspace``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs

from conflens.base.system import System, check_own
from conflens.checking import baseline
from conflens.checking.baseline import Baseline, BaselineError
from conflens.checking.results import Code, Severity
from conflens.checking.suppression import NO_POLICY, Policy, Rule, rules_of
from conflens.models.load import Models, merge
from conflens.models.places import Places
from conflens.models.user_toml import load_toml
from conflens.models.workspace import (
    MAX_BYTES,
    Checks,
    Training,
    Verdict,
    WorkspaceModel,
    parse_workspace,
)
from conflens.program.modules import build_files
from conflens.sensitivity.fitting import usable
from conflens.sensitivity.table import Table, TableError, loads
from conflens.session.analysis import Problem
from conflens.session.inputs.inputs import WORKSPACE_FILE
from conflens.session.inputs.named_files import NamedFiles
from conflens.session.inputs.policy import Rules

MAX_PROBLEMS = 1_000
"""So many problems of one workspace file are listed."""
MAX_TABLE = 50_000_000
"""Bytes of a training table; a larger one is not read."""


@attrs.frozen
class Settings:
    """What an editor or the command line sets; ``specs`` are further workspace files (path, text)."""

    include_tests: bool = False
    include_generated: bool = False
    exclude: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    config_files: tuple[str, ...] = ()
    specs: tuple[tuple[str, str], ...] = ()


@attrs.frozen
class Configuration:
    """Everything that settings decide; ``said`` is what each workspace file has said last.

    ``decisions`` are a person's verdicts, ``training`` is the training table to use (``None``: the
    packaged one), ``watched`` the file it is to come from (empty: none).
    """

    models: Models = attrs.field(repr=False)
    rules: Rules
    problems: tuple[Problem, ...]
    said: Mapping[str, WorkspaceModel] = attrs.field(repr=False)
    decisions: tuple[Verdict, ...] = ()
    training: Table | None = attrs.field(default=None, repr=False)
    watched: str = ""
    relaxed: frozenset[str] = frozenset()
    """The domains in which names are spelled in several ways."""
    named: NamedFiles = attrs.field(factory=lambda: NamedFiles(()), repr=False)
    """The files that the user names as config files; the same object as before as long as the patterns are the same."""
    judged: Callable[[str], bool | None] = attrs.field(default=lambda path: None, repr=False)
    """What the user says of files: whether they are config files; ``named``'s verdict, kept to be compared by identity."""
    policy: Policy = attrs.field(default=NO_POLICY, repr=False)
    """What workspace files say of findings; the same object as before as long as it says the same."""
    baseline: str = ""
    """The file with known findings that ``policy`` was to come from (empty: none)."""


def load(
    system: System, models: Models, settings: Settings, before: Configuration | None = None
) -> Configuration:
    """Return the packaged ``models`` extended by the workspace file and the settings."""
    files = [*settings.specs]
    problems: list[Problem] = []
    said = dict(before.said) if before else {}
    try:
        check_own(system, WORKSPACE_FILE)
        files.insert(0, (WORKSPACE_FILE, system.read(WORKSPACE_FILE).decode("utf-8-sig")))
    except FileNotFoundError:
        said.pop(WORKSPACE_FILE, None)
    except OSError as error:
        problems.append(_unreadable(str(error.strerror or error)))
    except UnicodeDecodeError as error:
        problems.append(_unreadable(str(error)))
    exclude, documents = settings.exclude, settings.documents
    config_files = settings.config_files
    links: tuple[str, ...] = ()
    decisions: tuple[Verdict, ...] = ()
    for path, text in files:
        workspace, found = parse_workspace(path, text, _places)
        if found and not _is_toml(text):
            workspace = said.get(path, workspace)
        said[path] = workspace
        models = merge(models, workspace)
        decisions += workspace.verdicts
        exclude += workspace.exclude
        documents += workspace.documentation
        config_files += workspace.configuration
        links += workspace.links
        problems += [
            _problem(path, item.line, item.column, _advice(item.message, item.suggestion))
            for item in found
        ]
    rules = Rules(
        exclude=exclude,
        documents=documents,
        configuration=config_files,
        include_tests=settings.include_tests,
        include_generated=settings.include_generated,
        links=links,
        side_files=frozenset(row.file for row in models.implied_settings) | build_files.NAMES,
    )
    training, watched = None, ""
    for path, _ in files:  # the last one that says so wins, as with verdicts
        wanted = said[path].training
        if wanted is not None:
            training, watched = _training(system, path, wanted, problems), wanted.path
    relaxed = frozenset(row.domain for row in models.domains if row.relaxed)
    named = NamedFiles(rules.configuration)
    judged: Callable[[str], bool | None] = named.verdict
    if before is not None and before.rules.configuration == rules.configuration:
        named, judged = before.named, before.judged
    checks = [(path, said[path].checks) for path, _ in files]
    policy, known = _policy(system, checks, problems)
    if before is not None and before.policy == policy:
        policy = before.policy
    return Configuration(
        models,
        rules,
        tuple(_first(problems)),
        said,
        decisions,
        training,
        watched,
        relaxed,
        named,
        judged,
        policy,
        known,
    )


def _policy(
    system: System, checks: list[tuple[str, Checks]], problems: list[Problem]
) -> tuple[Policy, str]:
    """Return what workspace files say of findings, and the path of the baseline; later files win."""
    rules: tuple[Rule, ...] = ()
    severities: dict[Code, Severity] = {}
    known: Baseline | None = None
    watched = ""
    for path, one in checks:
        found, louder, faults = rules_of(one)
        rules += found
        severities.update(louder)
        for fault in faults:
            text = _advice(fault.message, fault.suggestion)
            problems.append(_problem(path, fault.line, fault.column, text))
        if one.baseline:
            watched = one.baseline
            known = _baseline(system, path, one, problems)
    return Policy(rules, severities, known), watched


def _baseline(
    system: System, path: str, wanted: Checks, problems: list[Problem]
) -> Baseline | None:
    """Read a baseline; what is wrong with it is a problem of the file ``path`` that wants it."""
    name = wanted.baseline
    try:
        if path == WORKSPACE_FILE:
            check_own(system, name)
        if system.stat(name).size > baseline.MAX_BYTES:
            raise BaselineError(f"has more than {baseline.MAX_BYTES:,} bytes")
        return baseline.decode(system.read(name))
    except FileNotFoundError:
        reason = "does not exist"
    except BaselineError as error:
        reason = str(error)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
    except ValueError as error:  # a name with NUL
        reason = f"cannot be read: {error}"
    text = f"[check]: the baseline {name[:80]!r} {reason}; no finding is taken as known"
    problems.append(_problem(path, wanted.line, 1, text))
    return None


def _training(
    system: System,
    path: str,
    wanted: Training,
    problems: list[Problem],
) -> Table | None:
    """Read a training table; what is wrong with it is a problem of the file ``path`` that wants
    it."""
    try:
        if path == WORKSPACE_FILE:
            check_own(system, wanted.path)
        if system.stat(wanted.path).size > MAX_TABLE:
            raise TableError(f"{wanted.path} has more than {MAX_TABLE:,} bytes")
        return usable(loads(system.read(wanted.path).decode("utf-8-sig"), wanted.path))
    except FileNotFoundError:
        reason = f"{wanted.path} does not exist"
    except TableError as error:
        reason = str(error)
    except OSError as error:
        reason = f"{wanted.path[:80]} cannot be read: {error.strerror or error}"
    except ValueError as error:  # bytes that are no UTF-8, a name with NUL
        reason = f"{wanted.path} cannot be read: {error}"
    text = f"[sensitivity]: {reason}; the packaged training table is used"
    problems.append(_problem(path, wanted.line, 1, text))
    return None


def _places(text: str) -> Places:
    from conflens.documents.configfiles.toml.places import toml_places  # noqa: PLC0415 - most projects have no such file

    return toml_places(text)


def unusable(path: str, text: str) -> str | None:
    """Return why nothing at all can be taken from a specification, as one line; else ``None``."""
    if len(text.encode("utf-8", "surrogatepass")) <= MAX_BYTES and _is_toml(text):
        return None
    _, found = parse_workspace(path, text, _places)
    return next((f"{path}:{item.line}: {item.message}" for item in found), None)


def _first(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The first ``MAX_PROBLEMS`` of each file, and one that says how many more there are."""
    numbers = Counter[str]()
    omitted: dict[str, Problem] = {}
    for problem in problems:
        numbers[problem.path] += 1
        if numbers[problem.path] <= MAX_PROBLEMS:
            yield problem
        else:
            omitted.setdefault(problem.path, problem)
    for path, first in omitted.items():
        more = numbers[path] - MAX_PROBLEMS
        message = f"{more:,} more {'problem is' if more == 1 else 'problems are'} not listed"
        yield _problem(path, first.line, first.column, message)


def _unreadable(reason: str) -> Problem:
    return _problem(WORKSPACE_FILE, 1, 1, f"cannot be read: {reason}")


def _problem(path: str, line: int, column: int, message: str) -> Problem:
    return Problem(path, line, column, "workspace-file", message)


def _advice(message: str, suggestion: str | None) -> str:
    if not suggestion or suggestion in message:
        return message
    return f"{message}; did you mean '{suggestion}'?"


def _is_toml(text: str) -> bool:
    try:
        load_toml(text)
    except (ValueError, RecursionError):
        return False
    return True
