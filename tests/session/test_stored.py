"""Harvests as bytes and back."""

from __future__ import annotations

from conflens.documents import harvest
from conflens.session.store.stored import decode_harvest, encode_harvest

TEXT = """<configuration>
<property><name>a.b</name><value>5</value>
<description>Wait in ms. Valid values: [5, 6]</description></property>
<property><name>a.c</name><description>It must be between 1 and 9.</description></property>
</configuration>
"""


def test_a_harvest_round_trips() -> None:
    found = harvest("a-default.xml", TEXT)
    first, second = found.mentions
    assert (first.said.unit, first.said.values) == ("ms", ("5", "6"))
    assert (second.said.minimum, second.said.maximum) == (1, 9)
    assert decode_harvest(encode_harvest(found)) == found


def test_truncated_data_gives_nothing() -> None:
    data = encode_harvest(harvest("a-default.xml", TEXT))
    assert decode_harvest(data[:-3]) is None
    assert decode_harvest(b"") is None
