"""The view of an option: each fact once, in the form that every feature shows."""

from __future__ import annotations

import attrs

from conflens.base.text import Encoding
from conflens.options.model import OptionType
from conflens.render.option_view import OptionView, namespace_of, option_view
from conflens.render.ranking import ranked
from conflens.sensitivity.results import UNKNOWN, Label
from ide.toy import Project, project

SERVER = """class Server {
    void start() throws Exception {
        int size = Integer.getInteger("net.buffer", 8);
        byte[] buffer = new byte[size]; // <- net.buffer direct memory
        for (int i = 0; i < size; i++) { out.flush(); } // <- net.buffer loop io
    }
}
"""
DOCUMENT = "# Options\n\n`net.buffer`: How much is read at once. Default: 8.\n"


def view_of(
    files: dict[str, str], name: str = "net.buffer", **changes: object
) -> tuple[Project, OptionView]:
    made = project(files, **changes)
    option = next(option for option in made.analysis.options.options if option.name == name)
    return made, option_view(made.analysis, option)


def test_the_facts_of_an_option_are_in_its_view() -> None:
    made, view = view_of({"Server.java": SERVER})
    assert (view.name, view.domain, view.key) == (
        "net.buffer",
        "system-property",
        ("system-property", "net.buffer"),
    )
    assert (view.namespace, view.type, view.evidence) == ("net", "whole number", "")
    assert view.default_texts == ("8",)
    assert view.place is not None
    assert made.show(view.place) == 'Server.java:3:39 "net.buffer"'
    assert view.effects == "repeats 1 I/O operation, sizes 1 buffer"
    assert view.kinds_of_effects == "repeats I/O operations, sizes buffers"
    assert view.operations == 2
    assert not view.is_documented


def test_without_a_model_the_verdict_is_unknown() -> None:
    _, view = view_of({"Server.java": SERVER})
    assert (view.verdict, view.is_judged) == (UNKNOWN, False)
    _, view = view_of({"Server.java": SERVER + "// ? net.buffer sensitive 0.9\n"})
    assert (view.verdict.label, view.is_judged) == (Label.SENSITIVE, True)


def test_the_evidence_of_an_inferred_type_is_separate() -> None:
    _, view = view_of({"Server.java": SERVER}, type=OptionType.TIME, why="passed to sleep")
    assert (view.type, view.evidence) == ("time", " (passed to sleep)")


def test_a_default_that_occurs_twice_is_one_default() -> None:
    other = SERVER.replace("Server", "Other")
    _, view = view_of({"Server.java": SERVER, "Other.java": other})
    assert view.default_texts == ("8",)
    assert not view.defaults_differ
    _, view = view_of({"Server.java": SERVER, "Other.java": other.replace("8", "16")})
    assert sorted(view.default_texts) == ["16", "8"]
    assert view.defaults_differ


def test_a_secret_shows_no_default_in_code_or_documents() -> None:
    _, view = view_of({"Server.java": SERVER}, type=OptionType.PASSWORD)
    assert (view.is_secret, view.default_texts) == (True, ())
    read = 'class A { void a() { System.getProperty("db.secret", "hunter2"); } }'
    document = "# Options\n\n`db.secret`: Opens the database. Default: `hunter2`.\n"
    _, view = view_of({"A.java": read, "options.md": document}, "db.secret")
    assert view.is_secret
    assert (view.default_texts, view.documented_default) == ((), None)
    assert "hunter2" not in view.description
    assert not view_of({"Server.java": SERVER})[1].is_secret
    read = 'class A { void a() { System.getProperty("toy.api-key"); } }'
    document = (
        "| option | default | about |\n|---|---|---|\n| `toy.api-key` | hunter2 | The key |\n"
    )
    _, view = view_of({"A.java": read, "options.md": document}, "toy.api-key")
    assert view.documents and (view.is_secret, view.documented_default) == (True, None)


def test_descriptions_in_code_take_precedence_over_documents() -> None:
    files = {"Server.java": SERVER, "options.md": DOCUMENT}
    _, view = view_of(files)
    assert view.is_documented
    assert view.description == "How much is read at once."
    assert [(ref.path, ref.line) for ref in view.documents] == [("options.md", 3)]
    _, view = view_of(files, description="From code.")
    assert view.description == "From code."


def test_a_document_on_the_current_line_is_omitted() -> None:
    made, view = view_of({"Server.java": SERVER, "options.md": DOCUMENT})
    start = made.analysis.offset("options.md", 2, 3, Encoding.UTF8)
    place = attrs.evolve(view.option.reads[0].place, path="options.md", start=start, end=start + 1)
    assert option_view(made.analysis, view.option, place).documents == ()
    above = attrs.evolve(place, start=0, end=1)
    assert option_view(made.analysis, view.option, above).documents == view.documents


def test_names_are_grouped_by_their_first_segment() -> None:
    assert namespace_of("pool.buffer.size") == "pool"
    assert namespace_of("org.example.pool.size") == "org.example.pool"
    assert namespace_of("org.size") == "org"
    assert namespace_of("size") == ""


def test_the_most_probably_sensitive_come_first() -> None:
    reads = "class B { void b() { " + "".join(
        f'System.getProperty("{name}"); ' for name in ("x.no", "x.unknown", "x.yes", "x.yet")
    )
    verdicts = (
        "} }\n// ? x.no insensitive 0.1\n// ? x.yes sensitive 0.7\n// ? x.yet sensitive 0.8\n"
    )
    views = ranked(project({"B.java": reads + verdicts}).analysis)
    assert [view.name for view in views] == ["x.yet", "x.yes", "x.unknown", "x.no"]


def test_what_a_program_is_shipped_with_comes_before_defaults_of_code() -> None:
    read = 'class A { int a = Integer.getInteger("net.buffer", 8); int b = Integer.getInteger("net.size", 8); }'
    files = {"A.java": read, "src/main/resources/net.properties": "net.buffer = 4\nnet.size = 8\n"}
    made, view = view_of(files)
    shown = made.show(view.defaults[0].place)
    assert (view.default_texts, shown) == (("4", "8"), "src/main/resources/net.properties:1:14 4")
    _, view = view_of(files, "net.size")
    assert view.default_texts == ("8",)
