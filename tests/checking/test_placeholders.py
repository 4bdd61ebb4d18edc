"""Placeholders in config files: what they come to, which are wrong, and how much is left alone."""

import attrs
import pytest

from conflens.checking.placeholder_syntax import ANY, references, template
from conflens.checking.placeholder_values import MAX_TEXT
from conflens.checking.placeholders import Resolution, findings, referenced, resolved
from conflens.checking.recognition import Recognised
from conflens.documents.configfiles.model import ConfigFile, Format
from conflens.documents.configfiles.parsing import parse
from conflens.models.load import load_models
from conflens.options.model import Option, OptionTable, OptionType

ROWS = load_models().domains
RELAXED = frozenset(row.domain for row in ROWS if row.relaxed)
MAIN = "src/main/resources/application.properties"
OPTIONS = {"spring": ("app.name", "app.url", "app.host", "app.port", "app.read-only")}


@attrs.frozen
class Looked:
    config_files: dict[str, ConfigFile]
    recognised: Recognised
    complete: bool = True


def looked(
    files: dict[str, str], domain: str = "spring", options: tuple[str, ...] = (), **others: bool
) -> Looked:
    parsed = {path: parse(path, _format(path), text.encode()) for path, text in files.items()}
    named = [
        Option(name, domain, OptionType.STRING, "", (), "", (), False, "", (), ())
        for name in (*OPTIONS.get(domain, ()), *options)
    ]
    table = OptionTable.of(named, [])
    return Looked(parsed, Recognised.of(parsed, table, RELAXED, rows=ROWS), **others)


def _format(path: str) -> Format:
    forms = {"xml": Format.XML, "env": Format.ENVIRONMENT, "sh": Format.ARGUMENTS}
    return forms.get(path.rpartition(".")[2], Format.PROPERTIES)


def value(text: str, name: str = "app.url", **files: str) -> Resolution:
    subject = looked({MAIN: "app.name=x\n" + text, **files})
    (found,) = subject.config_files[MAIN].by_name[name][-1:]
    return resolved(subject.recognised, MAIN, found)


def said(text: str, domain: str = "spring", path: str = MAIN, **others: object) -> list[str]:
    """What is found in one file of a project: the text at the place, and the message."""
    subject = looked({path: text, **others.pop("files", {})}, domain, **others)  # type: ignore[arg-type, dict-item]
    return [
        f"{subject.config_files[path].text[one.place.start : one.place.end].decode()} {one.message}"
        for one in findings(subject, path)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("app.url=http://${app.host}/\napp.host=h", "http://h/"),
        ("app.url=${app.${app.which}}\napp.which=host\napp.host=h", "h"),
        ("app.url=${H:8080}", "8080"),
        ("app.url=${H:-8080}", "-8080"),
        ("app.url=${H:}", ""),
        ("app.url=${H:http://x:1/}", "http://x:1/"),
        ("app.url=${H:${app.host}}\napp.host=h", "h"),
        ("app.url=${app.host:no}\napp.host=h", "h"),
        ("app.url=${app.port}${app.port}\napp.port=1", "11"),
        ("app.url=#{'${app.host}'.length()}\napp.host=h", "#{'h'.length()}"),
        ("app.url=@project.version@", "@project.version@"),
        ("app.url={{ app.host }}", "{{ app.host }}"),
        ("app.url=\\\\${app.host}\napp.host=h", "\\${app.host}"),
        ("app.url=$${app.host}\napp.host=h", "$${app.host}"),
        ("app.url=${app.host", "${app.host"),
        ("# ${comment}\n! ${comment}\napp.url=${app.host}\napp.host=h", "h"),
        ("app.url=a\\\n  ${app.host}\napp.host=\\u0068", "ah"),
        ("app.url=${map[a.b]}\nmap[a.b]=1", "1"),
    ],
)
def test_a_placeholder_resolves_to_a_value(text: str, expected: str) -> None:
    found = value(text)
    assert (found.text, found.complete) == (expected, True)


