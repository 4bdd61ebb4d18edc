"""The hash that tells whether a content is still the same."""

from __future__ import annotations

import hashlib


def content_hash(text: bytes, salt: str = "") -> bytes:
    """Return the key of a content; ``salt`` tells apart results that depend on more than it."""
    key = b""
    if salt:
        key = hashlib.blake2b(salt.encode("utf-8", "surrogateescape"), digest_size=20).digest()
    return hashlib.blake2b(text, digest_size=20, key=key).digest()
