"""What is joined over all files: the program and its options, from one set of facts to the next.

Invariant: stopped at any point, both stay those of the facts they were last made of.
"""

from __future__ import annotations

from collections.abc import Mapping

from conflens.base.cancel import CancelToken
from conflens.facts.model import FileFacts
from conflens.models.jdk import JdkTable
from conflens.models.load import Models
from conflens.options.discover import Discovery, discover
from conflens.program.program import Program


class Joined:
    """The last program and the options discovered in it."""

    def __init__(self, jdk: JdkTable) -> None:
        self._jdk = jdk
        self._program: Program | None = None
        self._discovery: Discovery | None = None
        self._digest = ""

    def update(
        self,
        facts: Mapping[str, FileFacts],
        changed: frozenset[str],
        models: Models,
        token: CancelToken,
    ) -> tuple[Program, Discovery]:
        """Return program and options of ``facts``, of which ``changed`` differ from the last.

        Equal inputs give the same objects.  Raises ``Cancelled``.
        """
        program, previous = self._program, self._discovery
        if program is not None and previous is not None and self._digest == models.digest:
            if not changed:
                return program, previous
        else:
            previous = None
        if program is None or not changed <= program.files.keys():
            # New files come at their place in the order of paths, as in a first scan, because of
            # several types with one name the first one wins.
            program = Program.build(dict(sorted(facts.items())), self._jdk)
        elif changed:
            program = program.with_files({path: facts.get(path) for path in changed})
        discovery = discover(
            program, models, previous, None if previous is None else changed, token
        )
        self._program, self._discovery, self._digest = program, discovery, models.digest
        return program, discovery
