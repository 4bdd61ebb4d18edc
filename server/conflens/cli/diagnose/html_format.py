"""A diagnosis as one HTML page that needs nothing else: verdict, options, flame graph, chains, hotspots.

The page can be opened from a file and sent around.  All its text is in the page itself; only the flame graph is
drawn by a script, from columns in a data block (``diagnosis_flame``).  Style and script stand beside this module.

Invariants: a policy in the page allows this script and this style (by their digests) and nothing else, neither
from the page's own text nor from elsewhere; every text from outside is escaped and legible; the page names
no place of the machine.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources

from conflens.base.words import count, shorten
from conflens.cli.diagnose.flame_graph import WHOLE, Graph, graphs
from conflens.cli.report.steps import Steps, role
from conflens.diagnosis.evidence import (
    Row,
    chain_text,
    part_text,
    rows,
    values_of,
    verdict_words,
)
from conflens.diagnosis.report import (
    KIND_WORDS,
    SHORT_WORDS,
    behind,
    changed,
    difference_text,
    differences_lead,
    frame_name,
    growth,
    is_compared,
    legible,
    listed_hotspots,
    ordered_differences,
    percent,
    weight_text,
)
from conflens.diagnosis.results import Cause, Diagnosis, Hotspot, Located, Verdict
from conflens.diagnosis.summary import headline, remarks
from conflens.flow.results import Hold
from conflens.profiling.model import EventKind, Snapshot

TOP = 50
"""Options and hotspots, unless more are asked for."""
_CHAINS = 6
_HOTSPOT_OPTIONS = 5
_FRAMES = 40
_COLOURS = 8
_MAX_TEXT = 1000
_MAX_VALUE = 120
_DIFFERENCES = 100


def html_page(
    diagnosis: Diagnosis,
    steps: Steps,
    baseline: Sequence[Snapshot],
    violation: Sequence[Snapshot],
    top: int | None = None,
) -> bytes:
    """Return the page in UTF-8."""
    page = _Page(diagnosis, steps, top or TOP)
    options = [row.option for row in page.rows]
    drawn = graphs(diagnosis, steps.program, baseline, violation, options)
    lines = [*_head(headline(diagnosis)), *page.body(drawn), *_tail(page, drawn), ""]
    return "\n".join(lines).encode("utf-8", "replace")


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    found = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(found).decode()}'"


def _head(title: str) -> Iterator[str]:
    style, script = _style(), _script()
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)};"
        " base-uri 'none'; form-action 'none'"
    )
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>Diagnosis: {_text(title, 200)}</title>"
    yield f"<style>{style}</style>"
    yield "</head>"
    yield "<body>"


def _style() -> str:
    return _asset("report.css")


def _script() -> str:
    return _asset("report.js")


def _tail(page: _Page, drawn: Sequence[Graph]) -> Iterator[str]:
    yield f'<script type="application/json" id="data">{_data(page, drawn)}</script>'
    yield f"<script>{_script()}</script>"
    yield "</body>"
    yield "</html>"


def _data(page: _Page, drawn: Sequence[Graph]) -> str:
    """Return the columns as JSON that cannot end the block it stands in."""
    found = {
        "whole": WHOLE,
        "scaling": page.diagnosis.scaling.value,
        "options": [shorten(legible(item.option[1]), 80) for item in page.rows],
        "graphs": [
            {
                "label": KIND_WORDS[graph.kind],
                "unit": graph.unit.value,
                "scale": graph.scale,
                "names": graph.names,
                "parent": graph.parent,
                "name": graph.name,
                "width": graph.width,
                "own": graph.own,
                "before": graph.before,
                "labels": graph.labels,
                "ownLabels": graph.own_labels,
            }
            for graph in drawn
        ],
    }
    text = json.dumps(found, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _text(text: str, limit: int = _MAX_TEXT) -> str:
    return escape(shorten(legible(text), limit))


def _code(text: str, limit: int = _MAX_VALUE) -> str:
    return f"<code>{_text(text, limit)}</code>"


class _Page:
    """What the parts of the page share."""

    def __init__(self, diagnosis: Diagnosis, steps: Steps, top: int) -> None:
        self.diagnosis = diagnosis
        self.steps = steps
        self.top = top
        self.compared = is_compared(diagnosis)
        every = rows(diagnosis)
        self.rows = every[:top]
        self.rest = len(every) - len(self.rows)

    def body(self, drawn: Sequence[Graph]) -> Iterator[str]:
        yield from self._header()
        lead = differences_lead(self.diagnosis)
        if lead:
            yield from self._differences()
        yield '<div class="columns">'
        yield from self._options()
        yield from self._flame(drawn)
        yield "</div>"
        yield from self._chains()
        yield from self._hotspots()
        if not lead:
            yield from self._differences()
        lines = list(remarks(self.diagnosis))
        if lines:
            yield '<section><h2>Notes</h2><ul class="notes">'
            yield from (f"<li>{_text(line)}</li>" for line in lines)
            yield "</ul></section>"

    def _header(self) -> Iterator[str]:
        found = self.diagnosis
        yield "<header>"
        yield "<h1>ConfLens diagnosis</h1>"
        yield f'<p class="verdict">{_text(headline(found))}</p>'
        after = ", ".join(_code(name) for name in found.violation)
        if found.baseline:
            before = ", ".join(_code(name) for name in found.baseline)
            yield f'<p class="soft">Baseline: {before}. Slow run: {after}.</p>'
        else:
            of = "Comparison" if self.compared else "Snapshot"
            yield f'<p class="soft">{of}: {after}.</p>'
        yield '<ul class="totals">'
        for total in found.totals:
            now = f"<b>{_text(weight_text(found, total.kind, total.after))}</b>"
            if total.before is not None:
                rise = growth(total) or 0.0
                style = ' class="up"' if rise > 0.05 else ""
                now = (
                    f"{_text(weight_text(found, total.kind, total.before))} → {now}"
                    f" <span{style}>{_text(changed(rise))}</span>"
                )
            yield f"<li>{_text(SHORT_WORDS[total.kind])}: {now}</li>"
        yield "</ul>"
        yield "</header>"

    def _options(self) -> Iterator[str]:
        yield '<section aria-labelledby="options"><h2 id="options">Options</h2>'
        of = "the added cost" if self.compared else "the cost"
        if self.rows:
            yield f'<p class="legend">The share of {of} that ran under each. Click to see where.</p>'
        else:
            yield '<p class="soft">No option was found behind what the profiler saw.</p>'
        yield '<ol class="options">'
        for number, row in enumerate(self.rows):
            yield from self._option(number, row)
        yield "</ol>"
        if self.rest > 0:
            yield f'<p class="soft">And {count(self.rest, "more option")}.</p>'
        yield "</section>"

    def _option(self, number: int, row: Row) -> Iterator[str]:
        suspect = row.suspect
        is_leading = suspect is None or suspect.verdict in (Verdict.LIKELY, Verdict.BEHIND)
        quiet = "" if is_leading else " quiet"
        colour = min(number, _COLOURS - 1)
        share = row.part.share if row.part is not None and is_leading else 0.0
        yield (
            f'<li><button type="button" class="option o{colour}{quiet}" data-option="{number}"'
            ' aria-pressed="false">'
        )
        yield (
            f'<span class="name"><span>{_text(row.option[1], 200)}</span>'
            f"<span>{percent(share) if share else ''}</span></span>"
        )
        yield (
            '<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect width="{100 * share:.1f}" height="4"></rect></svg>'
        )
        verdict = verdict_words(suspect) if suspect is not None and self.compared else ""
        about = [verdict, values_of(row, self.compared)]
        words = " · ".join(_text(part, 200) for part in about if part)
        if words:
            yield f'<span class="about">{words}</span>'
        if row.part is not None and is_leading:
            yield f'<span class="about">{_text(part_text(self.diagnosis, row.part), 200)}</span>'
        if suspect is not None and suspect.causes:
            yield f'<span class="about">{self._place(suspect.causes[0].hold)}</span>'
        yield "</button></li>"

    def _flame(self, drawn: Sequence[Graph]) -> Iterator[str]:
        yield '<section aria-labelledby="flame-title"><h2 id="flame-title">Where it goes</h2>'
        if not drawn:
            yield '<p class="soft">The snapshots hold no call chains.</p></section>'
            return
        yield "<noscript><p>The flame graph needs scripts to be allowed.</p></noscript>"
        yield '<div id="graph" hidden>'
        yield '<div class="tools">'
        for number, graph in enumerate(drawn):
            pressed = "true" if number == 0 else "false"
            yield (
                f'<button type="button" data-kind="{number}" aria-pressed="{pressed}">'
                f"{_text(SHORT_WORDS[graph.kind])}</button>"
            )
        yield '<input id="search" type="search" placeholder="find a method" aria-label="find a method">'
        yield '<span id="found" class="soft" role="status"></span>'
        yield '<button type="button" id="reset">show all</button>'
        yield "</div>"
        yield '<div id="scroller" class="scroller"><div id="spacer">'
        yield (
            '<canvas id="flame" tabindex="0" role="application" aria-describedby="keys"'
            ' aria-label="flame graph"></canvas>'
        )
        yield "</div></div>"
        yield '<p id="detail" class="detail"></p>'
        yield '<p id="spoken" class="hidden" aria-live="polite"></p>'
        yield f'<p id="keys" class="legend">{_text(self._legend(drawn))}</p>'
        yield "</div></section>"

    def _legend(self, drawn: Sequence[Graph]) -> str:
        words = "Callers above, what they call below; the width is what it costs."
        if any(graph.before is not None for graph in drawn):
            words = (
                "Callers above, what they call below; the width is what it costs in the slow run."
                " Red grew since the baseline, blue shrank."
            )
        words += (
            " A coloured edge: runs under the option of that colour, whose name stands at the decision point."
            " Click or Enter zooms in, Escape out, arrow keys move."
        )
        left_out = sum(graph.left_out for graph in drawn)
        return f"{words} {count(left_out, 'small frame')} left out." if left_out else words

    def _chains(self) -> Iterator[str]:
        suspects = (row.suspect for row in self.rows)
        shown = [item for item in suspects if item is not None and item.causes]
        if not shown:
            return
        yield '<section aria-labelledby="chains"><h2 id="chains">Why</h2>'
        for number, suspect in enumerate(shown):
            opened = " open" if number == 0 else ""
            reason = f" {_text(suspect.reason)}" if suspect.reason else ""
            yield f"<details{opened}><summary><h3>{_text(suspect.option[1], 200)}</h3>{reason}</summary>"
            for cause in suspect.causes[:_CHAINS]:
                yield from self._cause(cause)
            rest = len(suspect.causes) - _CHAINS
            if rest > 0:
                yield f'<p class="soft">And {count(rest, "more chain")}.</p>'
            yield "</details>"
        yield "</section>"

    def _cause(self, cause: Cause) -> Iterator[str]:
        cost = _text(chain_text(self.diagnosis, cause))
        effect = f", {_text(cause.effect, 200)}" if cause.effect else ""
        thread = ", handed to another thread" if cause.spawned else ""
        yield (
            f"<p>By {cause.dependency.value}: "
            f"{_code(frame_name(cause.hotspot.method.frame), 200)}, {cost}{effect}{thread}</p>"
        )
        yield "<ol>"
        for step in cause.hold.path.steps:
            spot = self.steps.spot(step.ref, step.instr)
            text = f" {_code(spot.text)}" if spot.text else ""
            where = _text(f"{spot.path}:{spot.line}", 300)
            yield f'<li>{role(step)}{text} <span class="where">{where}</span></li>'
        frames = cause.chain.frames[cause.joint + 1 :]
        half = _FRAMES // 2
        left_out = len(frames) - 2 * half
        for number, located in enumerate(frames):
            if left_out > 0 and half <= number < half + left_out:
                if number == half:
                    yield f'<li class="soft">{count(left_out, "more frame")}</li>'
                continue
            yield f"<li>calls {_code(frame_name(located.frame), 200)}{self._where(located)}</li>"
        yield "</ol>"

    def _hotspots(self) -> Iterator[str]:
        found = listed_hotspots(self.diagnosis)
        if not found:
            return
        heads = ["method", "kind", "share"]
        heads += ["before", "now"] if self.compared else ["cost"]
        yield '<section aria-labelledby="hotspots"><h2 id="hotspots">Hotspots</h2><div class="wide"><table>'
        numbers = "".join(f'<th class="number">{head}</th>' for head in heads[2:])
        yield f"<thead><tr><th>method</th><th>kind</th>{numbers}<th>options</th><th></th></tr></thead>"
        yield "<tbody>"
        for name, hotspot in found[: self.top]:
            yield self._hotspot(name, hotspot)
        yield "</tbody></table></div>"
        rest = len(found) - self.top
        if rest > 0:
            yield f'<p class="soft">And {count(rest, "more hotspot")}.</p>'
        yield "</section>"

    def _hotspot(self, name: str, hotspot: Hotspot) -> str:
        method = hotspot.method
        declared = Located(method.frame, method.ref)
        cells = [
            f'<td class="method">{_code(name, 300)}{self._where(declared)}</td>',
            f"<td>{_text(SHORT_WORDS[hotspot.kind])}</td>",
        ]
        numbers = [percent(hotspot.share)]
        if self.compared:
            before = hotspot.before
            numbers.append(self._amount(before, hotspot.kind) if before else "new")
        numbers.append(self._amount(hotspot.after, hotspot.kind))
        cells += [f'<td class="number">{_text(number)}</td>' for number in numbers]
        names = [name for _, name in behind(self.diagnosis, hotspot)]
        shown = ", ".join(_text(name, 120) for name in names[:_HOTSPOT_OPTIONS])
        more = len(names) - _HOTSPOT_OPTIONS
        cells.append(f"<td>{shown}{f' and {more} more' if more > 0 else ''}</td>")
        sure = hotspot.note or ("" if hotspot.significant else "perhaps by chance")
        cells.append(f'<td class="where">{_text(sure, 200)}</td>')
        return f"<tr>{''.join(cells)}</tr>"

    def _differences(self) -> Iterator[str]:
        found = ordered_differences(self.diagnosis)
        if not found:
            return
        yield '<section aria-labelledby="values"><h2 id="values">Values that differ between the runs</h2>'
        yield '<div class="wide"><table><thead><tr><th>name</th><th>value</th><th>recorded as</th></tr></thead><tbody>'
        for item in found[:_DIFFERENCES]:
            yield (
                f'<tr><td class="method">{_code(item.name, 200)}</td>'
                f'<td class="method">{_text(difference_text(item), 2 * _MAX_VALUE)}</td>'
                f"<td>{_text(item.origin, 80)}</td></tr>"
            )
        yield "</tbody></table></div>"
        rest = len(found) - _DIFFERENCES
        if rest > 0:
            yield f'<p class="soft">And {count(rest, "more value")}.</p>'
        yield "</section>"

    def _amount(self, weight: float, kind: EventKind) -> str:
        return weight_text(self.diagnosis, kind, weight)

    def _place(self, hold: Hold) -> str:
        spot = self.steps.spot(hold.ref, hold.index)
        return _text(f"{spot.path}:{spot.line}", 300)

    def _where(self, located: Located) -> str:
        """Return where a frame stands, or else where its method is declared; empty outside of the project."""
        if located.ref is None:
            return ""
        line = located.line or self.steps.spot(located.ref, -1).line
        return f' <span class="where">{_text(f"{located.ref.path}:{line}", 300)}</span>'
