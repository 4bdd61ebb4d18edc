"""Values that the reading code cannot take, and as many that it can."""

from __future__ import annotations

import attrs
import pytest

from checking.small import option, subject
from conflens.base.span import Place
from conflens.checking.possible_values import value_choices
from conflens.checking.results import Code, Severity
from conflens.checking.values import findings, judged
from conflens.documents.configfiles.model import Format
from conflens.options.model import Limits, Option, OptionType

T = OptionType
WHOLE = Limits(accepts="integer")


def said(one: Option, text: str, format: Format = Format.PROPERTIES) -> tuple[str, ...] | None:
    wrong = judged(subject(), one, text, format)
    return None if wrong is None else (wrong.message, *wrong.better)


def flag(accepts: str) -> Option:
    return option("a.flag", T.BOOLEAN, limits=Limits(accepts=accepts), default="true")


@pytest.mark.parametrize(
    ("accepts", "text", "wanted"),
    [
        ("true-only", "yes", ('"yes" counts as false here: only true means true.', "true")),
        ("true-only", "enabled", ('"enabled" counts as false here: only true means true.', "true")),
        ("true-only", "flase", ('"flase" counts as false here: only true means true.', "false", "true")),
        ("true-only", "TRUE", None),
        ("true-only", "off", None),
        ("true-else-default", "yes", ('"yes" is neither true nor false, so the default (true) applies.', "true")),
        ("true-else-default", "flase", ('"flase" is neither true nor false, so the default (true) applies.', "false", "true")),
        ("true-or-false", "on", ('"on" is neither true nor false, the only values that a.flag accepts.', "true")),
        ("switch", "on", None),
        ("switch", "maybe", ('"maybe" is neither true nor false.', "true", "false")),
        ("", "treu", ('"treu" is neither true nor false.', "true", "false")),
        ("", "yes", None),
        ("", "auto", None),
        ("", "1", None),
        ("", "5", ('"5" is neither true nor false.', "true", "false")),
    ],
)  # fmt: skip
def test_booleans(accepts: str, text: str, wanted: tuple[str, ...] | None) -> None:
    assert said(flag(accepts), text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "${size}",
        "#{2 * 3}",
        "@project.version@",
        "^_^port^_^",
        "a #port# b",
        "$SIZE",
        "%SIZE%",
        "<size>",
        "{{ size }}",
        "env{SIZE}",
        "prefix-{pool.size}",
        "[[size]]",
        "((size))",
        "`umask`",
        "POOL_SIZE",
    ],
)
def test_placeholders_and_empty_values_are_not_checked(text: str) -> None:
    assert said(option("a.n", T.INTEGER, limits=WHOLE), text) is None


@pytest.mark.parametrize(
    ("text", "better"),
    [("ten", ()), ("1.5", ()), ("10.0", ("10",)), ("10,000", ("10000",)), ("1e3", ("1000",)), ("5L", ("5",)), ("4..8", ())],
)  # fmt: skip
def test_not_an_integer(text: str, better: tuple[str, ...]) -> None:
    message = f'"{text}" is not a whole number, but a.n must be one.'
    assert said(option("a.n", T.INTEGER, limits=WHOLE), text) == (message, *better)


@pytest.mark.parametrize("text", ["0", "-5", "+7", "0x1F", " 12 "])
def test_integers(text: str) -> None:
    assert said(option("a.n", T.INTEGER, limits=WHOLE), text) is None


def test_yaml_number_syntax() -> None:
    one = option("a.n", T.INTEGER, limits=WHOLE)
    for text in ("1_000", "1.0", "1:30", "-2:00:59"):
        assert said(one, text, Format.YAML) is None
        assert said(one, text) is not None
    assert said(one, "1.5", Format.YAML) is not None
    assert said(one, "1:99", Format.YAML) is not None
    bounded = option("a.n", T.INTEGER, limits=attrs.evolve(WHOLE, maximum=80))
    assert said(bounded, "1:20", Format.YAML) is None
    assert said(bounded, "1:21", Format.YAML) is not None


