"""Which options the keys of config files are, and which options config files alone read, from one publication to the next.

Options of code come first: by them it is told which files count.  What values of these name besides are options as well
(``checking.placeholder_options``), and keys are then recognised by all.  A file that only these tell to count may ask for more.
"""

from __future__ import annotations

from collections.abc import Mapping

from conflens.checking.placeholder_options import PlaceholderOptions
from conflens.checking.recognition import Recognised
from conflens.documents.configfiles.model import ConfigFile
from conflens.options.model import OptionTable
from conflens.program.program import Program
from conflens.session.inputs.configuration import Configuration


class Recognising:
    """Keeps what was found out while files and options stay the same."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        nothing = Recognised.of({}, OptionTable.of([], []))
        self._by_code = nothing
        self._by_all = nothing
        self._by_more = nothing
        self._placeholders = PlaceholderOptions()
        self._further = PlaceholderOptions()

    def of(
        self,
        files: Mapping[str, ConfigFile],
        program: Program,
        options: OptionTable,
        settled: Configuration,
        complete: bool,
    ) -> tuple[OptionTable, Recognised]:
        """Return all options, and which of them the keys of config files are.  Those of placeholders are looked for once
        the analysis is ``complete``."""
        self._by_code = self._of(self._by_code, files, program, options, settled)
        every = self._placeholders.extended(self._by_code) if complete else options
        if every is options:
            return options, self._by_code
        self._by_all = self._of(self._by_all, files, program, every, settled)
        new = set(self._by_all.config_files()).difference(self._by_code.config_files())
        if not any(b"${" in files[path].text for path in new):
            return every, self._by_all
        more = self._further.extended(self._by_all)
        if more is every:
            return every, self._by_all
        self._by_more = self._of(self._by_more, files, program, more, settled)
        return more, self._by_more

    @staticmethod
    def _of(
        before: Recognised,
        files: Mapping[str, ConfigFile],
        program: Program,
        options: OptionTable,
        settled: Configuration,
    ) -> Recognised:
        known = before.files is files and before.names.table is options
        known = known and before.program is program
        if known and before.judged is settled.judged:
            return before
        models = settled.models
        rows = models.domains, program, models.roles
        return Recognised.of(files, options, settled.relaxed, settled.judged, before, *rows)
