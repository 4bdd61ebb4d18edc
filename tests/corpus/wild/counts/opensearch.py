"""OpenSearch: the settings below ``thread_pool``, which are made by builders of ``ThreadPool``."""

from __future__ import annotations

import re

from corpus.wild.counts.counting import Count, Reported, found
from corpus.wild.counts.java import Sources

_PREFIX = "thread_pool."
_BUILDER = re.compile(
    r"new (Scaling|Fixed|AutoQueueAdjusting)ExecutorBuilder\(\s*(?:settings,\s*)?Names\.(\w+)"
)
_SETTINGS = {
    "Scaling": ("core", "max", "keep_alive"),
    "Fixed": ("size", "queue_size"),
    "AutoQueueAdjusting": (
        "size",
        "queue_size",
        "min_queue_size",
        "max_queue_size",
        "auto_queue_frame_size",
        "target_response_time",
    ),
}
_PLAIN = re.compile(rf"\"({re.escape(_PREFIX)}[\w.]+)\"")


def settings(sources: Sources) -> list[str]:
    """Return the names of all, those written as a literal last."""
    text = sources.text_of("ThreadPool")
    built = [
        f"{_PREFIX}{sources.constant(name, 'ThreadPool')}.{setting}"
        for kind, name in _BUILDER.findall(text)
        for setting in _SETTINGS[kind]
    ]
    return [*built, *_PLAIN.findall(text)]


def count(sources: Sources, reported: Reported) -> list[Count]:
    """Count the settings that are read, and the names that are reported besides."""
    wanted = settings(sources)
    besides = [name for name in reported.named if name.startswith(_PREFIX) and name not in wanted]
    return [
        found(
            "settings of thread_pool with a read",
            ((bool(reported.read(name)), f"{name} ({reported.lack(name)})") for name in wanted),
        ),
        Count("other names of thread_pool that are reported", str(len(besides)), besides),
    ]
