"""What stands beside the names of options: the constant that holds a name, comments, and what says that an option is deprecated.

Absent: documents, what comments state of values (``documents``).
"""

from __future__ import annotations

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.javadoc import javadoc_description
from conflens.models.load import Models
from conflens.options.declared import deprecation
from conflens.options.model import Declaration
from conflens.options.sites import Finding, Found, Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.values import Values


class Comments:
    """See the module text; for one program."""

    def __init__(self, program: Program, models: Models, values: Values) -> None:
        self.program = program
        self.values = values
        self._superseding = deprecation.apis(models)
        self._marked: dict[MemberRef, bool] = {}

    def constant(self, name: str, site: Site) -> tuple[Declaration | None, str]:
        """Return the constant that holds a site's name, and what comments say of the option.

        The comment of a field that is initialised by the read tells more than the constant's.
        """
        declared: Declaration | None = None
        text = ""
        if site.name_value != NONE:
            ref = self._named_by(site)
            if ref is not None:
                declared = self._declaration(ref)
                text = self._doc(ref)
        if self.program.member(site.ref).kind == "field":
            text = self._doc(site.ref) or text
        return declared, text

    def _named_by(self, site: Site) -> MemberRef | None:
        """Return the constant that is the name, or that is asked for it without more."""
        context = Context.of(self.program, site.ref)
        ref = context.field_of(site.name_value)
        instr = context.code[site.name_value]
        if isinstance(instr, (ir.Call, ir.Field)) and instr.object != NONE:
            if isinstance(instr, ir.Call) and instr.args:
                return None
            holder = context.field_of(instr.object)
            if holder is not None and self.program.is_static(holder):
                ref = holder
        if ref is None or not self.program.is_constant(ref):
            return None
        info = self.program.type(ref.owner)
        if info is not None and info.decl.kind == "enum" and not self.program.is_static(ref):
            return None  # each constant has a name of its own
        return ref

    def _declaration(self, ref: MemberRef) -> Declaration:
        member = self.program.member(ref)
        info = self.program.type(ref.owner)
        owner = info.decl.name if info is not None else ""
        return Declaration(
            Place(ref.path, member.name_at, member.name_end),
            Place(ref.path, member.at, member.end),
            "constant",
            f"{owner}.{member.name}",
        )

    def _doc(self, ref: MemberRef) -> str:
        """Return what the documentation comment of a member says."""
        raw = self.program.files[ref.path].docs.get(ref.number)
        return javadoc_description(raw) if raw is not None else ""

    def deprecated(self, name: str, named: list[Finding]) -> str:
        """Return what there is to say against an option, empty unless it is deprecated."""
        said: dict[object, str] = {}
        superseded = ""
        for item in named:
            if item.site is not None:
                ref = self._named_by(item.site) if item.site.name_value != NONE else None
                if ref is not None and ref not in said:
                    said[ref] = deprecation.of_member(self.program, self.values, ref, name)
            elif item.found is not None:
                found = item.found
                text = found.hint.deprecated
                if found.member is None and found.api in self._superseding:
                    superseded = superseded or text
                    continue
                if not text and found.member is not None and self._may_be(found.member):
                    text = deprecation.of_member(self.program, self.values, found.member, name)
                said[found.path, found.at] = text
        return deprecation.combined(said, superseded)

    def _may_be(self, ref: MemberRef) -> bool:
        """Tell whether a member may be deprecated; looked up once for all options that it stands for."""
        if ref not in self._marked:
            self._marked[ref] = deprecation.may_be(self.program, ref)
        return self._marked[ref]

    def description(self, found: Found) -> str:
        return self._doc(found.member) if found.member is not None else ""
