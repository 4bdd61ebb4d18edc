"""Verdicts in words: the impact of an option on performance, and why.

Hover, lens and hint name the effect of an option of high impact in the same words (``effect_of``).  A sentence has at most
``MAX_REASONS`` reasons: those for the verdict, and where these are few one against it, after a "but".  A person's verdict
has its line instead, and whether the model disagrees.
Invariant: as long as no model has looked (``SensitivityTable.ready``) nothing is said at all.
Absent: the verdict alone (``sensitivity.phrases``), what an operation or a flow is called (``flow_phrases``).
"""

from __future__ import annotations

import re

import attrs

from conflens.base.span import Place
from conflens.base.words import joined
from conflens.flow.instructions import spot_of
from conflens.options.model import Option
from conflens.render.links import link_to
from conflens.render.phrases import Wording, plain
from conflens.sensitivity.phrases import Impact, effect_reason, headline, impact_of
from conflens.sensitivity.results import Label, Reason, Source, Verdict
from conflens.session.analysis import Analysis
from conflens.session.inputs.inputs import WORKSPACE_FILE

MAX_REASONS = 2
DEFAULT_NOTE = "set in the editor"
"""The reason of a verdict that a person gave with one click; it is not worth repeating."""
_MAX_REASON = 120
_MAX_NOTE = 160
_MAX_SENTENCE = 160
"""Two lines of a hover."""
_CONTROLS = "controls "
_LINK = re.compile(r"\]\([^)]*\)|[\[\\]")
"""What of Markdown is not seen."""


@attrs.frozen
class Because:
    """A reason as it is shown: ``text`` completes "it …", ``place`` is where it can be seen."""

    text: str
    toward: bool
    place: Place | None


def verdict_of(analysis: Analysis, option: Option) -> Verdict | None:
    """Return the verdict on an option; ``None`` as long as there is nothing to say."""
    return analysis.sensitivity.verdict(option.key)


def is_sensitive(analysis: Analysis, option: Option) -> bool:
    """Tell whether the verdict on an option is ``sensitive``."""
    return analysis.sensitivity.is_sensitive(option.key)


def effect_of(analysis: Analysis, option: Option) -> str:
    """Return what an option of high impact does, ``sizes a thread pool``; empty for any other option.

    A person's verdict without an effect in the code gives ``affects performance``.
    """
    verdict = verdict_of(analysis, option)
    if verdict is None or impact_of(verdict) is not Impact.HIGH:
        return ""
    reason = effect_reason(verdict)
    return Impact.HIGH.value if reason is None else plain(reason.text, _MAX_REASON)


def sentence(analysis: Analysis, verdict: Verdict | None, wording: Wording) -> str:
    """Return the verdict and its reasons as Markdown, one short paragraph; empty for nothing."""
    if verdict is None:
        return ""
    head = _capital(headline(verdict))
    if verdict.source is Source.PERSON:
        return _of_person(verdict, head, wording)
    because = reasons(analysis, verdict)
    if verdict.label is Label.UNKNOWN:
        first = _linked(analysis, because[0], wording) if because else ""
        return f"{head}: it {first}." if first else f"{head}."
    pro, contra = sides(verdict, because)
    pro = pro[:MAX_REASONS]
    contra = contra[: min(1, MAX_REASONS - len(pro))]
    text = _with_reasons(analysis, head, pro, contra, wording)
    if len(pro) + len(contra) > 1 and len(_LINK.sub("", text)) > _MAX_SENTENCE:
        return _with_reasons(analysis, head, pro[:1], (), wording)
    return text


