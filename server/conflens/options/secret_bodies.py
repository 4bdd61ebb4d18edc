"""Which bodies handle a secret, and which of their literals excerpts of code may show.

A body through which the value of a secret goes may compare it with another, join it or replace parts of it, whatever its variables are
called.  So of its literals only names of options are shown, and values of options that hold no secret.
Absent: what is a secret (``secret_values``); literals of other bodies, which their own form and names judge (``base.secrets``).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from conflens.flow.results import FlowTable
from conflens.options.model import Option, OptionTable
from conflens.options.secret_values import holds_secret, is_hidden
from conflens.program.program import Program
from conflens.program.refs import MemberRef

Spans = Mapping[str, tuple[tuple[int, int], ...]]


class SecretBodies:
    """The bodies of one analysis that handle secrets; nothing is looked at before it is asked for."""

    def __init__(self, program: Program, options: OptionTable, flows: FlowTable) -> None:
        """Ask these."""
        self._program, self._options, self._flows = program, options, flows
        self._spans: Spans | None = None
        self._shown: Container[str] = frozenset()

    def literals(self, path: str, at: int) -> Container[str] | None:
        """Return the only literals that may be shown of the code at a byte offset, ``None`` where no body handles a secret."""
        if self._spans is None:
            self._spans = self._found()
        spans = self._spans.get(path, ())
        return self._shown if any(start <= at < end for start, end in spans) else None

    def _found(self) -> Spans:
        secrets = [option for option in self._options.options if holds_secret(option)]
        if not secrets:
            return {}
        self._shown = frozenset(
            text for option in self._options.options for text in _plain(option)
        )
        spans: dict[str, set[tuple[int, int]]] = {}
        for ref in {ref for option in secrets for ref in self._members(option)}:
            member = self._program.member(ref)
            spans.setdefault(ref.path, set()).add((member.at, member.end))
        return {path: tuple(sorted(found)) for path, found in spans.items()}

    def _members(self, option: Option) -> Iterator[MemberRef]:
        reach = self._flows.of_option(option.key)
        for flow in reach.flows:
            yield flow.operation.ref
            for path in flow.paths:
                yield from (step.ref for step in path.steps)
        yield from (one.ref for one in reach.cold)
        yield from (one.ref for one in reach.holds)


def _plain(option: Option) -> Iterator[str]:
    """Yield the name of an option, and values of it that code knows and that are no secrets."""
    yield option.name
    if not holds_secret(option):
        yield from (value for value in option.values if not is_hidden(option, value))
        yield from (one.text for one in option.defaults if not is_hidden(option, one))
