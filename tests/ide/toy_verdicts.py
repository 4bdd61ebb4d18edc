"""Verdicts for the toy project, written as comments.

``// ? a.b sensitive 0.87`` anywhere is the classifier's verdict on ``a.b``.  ``// + a.b sizes a buffer``
is a reason for ``sensitive`` that the code on its line shows, ``// - a.b …`` one against it; ``+!`` and
``-!`` are reasons without a place.  A sensitive option has strong evidence where its probability is 0.65 or more and code
shows a reason.  Without any verdict in a comment no model has looked.  What the
workspace file says of an option goes before all that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from conflens.facts import ir
from conflens.flow.results import OptionKey
from conflens.models.workspace import parse_workspace
from conflens.options.model import Option
from conflens.program.program import Program
from conflens.sensitivity.results import (
    Evidence,
    Label,
    Reason,
    SensitivityTable,
    Source,
    Verdict,
)
from ide.toy_flows import on_line

_VERDICT = re.compile(rb"// \? (\S+) (\w+)(?: ([\d.]+))?")
_REASON = re.compile(rb"// ([+-])(!?) (\S+) ([^\n]*?)\s*(?=//|\n|$)")
_HIGH = 0.65
_CODE = (ir.Call, ir.New, ir.NewArray, ir.Sync, ir.If, ir.Loop)


def verdicts_of(
    program: Program, options: tuple[Option, ...], texts: Mapping[str, bytes]
) -> SensitivityTable:
    """Return what the comments and the workspace file in ``texts`` say."""
    said: dict[str, Verdict] = {}
    for path in program.files:
        for match in _VERDICT.finditer(texts[path]):
            probability = float(match[3]) if match[3] else None
            label = Label(match[2].decode())
            evidence = Evidence.LIKELY if label is Label.SENSITIVE else Evidence.NONE
            said[match[1].decode()] = Verdict(label, probability, evidence=evidence)
    if not said:
        return SensitivityTable()
    for path in program.files:
        for match in _REASON.finditer(texts[path]):
            name = match[3].decode()
            text = match[4].decode()
            reason = Reason(text, match[1] == b"+")
            if not match[2]:
                start = texts[path].rfind(b"\n", 0, match.start()) + 1
                ref, index = on_line(program, path, start, match.start(), _CODE)
                reason = attrs.evolve(reason, ref=ref, index=index)
            before = said[name]
            shown = reason.toward and reason.ref is not None and (before.probability or 0) >= _HIGH
            is_strong = shown and before.label is Label.SENSITIVE
            said[name] = attrs.evolve(
                before,
                reasons=(*before.reasons, reason),
                evidence=Evidence.STRONG if is_strong else before.evidence,
            )
    workspace, _ = parse_workspace("", texts.get(".conflens.toml", b"").decode("utf-8-sig"))
    for person in workspace.verdicts:
        label = Label.SENSITIVE if person.sensitive else Label.INSENSITIVE
        before = said.get(person.option)
        said[person.option] = Verdict(
            label,
            1.0 if person.sensitive else 0.0,
            before.reasons if before else (),
            Evidence.MEASURED,
            Source.PERSON,
            person.reason,
            person.line,
            before.label if before else None,
        )
    found: dict[OptionKey, Verdict] = {
        option.key: said[option.name] for option in options if option.name in said
    }
    return SensitivityTable(found, True)