def test_the_origin_of_a_resolved_value() -> None:
    found = value("app.url=${app.host}:${P:1}\napp.host=${app.name}")
    assert found.text == "x:1" and found.defaults == (("P", "1"),)
    assert [one.name for _, one in found.sources] == ["app.host", "app.name"]


def test_a_name_without_a_value_stays_as_written() -> None:
    found = value("app.url=${app.name}/${no.such}")
    assert (found.text, found.complete, found.missing) == ("x/${no.such}", False, ("no.such",))


def test_a_cycle_is_detected_and_not_followed() -> None:
    found = value("app.url=${app.host}\napp.host=${app.port}\napp.port=${app.host}")
    assert not found.complete
    assert found.cycle == ("app.host", "app.port", "app.host")


def test_other_files_are_searched_and_ambiguous_values_are_not_used() -> None:
    text = "app.url=${app.host}"
    one = {"src/main/resources/application-a.properties": "app.host=a\napp.port=1"}
    two = {"src/main/resources/application-b.properties": "app.host=b\napp.port=1"}
    assert value(text, **one).text == "a"
    assert not value(text, **one, **two).complete
    assert not value("app.url=${app.host:c}", **one, **two).complete


def test_profile_specific_values_apply_only_under_their_profile() -> None:
    text = "app.url=${app.host}\n%dev.app.host=d\n%dev.app.url=${app.host}/d"
    subject = looked({MAIN: text})
    plain, dev = subject.config_files[MAIN].by_name["app.url"]
    assert not resolved(subject.recognised, MAIN, plain).complete
    assert resolved(subject.recognised, MAIN, dev).text == "d/d"


def test_exponential_expansion_stops_early() -> None:
    lines = [f"app.b{n}=" + f"${{app.b{n + 1}}}" * 10 for n in range(30)]
    found = value("\n".join(["app.url=${app.b0}", *lines, "app.b30=boom"]))
    assert not found.complete and len(found.text) <= MAX_TEXT
    deep = "\n".join(f"app.d{n}=${{app.d{n + 1}}}" for n in range(5000))
    assert not value(f"app.url=${{app.d0}}\n{deep}").complete
    for piece in ("${", "${a:", "${a${", "}", "{", "${a}"):
        list(references(template(piece * 20_000, ANY)))
        assert len(value(f"app.url={piece * 20_000}").text) <= MAX_TEXT
    said(f"app.name=x\n{deep}\napp.d5000=${{app.d0}}\n")
    ring = "\n".join(f"app.r{n}=${{app.r{(n + 1) % 100}}}" for n in range(100))
    told = said(f"app.name=x\n{ring}\n")
    assert len(told) == 100 and told[0].endswith("app.r6 -> app.r7 -> … -> app.r0.")


def test_an_unresolved_name_in_a_namespace_of_the_project_is_reported() -> None:
    text = "app.name=a\napp.host=h\napp.url=${app.hots}/${app.host}/${app.other}\n"
    assert said(text) == [
        "${app.hots} Nothing sets app.hots. Did you mean app.host?",
        "${app.other} Nothing sets app.other.",
    ]


def test_the_fix_inserts_the_suggested_name() -> None:
    subject = looked({MAIN: "# é\napp.host=h\napp.url=é${app.hots}\n"})
    (finding,) = findings(subject, MAIN)
    (edit,) = finding.fixes[0].edits
    text = subject.config_files[MAIN].text
    mended = text[: edit.place.start] + edit.text.encode() + text[edit.place.end :]
    assert mended.decode() == "# é\napp.host=h\napp.url=é${app.host}\n"


