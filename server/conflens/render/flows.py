"""What an option, or one of its reads, reaches in an analysis; what requests ask for, indexed before they come."""

from __future__ import annotations

from conflens.flow.results import OptionKey, Reach
from conflens.options.model import Option, Read
from conflens.session.analysis import Analysis


def reach_of(analysis: Analysis, option: Option, read: Read | None) -> Reach:
    """Return what one read of an option reaches, or all of them."""
    if read is None:
        return analysis.flows.of_option(option.key)
    return analysis.flows.of_read(option.key, read.place)


def prepare(analysis: Analysis, path: str) -> None:
    """Index what requests on a file ask for, so that none of them has to."""
    analysis.flows.operations_in(path)
    for read, option in analysis.options.reads_in.get(path, ()):
        reach_of(analysis, option, read).nearest()


def option_of(analysis: Analysis, key: OptionKey) -> Option | None:
    """Return the option with a key."""
    return next((option for option in analysis.options.options if option.key == key), None)
