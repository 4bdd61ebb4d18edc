"""Writes small Flight Recorder files, and real ones with the JDK at hand.

The writer knows nothing of what the reader expects beyond the format: types are declared as tables, values are written
by their types.
"""

import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TIMESPAN = "jdk.jfr.Timespan"
PRIMITIVES = ("long", "int", "short", "char", "boolean", "byte", "float", "double")
_SIZES = {"long": 8, "int": 4, "short": 2, "char": 2}

TYPES: dict[str, list[tuple[str, ...]]] = {
    **{name: [] for name in PRIMITIVES},
    "java.lang.String": [],
    TIMESPAN: [("value", "java.lang.String")],
    "jdk.types.Symbol": [("string", "java.lang.String")],
    "java.lang.Class": [("name", "jdk.types.Symbol", "pooled"), ("hidden", "boolean")],
    "jdk.types.Method": [
        ("type", "java.lang.Class", "pooled"),
        ("name", "jdk.types.Symbol", "pooled"),
        ("descriptor", "jdk.types.Symbol", "pooled"),
        ("hidden", "boolean"),
    ],
    "java.lang.Thread": [
        ("osName", "java.lang.String"),
        ("javaName", "java.lang.String"),
        ("javaThreadId", "long"),
    ],
    "jdk.types.FrameType": [("description", "java.lang.String")],
    "jdk.types.ThreadState": [("name", "java.lang.String")],
    "jdk.types.StackFrame": [
        ("method", "jdk.types.Method", "pooled"),
        ("lineNumber", "int"),
        ("bytecodeIndex", "int"),
        ("type", "jdk.types.FrameType", "pooled"),
    ],
    "jdk.types.StackTrace": [
        ("truncated", "boolean"),
        ("frames", "jdk.types.StackFrame", "array"),
    ],
    "jdk.ExecutionSample": [
        ("startTime", "long"),
        ("sampledThread", "java.lang.Thread", "pooled"),
        ("stackTrace", "jdk.types.StackTrace", "pooled"),
        ("state", "jdk.types.ThreadState", "pooled"),
    ],
    "jdk.NativeMethodSample": [
        ("startTime", "long"),
        ("sampledThread", "java.lang.Thread", "pooled"),
        ("stackTrace", "jdk.types.StackTrace", "pooled"),
        ("state", "jdk.types.ThreadState", "pooled"),
    ],
    "jdk.CPUTimeSample": [
        ("startTime", "long"),
        ("stackTrace", "jdk.types.StackTrace", "pooled"),
        ("eventThread", "java.lang.Thread", "pooled"),
        ("failed", "boolean"),
        ("samplingPeriod", "long", "ticks"),
        ("biased", "boolean"),
    ],
    "jdk.ObjectAllocationSample": [
        ("startTime", "long"),
        ("eventThread", "java.lang.Thread", "pooled"),
        ("stackTrace", "jdk.types.StackTrace", "pooled"),
        ("objectClass", "java.lang.Class", "pooled"),
        ("weight", "long"),
    ],
    "jdk.ObjectAllocationInNewTLAB": [
        ("startTime", "long"),
        ("eventThread", "java.lang.Thread", "pooled"),
        ("stackTrace", "jdk.types.StackTrace", "pooled"),
        ("objectClass", "java.lang.Class", "pooled"),
        ("allocationSize", "long"),
        ("tlabSize", "long"),
    ],
    "jdk.ThreadPark": [
        ("startTime", "long"),
        ("duration", "long", "ticks"),
        ("eventThread", "java.lang.Thread", "pooled"),
        ("stackTrace", "jdk.types.StackTrace", "pooled"),
        ("parkedClass", "java.lang.Class", "pooled"),
        ("timeout", "long"),
        ("until", "long"),
    ],
    "jdk.FileWrite": [
        ("startTime", "long"),
        ("duration", "long", "ticks"),
        ("eventThread", "java.lang.Thread", "pooled"),
        ("stackTrace", "jdk.types.StackTrace", "pooled"),
        ("path", "java.lang.String"),
        ("bytesWritten", "long"),
    ],
    "jdk.FileForce": [
        ("startTime", "long"),
        ("duration", "long", "ticks"),
        ("eventThread", "java.lang.Thread", "pooled"),
        ("stackTrace", "jdk.types.StackTrace", "pooled"),
        ("path", "java.lang.String"),
        ("metaData", "boolean"),
    ],
    "jdk.InitialSystemProperty": [
        ("startTime", "long"),
        ("key", "java.lang.String"),
        ("value", "java.lang.String"),
    ],
    "jdk.UnsignedLongFlag": [
        ("startTime", "long"),
        ("name", "java.lang.String"),
        ("value", "long"),
    ],
    "jdk.DoubleFlag": [
        ("startTime", "long"),
        ("name", "java.lang.String"),
        ("value", "double"),
    ],
    "jdk.JVMInformation": [
        ("startTime", "long"),
        ("jvmArguments", "java.lang.String"),
        ("jvmFlags", "java.lang.String"),
        ("javaArguments", "java.lang.String"),
    ],
    "jdk.ActiveSetting": [
        ("startTime", "long"),
        ("id", "long"),
        ("name", "java.lang.String"),
        ("value", "java.lang.String"),
    ],
    "jdk.Unwanted": [("startTime", "long"), ("text", "java.lang.String")],
}
NUMBERS = {name: number for number, name in enumerate(TYPES, 30)}

