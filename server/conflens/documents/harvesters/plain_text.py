"""Names in plain text and scripts: option lists of usage texts (`  --port N   the port`) as
entries, `-Dname=value` and name-like tokens as words. In shell and batch files the environment
variables that are set or commented out are entries.
"""

import re

from conflens.documents.harvesters.labels import Label, add_entry, add_text
from conflens.documents.harvesters.settings import ENVIRONMENT, harvest_settings
from conflens.documents.source import Collector, Source

_USAGE = re.compile(
    r"\s*+(?P<label>-{1,2}[A-Za-z][\w.\-]*+(?:,\s--?[\w.\-]++)*+)(?:[ =][<\[]?[\w.|]{1,40}+[>\]]?)?+"
    r"\s{2,}+(?P<body>\S.*+)"
)


def harvest_text(source: Source, collector: Collector, script: bool) -> None:
    """Adds what a text says about names; `script` says that it is a shell or batch file."""
    if script:
        harvest_settings(source, collector, ENVIRONMENT)
    for number, line in enumerate(source.lines):
        usage = _USAGE.match(line) if "-" in line else None
        if usage is not None:
            start = source.starts[number]
            at = start + usage.start("label")
            label = Label(usage["label"], at, start + usage.end("label"))
            add_entry(collector, label, usage["body"], listed=True)
    add_text(collector, source.text)
