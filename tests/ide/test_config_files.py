"""Hover, hints and lenses in config files: what a person sees, as text."""

from __future__ import annotations

import attrs

from conflens.checking.results import Severity
from conflens.ide.code_lens.config_files import MAX_LENSES, config_lens_text, config_lenses
from conflens.ide.hover.config_files import config_hover, option_text
from conflens.ide.hover.java import hover
from conflens.ide.inlay_hints.config_files import value_hints
from conflens.ide.settings.settings import Settings
from conflens.options.model import Limits, OptionTable, OptionType
from conflens.render.phrases import Wording
from ide.toy import Project, project
from ide.toy_config import recognised

WORDING = Wording(labels={"system-property": "system property"})
QUIET = Settings(undocumented=Severity.OFF)
JAVA = """class A {
    /** How long a client waits. */
    static final String TIMEOUT = "net.timeout";
    void run() {
        int t = Integer.getInteger(TIMEOUT, 30);
        wait(t); // <- net.timeout direct io // + net.timeout sets how long a thread waits
    }
    void b() { String s = System.getProperty("net.host"); String p = System.getProperty("db.password"); }
}
// ? net.timeout sensitive 0.87
// ? net.host insensitive 0.1
"""


def config(text: str, path: str = "conf/app.properties", **more: str) -> Project:
    return project({"A.java": JAVA, path: text, **more})


def shown(found: Project, settings: Settings = QUIET) -> str | None:
    result = config_hover(found.analysis, found.path, found.offset, settings, WORDING)
    if result is None:
        return None
    return f"{found.show(result.place)}\n\n{result.markdown}"


# -- hover -------------------------------------------------------------------------------------------


def test_a_key_shows_what_a_read_shows() -> None:
    found = config("# Waits.\nnet.time<|>out=5\n")
    assert shown(found) == (
        "conf/app.properties:2:1 net.timeout\n"
        "\n"
        "**`net.timeout`** · system property\n"
        "\n"
        "Affects performance: it sets how long a thread waits ([A.java:6](A.java#L6)).\n"
        "\n"
        "Whole number in milliseconds. Default `30`.\n"
        "\n"
        "How long a client waits.\n"
        "\n"
        "Reaches `wait(t)` [A.java:6](A.java#L6) (takes the value).\n"
        "\n"
        "Read in [A.java:5](A.java#L5)."
    )
    at = JAVA.index("TIMEOUT, 30") + 1
    read = hover(found.analysis, "A.java", at, QUIET, WORDING)
    assert read is not None
    own = (shown(found) or "").split("\n\n")[1:]
    assert own[:5] == read.markdown.split("\n\n")[:5]


def test_limits_and_deprecation() -> None:
    found = config("net.time<|>out=5\n")

    def with_(**changes: object) -> str:
        options = [
            attrs.evolve(option, **changes)  # type: ignore[arg-type]
            for option in found.analysis.options.options
        ]
        table = OptionTable.of(options, [])
        analysis = attrs.evolve(
            found.analysis,
            options=table,
            recognised=recognised(found.analysis.config_files, table),
        )
        result = config_hover(analysis, found.path, found.offset, QUIET, WORDING)
        assert result is not None
        return result.markdown.split("\n\n")[2]

    unit = "Whole number in milliseconds."
    assert with_(limits=Limits(1, 100)) == f"{unit} From 1 to 100. Default `30`."
    assert with_(limits=Limits(above=0)) == f"{unit} Above 0. Default `30`."
    assert with_(limits=Limits(1024, 2**31 - 1)) == f"{unit} At least 1,024. Default `30`."
    assert with_(limits=Limits(maximum=0.5)) == f"{unit} At most 0.5. Default `30`."
    assert with_(deprecated="use net.wait") == f"Deprecated: use net.wait. {unit} Default `30`."
    assert with_(deprecated="deprecated") == f"Deprecated. {unit} Default `30`."
    codec = with_(type=OptionType.CLASS, unit="", limits=Limits(supertype="a.b.Codec"))
    assert codec == "Class name. Must be a `Codec`. Default `30`."


