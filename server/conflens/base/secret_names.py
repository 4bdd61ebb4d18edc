"""Which names speak of secrets, by their words.

Terms
    word     a run of letters and digits of a name, parted at capitals too: ``dbPassword`` has two.
    strong   a name that ends in a word for a secret, perhaps before words that say only its form (``secretBytes``).
    weak     a name that has such a word elsewhere, or one for a login (``token.cache.size``, ``auth``).

Invariant: work is linear in the length of a name.
Absent: which values are secrets (``secrets``), and names in running values (``secret_words``).
"""

from __future__ import annotations

import re
from functools import lru_cache


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(words.split())


_WORDS = word_set(
    """password passwords passwd pwd pass passphrase passcode pin secret secrets token tokens credential credentials cred
    creds apikey authkey bearer jwt cookie authorization otp sas pat pw psk psw pswd passw passwort kennwort mnemonic
    passe motdepasse senha contrasena wachtwoord parola heslo haslo"""
)
VALUE_WORDS = word_set("value val")
"""What follows the name of a thing and says nothing of it."""
FORM_WORDS = VALUE_WORDS | word_set(
    """bytes byte chars characters char array buffer string str text txt literal content contents data material phrase
    base b64 hex encoded decoded encrypted decrypted hashed hash sha md bcrypt plain plaintext cleartext clear raw pem
    list set default primary secondary current previous old new"""
)
"""What follows a word for a secret and says only what form it has, or which of several it is."""

_KEYS = word_set(
    """api private access secret signing signature encryption account auth master shared license session crypto cipher aes
    hmac storage subscription ssh service functions sign jwt encrypt decrypt decryption"""
)
"""What makes a following ``key`` a secret."""

WEAK_WORDS = word_set("auth authentication oauth oauth2 login")
_WITHIN = ("passw", "pasw", "passphrase", "secret", "credential", "apikey")
"""Parts of words for secrets, and of such words with a letter missing or out of place (``passwrd``)."""
_ENDS = ("pwd", "pass")
_NO_ENDS = word_set("bypass compass")
SHORT_OPTION = "-p"
"""A password to some programs, and a port, a profile or a path to others."""
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN = re.compile(r"[^A-Za-z0-9]+")
HARMLESS = re.compile(
    r"\s*|true|false|yes|no|on|off|none|null|[+-]?[\d._]+ ?[a-zA-Z%]{0,12}"
    r"|(?:[A-Za-z][\w+.-]*:)?[\\/~.][^\s@=?]*|[A-Za-z]:[\\/][^\s@=?]*|[a-z]\w*(?:\.\w+){2,}",
    re.IGNORECASE,
)
SWITCH = re.compile(r"\s*|true|false|yes|no|on|off|none|null", re.IGNORECASE)
_LONG_NAME = 200
"""Longer names are judged anew each time."""


def words_of_name(name: str) -> list[str]:
    """Return the words of a name in small letters."""
    parted = _CAPITAL.sub(" ", name.removeprefix("-D"))
    return [word.lower() for word in _BETWEEN.split(parted) if word]


def strength_of(name: str) -> int:
    """2 for a strong name, 1 for a weak one, else 0."""
    return _computed_strength(name) if len(name) > _LONG_NAME else _kept_strength(name)


def _computed_strength(name: str) -> int:
    if name == SHORT_OPTION:
        return 1
    secrets = secret_words(name)
    if not secrets:
        return 0
    words = bare_words(name)
    last = len(words) - 1
    while last > 0 and not secrets[last] and words[last] in FORM_WORDS:
        last -= 1
    if secrets[last]:
        return 2
    return 1 if any(secrets) or WEAK_WORDS.intersection(words) else 0


_kept_strength = lru_cache(maxsize=8192)(_computed_strength)
"""The same names are asked about in each list, hover and completion."""


def secret_words(name: str) -> list[bool]:
    """For each word of a name whether it is one for a secret."""
    words = bare_words(name)
    return [
        word in _WORDS
        or any(part in word for part in _WITHIN)
        or (word.endswith(_ENDS) and word not in _NO_ENDS)
        or (index > 0 and word in ("key", "keys") and words[index - 1] in _KEYS)
        for index, word in enumerate(words)
    ]


def bare_words(name: str) -> list[str]:
    """Return the same without numbers at their ends: ``password2``."""
    return [word.rstrip("0123456789") or word for word in words_of_name(name)]
