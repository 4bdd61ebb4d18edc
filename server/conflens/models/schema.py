"""Shapes of the model rows: what libraries do with options, one row per API.

Purpose: frozen classes that the rows of ``grammars/models/*.toml`` and of a workspace file become.  Analysis names no API itself.

Terms
    row         one API: a type and a method, an annotation type, a constant, or a word.
    place       where a value stands in a call: an argument's index from 0, ``RECEIVER`` (never an argument) or ``RETURN``.
    evidence    ``certain``: the call alone makes it an option read.  ``role``: the type also holds other things, so the object must in
                addition be seen to be configuration.  ``entered``: it must come from where configuration enters.  ``opened``: from a file that the program itself names as
                configuration (``conf/app.xml``).
    aspect      which property of an option something states (see ``Aspect``).

Invariants: ``type`` is qualified, nested types with ``.``; a row holds for its subtypes too, and ``also_types`` names
subclasses from other artifacts, whose supertypes cannot be seen.  ``<init>`` is the method of a constructor call.
``min_args`` and ``max_args`` (None: no bound) choose among overloads; ``parameters`` (simple type names, ``*`` any; empty:
not looked at) where arity does not, and of several rows that fit a call those with ``parameters`` go before those without.
Every row says in ``provenance`` where its claim can be checked.

Absent: rows of domains (``domains``), of code generators (``generators``), names of the project's own classes (they are inferred), loading (``load``), the syntax of workspace files (``workspace``), what the language costs (``operations``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import attrs

from conflens.models.arguments import BarrierRow as BarrierRow
from conflens.models.arguments import CheckRow as CheckRow
from conflens.models.arguments import RangeRow as RangeRow
from conflens.models.arguments import SecretRow as SecretRow
from conflens.models.arguments import SecretWordRow as SecretWordRow
from conflens.models.beans import BoundClassRow as BoundClassRow
from conflens.models.carriers import FileRow as FileRow
from conflens.models.carriers import NodeRow as NodeRow
from conflens.models.cells import CellRow as CellRow
from conflens.models.domains import DomainRow as DomainRow
from conflens.models.domains import PlatformRow as PlatformRow
from conflens.models.entries import EntryRow as EntryRow
from conflens.models.generators import ImpliedRow, ImpliedSettingsRow
from conflens.models.keys import KeysRow as KeysRow
from conflens.models.members import FieldReadRow as FieldReadRow
from conflens.models.members import ParameterReadRow as ParameterReadRow
from conflens.models.words import (
    AnnotationRole,
    Asks,
    Aspect,
    BindingShape,
    Computed,
    Evidence,
    Grows,
    Keeps,
    Naming,
    Placeholder,
    Result,
    Spelling,
    Syntax,
    Target,
    Unit,
    ValueType,
)

CONSTRUCTOR: Final = "<init>"
"""The method name of constructor calls."""

RECEIVER: Final = -1
"""The place of the object a method is called on."""

RETURN: Final = -2
"""The place of a call's result."""

Place = int
"""An argument's index from 0, ``RECEIVER`` or ``RETURN``."""


@attrs.frozen(kw_only=True)
class ReadRow:
    """A call that returns an option's value, or asks for it, or sets it.

    ``name`` and ``default``: the argument's index; a text is the name itself; ``rest`` is the varargs tail.  With
    ``definition`` the place ``name`` (``RECEIVER`` included) may hold an object that a ``DefinitionRow`` describes.
    ``class_argument`` holds ``X.class``, ``unit_argument`` a unit constant.  ``presence``: only tests whether the option is
    there; with a ``value_type`` of ``boolean`` that is how a flag is read.  ``write``: sets it.  ``named_by``: ``name`` is a
    number, for which these methods of the same object give the name.  ``placeholder``: the name argument is a text with
    placeholders in it.  ``supertype`` holds the class that a class named by the value must extend.  ``accepts``: what
    texts the call takes; None: what follows from ``value_type``, and with ``converts`` from ``class_argument``: the call
    fails for a text of which the library makes no such object, as for a member of a bound class.
    ``section``: the argument that says in which section the name stands, as ``section.name``.  ``missing``: the text of what the call gives where the option is not set, if no argument says that.
    ``keeps``: what the class that asks puts into its object under a private key is its own data.
    ``suffix``: the call tells the library a name below which it reads this, in front of which stands ``root``: each row of such a call is
    one option.  ``made_by`` are methods by which a program makes the object itself, which then reads nothing.  ``own``: the type is the project's.
    """

    type: str
    method: str
    domain: str
    name: int | str
    default: int | Literal["rest"] | None = None
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    also_types: tuple[str, ...] = ()
    value_type: ValueType | None = None
    class_argument: int | None = None
    unit: Unit | None = None
    unit_argument: int | None = None
    evidence: Evidence = "certain"
    presence: bool = False
    write: bool = False
    named_by: tuple[str, ...] = ()
    result: Result = "value"
    definition: bool = False
    placeholder: Placeholder | None = None
    supertype: int | None = None
    accepts: Syntax | None = None
    missing: str | None = None
    section: int | None = None
    converts: bool = False
    keeps: bool = False
    root: str = ""
    suffix: str = ""
    made_by: tuple[str, ...] = ()
    own: bool = False
    provenance: str