def test_no_hover() -> None:
    assert shown(config("net.timeout=<|>5\n")) is None
    assert shown(config("net.timeout=5\nun<|>known=5\n")) is None
    assert shown(config("# net.time<|>out\nnet.timeout=5\n")) is None
    assert shown(config("net.time<|>out=5\n"), Settings(hover=False)) is None
    assert shown(config("oth<|>er=5\n")) is None
    assert config_hover(config("a=1").analysis, "gone.properties", 0, QUIET, WORDING) is None


def test_a_completion_item_has_the_text_of_the_hover() -> None:
    found = config("net.timeout=5\n")
    text = option_text(found.analysis, ("system-property", "net.timeout"), QUIET, WORDING)
    assert text is not None
    assert text.startswith("**`net.timeout`** · system property\n\nAffects performance")
    assert option_text(found.analysis, ("system-property", "gone"), QUIET, WORDING) is None


# -- placeholders ------------------------------------------------------------------------------------


def test_a_placeholder_shows_the_value_it_resolves_to() -> None:
    found = config("net.host=db1\nurl=http://${net.<|>host}/x\n")
    assert shown(found) == (
        "conf/app.properties:2:12 ${net.host}\n"
        "\n"
        "`${net.host}` is `db1`, set in [app.properties:1](conf/app.properties#L1).\n"
        "\n"
        "**`net.host`** · system property · no performance impact found · text"
    )


def test_a_default_an_unresolved_name_and_a_cycle() -> None:
    def text(value: str) -> str:
        found = shown(config(f"net.host=1\n{value}"))
        return "" if found is None else found.split("\n\n")[1]

    assert text("url=${my.port:80<|>}") == "`${my.port:80}` is `80` by its default."
    assert text("url=${my.po<|>rt}") == "No config file of this project sets `my.port`."
    assert text("a=${b<|>}\nb=${a}") == "`${b}` refers to itself: `a` → `b` → `a`."
    assert text("url=a<|>b${net.host}") == ""


def test_of_nested_placeholders_the_innermost_is_shown() -> None:
    found = config("net.host=inner\nx.inner=deep\nurl=${x.${net<|>.host}}\n")
    assert (shown(found) or "").startswith(
        "conf/app.properties:3:9 ${net.host}\n\n`${net.host}` is `inner`"
    )
    found = config("net.host=inner\nx.inner=deep\nurl=${<|>x.${net.host}}\n")
    assert "`${x.${net.host}}` is `deep`" in (shown(found) or "")


def test_secrets_are_not_shown() -> None:
    found = config("net.host=1\ndb.password=hunter2hunter2\nurl=${db.pass<|>word}\n")
    text = shown(found) or ""
    assert "`${db.password}` is set in [app.properties:2]" in text
    assert "hunter2" not in text
    assert hints(found) == []


def test_defaults_of_secrets_are_not_shown_at_any_depth() -> None:
    for value, written in (
        ("${a.b<|>}", "`${a.b}` is set in"),
        ("${db.pass<|>word:hunter2}", "`${db.password:(hidden)}` is a secret."),
        ("${<|>x.y:a${db.password:hunter2}}", "`${x.y:(hidden)}` is a secret."),
        ("z\ndb.password=${<|>X:hunter2}", "`${X:(hidden)}` is a secret."),
        ("z\ndb.password=${<|>X:hunter2}${Y}", "`${X:(hidden)}` is a secret."),
    ):
        found = config(f"net.host=1\na.b=${{c.d}}\nc.d=u:${{db.token:hunter2}}\nurl={value}\n")
        text = (shown(found) or "").partition("\n\n")[2]
        assert written in text and "hunter2" not in text
        assert hints(found) == []


# -- hints -------------------------------------------------------------------------------------------


