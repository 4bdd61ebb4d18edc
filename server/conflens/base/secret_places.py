"""Secrets that are known by where they stand in a text, whatever they are called.

Terms
    login    ``user:password@host:port`` without a scheme.
    key      a segment of a URL's path that is itself a credential: ``/hooks/KEY``, ``/v3/KEY``.
    drawn    a segment that looks random: letters and digits alternate in it.

Invariant: work is linear in the length of a text.
Absent: what a secret is called, and forms that it has by itself (``secrets``).

What is none: a segment that has the form of a UUID or a number to the base 16 and follows no word for a key (these are
commits, digests and ids of things), ids of pages, pictures and shared documents, labelled e-mail addresses (``mailto:a@b.org``), images
(``name:tag@sha256:…``) and packages (``npm:name@1.2``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LOGIN = re.compile(
    r"""(?<![^\s"'`=,;(<\[|])(?P<user>[A-Za-z0-9][\w.%+-]{0,100}):(?P<given>[^\s/@:,;"'`<>\[\](){}\\|=-][^\s/@:,;"'`<>\[\](){}\\|=]{3,199})"""
    r"""@(?P<host>[A-Za-z][\w.-]{0,250}|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]{2,40}\])(?P<port>:\d{1,5}\b)?"""
)
_OF_MANAGER = re.compile(
    r"(?<![\w./@-])\w{1,40}/(?P<given>[\w!#%^*+=~]{8,100})@[A-Za-z]\w{0,60}(?![\w/.])"
)
"""``user/password@manager``, as queues and databases take it; of a Kerberos principal the middle is a host."""
_ADDRESS = re.compile(
    r"""\b(?:https?|wss?)://[^\s/"'`<>\\]{1,300}(?P<path>/[^\s?#"'`<>\\|,;(){}\[\]]*)"""
)
_SEGMENT = re.compile(r"[^/]+")

_SCHEMES = _set(
    """mailto sip sips xmpp acct im jid jdbc urn npm pkg maven mvn git ssh scp sftp ftp ftps smtp smtps imap imaps pop3 pop3s
    docker oci image tel file http https ws wss classpath direct seda vm"""
)
"""What stands before a colon and is no user."""
_LABELS = _set(
    """mail email e-mail from to cc bcc replyto reply-to user username login name owner contact author sender recipient admin
    maintainer principal upn developer by"""
)
"""What stands before a colon and labels an e-mail address."""
_USERS = _set("user username uname login name usr")
_STANDS_IN = re.compile(
    r"(?:my|your|the)?[_-]?(?:password|passwd|passphrase|pass|pwd|secret|token)|[*xX.]+",
    re.IGNORECASE,
)
_DIGESTS = _set("sha1 sha256 sha384 sha512 md5")
_READABLE = re.compile(r"[A-Za-z]+(?:[._+-][A-Za-z]+)*")
_OF_MAIL = re.compile(r"[A-Za-z]+(?:[._+-][A-Za-z]+)*\d{0,4}")

_KEYED = _set(
    """key keys apikey api-key api_key hook hooks webhook webhooks token tokens bot secret secrets catch integration
    integrations auth access-token access_token"""
)
"""What a segment with a key follows."""
_BEFORE_VERB = _set("enqueue")
"""What follows a segment with a key."""
_PLAIN = re.compile(r"\d{1,18}|v\d{1,3}(?:\.\d+)?|[a-z]{1,7}", re.IGNORECASE)
"""What may stand between a word for a key and the key: a number, a version, a short word."""
_VERSION = re.compile(r"v\d{1,2}", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_BASE_16 = re.compile(r"[0-9a-fA-F]{32,200}")
_OF_KEYS = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST_ID = 32
"""Ids of pages and pictures are shorter."""
_PARTS = re.compile(r"[A-Za-z0-9]+")
_SHARED = _set("d folders blob tree commit commits raw gist shared_invite")
"""What the id of a thing follows that is for everybody who is shown it."""

_FLAGS = {
    "curl": (_set("-u --user -U --proxy-user"), ":"),
    "redis-cli": (_set("-a --pass"), ""),
    **dict.fromkeys(
        ("ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldappasswd"),
        (_set("-w"), ""),
    ),
    "smbclient": (_set("-U --user"), "%"),
    **dict.fromkeys(("sqlcmd", "zip", "unzip", "mosquitto_pub", "mosquitto_sub", "ipmitool"), (_set("-P"), "")),
    "ab": (_set("-A"), ":"),
}  # fmt: skip
"""Programs, the flags whose argument is a secret, and what stands before the secret in it."""
_PROGRAM = re.compile(r"(?<![\w.-])(?:" + "|".join(map(re.escape, _FLAGS)) + r")(?:\.exe)?(?=\s)")
_ARGUMENT = re.compile(r"""(?:[^\s;|&"'`]++|'[^'\n]*+'|"[^"\n]*+")++|[;|&\n]""")
_VARIABLE = re.compile(r"""[$%<*{\\\[]|\.\.\.|…""")
_MOST_ARGUMENTS = 40


def placed_secrets(text: str) -> Iterator[str]:
    """Yield the secrets that stand in a text where one is given: in a login, an address, or an argument of a program."""
    yield from (text[start:end] for start, end in placed(text))


def placed(text: str) -> Iterator[tuple[int, int]]:
    """Yield the same as places, from start to end."""
    if "@" in text:
        yield from _logins(text)
    if "://" in text:
        yield from _keys(text)
    programs = list(_PROGRAM.finditer(text))
    for found, after in zip_longest(programs, programs[1:]):
        yield from _arguments(text, found, len(text) if after is None else after.start())


def _logins(text: str) -> Iterator[tuple[int, int]]:
    for found in _LOGIN.finditer(text):
        if _is_login(found, text):
            yield found.span("given")
    for found in _OF_MANAGER.finditer(text):
        if is_drawn(found["given"], 0.55) and _is_mixed(found["given"]):
            yield found.span("given")


def _is_login(found: re.Match[str], text: str) -> bool:
    user, given, host = found["user"].lower(), found["given"], found["host"].lower()
    if user in _SCHEMES or user.isdigit() or host in _DIGESTS or _VARIABLE.match(given):
        return False
    goes_on = bool(found["port"]) or text[found.end() :][:1] == "/"
    if "${" in given or (user in _USERS and _STANDS_IN.fullmatch(given)):
        return False
    if given.isdigit() and len(given) <= 5:  # ``host:9092@rack``
        return goes_on and "." not in user and user != "localhost"
    if _READABLE.fullmatch(given):
        return bool(found["port"]) and not _STANDS_IN.fullmatch(given)
    return not (user in _LABELS and "." in host and not goes_on and _OF_MAIL.fullmatch(given))


def _keys(text: str) -> Iterator[tuple[int, int]]:
    for address in _ADDRESS.finditer(text):
        path, start = address["path"], address.start("path")
        segments = [
            (found[0].rstrip(".:"), start + found.start()) for found in _SEGMENT.finditer(path)
        ]
        told = False
        for number, (segment, at) in enumerate(segments):
            before = segments[number - 1][0].lower() if number else ""
            behind = segments[number + 1][0].lower() if number + 1 < len(segments) else ""
            caught = before.isdigit() and number > 1 and segments[number - 2][0] == "catch"
            if (
                (before not in _SHARED and _is_random(segment, _LONGEST_ID))
                or (_VERSION.fullmatch(before) and _is_key_of_version(segment))
                or ((told or behind in _BEFORE_VERB) and _is_key(segment))
                or (caught and len(segment) >= 5 and segment.isalnum())
            ):
                yield at, at + len(segment)
            told = segment.lower() in _KEYED or (told and bool(_PLAIN.fullmatch(segment)))


def _is_random(segment: str, least: int) -> bool:
    """Whether a segment is long, and small letters, capitals and digits take turns in it."""
    return (
        len(segment) >= least
        and _OF_KEYS.fullmatch(segment) is not None
        and _is_mixed(segment)
        and is_drawn(segment, 0.4)
    )


def _is_key_of_version(segment: str) -> bool:
    """Whether what follows the version of an interface is a key, and no kind of thing."""
    return _is_random(segment, 20) or _BASE_16.fullmatch(segment) is not None


def _is_key(segment: str) -> bool:
    """Whether a segment that stands where a key may is one."""
    if _UUID.fullmatch(segment) or _BASE_16.fullmatch(segment):
        return True
    return any(len(part) >= 10 and is_drawn(part, 0.3) for part in _PARTS.findall(segment))


def _is_mixed(text: str) -> bool:
    return any(map(str.islower, text)) and any(map(str.isupper, text))


def is_drawn(text: str, turns: float) -> bool:
    """Tell whether letters and digits take turns in a text: more than ``turns`` of its signs, and a letter behind a digit."""
    classes = [
        0 if char.isdigit() else 1 if char.islower() else 2 for char in text if char.isalnum()
    ]
    if not classes or 0 not in classes or not any(classes):
        return False
    changes = list(pairwise(classes))
    return any(not one and other for one, other in changes) and sum(
        one != other for one, other in changes
    ) >= turns * len(classes)


def _arguments(text: str, program: re.Match[str], stop: int) -> Iterator[tuple[int, int]]:
    flags, mark = _FLAGS[program[0].removesuffix(".exe")]
    asked = False
    for number, found in enumerate(_ARGUMENT.finditer(text, program.end(), stop)):
        if found[0] in (";", "|", "&", "\n") or number == _MOST_ARGUMENTS:
            return
        start, word = _bare(found.start(), found[0])
        flag, equals, given = word.partition("=")
        if asked:
            asked = False
        elif word in flags:
            asked = True
            continue
        elif equals and flag in flags:
            start, word = start + len(flag) + 1, given
        elif mark and word[:2] in flags and len(word) > 2 and word[:2] != "--":
            start, word = start + 2, word[2:]
        else:
            continue
        start, word = _bare(start, word)
        if mark:
            user, there, given = word.partition(mark)
            start, word = _bare(start + len(user) + len(there), given)
        word = word.rstrip(".,)")
        if word and not _VARIABLE.match(word) and not _STANDS_IN.fullmatch(word):
            yield start, start + len(word)


def _bare(start: int, word: str) -> tuple[int, str]:
    """A word of a command without quotes around it, and where it starts then."""
    inner = word.lstrip("\"'")
    return start + len(word) - len(inner), inner.rstrip("\"'")
