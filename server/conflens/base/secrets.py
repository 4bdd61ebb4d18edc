"""Which values are secrets, by the name of a value and by its form: the one policy for all that is shown or kept.

Terms
    strong name   one that ends in a word for a secret (``db.password``), perhaps before words that say only its form
                  (``secretBytes``, ``jwt-secret-base64``): its value is one, whatever it looks like.
    weak name     one that only speaks of secrets (``token.cache.size``): its value is one unless it is a number,
                  a switch or a path.
    vague name    one that ends in a word for what may be a secret or an ordinary thing (``salt``, ``user.auth``,
                  ``session.id``): its value is one if it is opaque.
    opaque value  one that nobody reads or says: letters and digits that take turns, or a long number to the base 16.

Invariant: work is linear in the length of a value.  A value counts as a whole, also if only a part of it is a secret.

What this cannot see: a secret that looks like a word under a name that does not speak of secrets.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Container, Iterator, Sequence
from itertools import pairwise

from conflens.base.said_secrets import said
from conflens.base.secret_names import (
    FORM_WORDS,
    HARMLESS,
    SHORT_OPTION,
    SWITCH,
    VALUE_WORDS,
    WEAK_WORDS,
    bare_words,
    secret_words,
    strength_of,
    word_set,
    words_of_name,
)
from conflens.base.secret_places import placed, placed_secrets
from conflens.base.told_secrets import tells_secret

HIDDEN = "(hidden)"
"""Stands for a value that is not shown."""
SURELY = "password"
"""A name of what is a secret whatever it is called."""
_WRITTEN = 2_000


_COUNTED = word_set("bytes byte chars characters char buffer")
"""Such words that mean how many, too, if the value is a small number: ``token.bytes = 32``."""
_COUNT = re.compile(r"\s*\d{1,5}\s?(?:[kKmM]i?)?[bB]?\s*")
_VAGUE = WEAK_WORDS | word_set(
    """hmac mac salt pepper seed nonce iv key keys signature sig hash session sessionid jsessionid sid entropy"""
)
_IDENTIFIED = word_set("session login")
"""What an ``id`` is a vague name of."""
_GLUED = re.compile(r"-p(?![a-z]++(?:[-_.]?[A-Z]++[a-z]*+|[-_.][a-z]++)*+\Z)([^\s:=]{4,})")
"""``-pSECRET``, as clients of databases take it; names of options such as ``-path`` and ``-printFlags`` are none."""
_HOLDERS = word_set("users logins accounts")
_LOGINS = re.compile(
    r"\s{0,20}(?!(?i:user|group|role|principal|uid|gid|cn|ldap|system|name|id):)[A-Za-z][\w.@+-]{0,60}:[^\s:,;=/${}]{4,200}\s{0,20}(?:[,;]|\Z)"
)
"""Users with their passwords, where a name speaks of users: ``admin:tulip,guest:lily``; ``User:admin`` is a kind and a user."""
_INNOCENT = word_set("commit revision sha sha1 sha256 md5 digest checksum hash version build id")

_ADDRESS = re.compile(r"\s*[A-Za-z][\w+.-]{1,20}://[\w.-]{1,200}(?::\d{1,5})?/?\s*")
_IN_XML = "(?i:password|passwd|passphrase|secret|token|credentials|(?:api|secret|access)[-_.]?key)"
"""What the names of elements with secrets end in."""
_FORMS = re.compile(
    r"""[A-Za-z][A-Za-z0-9+.-]{0,30}://[^/\s:@]{0,200}:[^/\s@]{1,500}@"""  # a URL with a password
    r"""|\bhttps?://[^/\s:@]{8,500}(?:@|:x-oauth-basic\b)"""  # a URL with a token
    r"""|[?&](?:key|sig|signature|code)=[\w%.~+-]{8,}"""
    rf"""|<[\w:.-]{{0,60}}{_IN_XML}(?:\s[^<>]{{0,300}}(?<!/))?>\s*[^\s<]{{1,500}}"""
    rf"""|<(?:entry|prop|property|param|setting)\s(?:[^<>]{{0,60}}\s)?(?:name|key)\s?=\s?["'][\w:.-]{{0,60}}{_IN_XML}["'][^<>]{{0,100}}(?<!/)>\s*[^\s<]{{1,500}}"""
    rf"""|\b[Nn]ame\s?=\s?["'][\w:.-]{{0,60}}{_IN_XML}["']\s[^<>]{{0,100}}?\b[Vv]alue\s?=\s?["'][^"'<>]{{1,500}}"""
    rf"""|<name>\s{{0,20}}[\w:.-]{{0,60}}{_IN_XML}\s{{0,20}}</name>\s{{0,100}}<value>\s{{0,20}}[^\s<]{{1,500}}"""
    r"""|jdbc:oracle:[a-z]{1,10}:[^/\s@]{1,100}/[^/\s@]{1,100}@"""
    r"""|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"""  # access keys of AWS
    r"""|\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*"""  # a JSON web token
    r"""|-----BEGIN [A-Z0-9 ]{0,40}-----"""  # PEM
    r"""|\bgh[pousr]_\w{30,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{15,}|\bxox[abeoprs]-[\w-]{10,}"""
    r"""|\b[rs]k_(?:live|test)_\w{10,}|\bsk-[\w-]{20,}|\bAIza[\w-]{35}|\bhf_\w{30,}|\bnpm_\w{30,}"""
    r"""|\bhooks\.slack\.com/\w{4,20}/[\w/-]{8,}|/webhooks?(?:b2)?/(?=[\w@-]{0,60}\d{3})[\w@/-]{16,}"""  # the URL alone allows posting
    r"""|\bbot\d{6,}:[\w-]{16,}|\b\d{8,10}:AA[\w-]{30,}"""  # Telegram
    r"""|\b(?:Bearer|Basic)\s+(?![A-Za-z]?[a-z]+(?![\w~+/-]))[\w.~+/-]{8,}"""
)
_PARTS = re.compile(r"[\s;&,?|]+")
_APART = re.compile(r"[ \t]{1,8}([=:])(?=\s)[ \t]{1,8}")
"""A sign with blanks on both sides, as in ``"password" : "…"``."""
_GIVES = re.compile(r"[=:]")
_TOKENS = re.compile(r"""[\s"'`,;=&?|(){}<>\[\]]+""")
_PATH = re.compile(r"(?:-[A-Za-z]+:)?(?:[A-Za-z][\w+.-]*:)*(?:[A-Za-z]:)?[\\/~.]")
_RUN = re.compile(r"[A-Za-z0-9+/_=-]{24,}")
_LITERAL = re.compile(r'''"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|"(?:[^"\\\n]|\\.)*+"?''', re.DOTALL)
_BEFORE = re.compile(r"""(?:"([^"\\\s]{1,200})"\s*,|([A-Za-z_$][\w$]{0,200})\s*[,=])\s*\Z""")
"""What stands right before the literal of a value: its name as another literal, or an identifier that it is assigned to."""
_COMPARING = r"\s*(?:\.\w{1,40}\(|[=!]=)\s*"
"""A call, of whatever method, or ``==``: what a secret is asked with may be compared with it."""
_COMPARES = re.compile(_COMPARING)
_LOOKED_UP = re.compile(
    rf"""(?:==|!=)\s*\Z|"[^"\s]{{1,200}}"(?:\s*,\s*"[^"]{{0,100}}")?\s*\)+(?:\.\w{{1,40}}\(\))?{_COMPARING}\Z"""
)
"""The end of a call that is given a name, perhaps with a default, and a call of its result."""
_CHANGED = r"(?:\(\))?(?:\.\w{1,40}\(\))?"
_COMPARED = re.compile(rf"([A-Za-z_$][\w$]{{0,200}}){_CHANGED}(?:{_COMPARING}|\s*,\s*)\Z")
_COMPARED_WITH = re.compile(
    rf"{_CHANGED}{_COMPARING}(?:[A-Za-z_$][\w$]{{0,200}}\.){{0,4}}([A-Za-z_$][\w$]{{0,200}})"
)
"""The variable or method whose value a literal before, or behind, is compared with."""
_SAYS = re.compile(r"\w")
_JOINED = re.compile(r"\s*\+\s*")
_LONG = re.compile(r"[^\s\"'`,;=&?|(){}<>\[\]]{24,}")
_TELLTALES = (
    *word_set(
        """pass pwd psk pw= pw: secret token cred key bearer jwt cookie auth otp= otp: sas= sas: kennwort mnemonic login
        pin= pin: pat= pat: @ akia asia eyj -----begin ghp_ gho_ ghu_ ghs_ ghr_ github_pat glpat xox rk_ sk_ sk- aiza hf_
        npm_ basic x-oauth psw pswd senha contrasena wachtwoord parola heslo haslo sig= signature= code= hooks.slack webhook bot :aa"""
    ),
    *(f"{word} " for word in ("pw", "otp", "sas", "pin", "pat")),
    " -p",
)
"""What a line has in it, in small letters, that gives something to the name of a secret or has the form of one."""
_OPAQUE = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[\w+/=.-]{8,500}")
_BASE_16 = re.compile(r"[0-9a-fA-F]{16,500}")
_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_VARIABLE = re.compile(r"\$(?:\w|\{\w+\}|\()")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PUBLIC = re.compile(rf"{_UUID.pattern}|\bsha(?:1|256|384|512)[:-][0-9a-fA-F]{{40,128}}\b")
"""Names of things, and digests of images and packages."""


