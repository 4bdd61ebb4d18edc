"""The end of a way is the same whether all of it is written out or not."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from conflens.flow.results import Step, StepRole
from conflens.flow.trails import Chain, since
from session.support import session

JAVA = """package p;
import java.io.*;
class A {
    static int size = Integer.getInteger("toy.size") + Integer.getInteger("toy.more");
    static boolean on = Boolean.getBoolean("toy.on");
    int kept;
    void f(OutputStream out) throws Exception {
        if (on) { kept = 3; }
        for (int i = 0; i < size; i++) { write(out, kept); }
        byte[] buffer = new byte[size * 2];
        if (kept > 2) { out.write(buffer); Thread.sleep(kept); }
        while (on) { Thread.sleep(size); out.flush(); }
    }
    void write(OutputStream out, int n) throws Exception { if (n > 1) { out.write(n); } }
}
"""


def test_the_steps_since_the_last_guard() -> None:
    looked = guarded = 0
    for role in (StepRole.GUARD, StepRole.COMPUTE, StepRole.READ):
        analysis = session(MemorySystem({"A.java": JAVA})).scan()
        for option in analysis.options.options:
            for flow in analysis.flows.of_option(option.key).flows:
                for path in flow.paths:
                    assert isinstance(path.steps, Chain)
                    found = list(since(path.steps, role))
                    whole: list[Step] = list(path.steps)
                    at = [index for index, step in enumerate(whole) if step.role is role]
                    assert found == whole[at[-1] if at else len(whole) - 1 :]
                    assert list(since(path.steps, role)) == found  # written out meanwhile
                    looked += 1
                    guarded += bool(at)
    assert 0 < guarded < looked
