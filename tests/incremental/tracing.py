"""What the tests of flows after edits share: a program that is edited and traced again, and random edits."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from conflens.facts.lower import lower
from conflens.flow.results import FlowTable
from conflens.operations.find import Operations
from conflens.options.constant_arguments import library_types
from conflens.options.discovery import discover
from conflens.options.incremental.flow_analysis import Traced, trace
from conflens.options.model import OptionTable
from conflens.program.program import Program
from session.support import models, table

N, Q, BOUND = ("system-property", "r.n"), ("system-property", "q.n"), ("system-property", "w.n")

FILES = {
    "p/R.java": """package p;
class R {
    int size = Integer.getInteger("r.n", 4);
    void run(S s) {
        s.take(size);
    }
    void other() {
        int a = 1;
    }
}
""",
    "p/S.java": """package p;
class S {
    int held;
    void take(int n) {
        this.held = n;
        T.work(n);
    }
}
""",
    "p/T.java": """package p;
class T {
    static void work(int n) {
        if (n > 3) {
            U.first();
        }
    }
}
""",
    "p/U.java": """package p;
class U {
    static void first() {
        second();
    }
    static void second() {
        Thread.yield();
    }
    static void idle() {
        int b = 2;
    }
}
""",
    "p/V.java": """package p;
class V {
    void m(S s) {
        int c = 3;
    }
}
""",
    "p/Q.java": """package p;
class Q {
    int length = Integer.getInteger("q.n", 1);
    void fill() {
        byte[] all = new byte[length];
    }
}
""",
    "p/W.java": """package p;
class W {
    int most = Integer.getInteger("w.n", 1);
    int count;
    void admit() {
        if (count < most) {
            one();
        }
    }
    void one() {
        two();
    }
    void two() {
        Thread.yield();
    }
    void halve() {
        count = count / 2;
    }
}
""",
}

SIGNED = {
    "p/A.java": """package p;
class A {
    static final String KEY = "a.size";
    final int size = Integer.getInteger(KEY, 4);
    long most = Long.getLong("a.most", 5);
    B made = new B(size);
    int size() {
        return size;
    }
    B made() {
        return made;
    }
    void start() {
        var b = made();
        b.work(size());
        b.rest();
        C c = new C();
        c.work(3);
    }
}
""",
    "p/B.java": """package p;
class B {
    protected int limit;
    B() {
    }
    B(int limit) {
        this.limit = limit;
    }
    int limit() {
        return limit;
    }
    void work(int n) {
        for (int i = 0; i < n; i++) {
            step(i);
        }
    }
    void work(String text) {
        Thread.yield();
    }
    void step(int i) {
        Thread.yield();
    }
    void rest() {
        if (limit() > 3) {
            wake(limit);
        }
    }
    void wake(long n) {
        synchronized (this) {
        }
    }
}
""",
    "p/C.java": """package p;
class C extends B implements Runnable {
    int depth = 2;
    void step(int i) {
        byte[] all = new byte[limit];
    }
    void wake(long n) {
        super.wake(n);
        run();
    }
    public void run() {
        Thread t = new Thread(new C());
        t.start();
        byte[] all = new byte[limit() + depth];
    }
}
""",
    "p/D.java": """package p;
interface D {
    int count();
    default void each() {
        Thread.yield();
    }
}
""",
    "p/E.java": """package p;