SAMPLE = "jdk.ExecutionSample"
NATIVE = "jdk.NativeMethodSample"

Event = tuple[str, Mapping[str, Any]]


def frame(method: int, line: int = 1, form: int = 1) -> dict[str, int]:
    return {"method": method, "lineNumber": line, "bytecodeIndex": 3, "type": form}


def stack(*frames: Mapping[str, int], truncated: bool = False) -> dict[str, Any]:
    return {"truncated": truncated, "frames": list(frames)}


FORMS = ("Interpreted", "JIT compiled", "Inlined", "Native", "C++", "Kernel", "C1 compiled")
METHODS = {
    1: ("app/Main", "main", "([Ljava/lang/String;)V"),
    2: ("app/Work$Inner", "run", "()V"),
    3: ("app/Hot$$Lambda$88+0x00007fd104007a08/266272063", "apply", "()V"),
    4: ("app/Hot", "lambda$main$0", "(I)V"),
    5: ("java/io/FileDescriptor", "sync", "()V"),
    6: ("sun/nio/ch/EPoll", "wait", "(IJII)I"),
    7: ("java/util/zip/CRC32", "updateBytes0", "(I[BII)I"),
    8: ("app/Hot$$Lambda/0x00000000a1045a10", "run", "()V"),
    9: ("java/lang/invoke/LambdaForm$MH+0x00007f1a0402ae80/138", "invoke", "()V"),
    10: ("app/Made+0x00007f1a0402ae80/139", "call", "()V"),
    11: ("", "__do_softirq", ""),
}
STACKS = {
    1: stack(frame(2, 7), frame(1, 42)),
    2: stack(frame(4, 9), frame(3, -1, 3), frame(1, 43)),
    3: stack(frame(5, -1, 4), frame(1, 44)),
    4: stack(frame(6, -1, 4), frame(1, 45)),
    5: stack(frame(7, -1, 4), frame(1, 46)),
    6: stack(frame(2, 7), frame(1, 42), truncated=True),
    7: stack(frame(10, 5), frame(9, -1), frame(8, 0), frame(1, 47)),
    8: stack(frame(11, 0, 6), frame(1, 48)),
    9: stack(),
}
CLASSES = {
    1: "java/util/concurrent/locks/ReentrantLock$NonfairSync",
    2: "java/util/concurrent/CountDownLatch$Sync",
}
THREADS = {1: ("os-main", "main"), 2: ("os-7", "pool-12-thread-345"), 3: ("C2 Compiler", None)}


def pools(stacks: Mapping[int, Any] = STACKS) -> dict[str, dict[int, Any]]:
    symbols: dict[str, int] = {}

    def symbol(text: str) -> int:
        return symbols.setdefault(text, len(symbols) + 1)

    owners = dict.fromkeys(owner for owner, _, _ in METHODS.values())
    numbers = {owner: number for number, owner in enumerate(owners, 100)}
    classes = {number: owner for owner, number in numbers.items()} | CLASSES
    found: dict[str, dict[int, Any]] = {
        "jdk.types.StackTrace": dict(stacks),
        "java.lang.Class": {
            number: {"name": symbol(owner), "hidden": False} for number, owner in classes.items()
        },
        "jdk.types.Method": {
            number: {
                "type": numbers[owner],
                "name": symbol(name),
                "descriptor": symbol(descriptor),
                "hidden": False,
            }
            for number, (owner, name, descriptor) in METHODS.items()
        },
        "java.lang.Thread": {
            number: {"osName": os, "javaName": java, "javaThreadId": number}
            for number, (os, java) in THREADS.items()
        },
        "jdk.types.FrameType": {
            number: {"description": form} for number, form in enumerate(FORMS, 1)
        },
        "jdk.types.ThreadState": {1: {"name": "STATE_RUNNABLE"}, 2: {"name": "STATE_SLEEPING"}},
        "java.lang.String": {1: "text of the pool"},
    }
    found["jdk.types.Symbol"] = {
        number: {"string": text} for text, number in list(symbols.items())
    }
    return found


