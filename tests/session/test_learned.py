"""Methods of unknown libraries that read options: learned from documents and config files, again after every edit."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.facts.lower import lower
from conflens.ide.pages.status import status
from conflens.options.learned import evidence
from conflens.options.learned.evidence import Callee, is_name, mentioning, passed
from conflens.options.learned.learner import MOST, Learner
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis
from session.support import session

NAMES = tuple(f"shop.{word}.size" for word in ("cart", "queue", "pool", "batch", "cache", "page"))
DOC = "docs/configuration.md"
CODE = "src/p/Shop.java"


def document(names: tuple[str, ...] = NAMES) -> str:
    rows = "".join(f"| {name} | {at} | Size. |\n" for at, name in enumerate(names, 10))
    return f"# Configuration\n\n| Option | Default | Description |\n| --- | --- | --- |\n{rows}"


def code(
    call: str = "Conf.of", names: tuple[str, ...] = NAMES, imported: str = "com.acme.Conf"
) -> str:
    lines = "".join(
        f'    static final int N{at} = {call}("{name}", {at});\n'
        for at, name in enumerate(names, 10)
    )
    return f"package p;\nimport {imported};\nclass Shop {{\n{lines}}}\n"


def project(java: str | None = None, text: str | None = None) -> MemorySystem:
    return MemorySystem({CODE: java or code(), DOC: document() if text is None else text})


def names(analysis: Analysis) -> list[str]:
    return sorted(option.name for option in analysis.options.options)


def test_names_that_a_document_states_tell_what_reads_options() -> None:
    more = code(names=(*NAMES, "shop.late.size"))
    analysis = session(project(more)).scan()
    assert names(analysis) == sorted((*NAMES, "shop.late.size"))
    defaults = {option.name: option.reads[0].default for option in analysis.options.options}
    given = defaults["shop.cart.size"], defaults["shop.late.size"]
    assert [default.text for default in given if default] == ["10", "16"]
    sentence = "com.acme.Conf.of reads options: documents or config files state 6 of the 7 names it is given."
    assert [item.sentence() for item in analysis.learned] == [sentence]
    assert sentence in status("shop", analysis, Wording(), "").replace("\\", "")


def test_a_config_file_states_names_as_well() -> None:
    system = project(text="")
    system.write(
        "conf/shop.properties", "".join(f"{name}={at}\n" for at, name in enumerate(NAMES))
    )
    assert names(session(system).scan()) == sorted(NAMES)


def test_a_method_around_a_learned_one_is_followed() -> None:
    system = project()
    system.write(
        "src/p/Other.java",
        "package p;\nimport com.acme.Conf;\nclass Other {\n"
        "  static int size(String key) { return Conf.of(key, 3); }\n"
        '  int n = size("shop.other.size");\n}\n',
    )
    assert "shop.other.size" in names(session(system).scan())


@pytest.mark.parametrize(
    "java",
    [
        code(names=NAMES[:4]),
        code("Conf.set"),
        code("Integer.getInteger", imported="java.util.List").replace(
            "Integer.getInteger", "List.of"
        ),
        code().replace("import com.acme.Conf;", "import com.acme.*;"),
        code("LoggerFactory.getLogger", imported="org.slf4j.LoggerFactory"),
        code(names=(*NAMES[:5], *(f"other.name{at}.x" for at in range(60)))),
    ],
    ids=[
        "few names",
        "a writer",
        "the JDK",
        "unknown import",
        "a type with rows or none",
        "a small share",
    ],
)
def test_what_is_not_learned(java: str) -> None:
    analysis = session(project(java, document(NAMES[:5]))).scan()
    if "LoggerFactory" not in java:
        assert names(analysis) == []
        assert analysis.learned == ()


def test_resources_of_a_cluster_and_tests_state_nothing() -> None:
    system = project(text="")
    spec = "".join(f"{name}: 1\n" for name in NAMES)
    system.write("conf/shop.yaml", f"apiVersion: v1\nkind: Shop\n{spec}")
    system.write("src/test/docs/configuration.md", document())
    assert names(session(system).scan()) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("src/main/resources/i18n/shop.properties", "5"),
        ("src/main/resources/messages.properties", "5"),
        ("src/main/resources/shop.properties", "Your cart has been emptied"),
    ],
    ids=["a folder of translations", "a bundle", "sentences"],
)
def test_texts_for_people_state_nothing(path: str, value: str) -> None:
    system = project(text="")
    system.write(path, "".join(f"{name}={value}\n" for name in NAMES))
    assert names(session(system).scan()) == []


def test_the_class_of_the_project_is_read_instead() -> None:
    system = project()
    system.write(
        "src/com/acme/Conf.java",
        "package com.acme;\npublic class Conf { public static int of(String key, int n) { return n; } }\n",
    )
    assert names(session(system).scan()) == []


def test_edits_give_what_a_fresh_scan_gives() -> None:
    system = project()
    living = session(system)
    assert names(living.scan()) == sorted(NAMES)
    steps = [
        (DOC, document(NAMES[:3])),
        (DOC, document()),
        (CODE, code(names=NAMES[:4])),
        (CODE, code(names=(*NAMES, "shop.more.size"))),
        ("src/com/acme/Conf.java", "package com.acme; public class Conf { }"),
        ("src/com/acme/Conf.java", "package com.other; public class Conf { }"),
        ("conf/more.properties", "shop.more.size=3\n"),
        (DOC, ""),
    ]
    for path, text in steps:
        system.write(path, text)
        living.files_changed([path])
        edited, fresh = living.rebuild(), session(system).scan()
        assert edited.options.options == fresh.options.options, (path, text)
        assert edited.learned == fresh.learned


def test_an_edit_that_leaves_the_rows_keeps_them() -> None:
    system = project()
    living = session(system)
    living.scan()
    models = living._joined._models
    system.write(CODE, code(names=(*NAMES, "shop.more.size")))
    living.files_changed([CODE])
    assert "shop.more.size" in names(living.rebuild())
    assert living._joined._models is models


def test_a_name_is_found_through_a_constant_and_however_long_it_is() -> None:
    names = ["a.b", *(f"shop.{'x' * length}.size" for length in range(20, 120))]
    for name in names:
        text = (
            "package p; import com.acme.Conf; class Shop {"
            f' static final String KEY = "{name}"; Conf conf; int n = conf.of(KEY); int m = this.conf.of("{name}"); }}'
        )
        facts = lower(text.encode())
        found = passed(facts, mentioning(facts, {name.encode()}))
        assert [(item.callee, item.name) for item in found] == [
            (("com.acme.Conf", "of"), name)
        ] * 2


def test_names_have_separators_inside() -> None:
    assert all(map(is_name, ["a.b", "MAX_SIZE", "max-size", "a.b-c_d"]))
    assert not any(
        map(is_name, ["size", "maxSize", ".a", "a.", "a b", "", "1.5", "a..", "https://a.b/c"])
    )


def test_methods_of_one_name_in_many_types_are_told_apart_in_one_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def calls(types: int) -> int:
        """Count how often a call is looked at if each of many types has a method that is given all names."""
        imports = "".join(f"import q.T{at};\n" for at in range(types))
        given = "".join(
            f'  int n{at}_{name[5:9]} = T{at}.g("{name}");\n'
            for at in range(types)
            for name in NAMES
        )
        looked = 0

        class Counted(Callee):
            def __eq__(self, other: object) -> bool:
                nonlocal looked
                looked += 1
                return tuple.__eq__(self, other)

            __hash__ = Callee.__hash__

        monkeypatch.setattr(evidence, "Callee", Counted)
        analysis = session(project(f"package p;\n{imports}class Shop {{\n{given}}}\n")).scan()
        assert len(analysis.learned) == min(types, MOST)
        cut = [
            problem.message
            for problem in analysis.problems
            if "library methods" in problem.message
        ]
        assert bool(cut) is (types > MOST)
        return looked

    few, many = calls(20), calls(80)
    assert many <= 5 * few


def test_a_type_of_the_jdk_is_never_judged_whatever_was_learned_before() -> None:
    malls = tuple(name.replace("shop", "mall") for name in NAMES)
    system = project(code("Foo.of", imported="java.awt.Color.Foo"), document(NAMES + malls))
    other = code("Color.of", malls, "java.awt.Color").replace("class Shop", "class Mall")
    system.write("src/p/Mall.java", other)
    living = session(system)
    before = names(living.scan())
    system.write("src/p/Mall.java", other.replace("}\n", " int x() { return 1; } }\n"))
    living.files_changed(["src/p/Mall.java"])
    assert names(living.rebuild()) == before == names(session(system).scan())


def test_where_two_arguments_may_be_the_default_it_is_the_first() -> None:
    calls = "".join(
        f'  int n{at} = Conf.of("{name}", {f"x, {at}" if at % 2 else f"{at}, x"});\n'
        for at, name in enumerate(NAMES, 10)
    )
    java = f"package p;\nimport com.acme.Conf;\nclass Shop {{\n  int x;\n{calls}}}\n"
    learner = Learner()
    living = session(project(java))
    living.scan()
    vocabulary = living._papers.vocabulary()
    program = living.scan().program
    rows = learner.extended(program, living._models, vocabulary).reads[0]
    assert (rows.type, rows.name, rows.default) == ("com.acme.Conf", 0, 1)