def is_switch(value: str) -> bool:
    """Tell whether a value is empty, or a word such as ``true`` or ``none``, which is no secret whatever it is called."""
    return SWITCH.fullmatch(value) is not None


def is_harmless(value: str) -> bool:
    """Tell whether a value is a number, a switch, a path or an address, which are no secrets whatever they are called."""
    return HARMLESS.fullmatch(value) is not None or _ADDRESS.fullmatch(value) is not None


def is_secret_default(name: str, value: str) -> bool:
    """Tell whether a default is a secret: as ``is_secret``, but weak names do not count.

    A default that code or a document publishes under such a name is one for everybody (``auth.provider = x509``).
    """
    strong = _strength_for(name, value) == 2
    return (
        is_secret(name if strong else "", value)
        or _is_vague_secret(name, value)
        or _are_logins(name, value)
    )


def is_secret_within(name: str, whole: str, part: str) -> bool:
    """Tell whether a part of the value ``whole`` of ``name`` is a secret there, as in ``mongodb://root:PART@host``.

    In a value that is longer than anybody writes by hand each part counts as one, so that many parts take linear time.
    """
    if not part or is_switch(part):
        return False
    if len(whole) > _WRITTEN:
        return True
    if is_secret_default(name, part):
        return True
    formed_pieces = (whole[start:end] for start, end in formed(whole))
    pieces = (*formed_pieces, *_given(whole), *placed_secrets(whole)) if part != whole else ()
    if any(part in piece for piece in pieces):
        return True
    return (
        part != whole
        and tells_secret(whole, given=True)
        and not tells_secret(whole.replace(part, "${}"), given=True)
    )


