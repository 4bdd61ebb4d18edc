"""Which addresses a server may listen on."""

from __future__ import annotations

import pytest

from conflens.lsp.server import loopback


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_loopback_addresses(host: str) -> None:
    assert loopback(host) in ("127.0.0.1", "::1")


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", ""])
def test_other_addresses_are_refused(host: str) -> None:
    with pytest.raises(ValueError, match=r"loopback|not known"):
        loopback(host)
