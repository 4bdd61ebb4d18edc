"""Values that speak of a secret and go on with what may be one, whatever stands between.

``password := tulip``, ``["--password", "tulip"]``, ``{"name": "password", "value": "tulip"}``, ``IDENTIFIED BY 'tulip'`` and
``machine h login a password tu1ip`` have no form in common but this: behind a word for a secret there is text that is none of
what programs ordinarily have there.

Terms
    token       what stands between blanks, quotes, brackets and signs.
    gap         what stands between two tokens.
    given       of a token: a sign (``=``, ``:``, ``->``, the end of a tag) or a quote stands between it and the name before it.
    opaque      a token that is no word, name, number, path, version or technical term: letters and digits mixed.

What is ordinary behind a word for a secret: words (``Enter your password again``), lists of names (``user,password,token``), names
of classes and files, addresses and placeholders; a column that SQL selects and an alternative of a regular expression are names in
a list.  A token that is given to another name, once the word for a secret has its own value, is that name's.

Invariant: work is linear in the length of a value.
Absent: what has the form of a secret by itself (``secrets``), and a secret that looks like an ordinary word and is not given.
"""

from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import unquote

from conflens.base.secret_names import (
    HARMLESS,
    SWITCH,
    VALUE_WORDS,
    strength_of,
    word_set,
    words_of_name,
)