def speaks_of_secrets(name: str) -> bool:
    """Tell whether a word of a name is one for a secret: ``db.password``, ``token.cache.size``."""
    return any(secret_words(name))


def without_secrets(
    code: str,
    known: Collection[str] = (),
    names: Collection[str] = (),
    only: Container[str] | None = None,
) -> str:
    """Return an excerpt of Java code in which literals that hold a secret are ``HIDDEN``.

    These are the literals in ``known``, those that have the form of a secret or hold one, and those that are given to a name of
    one, or compared with what one names, or where one is named; what is joined to such a literal is hidden as well.  ``names`` are
    names of secrets that do not say so themselves.  ``only`` is given for code that handles a secret: no other literal is shown
    then, but for those without letters and digits.
    """
    if '"' not in code:
        return code
    literals = (found[0].strip('"') for found in _LITERAL.finditer(code))
    named = next(
        (
            SURELY if text in names else text
            for text in literals
            if " " not in text and (text in names or strength_of(text) == 2)
        ),
        "",
    )

    hidden = -1

    def replaced(found: re.Match[str]) -> str:
        nonlocal hidden
        shown = judged(found)
        if shown == found[0] and hidden >= 0 and _JOINED.fullmatch(code, hidden, found.start()):
            shown = f'"{HIDDEN}"'
        if shown != found[0] or _is_behind_name(code, found):
            hidden = found.end()
        return shown

    def judged(found: re.Match[str]) -> str:
        text = found[0].strip('"').strip()
        if text in known:
            return f'"{HIDDEN}"'
        if only is not None:
            return found[0] if text in only or not _SAYS.search(text) else f'"{HIDDEN}"'
        if " " in text and _tells(text.replace('\\"', '"')):
            return f'"{HIDDEN}"'
        if strength_of(text) == 2:  # a name, or a sentence that ends in one
            return found[0]
        before = _BEFORE.search(code, max(0, found.start() - 250), found.start())
        name = (before[1] or before[2]) if before is not None else ""
        if (
            before is not None
            and before[2]
            and " " in text
            and not before[0].rstrip().endswith("=")
        ):
            name = ""  # words beside a secret, such as a message about it
        if _is_vague_secret(name, text):
            return f'"{HIDDEN}"'
        if strength_of(name) != 2:
            name = _compared_with(code, found)
        if strength_of(name) != 2:
            name = named if named and _is_compared(code, found) else ""
        if " " in text and not name:  # words, which need not be a value
            return found[0]
        return f'"{HIDDEN}"' if is_secret_default(name, text) else found[0]

    return _LITERAL.sub(replaced, code)


