"""A class that is bound under one prefix or under two: an edit of who binds it changes what is sure of its fields."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from conflens.flow.results import Confidence
from conflens.session.analysis import Analysis
from session.support import session

BEANS = (
    "package p; import org.springframework.boot.context.properties.ConfigurationProperties;"
    ' class Beans { @ConfigurationProperties("in") Limits in() { return new Limits(); } }'
)
OTHER = (
    "package p; import org.springframework.boot.context.properties.ConfigurationProperties;"
    ' class Other { @ConfigurationProperties("out") Limits out() { return new Limits(); } }'
)
FILES = {
    "p/Limits.java": (
        "package p; class Limits { private int size; public int getSize() { return size; }"
        " public void setSize(int size) { this.size = size; } }"
    ),
    "p/Beans.java": BEANS,
    "p/Other.java": "package p; class Other { }",
    "p/Reader.java": "package p; class Reader { byte[] read(Limits l) { return new byte[l.getSize()]; } }",
}


def _confidences(analysis: Analysis) -> dict[str, list[Confidence]]:
    return {
        option.name: [flow.confidence for flow in analysis.flows.of_option(option.key).flows]
        for option in analysis.options.options
    }


def test_a_second_prefix_and_its_end_change_the_confidence_of_the_first() -> None:
    system = MemorySystem({name: text.encode() for name, text in FILES.items()})
    living = session(system)
    once = {"in.size": [Confidence.HIGH]}
    assert _confidences(living.scan()) == once
    for text, wanted in (
        (OTHER, {"in.size": [Confidence.MEDIUM], "out.size": [Confidence.MEDIUM]}),
        (FILES["p/Other.java"], once),
    ):
        system.write("p/Other.java", text)
        living.files_changed(["p/Other.java"])
        assert _confidences(living.rebuild()) == wanted
        assert _confidences(session(MemorySystem(dict(system.files))).scan()) == wanted
