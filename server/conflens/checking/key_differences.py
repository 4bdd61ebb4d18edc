"""Where the key of an assignment differs from the right name, and what to write there.

Absent: which name is right (``keys``).
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.model import Assignment, ConfigFile

PLAIN = re.compile(r"[\w.\-\[\]:/$]+")
"""A name without anything that would need quotes."""


def difference(
    assignment: Assignment, right: str, file: ConfigFile
) -> tuple[int, int, str | None]:
    """Where the name of an assignment differs from another, and what to write there; ``None`` if that needs more."""
    wrong_parts, right_parts = assignment.name.split("."), right.split(".")
    same = 0
    shorter = min(len(wrong_parts), len(right_parts))
    while same < shorter and wrong_parts[same] == right_parts[same]:
        same += 1
    end = 0
    while end < shorter - same and wrong_parts[-1 - end] == right_parts[-1 - end]:
        end += 1
    before = sum(len(part) + 1 for part in wrong_parts[:same])
    wrong = ".".join(wrong_parts[same : len(wrong_parts) - end])
    text = ".".join(right_parts[same : len(right_parts) - end])
    at = 0
    touched: list[tuple[int, int, bool]] = []
    for segment in assignment.path:
        size = len(segment.text)
        if at < before + max(1, len(wrong)) and at + size > before - (not wrong):
            raw = (
                file.text[segment.start : segment.end] == segment.text.encode("utf-8", "replace")
                and segment.text.isascii()
            )
            low = max(0, before - at) if raw else 0
            high = min(size, before + len(wrong) - at) if raw else segment.end - segment.start
            touched.append((segment.start + low, segment.start + high, raw))
        at += size + 1
    if not touched:
        return assignment.key.start, assignment.key.end, None
    start, finish = touched[0][0], touched[-1][1]
    structured = len(assignment.path) > 1 and (
        wrong.count(".") != text.count(".") or len(touched) > 1
    )
    simple = len(touched) == 1 and touched[0][2] and wrong and text and not structured
    return start, max(start, finish), text if simple and PLAIN.fullmatch(text) else None
