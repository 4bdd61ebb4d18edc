"""Which files are config files of a project, and what is kept when something changes."""

from __future__ import annotations

import attrs
import pytest

from checking.keys_support import PROPERTIES, SPRING, analyse, match
from conflens.checking.namespaces import Reserved
from conflens.checking.recognition import Recognised
from conflens.documents.configfiles.model import Format
from conflens.documents.configfiles.parsing import parse
from conflens.models.load import load_models
from conflens.session.analysis import Analysis

BOUND = SPRING + (
    '@ConfigurationProperties("app") class P { private int maxSize; private String hostName;'
    " public void setMaxSize(int m) { maxSize = m; } public void setHostName(String n) { hostName = n; } }\n"
)
SYSTEM = (
    'class S { int a = Integer.getInteger("pool.max.size"); String b = System.getProperty("pool.dir.name");'
    ' String h = System.getenv("POOL_HOME"); String n = System.getProperty("name"); }'
)
KUBERNETES = (
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: app\n  labels:\n    app: x\n"
    "spec:\n  ports:\n  - port: 80\n    name: http\n"
)
OPENAPI = "openapi: 3.0.0\ninfo:\n  title: app\n  version: '1'\npaths:\n  /a:\n    get:\n      summary: x\n"
WORKFLOW = (
    "name: build\non: push\njobs:\n  build:\n    runs-on: ubuntu\n    steps:\n    - run: make\n"
)
LOG4J = "rootLogger.level=info\nappender.a.type=Console\nappender.a.name=A\nlogger.x.name=org.x\n"
BUNDLE = "title.main=Main\nbutton.ok=OK\nname=Name\nerror.size=Too large\n"


def project(path: str, text: str, java: str = BOUND + SYSTEM) -> Analysis:
    return analyse({"P.java": java, path: text})


@pytest.mark.parametrize(
    ("path", "text", "domains"),
    [
        (PROPERTIES, "app.max-size=1\nspring.a=1\nspring.b=2\n", {"spring"}),
        (
            "conf/pool.properties",
            "pool.max.size=1\npool.dir.name=a\nother.thing=2\n",
            {"system-property"},
        ),
        ("bin/run.sh", "A=1\nB=2\njava -Dpool.max.size=3 -jar a.jar\n", {"system-property"}),
        (".env", "POOL_HOME=/x\n", {"environment"}),
        (
            "distribution/conf/broker.conf",
            "# RocketMQ\npool.max.size = 1\npool.dir.name=a:b\nother.thing=\n",
            {"system-property"},
        ),
        ("conf/pool", "#!/bin/sh\njava -Dpool.max.size=3 -jar a.jar\n", {"system-property"}),
    ],
)
def test_a_config_file_of_the_project(path: str, text: str, domains: set[str]) -> None:
    found = match(project(path, text), path)
    assert found.counts and found.domains == domains
    assert found.why.endswith("keys are options that the program reads")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("deploy/service.yaml", KUBERNETES),
        ("api/openapi.yaml", OPENAPI),
        ("ci/workflow.yml", WORKFLOW),
        ("conf/logging.properties", LOG4J),
        ("src/main/resources/texts.properties", BUNDLE),
        ("src/main/resources/labels_de.properties", BUNDLE),
        ("conf/other.properties", "name=x\nversion=3\n"),
        ("conf/empty.properties", ""),
        (PROPERTIES, "spring.a=1\nserver.port=2\n"),
    ],
)
def test_unrelated_files_are_not_recognized(path: str, text: str) -> None:
    found = project(path, text).recognised.match(path)
    assert found is None or not found.counts


def test_the_users_choice_takes_precedence() -> None:
    path = "conf/other.properties"
    analysis = project(path, "pool.max.size=1\na.b=1\nc.d=2\ne.f=3\ng.h=4\n")
    assert not match(analysis, path).counts
    rows = load_models().domains
    for said in (True, False):
        recognised = Recognised.of(
            analysis.config_files, analysis.options, judged=lambda path, said=said: said, rows=rows
        )
        found = recognised.match(path)
        assert found is not None and found.counts is said
        assert recognised.config_files() == ((path,) if said else ())