def sample(stack_: int, thread: int = 1, name: str = SAMPLE, state: int = 1) -> Event:
    return name, {"startTime": 5, "sampledThread": thread, "stackTrace": stack_, "state": state}


def setting(event: str, name: str, value: str) -> Event:
    return "jdk.ActiveSetting", {
        "startTime": 1,
        "id": NUMBERS[event],
        "name": name,
        "value": value,
    }


def period(event: str = SAMPLE, value: str = "20 ms") -> Event:
    return setting(event, "period", value)


class Writer:
    """Bytes of one chunk, growing."""

    def __init__(self, compressed: bool, types: Mapping[str, Sequence[tuple[str, ...]]]) -> None:
        self.compressed = compressed
        self.types = types
        self.out = bytearray()

    def integer(self, value: int, size: int = 8) -> None:
        if not self.compressed:
            self.out += (value & (1 << 8 * size) - 1).to_bytes(size, "big")
            return
        value &= (1 << 64 if size == 8 else 1 << 32) - 1
        for _ in range(8):
            if value < 128:
                self.out.append(value)
                return
            self.out.append(value & 127 | 128)
            value >>= 7
        self.out.append(value)

    def text(self, value: Any) -> None:
        if value is None:
            self.out.append(0)
        elif isinstance(value, int):
            self.out.append(2)
            self.integer(value)
        elif value == "":
            self.out.append(1)
        elif value.startswith("chars:"):
            self.out.append(4)
            self.integer(len(value) - 6, 4)
            for char in value[6:]:
                self.integer(ord(char), 2)
        else:
            self.out.append(3)
            self.integer(len(value.encode()), 4)
            self.out += value.encode()

    def value(self, type_: str, value: Any) -> None:
        if type_ == "java.lang.String":
            self.text(value)
        elif type_ in _SIZES:
            self.integer(value, _SIZES[type_])
        elif type_ in ("boolean", "byte"):
            self.out.append(int(value) & 255)
        elif type_ in ("float", "double"):
            self.out += struct.pack(">f" if type_ == "float" else ">d", value)
        else:
            self.structure(type_, value)

    def structure(self, type_: str, values: Mapping[str, Any]) -> None:
        for name, of, *flags in self.types[type_]:
            if "pooled" in flags:
                self.integer(values[name])
            elif "array" in flags:
                self.integer(len(values[name]), 4)
                for value in values[name]:
                    self.value(of, value)
            else:
                self.value(of, values[name])

    def event(self, number: int, body: bytes) -> bytes:
        """The size of an event counts its own bytes, so it is padded to four."""
        inner = Writer(self.compressed, self.types)
        inner.integer(number)
        size = 4 + len(inner.out) + len(body)
        if not self.compressed:
            return size.to_bytes(4, "big") + bytes(inner.out) + body
        padded = bytes((size >> shift & 127) | 128 for shift in (0, 7, 14))
        return padded + bytes([size >> 21 & 127]) + bytes(inner.out) + body


