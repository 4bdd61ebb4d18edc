"""Shape of the rows of domains: the places where names of options live (``grammars/models/domains.toml``).

Absent: all other rows (``schema``), loading (``load``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from conflens.models.words import FileFormat, Syntax


@attrs.frozen(kw_only=True)
class DomainRow:
    """A place where names live. ``label`` is for people.
    ``relaxed``: spellings that differ in case and in ``-``, ``_`` are one name.  ``variables``: an environment
    variable may set what lives there.  ``formats``: the formats of files that set it.  ``files``: names of files,
    in lower case with ``*`` for any part, that hold nothing else.  ``reserved``: beginnings of names (whole segments, or
    up to a final ``_``) that the library, the platform or other libraries read there, and not the project.
    ``openers``: simple names of annotations by which a class that is filled takes any name.  ``repeats``: a key given
    several times is a list.  ``precedence``: of files of one name in one folder, the formats whose values win, first.
    ``placeholders``: what stands before the default in ``${name:default}`` where the library resolves placeholders in
    values, ``none`` where it resolves them and knows no defaults; empty where it resolves none.  ``supplied``: beginnings
    of names (whole segments) in placeholders that neither config files nor the command line set.  ``relaxed_values``:
    constants of enumerations are known in other case and with ``-`` for ``_`` as well.  ``apart``: classes share no option.  ``titles``: names may be titles of
    several words.
    ``libraries``: what a program imports (a package, a class) that has such files.  ``substitutors``: classes by which a
    program that imports one replaces ``${name:-default}`` by variables of the environment.  ``beans``: how the names of classes that a library
    binds end, as a convention.
    ``outside``: the domain in which names in placeholders live, if it is another than this one.
    ``declared``: every whole name is declared, or has this sign in it; another word that is asked for is the last part of a name.
    ``keeps``: what is not given leaves an annotated field as its class made it, the number or truth value of a primitive one too.
    ``texts``: what texts members of a type are made of, unless the project has a class of its own that extends one of ``parsers``.
    """

    domain: str
    label: str
    relaxed: bool = False
    relaxed_values: bool = False
    variables: bool = False
    formats: tuple[FileFormat, ...] = ()
    files: tuple[str, ...] = ()
    reserved: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()
    repeats: bool = False
    precedence: tuple[FileFormat, ...] = ()
    placeholders: Literal["", ":", ":-", "none"] = ""
    libraries: tuple[str, ...] = ()
    substitutors: tuple[str, ...] = ()
    beans: str = ""
    outside: str = ""
    supplied: tuple[str, ...] = ()
    apart: bool = False
    titles: bool = False
    declared: str = ""
    keeps: bool = False
    texts: Mapping[str, Syntax] = attrs.field(factory=dict, hash=False)
    parsers: tuple[str, ...] = ()
    provenance: str


@attrs.frozen(kw_only=True)
class PlatformRow:
    """A name that states a fact of the platform and is no option; a final ``*`` matches the rest."""

    domain: str
    name: str
    provenance: str
