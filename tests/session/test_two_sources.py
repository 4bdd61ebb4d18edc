"""One option that a variable of the environment and a property set: its names, its files and its documents."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from conflens.ide.hover.java import hover
from conflens.ide.settings.settings import Settings
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis
from session.support import session

JAVA = """
class App {
    int size() {
        String size = System.getenv("POOL_SIZE");
        if (size == null) size = System.getProperty("pool.size");
        return size == null ? 4 : Integer.parseInt(size);
    }
}
"""


def analysed(**others: str) -> Analysis:
    texts = {"App.java": JAVA, ".env": "POOL_SIZE=3\n", **others}
    return session(MemorySystem({path: text.encode() for path, text in texts.items()})).scan()


def test_it_is_one_option_with_an_alias() -> None:
    (option,) = analysed().options.options
    assert option.key == ("system-property", "pool.size")
    assert option.aliases == (("environment", "POOL_SIZE"),)
    assert [read.api for read in option.reads] == ["System.getenv", "System.getProperty"]
    assert {one.text for one in option.defaults} == {"4"}


def test_either_name_in_a_file_sets_it() -> None:
    names = analysed().recognised.names
    assert names.named("POOL_SIZE", {"environment"}) == names.named("pool.size")
    assert not names.named("POOL_SIZE", {"command-line"})


def test_either_name_in_a_document_documents_it() -> None:
    guide = "# Use\n\n| Name | Default |\n|---|---|\n| `POOL_SIZE` | 4 |\n"
    analysis = analysed(**{"docs/guide.md": guide})
    (option,) = analysis.options.options
    assert [ref.path for ref in analysis.documented(option)][:1] == ["docs/guide.md"]


def test_a_hover_tells_both() -> None:
    analysis = analysed()
    at = JAVA.index("getProperty") + 2
    wording = Wording(lambda path, line: f"{path}#{line}")
    found = hover(analysis, "App.java", at, Settings(), wording)
    assert found is not None
    assert "`pool.size`" in found.markdown and "also `POOL_SIZE`" in found.markdown
