"""Variables and options that scripts and containers give to programs: each new name is confirmed by a person."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.harmless import applied
from conflens.ide.rename.edits import Part
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.rename import renamed
from conflens.ide.rename.variables import has_variables
from session.support import session
from steps import steps

JAVA = """package p;
import org.springframework.core.env.Environment;
class A {
    int m(Environment e) {
        return e.getProperty("toy.pool.size", Integer.class) + e.getProperty("toy.pool.idle", Integer.class);
    }
}
"""
ENVIRONMENT = """package p;
class A {
    int size = Integer.parseInt(System.getenv("TOY_POOL_SIZE"));
    String home = System.getenv("TOY_HOME");
    String port = System.getenv("PORT");
}
"""
COUNTING = (
    '[configuration]\npaths = ["bin/*", "Dockerfile", "docker-compose.yml", "toy.service"]\n'
)
HOCON = """package p;
import com.typesafe.config.Config;
class A { int m(Config c) { return c.getInt("toy.pool.size") + c.getInt("toy.pool.idle"); } }
"""


def after(java: str, files: dict[str, str], old: str, new: str) -> dict[str, str]:
    """The files after all edits; those of scripts and containers are not sure."""
    every = {"A.java": java, ".conflens.toml": COUNTING, **files}
    analysis = session(MemorySystem(every)).scan()
    found = renamed(analysis, "A.java", java.index(old) + 1, new)
    assert found is not None
    for edit in found.edits:
        file = analysis.config_files.get(edit.place.path)
        assert file is None or not has_variables(file) or not edit.sure
    return {
        path: applied(
            text.encode(), [edit for edit in found.edits if edit.place.path == path]
        ).decode()
        for path, text in every.items()
    }


SH = ": ${TOY_POOL_SIZE:=4}\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("bin/start.sh", SH + "export TOY_POOL_SIZE\nexec java -Dtoy.pool.size=\"$TOY_POOL_SIZE\" p.A\n"),
        ("bin/start.sh", SH + "if [ -z \"${TOY_POOL_SIZE+x}\" ] || [ ${#TOY_POOL_SIZE} = 0 ]; then unset TOY_POOL_SIZE; fi\n"),
        ("bin/start.sh", SH + "# TOY_POOL_SIZE: see /TOY_POOL_SIZE.txt\necho \"TOY_POOL_SIZE is $((TOY_POOL_SIZE + 1)).\"\n"),
        ("bin/start.sh", SH + "TOY_POOL_SIZE_MAX=$MY_TOY_POOL_SIZE\ndocker run -eTOY_POOL_SIZE -e TOY_POOL_SIZE=$TOY_POOL_SIZE x\n"),
        ("bin/start.sh", "TOY_POOL_SIZE=1; X=$TOY_POOL_SIZE.d; Y=a-$TOY_POOL_SIZE-b; java -Dtoy.pool.idle=$TOY_POOL_SIZE\n"),
        ("bin/start.bat", "set TOY_POOL_SIZE=1\nif defined toy_pool_size java -Dtoy.pool.size=%TOY_POOL_SIZE% !TOY_POOL_SIZE!\n"),
        ("Dockerfile", "FROM x\nARG TOY_POOL_SIZE=4\nENV TOY_POOL_SIZE=$TOY_POOL_SIZE\nCMD java -Dtoy.pool.size=$TOY_POOL_SIZE\n"),
        ("docker-compose.yml", "services:\n a:\n  environment:\n   TOY_POOL_SIZE: $TOY_POOL_SIZE\n  command: java -Dtoy.pool.size=$TOY_POOL_SIZE\n"),
        ("docker-compose.yml", "services:\n a:\n  environment:\n   - TOY_POOL_SIZE=2\n b:\n  environment:\n   - TOY_POOL_SIZE\n"),
        ("toy.service", "[Service]\nEnvironment=TOY_POOL_SIZE=1\nExecStart=java -Dtoy.pool.size=${TOY_POOL_SIZE} $TOY_POOL_SIZE\n"),
    ],
)  # fmt: skip
def test_all_spellings_of_a_variable_get_its_new_name(path: str, text: str) -> None:
    now = after(JAVA, {path: text}, "toy.pool.size", "toy.max")[path]
    wanted = text.replace("toy.pool.size", "toy.max").replace("toy_pool_size", "TOY_MAX")
    for kept in ("TOY_POOL_SIZE_MAX", "MY_TOY_POOL_SIZE", "/TOY_POOL_SIZE.txt"):
        wanted = wanted.replace(kept, kept.replace("POOL", "pool"))
    assert now == wanted.replace("TOY_POOL_SIZE", "TOY_MAX").replace("_pool_", "_POOL_")


def test_another_script_uses_the_variable() -> None:
    files = {
        "bin/env.sh": "export TOY_POOL_SIZE=1\n",
        "bin/start.sh": ". env.sh\nexec java -Dtoy.pool.size=$TOY_POOL_SIZE p.A\n",
        "application.yml": "toy:\n  pool:\n    idle: ${TOY_POOL_SIZE:3}\n",
    }
    now = after(JAVA, files, "toy.pool.size", "toy.max")
    assert not any("TOY_POOL_SIZE" in text for text in now.values())


@pytest.mark.parametrize("more", ["cat /run/TOY_POOL_SIZE\n", "kubectl x toy-TOY_POOL_SIZE\n"])
def test_a_part_of_something_else_stays(more: str) -> None:
    now = after(JAVA, {"bin/start.sh": SH + more}, "toy.pool.size", "toy.max")
    assert now["bin/start.sh"] == SH.replace("TOY_POOL_SIZE", "TOY_MAX") + more


def test_a_variable_that_sets_two_options_is_confirmed_by_a_person() -> None:
    java = JAVA.replace("toy.pool.idle", "toy.poolSize")
    text = "services:\n a:\n  environment:\n   TOY_POOL_SIZE: 3\n  command: java -jar a.jar\n"
    spelled = {"A.java": java, "docker-compose.yml": text}
    analysis = session(MemorySystem({**spelled, ".conflens.toml": COUNTING})).scan()
    found = renamed(analysis, "A.java", java.index("toy.pool.size") + 1, "toy.max")
    assert found is not None
    parts = {edit.part for edit in found.edits if edit.place.path == "docker-compose.yml"}
    assert parts == {Part.SCRIPT}


def test_a_variable_that_is_another_option_as_well() -> None:
    java = JAVA.replace("class A {", 'class A { String s = System.getenv("TOY_POOL_SIZE");')
    with pytest.raises(RefusedError, match="which is another option as well"):
        after(java, {"bin/start.sh": SH}, "toy.pool.size", "toy.max")


def test_an_option_of_the_environment() -> None:
    text = "export TOY_POOL_SIZE=1 TOY_HOME=x\nexec java -Dx=$TOY_POOL_SIZE p.A\n"
    now = after(ENVIRONMENT, {"bin/start.sh": text}, "TOY_POOL_SIZE", "TOY_MAX")
    assert now["bin/start.sh"] == text.replace("TOY_POOL_SIZE", "TOY_MAX")


def test_a_variable_that_is_a_plain_word() -> None:
    text = (
        "export PORT=1 TOY_HOME=x\nexport PORT\n# the PORT\nexec java -Dx=$PORT ${PORT:-3} p.A\n"
    )
    now = after(ENVIRONMENT, {"bin/start.sh": text}, "PORT", "DOOR")
    assert now["bin/start.sh"] == text.replace("PORT", "DOOR").replace("the DOOR", "the PORT")


@pytest.mark.parametrize("new", ["toy.pool", "toy.pool.idle.size", "toy"])
def test_a_conf_file_in_the_syntax_of_properties_may_be_a_tree(new: str) -> None:
    text = "toy.pool.size = 1\ntoy.pool.idle = 2\n"
    with pytest.raises(RefusedError, match=r"application\.conf could not be read as before"):
        after(HOCON, {"application.conf": text}, "toy.pool.size", new)
    now = after(HOCON, {"application.conf": text}, "toy.pool.size", "toy.pool.max")
    assert now["application.conf"] == text.replace("toy.pool.size", "toy.pool.max")


UNRELATED = "TZ=UTC\nPOSTGRES_DB=toy\nPOSTGRES_USER=toy\nJAVA_HOME=/x\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".env", UNRELATED + "TOY_POOL_SIZE=8\n"),
        ("run.sh", f"#!/bin/sh\n{UNRELATED}export TOY_POOL_SIZE=8\nexec java -jar app.jar\n"),
        ("Dockerfile", "FROM x\nENV LANG=C TZ=UTC\nENV TOY_POOL_SIZE=8\nCMD java -jar app.jar\n"),
        (
            "docker-compose.yml",
            "services:\n  db:\n    environment:\n      POSTGRES_DB: toy\n      TZ: UTC\n"
            "  app:\n    environment:\n      SPRING_PROFILES_ACTIVE: prod\n      TOY_POOL_SIZE: 8\n",
        ),
        (
            "k8s/deployment.yaml",
            "kind: Deployment\nspec:\n  containers:\n  - env:\n    - name: TZ\n      value: UTC\n"
            '    - name: TOY_POOL_SIZE\n      value: "8"\n',
        ),
    ],
)
def test_files_that_set_other_programs_as_well_get_the_new_name(path: str, text: str) -> None:
    every = {"A.java": JAVA, "application.properties": "toy.pool.size = 4\n", path: text}
    analysis = session(MemorySystem(every)).scan()
    found = renamed(analysis, "A.java", JAVA.index("toy.pool.size") + 1, "toy.pool.limit")
    assert found is not None
    own = [edit for edit in found.edits if edit.place.path == path]
    changed = text.replace("TOY_POOL_SIZE", "TOY_POOL_LIMIT")
    assert applied(text.encode(), own).decode() == changed
    assert not any(edit.sure for edit in own)


COMMAND_LINE = """package p;
import picocli.CommandLine.Option;
class A {
    @Option(names = {"-s", "--pool-size"}) int size;
    @Option(names = {"-t", "--workers", "--threads"}) int threads;
    int sum() { return size + threads; }
}
"""


def test_an_option_of_a_command_line_is_renamed_in_scripts() -> None:
    script = "#!/bin/sh\nexec java -jar app.jar --pool-size 4\n"
    every = {"A.java": COMMAND_LINE, "run.sh": script}
    analysis = session(MemorySystem(every)).scan()
    at = COMMAND_LINE.index("--pool-size") + 2
    found = renamed(analysis, "A.java", at, "--limit")
    assert found is not None
    own = [edit for edit in found.edits if edit.place.path == "run.sh"]
    assert applied(script.encode(), own).decode() == script.replace("--pool-size", "--limit")
    for taken in ("--threads", "--workers", "-t", "-s"):
        with pytest.raises(RefusedError):
            renamed(analysis, "A.java", at, taken)


OTHERS = [
    "docker run -e TOY_MODE=3 other/image",
    "kubectl set env deployment/other TOY_MODE=5",
    'ssh db "TOY_MODE=5 /opt/vendor/start"',
    "cmake -Dtoy.size=9 -Dquota=1 native",
    "mvn -Dquota=1 verify",
    "java -Dquota=1 -jar /opt/vendor/other.jar",
    "curl --pool-size 3 http://x",
    "npm i --pool-size 3",
]
GIVEN = """package p;
import picocli.CommandLine.Option;
class A {
    String mode = System.getenv("TOY_MODE");
    int quota = Integer.getInteger("quota") + Integer.getInteger("toy.size") + Integer.getInteger("toy.idle");
    @Option(names = "--pool-size") int size;
    int sum() { return size; }
}
"""


@pytest.mark.parametrize("script", ["run.sh", "Dockerfile"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("TOY_MODE", "TOY_STYLE"),
        ("quota", "rate"),
        ("toy.size", "toy.limit"),
        ("--pool-size", "--limit"),
    ],
)
def test_what_is_given_to_a_program_is_confirmed_by_a_person(
    script: str, old: str, new: str
) -> None:
    own = "TOY_MODE=1 java -Dtoy.size=4 -Dtoy.idle=5 -Dquota=2 -jar toy.jar --pool-size 3"
    lines = [f"RUN {one}" if script == "Dockerfile" else one for one in (own, *OTHERS)]
    text = "\n".join(["FROM x" if script == "Dockerfile" else "#!/bin/sh", *lines, ""])
    analysis = session(MemorySystem({"p/A.java": GIVEN, script: text})).scan()
    assert script in analysis.recognised.config_files()
    found = renamed(analysis, "p/A.java", GIVEN.index(f'"{old}"') + 2, new)
    assert found is not None
    edits = [edit for edit in found.edits if edit.place.path == script]
    assert not any(edit.sure for edit in edits)
    assert applied(text.encode(), edits).decode() == text.replace(old, new)


def test_a_variable_that_a_config_file_asks_for_is_confirmed_with_the_file_that_sets_it() -> None:
    files = {
        "A.java": JAVA,
        "src/main/resources/application.yml": "toy:\n  pool:\n    idle: ${TOY_POOL_SIZE:3}\n    size: 2\n",
        ".env": "TOY_POOL_SIZE=3\n",
        "docker-compose.yml": "services:\n a:\n  environment:\n   TOY_POOL_SIZE: $TOY_POOL_SIZE\n",
    }
    analysis = session(MemorySystem(files)).scan()
    found = renamed(analysis, "A.java", JAVA.index("toy.pool.size") + 1, "toy.pool.limit")
    assert found is not None
    sure = {(one.place.path, one.text) for one in found.edits if one.sure}
    keys = "src/main/resources/application.yml"
    assert sure == {("A.java", '"toy.pool.limit"'), (keys, "limit")}
    unsure = {one.place.path for one in found.edits if not one.sure}
    assert unsure == {keys, ".env", "docker-compose.yml"}


def test_many_scripts_are_looked_at_once() -> None:
    def counted(n: int) -> int:
        line = "java -jar a.jar --pool-size 3\n"
        files = {f"bin/run{number}.sh": "#!/bin/sh\n" + 10 * line for number in range(n)}
        analysis = session(MemorySystem({"A.java": COMMAND_LINE, **files})).scan()
        at = COMMAND_LINE.index("--pool-size") + 2
        return steps(lambda: renamed(analysis, "A.java", at, "--limit"))

    counted(1)  # rows are read once
    few = counted(30)
    assert counted(60) < 2.4 * few
