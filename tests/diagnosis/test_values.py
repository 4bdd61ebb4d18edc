"""What the recorded values of the runs say for and against an option."""

from __future__ import annotations

import attrs
import pytest

from conflens.diagnosis import values
from conflens.diagnosis.diagnose import SideFiles, diagnose
from conflens.diagnosis.joining import Joining
from conflens.diagnosis.results import Verdict
from conflens.diagnosis.summary import headline
from conflens.documents.configfiles.parsing import read
from conflens.options.names.naming import Names
from conflens.profiling.model import Origin, RunValue, Snapshot
from diagnosis.notation import Told, snapshots, subject, told, values_of

TWO = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  static boolean safe = Boolean.getBoolean("safe");
  static int unused = Integer.getInteger("depth", 3);
  public static void main(String[] args) {
    put();
    if (sync && safe) {
      flush();
    }
    walk(unused);
  }
  static void put() {}
  static void flush() {}
  static void walk(int depth) {}
}
"""
FLUSHED = """
    cpu
    Main.main; Main.put       500 -> 500
    Main.main; Main.flush       - -> 500
    """


def test_without_values_two_options_of_one_condition_share_its_cost() -> None:
    found = told(TWO, FLUSHED)
    assert sorted(found.likely) == ["safe", "sync"]
    assert found.explained("safe") == pytest.approx(found.explained("sync"))
    assert found.explained("safe") + found.explained("sync") <= 1 + 1e-9


def test_an_option_with_an_unchanged_value_comes_last_and_explains_nothing() -> None:
    found = told(TWO, FLUSHED, before="-Dsafe=true", after="-Dsafe=true")
    assert found.order == ["likely sync", "unchanged safe"]
    assert found.explained("safe") == 0
    assert found.explained("sync") > 0.9
    last = found.suspect("safe")
    assert last is not None
    assert last.reason == "It had the same value in both runs."


def test_an_option_whose_value_differs_comes_first_and_explains_nearly_everything() -> None:
    found = told(TWO, FLUSHED, before="-Dsync=false", after="-Dsync=true")
    assert found.order[0] == "likely sync"
    assert found.explained("sync") > 0.8
    first = found.suspect("sync")
    assert first is not None
    assert first.reason.endswith("Its value went from false to true.")


def test_an_option_whose_value_differs_is_listed_even_without_a_chain() -> None:
    found = told(TWO, FLUSHED, before="-Ddepth=3", after="-Ddepth=9")
    assert "differs depth" in found.order
    shown = found.suspect("depth")
    assert shown is not None
    assert shown.reason == ("Its value went from 3 to 9, but no call chain shows what that costs.")


def test_a_differing_value_alone_is_no_cause_if_the_cost_is_equal() -> None:
    found = told(
        TWO,
        """
        cpu
        Main.main; Main.put       500 -> 502
        """,
        before="-Ddepth=3",
        after="-Ddepth=9",
    )
    assert not found.diagnosis.violated
    assert found.order == ["differs depth"]
    (difference,) = found.diagnosis.differences
    assert (difference.name, difference.before, difference.after) == ("depth", "3", "9")


@pytest.mark.parametrize(
    ("after", "verdict"), [("#aa", Verdict.UNCHANGED), ("#bb", Verdict.LIKELY)]
)
def test_redacted_values_are_compared_by_digest(after: str, verdict: Verdict) -> None:
    found = told(TWO, FLUSHED, before="-Dsync=#aa", after=f"-Dsync={after}")
    shown = found.suspect("sync")
    assert shown is not None
    assert shown.verdict is verdict
    assert shown.values is not None
    assert shown.values.secret
    assert (shown.values.before, shown.values.after) == (None, None)
    assert ("redacted" in shown.reason) == (verdict is Verdict.LIKELY)


def test_a_value_redacted_on_one_side_only_is_unknown() -> None:
    """Nobody can tell whether it is the same."""
    found = told(TWO, FLUSHED, before="-Dsync=true", after="-Dsync=#aa")
    shown = found.suspect("sync")
    assert shown is not None
    assert shown.values is None
    assert found.explained("sync") == pytest.approx(found.explained("safe"))
    assert found.diagnosis.differences == ()


def test_a_property_set_in_no_run_shows_nothing() -> None:
    """Both runs recorded values, neither names ``sync``: it may stand in a file that both read."""
    found = told(TWO, FLUSHED, before="-Dother=1", after="-Dother=1")
    shown = found.suspect("sync")
    assert shown is not None
    assert shown.values is None
    assert shown.verdict is Verdict.LIKELY


def test_a_property_set_in_one_run_differs() -> None:
    found = told(TWO, FLUSHED, before="-Dother=1", after="-Dother=1 -Dsync=true")
    assert found.order[0] == "likely sync"
    shown = found.suspect("sync")
    assert shown is not None
    assert shown.reason.endswith("Its value went from unset to true.")


def test_a_value_on_which_the_runs_of_a_side_disagree_is_unknown() -> None:
    found = told(
        TWO,
        """
        cpu
        Main.main; Main.put       500 500 -> 500 500
        Main.main; Main.flush       - -> 500 520
        """,
        before=["-Dsafe=true -Dsync=false", "-Dsafe=true -Dsync=false"],
        after=["-Dsafe=true -Dsync=true", "-Dsafe=true -Dsync=1"],
    )
    assert found.order[-1] == "unchanged safe"
    assert found.likely == ["sync"]


def test_a_run_without_recorded_values_makes_all_values_unknown() -> None:
    found = told(TWO, FLUSHED, before="", after="-Dsync=true")
    assert sorted(found.likely) == ["safe", "sync"]
    shown = found.suspect("safe")
    assert shown is not None
    assert shown.values is None


ENVIRONMENT = """
class Main {
  static String mode = System.getenv("MODE");
  public static void main(String[] args) {
    put();
    if ("safe".equals(mode)) {
      flush();
    }
  }
  static void put() {}
  static void flush() {}
}
"""


def test_environment_variables_are_not_system_properties() -> None:
    same = told(ENVIRONMENT, FLUSHED, before="$MODE=safe", after="$MODE=safe")
    assert same.order == ["unchanged MODE"]
    other = told(ENVIRONMENT, FLUSHED, before="-DMODE=safe", after="-DMODE=safe")
    assert other.order == ["likely MODE"]


def recorded(*runs: str) -> values.Recorded:
    found = values.recorded(
        [
            Snapshot(str(number), "jfr", (), values=values_of(run))
            for number, run in enumerate(runs)
        ]
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("--jobs=4", {"--jobs": "4"}),
        ("-j 4", {"-j": "4"}),
        ("-j -v", {"-j": "", "-v": ""}),
        ("-v input.txt output.txt", {"-v": "input.txt"}),
        ("input.txt", {}),
        ("--name=a=b", {"--name": "a=b"}),
        ("--name=", {"--name": ""}),
        ("-j 4 --sync", {"-j": "4", "--sync": ""}),
    ],
)
def test_arguments_that_name_an_option(words: str, wanted: dict[str, str]) -> None:
    found = recorded(words)
    assert {name: value.value for (_, name), value in found.values.items()} == wanted
    assert {origin for origin, _ in found.values} <= {Origin.ARGUMENT}


JOBS = """
import picocli.CommandLine.Option;
class Main {
  @Option(names = {"-j", "--jobs"}) int jobs = 2;
  void run() {
    for (int i = 0; i < jobs; i++) {
      work();
    }
    done();
  }
  void work() {}
  void done() {}
}
"""
WORKED = """
    cpu
    Main.run; Main.work    100 -> 400
    Main.run; Main.done    100 -> 100
    """


@pytest.mark.parametrize(
    ("before", "after", "order", "told_of"),
    [
        ("--jobs=2 file", "--jobs=8 file", "likely --jobs", "from 2 to 8."),
        ("--jobs 2", "--jobs=8", "likely --jobs", "from 2 to 8."),
        ("-v file", "-v --jobs=8", "likely --jobs", "from unset to 8."),
        ("--jobs=8 one", "--jobs 8 other", "unchanged --jobs", "the same value in both runs."),
    ],
)
def test_command_line_options_are_parsed_from_the_arguments(
    before: str, after: str, order: str, told_of: str
) -> None:
    found = told(JOBS, WORKED, before=before, after=after)
    assert found.order == [order]
    (shown,) = found.diagnosis.suspects
    assert shown.reason.endswith(told_of)


def test_the_short_name_of_an_argument_matches_no_option() -> None:
    """known-gap: an option keeps its long name only, so that ``-j`` is seen to differ but is nobody's."""
    found = told(JOBS, WORKED, before="-j 2", after="-j 8")
    assert found.order == ["likely --jobs"]
    assert found.diagnosis.values == {}
    (difference,) = found.diagnosis.differences
    assert (difference.name, difference.option) == ("-j", None)