def hints(found: Project, settings: Settings = QUIET) -> list[str]:
    path = "conf/app.properties"
    text = found.analysis.config_files[path].text
    made = value_hints(found.analysis, path, 0, len(text), settings, WORDING)
    return [
        f"{text[: hint.offset].count(10) + 1} {text[: hint.offset].decode()[-6:]}| {hint.label}"
        for hint in made
    ]


def test_hints_follow_values_with_placeholders() -> None:
    text = "net.host=db1\nport=80\nurl=http://${net.host}:${port}/ä\nplain=1\nbad=${nope.x}\n"
    assert hints(config(text)) == ["3 ort}/ä| = http://db1:80/ä"]
    assert hints(config(text), Settings(placeholder_hints=False)) == []
    assert hints(config(text), Settings(inlay_hints=False)) == []
    assert hints(config(text.replace("net.host", "some.host"))) == []


def test_a_hint_does_not_repeat_a_default_that_the_value_shows() -> None:
    text = (
        "net.host=db1\nport=80\ntopic=${TOPIC:zipkin}\nuri=${URI:}\nlist=${A:${B:x}}\n"
        "url=http://${HOST:localhost}:${PORT:8080}\nsame=${port:80}\n"
        "other=${port:90}\nmixed=${net.host}:${PORT:8080}\n"
    )
    assert hints(config(text)) == ["8 rt:90}| = 80", "9 :8080}| = db1:8080"]


def test_hints_outside_the_range_are_omitted_and_long_ones_shortened() -> None:
    found = config(f"net.host={'x' * 100}\nurl=${{net.host}}\n")
    (hint,) = hints(found)
    assert len(hint.partition("| ")[2]) <= 42
    made = value_hints(found.analysis, "conf/app.properties", 0, 20, QUIET, WORDING)
    assert made == ()


def test_the_tooltip_of_a_hint() -> None:
    found = config("net.host=db1\nurl=${net.host}/\n")
    (hint,) = value_hints(found.analysis, "conf/app.properties", 0, 99, QUIET, WORDING)
    assert hint.tooltip == "Resolves to `db1/`. From [app.properties:1](conf/app.properties#L1)."


# -- lenses ------------------------------------------------------------------------------------------


def lenses(found: Project, settings: Settings = QUIET) -> list[str]:
    made = config_lenses(found.analysis, "conf/app.properties", settings)
    texts = [config_lens_text(found.analysis, lens.option, settings) for lens in made]
    return [
        f"{found.show(lens.place)} | {text.title if text is not None else ''}"
        for lens, text in zip(made, texts, strict=True)
    ]


def test_a_performance_sensitive_option_that_is_set_has_a_lens() -> None:
    found = config("net.host=1\nnet.timeout=5\n")
    assert lenses(found) == [
        "conf/app.properties:2:1 net.timeout | sets how long a thread waits · 1 read"
    ]
    text = config_lens_text(found.analysis, ("system-property", "net.timeout"), QUIET)
    assert text is not None
    assert [found.show(place) for place in text.places] == ["A.java:5:36 TIMEOUT"]


def test_the_number_of_lenses_is_limited() -> None:
    twice = "net.timeout=5\nnet.timeout=6\n#---\nnet.timeout=7\n"
    assert [lens.partition(" ")[0] for lens in lenses(config(twice))] == [
        "conf/app.properties:1:1",
        "conf/app.properties:4:1",
    ]
    many = "".join("#---\nnet.timeout=5\n" for _ in range(2 * MAX_LENSES))
    assert len(lenses(config(many))) == MAX_LENSES
    assert lenses(config("net.timeout=5\n"), Settings(config_lenses=False)) == []
    assert lenses(config("net.timeout=5\n"), Settings(code_lens=False)) == []
    assert lenses(config("other=5\n")) == []


def test_a_lens_whose_option_is_gone_has_no_text() -> None:
    found = config("net.timeout=5\n")
    assert config_lens_text(found.analysis, ("system-property", "gone"), QUIET) is None
    assert config_lens_text(found.analysis, ("system-property", "net.host"), QUIET) is None
