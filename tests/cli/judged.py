"""Verdicts made by hand, for the projects of ``flowing`` and ``projects``."""

import attrs

from cli.flowing import SOURCE, Finder, flowing
from conflens.flow.results import OptionKey
from conflens.sensitivity.results import Evidence, Label, Reason, SensitivityTable, Source, Verdict
from conflens.session.analysis import Analysis


def with_verdicts(analysis: Analysis, verdicts: dict[OptionKey, Verdict]) -> Analysis:
    """The same after a model has looked; options without a verdict are unknown."""
    return attrs.evolve(analysis, sensitivity=SensitivityTable(verdicts, ready=True))


def judged() -> Analysis:
    """``pool.size`` sensitive with two reasons for it and one against, ``pool.wait`` a person's no."""
    analysis = flowing()
    step = Finder(SOURCE).step
    write, buffer = step("fill()", "out\n"), step("buffer()", "new byte")
    return with_verdicts(
        analysis,
        {
            ("system-property", "pool.size"): Verdict(
                Label.SENSITIVE,
                0.912345,
                (
                    Reason("controls how often I/O runs", True, write.ref, write.instr),
                    Reason("is the name of a file", False),
                    Reason("sizes a buffer", True, buffer.ref, buffer.instr),
                ),
                Evidence.STRONG,
            ),
            ("system-property", "pool.wait"): Verdict(
                Label.INSENSITIVE,
                0.75,
                (Reason("waits", True),),
                Evidence.MEASURED,
                Source.PERSON,
                "measured, no | effect",
                4,
                Label.SENSITIVE,
            ),
        },
    )
