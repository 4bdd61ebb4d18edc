"""Completion in config files: what is offered at a cursor, and what the text is after it."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest

from conflens.base.span import Place
from conflens.checking.possible_values import Choice, value_choices
from conflens.ide.completion.completion import complete
from conflens.ide.completion.items import MAX_ITEMS, Completions, Item, ItemKind
from conflens.ide.completion.names import rest_below
from conflens.ide.settings.settings import Settings
from conflens.options.model import UNLIMITED, Default, Option, OptionTable, OptionType
from conflens.session.analysis import Analysis
from ide.toy import CURSOR, project
from ide.toy_config import RELAXED, recognised

NOWHERE = Place("A.java", 0, 0)


def option(
    name: str,
    domain: str = "app",
    type: OptionType = OptionType.UNKNOWN,
    default: str | None = None,
    values: tuple[str, ...] = (),
    unit: str = "",
    deprecated: str = "",
) -> Option:
    defaults = () if default is None else (Default(default, NOWHERE),)
    return Option(
        name, domain, type, "", values, unit, defaults, False, "", (), (), UNLIMITED, deprecated
    )


OPTIONS = (
    option("server.port", type=OptionType.PORT, default="8080"),
    option("server.host"),
    option("server.ssl.enabled", type=OptionType.BOOLEAN, default="true"),
    option("net.timeout", type=OptionType.TIME, default="30", unit="ms"),
    option("mode", type=OptionType.MODE, values=("fast", "safe"), default="safe"),
    option("db.password", type=OptionType.PASSWORD, default="secret"),
    option("old.one", deprecated="use net.timeout"),
    option("cache.*.size"),
    option("elsewhere.x", domain="other"),
)


def analysis_of(files: Mapping[str, str], options: tuple[Option, ...] = OPTIONS) -> Analysis:
    found = project(files).analysis
    table = OptionTable.of(list(options), [])
    return attrs.evolve(found, options=table, recognised=recognised(found.config_files, table))


def completed(
    files: Mapping[str, str],
    options: tuple[Option, ...] = OPTIONS,
    analysed: str | None = None,
    trigger: str = "",
    settings: Settings | None = None,
) -> tuple[Completions, str, int]:
    """Complete at the cursor; ``analysed`` is an older text of that file."""
    ((path, text),) = ((path, text) for path, text in files.items() if CURSOR in text)
    at = len(text[: text.index(CURSOR)].encode())
    present = text.replace(CURSOR, "")
    known = {**files, path: present if analysed is None else analysed}
    found = complete(
        analysis_of(known, options),
        path,
        present.encode(),
        at,
        settings or Settings(),
        trigger,
    )
    return found, present, at


def labels(text: str, path: str = "app.properties", **more: object) -> list[str]:
    found, _, _ = completed({path: text}, **more)  # type: ignore[arg-type]
    return [item.label for item in found.items]


def accepted(text: str, label: str, path: str = "app.properties", **more: object) -> str:
    """The text after an item was taken."""
    found, present, _ = completed({path: text}, **more)  # type: ignore[arg-type]
    (item,) = (item for item in found.items if item.label == label)
    raw = present.encode()
    return (raw[: item.start] + item.text.encode() + raw[item.end :]).decode()


def item_of(text: str, label: str) -> Item:
    found, _, _ = completed({"app.properties": text})
    (item,) = (item for item in found.items if item.label == label)
    return item


# -- keys --------------------------------------------------------------------------------------------


def test_keys_starting_with_the_typed_text() -> None:
    assert labels("server.port=1\nserver.<|>") == ["server.host", "server.ssl.enabled"]
    assert accepted("mode=fast\nserver.ho<|>", "server.host") == "mode=fast\nserver.host="


def test_a_word_in_the_middle_matches_and_case_does_not_matter() -> None:
    assert labels("mode=fast\nTIMEOUT<|>") == ["net.timeout"]
    assert labels("mode=fast\nssl<|>") == ["server.ssl.enabled"]
    assert labels("mode=fast\nimeout<|>") == []
    item = item_of("mode=fast\nssl<|>", "server.ssl.enabled")
    assert item.filter == "ssl.enabled server.ssl.enabled"
    assert accepted("mode=fast\nTIME<|>", "net.timeout") == "mode=fast\nnet.timeout="


def test_keys_already_set_in_the_document_are_omitted_except_the_one_being_typed() -> None:
    assert "server.port" not in labels("server.port=1\n<|>")
    assert "server.port" in labels("server.po<|>rt=1\nmode=safe")
    two = "server.port=1\n#---\nserver.<|>\n"
    assert "server.port" in labels(two)


def test_a_separator_is_not_written_twice() -> None:
    assert accepted("mode=x\nserver.h<|>=1", "server.host") == "mode=x\nserver.host=1"
    assert accepted("mode = x\nserver.h<|>", "server.host") == "mode = x\nserver.host = "


def test_the_files_namespace_comes_first_then_other_names_then_deprecated_ones() -> None:
    assert labels("server.port=1\n<|>") == [
        "server.host",
        "cache.",
        "db.password",
        "mode",
        "net.timeout",
        "server.ssl.enabled",
        "old.one",
    ]
    assert labels("mode=x\nserver.<|>") == ["server.host", "server.port", "server.ssl.enabled"]


def test_a_pattern_offers_its_fixed_part_and_then_the_rest() -> None:
    assert accepted("mode=x\nca<|>", "cache.") == "mode=x\ncache."
    assert labels("mode=x\ncache.<|>") == []
    assert labels("mode=x\ncache.users<|>") == []
    assert labels("mode=x\ncache.users.<|>") == ["cache.users.size"]
    found, _, _ = completed({"app.properties": "mode=x\nca<|>"})
    assert [item.kind for item in found.items] == [ItemKind.NAMESPACE]


def test_only_the_domains_of_the_file() -> None:
    assert "elsewhere.x" not in labels("mode=x\n<|>")
    known = (*OPTIONS, option("elsewhere.y", domain="other"))
    assert labels("elsewhere.x=1\nmode=1\nels<|>=2", options=known) == ["elsewhere.y"]


def test_an_excluded_file_has_no_completion() -> None:
    assert labels("something=1\nser<|>") == []
    assert labels("# mode\nser<|>", path="messages.properties") == []
    found, _, _ = completed({"notes.txt": "server.<|>", "app.properties": "mode=1"})
    assert found.items == ()
    assert labels("mode=1\nser<|>", settings=Settings(completion=False)) == []


def test_comments_have_no_completion() -> None:
    assert labels("mode=1\n# server.<|>") == []


def test_the_list_is_cut_at_the_limit_and_marked_incomplete() -> None:
    many = tuple(option(f"a.b{number:04}") for number in range(1000))
    found, _, _ = completed({"app.properties": "a.b0000=1\n<|>"}, many)
    assert (len(found.items), found.incomplete) == (MAX_ITEMS, True)
    assert found.items[0].label == "a.b0001"
    found, _, _ = completed({"app.properties": "a.b0000=1\na.b09<|>"}, many)
    assert (len(found.items), found.incomplete) == (100, False)


def test_the_text_is_current_and_the_assignments_come_from_the_analysis() -> None:
    old = "mode=1\nserver.port=1\n"
    assert labels("mode=1\nserver.<|>\nserver.port=1\n", analysed=old) == [
        "server.host",
        "server.ssl.enabled",
    ]


def test_details() -> None:
    details = {}
    found, _, _ = completed({"app.properties": "elsewhere.x=1\nserver.host=1\n<|>"})
    for item in found.items:
        details[item.label] = item.detail
    assert details["server.port"] == "port, default 8080"
    assert details["net.timeout"] == "time in ms, default 30"
    assert details["mode"] == "fast | safe, default safe"
    assert details["db.password"] == "password"
    assert details["cache."] == ""


def test_of_equal_names_in_two_domains_one_is_offered() -> None:
    twins = (option("a.b", "settings"), option("a.b", "kafka", default="1"), option("a.c"))
    known = (*twins, option("z.z", "settings"), option("z.z", "kafka"))
    found, _, _ = completed({"app.properties": "a.c=1\nz.z=2\na.<|>"}, known)
    assert [(item.label, item.option) for item in found.items] == [("a.b", ("kafka", "a.b"))]


def test_relaxed_spellings_match_an_option_and_variables_are_written_as_such() -> None:
    known = (option("server.maxConns", RELAXED), option("server.port", RELAXED))
    found, _, _ = completed({"app.properties": "server.port=1\nserver.max-co<|>"}, known)
    (item,) = found.items
    assert (item.label, item.filter) == (
        "server.maxConns",
        "server.max-conns server.maxConns",
    )
    assert labels("SERVER_PORT=1\nSER<|>", path=".env", options=known) == ["SERVER_MAXCONNS"]


def test_non_ascii_characters_before_the_cursor() -> None:
    text = "mode=😀é\nserver.h<|>"
    assert accepted(text, "server.host") == "mode=😀é\nserver.host="


def test_a_cursor_past_the_end() -> None:
    found = complete(
        analysis_of({"a.properties": "mode=1\n"}), "a.properties", b"mode=1\n", 99, Settings()
    )
    assert found.items


# -- values ------------------------------------------------------------------------------------------


def test_values_with_the_default_first() -> None:
    found, _, _ = completed({"app.properties": "mode=<|>"})
    assert [(item.label, item.preferred) for item in found.items] == [
        ("safe", True),
        ("fast", False),
    ]
    assert accepted("mode=sa<|>fe", "fast") == "mode=fast"
    assert labels("server.ssl.enabled=<|>") == ["true", "false"]
    assert labels("server.host=<|>") == []


def test_a_secret_has_no_values() -> None:
    assert labels("db.password=<|>") == []


def test_a_key_newer_than_the_analysis_has_values() -> None:
    assert labels("net.timeout=1\nmode=<|>", analysed="net.timeout=1\n") == ["safe", "fast"]


def test_a_space_offers_values_only_where_a_value_starts() -> None:
    assert labels("mode= <|>", trigger=" ") == ["safe", "fast"]
    assert labels("mode=a <|>", trigger=" ") == []
    assert labels("mode=a\n <|>", trigger=" ") == []
    assert labels("mode=a\n<|>", trigger=".") != []


def test_class_names_come_from_the_program() -> None:
    known = option("codec", type=OptionType.STRING, default="plain")
    analysis = analysis_of({"a.properties": "codec=1"}, (known,))
    assert value_choices(analysis, known)[:1] == (Choice("plain", "default"),)


# -- placeholders ------------------------------------------------------------------------------------


def test_names_in_placeholders() -> None:
    files = {
        "app.properties": "my.host=h\nserver.host=x\nurl=http://${<|>",
        "other.properties": "server.host=1\nfar.away=2\n",
    }
    found, _, at = completed(files)
    shown = [(item.label, item.detail) for item in found.items]
    assert shown[:3] == [("my.host", "h"), ("server.host", "x"), ("url", "http://${")]
    assert ("far.away", "2") in shown[3:]
    assert ("server.port", "port, default 8080") in shown[3:]
    assert found.items[0].text == "my.host}"
    assert (found.items[0].start, found.items[0].end) == (at, at)


def test_a_closed_placeholder_keeps_its_brace() -> None:
    assert accepted("mode=1\nurl=${mo<|>xx}/a", "mode") == "mode=1\nurl=${mode}/a"
    assert accepted("mode=1\nurl=${mo<|>:8}/a", "mode") == "mode=1\nurl=${mode:8}/a"
    assert accepted("mode=1\nurl=é${mo<|> and", "mode") == "mode=1\nurl=é${mode} and"


def test_nothing_is_offered_after_the_colon_of_a_placeholder() -> None:
    assert labels("mode=1\nurl=${mode:sa<|>}") == []


def test_a_secret_set_in_the_file_is_not_shown() -> None:
    found, _, _ = completed({"app.properties": "db.password=hunter2\nurl=${<|>"})
    assert [item.detail for item in found.items if item.label == "db.password"] == [""]


# -- formats -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "text", "label", "after"),
    [
        ("a.yml", "server:\n  port: 1\n  ss<|>\n", "ssl.enabled",
         "server:\n  port: 1\n  ssl:\n    enabled: \n"),
        ("a.yml", "mode: fast\nser<|>\n", "server.host", "mode: fast\nserver:\n  host: \n"),
        ("a.yml", "mode: 1\nserver: {port: 1, <|>}\n", "host", "mode: 1\nserver: {port: 1, host: }\n"),
        ("a.yml", "mode: 1\ncac<|>\n", "cache", "mode: 1\ncache:\n  \n"),
        ("a.yml", "mode: 1\ncache:\n  users:\n    <|>\n", "size",
         "mode: 1\ncache:\n  users:\n    size: \n"),
        ("a.yml", "mode: <|>\n", "safe", "mode: safe\n"),
        ("a.yml", "mode: 'sa<|>'\n", "fast", "mode: 'fast'\n"),
        ("a.yml", 'mode: "<|>"\n', "fast", 'mode: "fast"\n'),
        ("a.yml", 'mode: 1\nu: "é${mo<|>}"\n', "mode", 'mode: 1\nu: "é${mode}"\n'),
        ("a.toml", "mode = 'x'\n[server]\nss<|>\n", "ssl.enabled",
         "mode = 'x'\n[server]\nssl.enabled = \n"),
        ("a.toml", "mode = <|>\n", "fast", 'mode = "fast"\n'),
        ("a.toml", "mode = 'f<|>'\n", "fast", "mode = 'fast'\n"),
        ("a-site.xml", "<configuration>\n<property><name>mode</name><value><|></value></property>\n</configuration>",
         "fast", "<configuration>\n<property><name>mode</name><value>fast</value></property>\n</configuration>"),
        ("a-site.xml", "<configuration>\n<property><name>mode</name><value>1</value></property>\n<|>\n</configuration>",
         "server.ssl.enabled",
         "<configuration>\n<property><name>mode</name><value>1</value></property>\n"
         "<property><name>server.ssl.enabled</name><value></value></property>\n</configuration>"),
        ("run.sh", "java -Dmode=fast -Dser<|> A", "server.host", "java -Dmode=fast -Dserver.host= A"),
        ("run.sh", "java -Dmode=<|> A", "fast", "java -Dmode=fast A"),
    ],
)  # fmt: skip
def test_formats(path: str, text: str, label: str, after: str) -> None:
    assert accepted(text, label, path) == after


def test_keys_whose_section_exists_elsewhere_make_room_for_others() -> None:
    """However many there are: what can be written at the cursor is still found."""
    many = tuple(option(f"app.group{at:04}.size") for at in range(3000))
    there = "".join(f"  group{at:04}:\n    size: 1\n" for at in range(2990))
    found, _, _ = completed({"a.yml": f"app:\n{there}  gr<|>\n"}, many)
    assert [item.label for item in found.items] == [f"group{at}.size" for at in range(2990, 3000)]
    assert not found.incomplete
    assert labels(f"app:\n{there}app<|>\n", "a.yml", options=many) == []


def test_whole_names_are_offered_next_to_sections_where_people_write_them() -> None:
    text = "mode: 1\nserver:\n  port: 1\nserver.<|>\n"
    assert labels(text, "a.yml") == ["server.host", "server.ssl.enabled"]


def test_a_read_only_format_has_no_completion() -> None:
    assert labels("mode = fast\nserver {\n  po<|>\n}", "application.conf") == []


@pytest.mark.parametrize(
    "path", ["a.properties", "a.yml", "a.toml", "a-site.xml", ".env", "run.sh", "a.conf"]
)
def test_any_cursor_in_a_truncated_text_is_accepted(path: str) -> None:
    text = 'mode: \'é\n😀 [server\n -Dmode=${a\nmode=<name>${\n{"x": \\\n\t- a: b\n'
    analysis = analysis_of({path: "mode=1\n", "b.properties": "mode=1\n"})
    for at in range(len(text.encode()) + 2):
        torn = text.encode()[: at + 7].decode("utf-8", "replace").encode()
        complete(analysis, path, torn, at, Settings())
        complete(analysis, path, text.encode(), at, Settings())


# -- names -------------------------------------------------------------------------------------------


def test_remaining_key_parts_below_sections() -> None:
    def rest(name: str, parents: str, typed: str = "", loose: bool = False) -> str | None:
        found = rest_below(name, parents, typed, loose)
        return None if found is None else found.name

    assert rest("server.port", "server") == "port"
    assert rest("server.port", "serv") is None
    assert rest("server", "server") is None
    assert rest("my-server.port", "myServer") is None
    assert rest("my-server.port", "myServer", loose=True) == "port"
    assert rest("servers[*].port", "servers[0]") == "port"
    assert rest("a.*.b.c", "a.x") == "b.c"
    assert rest("a.*.b.c", "a.x.b", "c") == "c"
    assert rest("a.*.b.*.c", "", "a.x.b.y.") == "a.x.b.y.c"
    assert rest("a.*.b.*.c", "", "a.x.") == "a.x.b."
    assert rest("*", "") is None
    assert rest("maxPollRecords", "", "poll") == "maxPollRecords"
    assert rest("İx.port", "", "port") == "İx.port"


@pytest.mark.parametrize(
    "text", ["<|>", "ca<|>\n", "server:\n  <|>\n", "cache:\n  users:\n    <|>\n"]
)
def test_no_label_in_yaml_ends_with_a_dot(text: str) -> None:
    found, _, _ = completed({"a.yml": f"mode: 1\n{text}"})
    assert found.items
    assert [item.label for item in found.items if item.label.endswith(".")] == []


VALUES = ("a b", "it's", "fast", "null", "on")
ODD = (*OPTIONS, option("kind", type=OptionType.MODE, values=VALUES))


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        # A text in quotes cannot have others in it.
        ("run.sh", 'export JAVA_OPTS="-Dkind=<|>y $X -Dmode=fast"\n', {"fast", "null", "on"}),
        ("run.sh", "java -Dkind=<|>y -Dmode=fast A\n", {*VALUES}),
        ("a.toml", "mode = 'safe'\nkind = '<|>x'\n", {*VALUES} - {"it's"}),
        ("a.toml", "mode = 'safe'\nkind = \"<|>x\"\n", {*VALUES}),
        ("a.yml", "mode: safe\nkind: <|>x\n", {*VALUES} - {"null"}),
        ("a.yml", "mode: safe\nkind: '<|>x'\n", {*VALUES}),
        (".env", 'mode=safe\nkind=<|>"x"\n', set[str]()),
        ("a.properties", "mode=safe\nkind=<|>x\n", {*VALUES}),
    ],
)
def test_only_values_that_are_read_as_themselves_are_offered(
    path: str, text: str, wanted: set[str]
) -> None:
    found, _, _ = completed({path: text}, ODD)
    assert {item.label for item in found.items} == wanted


def test_values_of_a_large_file_are_offered_without_reading_it() -> None:
    text = f"mode=safe\n{'# a comment' * 10_000}\nkind=<|>x\n"
    found, _, _ = completed({"a.properties": text}, ODD)
    assert {item.label for item in found.items} == {"fast", "on"}


def test_a_table_of_toml_that_is_declared_gets_no_dotted_keys_from_above() -> None:
    text = "mode = 'safe'\n<|>\n[server]\nport = 1\n"
    found, _, _ = completed({"a.toml": text})
    names = {item.label for item in found.items}
    assert "net.timeout" in names and not any(name.startswith("server.") for name in names)
    text = "mode = 'safe'\nserver.port = 1\n<|>\n"
    found, _, _ = completed({"a.toml": text})
    assert "server.host" in {item.label for item in found.items}


def test_values_of_keys_that_feed_secrets_or_may_be_misspelt_ones_are_not_shown() -> None:
    plain = attrs.evolve(option("app.one"), target="password")
    pattern = attrs.evolve(option("app.users.*.pass"), target="pass")
    files = {
        "app.properties": "server.host=x\nx=${<|>",
        "other.properties": "app.one=${ONE}\nONE=hunter\nTWO=hunter\napp.oen=hunter\napp.num=17\napp.dir=/opt/x\n"
        "app.users.a.pas=hunter\nfar.name=h\nfar.more=${app.one:hunter}\n",
    }
    found, _, _ = completed(files, (*OPTIONS, plain, pattern))
    shown = {item.label: item.detail for item in found.items}
    assert shown["far.name"] == "h" and shown["app.num"] == "17" and shown["app.dir"] == "/opt/x"
    assert shown["TWO"] == "hunter"  # nothing tells that it is one
    for name in ("app.one", "ONE", "app.oen", "app.users.a.pas", "far.more"):
        assert "hunter" not in shown[name], name