@attrs.frozen(kw_only=True)
class ContainerRow:
    """A call after which an object is known to hold configuration: evidence for ``role`` rows.

    ``container`` is the place of that object (``System.getenv()`` returns it, ``Properties.load`` fills its receiver).  ``domain`` None: that of
    the read made on it.  ``overridden``: a library calls the methods that override this one, and gives them the object."""

    type: str
    method: str
    container: Place
    overridden: bool = False
    domain: str | None = None
    min_args: int = 0
    max_args: int | None = None
    also_types: tuple[str, ...] = ()
    provenance: str


@attrs.frozen(kw_only=True)
class PrefixRow:
    """A call that returns the part of a configuration below a prefix.

    Full names are the prefix, ``separator`` and the name asked for.  ``result``: ``same`` kind of
    configuration, a ``map`` of the rest of the names, or a ``list`` of such parts.  Names that begin with ``attached`` follow the prefix without a
    separator.  ``declared``: the call may as well return a value; it returns a part where that goes to a variable, field or parameter of such a type.  ``parts`` are the types that nothing but a part has, ``empty`` the methods that make one that holds nothing.  ``own`` as in ``ReadRow``.
    """

    type: str
    method: str
    argument: int
    domain: str
    separator: str = "."
    result: Literal["same", "map", "list"] = "same"
    attached: str = ""
    declared: bool = False
    min_args: int = 1
    max_args: int | None = None
    also_types: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    evidence: Evidence = "certain"
    own: bool = False
    provenance: str


@attrs.frozen(kw_only=True)
class AnnotationRow:
    """An annotation that makes or describes options.

    ``role``: ``option``: the annotated element is one.  ``class``: the members (``members``) of the
    annotated class or of the annotated method's result are.  ``refine``: states ``aspect`` of the
    element's option by ``key``, or by its presence when that is None.  ``gate``: the annotated
    class or method exists only when the option has a value. ``names``: keys whose values name options (all of them count, arrays are spread);  ``prefix``
    and the other key fields: the key that states it; keys default to ``value`` in Java.
    ``root`` is fixed text in front of every name (separator included), or the whole name when
    there are no ``names``; ``suffix``, of an ``option``: the name is ``root``, what ``names`` state, and this, whether a ``*``
    or the name of what the library reads there, for which it takes ``missing`` if nobody sets it; ``separator`` joins prefix and name.  ``continues``: the prefix of a class
    follows that of the class around or above it.  ``members`` are kinds of ``options.binding.members``.  ``value_type`` is fixed by the annotation itself.  ``values_key`` states the value a gate asks for, and a gate's ``default``
    whether the gate is open when the option is absent.  ``mapper``: only the mapper of a file obeys it, a framework that
    fills the same class from its environment does not.  ``single``: the element must hold what one text can give.  ``aside``: what the annotation says is for the framework, so that no parameter of the annotated method holds it.  ``fixed`` is what an annotation says of its ``aspect`` without
    a key (``@Positive``); of a ``creator`` the constant at ``key`` that says that its parameters have names; of
    ``parsed`` the class at ``key`` that stands for nobody.  ``switch``: where this key is true there is an option ``root``, also
    called by its ``aliases``.  ``called``: the class may hold data as well and counts if its name says that it is configuration.  ``apart``: a member
    whose class has the annotation, too, is one option.
    """

    type: str
    role: AnnotationRole
    targets: tuple[Target, ...]
    domain: str | None = None
    names: tuple[str, ...] = ()
    prefix: str | None = None
    root: str = ""
    suffix: str = ""
    missing: str | None = None
    separator: str = "."
    continues: bool = False
    naming: Naming | None = None
    members: tuple[Literal["field", "setter", "method", "component", "visible"], ...] = ()
    placeholder: Placeholder | None = None
    default: str | None = None
    description: str | None = None
    required: str | None = None
    type_key: str | None = None
    unit_key: str | None = None
    values_key: str | None = None
    value_type: ValueType | None = None
    aspect: Aspect | None = None
    key: str | None = None
    fixed: str | None = None
    switch: str | None = None
    aliases: tuple[str, ...] = ()
    mapper: bool = False
    single: bool = False
    aside: bool = False
    called: bool = False
    apart: bool = False
    provenance: str


