"""Small Java programs, analysed, and forests of a few trees made by hand."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from conflens.flow.results import Reach
from conflens.options.model import Option
from conflens.sensitivity.features import CHOSEN, Raw, Subject, features, raw
from conflens.sensitivity.forest import FORMAT, Forest, Tree
from conflens.sensitivity.judge import Judge
from conflens.sensitivity.results import SensitivityTable
from conflens.sensitivity.surroundings import Surroundings
from conflens.sensitivity.vocabulary import packaged
from conflens.session.analysis import Analysis
from session.support import session

NAMES = [feature.name for feature in features(packaged())]


def body(code: str, members: str = "") -> str:
    """A class with the code in a method ``run``, and further members."""
    return (
        "package p;\nimport java.io.*;\nimport java.util.*;\nimport java.util.concurrent.*;\n"
        f"class A {{\n  void run(OutputStream out, Object lock) throws Exception {{\n{code}\n  }}\n"
        f"{members}\n}}\n"
    )


def analysed(*sources: str) -> Analysis:
    """The sources as ``src/A.java``, ``src/B.java``, …"""
    return session(
        MemorySystem({f"src/{chr(65 + n)}.java": text for n, text in enumerate(sources)})
    ).scan()


def option(analysis: Analysis, name: str) -> Option:
    (found,) = (option for option in analysis.options.options if option.name == name)
    return found


def reach(analysis: Analysis, name: str) -> Reach:
    return analysis.flows.of_option(option(analysis, name).key)


def near(analysis: Analysis) -> Surroundings:
    return Surroundings(analysis.program, packaged())


def raw_of(analysis: Analysis, name: str, all_groups: bool = False) -> Raw:
    subject = Subject(option(analysis, name), reach(analysis, name))
    return raw(subject, packaged(), near(analysis), None if all_groups else CHOSEN)


def stump(name: str, threshold: float, low: float, high: float) -> Tree:
    """A tree with one question: ``low`` up to the threshold, ``high`` beyond."""
    return Tree(
        [NAMES.index(name), -1, -1],
        [threshold, 0.0, 0.0],
        [1, -1, -1],
        [2, -1, -1],
        [(low + high) / 2, low, high],
    )


def forest(*trees: Tree, slope: float = 1.5) -> Forest:
    return Forest(FORMAT, "made by hand", NAMES, list(trees), slope)


def varied() -> Forest:
    """A forest that looks at flows, ranks, names and types."""
    return forest(
        stump("operations", 0.5, 0.2, 0.8),
        stump("memory by direct", 0.5, 0.4, 0.9),
        stump("rank by operations", 0.45, 0.3, 0.7),
        stump("rank by name", 0.35, 0.3, 0.6),
        stump("name leans", 0.5, 0.3, 0.8),
        stump("is a size", 0.5, 0.45, 0.6),
        stump("is a place or a secret", 0.5, 0.5, 0.1),
        stump("default, magnitude", 1.5, 0.4, 0.6),
    )


def judged(judge: Judge, analysis: Analysis) -> SensitivityTable:
    return judge.judged(analysis.program, analysis.options.options, analysis.flows)