def chunk(
    events: Sequence[Event],
    constants: Mapping[str, Mapping[int, Any]] | None = None,
    *,
    compressed: bool = True,
    types: Mapping[str, Sequence[tuple[str, ...]]] = TYPES,
    began: int = 1_700_000_000_000_000_000,
    lasted: int = 2_000_000_000,
    frequency: int = 1_000_000_000,
    version: tuple[int, int] = (2, 1),
    split: bool = False,
) -> bytes:
    """One chunk: half of the constants before the events if ``split``, the others behind."""
    constants = pools() if constants is None else constants
    numbers = {name: number for number, name in enumerate(types, 30)}
    make = Writer(compressed, types)
    out = bytearray(68)
    last = 0
    names = list(constants)
    halves = [names[: len(names) // 2], names[len(names) // 2 :]] if split else [[], names]

    def checkpoint(half: Sequence[str]) -> None:
        nonlocal last
        body = Writer(compressed, types)
        body.integer(1)
        body.integer(0)
        body.integer(last - len(out) if last else 0)
        body.out.append(0)
        body.integer(len(half), 4)
        for name in half:
            body.integer(numbers[name])
            body.integer(len(constants[name]), 4)
            for key, value in constants[name].items():
                body.integer(key)
                body.value(name, value)
        last = len(out)
        out.extend(make.event(1, bytes(body.out)))

    if split:
        checkpoint(halves[0])
    for name, values in events:
        body = Writer(compressed, types)
        body.structure(name, values)
        out += make.event(numbers[name], bytes(body.out))
    checkpoint(halves[1])
    metadata = len(out)
    out += make.event(0, _metadata(compressed, types, numbers))
    header = struct.pack(
        ">4sHHqqqqqqqI", b"FLR\0", *version, len(out), last, metadata, began, lasted, 0, frequency,
        1 if compressed else 0,
    )  # fmt: skip
    out[:68] = header
    return bytes(out)


def _metadata(
    compressed: bool, types: Mapping[str, Sequence[tuple[str, ...]]], numbers: Mapping[str, int]
) -> bytes:
    texts: dict[str, int] = {}

    def word(text: str) -> int:
        return texts.setdefault(text, len(texts))

    tree = Writer(compressed, types)

    def element(name: str, attributes: Mapping[str, str], children: int) -> None:
        tree.integer(word(name), 4)
        tree.integer(len(attributes), 4)
        for key, value in attributes.items():
            tree.integer(word(key), 4)
            tree.integer(word(value), 4)
        tree.integer(children, 4)

    element("root", {}, 2)
    element("metadata", {}, len(types))
    for name, fields in types.items():
        element("class", {"name": name, "id": str(numbers[name])}, len(fields))
        for field, of, *flags in fields:
            attributes = {"name": field, "class": str(numbers[of])}
            if "pooled" in flags:
                attributes["constantPool"] = "true"
            if "array" in flags:
                attributes["dimension"] = "1"
            element("field", attributes, int("ticks" in flags))
            if "ticks" in flags:
                element("annotation", {"class": str(numbers[TIMESPAN]), "value": "TICKS"}, 0)
    element("region", {"gmtOffset": "0"}, 0)
    body = Writer(compressed, types)
    for _ in range(3):
        body.integer(0)
    body.integer(len(texts), 4)
    for text in texts:
        body.text(text)
    return bytes(body.out + tree.out)


HERE = Path(__file__).parent


def jdk(tool: str) -> str:
    found = shutil.which(tool)
    assert found, f"the tests need a JDK with '{tool}' on the path"
    return str(Path(found).resolve())


_SAMPLERS = {"jdk.ExecutionSample": "10 ms", "jdk.NativeMethodSample": "20 ms"}
_PAUSES = (
    "jdk.JavaMonitorEnter", "jdk.JavaMonitorWait", "jdk.ThreadPark", "jdk.ThreadSleep", "jdk.FileRead", "jdk.FileWrite",
    "jdk.FileForce",
)  # fmt: skip
_OTHERS = (
    "jdk.ObjectAllocationSample", "jdk.JVMInformation", "jdk.InitialSystemProperty", "jdk.InitialEnvironmentVariable",
    "jdk.ActiveSetting", "jdk.BooleanFlag", "jdk.UnsignedLongFlag", "jdk.DoubleFlag", "jdk.StringFlag",
)  # fmt: skip


def settings(*more: str) -> str:
    """Only events that are read: others, like ``jdk.SystemProcess``, tell of the machine and of what else runs on it."""
    parts = ["settings=none", *more]
    parts += [f"+{name}#enabled=true" for name in (*_SAMPLERS, *_PAUSES, *_OTHERS)]
    parts += [f"+{name}#period={value.replace(' ', '')}" for name, value in _SAMPLERS.items()]
    parts += [f"+{name}#{key}" for name in _PAUSES for key in ("threshold=1ms", "stackTrace=true")]
    parts += [
        f"+jdk.ObjectAllocationSample#{key}" for key in ("throttle=150/s", "stackTrace=true")
    ]
    return ",".join(parts)


def record(folder: Path, *arguments: str, more: Sequence[str] = ()) -> Path:
    """Compile ``Busy.java`` and run it under Flight Recorder, without this process' environment."""
    subprocess.run([jdk("javac"), "-d", str(folder), str(HERE / "Busy.java")], check=True)
    recording = f"-XX:StartFlightRecording=filename=busy.jfr,{settings(*more)}"
    command = [jdk("java"), *arguments, recording, "-cp", ".", "Busy", "--jobs", "2"]
    subprocess.run(command, check=True, capture_output=True, env={}, cwd=folder)
    return folder / "busy.jfr"
