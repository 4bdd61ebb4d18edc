"""Options of a library whose source is beside the program's: they reach the same work and mostly keep their defaults."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.diagnosis.belonging import foreign_options
from conflens.diagnosis.diagnose import Subject, diagnose
from diagnosis.notation import snapshots
from session.support import session

PROGRAM = {
    "app/Main.java": """
package shop.app;
import net.channels.Channel;
class Main {
  public static void main(String[] args) {
    new Channel(Integer.getInteger("rate", 0)).send();
    Channel.own().send();
  }
}
""",
    "lib/Channel.java": """
package net.channels;
public class Channel {
  private final int limit;
  public Channel(int limit) {
    this.limit = limit;
  }
  public static Channel own() {
    return new Channel(Integer.getInteger("channel.rate", 0));
  }
  public void send() {
    write();
    if (limit > 0) {
      pace();
    }
  }
  void write() {}
  void pace() {}
}
""",
}
ROWS = """
cpu
shop.app.Main.main; net.channels.Channel.send; net.channels.Channel.write     500 -> 500
shop.app.Main.main; net.channels.Channel.send; net.channels.Channel.pace      10 -> 400
"""


@pytest.mark.parametrize(
    ("values", "likely"),
    [(("", ""), ["rate"]), (("-Dchannel.rate=0", "-Dchannel.rate=9"), ["channel.rate"])],
)
def test_an_option_of_a_library_is_named_beside_the_programs_own_only_if_it_differs(
    values: tuple[str, str], likely: list[str]
) -> None:
    found = session(MemorySystem({path: text.encode() for path, text in PROGRAM.items()})).scan()
    subject = Subject(found.program, found.options, found.flows)
    before, after = snapshots(ROWS, "", *values)
    told = [
        one.option[1]
        for one in diagnose(subject, before, after).suspects
        if one.verdict.value == "likely"
    ]
    assert told[:1] == likely
    foreign = foreign_options(found.program, found.options, after)
    assert [name for _, name in foreign] == ["channel.rate"]


def test_without_a_program_that_is_known_nothing_belongs_to_others() -> None:
    found = session(MemorySystem({path: text.encode() for path, text in PROGRAM.items()})).scan()
    _, after = snapshots("cpu\norg.boot.Launcher.main; net.channels.Channel.send    10 -> 20")
    assert foreign_options(found.program, found.options, after) == frozenset()