def test_units_are_accepted_only_where_the_code_parses_them() -> None:
    plain = option("a.wait", T.TIME, unit="ms", limits=WHOLE)
    message = '"10s" is not a whole number: a.wait is read without a unit, in milliseconds.'
    assert said(plain, "10s") == (message, "10000")
    assert said(plain, "64MB") == (
        '"64MB" is not a whole number: a.wait is read without a unit, in milliseconds.',
    )
    assert said(option("a.wait", T.TIME, unit="ms"), "10s") is None
    loose = option("a.wait", T.TIME, unit="ms")
    assert said(loose, "64MB") == ('"64MB" is a size, but a.wait is a duration.',)
    assert said(loose, "64m") is None
    assert said(option("a.size", T.SIZE), "10s") == ('"10s" is a duration, but a.size is a size.',)
    size = option("a.size", T.SIZE, unit="bytes", limits=WHOLE)
    assert said(size, "64KB") == (
        '"64KB" is not a whole number: a.size is read without a unit, in bytes.',
        "65536",
    )
    assert said(option("a.size", T.SIZE, unit="bytes"), "64KB") is None


@pytest.mark.parametrize(
    ("limits", "text", "better"),
    [
        (Limits(minimum=1), "0", ("1",)),
        (Limits(maximum=64), "65", ("64",)),
        (Limits(above=0), "0", ("1",)),
        (Limits(under=2048), "2048", ("2047",)),
        (Limits(minimum=-1), "-2", ("-1",)),
    ],
)
def test_out_of_range(limits: Limits, text: str, better: tuple[str, ...]) -> None:
    wrong = said(option("a.n", T.INTEGER, limits=limits), text)
    assert wrong is not None and wrong[1:] == better


@pytest.mark.parametrize("text", ["1", "64", "30"])
def test_in_range(text: str) -> None:
    assert said(option("a.n", T.INTEGER, limits=Limits(minimum=1, maximum=64)), text) is None


def test_a_range_in_the_unit_of_the_option() -> None:
    one = option("a.wait", T.TIME, unit="s", limits=Limits(maximum=60))
    assert said(one, "500ms") is None
    assert said(one, "2m") == ('"2m" is more than 60 s, the maximum for a.wait.', "60s")
    assert said(one, "2 parsecs") is None


def test_fractions() -> None:
    one = option("a.part", T.FRACTION, limits=Limits(above=0, maximum=1, accepts="fraction"))
    assert [said(one, text) for text in ("0.5", "1", ".25", "1e-3", "NaN")] == [None] * 5
    assert said(one, "0") == ('"0" is too small: a.part must be more than 0.',)
    assert said(one, "half") == ('"half" is not a number, but a.part must be one.',)


CLOSED = Limits(closed=True)
POLICY = option("a.policy", T.MODE, values=("stop", "ignore", "best_effort"), limits=CLOSED)


@pytest.mark.parametrize(
    ("text", "better"),
    [("stpo", ("stop",)), ("ignroe", ("ignore",)), ("bestEffort", ("best_effort",)), ("die", ())],
)
def test_a_value_outside_a_closed_set(text: str, better: tuple[str, ...]) -> None:
    message = f'"{text}" is not one of the values of a.policy: stop, ignore, best_effort.'
    assert said(POLICY, text) == (message, *better)


def test_case_matters_only_where_the_code_compares_exactly() -> None:
    message = '"Stop" must be written stop; values are case-sensitive.'
    assert said(POLICY, "Stop") == (message, "stop")
    folded = Limits(closed=True, ignores_case=True)
    level = option("a.level", T.MODE, values=("INFO", "DEBUG"), limits=folded)
    assert said(level, "Debug") is None
    assert said(level, "debgu") == (
        '"debgu" is not one of the values of a.level: info, debug.',
        "debug",
    )


def test_relaxed_values_in_relaxed_domains() -> None:
    one = option(
        "a.policy", T.MODE, values=("BEST_EFFORT", "STOP"), limits=CLOSED, domain="spring"
    )
    assert [said(one, text) for text in ("best-effort", "bestEffort", "stop")] == [None] * 3
    assert [said(one, text) for text in ("Best Effort", "best.effort")] == [None] * 2
    assert said(one, "stpo") is not None


def test_an_open_set_reports_near_misses_only() -> None:
    one = option("a.codec", T.MODE, values=("snappy", "zlib"))
    assert said(one, "snapy") == (
        '"snapy" is not a known value of a.codec. Did you mean snappy?',
        "snappy",
    )
    assert [said(one, text) for text in ("zstd", "zlip", "Snappy", "gzip", "snappys")] == [
        None
    ] * 5


CODECS = (
    "package p.codec; public interface Codec {}",
    "package p.codec; public class PlainCodec implements Codec {}",
    "package p.codec; public class Other {}",
    "package p.codec; public class Odd extends q.Library {}",
)


