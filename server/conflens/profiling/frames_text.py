"""Frames from the names that profilers write as text.

Terms
    owner        the class; ``pkg/Cls``, ``pkg.Cls`` or ``Cls`` before the last dot.
    suffix       ``_[j]`` compiled, ``_[i]`` inlined, ``_[0]`` interpreted, ``_[1]`` compiled by C1, ``_[k]`` kernel.
    hidden       a class made at run time, whose name ends with an address that differs from run to run; the
                 address is left out.
    proxy        a hidden class that only calls a lambda's body, ``Hot$$Lambda$14.0x00007f5f9c000a08``.
    bracketed    ``[…]``: a thread, a processor, or why there is no frame.

A name that can be no Java method is native code; the text then is the method, and there is no owner.  What the
profiler adds to tell processors and scheduling apart is no frame at all, nor are proxies, since the body
``lambda$main$0`` follows.  Absent: files.
"""

from __future__ import annotations

import re

from conflens.profiling.building import FRAMES, FrameTable
from conflens.profiling.gathering import opaque_frame, thread_frame
from conflens.profiling.model import Frame, Nature

NAME = 2_000
"""Characters of a name that are looked at."""

DROPPED = -1
"""The number of what is no frame."""

_JVM_TYPE = r"\[*(?:[BCDFIJSZ]|L[^;()]+;)"
_DESCRIPTOR = re.compile(rf"\((?:{_JVM_TYPE})*\)(?:V|{_JVM_TYPE})")
_THREAD = re.compile(r"\[(.*?)tid=\d+\]")
_ADDED = re.compile(r"\[(?:CPU-\d+|SCHED_\w+)\]")
_PLACE = re.compile(r"(?::(\d{1,9})|@\d+)$")
_HIDDEN = re.compile(r"[.+/]0x[0-9a-fA-F]+(?:/\w+)?$|/\d+$")
_PROXY = re.compile(r"\$\$Lambda(?:[$/+.\d]|$)|(?:^|[./])LambdaForm\$\w+[+/.]0x")
_PIECE = re.compile(r"[^\W\d][\w$\-]*")
_METHOD = re.compile(r"<(?:cl)?init>|[^\W\d][\w$\-]*")
_PERF_MAP = re.compile(r"L?([\w/$]+)[;:](?:\.|::)([\w$]+|<(?:cl)?init>)")
_CLASS = re.compile(
    rb"(?:[\w$\x80-\xff\-]+\.)*(?:[A-Z\x80-\xff][\w$\x80-\xff]*|[\w$]+(?:\[\])++)(?:\[\])*+"
)
_ADDRESS = re.compile(rb"[.+/]0x[0-9a-fA-F]+$")
_OF_COMPILERS = frozenset(("cold", "part", "isra", "constprop", "llvm", "plt", "so", "lto_priv"))


def parse_frame(text: str) -> Frame | None:
    """Return the frame of a name, ``None`` for what is no frame; ``simple`` is never set."""
    text = text[:NAME].strip()
    suffix = ""
    if text[-1:] == "]" and text[-4:-2] == "_[":
        text, suffix = text[:-4], text[-2]
    if not text:
        return opaque_frame("")
    if text[0] == "[" and text[-1] == "]":
        return _bracketed(text)
    if suffix == "k":
        return Frame("", text, nature=Nature.KERNEL)
    native = Frame("", text, nature=Nature.NATIVE)
    if "`" in text:
        return native
    if (perf := _PERF_MAP.fullmatch(text)) is not None and ("/" in text or suffix):
        return Frame(perf[1].replace("/", "."), perf[2])
    name, descriptor, line = _parts(text)
    if name is None or ":" in name or " " in name:
        return native
    if _PROXY.search(name.rpartition(".")[0]) is not None:
        return None
    return _java(name, descriptor, line) or native


def _parts(text: str) -> tuple[str | None, str, int]:
    """Return name, descriptor and line; no name if parentheses hold something else than a descriptor."""
    line = 0
    if text[-1].isdecimal() and (place := _PLACE.search(text)) is not None:
        line = int(place[1] or 0)
        text = text[: place.start()]
    opening = text.find("(")
    if opening < 0:
        return text, "", line
    descriptor = text[opening:].replace("|", ";")
    if _DESCRIPTOR.fullmatch(descriptor) is None:
        return None, "", 0
    return text[:opening], descriptor, line


def _bracketed(text: str) -> Frame | None:
    if (thread := _THREAD.fullmatch(text)) is not None:
        return thread_frame(thread[1])
    if _ADDED.fullmatch(text) is not None:
        return None
    return opaque_frame(text[1:-1].strip())


def _java(name: str, descriptor: str, line: int) -> Frame | None:
    """Return the frame of a Java method, ``None`` if the name can be none."""
    owner, dot, method = name.rpartition(".")
    if not dot or not owner or name[0] in "/.":
        return None
    if descriptor:
        sure = True
    elif _METHOD.fullmatch(method) is None:
        return None
    else:
        sure = "/" in owner
    owner = plain_owner(owner)
    if "/" in owner and "." in owner:
        # What stands before the class then is its module or its loader: "java.base/java.lang.Thread".
        owner = owner.rpartition("/")[2]
    pieces = re.split(r"[./]", owner)
    if not sure and method in _OF_COMPILERS and len(pieces) == 1 and not owner[0].isupper():
        return None
    if not all(map(_PIECE.fullmatch, pieces)):
        return None
    return Frame(owner.replace("/", "."), method, descriptor, line)


def plain_owner(owner: str) -> str:
    """Return the name of a class without the address that hidden classes have."""
    if "0x" not in owner and not owner[-1:].isdecimal():
        return owner
    return _HIDDEN.sub("", owner, count=1)


def is_class(name: bytes) -> bool:
    """Whether the last name of a stack is a class, allocated or locked, rather than a method."""
    if name[-4:] in (b"_[i]", b"_[k]"):
        name = name[:-4]
    if len(name) > NAME:
        return False
    return _CLASS.fullmatch(_ADDRESS.sub(b"", name)) is not None


class Names(dict[bytes, int]):
    """Numbers of frames by name as written; ``names[b"pkg/Cls.method"]`` makes it known.

    What is no frame is ``DROPPED``.  Beyond a bound, names are parsed anew each time they are met."""

    def __init__(self, table: FrameTable) -> None:
        """``table`` takes the frames."""
        super().__init__()
        self.table = table

    def __missing__(self, name: bytes) -> int:
        """Parse a name that was not seen before."""
        frame = parse_frame(name[: 4 * NAME].decode("utf-8", "replace"))
        number = DROPPED if frame is None else self.table.number(frame)
        if len(self) < 2 * FRAMES and len(name) <= 4 * NAME:
            self[name] = number
        return number


def mark_simple(table: FrameTable) -> None:
    """Say of all classes that they are simple names if none has a package.

    Programs without packages look the same, but every real one also runs code of the JDK."""
    frames = table.frames
    if any("." in frame.owner for frame in frames):
        return
    for number, frame in enumerate(frames):
        if frame.nature is Nature.JAVA and frame.owner:
            frames[number] = frame._replace(simple=True)
