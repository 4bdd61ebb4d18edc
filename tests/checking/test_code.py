"""Findings at reads in Java: types that contradict each other, dead options, deprecated ones."""

from __future__ import annotations

import attrs
import pytest

from checking.small import Small, subject
from conflens.checking.code import (
    conflicts,
    findings,
    is_read_in_tests_only,
    unused,
)
from conflens.checking.results import Code, Finding
from conflens.options.model import OptionTable
from steps import steps

HADOOP = "import org.apache.hadoop.conf.Configuration;\n"


def found(code: Code, *sources: str, path: str = "0.java") -> list[Finding]:
    return [one for one in findings(subject(*sources), path) if one.code is code]


def reads(*calls: str, more: str = "") -> str:
    return (
        f"{HADOOP}class T {{ void run(Configuration conf) {{ use({', '.join(calls)}); }}"
        f" void use(Object... o) {{}} {more} }}"
    )


def messages(*calls: str) -> list[str]:
    return [one.message for one in found(Code.TYPE_MISMATCH, reads(*calls))]


def test_conflicting_defaults_number_and_boolean() -> None:
    assert messages('conf.getInt("a.x", 1)', 'conf.getBoolean("a.x", true)') == [
        "a.x is read as a whole number here, but elsewhere as true or false.",
        "a.x is read as true or false here, but elsewhere as a whole number.",
    ]


def test_the_other_read_is_related_information() -> None:
    source = reads('conf.getInt("a.x", 1)', 'conf.getBoolean("a.x", true)')
    first, second = found(Code.TYPE_MISMATCH, source)
    assert first.related == ((second.place, "Read as true or false."),)


def test_a_fraction_and_an_integer_differ_only_if_the_fraction_is_not_whole() -> None:
    assert len(messages('conf.getInt("a.x", 1)', 'conf.getFloat("a.x", 0.5f)')) == 2
    assert messages('conf.getInt("a.x", 1)', 'conf.getFloat("a.x", 1.0f)') == []
    assert messages('conf.getInt("a.x", 1)', 'conf.getLong("a.x", 1L)') == []
    assert messages('conf.getInt("a.x", 1)', 'conf.get("a.x")') == []


def test_one_name_in_two_domains_is_two_options() -> None:
    assert messages('conf.getInt("a.x", 1)', 'Boolean.getBoolean("a.x")') == []


@pytest.mark.parametrize(
    ("default", "wrong"),
    [("many", True), ("10k", True), ("12", False), ("", False), ("0x10", False)],
)
def test_a_default_that_the_read_cannot_parse(default: str, wrong: bool) -> None:
    source = f'class T {{ int n = Integer.parseInt(System.getProperty("a.n", "{default}")); }}'
    shown = [one.message for one in found(Code.TYPE_MISMATCH, source)]
    message = f'The default "{default}" of a.n is not a whole number, as this read requires.'
    assert shown == ([message] if wrong else [])


def test_only_a_default_that_stands_in_the_read_is_parsed_by_it() -> None:
    source = 'class T { int n = Integer.parseInt(System.getProperty("a.n", "many")); }'
    looked = subject(source)
    (one,) = looked.options.options
    (read,) = one.reads
    assert read.default is not None
    for place, told in ((read.default.place, 1), (read.place, 0)):
        moved = attrs.evolve(read, default=attrs.evolve(read.default, place=place))
        table = OptionTable.of([attrs.evolve(one, reads=(moved,))], [])
        found = findings(attrs.evolve(looked, options=table), "0.java")
        assert sum(finding.code is Code.TYPE_MISMATCH for finding in found) == told


def test_a_duration_that_stands_in_for_the_value_is_not_parsed_by_the_read() -> None:
    source = (
        'import java.time.Duration;\nclass T { Duration n() { Long n = Long.getLong("a.n");'
        " return n == null ? Duration.ofSeconds(5) : Duration.ofMillis(n); } }"
    )
    assert found(Code.TYPE_MISMATCH, source) == []
    optional = (
        "import java.time.Duration;\nimport java.util.Optional;\nclass T { Duration n() {"
        ' return Optional.ofNullable(Long.getLong("a.n")).map(Duration::ofMillis)'
        ".orElse(Duration.ofSeconds(5)); } }"
    )
    assert found(Code.TYPE_MISMATCH, optional) == []


@pytest.mark.parametrize(("name", "told"), [("debug", 0), ("mail.debug", 1)])
def test_a_word_that_two_classes_read_may_be_two_options(name: str, told: int) -> None:
    config = "import org.apache.commons.configuration2.Configuration;\n"
    one = f'{config}class A {{ int n(Configuration c) {{ return c.getInt("{name}", 1); }} }}'
    two = f'{config}class B {{ boolean n(Configuration c) {{ return c.getBoolean("{name}", true); }} }}'
    assert len(found(Code.TYPE_MISMATCH, one, two)) == told


def test_a_sentinel_default_is_not_reported() -> None:
    source = (
        'class T { int n() { String s = System.getProperty("a.n", "auto");'
        ' if (s.equals("auto")) return 4; return Integer.parseInt(s); } }'
    )
    assert found(Code.TYPE_MISMATCH, source) == []


# -- dead options --------------------------------------------------------------------------------------

DEAD = 'class T { void run() { String s = System.getProperty("a.dead"); } }'
USED = 'class T { void run() { System.out.println(System.getProperty("a.dead")); } }'