def test_classes() -> None:
    looked = subject(*CODECS)
    one = option("a.codec", T.CLASS, limits=Limits(supertype="p.codec.Codec"))

    def wrong(text: str) -> tuple[str, ...] | None:
        found = judged(looked, one, text)
        return None if found is None else (found.message, *found.better)

    assert wrong("p.codec.PlainCodec") is None
    assert wrong("p.codec.PlainCodecs") == (
        "There is no class PlainCodecs in p.codec.",
        "p.codec.PlainCodec",
    )
    assert wrong("p.codec.Other") == ("Other is not a Codec, as required here.",)
    assert wrong("p.codec.Odd") is None  # its own supertype is not known
    assert wrong("q.elsewhere.PlainCodec") is None
    assert wrong("PlainCodec") is None


def test_a_class_is_checked_again_when_code_changes() -> None:
    one = option("a.codec", T.CLASS, limits=Limits(supertype="p.codec.Codec"))
    files = {"a.properties": "a.codec=p.codec.PlainCodec\n"}
    before = subject(*CODECS, options=(one,), files=files)
    assert list(findings(before, "a.properties")) == []
    after = attrs.evolve(before, program=subject(CODECS[0], *CODECS[2:]).program)
    assert [wrong.message for wrong in findings(after, "a.properties")] == [
        "There is no class PlainCodec in p.codec."
    ]


@pytest.mark.parametrize(
    ("one", "text", "message"),
    [
        (option("a.x", T.BOOLEAN), "maybe", '"maybe" is neither true nor false, but a.x seems to be a boolean.'),
        (option("a.x", T.PORT), "high", '"high" is not a number, but a.x seems to be one.'),
        (option("a.x", T.TIME, default="360"), "many", '"many" is not a number, but a.x seems to be one.'),
        (option("a.x", T.TIME), "many", None),
        (option("a.x", T.INTEGER, default="lots"), "lots", None),
        (option("a.x", T.INTEGER), "unlimited", None),
        (option("a.x", T.BOOLEAN), "ON_DEMAND", None),
        (option("a.x", T.BOOLEAN), "auto", None),
    ],
)  # fmt: skip
def test_a_word_in_place_of_a_number_or_a_boolean_gets_a_hint(
    one: Option, text: str, message: str | None
) -> None:
    wrong = judged(subject(), one, text)
    assert (wrong.message if wrong else None) == message
    assert wrong is None or wrong.severity is Severity.HINT


@pytest.mark.parametrize(
    ("type_", "text", "wrong"),
    [
        (T.PORT, "70000", True), (T.PORT, "8080", False), (T.PORT, "auto", False),
        (T.ADDRESS, "host:99999", True), (T.ADDRESS, "host:80", False), (T.ADDRESS, "::1", False),
        (T.URI, "http:/host/x", True), (T.URI, "https//host", True), (T.URI, "http://host", False),
        (T.URI, "classpath:x", False), (T.REGEX, "(a|b", True), (T.REGEX, "a)", True),
        (T.REGEX, "[(]", False), (T.REGEX, r"\(a", False), (T.REGEX, "(a|b)*", False),
        (T.STRING, "anything", False), (T.FILE, "no/where", False), (T.UNKNOWN, "x", False),
    ],
)  # fmt: skip
def test_texts_are_reported_only_if_certainly_wrong(
    type_: OptionType, text: str, wrong: bool
) -> None:
    assert (said(option("a.x", type_), text) is not None) is wrong


def test_secrets_are_neither_checked_nor_shown() -> None:
    assert said(option("db.password", T.PASSWORD), "hunter2") is None
    assert said(option("api.token", T.INTEGER, limits=WHOLE), "hunter2") is None


def test_findings_in_a_file_with_places_and_fixes() -> None:
    one = option("a.n", T.INTEGER, limits=Limits(minimum=1, place=Place("T.java", 3, 9)))
    text = "a.n = 0\nb.n = 0\n"
    looked = subject(options=(one,), files={"app.properties": text})
    (finding,) = findings(looked, "app.properties")
    assert (finding.code, finding.name, finding.options) == (Code.INVALID_VALUE, "a.n", (one.key,))
    assert text[finding.place.start : finding.place.end] == "0"
    assert finding.related == ((Place("T.java", 3, 9), "This says so."),)
    (fix,) = finding.fixes
    assert (fix.title, fix.edits[0].text) == ("Change to 1", "1")