def explanation(
    analysis: Analysis, verdict: Verdict | None, wording: Wording, head: str = ""
) -> str:
    """Return the verdict with all its reasons as a Markdown list; empty for nothing.

    ``head`` stands for the verdict where it has been shown and only its reasons are wanted.
    """
    if verdict is None or verdict.source is Source.PERSON:
        return sentence(analysis, verdict, wording)
    pro, contra = sides(verdict, reasons(analysis, verdict))
    items = [f"- it {_linked(analysis, item, wording)}" for item in pro]
    items += [f"- but it {_linked(analysis, item, wording)}" for item in contra]
    first = _capital(headline(verdict))
    return "\n".join([f"{head or first}:", *items]) if items else f"{first}."


def reasons(analysis: Analysis, verdict: Verdict) -> tuple[Because, ...]:
    """Return the reasons of a verdict, strongest first."""
    return tuple(
        Because(reason.text, reason.toward, _place(analysis, reason)) for reason in verdict.reasons
    )


def sides(
    verdict: Verdict, because: tuple[Because, ...]
) -> tuple[tuple[Because, ...], tuple[Because, ...]]:
    """Return the reasons that speak for the verdict and those against it."""
    if verdict.label is Label.UNKNOWN:
        return because, ()
    wanted = verdict.label is Label.SENSITIVE
    pro = tuple(item for item in because if item.toward is wanted)
    return pro, tuple(item for item in because if item.toward is not wanted)


def main_reason(analysis: Analysis, verdict: Verdict, wording: Wording) -> str:
    """Return the strongest reason for a verdict as Markdown; of a person's verdict, the note."""
    if verdict.source is Source.PERSON:
        note, place = _note(verdict), _verdict_line(verdict, wording)
        return f"{note} ({place})" if note and place else note or place
    pro, _ = sides(verdict, reasons(analysis, verdict))
    return _linked(analysis, pro[0], wording) if pro else ""


def _with_reasons(
    analysis: Analysis,
    head: str,
    pro: tuple[Because, ...],
    contra: tuple[Because, ...],
    wording: Wording,
) -> str:
    supporting = _clauses(analysis, pro, wording)
    other = _linked(analysis, contra[0], wording) if contra else ""
    if supporting and other and not contra[0].toward:
        return f"{head}: it {supporting}, but {other}."
    if supporting and other:
        return f"{head}: it {supporting}. However, it {other}."
    if supporting:
        return f"{head}: it {supporting}."
    return f"{head}, although it {other}." if other else f"{head}."


def _clauses(analysis: Analysis, items: tuple[Because, ...], wording: Wording) -> str:
    """Return what completes "it …": a reason with a comma last, and "controls" only once."""
    ordered = sorted(items, key=lambda item: "," in item.text)
    texts = [_linked(analysis, item, wording) for item in ordered]
    if len(texts) > 1 and all(text.startswith(_CONTROLS) for text in texts):
        texts = [texts[0], *(text.removeprefix(_CONTROLS) for text in texts[1:])]
    return joined(texts) if texts else ""


def _of_person(verdict: Verdict, head: str, wording: Wording) -> str:
    place = _verdict_line(verdict, wording)
    note = _note(verdict)
    text = head + (f" in {place}" if place else "") + (f": {note}" if note else "")
    if verdict.model in (None, Label.UNKNOWN, verdict.label):
        return f"{text}."
    other = "it does" if verdict.model is Label.SENSITIVE else "it does not"
    return f"{text}. The model predicts that {other}."


def _verdict_line(verdict: Verdict, wording: Wording) -> str:
    return wording.place(WORKSPACE_FILE, verdict.line) if verdict.line > 0 else ""


def _note(verdict: Verdict) -> str:
    if not verdict.note.strip() or verdict.note == DEFAULT_NOTE:
        return ""
    return f'"{plain(verdict.note, _MAX_NOTE)}"'


def _linked(analysis: Analysis, item: Because, wording: Wording) -> str:
    text = plain(item.text, _MAX_REASON)
    if item.place is None:
        return text
    return f"{text} ({link_to(analysis, item.place, wording)})"


def _place(analysis: Analysis, reason: Reason) -> Place | None:
    return None if reason.ref is None else spot_of(analysis, reason.ref, reason.index)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