STEM = re.compile(
    r"pas{1,2}w|pass|pwd|secret|token|credential|creds?|key|passe|senha|contrasena|wachtwoord|kennwort|parola|hes?lo|has?lo|psw"
    r"|jwt|cookie|bearer|auth|pin|otp|sas|pat|psk|pw|mnemonic|identified",
    re.IGNORECASE,
)
"""A value without any of these has no word for a secret."""
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}|&(?:#\d{1,5}|quot|apos|equals|colon|lt|gt);")
_PASSWORD = re.compile(r"([Pp])ass[_-]?(Word|Phrase|Code|Wd|word|phrase)(?![a-z])")
_ESCAPED = re.compile(r"(?<!\\)\\++(?=[\"'])")
_INDEX = re.compile(r"\[\d{1,9}\]")
_PLACEHOLDER = re.compile(
    r"[$#%@]?\{\{[^{}]{0,500}\}\}|\(\([^()]{0,200}\)\)|[$#]\((?:[^()\n]{0,200})\)|[$#]\{(?:(?:env|sys|file|vault|secret|ctx|java|bundle):[^{}\n]{0,300}|[^{}:\n]{0,300}:?)\}|%\{[^{}\n]{0,300}\}"
    r"|(?<!\w)\{[\w.-]{0,60}\}|%(?:\d{1,2}\$)?[sdn](?!\w)|%[\w.]{1,40}%|<(?:[a-z]++(?: [a-z]++)++|(?:your|my|the|some)[ _-][\w -]{1,60})>"
)
"""The place of a value."""
_BEGUN = re.compile(r"[$#]\{[^{}:\n]{0,300}:[-=?+]?")
"""The beginning of a place that has a default."""
_URL = re.compile(r"(?<![\w+.-])[A-Za-z][\w+.-]{0,30}://[^\s\"'<>,;?|]*")
_CLOSING = re.compile(
    r"</[^<>]{0,200}>|<(?:br|b|i|em|strong|p|span|li|ul|code|tt|pre)\s?/?>", re.IGNORECASE
)
_PLACE = "\0"
_CLOSED = "\2"
_TOKEN = re.compile(
    r"\0|[^\s\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb,;=:&?|(){}<>\[\]\u2190-\u21ff\u2254\u3001\u3002\u300c-\u3011\0\2]+"
)
_MEANS = re.compile(r"[^\W_]")

_BLOCK = re.compile(r"[|>][+-]?\s*\n")
"""The sign of a text on lines of its own, in YAML."""
_SIGN = re.compile(r"[=:>\u2190-\u21ff\u2254]|<-")
_SEPARATORS = frozenset(",;&|)}?")
_CLOSES = re.compile(r"[,;&|\n{}<\2]")
_QUOTES = frozenset("\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb")
_OPENS = re.compile(r"[\n{\[<]")
_NAMES = re.compile(r"[\"']?\s{0,20}[:=]")

_UNSURE = word_set(
    "pass pin pat sas otp pw psk psw cookie bearer authorization mnemonic cred jwt passe senha"
)
"""Words for secrets that mean other things as well: only what a sign gives to them is a secret."""
_ORDINARY = word_set(
    """is are was were will must should can cannot may has have had does do did if and or for to of in on at by from with within per
    through via after before when while the a an your this that not no too you we it file key keys name names value type id url uri
    rate endpoint proxy management encoder encryption hash policy field access question answer phrase chain manager environment
    authentication authorization replacement end start issuer date error length threshold header input output request response
    confirmation mechanism tooltip optional roles role folder caching cache list server provider string mapping failed database
    setting settings information account expiry expire parameter support option options strength again reset link icon text
    filename incorrect missing empty blank weak unset unknown used generator validator store storage service scope format filter factory handler grant flow secret token"""
)
"""Words behind a word for a secret that say something of it."""
_FUNCTION = word_set(
    "the your or and is are must to of for not with please this if enter wrong invalid"
)
"""Words of sentences."""
_USERS = word_set("user username login machine account usr uid")
_ENDING = re.compile(r"[\s;\"'`.)}\]]{0,20}(?:\Z|\n)")
_SAID = re.compile(r"[a-z]+(?:ed|ing|ly)|[^a-z].*", re.DOTALL)
"""Words that say what became of something, or how, and those with capitals."""
_COMPOUND = re.compile(r"[_.$@-]|[a-z][A-Z]|[A-Z]{2}")
_BEFORE_KEY = word_set("api private access secret signing encryption master shared")
_VALUES = VALUE_WORDS | word_set("string default content data text")
"""Keys of the value in a name/value pair: ``{"name": "password", "value": "tulip"}``."""
_NAMING = word_set("name key id env property field param variable setting")
_TYPES = word_set(
    "string text char varchar number int integer boolean object array type ref description required"
)
"""What a schema says of a value."""
_LINKS = word_set("is to by be was eq equals value set default now")
"""Words that lead from a name to its value."""
_LOGINS = word_set("auth authorization authentication bearer")
_TECHNICAL = re.compile(
    r"[a-z]{1,2}\d{1,3}[a-z]?|\d+[a-z]{1,4}|v\d[\w]*|(?:sha|shake|md|hmac|hmacsha|aes|des|rsa|dsa|hs|rs|es|ps|utf|base|oauth|http|https|log|rfc|iso|java|jdk"
    r"|tls|tlsv|ssl|sslv|pkcs|ipv|ldap|saml|oidc|level|log4j|slf4j|ed|secp|scram|mysql|oauth|postgres|neo|win|web|jsr|jwt"
    r"|user|host|node|server|broker|client|topic|admin|test|group|role|db|table|column|field|name|value|arg|param|item|localhost)s?"
    r"(?:\d{1,6}[a-z]?(?:with[a-z]+)?)",
    re.IGNORECASE,
)
"""Words with a number that say what something is, or which of several."""
_PIECES = re.compile(r"[._+-]+")
_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_CLASS = re.compile(r"[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$*][\w$*-]*){2,}")
_MIXES = re.compile(r"[A-Za-z0-9][!#^~][A-Za-z0-9]")
_ENDS = ".!…*^$-+~"
_SHORTEST = 5
_FAR = 1_000
_FEW = 2
_CODE = re.compile(r"\d{4,}")


_PAIR = re.compile(
    r"\w\(\s?[\"'](?P<name>[\w.-]{1,80})[\"']\s?,\s?[\"'](?P<given>[^\"']{1,200})[\"']\s?\)"
)
"""A call with a name and a value: ``put("password", "tulip")``."""


def tells_secret(value: str, given: bool = False) -> bool:
    """Tell whether a value speaks of a secret and goes on with what may be one; ``given`` is for what a sign or a quote gives alone."""
    if not value.isascii() or _ENCODED.search(value) is not None:
        value = _decoded(value)
    if STEM.search(value) is None:
        return False
    value = _plain(value)
    return _Reading(value, given).tells() or any(
        surely_named(found["name"])
        and not is_ordinary(found["given"])
        and not _strength(found["given"])[0]
        for found in _PAIR.finditer(value)
        if found["given"] != _PLACE
    )


def _decoded(value: str) -> str:
    """A value without encoded signs, and with signs and letters of ASCII for what only looks otherwise."""
    for _ in range(2):
        if _ENCODED.search(value) is None:
            break
        value = html.unescape(unquote(value))
    if value.isascii():
        return value
    parted = unicodedata.normalize("NFKD", value)
    return "".join(char for char in parted if unicodedata.category(char) not in ("Mn", "Cf"))


def _plain(value: str) -> str:
    """A value without escapes; its placeholders, addresses and ends of elements each a sign."""
    value = _ESCAPED.sub("", value)
    value = _URL.sub("url", _BEGUN.sub("", _PLACEHOLDER.sub(_PLACE, value)))
    return _INDEX.sub("", _CLOSING.sub(_CLOSED, value))


class _Reading:
    """One way through the tokens of a value."""

    def __init__(self, text: str, given: bool) -> None:
        self.text = text
        self.only_given = given
        self.before = ""
        """The token before."""
        self.named = 0
        """How surely the token before is the name of a secret, as in ``strength_of``."""
        self.sure = False
        """Whether its word means nothing else."""
        self.quoted = ""
        """The quote before the name."""
        self.told = False
        """Whether a secret was named and not given yet."""
        self.apart = False
        """Whether what follows the name has ended."""
        self.subject = False
        """Whether what a value is to be given to is a secret."""
        self.valued = False
        """Whether the token before says that the value of the subject follows."""
        self.since = _FAR
        """How many tokens ago a value was given to no name yet."""
        self.count = 0
        """How many tokens there were, but for placeholders."""
        self.linked = False
        """Whether a word such as ``is`` leads from the name here."""
        self.words: set[str] = set()
        """Those of ``_FUNCTION``, ``_USERS`` and ``default`` that were read."""

    def tells(self) -> bool:
        end = 0
        for found in _TOKEN.finditer(self.text):
            token = found[0]
            if token != _PLACE and not _MEANS.search(token):
                continue
            gap = self.text[end : found.start()]
            end = found.end()
            if token == _PLACE:
                self._filled()
            elif (
                self._is_given(token, gap, end)
                or self._is_loose(token, gap)
                or self._is_behind_value(token, gap)
            ):
                return True
            else:
                self._name(token, gap)
        return False

    def _filled(self) -> None:
        """A placeholder is what the name before has."""
        if self.named or self.valued:
            self.told = False
        self.named, self.valued, self.before = 0, False, ""

    def _is_given(self, token: str, gap: str, end: int) -> bool:
        """Whether a token is the value of the name before."""
        if SWITCH.fullmatch(token):
            return False
        if self.valued and _gives(gap):
            return token.lower() not in _TYPES and (
                gap[-1:] in _QUOTES or not HARMLESS.fullmatch(token)
            )
        if not self.named:
            return False
        if self.quoted and gap[:1] in _QUOTES:
            gap = gap[1:]
        if _gives(gap):
            if self.named == 1 and (HARMLESS.fullmatch(token) or not ("=" in gap or ":" in gap)):
                return False
            is_key = _OPENS.search(gap) and _is_name_or_key(self.text, token, end)
            return token.lower() not in _TYPES and not is_key
        if self.named == 1:
            return False
        if self.before.startswith("-"):
            return not token.startswith("-") and (bool(gap.strip()) or not token.isalpha())
        if not self.sure:
            return False
        if not gap.strip():
            return (
                not self.only_given
                and _ENDING.match(self.text, end) is not None
                and self._is_last(token)
            )
        return (
            gap[-1:] in _QUOTES
            and _SEPARATORS.isdisjoint(gap)
            and not self.quoted
            and not strength_of(token)
        )

    def _is_last(self, token: str) -> bool:
        """Whether a token that ends a line or all, behind a name and blanks, is its value: no sentence says that of a secret."""
        token = token.rstrip(_ENDS + "\\")
        if _CODE.fullmatch(token):
            return True
        if self.before.lower() == "by":
            return True
        if (
            not token.isascii()
            or token.lower() in _ORDINARY
            or _SAID.fullmatch(token)
            or strength_of(token)
        ):
            return False
        if self.linked:
            return "default" in self.words or self.count == _FEW
        if not token.isalpha() or not self.words.isdisjoint(_FUNCTION):
            return False
        return (self.count <= _FEW or not self.words.isdisjoint(_USERS)) and (
            self.before.islower() or _COMPOUND.search(self.before) is not None
        )

    def _is_behind_value(self, token: str, gap: str) -> bool:
        """Whether a token names what the value before it was for: ``{"value": "tulip", "name": "password"}``."""
        before = words_of_name(self.before)[-1:]
        self.since += 1
        if not _gives(gap):
            return False
        if not _VALUES.isdisjoint(before):
            harmless = SWITCH.fullmatch(token) or HARMLESS.fullmatch(token)
            self.since = _FAR if harmless else 0
            return False
        return self.since <= _FEW and not _NAMING.isdisjoint(before) and _strength(token)[0] == 2

    def _is_loose(self, token: str, gap: str) -> bool:
        """Whether a token that no sign gives to a name may be the secret."""
        if self.only_given:
            return False
        if self.before.lower() in _LOGINS and not gap.strip():
            return is_opaque(token)
        if not self.told:
            return False
        self.apart = (
            self.apart or self.before[-1:] in (".", "!") or _CLOSES.search(gap) is not None
        )
        if not self.apart and "=" in gap and gap[-1:] in _QUOTES and not strength_of(token):
            return True
        if self.apart and self.before and not self.named and _gives(gap):
            return False
        return is_opaque(token)

    def _name(self, token: str, gap: str) -> None:
        """Take a token as a name, if it is one."""
        before, blank, low = self.before.lower(), not gap.strip(), token.lower()
        self.count += 1
        if low in _FUNCTION or low in _USERS or low == "default":
            self.words.add(low)
        if self.named == 2 and self.sure and blank and low in _LINKS:
            self.quoted, self.linked = "", True
            return
        self.linked = False
        strength, sure = _strength(token)
        if blank and (
            (low in ("key", "phrase", "keys") and before in _BEFORE_KEY | {"pass"})
            or (low == "by" and before == "identified")
        ):
            strength, sure = 2, True
        words = words_of_name(token)[-1:]
        if strength == 2 and sure:
            self.told, self.apart = True, False
        if strength == 2 or (
            _gives(gap) and before and not _NAMING.isdisjoint(words_of_name(before)[-1:])
        ):
            self.subject = strength == 2
        self.valued = self.subject and strength < 2 and not _VALUES.isdisjoint(words)
        self.named, self.sure, self.before = strength, sure, token
        self.quoted = gap[-1:] if gap[-1:] in _QUOTES else ""


def _gives(gap: str) -> bool:
    """Whether a sign in a gap gives what is behind it to what is before it."""
    gap = _BLOCK.sub("\n", gap).rpartition(_CLOSED)[2]
    if "!=" in gap:
        return False
    signs = list(_SIGN.finditer(gap))
    if not signs:
        return False
    if gap.rstrip().endswith("<") and not ("=" in gap or ":" in gap):
        return False
    return _SEPARATORS.isdisjoint(gap[signs[-1].end() :])


def _is_name_or_key(text: str, token: str, end: int) -> bool:
    """Whether what stands on a line or in an element of its own is a name that has a value itself."""
    return _NAMES.match(text, end) is not None or token.lower() in _VALUES


def _strength(token: str) -> tuple[int, bool]:
    """How surely a token is the name of a secret, and whether its word means nothing else."""
    if "/" in token or "\\" in token or "@" in token[1:] or token[0] in "$%":
        return 0, False
    token = _PASSWORD.sub(r"\1assword", token)
    strength = strength_of(token)
    return strength, strength == 2 and words_of_name(token)[-1] not in _UNSURE


def surely_named(token: str) -> bool:
    """Tell whether a token is a name that ends in a word for a secret which means nothing else."""
    return _strength(token)[1]


def is_ordinary(token: str) -> bool:
    """Tell whether a token is a word that says something of a secret, or its type."""
    low = token.lower()
    return low in _ORDINARY or low in _TYPES or low in _LINKS or _SAID.fullmatch(low) is not None


def is_opaque(token: str) -> bool:
    """Tell whether a token is no word, name, number, path, version or technical term."""
    token = token.strip(_ENDS)
    if len(token) < _SHORTEST or "/" in token or "\\" in token or "@" in token or token[0] == "%":
        return False
    if _MIXES.search(token):
        return True
    if _CLASS.fullmatch(token):
        return False
    for piece in _PIECES.split(token):
        if not piece or not piece.isascii() or piece.isdigit():
            continue
        if not piece.isalpha() and not _TECHNICAL.fullmatch(piece) and strength_of(piece) < 2:
            return True
        runs = _RUNS.findall(piece)
        if len(piece) >= 8 and len(piece) < 2.2 * len(runs):
            return True
    return False
