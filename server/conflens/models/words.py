"""The words that fields of model rows may hold: types, units, aspects, ways of naming and reading.

Closed sets, one ``Literal`` each; a row with another word is refused when it is loaded (``load``).
"""

from __future__ import annotations

from typing import Final, Literal

ValueType = Literal[
    "boolean",
    "integer",
    "fraction",
    "string",
    "mode",
    "class",
    "file",
    "time",
    "size",
    "address",
    "port",
    "uri",
    "regex",
    "list",
    "password",
]
"""What an option's value is; ``mode`` is one of a few words (an enum constant, a level)."""

Unit = Literal["ns", "us", "ms", "s", "min", "h", "d", "B", "KB", "MB", "GB", "TB", "PB", "chars"]
"""Units of times and sizes; ``KB`` and up are powers of 1024."""

Computed = Literal[
    "max",
    "min",
    "clamp",
    "+",
    "-",
    "*",
    "pow",
    "abs",
    "ceil",
    "floor",
    "round",
    "sqrt",
    "log",
    "other",
]
"""What number a call makes of its arguments; ``other``: one that is not followed."""

Grows = Literal["more", "longer", "rarer", "fewer"]
"""What becomes of a cost when the amount is raised: there is more of it, it lasts longer, it happens less often, or there is less."""

Evidence = Literal["certain", "role", "entered", "opened"]

Result = Literal["value", "optional", "holder", "asked"]
"""What a read returns: the value, an Optional-like wrapper, an object asked for it later, or one whose methods are called like its type."""

Target = Literal["class", "field", "parameter", "method", "arguments", "element"]
"""What an annotation is on.  ``arguments``: on a method or constructor, whose parameters of annotation types it fills.  ``element``: on an
annotation type or an element of one; the library resolves placeholders in the defaults of the elements."""

AnnotationRole = Literal["option", "class", "refine", "gate"]

Naming = Literal[
    "field",
    "kebab",
    "dotted",
    "fqcn.field",
    "method",
    "class",
    "snake",
    "upper-snake",
    "dots",
    "camel",
    "lower",
    "long-option",
]
"""How a name comes about that is not written down.

``field`` and ``method``: the element's own name, a bean accessor without get, is or set; ``kebab``
the same as ``max-size``; ``dotted`` with ``_`` as ``.``; ``fqcn.field`` behind its class's
qualified name; ``class``: the annotated class's simple name in kebab case.  Of ``maxSize``: ``snake`` makes ``max_size``,
``upper-snake`` ``MAX_SIZE``, ``dots`` ``max.size``, ``camel`` ``MaxSize``, ``lower`` ``maxsize``, ``long-option`` ``--max-size``.
"""

Placeholder = Literal["dollar", "dash", "spel", "braces", "brace"]
"""``${name:default}``, ``${name:-default}``, the same or ``#{...}`` around it, ``{{name:default}}``, ``{name:default}`` with or without ``$``."""

Asks = Literal["missing", "present", "empty"]
"""Whether a call asks if a value is missing (or empty), if it is there, or if a text that is there is empty."""

Keeps = Literal["all", "part"]
"""Whether what a call makes of a path or text that is there is there in any case, or only if that has several parts."""

STYLES: Final = "styles"
Spelling = Literal[
    "lower", "upper", "capitalized", "uncapitalized", "lower_underscore UpperCamel", "styles"
]
"""What a call makes of the spelling of a text: other words from one style in another, which stand here, or are what ``styles``, the
object that is asked and the first argument, stand for."""

Aspect = Literal[
    "name",
    "prefix",
    "parent-name",
    "old-name",
    "default",
    "description",
    "type",
    "class",
    "unit",
    "required",
    "minimum",
    "maximum",
    "above",
    "values",
    "pattern",
    "secret",
    "hidden",
    "deprecated",
    "nested",
    "argument",
    "kind",
    "copied",
    "object-default",
    "object-values",
    "ignored",
    "rest",
    "converter",
    "variant-key",
    "variant-name",
    "variant-default",
    "parsed",
    "naming",
    "attribute",
    "wrapper",
    "root",
    "fields",
    "constructor",
    "creator",
    "reference",
]
"""A property of an option.

``class``: X.class or an object of the value's class; ``old-name``: a further, superseded name;
``parent-name``: its members are named as if they stood in the parent; ``argument``: takes a value
(a flag otherwise); ``nested``: the element's members are options; ``rest``: takes the keys for which the class has no member;
``converter``: the class that makes the value of its text; ``constructor``: the one whose parameters are filled;
``creator``: such a constructor or factory of a mapper, whose one parameter without a name takes the whole value;
``parsed``: code of the program's own reads the value, which has no members in a file;
``naming``: the class of the naming of a class's members; ``attribute``: stands in an attribute of its parent's XML element;
``wrapper``: the name of an XML element around it; ``root``: that of the element that an object of the class is; ``fields``: all fields of the class are filled;
``reference``: it is called as the root of its own class.
"""


Syntax = Literal[
    "integer",
    "fraction",
    "true-only",
    "true-or-false",
    "true-else-default",
    "switch",
    "iso-duration",
    "unit-duration",
    "duration",
    "size",
]
"""What texts the code that reads a value takes, where that is surely so.

``integer``, ``fraction``: a number as Java writes it, without unit or suffix.  Truth values: ``true-only`` takes any other
text than ``true`` for false, ``true-or-false`` fails on other texts, ``true-else-default`` falls back to the default, and
``switch`` knows ``on``/``off``, ``yes``/``no``, ``1``/``0`` besides and fails on the rest.  Durations: ``iso-duration`` is a
plain number or ISO 8601 (``PT5S``), ``unit-duration`` numbers with their units (``5 minutes``), ``duration`` any of these.
``size``: a number, perhaps with a unit.
"""

FileFormat = Literal[
    "properties",
    "yaml",
    "xml",
    "elements",
    "toml",
    "environment",
    "hocon",
    "arguments",
    "beans",
    "blueprint",
]
"""How a file is written that sets options."""

BindingShape = Literal[
    "class",
    "object",
    "annotated",
    "supertype",
    "rule",
    "parsed",
    "listing",
    "setting",
    "naming",
    "cast",
]
"""What a row about binding says, see ``schema.BindingRow``."""
