"""Shape of what is learned of a library's bound class whose source is not at hand.

Absent: how it is learned (``options.learned.beans``); rows of files (``schema``).
"""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class BeanRow:
    """``type`` (qualified) is filled with what stands below ``prefix`` of a ``domain``; ``sections`` are the names, in the loose
    spelling and the prefix among them, below which config files or documents have further names."""

    type: str
    prefix: str
    domain: str
    sections: frozenset[str]