def test_a_key_of_two_options_is_wrong_only_if_wrong_for_both() -> None:
    low = option("a.n", T.INTEGER, limits=Limits(minimum=1))
    other = option("a.n", T.STRING, domain="kafka")
    looked = subject(options=(low, other), files={"app.properties": "a.n=0\n"})
    assert not list(findings(looked, "app.properties"))


def test_a_pattern_does_not_override_the_option_with_the_exact_name() -> None:
    one = option("a.flag", T.BOOLEAN, limits=Limits(accepts="true-or-false"))
    other = option("a.*", T.UNKNOWN, domain="kafka")
    looked = subject(
        options=(one, other), files={"app.properties": "a.flag=flase\na.other=flase\n"}
    )
    (finding,) = findings(looked, "app.properties")
    assert (finding.name, finding.fixes[0].title) == ("a.flag", "Change to false")


def test_a_pattern_speaks_of_a_key_only_where_it_leaves_nothing_open() -> None:
    port = option("a.*", T.PORT)
    bound = tuple(
        option(name, T.INTEGER, limits=WHOLE) for name in ("*.size", "*.depth", "b.*.size")
    )
    texts = {
        "open.properties": "a.timeout.seconds=86400\n",
        "alone.properties": "pool.size=many\n",
        "together.properties": "pool.size=many\npool.depth=1\n",
        "middle.properties": "b.x.size=many\n",
    }
    looked = subject(options=(port, *bound), files=texts)
    told = {path: [one.name for one in findings(looked, path)] for path in texts}
    assert told == {
        "open.properties": [],
        "alone.properties": [],
        "together.properties": ["pool.size"],
        "middle.properties": ["b.x.size"],
    }


@pytest.mark.parametrize(
    ("text", "closed", "better"),
    [
        ("use_dns_all_ips", True, "use_all_dns_ips"),
        ("use-all_dns_ips", True, "use_all_dns_ips"),
        ("use_dns_all_ips", False, "use_all_dns_ips"),
        ("HTTP_ONY", False, "HTTP_ONLY"),
        ("noen", False, "none"),
        ("requiredd", False, "required"),
        ("REQIRED", False, "REQUIRED"),
        ("BAST", True, "BEAST"),
        ("use_all__dns_ips", False, "use_all_dns_ips"),
        ("use-all-dns-ips", False, None),
        ("one", False, None),
        ("HTTPZ_ONLY", False, None),
        ("CRC33", False, None),
    ],
)
def test_typos_in_values_of_a_set(text: str, closed: bool, better: str | None) -> None:
    values = (
        "use_all_dns_ips",
        "none",
        "HTTP_ONLY",
        "HTTPS_ONLY",
        "CRC32",
        "REQUIRED",
        "required",
        "FAST",
        "BEAST",
    )
    told = said(option("a.mode", T.MODE, values=values, limits=Limits(closed=closed)), text)
    assert (told and told[1]) == better


def test_choices_start_with_the_default() -> None:
    values = ("FAST", "SLOW")
    looked = subject("enum Mode { /** Quick. */ FAST, SLOW }", *CODECS)
    mode = option("a.mode", T.MODE, values=values, default="SLOW")
    shown = [(one.text, one.detail, one.documentation) for one in value_choices(looked, mode)]
    assert shown == [("SLOW", "default", ""), ("FAST", "", "Quick.")]
    truth = option("a.flag", T.BOOLEAN, default="false")
    assert [one.text for one in value_choices(looked, truth)] == ["false", "true"]
    codec = option("a.codec", T.CLASS, limits=Limits(supertype="p.codec.Codec"))
    (only,) = value_choices(looked, codec)
    assert (only.text, only.detail) == ("p.codec.PlainCodec", "a Codec")
    assert value_choices(looked, option("a.password", T.PASSWORD, default="x")) == ()
    assert value_choices(looked, option("a.n", T.INTEGER)) == ()


@pytest.mark.parametrize(("domain", "right"), [("microprofile", True), ("hadoop", False)])
def test_hyphenated_constants_where_the_library_accepts_them(domain: str, right: bool) -> None:
    level = option(
        "a.level", T.MODE, values=("INFO", "WARN_ONLY"), limits=Limits(closed=True), domain=domain
    )
    assert (said(level, "warn-only") is None) is right
    assert said(level, "warn-once") is not None