@attrs.frozen
class Refinement:
    """A fluent method that states an aspect: by an argument's index, or by a fixed ``value``.

    Neither: calling it is the statement (``required()``).  In TOML: ``"default 0"``, ``"type=integer"``, ``"required"``.
    """

    method: str
    aspect: Aspect
    argument: int | None = None
    value: str | None = None


@attrs.frozen(kw_only=True)
class DefinitionRow:
    """A call or constructor that declares an option; other fields are argument indices.

    ``names``: all its names (short, long, aliases); ``rest_names``: varargs from the last of them
    on are names too.  ``type`` is a constant (see ``ConstantRow``), ``class_argument`` an
    ``X.class``; ``validator`` an object a ``ValidatorRow`` describes.  ``result``: the definition
    is what the call returns, or the receiver collects it.  ``fallback``: another definition that
    gives the default.  ``refinements`` are methods called later on the result.  ``root`` is fixed text in front of every name.
    ``prefix_key``: the name is a prefix, after which any text stands, and then ``suffix``; ``made_by``: a lambda that defines each.
    """

    type: str
    method: str
    domain: str
    names: tuple[int, ...]
    rest_names: bool = False
    root: str = ""
    prefix_key: bool = False
    suffix: int | None = None
    made_by: int | None = None
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    also_types: tuple[str, ...] = ()
    type_argument: int | None = None
    class_argument: int | None = None
    value_type: ValueType | None = None
    default: int | None = None
    fallback: int | None = None
    documentation: int | None = None
    validator: int | None = None
    minimum: int | None = None
    maximum: int | None = None
    required: int | None = None
    takes_value: int | None = None
    refinements: tuple[Refinement, ...] = ()
    accepts: Syntax | None = None
    provenance: str


@attrs.frozen(kw_only=True)
class ValidatorRow:
    """A call that makes a validator: which arguments bound or list the legal values.

    ``values`` ``rest``: all arguments; else the index of the collection.  ``ignores_case``: listed values match
    in any case.
    """

    type: str
    method: str
    minimum: int | None = None
    maximum: int | None = None
    values: int | Literal["rest"] | None = None
    pattern: int | None = None
    ignores_case: bool = False
    min_args: int = 0
    max_args: int | None = None
    provenance: str


@attrs.frozen(kw_only=True)
class DeprecationRow:
    """A call that says that a name is superseded: the arguments with the ``old`` name and the ``new`` ones."""

    type: str
    method: str
    domain: str
    old: int
    new: int | None = None
    min_args: int = 0
    max_args: int | None = None
    provenance: str