def test_unchanged_matches_are_reused() -> None:
    files = {
        path: parse(path, Format.PROPERTIES, b"app.max-size=1\n")
        for path in (PROPERTIES, "conf/application.properties")
    }
    analysis = project(PROPERTIES, "")
    rows, relaxed = load_models().domains, frozenset({"spring"})
    first = Recognised.of(files, analysis.options, relaxed, rows=rows, program=analysis.program)
    one, two = (first.match(path) for path in files)
    changed = {**files, PROPERTIES: parse(PROPERTIES, Format.PROPERTIES, b"app.host-name=1\n")}
    second = Recognised.of(changed, analysis.options, relaxed, None, first, rows, analysis.program)
    assert second.match("conf/application.properties") is two
    after = second.match(PROPERTIES)
    assert after is not one and after is not None and list(after.options) == ["app.host-name"]
    assert first.match(PROPERTIES) is one
    fresh = attrs.evolve(analysis.options)
    third = Recognised.of(files, fresh, relaxed, None, second, rows, analysis.program)
    assert third.match("conf/application.properties") is not two


def test_changing_a_value_keeps_matches_and_changing_a_key_does_not() -> None:
    analysis = project(PROPERTIES, "")
    rows, relaxed = load_models().domains, frozenset({"spring"})

    def matched(text: bytes, before: Recognised | None) -> Recognised:
        files = {PROPERTIES: parse(PROPERTIES, Format.PROPERTIES, text)}
        return Recognised.of(
            files, analysis.options, relaxed, None, before, rows, analysis.program
        )

    first = matched(b"app.max-size=1\n", None)
    kept = first.match(PROPERTIES)
    second = matched(b"# more\napp.max-size=20\n", first)
    assert second.match(PROPERTIES) is kept
    (size,) = (one for one in analysis.options.options if one.name == "app.max-size")
    assert [one.value and one.value.text for _, one in second.settings_of(size)] == ["20"]
    third = matched(b"app.max-size=20\napp.host-name=a\n", second).match(PROPERTIES)
    assert third is not None and list(third.options) == ["app.max-size", "app.host-name"]


def test_where_an_option_is_set() -> None:
    analysis = project(PROPERTIES, "app.maxSize=1\napp.host-name=2\n")
    (option,) = (one for one in analysis.options.options if one.name == "app.max-size")
    ((path, assignment),) = analysis.recognised.settings_of(option)
    assert (path, assignment.name) == (PROPERTIES, "app.maxSize")


def test_reserved_names_unless_the_project_owns_them() -> None:
    rows = load_models().domains
    options = project(PROPERTIES, "").options
    reserved = Reserved.of(rows, options)
    assert reserved.holds("spring.datasource.url") and reserved.holds("logging.level.a")
    assert reserved.holds("JAVA_OPTS", {"environment"}) and reserved.holds("java.io.tmpdir", set())
    assert not reserved.holds("springs.a") and not reserved.holds("server.port", {"hadoop"})
    reads = "".join(f'String a{n} = System.getProperty("spring.own.key{n}");' for n in range(30))
    owned = Reserved.of(rows, analyse({"P.java": f"class P {{ {reads} }}"}).options)
    assert not owned.holds("spring.datasource.url") and owned.holds("logging.level.a")


def test_what_libraries_read_below_names_that_code_tells_makes_nothing_the_projects_own() -> None:
    breaker = "io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker"
    options = analyse(
        {"P.java": f'class P {{ @{breaker}(name = "pay") void pay() {{}} }}'}
    ).options
    assert len(options.options) > 25
    assert Reserved.of(load_models().domains, options).holds("resilience4j.retry.metrics.enabled")


def test_an_unknown_path() -> None:
    assert project(PROPERTIES, "").recognised.match("nowhere.properties") is None