def test_an_option_is_dead_if_no_read_is_used() -> None:
    (finding,) = found(Code.DEAD_OPTION, DEAD)
    assert finding.message == "a.dead has no effect: its value is read, but never used."
    assert finding.options == (("system-property", "a.dead"),)


def test_an_option_is_not_dead_if_one_read_is_used() -> None:
    assert found(Code.DEAD_OPTION, DEAD, USED.replace("class T", "class U")) == []
    assert found(Code.DEAD_OPTION, USED) == []


def moved(looked: Small, path: str) -> Small:
    """Return the subject with all reads in a file of tests."""
    options = [
        attrs.evolve(
            one,
            reads=tuple(
                attrs.evolve(read, place=attrs.evolve(read.place, path=path)) for read in one.reads
            ),
        )
        for one in looked.options.options
    ]
    return attrs.evolve(looked, options=OptionTable.of(options, []))


def test_reads_in_tests_are_treated_separately() -> None:
    path = "src/test/java/T.java"
    looked = moved(subject(DEAD), path)
    (one,) = looked.options.options
    assert is_read_in_tests_only(one) and not one.is_dead
    assert list(findings(looked, path)) == []
    (own,) = subject(DEAD).options.options
    assert own.is_dead and not is_read_in_tests_only(own)


# -- deprecated options --------------------------------------------------------------------------------

KEYS = (
    "class Keys { /** @deprecated use {@link #NEW} */ @Deprecated static final String OLD = \"a.old\";"
    ' static final String NEW = "a.new"; static int own() { return Integer.getInteger(OLD); } }'
)  # fmt: skip


def test_a_deprecated_option_is_reported_at_its_reads() -> None:
    user = "class T { int n = Integer.getInteger(Keys.OLD); }"
    (finding,) = found(Code.DEPRECATED_OPTION, user, KEYS)
    assert finding.message == "a.old is deprecated: use a.new."
    assert user[finding.place.start : finding.place.end] == "Keys.OLD"
    assert finding.fixes == ()


def test_a_deprecated_option_is_not_reported_at_its_declaration_or_in_deprecated_code() -> None:
    assert found(Code.DEPRECATED_OPTION, KEYS) == []
    user = "class T { @Deprecated int n = Integer.getInteger(Keys.OLD); }"
    assert found(Code.DEPRECATED_OPTION, user, KEYS) == []
    whole = "@Deprecated class T { int n = Integer.getInteger(Keys.OLD); }"
    assert found(Code.DEPRECATED_OPTION, whole, KEYS) == []


def test_a_name_written_out_can_be_replaced() -> None:
    deltas = (
        f"{HADOOP}class Deltas {{ static {{ new Configuration.DeprecationDelta(\"a.old\", \"a.new\"); }} }}"
    )  # fmt: skip
    user = reads('conf.getInt("a.old", 1)', 'conf.getInt("a.new", 1)')
    (finding,) = found(Code.DEPRECATED_OPTION, user, deltas)
    (fix,) = finding.fixes
    assert (fix.title, fix.edits[0].text) == ("Change to a.new", '"a.new"')
    assert user[fix.edits[0].place.start : fix.edits[0].place.end] == '"a.old"'
    (other,) = found(Code.DEPRECATED_OPTION, reads('conf.getInt("a.old", 1)'), deltas)
    assert other.fixes == ()  # nothing reads a.new


def test_a_deprecated_name_is_fine_as_the_default_of_the_new_one() -> None:
    deltas = (
        f"{HADOOP}class Deltas {{ static {{ new Configuration.DeprecationDelta(\"a.old\", \"a.new\"); }} }}"
    )  # fmt: skip
    user = reads('conf.getInt("a.new", conf.getInt("a.old", 1))')
    assert found(Code.DEPRECATED_OPTION, user, deltas) == []


VALUE = "import org.springframework.beans.factory.annotation.Value;\n"
MANY_READS = {
    "dead": ('System.getProperty("a.x")', "; "),
    "defaults": ('use(Integer.getInteger("a.x", {0}))', "; "),
    "one other default": ('use(Integer.getInteger("a.x", {1}))', "; "),
    "declared": ("", ""),
    "types": ('use(Integer.getInteger("a.x", {0}), Boolean.getBoolean("a.x"))', "; "),
}


@pytest.mark.parametrize("kind", MANY_READS)
def test_the_work_grows_with_the_reads_of_one_option(kind: str) -> None:
    call, between = MANY_READS[kind]

    def work(size: int) -> int:
        fields = "".join(f' @Value("${{a.x:{one}}}") int f{one};' for one in range(size))
        calls = between.join(call.format(number, int(number > size - 2)) for number in range(size))
        declared = f"{VALUE}class D {{{fields if kind == 'declared' else ''} }}"
        looked = subject(
            f"class T {{ void run() {{ {calls}; }} void use(Object... o) {{}} }}", declared
        )

        def check() -> None:
            assert [
                *findings(looked, "0.java"),
                *conflicts(looked, "0.java"),
                *unused(looked, "0.java", dead=True),
                *findings(looked, "1.java"),
                *conflicts(looked, "1.java"),
            ]

        return steps(check)

    assert work(400) < 5 * work(100)


def test_of_many_other_defaults_the_first_are_named() -> None:
    calls = " ".join(f'use(Integer.getInteger("a.x", {number}));' for number in range(14))
    looked = subject(f"class T {{ void run() {{ {calls} }} void use(Object... o) {{}} }}")
    first = next(conflicts(looked, "0.java"))
    assert first.message == (
        "a.x defaults to 0 here, but elsewhere to 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 3 more."
    )
    assert len(first.related) == 10