@attrs.frozen(kw_only=True)
class BindingRow:
    """What binds a class's members to a configuration source.

    ``shape``: ``class``: ``argument`` holds ``X.class`` (or a type token); ``object``: an object whose members are set; ``annotated``: an object
    whose annotated members are options already and are set here; ``supertype``: extending ``type`` binds, and ``method`` is empty.  ``prefix``: the
    argument that holds the names' common prefix.  ``rule``: a rule for XML elements whose paths match the text ``prefix``, by ``step``: ``create``:
    makes an object of the class whose name is ``argument``; ``next``: hands it on as the type whose name is ``argument``; ``attributes``: sets its
    properties that are named like attributes; ``parse``: applies the rules to the source ``argument``.  ``parsed``: the program reads values of the
    class at ``argument`` itself, so that they have no members.  ``listing``: lists the properties of a class, like reflection; ``setting``: sets the
    property that it is asked of for an object to a value.  ``naming``: says with the constant ``argument`` how the object that it is asked of names
    members.  ``cast``: gives an object of the class that its result is cast to.  ``read_by``: the method that is later given the source.
    ``interfaces``: objects of interfaces are made, too."""

    type: str
    method: str = ""
    interfaces: bool = True
    shape: BindingShape = "class"
    step: Literal["create", "next", "attributes", "parse"] | None = None
    argument: Place | None = None
    prefix: int | None = None
    domain: str
    read_by: str = ""
    evidence: Evidence = "certain"
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    also_types: tuple[str, ...] = ()
    provenance: str


@attrs.frozen(kw_only=True)
class ValueRow:
    """A call whose argument tells what a value is (Rabkin and Katz 2011, table of call types).

    ``unit_argument`` is the place of a unit constant, ``RECEIVER`` for ``TimeUnit.sleep``.
    """

    type: str
    method: str
    argument: int
    value_type: ValueType
    unit: Unit | None = None
    unit_argument: Place | None = None
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    provenance: str


@attrs.frozen(kw_only=True)
class ClockRow:
    """A call that returns the present time; ``elapsed``: since some start; without unit: an object with its own (``Instant``)."""

    type: str
    method: str
    unit: Unit | None = None
    unit_argument: Place | None = None
    elapsed: bool = False
    min_args: int = 0
    max_args: int | None = None
    provenance: str


@attrs.frozen(kw_only=True)
class ConversionRow:
    """A call that passes a value on from ``sources`` to ``target``, perhaps converting it.

    ``value_type``: what the value is as a result (None: unchanged).  The value comes in ``from_unit`` (or the unit constant at
    ``from_unit_argument``), ``factor`` of it for each one, and leaves in ``to_unit`` (``to_unit_argument``); a result that carries its unit
    itself (``Duration``) has none.  ``default``: the place of what is used instead when there is no value.  ``asks``: the call only asks whether
    the value is ``missing`` (or empty), ``present``, or ``empty``, of a text that is there.  ``missing``: the text of what the call gives for ``null``, if no argument says that.
    ``there``: there always is one.  ``keeps``: what the call makes of something that is there is there (``all``), or is so unless that has one
    ``part`` only.  ``spelling``: of a text.
    ``computes``: the result is another number, that of an operator on the arguments; ``clamp``: the first one, between the other two.
    """

    type: str
    method: str
    sources: tuple[Place, ...]
    spelling: Spelling | None = None
    target: Place = RETURN
    default: Place | None = None
    asks: Asks | None = None
    missing: str | None = None
    there: bool = False
    keeps: Keeps | None = None
    computes: Computed | None = None
    value_type: ValueType | None = None
    from_unit: Unit | None = None
    factor: int = 1
    from_unit_argument: Place | None = None
    to_unit: Unit | None = None
    to_unit_argument: Place | None = None
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    provenance: str


@attrs.frozen(kw_only=True)
class ConstantRow:
    """A constant that stands for a unit or a value type (``TimeUnit.SECONDS``, ``Type.INT``).

    ``text`` is how a user would write its value (``UTF-8``); ``naming`` is that of a mapper that it is given to.
    """

    type: str
    constant: str
    text: str = ""
    value_type: ValueType | None = None
    unit: Unit | None = None
    absent: bool = False
    naming: Naming | None = None
    accepts: Syntax | None = None
    provenance: str


@attrs.frozen(kw_only=True)
class LibraryRow:
    """What a library type is and gives, where its source is not at hand.

    ``supers`` are its supertypes; ``returns`` says of some methods, by name, which type they return (``of argument 1``: that of the
    class token there), and ``fields`` the type of fields that subclasses inherit.  ``value_type`` is what its objects are as values of options (``DataSize``: a size).
    """

    type: str
    value_type: ValueType | None = None
    supers: tuple[str, ...] = ()
    returns: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    fields: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    provenance: str


