"""Keys, placeholders and environment variables in config files that follow an option's new name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from conflens.base.span import Place
from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import Assignment, ConfigFile
from conflens.ide.rename.edits import Part, RenameEdit, where_of
from conflens.ide.rename.java_code import CodeChange
from conflens.ide.rename.key_names import forms, is_relaxed, respelled
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.sure import Sure
from conflens.ide.rename.texts import check_work, is_plain
from conflens.ide.rename.variables import has_variables, is_variable, sets_variable, spellings
from conflens.ide.targets.config_keys import name_place
from conflens.ide.targets.config_names import placeholders
from conflens.ide.targets.mentions import is_distinct, occurrences
from conflens.options.model import Option
from conflens.session.analysis import Analysis

_NOT_IN_VARIABLE = re.compile(r"[^A-Za-z0-9]+")
_NOT_IN_PLACEHOLDER = re.compile(r"[${}:\"'\\]")


def config_edits(
    analysis: Analysis,
    sure: Sure,
    code: CodeChange,
    old: str,
    new: str,
    derived: bool,
    variables: dict[str, str],
    work: Counter[str],
) -> Iterator[RenameEdit]:
    """Yield the edits of keys and placeholders; of a ``derived`` name the last part, in the form that stands there.  What they spell as
    environment variables goes into ``variables``, how many keys of a file change is counted in ``work``."""
    spell = respelled if derived else _spelled_as
    keys = {option.key for option in code.options}
    for path in analysis.recognised.config_files():
        match = analysis.recognised.match(path)
        file = analysis.config_files[path]
        if match is None:
            continue
        names = {name for name, of in match.options.items() if any(one.key in keys for one in of)}
        for name in sorted(names):
            wanted = spell(name, old, new)
            written = list(file.by_name.get(name, ()))
            if written and wanted in file.by_name:
                where = where_of(analysis, name_place(path, file.by_name[wanted][0]))
                raise RefusedError(f"{where} sets {wanted} already.")
            if sets_variable(name, old, wanted, match.options[name]):
                _check_own(analysis, file, written, match.options[name], keys)
                variables[name] = wanted
            if not has_variables(file):
                check_work(file, written, work)
                known = sure.is_key(path, match.options[name], code.options)
                yield from _keys(analysis, sure, file, written, wanted, known)
            elif name not in variables and is_plain(wanted, name):
                for start, end in occurrences(file.text, name):
                    yield RenameEdit(Place(path, start, end), wanted, Part.SCRIPT)
        for place, name in placeholders(analysis, file, match.domains, code.options):
            wanted = spell(name, old, new)
            if _NOT_IN_PLACEHOLDER.search(wanted):
                where = where_of(analysis, place)
                raise RefusedError(f"A placeholder in {where} cannot hold the name {wanted}.")
            if sets_variable(name, old, wanted, code.options):
                variables[name] = wanted
            started = sure.has_cursor(place)
            sure.started([place] if started else ())
            yield RenameEdit(place, wanted, Part.CONFIG, started)


def variable_forms(
    analysis: Analysis, options: tuple[Option, ...], old: str, new: str, derived: bool
) -> dict[str, str]:
    """Return the environment variables that set a relaxed option, with their new names: files that are not known to belong to the
    program set them, too."""
    if not any(is_relaxed(analysis, option) for option in options):
        return {}
    spell = respelled if derived else _spelled_as
    return {
        form: spell(form, old, new)
        for form in forms(old)
        if is_variable(form) and is_distinct(form)
    }


def _check_own(
    analysis: Analysis,
    file: ConfigFile,
    written: Iterable[Assignment],
    options: Iterable[Option],
    keys: set[tuple[str, str]],
) -> None:
    """Refuse to rename a variable that is an option of its own, too."""
    for one in options:
        if one.key not in keys and not one.pattern and is_variable(one.name):
            for assignment in written:
                where = where_of(analysis, name_place(file.path, assignment))
                raise RefusedError(f"{where} sets {one.name}, which is another option as well.")


def variable_edits(analysis: Analysis, old: str, new: str) -> Iterator[RenameEdit]:
    """Yield the edits of all spellings of an environment variable.  Each may be meant for another program that is started."""
    for _, file in sorted(analysis.config_files.items()):
        if has_variables(file):
            for place in spellings(file, old):
                yield RenameEdit(place, new, Part.SCRIPT)


def _keys(
    analysis: Analysis,
    sure: Sure,
    file: ConfigFile,
    written: list[Assignment],
    wanted: str,
    known: bool,
) -> Iterator[RenameEdit]:
    own = {(one.key.start, one.key.end) for one in written if not one.merged}
    changed = iter(parsing.all_renamed(file, [one for one in written if not one.merged], wanted))
    for assignment in written:
        key = (assignment.key.start, assignment.key.end)
        if assignment.merged:
            if key not in own:
                where = where_of(analysis, Place(file.path, *key))
                raise RefusedError(f"{where} sets it through an alias, which others use as well.")
            continue
        changes = next(changed)
        if changes is None:
            where = where_of(analysis, Place(file.path, *key))
            raise RefusedError(f"The name {wanted} cannot be written in {where}.")
        started = sure.has_cursor(name_place(file.path, assignment))
        made = [(Place(file.path, one.start, one.end), one.text) for one in changes]
        sure.started(place for place, _ in made if started)
        for place, text in made:
            yield RenameEdit(place, text, Part.CONFIG, known or started)


def _spelled_as(name: str, old: str, new: str) -> str:
    """The new name in the way that a file writes the old one: as itself, or as an environment variable."""
    if name != old and is_variable(name):
        return _NOT_IN_VARIABLE.sub("_", new).upper()
    return new
