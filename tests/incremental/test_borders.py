"""What is typed where one arm, test or case ends and the next begins belongs to one of them, as in a new scan."""

from __future__ import annotations

import pytest

from conflens.facts import ir
from conflens.options.incremental.borders import borders
from session.support import living_and_fresh

FRAME = """class A {{
    void run(java.io.PrintStream out, int[] many) {{
        boolean on = Boolean.getBoolean("a.on");
        int n = Integer.getInteger("a.n", 3);
        {body}
        out.println("end");
    }}
}}
"""
BODIES = {
    "if": 'if (on) {@ out.println("1");@ } else {@ out.println("2");@ }@',
    "if without else": 'if (on) {@ out.println("1");@ }@ if (on) {@ if (n > 1) {@ out.println("2");@ }@ }@',
    "else if": 'if (on) {@ out.println("1");@ } else if (n > 2) {@ out.println("2");@ } else {@ out.println("3");@ }@',
    "loops": 'for (int i = 0; i < n; i++) {@ out.println("1");@ }@ while (on) {@ out.println("2");@ }@ do {@ out.println("3");@ } while (on);@',
    "loop in loop": "while (on) {@ for (int i : many) {@ out.println(n);@ }@ }@",
    "try": 'if (on) {@ try {@ out.println("1");@ } catch (RuntimeException e) {@ out.println("2");@ } finally {@ out.println("3");@ }@ }@',
    "switch": 'switch (n) { case 1:@ out.println("1");@ break; case 2:@ out.println("2");@ default:@ out.println("3");@ }@',
    "break": 'for (int i : many) {@ if (i > n) {@ out.println("1");@ break; }@ out.println("2");@ if (on) {@ continue; } else {@ out.println("3");@ break; }@ }@',
    "return": 'for (int i : many) {@ out.println("1");@ if (i > n) {@ return; }@ if (on) {@ out.println("2");@ return; }@ }@ if (on) {@ return; }@ for (int i : many) {@ out.println("3");@ }@',
    "throw": 'while (on) {@ if (n > 1) {@ throw new RuntimeException(); }@ out.println("2");@ }@ if (on) { out.println("3"); } else {@ return; }@ while (n > 1) {@ out.println("4");@ }@',
    "locked": "if (on) {@ synchronized (out) {@ out.println(n);@ }@ }@",
}
TYPED = (' String k = "x";', " int k = n;", " int k = 1 + 2; ")


@pytest.mark.parametrize("body", BODIES)
def test_what_is_typed_at_a_border_is_where_a_new_scan_finds_it(body: str) -> None:
    pieces = BODIES[body].split("@")
    texts = ["".join(pieces)]
    for at in range(1, len(pieces)):
        texts += ("".join(pieces[:at]) + typed + "".join(pieces[at:]) for typed in (*TYPED, ""))
    steps = [{"A.java": FRAME.format(body=text)} for text in texts]
    for text, (now, fresh) in zip(texts[1:], living_and_fresh(steps), strict=True):
        assert now.flows.options == fresh.flows.options, text
        assert now.flows.reads == fresh.flows.reads, text


def test_a_border_of_two_ranges_that_has_become_two_is_not_known() -> None:
    def loop(start: int) -> ir.Instr:
        return ir.ForEach(0, 0, 0, 0, start, 9)

    assert borders([(loop(4), loop(4))], 4, 4) == ({4: 4}, {})
    assert borders([(loop(4), loop(4)), (loop(4), loop(6))], 4, 4) is None
    assert borders([(loop(4), loop(4)), (loop(4), loop(6))], 5, 5) == ({}, {})
