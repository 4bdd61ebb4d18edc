"""Renames of names that more than one place means: entries of lists and maps, frameworks, programs side by side."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.ide.rename.edits import Part
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.rename import Renamed, renamed
from session.support import session

POOLS = """package p;
import org.springframework.boot.context.properties.ConfigurationProperties;
@ConfigurationProperties("toy")
class A {
    private java.util.Map<String, Pool> pools = new java.util.HashMap<>();
    private Pool main = new Pool();
    public java.util.Map<String, Pool> getPools() { return pools; }
    public Pool getMain() { return main; }
    static class Pool {
        private int size = 1;
        private int maxSize = 2;
        public int getSize() { return size; }
        public void setSize(int s) { size = s; }
        public int getMaxSize() { return maxSize; }
        public void setMaxSize(int s) { maxSize = s; }
    }
}
"""
YAML = "toy:\n  main:\n    size: 3\n  pools:\n    x:\n      size: 4\n"
VALUE = """package a;
import org.springframework.beans.factory.annotation.Value;
class A { @Value("${%s:3}") int x; }
"""


def rename(files: dict[str, str], path: str, mark: str, new: str) -> Renamed:
    analysis = session(MemorySystem(files)).scan()
    found = renamed(analysis, path, files[path].index(mark), new)
    assert found is not None
    return found


def after(files: dict[str, str], found: Renamed, path: str) -> str:
    edits = [
        (one.place.start, one.place.end, one.text) for one in found.edits if one.place.path == path
    ]
    text = files[path].encode()
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new.encode() + text[end:]
    return text.decode()


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        (
            "docker-compose.yml",
            "services:\n  app:\n    environment:\n      TOY_POOLS_X_SIZE: 8\n      TOY_MAIN_SIZE: 9\n",
            ("TOY_POOLS_X_LIMIT: 8", "TOY_MAIN_LIMIT: 9"),
        ),
        (".env", "TOY_POOLS_MY_POOL_SIZE=8\nTZ=UTC\n", ("TOY_POOLS_MY_POOL_LIMIT=8", "TZ=UTC")),
        (
            ".env",
            "TOY_POOLS_X_MAX_SIZE=8\nTOY_POOLS_X_MAXSIZE=9\n",
            ("X_MAX_SIZE=8", "X_MAXSIZE=9"),
        ),
        (
            "run.sh",
            "java -Dtoy.pools[0].size=1 -jar app.jar --toy.pools.x.size=8 --toy.pools.x.sizes=9\n",
            ("-Dtoy.pools[0].limit=1", "--toy.pools.x.limit=8", "--toy.pools.x.sizes=9"),
        ),
        (
            "k8s.yml",
            "env:\n- name: JAVA_OPTS\n  value: -Dtoy.pools.x.size=8 -Dtoy.pools.x.max-size=2\n",
            ("-Dtoy.pools.x.limit=8", "-Dtoy.pools.x.max-size=2"),
        ),
    ],
)
def test_entries_of_a_map_follow_their_member(
    path: str, text: str, wanted: tuple[str, ...]
) -> None:
    files = {"p/A.java": POOLS, "application.yml": YAML, path: text}
    found = rename(files, "application.yml", "size: 3", "toy.main.limit")
    said = after(files, found, path)
    for one in wanted:
        assert one in said
    assert "size: 4" not in after(files, found, "application.yml")


def test_a_key_of_a_framework_is_confirmed_by_a_person() -> None:
    files = {"A.java": VALUE % "server.port", "application.yml": "server:\n  port: 80\n"}
    found = rename(files, "A.java", "server.port", "app.port")
    assert {one.sure for one in found.edits} == {False}
    file = "src/main/resources/application.yml"
    own = {"A.java": VALUE % "toy.port", file: "toy:\n  port: 80\n"}
    found = rename(own, "A.java", "toy.port", "app.port")
    assert {one.part for one in found.edits} == {Part.CODE, Part.CONFIG}
    assert {one.sure for one in found.edits} == {True}


def test_a_file_of_a_program_beside_is_confirmed_by_a_person() -> None:
    def pom(name: str) -> str:
        return f"<project><artifactId>{name}</artifactId></project>"

    modules = "<project><artifactId>all</artifactId><modules><module>a</module><module>b</module></modules></project>"
    keys = "toy:\n  pool:\n    size: 4\n"
    files = {
        "pom.xml": modules,
        "a/pom.xml": pom("a"),
        "b/pom.xml": pom("b"),
        "a/src/main/java/a/A.java": VALUE % "toy.pool.size",
        "b/src/main/java/b/B.java": (VALUE % "toy.mode").replace("package a", "package b"),
        "a/src/main/resources/application.yml": keys,
        "b/src/main/resources/application.yml": keys + "  mode: 1\n",
        "deploy/application.yml": keys,
    }
    found = rename(files, "a/src/main/java/a/A.java", "toy.pool.size", "toy.pool.limit")
    sure = {one.place.path: one.sure for one in found.edits}
    assert sure == {
        "a/src/main/java/a/A.java": True,
        "a/src/main/resources/application.yml": True,
        "b/src/main/resources/application.yml": False,
        "deploy/application.yml": False,
    }


KEYS = "toy.pool.size=8\ntoy.mode=x\n"
TREE = "toy:\n  pool:\n    size: 8\n  mode: x\n"


@pytest.mark.parametrize(
    ("path", "text", "beside", "sure"),
    [
        ("a/src/main/resources/application.properties", KEYS, "", True),
        ("a/src/main/resources/config/application-dev.yml", TREE, "", True),
        ("a/src/main/resources/bootstrap.yml", TREE, "a/package.json", True),
        ("a/src/main/resources/x/application.properties", KEYS, "", False),
        ("a/src/main/resources/messages.properties", KEYS, "", False),
        ("a/src/main/resources/application.properties", KEYS, "a/src/build.gradle", False),
        ("a/application.properties", KEYS, "", False),
        ("a/conf/app.properties", KEYS, "a/package.json", False),
        ("application.properties", KEYS, "package.json", False),
        ("legacy/src/main/resources/application.properties", KEYS, "legacy/pom.xml", False),
        ("legacy/src/main/resources/application.properties", KEYS, "", False),
        ("deploy/other/application.properties", KEYS, "", False),
        ("docker/grafana/application.properties", KEYS, "", False),
        ("helm/values.yaml", TREE, "", False),
        ("chart/values.yaml", TREE, "chart/Chart.yaml", False),
        ("ansible/group_vars/all.yml", TREE, "", False),
        ("i18n/messages.properties", KEYS, "", False),
        ("worker/.env", "TOY_POOL_SIZE=8\nTOY_MODE=x\n", "worker/package.json", False),
        ("worker/conf/app.properties", KEYS, "worker/main.py", False),
    ],
)
def test_only_keys_that_the_framework_reads_in_the_module_of_the_code_are_sure(
    path: str, text: str, beside: str, sure: bool
) -> None:
    two = '@Value("${toy.pool.size:3}") int x; @Value("${toy.mode:a}") String'
    files = {
        "a/pom.xml": "<project><artifactId>a</artifactId></project>",
        "a/src/main/java/a/A.java": (VALUE % "toy.mode").replace(
            '@Value("${toy.mode:3}") int', two
        ),
        path: text,
    }
    files |= {beside: "<project/>"} if beside else {}
    found = rename(files, "a/src/main/java/a/A.java", "toy.pool.size", "toy.pool.limit")
    assert {one.sure for one in found.edits if one.place.path == path} == {sure}


JOBS = """package p;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.beans.factory.annotation.Value;
@ConfigurationProperties("app")
class A {
    private java.util.Map<String, Job> jobs = new java.util.HashMap<>();
    public java.util.Map<String, Job> getJobs() { return jobs; }
    static class Job {
        private String cron = "-";
        public String getCron() { return cron; }
        public void setCron(String s) { cron = s; }
    }
}
class B { @Value("${app.jobs.cleanup.cron:-}") String cron; @Value("${app.mode:a}") String mode; }
"""


def test_a_key_that_two_options_mean_is_confirmed_by_a_person() -> None:
    path = "src/main/resources/application.yml"
    files = {
        "p/A.java": JOBS,
        path: "app:\n  mode: b\n  jobs:\n    cleanup:\n      cron: x\n    other:\n      cron: y\n",
    }
    found = rename(files, "p/A.java", "app.jobs.cleanup.cron", "app.jobs.cleanup.at")
    assert {one.sure for one in found.edits if one.place.path == path} == {False}
    found = rename(files, "p/A.java", "app.mode", "app.kind")
    assert {one.sure for one in found.edits if one.place.path == path} == {True}


def test_too_many_entries_are_refused() -> None:
    text = "".join(f"TOY_POOLS_X{number}_SIZE=8\n" for number in range(301))
    files = {"p/A.java": POOLS, "application.yml": YAML, ".env": text}
    with pytest.raises(RefusedError, match="more than 300 entries"):
        rename(files, "application.yml", "size: 3", "toy.main.limit")
