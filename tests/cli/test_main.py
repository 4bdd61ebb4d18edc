"""The command line as a process: exit codes, reasons in one line, streams that misbehave."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.projects import DEMO, HOUSE
from conflens.cli import main as module
from forests import planted
from patience import PATIENCE

SERVER = HOUSE / "server"


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """The caller's environment with a cache of its own, in which there is a classifier."""
    planted(tmp_path / "cache" / "conflens")
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    own = {"PYTHONPATH": str(SERVER), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return {**kept, **own, "HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), **more}


def conflens(tmp_path: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "conflens", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env=environment(tmp_path, **more),
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("scan", "nowhere"), "nowhere does not exist"),
        (("scan", __file__), "is not a folder"),
        (("scan", ".", "--spec", "nowhere.toml"), "nowhere.toml: No such file"),
        (("scan", ".", "--fail-on", "everything"), "everything is not one of"),
        (("scan", ".", "--fail-on", ""), "nothing is not one of"),
        (("scan", ".", "--workers", "-1"), "--workers"),
        (("scan", ".", "--format", "xml"), "invalid choice"),
        (("scan",), "PATH"),
        (("stats", "nowhere"), "nowhere does not exist"),
        (("flows", "nowhere"), "nowhere does not exist"),
        (("flows", __file__), "is not a folder"),
        (("flows",), "PATH"),
        (("flows", ".", "--spec", "."), ".: Is a directory"),
        (("flows", ".", "--paths", "0"), "must be at least 1"),
        (("flows", ".", "--paths", "many"), "'many' is not a whole number"),
        (("flows", ".", "--dependency", "loop,round"), "round is not one of direct, branch, loop"),
        (("flows", ".", "--kind", ","), "the list is empty"),
        (("flows", ".", "--min-confidence", "sure"), "invalid choice"),
        (("flows", ".", "--format", "html"), "invalid choice"),
        (("flows", str(DEMO), "--option", "retry.limt"), "did you mean 'retry.limit'?"),
        (("flows", str(DEMO), "--domain", "system-propery"), "did you mean 'system-property'?"),
        (("flows", str(DEMO), "--kind", "locks"), "did you mean 'lock'?"),
        (("sensitivity", "nowhere"), "nowhere does not exist"),
        (("sensitivity", __file__), "is not a folder"),
        (("sensitivity",), "PATH"),
        (("sensitivity", ".", "--names", "nowhere.txt"), "nowhere.txt: No such file"),
        (("sensitivity", ".", "--names", __file__), "not one name"),
        (("sensitivity", ".", "--output", "nowhere/a.json"), "there is no folder nowhere"),
        (("sensitivity", ".", "--only", "maybe"), "invalid choice"),
        (("sensitivity", ".", "--spec", "nowhere.toml"), "nowhere.toml: No such file"),
        (("dump-facts", "nowhere.java"), "nowhere.java: No such file"),
        (("serve", "--tcp", "nonsense"), "is not HOST:PORT"),
        (("serve", "--ws", "localhost:99999"), "is not HOST:PORT"),
        (("serve", "--ws", "localhost:0", "--token", ""), "the token is empty"),
        (("serve", "--ws", "localhost:0", "--token", "a", "--no-token"), "not allowed with"),
        (("serve", "--token", "secret"), "need --tcp or --ws"),
        ((), "COMMAND"),
        (("dance",), "invalid choice"),
    ],
)
def test_bad_input_exits_with_2_and_one_line(
    tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    done = conflens(tmp_path, *arguments)
    said = done.stderr.decode()
    assert done.returncode == 2
    assert said.startswith("conflens: ")
    assert said.count("\n") == 1
    assert reason in said
    assert done.stdout == b""


def test_a_folder_without_java_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    done = conflens(tmp_path, "scan", str(tmp_path / "project"))
    assert done.returncode == 2
    assert b"no Java files below" in done.stderr


def test_version_answers_without_importing_the_analysis(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from conflens.cli.main import main\n"
        "try: main(['--version'])\n"
        "except SystemExit: pass\n"
        "heavy = {'attrs', 'rich', 'msgspec', 'tree_sitter', 'pygls', 'asyncio', 'sqlite3'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=environment(tmp_path)
    )
    version, loaded = done.stdout.decode().splitlines()
    assert version.startswith("conflens ")
    assert loaded == "[]"


def test_scan_imports_no_protocol_and_no_scikit_learn(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from conflens.cli.main import main\n"
        f"status = main(['scan', {str(DEMO)!r}, '--format', 'json'])\n"
        "heavy = {'pygls', 'lsprotocol', 'sklearn', 'numpy', 'asyncio', 'rich'}\n"
        "print(status, sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, env=environment(tmp_path)
    )
    assert done.stderr.decode() == "0 []\n"


def test_scan_of_the_demo_project(tmp_path: Path) -> None:
    done = conflens(tmp_path, "scan", str(DEMO), "--format", "json")
    assert (done.returncode, done.stderr) == (0, b"")
    options = {option["name"]: option for option in json.loads(done.stdout)["options"]}
    assert {
        "store.folder",
        "store.flush.interval.ms",
        "cache.entries",
        "retry.limit",
        "plugin.*.class",
        "parcel.http.port",
        "parcel.http.verbose",
        "PARCEL_MAIL_HOST",
        "PARCEL_MAIL_PORT",
        "--config",
        "--parcels",
        "audit.enabled",
        "backlog",
    } <= options.keys()
    assert options["retry.limit"]["verdicts"] == ["conflicting-default"]
    assert "unused-read" in options["cache.statistics"]["verdicts"]
    assert options["store.flush.interval.ms"]["type"] == "time"
    assert options["store.folder"]["documented"]


def test_a_second_scan_comes_from_the_cache_and_is_equal(tmp_path: Path) -> None:
    scans = [conflens(tmp_path, "scan", str(DEMO), "--format", "json").stdout for _ in range(2)]
    cold, warm = map(json.loads, scans)
    assert cold["stats"]["cached_files"] == 0
    assert warm["stats"]["cached_files"] == warm["stats"]["files"] == 12
    assert cold["options"] == warm["options"]


def test_a_spec_adds_reads_and_its_errors_are_problems(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    source = 'import other.Lib; class A { String a = Lib.fetch("pool.size"); }'
    (project / "A.java").write_text(source)
    spec = tmp_path / "more.toml"
    spec.write_text(
        """[[read]]
call = "other.Lib.fetch"
name = 0
domain = "settings"

[[read]]
call = "other.Lib.more"
nmae = 0
"""
    )
    plain = conflens(tmp_path, "scan", str(project), "--format", "json")
    assert json.loads(plain.stdout)["options"] == []
    done = conflens(tmp_path, "scan", str(project), "--format", "json", "--spec", str(spec))
    found = json.loads(done.stdout)
    assert [(item["domain"], item["name"]) for item in found["options"]] == [
        ("settings", "pool.size")
    ]
    assert [item["line"] for item in found["problems"]] == [8]
    assert "nmae" in found["problems"][0]["message"]


@pytest.mark.parametrize("command", ["scan", "flows", "stats"])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[[read]\n", "more.toml:1: not TOML: "),
        (b"a = 1\nb = \n", "more.toml:2: not TOML: "),
        (b"# \xff\xfe\n", "more.toml: is not UTF-8 text"),
        (b"#" * 1_000_001, "more.toml:1: the file has 1000001 bytes"),
    ],
)
def test_a_spec_without_a_valid_entry_is_bad_input(
    tmp_path: Path, command: str, content: bytes, reason: str
) -> None:
    spec = tmp_path / "more.toml"
    spec.write_bytes(content)
    done = conflens(tmp_path, command, str(DEMO), "--spec", str(spec))
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert reason in said
    assert said.count("\n") == 1


def test_a_spec_takes_precedence_over_the_workspace_file(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    source = 'import other.Lib; class A { String a = Lib.fetch("pool.size"); }'
    (project / "A.java").write_text(source)
    row = '[[read]]\ncall = "other.Lib.fetch"\nname = 0\ndomain = "{}"\n'
    (project / ".conflens.toml").write_text(row.format("theirs"))
    spec = tmp_path / "more.toml"
    spec.write_text("\ufeff" + row.format("ours") + '[exclude]\npaths = ["gone/"]\n', "utf-8")
    (project / "gone").mkdir()
    (project / "gone" / "B.java").write_text(source.replace("class A", "class B"))
    for command in ("scan", "flows"):
        done = conflens(tmp_path, command, str(project), "--format", "json", "--spec", str(spec))
        found = json.loads(done.stdout)
        assert [(item["domain"], item["name"]) for item in found["options"]] == [
            ("ours", "pool.size")
        ]
        assert [read["path"] for read in found["options"][0]["reads"]] == ["A.java"]
        assert [item["code"] for item in found["problems"]] == ["left-out"]


def test_flows_reports_errors_in_a_spec(tmp_path: Path) -> None:
    spec = tmp_path / "more.toml"
    spec.write_text('[[operation]]\ncall = "a.B.c"\nknd = "io"\n')
    done = conflens(tmp_path, "flows", str(DEMO), "--spec", str(spec))
    assert done.returncode == 0
    assert f"{spec}:3: " in done.stdout.decode()
    assert "did you mean 'kind'?" in " ".join(done.stdout.decode().split())


def test_no_cache_leaves_nothing_behind(tmp_path: Path) -> None:
    done = conflens(tmp_path, "scan", str(DEMO), "--no-cache", "--workers", "0")
    assert done.returncode == 0
    assert all(path.name.startswith("forest-") for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("fail_on", "status"),
    [("conflicting-default", 1), ("unused-read,undocumented", 1), ("any", 1)],
)
def test_findings_exit_with_1_on_request(tmp_path: Path, fail_on: str, status: int) -> None:
    done = conflens(tmp_path, "scan", str(DEMO), "--fail-on", fail_on)
    assert done.returncode == status
    assert b"options with" in done.stdout


def test_a_clean_project_does_not_fail(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "A.java").write_text('class A { int a = Integer.getInteger("a", 1); }')
    assert conflens(tmp_path, "scan", str(project), "--fail-on", "any").returncode == 0


@pytest.mark.parametrize("form", ["table", "json", "markdown"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_output_encoding_works(tmp_path: Path, form: str, encoding: str) -> None:
    project = tmp_path / "Größe"
    project.mkdir()
    (project / "Ω.java").write_text(
        'class Ω { String a = System.getProperty("größe.😀", "→"); }', encoding="utf-8"
    )
    done = conflens(tmp_path, "scan", str(project), "--format", form, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"gr" in done.stdout


def test_no_colour_where_it_is_disabled(tmp_path: Path) -> None:
    for more in ({}, {"NO_COLOR": "1"}):
        assert b"\x1b" not in conflens(tmp_path, "scan", str(DEMO), **more).stdout


@pytest.mark.parametrize("form", ["table", "json", "markdown"])
def test_a_closed_pipe_is_not_an_error(tmp_path: Path, form: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "conflens", "scan", str(DEMO), "--format", form],
        stdout=writer,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
        env=environment(tmp_path),
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_interrupt_exits_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Command:
        @staticmethod
        def run(_: object) -> int:
            raise KeyboardInterrupt

    monkeypatch.setattr("conflens.cli.main.importlib.import_module", lambda _: Command)
    assert module.main(["scan", "."]) == 130
    assert capsys.readouterr().err == "conflens: interrupted\n"


@pytest.mark.parametrize("form", ["table", "json", "markdown", "sarif"])
@pytest.mark.parametrize("more", [(), ("--option", "retry.*", "--paths", "all")])
def test_flows_of_the_demo_project(tmp_path: Path, form: str, more: tuple[str, ...]) -> None:
    done = conflens(
        tmp_path, "flows", str(DEMO), "--format", form, *more, PYTHONIOENCODING="ascii"
    )
    assert (done.returncode, done.stderr) == (0, b"")
    if form in ("json", "sarif"):
        assert json.loads(done.stdout)
    elif more:
        assert b"retry.limit" in done.stdout
    else:
        assert b"options reach" in done.stdout


def test_flows_help_explains_its_terms(tmp_path: Path) -> None:
    done = conflens(tmp_path, "flows", "--help")
    said = " ".join(done.stdout.decode().split())
    assert done.returncode == 0
    for words in ("--option NAME", "--paths N|all", "its value controls how often", "--spec FILE"):
        assert words in said


def test_an_unreadable_java_file_is_a_problem_and_the_scan_continues(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "A.java").write_text('class A { int a = Integer.getInteger("a", 1); }')
    (project / "B.java").write_bytes(b"class B { \0\xff int b = Integer.getInteger(")
    (project / "C.java").symlink_to(project / "nowhere")
    (project / "D.java").write_bytes(b'\xff\xfe class {{{{ ) D int x = Integer.getInteger("d"')
    done = conflens(tmp_path, "flows", str(project), "--format", "json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "a" in {option["name"] for option in json.loads(done.stdout)["options"]}


def test_stats_counts_what_scan_lists(tmp_path: Path) -> None:
    listed = json.loads(conflens(tmp_path, "scan", str(DEMO), "--format", "json").stdout)
    counted = json.loads(conflens(tmp_path, "stats", str(DEMO), "--format", "json").stdout)
    assert counted["options"] == len(listed["options"])
    assert sum(counted["by_domain"].values()) == counted["options"]
    assert sum(counted["by_type"].values()) == counted["options"]
    assert counted["lines"] == listed["stats"]["lines"]
    text = conflens(tmp_path, "stats", str(DEMO)).stdout.decode()
    assert "by domain:" in text
    assert "system-property" in text


@pytest.mark.parametrize(
    ("closed", "status", "said"),
    [
        (">&-", 2, b"conflens: the result cannot be written: Bad file descriptor\n"),
        (">&- 2>&-", 2, b""),
        ("<&- 2>&-", 0, b""),
    ],
)
@pytest.mark.parametrize("form", ["table", "json"])
def test_only_a_closed_output_is_an_error(
    tmp_path: Path, closed: str, status: int, said: bytes, form: str
) -> None:
    command = f'"$0" -m conflens scan "$1" --format {form} {closed}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, str(DEMO)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
        env=environment(tmp_path),
    )
    assert (done.returncode, done.stderr) == (status, said)


@pytest.mark.parametrize("more", [{}, {"PYTHONUNBUFFERED": "1"}])
@pytest.mark.parametrize(
    "arguments",
    [
        ("scan", str(DEMO)),
        ("scan", str(DEMO), "--format", "json"),
        ("sensitivity", str(DEMO)),
        ("--version",),
    ],
)
def test_a_full_disk_gives_one_line(
    tmp_path: Path, arguments: tuple[str, ...], more: dict[str, str]
) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "conflens", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
            env=environment(tmp_path, **more),
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"conflens: the result cannot be written: ")
    assert done.stderr.count(b"\n") == 1


def test_sensitivity_of_the_demo_project(tmp_path: Path) -> None:
    wanted, file = tmp_path / "names.txt", tmp_path / "out.json"
    wanted.write_text("cache.entries\nretry.limit\nno.such.option\n")
    listed = ("sensitivity", str(DEMO), "--names", str(wanted), "--format", "json")
    done = conflens(tmp_path, *listed)
    assert (done.returncode, done.stderr) == (0, b"")
    found = {row["name"]: row for row in json.loads(done.stdout)["options"]}
    assert set(found) == {"cache.entries", "retry.limit", "no.such.option"}
    assert found["no.such.option"]["reads"] == []
    assert found["no.such.option"]["label"] == "unknown"
    assert found["cache.entries"]["reads"]
    again = conflens(tmp_path, *listed, "--output", str(file))
    assert (again.returncode, again.stdout, again.stderr) == (0, b"", b"")
    assert file.read_bytes() == done.stdout