def test_differences_omit_values_set_by_the_machine() -> None:
    before = recorded("-Djava.io.tmpdir=/a -Dmode=1 $HOME=/a")
    after = recorded("-Djava.io.tmpdir=/b -Dmode=2 $HOME=/a")
    options = subject(TWO).options
    known = values.of_options(options, Joining(Names(options)), before, after)
    found = values.differences(before, after, known)
    assert [one.name for one in found] == ["mode"]


CACHE = """
class Main {
  static int entries = Integer.getInteger("cache.entries", 100);
  static boolean sync = Boolean.getBoolean("sync");
  static java.util.Map<String, String> cache = new java.util.LinkedHashMap<>() {
    protected boolean removeEldestEntry(java.util.Map.Entry<String, String> eldest) {
      return size() > entries;
    }
  };
  public static void main(String[] args) {
    put();
    if (cache.get("a") == null) {
      load();
    }
    if (sync) {
      flush();
    }
  }
  static void put() {}
  static void load() {}
  static void flush() {}
}
"""
LOADED = """
    cpu
    Main.main; Main.put       1000 -> 1000
    Main.main; Main.load       200 -> 900
    Main.main; Main.flush      100 -> 130
    """


def test_the_only_option_that_differs_is_likely_without_a_chain() -> None:
    found = told(CACHE, LOADED, before="-Dcache.entries=100", after="-Dcache.entries=1")
    assert found.order[0] == "likely cache.entries"
    assert found.likely == ["cache.entries"]
    first = found.suspect("cache.entries")
    assert first is not None
    assert "Its value went from 100 to 1. No other option is known to differ." in first.reason
    assert "cache.entries" in headline(found.diagnosis)


