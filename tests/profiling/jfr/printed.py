"""Events in the two forms in which ``jfr print`` writes them."""

import json
from collections.abc import Sequence
from typing import Any

Event = dict[str, Any]


def frame(
    owner: str, method: str, line: int = 1, form: str = "JIT compiled", descriptor: str = "()V"
) -> dict[str, Any]:
    return {
        "method": {
            "type": {
                "classLoader": None,
                "name": owner,
                "package": {"name": owner.rpartition("/")[0]},
                "hidden": False,
            },
            "name": method,
            "descriptor": descriptor,
            "hidden": False,
        },
        "lineNumber": line,
        "bytecodeIndex": 4,
        "type": form,
    }


def thread(name: str | None, os_name: str = "os") -> dict[str, Any]:
    return {"osName": os_name, "javaName": name, "javaThreadId": 1, "group": {"name": "main"}}


def stack(*frames: dict[str, Any], truncated: bool = False) -> dict[str, Any]:
    return {"truncated": truncated, "frames": list(frames)}


def event(type_: str, **values: Any) -> Event:
    begun = {"startTime": "2026-11-20T14:59:26.695361053Z"}
    return {"type": type_, "values": begun | values}


def sample(*frames: dict[str, Any], name: str = "main", type_: str = "ExecutionSample") -> Event:
    return event(
        f"jdk.{type_}",
        sampledThread=thread(name),
        state="STATE_RUNNABLE",
        stackTrace=stack(*frames),
    )


HOT = frame("app/Hot$Inner", "lambda$main$0", 12, descriptor="(I)V")
PROXY = frame("app/Hot$$Lambda$88+0x00007fd104007a08/266272063", "apply", -1, "Inlined")
MAIN = frame("app/Main", "main", 42, "Interpreted", "([Ljava/lang/String;)V")
SYNC = frame("java/io/FileDescriptor", "sync", -1, "Native")

EVENTS = [
    event("jdk.ActiveSetting", id=108, name="period", value="20 ms"),
    event("jdk.ActiveSetting", id=107, name="period", value="10 ms"),
    event("jdk.ActiveSetting", id=12, name="period", value="1000 ms"),
    sample(HOT, PROXY, MAIN),
    sample(HOT, PROXY, MAIN, name="pool-1-thread-2"),
    sample(SYNC, MAIN, type_="NativeMethodSample"),
    event(
        "jdk.ThreadPark",
        duration="PT0.021326088S",
        until="-999999999-01-01T00:00:00+18:00",
        parkedClass={"name": "java/util/concurrent/locks/ReentrantLock$NonfairSync"},
        eventThread=thread("main"),
        stackTrace=stack(MAIN),
    ),
    event(
        "jdk.ObjectAllocationSample",
        objectClass={"name": "[B"},
        weight=4096,
        eventThread=thread(None, "C1"),
        stackTrace=stack(HOT, PROXY, MAIN, truncated=True),
    ),
    event("jdk.GarbageCollection", name="G1 <New> & Old", sumOfPauses="PT1S"),
    event("jdk.InitialSystemProperty", key="jobs", value="4"),
    event("jdk.BooleanFlag", name="UseG1GC", value=True, origin="Default"),
    event(
        "jdk.JVMInformation",
        jvmArguments="-Xmx1g -Djobs=4",
        jvmFlags=None,
        javaArguments="app.Main --in a.txt",
    ),
]


def as_json(events: Sequence[Event]) -> bytes:
    text = json.dumps({"recording": {"events": list(events)}}, indent=2)
    return text.replace("/", "\\/").encode()