@pytest.mark.parametrize(
    "value_text",
    [
        "${no.such.namespace}",
        "${single}",
        "${app.missing:default}",
        "${app.missing:}",
        "${DB_HOST}",
        "${java.io.tmpdir}",
        "${user.home}",
        "${project.version}",
        "${random.uuid}",
        "${spring.application.name}",
        "${app.password}",
        "@app.missing@",
        "#{app.missing}",
        "{{app.missing}}",
        "#{systemProperties['app.missing']}",
        "\\\\${app.missing}",
        "$${app.missing}",
        "${app.missing",
        "${app.${X}}",
        "${{ app.missing }}",
        "${app.readOnly}",
        "${app.port}",
        "${app}",
    ],
)
def test_names_that_may_be_defined_elsewhere_are_not_reported(value_text: str) -> None:
    assert said(f"app.name=a\napp.read-only=true\napp.url={value_text}\n") == []


def test_names_defined_by_a_script_or_another_file_are_not_reported() -> None:
    text = "app.name=a\napp.host=b\napp.url=${app.given}\n"
    assert said(text) != []
    assert said(text, files={"run.sh": "java -Dapp.given=1 -jar x.jar\n"}) == []
    assert said(text, files={"other.properties": "app.given=1\n"}) == []
    assert said(text, complete=False) == []


def test_files_of_other_programs_and_formats_are_not_checked() -> None:
    assert said("other.name=a\nother.url=${other.nmae}\n", path="src/other.properties") == []
    assert said("app.name=a\napp.host=b\napp.url=${app.hots}\n", domain="kafka") == []
    assert said("APP_NAME=a\nAPP_URL=${app.name}\n", path="app.env") == []


def test_a_cycle_is_reported_on_each_of_its_keys() -> None:
    text = "app.name=${app.url}\napp.url=${app.host}\napp.host=x${app.name}\napp.port=${app.url}\n"
    assert said(text) == [
        "${app.url} The value of app.name refers to itself: "
        "app.name -> app.url -> app.host -> app.name.",
        "${app.host} The value of app.url refers to itself: "
        "app.url -> app.host -> app.name -> app.url.",
        "${app.name} The value of app.host refers to itself: "
        "app.host -> app.name -> app.url -> app.host.",
    ]


def test_a_self_reference_is_a_cycle_unless_the_name_may_be_defined_elsewhere() -> None:
    assert said("app.name=a\napp.url=${app.url}\n") == [
        "${app.url} The value of app.url refers to itself: app.url -> app.url."
    ]
    text = "app.name=a\napp.host=b\nversion=${version}\nPORT=${PORT}\nuser.dir=${user.dir}\n"
    assert said(text) == []
    script = {"run.sh": "java -Dapp.url=1\n"}
    assert said("app.name=a\napp.url=${app.url}\n", files=script) == []
    assert said("app.name=a\napp.url=${app.host:${app.url}}\n") == []


def test_hadoop_dash_defaults_and_environment_lookups() -> None:
    def entry(name: str, value: str) -> str:
        return f"<property><name>{name}</name><value>{value}</value></property>\n"

    text = (
        "<configuration>\n"
        + entry("job.dir", "${env.JOB_DIR:-/tmp}/${user.name}")
        + entry("job.tmp", "${job.dri}")
        + entry("job.log", "${job.dir}/log")
        + "</configuration>\n"
    )
    options = ("job.dir", "job.tmp", "job.log")
    path = "conf/job-site.xml"
    if not looked({path: text}, "hadoop", options).config_files[path].assignments:
        pytest.fail("the reader of this format gives nothing")
    assert said(text, "hadoop", path, options=options) == [
        "${job.dri} Nothing sets job.dri. Did you mean job.dir?"
    ]


def test_referenced_names_count_as_used() -> None:
    text = "a=${x.y}\nb=${p.${q}:${r.s}}\nc=#{'${t.u}'}\nd=@no@\ne=${sys:v.w}\nf=\\\\${no.no}\n# ${no.no}\n"
    file = parse("a.properties", Format.PROPERTIES, text.encode())
    assert referenced(file) == {"x.y", "p.*", "q", "r.s", "t.u", "sys", "v.w"}
