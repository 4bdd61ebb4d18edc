"""A small program with operations and verdicts, for what editors show of them."""

from __future__ import annotations

from conflens.render.phrases import Wording

WORDING = Wording(labels={"system-property": "system property"})
KEY = "system-property", "net.buffer"
SERVER = """
class Server {
    void start() {
        int n = Integer.getInteger("net.buffer", 5);
        byte[] b = new byte[n]; // <- net.buffer direct memory // + net.buffer sizes a buffer
        for (int i = 0; i < n; i++) {
            out.flush(); // <- net.buffer loop io // + net.buffer controls how often I/O runs
        }
    }
}
"""
READ = 'class B { void b() { int n = Integer.getInteger("net.buffer", 5); } }\n'


def verdict(words: str, *reasons: str, name: str = "net.buffer") -> str:
    """A file that gives the classifier's verdict on an option."""
    lines = [f"// ? {name} {words}", *(f"// {reason}" for reason in reasons)]
    return "\n".join(lines) + "\nclass Judge { }\n"
