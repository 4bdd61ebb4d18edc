"""Reasons for a type that texts in code give: what a value is compared with, switched over or looked up among.

Such a reason, and the values that go with it, show these texts.  What a secret is compared with is a secret too.
"""

from __future__ import annotations

import attrs

from conflens.options.model import OptionType
from conflens.options.sites import Inference

EQUALS = "equals"
"""How the methods begin that compare texts, too."""
SWITCHED = "switched over"
LOOKED_UP = "looked up among constants"
ONLY_COMPARED = "nothing but compared with"
_BY_TEXTS = (EQUALS, SWITCHED, LOOKED_UP, ONLY_COMPARED)


def without_texts(found: Inference) -> Inference:
    """Return what is left of an inference about a secret: no text of code."""
    if not found.why.startswith(_BY_TEXTS):
        return found
    type_ = OptionType.STRING if found.type is OptionType.MODE else found.type
    return attrs.evolve(found, type=type_, why="compared with texts", values=(), compared=None)
