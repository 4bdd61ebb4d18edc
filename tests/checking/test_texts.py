"""Values that a library makes of texts: durations, sizes, enums behind a class that looks them up; and keys that other files mean."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from checking.keys_support import analyse, shown
from conflens.base.system import MemorySystem
from conflens.checking import values
from conflens.checking.numbers import takes
from conflens.models.words import Syntax
from conflens.session.analysis import Analysis
from session.support import session

CONF = "config/app.yml"
MAPPER = "import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;\n"
YAML = {
    "Load.java": f"{MAPPER}class Load {{ Conf load(java.io.File f) throws Exception {{"
    " return new YAMLMapper().readValue(f, Conf.class); } }",
    "Conf.java": "import java.time.Duration; class Conf { public Duration idleTime; public Duration keepAlive;"
    " public int poolSize; }",
}
JAD = "import com.github.joschi.jadconfig.Parameter; import com.github.joschi.jadconfig.util.*;\n"


def wrong(analysis: Analysis, path: str) -> list[str]:
    text = analysis.config_files[path].text
    return [
        text[one.place.start : one.place.end].decode() for one in values.findings(analysis, path)
    ]


def told(files: Mapping[str, str], path: str = CONF) -> list[str]:
    return wrong(analyse(files), path)


@pytest.mark.parametrize(
    ("accepts", "fine", "bad"),
    [
        ("iso-duration", ["PT5S", "P15D", "-PT1H30M", "P1DT2H", "pt0.5s", "30", "1.5"],
         ["5s", "5 minutes", "abc", "P", "PT", "10 parsecs", "P1Y", "5kb"]),
        ("unit-duration", ["5 minutes", "500ms", "1d", "2 \u00b5s"], ["5", "PT5S", "abc", "10 parsecs", "64MB"]),
        ("duration", ["5", "5s", "PT5S", "1h30m", "2 weeks"], ["abc", "5 parsecs", "s5"]),
        ("size", ["64", "64MB", "64 MiB", "1g", "5 gigabytes"], ["64QB", "large", "5s", "MB"]),
    ],
)  # fmt: skip
def test_texts_of_durations_and_sizes(accepts: Syntax, fine: list[str], bad: list[str]) -> None:
    assert [text for text in fine if not takes(accepts, text)] == []
    assert [text for text in bad if takes(accepts, text)] == []


def test_jackson_makes_durations_of_numbers_and_iso_texts() -> None:
    text = "idleTime: 5 minutes\nkeepAlive: PT30S\npoolSize: 4\n"
    assert told({**YAML, CONF: text}) == ["5 minutes"]
    (found, *_) = values.findings(analyse({**YAML, CONF: text}), CONF)
    assert found.message == (
        '"5 minutes" is not a duration as ISO 8601 writes it, such as PT30S, but idleTime must be one.'
    )
    assert told({**YAML, CONF: "idleTime: ${IDLE}\nkeepAlive: 30\npoolSize: 4\n"}) == []


OWN = (
    "import com.fasterxml.jackson.databind.JsonDeserializer; import java.time.Duration;\n"
    "class Own extends JsonDeserializer<Duration> { }"
)


@pytest.mark.parametrize("made", ["Duration", "java.net.URI"])
def test_a_deserializer_of_the_project_may_take_anything(made: str) -> None:
    text = "idleTime: 5 minutes\nkeepAlive: PT30S\npoolSize: 4\n"
    own = OWN.replace("<Duration>", f"<{made}>")
    wanted = [] if made == "Duration" else ["5 minutes"]
    assert told({**YAML, "Own.java": own, CONF: text}) == wanted


def test_a_deserializer_that_comes_and_goes() -> None:
    files = {
        **YAML,
        "Own.java": "class Own { }",
        CONF: "idleTime: 5 minutes\nkeepAlive: PT1S\npoolSize: 4\n",
    }
    system = MemorySystem({path: text.encode() for path, text in files.items()})
    one = session(system)
    assert wrong(one.scan(), CONF) == ["5 minutes"]
    for text, wanted in ((OWN, []), ("class Own { }", ["5 minutes"])):
        system.write("Own.java", text)
        one.files_changed(["Own.java"])
        assert wrong(one.rebuild(), CONF) == wanted


def test_a_member_with_a_deserializer_of_its_own() -> None:
    java = YAML["Conf.java"].replace(
        "public Duration idleTime",
        "@com.fasterxml.jackson.databind.annotation.JsonDeserialize(using = Words.class) public Duration idleTime",
    )
    words = "class Words extends com.fasterxml.jackson.databind.JsonDeserializer<Object> { }"
    text = "idleTime: soon\nkeepAlive: later\npoolSize: 4\n"
    assert told({**YAML, "Conf.java": java, "Words.java": words, CONF: text}) == ["later"]


def jad(converter: str) -> dict[str, str]:
    return {
        "Conf.java": f'{JAD}class Conf {{ @Parameter("journal_age") Duration age = Duration.hours(12);'
        ' @Parameter("journal_size") Size size; @Parameter("pool_size") int pool = 3;'
        ' @Parameter(value = "suggest_mode", converter = ModeConverter.class) Mode mode = Mode.ON; }',
        "Mode.java": "enum Mode { ON, OFF, TEXT_ONLY }",
        "ModeConverter.java": "class ModeConverter implements com.github.joschi.jadconfig.Converter<Mode> {"
        f" public Mode convertFrom(String value) {{ {converter} }} }}",
    }


def test_jadconfig() -> None:
    files = jad("return Mode.valueOf(value.trim().toUpperCase());")
    text = "journal_age = 12h\njournal_size = 5 gb\npool_size = 4\nsuggest_mode = on\n"
    assert told({**files, "conf/app.conf": text}, "conf/app.conf") == []
    text = "journal_age = soon\njournal_size = 5 parsecs\npool_size = 4\nsuggest_mode = maybe\n"
    assert told({**files, "conf/app.conf": text}, "conf/app.conf") == [
        "soon",
        "5 parsecs",
        "maybe",
    ]


@pytest.mark.parametrize(
    "converter",
    [
        'if (value.equals("yes")) { return Mode.ON; } return Mode.valueOf(value);',
        "return Words.find(value);",
        "return Mode.values()[Integer.valueOf(value)];",
        "return Mode.valueOf(Words.spelled(value));",
        'return switch (value) { case "yes" -> Mode.ON; default -> Mode.valueOf(value); };',
    ],
)
def test_a_converter_that_is_not_followed_may_take_anything(converter: str) -> None:
    text = "journal_age = 12h\npool_size = 4\nsuggest_mode = yes\n"
    assert told({**jad(converter), "conf/app.conf": text}, "conf/app.conf") == []


def test_a_converter_that_takes_another_text_after_an_edit() -> None:
    before, after = (
        "return Mode.valueOf(value.trim());",
        "return Mode.valueOf(value.toUpperCase());",
    )
    path = "conf/app.conf"
    files = {**jad(before), path: "journal_age = 12h\npool_size = 4\nsuggest_mode = on\n"}
    system = MemorySystem({name: text.encode() for name, text in files.items()})
    one = session(system)
    assert wrong(one.scan(), path) == ["on"]
    system.write("ModeConverter.java", jad(after)["ModeConverter.java"])
    one.files_changed(["ModeConverter.java"])
    again = one.rebuild()
    assert wrong(again, path) == []
    assert again.options == session(system).scan().options


BUNDLE = "config/bundle.yml"


def test_keys_that_values_of_other_files_mean_need_be_no_options() -> None:
    java = (
        "class Conf { public Part cdn; public Part apn; public int poolSize; }\n"
        "class Part { public String accessKey; public String teamId; public String url; }"
    )
    text = (
        "cdn:\n  accessKey: secret://cdn.accessKey\n  teamId: secret://cdn.teamId\n  url: a\n"
        "apn:\n  accessKey: secret://apn.accessKey\n  teamId: a\n  url: b\npoolSize: 4\n"
    )
    bundle = "cdn.accessKey: x\ncdn.teamId: y\napn.accessKey: z\napn.leftOver: z\n"
    files = {"Load.java": YAML["Load.java"], "Conf.java": java, CONF: text, BUNDLE: bundle}
    assert shown(files, BUNDLE) == []
    alone = {**files, CONF: text.replace("secret://", "")}
    assert shown(alone, BUNDLE) == ["unknown-option apn.leftOver"]
