"""What names say: word splitting, units, and words that mislead."""

from __future__ import annotations

import pytest

from conflens.options.model import OptionType
from conflens.options.value_names import NOTHING, says, words


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dfs.client.read-timeout_ms", ["dfs", "client", "read", "timeout", "ms"]),
        ("maxSessionTimeout", ["max", "session", "timeout"]),
        ("cacheSizeInMB", ["cache", "size", "in", "mb"]),
        ("tcpURLs", ["tcp", "ur", "ls"]),
        ("log4j2", ["log", "4", "j", "2"]),
        ("", []),
    ],
)
def test_words(name: str, expected: list[str]) -> None:
    assert words(name) == expected


@pytest.mark.parametrize(
    ("name", "type_", "unit", "exact"),
    [
        ("linger.ms", OptionType.TIME, "ms", True),
        ("delaySec", OptionType.TIME, "s", True),
        ("window_in_ms_total", OptionType.TIME, "ms", True),
        ("ttlHours", OptionType.TIME, "h", True),
        ("waitNanos", OptionType.TIME, "ns", True),
        ("idle.timeout", OptionType.TIME, "", False),
        ("fill_time", OptionType.TIME, "", False),
        ("buffer_kb", OptionType.SIZE, "KB", True),
        ("fetch.min.bytes", OptionType.SIZE, "bytes", True),
        ("bytes_per_sec", OptionType.SIZE, "bytes/s", True),
        ("capacity_bytes_per_ip", OptionType.SIZE, "bytes", True),
        ("native_port_ssl", OptionType.PORT, "", True),
        ("worker.threads", OptionType.INTEGER, "count", False),
    ],
)
def test_numbers(name: str, type_: OptionType, unit: str, exact: bool) -> None:
    found = says(name)
    assert (found.number, found.unit, found.exact) == (type_, unit, exact)


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("db.password", OptionType.PASSWORD),
        ("logDir", OptionType.FILE),
        ("jwks.endpoint.url", OptionType.URI),
        ("bind-host", OptionType.ADDRESS),
        ("http-address", OptionType.ADDRESS),
    ],
)
def test_texts(name: str, type_: OptionType) -> None:
    found = says(name)
    assert (found.text, found.number) == (type_, None)


@pytest.mark.parametrize(
    "name",
    ["report", "maxPerMinute", "links_per_second", "start.day", "searchPath", "forms", "", "..."],
)
def test_names_without_evidence(name: str) -> None:
    assert says(name) == NOTHING


def test_a_string_word_after_per_gives_no_type() -> None:
    assert says("connections.per.host") == NOTHING
