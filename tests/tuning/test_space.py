"""``conflens space``: which options are varied, from where to where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.checking import run
from conflens.tuning.space import Range, middle, written
from forests import planted


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    cache = tmp_path_factory.getbasetemp() / "cache"
    planted(cache / "conflens")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv("LOCALAPPDATA", str(cache))


def space(folder: Path, body: str, *arguments: str) -> dict[str, Any]:
    """Return the plain space of all options of a class."""
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "A.java").write_text(f"class A {{ {body} }}", encoding="utf-8")
    status, text = run("space", folder, "--all", "--no-cache", *arguments)
    assert status == 0, text
    return dict(json.loads(text))


def parameter(folder: Path, body: str, *arguments: str) -> dict[str, Any]:
    """Return the only parameter."""
    (only,) = space(folder, body, *arguments)["parameters"]
    return dict(only)


def reason(folder: Path, body: str) -> str:
    """Return why the option ``x`` is left out, of a space that has another one."""
    made = space(folder, body + ' int other = Integer.getInteger("other", 7);')
    return str({one["option"]: one["reason"] for one in made["left_out"]}["x"])


def number(default: str, *checks: str) -> str:
    checked = " ".join(checks)
    return f'int x() {{ int n = Integer.getInteger("x"{default}); {checked} return n; }} byte[] b() {{ return new byte[x()]; }}'


def test_without_limits_the_range_lies_around_the_default(tmp_path: Path) -> None:
    found = parameter(tmp_path, number(", 1600"))
    assert (found["type"], found["range"], found["log"], found["default"]) == (
        "int",
        [100, 25600],
        True,
        1600,
    )


def test_a_small_default_is_varied_from_one_on(tmp_path: Path) -> None:
    found = parameter(tmp_path, number(", 4"))
    assert (found["range"], found["log"]) == ([1, 64], True)


@pytest.mark.parametrize(
    "check", ["if (n < 200) throw new IllegalArgumentException();", "if (n < 200) n = 200;"]
)
def test_values_that_the_code_does_not_take_as_they_are_are_not_tried(
    tmp_path: Path, check: str
) -> None:
    assert parameter(tmp_path, number(", 1600", check))["range"] == [200, 25600]


def test_a_limit_far_away_is_no_end_of_a_range(tmp_path: Path) -> None:
    check = "if (n > 2000000000) throw new IllegalArgumentException();"
    assert parameter(tmp_path, number(", 1600", check))["range"] == [100, 25600]


def test_both_limits_do_without_a_default(tmp_path: Path) -> None:
    checks = "if (n < 3 || n > 9) throw new IllegalArgumentException();"
    body = f'int x() {{ int n = Integer.parseInt(System.getProperty("x")); {checks} return n; }}'
    found = parameter(tmp_path, body)
    assert (found["range"], found["log"], found["default"]) == ([3, 9], False, None)


def test_what_turns_an_option_off_is_a_special_value(tmp_path: Path) -> None:
    body = """void run() { int n = Integer.getInteger("x", 64); if (n > 0) { start(); use(n); } }
    void start() { new Thread(() -> { }).start(); } void use(Object n) { System.setProperty("y", n.toString()); }"""
    found = parameter(tmp_path, body)
    assert found["special"] == [{"value": 0, "meaning": "off"}]
    assert found["range"] == [1, 1024]


def test_a_switch_has_two_values(tmp_path: Path) -> None:
    body = 'boolean x = Boolean.parseBoolean(System.getProperty("x", "true"));'
    found = parameter(tmp_path, body)
    assert (found["type"], found["values"], found["default"]) == (
        "categorical",
        ["true", "false"],
        "true",
    )


def test_an_enum_has_its_constants(tmp_path: Path) -> None:
    body = 'enum Mode { FAST, SAFE } Mode x = Mode.valueOf(System.getProperty("x", "SAFE"));'
    found = parameter(tmp_path, body)
    assert (found["values"], found["default"]) == (["FAST", "SAFE"], "SAFE")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            'java.io.File x = new java.io.File(System.getProperty("x", "/var/data/x.db"));',
            "it names a file",
        ),
        (
            'int x = Integer.parseInt(System.getProperty("x"));',
            "it has neither a positive default nor two limits",
        ),
        (
            'int x() { int n = Integer.getInteger("x", 5); if (n < 5 || n > 5) throw new IllegalArgumentException(); return n; }',
            "its range holds one value",
        ),
    ],
)
def test_what_cannot_be_varied_is_named_with_its_reason(
    tmp_path: Path, body: str, why: str
) -> None:
    assert reason(tmp_path, body) == why


def test_a_secret_is_never_a_parameter(tmp_path: Path) -> None:
    body = 'String x = System.getProperty("x.password", "hunter2Secret!"); int o = Integer.getInteger("o", 3);'
    made = space(tmp_path, body)
    assert [one["name"] for one in made["parameters"]] == ["o"]
    assert "hunter2" not in json.dumps(made)


def test_the_bound_that_another_option_is_becomes_a_comparison(tmp_path: Path) -> None:
    body = """int low, high;
    A() { low = Integer.getInteger("low", 8); high = Integer.getInteger("high", 80); if (low > high) throw new IllegalArgumentException("low"); }
    byte[] b() { return new byte[low + high]; }"""
    assert space(tmp_path, body)["comparisons"] == [{"left": "low", "op": "<=", "right": "high"}]


def test_an_option_that_needs_another_one_is_conditional(tmp_path: Path) -> None:
    body = """void run() { boolean on = Boolean.getBoolean("on"); if (on) { int n = Integer.getInteger("size", 40); use(new byte[n]); } }
    void use(byte[] all) { System.setProperty("y", all.toString()); }"""
    assert space(tmp_path, body)["conditions"] == [
        {"child": "size", "parent": "on", "values": ["true"]}
    ]


def test_sizes_keep_below_the_heap(tmp_path: Path) -> None:
    body = 'long x = Long.getLong("x.bytes", 1L << 20); byte[] b() { return new byte[(int) x]; }'
    unlimited = parameter(tmp_path, body)
    assert unlimited["range"] == [1 << 16, 1 << 24]
    if unlimited["unit"] == "bytes":
        assert parameter(tmp_path, body, "--heap", "4m")["range"] == [1 << 16, 1 << 22]


def test_the_options_that_matter_most_come_first_and_are_as_many_as_asked_for(
    tmp_path: Path,
) -> None:
    body = 'int x = Integer.getInteger("x", 9); int y = Integer.getInteger("y", 9); byte[] b() { return new byte[y]; }'
    names = [one["name"] for one in space(tmp_path, body)["parameters"]]
    assert sorted(names) == ["x", "y"]
    one = space(tmp_path, body, "--top", "1")["parameters"]
    assert [item["name"] for item in one] == names[:1]


def test_one_name_in_two_domains_is_told_apart(tmp_path: Path) -> None:
    body = 'int x = Integer.getInteger("x", 9); int y = Integer.parseInt(System.getenv().getOrDefault("x", "9"));'
    names = {one["name"] for one in space(tmp_path, body)["parameters"]}
    assert names in ({"system-property:x", "environment:x"}, {"x"})


@pytest.mark.parametrize("size", ["0", "-1", "1x", "", "9999999999999999g"])
def test_a_heap_that_is_no_size_is_refused(
    tmp_path: Path, size: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("space", tmp_path, f"--heap={size}")[0] == 2
    assert "--heap" in capsys.readouterr().err


def test_a_project_without_options_gets_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "A.java").write_text("class A { }")
    assert run("space", tmp_path, "--all")[0] == 2
    assert "no option to vary" in capsys.readouterr().err


def test_the_middle_lies_on_the_scale() -> None:
    assert middle(Range(1, 100, True, True)) == 10
    assert middle(Range(0, 1, False, False)) == 0.5


def test_numbers_are_written_as_config_files_have_them() -> None:
    assert [written(64, "MB"), written(0.25), written(3.0), written("fast", "MB")] == [
        "64MB",
        "0.25",
        "3",
        "fast",
    ]
