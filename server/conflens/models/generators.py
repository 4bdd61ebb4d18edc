"""Shapes of the model rows on code generators: which annotation has which members made, and how they are called.

Absent: the members (``program.implied``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

Implied = Literal[
    "getter",
    "setter",
    "wither",
    "no-args",
    "required-args",
    "all-args",
    "builder",
    "inherited-builder",
    "style",
    "final",
    "open",
    "required",
    "initial",
    "collected",
    "implementation",
    "implementation-builder",
    "enclosing",
]
"""What an ``ImpliedRow`` makes or marks; see ``program.implied``."""

ImpliedElement = Literal[
    "access",
    "static",
    "method",
    "build",
    "class",
    "copy",
    "prefix",
    "fluent",
    "chain",
    "prefixes",
    "final",
    "singular",
]
"""What an element of an annotation in an ``ImpliedRow`` states."""

ImpliedSetting = Literal["stop", "fluent", "chain", "prefixes", "plain-booleans", "class"]
"""What a key of an ``ImpliedSettingsRow`` states."""


@attrs.frozen(kw_only=True)
class ImpliedRow:
    """An annotation for which a code generator adds members that the source does not show.

    ``makes``: what it adds where it stands, on a class or on a field of it, or what it marks: a ``style`` of names, a
    ``final`` or not final (``open``) field, a ``required`` field, a field whose ``initial`` value is a builder's default, one
    that is ``collected`` from single elements.  ``with_constructor``: the constructor that it also makes if the class has
    none.  ``elements`` gives the annotation's element for what it states; ``absent`` is the constant of ``access`` that means
    "nothing".  An ``implementation`` is a class of its own, whose name has ``name`` with ``*`` for the annotated one's; that of
    a class inside another one is named by both, unless it is ``alone``, and stands in a class made for the other one if that is
    ``enclosing``.
    """

    type: str
    makes: tuple[Implied, ...]
    with_constructor: Literal["", "required-args", "all-args"] = ""
    elements: Mapping[ImpliedElement, str] = attrs.field(factory=dict, hash=False)
    absent: str = ""
    name: str = ""
    alone: bool = False
    provenance: str


@attrs.frozen(kw_only=True)
class ImpliedSettingsRow:
    """A file with settings for the classes below its folder: ``keys`` gives the key for what it states."""

    file: str
    keys: Mapping[ImpliedSetting, str] = attrs.field(hash=False)
    provenance: str