def _is_behind_name(code: str, literal: re.Match[str]) -> bool:
    """Whether a literal stands right behind that of a name, and what is joined to it is a part of the value: ``"Bearer " + "…"``."""
    before = _BEFORE.search(code, max(0, literal.start() - 250), literal.start())
    return before is not None and bool(before[1]) and strength_of(before[1]) == 2


def masked(source: bytes, at: int, spans: Sequence[tuple[int, int]]) -> bytes:
    """Return Java code that begins at an offset of its file, with literals at these spans of the file, in their order, ``HIDDEN``."""
    parts: list[bytes] = []
    done = 0
    for index in range(max(0, bisect_left(spans, (at, 0)) - 1), len(spans)):
        start, end = spans[index][0] - at, spans[index][1] - at
        if start >= len(source):
            break
        if end > done:
            parts += (source[done : max(start, done)], f'"{HIDDEN}"'.encode())
            done = end
    return b"".join((*parts, source[done:])) if parts else source


def _tells(text: str) -> bool:
    """Tell whether words hold a secret; what follows a colon in prose (``the password: it is wrong``) is none."""
    return any(
        not (one.isalpha() and one.islower() and f": {one}" in text) for one in secrets_in(text)
    )


def _compared_with(code: str, literal: re.Match[str]) -> str:
    """The identifier of a secret whose value is compared with a literal, if there is one."""
    before = _COMPARED.search(code, max(0, literal.start() - 300), literal.start())
    if before is not None and " " in literal[0] and before[0].rstrip().endswith(","):
        compares = code[: before.start()].rstrip().lower().endswith(("equals(", "isequal("))
        before = before if compares else None
    behind = _COMPARED_WITH.match(code, literal.end())
    names = (found[1] for found in (before, behind) if found is not None)
    return next((name for name in names if strength_of(name) == 2), "")


def _is_compared(code: str, literal: re.Match[str]) -> bool:
    """Whether a literal is asked, or what a look-up gives is asked with it."""
    before = code[max(0, literal.start() - 300) : literal.start()]
    return bool(_COMPARES.match(code, literal.end())) or _LOOKED_UP.search(before) is not None


def is_secret(name: str, value: str) -> bool:
    """Return whether the value of an option, an argument or a property is a secret or holds one."""
    if SWITCH.fullmatch(value):
        return False
    strength = _strength_for(name, value)
    if strength == 2 or (strength == 1 and not HARMLESS.fullmatch(value)):
        return True
    if _FORMS.search(value) or _is_vague_secret(name, value) or _are_logins(name, value):
        return True
    if any(placed(value)):
        return True
    if any(_given(value)) or tells_secret(value):
        return True
    return not (_INNOCENT & set(words_of_name(name)[-1:])) and any(
        _random(token) for token in _TOKENS.split(value) if len(token) >= 24
    )


def secrets_in(text: str) -> Iterator[str]:
    """Yield the secrets that running text holds: those it gives to a name of one, and what has the form of one."""
    seen: set[str] = set()
    for one in _all_secrets_in(text):
        if one not in seen:
            seen.add(one)
            yield one


def _all_secrets_in(text: str) -> Iterator[str]:
    low = text.lower()
    telling = [one for one in _TELLTALES if one in low]
    for line in text.splitlines() if telling else ():
        low = line.lower()
        if any(one in low for one in telling):
            yield from (one for one in _given(line) if not _VARIABLE.match(one))
            yield from (found[0] for found in _FORMS.finditer(line))
    yield from placed_secrets(text)
    yield from (text[start:end] for start, end in said(text))
    yield from (found[0] for found in _LONG.finditer(text) if _random(found[0]))