def test_what_says_where_something_is_does_not_count_as_the_only_difference() -> None:
    java = CACHE.replace(
        "boolean sync", 'String at = System.getProperty("log.file"); static boolean sync'
    )
    java = java.replace("put();\n", "put(); new java.io.File(at);\n", 1)
    found = told(java, LOADED, before="-Dlog.file=/tmp/a", after="-Dlog.file=/tmp/b")
    assert "likely log.file" not in found.order


def test_an_option_of_unknown_value_is_no_likely_cause_beside_one_that_differs() -> None:
    both = LOADED.replace("100 -> 130", "- -> 600")
    found = told(CACHE, both, before="-Dcache.entries=100", after="-Dcache.entries=1")
    assert found.order[0].endswith("cache.entries")
    assert "likely sync" not in found.order


@pytest.mark.parametrize(
    ("name", "joined"),
    [
        ("-Dapp.cacheEntries", True),
        ("-Dapp.cache.entries", True),
        ("$APP_CACHE_ENTRIES", False),
        ("$CACHE_ENTRIES", True),
        ("-Dapp.entries", False),
    ],
)
def test_names_are_joined_by_their_letters_where_only_one_option_fits(
    name: str, joined: bool
) -> None:
    found = told(CACHE, LOADED, before=f"{name}=100", after=f"{name}=1")
    (difference,) = found.diagnosis.differences
    assert (difference.option is not None) is joined
    assert ("likely cache.entries" in found.order) is joined


