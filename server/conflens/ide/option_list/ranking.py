"""All options of a project, those most likely performance-sensitive first.

The order is that of ``Verdict.order`` (sensitive, unknown, insensitive; within each the most
probable), then the name.  Without a model that has looked every verdict is ``unknown``, and the
order is that of the names.  Absent: words (``sensitivity_words``) and pages (``sensitivity_page``).
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.ide.diagnostics.documented import in_tests
from conflens.options.model import Option
from conflens.render.flows import is_telling
from conflens.sensitivity.results import Verdict
from conflens.session.analysis import Analysis


@attrs.frozen
class Ranked:
    """One option in its place of the order.

    ``operations`` counts what it surely reaches (high or medium confidence), log calls left out.
    ``place`` is the name at its first read, outside of tests if there is one, or else its
    declaration; ``None`` for an option that has neither.
    """

    option: Option
    verdict: Verdict
    operations: int
    place: Place | None


def ranked(analysis: Analysis) -> tuple[Ranked, ...]:
    """Return all options in order; see the module text."""
    found = [
        Ranked(
            option,
            analysis.sensitivity.of_option(option.key),
            sum(map(is_telling, analysis.flows.of_option(option.key).nearest())),
            first_place(option),
        )
        for option in analysis.options.options
    ]
    return tuple(
        sorted(found, key=lambda item: (item.verdict.order, item.option.name, item.option.domain))
    )


def first_place(option: Option) -> Place | None:
    """Return where to look at an option first; see ``Ranked``."""
    reads = [(in_tests(read), read.name_place) for read in option.reads]
    if reads:
        return min(reads)[1]
    return min((declaration.place for declaration in option.declarations), default=None)