class E implements D {
    A a;
    public int count() {
        return a.size();
    }
    void all() {
        D d = this;
        if (d.count() > 2) {
            d.each();
        }
        Runnable later = new Runnable() {
            public void run() {
                int[] some = new int[a.made().limit()];
            }
        };
        later.run();
    }
}
""",
}
"""Overloads, overriding, getters, inferred types and classes in code, all on ways from options."""

TYPES = ("int", "long", "String", "Object", "B", "C", "void")
MODIFIERS = ("static ", "private ", "synchronized ", "final ")

STATEMENTS = (
    "int extra = 5;",
    "int extra = 5; extra = extra + 1;",
    "// a remark",
    "synchronized (this) { }",
    "if (true) { return; }",
    "Thread.yield();",
    'System.getProperty("bench.extra");',
    'String extra = "a" + 1;',
    "Object extra = new java.util.ArrayList<String>(7);",
    "this.toString();",
    "for (int i = 0; i < 3; i++) { Thread.yield(); }",
    "try { Thread.sleep(5); } catch (InterruptedException e) { }",
)
_BEFORE_NAME = re.compile(rb"[\w<>\[\].?]+(\[\])*\s+$")
_NUMBER = re.compile(rb"\b\d\b")
_STOP = re.compile(rb"[;{}]\s*\n")


class Edited:
    """A program, edited file by file and traced again after each edit."""

    def __init__(self, files: Mapping[str, str]) -> None:
        """Trace a program from nothing."""
        self.texts = {path: text.encode() for path, text in files.items()}
        facts = {path: lower(text) for path, text in self.texts.items()}
        self.program = Program.build(facts, table(), library_types(models()))
        self.discovery = discover(self.program, models())
        self.traced = trace(self.discovery, models(), Operations)

    @property
    def flows(self) -> FlowTable:
        return self.traced.table

    def edit(self, path: str, text: str | bytes) -> Traced:
        """Replace a file and return what was traced again."""
        data = text.encode() if isinstance(text, str) else text
        self.texts[path] = data
        changed = frozenset({path})
        self.program = self.program.with_files({path: lower(data)})
        self.discovery = discover(self.program, models(), self.discovery, changed)
        self.traced = trace(self.discovery, models(), Operations, self.traced, changed)
        return self.traced

    def replace(self, path: str, old: str, new: str) -> Traced:
        """Replace a piece of a file that stands there once."""
        text = self.texts[path].decode()
        assert text.count(old) == 1, old
        return self.edit(path, text.replace(old, new))

    def fresh(self) -> FlowTable:
        """What a trace from nothing gives for the same files."""
        program = Program.build(dict(self.program.files), table(), library_types(models()))
        return trace(discover(program, models()), models(), Operations).table

    def fresh_options(self) -> OptionTable:
        """What a discovery from nothing gives for the same files."""
        program = Program.build(dict(self.program.files), table(), library_types(models()))
        return discover(program, models()).table

    def any_body(self, dice: random.Random, paths: list[str]) -> tuple[str, bytes] | None:
        """A file with a random change inside a body; ``None`` if the dice hit nothing."""
        path = dice.choice(paths)
        members = [
            member
            for member in self.program.files[path].members
            if member.kind in ("method", "constructor")
        ]
        if not members:
            return None
        member = dice.choice(members)
        text = self.texts[path]
        body = text[member.at : member.end]
        stops = [found.end() for found in _STOP.finditer(body) if b"{" in body[: found.end()]]
        kind = dice.random()
        if kind < 0.2:
            digits = list(_NUMBER.finditer(body, body.find(b"{")))
            if not digits:
                return None
            at = member.at + dice.choice(digits).start()
            return path, text[:at] + b"%d" % dice.randrange(10) + text[at + 1 :]
        if len(stops) < 2:
            return None
        number = dice.randrange(len(stops) - 1)
        at = member.at + stops[number]
        if kind < 0.4:
            end = member.at + stops[number + 1]
            return path, text[:at] + text[end:]
        line = b"        " + dice.choice(STATEMENTS).encode() + b"\n"
        return path, text[:at] + line + text[at:]

    def any_signature(self, dice: random.Random, paths: list[str]) -> tuple[str, bytes] | None:
        """A file in which a member is declared otherwise; ``None`` if the dice hit nothing."""
        path = dice.choice(paths)
        members = [
            member
            for member in self.program.files[path].members
            if member.kind in ("method", "constructor", "field") and member.name != "run"
        ]
        if not members:
            return None
        member = dice.choice(members)
        text = self.texts[path]
        at = member.name_at
        type_ = _BEFORE_NAME.search(text, member.at, at)
        kind = dice.random()
        if kind < 0.5 and member.kind != "field":
            opened = text.find(b"(", at) + 1
            closed = text.find(b")", opened)
            params = text[opened:closed]
            if not params.strip():
                new = b"int more"
            elif kind < 0.2:
                new = b"int more, " + params
            elif kind < 0.3:
                new = params + b", int last"
            elif kind < 0.4 and b"<" not in params and b"(" not in params:
                new = params.rpartition(b",")[0]
            else:
                new = params.replace(b"int ", b"String ").replace(b"long ", b"int ")
            return path, text[:opened] + new + text[closed:]
        if type_ is None or member.kind == "constructor":
            return None
        if kind < 0.8:
            new = dice.choice(TYPES).encode() + b" "
            return path, text[: type_.start()] + new + text[at:]
        if kind < 0.9:
            new = dice.choice(MODIFIERS).encode()
            return path, text[: type_.start()] + new + text[type_.start() :]
        end = at + len(member.name.encode())
        name = dice.choice(members).name if dice.random() < 0.5 else member.name + "1"
        return path, text[:at] + name.encode() + text[end:]
