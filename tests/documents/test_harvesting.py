"""What is harvested at all."""

from __future__ import annotations

from conflens.documents import harvest
from conflens.documents.harvesting import MADE_HERE


def test_a_generated_page_documents_nothing() -> None:
    text = f"<!-- {MADE_HERE} -->\n\n- `pool.size`: the size.\n"
    assert harvest("docs/options.md", text).mentions == ()
    assert harvest("docs/options.md", text.replace("Made", "Written")).mentions
