"""Options that only config files read: what editors do with them, how they follow edits, and what is kept quiet."""

from __future__ import annotations

import random

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.check import findings
from conflens.ide.hover.config_files import config_hover
from conflens.ide.navigation.navigation import definition, references
from conflens.ide.rename.rename import renamed
from conflens.ide.settings.settings import Settings
from conflens.options.model import OptionTable
from conflens.options.secret_values import shown_value
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis
from session.support import session

JAVA = """
import org.springframework.beans.factory.annotation.Value;
class App { @Value("${app.pool-size:4}") int size; }
"""
YAML = """\
app:
  pool-size: "${POOL_SIZE:8}"
datasource:
  url: ${DB_URL:jdbc:h2:mem}
  password: ${DB_PASS:hunter22}
  mirror: ${DB_URL:jdbc:h2:mem}
"""
PATH = "src/main/resources/application.yml"
ENV = "POOL_SIZE=16\nDB_URL=jdbc:pg\n"
FILES = {"src/main/java/App.java": JAVA, PATH: YAML, ".env": ENV}


def analysed(files: dict[str, str] = FILES) -> Analysis:
    return session(MemorySystem({path: text.encode() for path, text in files.items()})).scan()


def said(table: OptionTable) -> list[tuple[object, ...]]:
    return [
        (one.key, one.type, one.unit, one.reads, one.defaults, one.limits) for one in table.options
    ]


def test_every_name_is_one_option_with_all_of_its_reads() -> None:
    found = {one.name: one for one in analysed().options.options}
    assert sorted(found) == ["DB_PASS", "DB_URL", "POOL_SIZE", "app.pool-size"]
    assert [read.method for read in found["DB_URL"].reads] == [
        "datasource.url",
        "datasource.mirror",
    ]
    assert {one.text for one in found["DB_URL"].defaults} == {"jdbc:h2:mem"}
    assert not found["DB_URL"].conflict


def test_places_are_the_name_and_its_default() -> None:
    analysis = analysed()
    option = next(one for one in analysis.options.options if one.name == "DB_URL")
    read = option.reads[0]
    text = YAML.encode()
    assert text[read.place.start : read.place.end] == b"${DB_URL:jdbc:h2:mem}"
    assert text[read.name_place.start : read.name_place.end] == b"DB_URL"
    assert read.default is not None
    assert text[read.default.place.start : read.default.place.end] == b"jdbc:h2:mem"


def test_a_reference_leads_to_the_other_ones_and_to_what_sets_the_variable() -> None:
    analysis = analysed()
    at = YAML.encode().index(b"DB_URL")
    places = references(analysis, PATH, at + 2, True)
    lines = {(place.path, analysis.line(place)) for place in places}
    assert lines >= {(PATH, 4), (PATH, 6)}
    found = definition(analysis, PATH, at + 2)
    assert found is not None and len(found.targets) == 2


def test_a_reference_has_a_hover_of_its_option() -> None:
    analysis = analysed()
    at = YAML.encode().index(b"POOL_SIZE") + 1
    hover = config_hover(
        analysis, PATH, at, Settings(), Wording(lambda path, line: f"{path}#{line}")
    )
    assert hover is not None and "POOL_SIZE" in hover.markdown


def test_the_default_of_a_password_is_hidden() -> None:
    option = next(one for one in analysed().options.options if one.name == "DB_PASS")
    assert option.type == "password"
    assert "hunter22" not in shown_value(option, option.defaults[0].text)


def test_nothing_is_wrong_with_such_files() -> None:
    analysis = analysed(
        FILES | {"README.md": "# Use\n\n| Name | Default |\n|---|---|\n| `app.x` | 1 |\n"}
    )
    assert not [one for path in analysis.config_files for one in findings(analysis, path)]


def test_code_without_such_files_keeps_its_table() -> None:
    made = session(MemorySystem({"A.java": b'class A { int a = Integer.getInteger("a.b"); }'}))
    before = made.scan()
    made.open("notes.yml", "x: 1\n", 1)
    assert made.rebuild().options is before.options


@pytest.mark.parametrize("seed", range(12))
def test_edits_give_what_a_fresh_scan_gives(seed: int) -> None:
    dice = random.Random(seed)
    texts = dict(FILES)
    made = session(MemorySystem({path: text.encode() for path, text in texts.items()}))
    made.scan()
    pieces = ("${", "}", ":", "DB_URL", "\n", "  ", "app.pool-size", "${X:1}", '"', "a: ", "'")
    for version in range(1, 9):
        path = dice.choice((PATH, PATH, ".env", "src/main/java/App.java"))
        at = dice.randrange(len(texts[path]) + 1)
        end = min(len(texts[path]), at + dice.choice((0, 0, 1, 5)))
        texts[path] = texts[path][:at] + dice.choice(pieces) + texts[path][end:]
        made.change(path, texts[path], version)
        edited = made.rebuild()
        assert said(edited.options) == said(analysed(texts).options)


def test_a_rename_changes_every_reference_and_the_file_that_sets_it() -> None:
    found = renamed(analysed(), PATH, YAML.encode().index(b"DB_URL") + 1, "DB_ADDRESS")
    assert found is not None
    assert sorted((edit.place.path, edit.text) for edit in found.edits) == [
        (".env", "DB_ADDRESS"),
        (PATH, "DB_ADDRESS"),
        (PATH, "DB_ADDRESS"),
    ]


def test_a_name_that_one_value_asks_for_twice_is_read_at_both_places() -> None:
    value = "${A}-${B:${A}}-${A}"
    analysis = analysed({"src/main/java/App.java": JAVA, PATH: f"app:\n  pool-size: {value}\n"})
    start = f"app:\n  pool-size: {value}".index("$")
    found = {one.name: one for one in analysis.options.options}
    places = [read.name_place.start - start for read in found["A"].reads]
    assert places == [at + 2 for at in range(len(value)) if value.startswith("${A}", at)]
