"""Accessors of a library's bound class follow the sections of config files, and only these."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from conflens.checking.check import every
from conflens.session.analysis import Analysis
from conflens.session.session import Session
from session.support import session

JAVA = """
import org.acme.AcmeProperties;
class App {
    static final int SIZE = 3;
    int size(AcmeProperties acme) { return acme.getCache().getSize() + SIZE; }
    String name(AcmeProperties acme) { return acme.getName().trim(); }
}
"""
PATH = "src/main/resources/application.yml"


def opened(text: str, java: str = JAVA) -> Session:
    return session(MemorySystem({"src/main/java/App.java": java.encode(), PATH: text.encode()}))


def names(analysis: Analysis) -> list[str]:
    return [option.name for option in analysis.options.options]


def test_a_section_that_is_added_makes_options() -> None:
    made = opened("acme:\n  name: a\n")
    assert names(made.scan()) == ["acme.name"]
    made.change(PATH, "acme:\n  name: a\n  cache:\n    size: 3\n", 1)
    after = names(made.rebuild())
    assert after == ["acme.cache.size", "acme.name"]
    made.change(PATH, "other: 1\n", 2)
    assert names(made.rebuild()) == []


def test_a_key_in_a_known_section_redoes_nothing() -> None:
    made = opened("acme:\n  name: a\n  cache:\n    size: 3\n")
    before = made.scan()
    made.change(PATH, "acme:\n  name: b\n  colour: c\n  cache:\n    size: 4\n", 1)
    after = made.rebuild()
    assert after.options is before.options and after.program is before.program


def test_an_edit_of_code_gives_what_a_fresh_scan_gives() -> None:
    text = "acme:\n  name: a\n  cache:\n    size: 3\n"
    made = opened(text)
    made.scan()
    edited = JAVA
    for version, (old, new) in enumerate(
        ((".getCache().getSize()", ".getCache()"), (".getCache()", ".getCache().getWidth()")), 1
    ):
        edited = edited.replace(old, new)
        made.change("src/main/java/App.java", edited, version)
        fresh = opened(text, edited).scan()
        assert made.rebuild().options.options == fresh.options.options


def test_a_value_of_an_accessor_with_is_must_be_a_boolean() -> None:
    java = JAVA.replace("acme.getName().trim()", "acme.isLoud() ? a : b")
    told = {}
    for value in ("true", "off", "maybe"):
        analysis = opened(f"acme:\n  loud: {value}\n", java).scan()
        told[value] = [finding.message for found in every(analysis, [PATH]) for finding in found]
    assert told == {"true": [], "off": [], "maybe": ['"maybe" is neither true nor false.']}


def test_two_prefixes_that_may_be_meant_are_none() -> None:
    made = opened("acme:\n  name: a\nspring:\n  acme:\n    name: b\n")
    assert names(made.scan()) == []


def test_last_segments_of_a_prefix_spell_the_name_of_a_class_together() -> None:
    java = JAVA.replace("AcmeProperties", "AcmePoolProperties")
    made = opened("acme:\n  pool:\n    name: a\n", java)
    assert names(made.scan()) == ["acme.pool.name"]


BOOT = """
import org.springframework.boot.autoconfigure.task.TaskExecutionProperties;
import org.springframework.boot.autoconfigure.thymeleaf.ThymeleafProperties;
import org.springframework.boot.autoconfigure.security.oauth2.client.OAuth2ClientProperties;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseProperties;
class App {
    int size(TaskExecutionProperties task) { return task.getPool().getMaxSize(); }
    int queue(TaskExecutionProperties.Pool pool) { return pool.getQueueCapacity(); }
    void view(ThymeleafProperties thymeleaf, Mapper map) {
        var reactive = thymeleaf.getReactive();
        map.from(reactive::getMediaTypes);
        map.from(thymeleaf::getEncoding);
    }
    Object parameters(LiquibaseProperties liquibase) { return liquibase.getParameters(); }
    Object registration(OAuth2ClientProperties client) { return client.getRegistration(); }
    Object other(TaskExecutionProperties task) { return task.getClass(); }
}
"""


def test_a_row_tells_what_a_class_is_bound_to_though_no_file_has_such_a_key() -> None:
    analysis = opened("server:\n  port: 1\n", BOOT).scan()
    assert {one.name: one.type for one in analysis.options.options} == {
        "spring.liquibase.parameters.*": "string",
        "spring.task.execution.pool.max-size": "integer",
        "spring.task.execution.pool.queue-capacity": "integer",
        "spring.thymeleaf.encoding": "string",
        "spring.thymeleaf.reactive.media-types": "list",
    }


def test_keys_of_files_tell_members_that_a_row_does_not_have() -> None:
    java = BOOT.replace("task.getPool().getMaxSize()", "task.getPool().getColour()")
    text = "spring:\n  task:\n    execution:\n      pool:\n        size: 1\n"
    found = names(opened(text, java).scan())
    assert "spring.task.execution.pool.colour" in found
    assert "spring.task.execution.pool.colour" not in names(opened("a: 1\n", java).scan())