def is_secret_name(name: str) -> bool:
    """Tell whether a name is strong: its value is a secret, whatever it looks like."""
    return strength_of(name) == 2


def formed(text: str) -> Iterator[tuple[int, int]]:
    """Yield where something stands in a text that has the form of a secret."""
    return (found.span() for found in _FORMS.finditer(text))


def glued_secret(argument: str) -> str:
    """Return the secret in an argument such as ``-pSECRET``; empty if there is none."""
    found = _GLUED.fullmatch(argument)
    return "" if found is None or HARMLESS.fullmatch(found[1]) else found[1]


def _strength_for(name: str, value: str) -> int:
    """Return the same for a value: where the last words only say the form of a secret, numbers that count and paths are none."""
    strength = strength_of(name)
    if strength == 2:
        word = bare_words(name)[-1] if name != SHORT_OPTION else ""
        counted = word in _COUNTED and _COUNT.fullmatch(value)
        if counted or (word in FORM_WORDS - VALUE_WORDS and _PATH.match(value)):
            return 1
    return strength


def _is_vague_secret(name: str, value: str) -> bool:
    """Whether a value is opaque, and its name allows for a secret."""
    if not _OPAQUE.fullmatch(value) or _PATH.match(value):
        return False
    words = bare_words(name)
    while len(words) > 1 and words[-1] in VALUE_WORDS:
        words.pop()
    if not words or _INNOCENT.intersection(words) - {"hash", "id"}:
        return False
    vague = words[-1] in _VAGUE or (words[-1] == "id" and not _IDENTIFIED.isdisjoint(words[-2:-1]))
    return (vague or any(secret_words(name))) and _is_opaque(value)


def _are_logins(name: str, value: str) -> bool:
    """Whether a value is one of users with their passwords, by the last word of its name."""
    return (
        ":" in value
        and not _HOLDERS.isdisjoint(words_of_name(name)[-1:])
        and bool(_LOGINS.match(value))
    )


def _is_opaque(value: str) -> bool:
    """Whether nobody reads or says a value: its words and numbers are hardly longer than a sign, or it is to the base 16."""
    if _UUID.fullmatch(value) or _BASE_16.fullmatch(value):
        return True
    runs = _RUNS.findall(value)
    return len("".join(runs)) < 2.2 * len(runs)


def _given(value: str) -> Iterator[str]:
    """The secrets that a value holds of its own: ``-Dname=value``, ``--name value``, ``name: value``, …"""
    parts = _PARTS.split(_APART.sub(r"\1", value))
    for index, part in enumerate(parts):
        if part.startswith(SHORT_OPTION) and glued_secret(part):
            yield part
        behind = parts[index + 1] if index + 1 < len(parts) else ""
        pieces = _GIVES.split(part)
        if len(pieces) == 1 and part.startswith("-") and not behind.startswith("-"):
            pieces.append(behind)
        elif len(pieces) > 1 and not pieces[-1]:
            pieces[-1] = behind
        for name, given in pairwise(pieces):
            given = given.strip("\"'")
            strength = 0 if SWITCH.fullmatch(given) else strength_of(name)
            if strength == 2 or (strength == 1 and not HARMLESS.fullmatch(given)):
                yield given


def _random(token: str) -> bool:
    """Whether a token looks drawn by chance: long, of several classes of characters that change all the time."""
    if _PATH.match(token):
        return False
    return any(_mixed(run) for run in _RUN.findall(_PUBLIC.sub(" ", token)))


def _mixed(run: str) -> bool:
    plain = [char for char in run if char.isalnum()]
    digits = sum(char.isdigit() for char in plain)
    lower = sum(char.islower() for char in plain)
    upper = len(plain) - digits - lower
    if len(plain) < 20 or not digits or digits == len(plain):
        return False
    classes = [0 if char.isdigit() else 1 if char.islower() else 2 for char in plain]
    changes = sum(one != other for one, other in pairwise(classes))
    if lower and upper:
        return changes >= 0.4 * len(plain)
    return len(plain) >= 28 and digits >= len(plain) // 8 and changes >= 0.25 * len(plain)
