"""Edits of classes whose accessors are generated: options and flows are those of an analysis from nothing."""

from __future__ import annotations

import random

import pytest

from conflens.facts.lower import lower
from conflens.operations.find import Operations
from conflens.options.constant_arguments import library_types
from conflens.options.discovery import discover
from conflens.options.incremental.flow_analysis import trace
from conflens.program.implied.complete import Generators
from conflens.program.program import Program
from incremental.tracing import Edited
from session.support import java, models, project, session, table

FILES = {
    "p/Config.java": """package p;
import lombok.*;
import lombok.experimental.*;
@Data
@Builder
public class Config implements Sized {
    private int size = 3;
    private int spare;
    @With private int depth;
    public int twice() {
        return size * 2;
    }
    public int getSpare() {
        return 4;
    }
}
""",
    "p/Sized.java": """package p;
interface Sized {
    int getSize();
}
""",
    "p/Point.java": """package p;
record Point(int x, int y) {
    int sum() {
        return x + y;
    }
}
""",
    "p/Main.java": """package p;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
class Main {
    Config load() throws Exception {
        Config config = new ObjectMapper(new YAMLFactory()).readValue(new java.io.File("app.yaml"), Config.class);
        config.setDepth(Integer.getInteger("p.depth", 4));
        return config;
    }
    Config build() {
        return Config.builder().size(Integer.getInteger("p.size", 4)).spare(2).build();
    }
    Point point() {
        return new Point(Integer.getInteger("p.x", 4), 3);
    }
}
""",
    "p/Pool.java": """package p;
class Pool {
    byte[] a(Config config) {
        return new byte[config.getSize()];
    }
    byte[] b(Sized sized) {
        return new byte[sized.getSize()];
    }
    byte[] c(Config config) {
        return new byte[config.withDepth(3).getDepth() + config.getSpare()];
    }
    byte[] d(Point point) {
        return new byte[point.x()];
    }
}
""",
}

CHANGES = (
    ("@Data", "@Getter"),
    ("@Data", "@Value"),
    ("@Builder", "@SuperBuilder"),
    ("@Builder", "@Accessors(fluent = true)"),
    ("@With private", "private"),
    ("int size", "long size"),
    ("int spare;", "int spare; private int more;"),
    ("int depth", "final int depth"),
    ("depth", "deep"),
    ("public int getSpare()", "public int getDepth()"),
    ("import lombok.*;", "import my.own.*;"),
    ("int x, int y", "int x, int y, int z"),
    ("int sum()", "public int x()"),
    ("getSize", "getSpare"),
    ("return size * 2;", "size = 4; return size * 2;"),
    (" implements Sized", ""),
)


class Generated(Edited):
    """A program that is compared with one that is lowered anew."""

    def __init__(self) -> None:
        """Trace the program from nothing."""
        super().__init__(FILES)
        self.program = self._lowered()
        self.discovery = discover(self.program, models())
        self.traced = trace(self.discovery, models(), Operations)

    def _lowered(self) -> Program:
        facts = {path: lower(text) for path, text in self.texts.items()}
        generators = Generators(models().implied)
        return Program.build(facts, table(), library_types(models()), generators)

    def check(self, told: str) -> None:
        """Compare options and flows with those of a program from nothing."""
        fresh = discover(self._lowered(), models())
        assert self.program.files == fresh.program.files, told
        assert self.discovery.table == fresh.table, told
        assert self.flows == trace(fresh, models(), Operations).table, told


def test_the_program_uses_what_is_generated() -> None:
    program = Generated()
    reached = {key[1]: len(reach.flows) for key, reach in program.flows.options.items()}
    assert reached["p.size"] == 2
    assert reached["p.depth"] == 1
    assert reached["p.x"] == 1
    names = {option.name: len(option.reads) for option in program.discovery.table.options}
    assert names["size"] == 3


@pytest.mark.seeds(6)
def test_any_edits_of_generated_classes(seed: int) -> None:
    dice = random.Random(seed)
    program = Generated()
    done = 0
    while done < 20:
        path = dice.choice(sorted(FILES))
        if dice.random() < 0.5:
            old, new = dice.choice(CHANGES)
            if dice.random() < 0.5:
                old, new = new, old
            text = program.texts[path].decode()
            edit = (path, text.replace(old, new, 1).encode()) if old and old in text else None
        else:
            make = program.any_signature if dice.random() < 0.5 else program.any_body
            edit = make(dice, [path])
        if edit is not None:
            program.edit(*edit)
            done += 1
            program.check(f"edit {done} of {edit[0]} (seed {seed})")
        if dice.random() < 0.15:
            program.edit(path, FILES[path])


def test_an_edit_in_a_body_keeps_what_is_generated() -> None:
    program = Generated()
    memo = program.program.memo
    program.replace("p/Config.java", "return size * 2;", "int more = 5; return size * 2;")
    assert program.program.memo is memo
    program.check("body")


CONFIG_PATH = "src/p/Config.java"
CONFIG = "package p;\nimport lombok.Data;\n@Data class Config { private int mySize; }\n"
USER = java("User", body="byte[] m(Config c) { c.size(value); return new byte[c.size()]; }")


def test_settings_of_generated_names_are_followed() -> None:
    system = project("A")
    system.write(CONFIG_PATH, CONFIG)
    system.write("src/p/User.java", USER)
    one = session(system)
    key = ("system-property", "p.User")

    def flows() -> int:
        """How many flows lead through the field."""
        paths = [path for flow in one.rebuild().flows.of_option(key).flows for path in flow.paths]
        return len(
            [path for path in paths if any(step.ref.path == CONFIG_PATH for step in path.steps)]
        )

    one.scan()
    assert flows() == 0
    for text, count in (
        ("lombok.accessors.fluent = true\nlombok.accessors.prefix += my\n", 1),
        ("# lombok.accessors.fluent = true\n", 0),
        ("lombok.accessors.fluent=true\nlombok.accessors.prefix+=my # mine\n", 1),
        ("lombok.accessors.fluent = true\nclear lombok.accessors.prefix\n", 0),
    ):
        system.write("src/lombok.config", text)
        one.files_changed(["src/lombok.config"])
        assert flows() == count, text
    system.write("src/lombok.config", "lombok.accessors.fluent=true\nlombok.accessors.prefix=my\n")
    one.files_changed(["src/lombok.config"])
    assert flows() == 1
    system.write("src/p/lombok.config", "config.stopBubbling = true\n")
    assert one.poll_changes()
    assert flows() == 0
    system.remove("src/p/lombok.config")
    one.files_changed(["src/p/lombok.config"])
    assert flows() == 1
