"""What ``jfr print --json`` writes, read event by event.

Invariants: in memory are the current event and the piece of text that is read at a time; an event of more than ``LARGEST``
characters is an error.  Events nested deeper than Python's parser goes are an error as well.

Absent: what events mean (``jfr_printed``).
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from conflens.profiling.jfr.binary_reader import jfr_command
from conflens.profiling.jfr.byte_reader import STEP, Broken, read_fully
from conflens.profiling.jfr.printed_events import PrintedEvents
from conflens.profiling.jfr.recording import Recording, paced
from conflens.profiling.jfr.rows import load_rows
from conflens.profiling.model import ImportFailure, Snapshot

FORMAT = "JFR as JSON"
LARGEST = 16 * 1024 * 1024
_HEAD = 64 * 1024
_EVENTS = re.compile(r'"events"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")


def read_jfr_json(
    stream: BinaryIO, name: str, check: Callable[[int], None], salt: bytes = b""
) -> Snapshot:
    """Return the snapshot of what ``jfr print --json`` has written; arguments as for ``read_jfr``.

    Raises ImportFailure.
    """
    recording = Recording(load_rows(), name, salt)
    events = PrintedEvents(recording)
    pace = paced(check)
    number = 0
    try:
        for event in _events(stream, pace):
            number += 1
            events.take(event)
    except Broken as fault:
        place = f"event {number + 1:,}" if number else ""
        raise ImportFailure(name, place, str(fault)) from None
    events.finish(" ".join(jfr_command("jfr", "FILE.jfr")))
    return recording.snapshot(FORMAT, pace)


def _events(stream: BinaryIO, pace: Callable[[int], None]) -> Iterator[dict[str, Any]]:
    decode = codecs.getincrementaldecoder("utf-8")().decode
    parse = json.JSONDecoder().raw_decode
    ended = False

    def more(kept: str) -> str:
        nonlocal ended
        read = read_fully(stream, max(STEP, len(kept)))
        ended = not read
        pace(len(read))
        try:
            return kept + decode(read, ended)
        except UnicodeDecodeError:
            raise Broken("text that is not UTF-8") from None

    stream.seek(0)
    text = more("")
    head = _EVENTS.search(text, 0, _HEAD)
    if head is None:
        raise Broken("no list of events at the start, as 'jfr print --json' writes it")
    at = head.end()
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if at < len(text):
            if text[at] == "]":
                return
            if text[at] != "{":
                raise Broken("no event where one should be")
            try:
                event, at = parse(text, at)
                yield event
                continue
            except json.JSONDecodeError as fault:
                reason = fault.msg
            except RecursionError:
                raise Broken("an event is nested too deeply") from None
            except ValueError as fault:
                raise Broken(str(fault)[:100]) from None
            if len(text) - at > LARGEST:
                raise Broken(
                    f"an event that cannot be read within {LARGEST:,} characters: {reason}"
                )
            if ended:
                raise Broken(f"the last event is not whole, or broken: {reason}")
        elif ended:
            raise Broken("the file ends before its list of events does")
        text = more(text[at:])
        at = 0