def test_a_short_name_is_joined_only_if_the_program_derives_it() -> None:
    java = """
class Main {
  static String get(String name) { return System.getProperty("db." + name); }
  static String other = System.getProperty("entries");
  public static void main(String[] args) {
    put();
    if (other != null) {
      load();
    }
  }
  static void put() { get("x" + System.nanoTime()); }
  static void load() {}
}
"""
    found = told(java, LOADED, before="-Ddb.entries=100", after="-Ddb.entries=1")
    (difference,) = found.diagnosis.differences
    assert difference.option is not None
    assert difference.option[1] == "entries"


def test_parameters_of_a_url_are_values() -> None:
    java = CACHE.replace("cache.entries", "CACHE_ENTRIES")
    found = told(
        java,
        LOADED,
        before="-Durl=jdbc:x:mem;CACHE_ENTRIES=100;MODE=a",
        after="-Durl=jdbc:x:mem;CACHE_ENTRIES=1;MODE=a",
    )
    assert found.order[0] == "likely CACHE_ENTRIES"
    assert [one.origin for one in found.diagnosis.differences if one.option] == ["URL parameter"]


def files_of(before: str, after: str) -> SideFiles:
    one, other = (read("conf/app.properties", text.encode()) for text in (before, after))
    return SideFiles((one,), (other,))


def test_config_files_of_both_sides_tell_values() -> None:
    sides = snapshots(LOADED)
    files = files_of("cache.entries=100\nsync=true\n", "cache.entries=1\nsync=true\n")
    found = Told(diagnose(subject(CACHE), *sides, files=files))
    assert found.order[0] == "likely cache.entries"
    assert found.diagnosis.differences[0].origin == "config file"
    assert found.diagnosis.values["system-property", "sync"].same


def test_a_system_property_goes_before_a_config_file() -> None:
    sides = snapshots(LOADED, before="-Dother=1", after="-Dother=1 -Dcache.entries=1")
    files = files_of("cache.entries=100", "cache.entries=100")
    found = Told(diagnose(subject(CACHE), *sides, files=files))
    shown = found.suspect("cache.entries")
    assert shown is not None
    assert shown.values is not None
    assert (shown.values.before, shown.values.after) == ("100", "1")


def test_secrets_of_config_files_are_redacted() -> None:
    sides = snapshots(LOADED)
    found = diagnose(subject(CACHE), *sides, files=files_of("db.password=a", "db.password=b"))
    (difference,) = found.differences
    assert (difference.before, difference.after) == (None, None)


def test_config_files_that_one_side_alone_names_are_read() -> None:
    about = attrs.evolve(
        subject(CACHE),
        config_files={
            path: read(path, f"cache.entries={size}".encode())
            for path, size in (("conf/good.properties", 100), ("conf/bad.properties", 1))
        },
    )
    sides = snapshots(LOADED, before="conf/good.properties", after="/srv/app/conf/bad.properties")
    found = diagnose(about, *sides)
    assert [one.name for one in found.differences if one.option] == ["cache.entries"]
    assert any(
        "conf/good.properties before, conf/bad.properties now" in one for one in found.notes
    )
    same = snapshots(LOADED, before="conf/good.properties", after="conf/good.properties")
    assert diagnose(about, *same).differences == ()


def test_named_arguments_of_a_recording_are_values() -> None:
    """Importers have taken ``--jobs 8`` apart."""
    sides = snapshots(WORKED)
    for side, jobs in zip(sides, ("2", "8"), strict=True):
        side[0] = attrs.evolve(
            side[0],
            values=(
                RunValue(Origin.ARGUMENT, "#0", "Main"),
                RunValue(Origin.ARGUMENT, "--jobs", jobs),
            ),
        )
    found = Told(diagnose(subject(JOBS), *sides))
    assert found.order == ["likely --jobs"]
    assert found.diagnosis.values["command-line", "--jobs"].after == "8"