@attrs.frozen(kw_only=True)
class RoleRow:
    """A lower-case word in names that speaks ``for`` or ``against`` an object being configuration.

    ``on``: the kinds of names it is looked for in; ``head`` is the last word of a class's name, which says what it is; ``reader`` and ``keeper`` that
    of one that reads or keeps what the words before say; ``resolver`` begins the name of a call that resolves references; ``answer`` is in that of
    what asks somebody else, ``posting`` of a method's annotation for a body, ``protocol`` of a network's client.
    ``schema`` ends the name of what describes what the words before say, ``stored`` is an annotation of rows.  ``weak``: what anyone gives.
    """

    word: str
    speaks: Literal["for", "against"]
    weak: bool = False
    on: tuple[
        Literal[
            "variable",
            "field",
            "method",
            "type",
            "head",
            "reader",
            "keeper",
            "resolver",
            "resource",
            "source",
            "answer",
            "posting",
            "protocol",
            "schema",
            "stored",
        ],
        ...,
    ] = ("variable", "field", "method", "type")
    provenance: str


@attrs.frozen(kw_only=True)
class OperationRow:
    """A call that costs time or memory (DiagConfig §2.2, LearnConf §3.1.2), or one a person declares.

    ``arguments``: those whose values count for a direct dependency; None: all of them.
    ``sized``: the argument that says how much; the call counts only with a number, truth value or duration there that is no
    constant.  ``held``: the argument that must hold what I/O has read (LearnConf's container-add).  ``content``: where the array
    stands that an I/O call reads into or returns; it is what ``held`` looks for.  ``pause``: the thread stands still for a while.
    ``unless_types``: types that do the same in memory; calls on them and on their subtypes do not count.  ``declared``: from a
    workspace file, whose rows go before all others and may have kinds of their own.  ``keys``: what the map at ``arguments``
    holds under these counts, beside another row of the same call.  A constructor's row without arguments holds for subtypes' too.
    ``on``: static fields; only calls on what these hold count.  ``result``: the program overrides the method, and what it gives back counts as an
    argument would.  ``compared``: what the method gives is compared with a value, which counts; the body puts something into the object.
    """

    type: str
    method: str
    kind: str
    arguments: tuple[int, ...] | None = None
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    also_types: tuple[str, ...] = ()
    unless_types: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    sized: int | None = None
    held: int | None = None
    content: Place | None = None
    keys: tuple[str, ...] = ()
    pause: bool = False
    result: bool = False
    compared: bool = False
    declared: bool = False
    provenance: str


OPERATION_KINDS: Final = ("memory", "io", "lock", "thread", "compute", "log")  # of packaged rows


@attrs.frozen(kw_only=True)
class AmountRow:
    """Which argument an operation's cost (``threads``) is linear in, its ``unit`` (or the unit constant at ``unit_argument``), and how it ``grows``."""

    type: str
    method: str
    argument: Place
    unit: str = ""
    unit_argument: Place | None = None
    grows: Grows = "more"
    cost: str
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    provenance: str


@attrs.frozen(kw_only=True)
class CallbackRow:
    """A call after which methods of an object given to it run: now, later or in another thread.

    ``argument`` is the object's place, ``RECEIVER`` included; ``runs`` the names of its methods that run, whichever of them
    it has.  A lambda or method reference there runs itself.
    """

    type: str
    method: str
    argument: Place
    runs: tuple[str, ...]
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    provenance: str


Row = (
    ReadRow
    | ContainerRow
    | PrefixRow
    | AnnotationRow
    | DefinitionRow
    | ValidatorRow
    | CheckRow
    | RangeRow
    | SecretRow
    | SecretWordRow
    | DeprecationRow
    | BindingRow
    | ValueRow
    | ClockRow
    | ConversionRow
    | CellRow
    | ConstantRow
    | KeysRow
    | BoundClassRow
    | NodeRow
    | FileRow
    | LibraryRow
    | ImpliedRow
    | ImpliedSettingsRow
    | PlatformRow
    | DomainRow
    | RoleRow
    | OperationRow
    | AmountRow
    | CallbackRow
    | EntryRow
)
"""Every kind of row a file under ``grammars/models`` may hold."""
