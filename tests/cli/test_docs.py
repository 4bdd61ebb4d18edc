"""``conflens docs``: a page that can be committed, in two markups, and whether it is up to date."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import attrs
import pytest
from markdown_it import MarkdownIt

from cli.checking import JAVA, project, run
from cli.projects import analysis, option, place, read
from cli.test_main import conflens
from conflens.cli.docs import asciidoc as reference_asciidoc
from conflens.cli.docs import markdown as reference_markdown
from conflens.cli.docs.reference import MAX_READS, MAX_TEXT, Entry, Site, entries
from conflens.cli.main import main
from conflens.options.model import Default, Limits, OptionType
from conflens.render.option_view import namespace_of
from conflens.render.phrases import code
from forests import planted

PAGE = "docs/options.md"
HOSTILE = [
    "a|b",
    "a`b",
    "`a`",
    "``",
    "*a*",
    "__init__",
    "<b>a</b>",
    "&lt;",
    "a+b+c",
    "+a+",
    "{a}",
    "${a.b}",
    "[a](b)",
    "<<a>>",
    "a::b",
    "# a",
    "- a",
    "1. a",
    "a -- b",
    "a...b",
    "(C)",
    "it's",
    'a "b" c',
    "~~a~~",
    "https://a.example/b_c",
    "\\",
    "\\*a\\*",
    "größe",
    "$a$",
    "= a",
    "// a",
    ".a",
    "image::a[]",
    "++a++",
    "a\\",
]


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A cache that the tests of this module share, in which there is a classifier."""
    cache = tmp_path_factory.getbasetemp() / "cache"
    planted(cache / "conflens")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv("LOCALAPPDATA", str(cache))


def page(folder: Path, *arguments: str) -> str:
    status, text = run("docs", folder, *arguments)
    assert status == 0
    return text


def block(text: str, name: str) -> str:
    """What the page says of one option, without its heading."""
    found = re.search(rf"^#### `{re.escape(name)}`\n\n(.*?)\n*(?=^#|\Z)", text, re.M | re.S)
    assert found is not None
    return found[1]


def entry(**more: object) -> Entry:
    [made] = entries(analysis(), [option("a.b")], False)
    return attrs.evolve(made, **more)  # type: ignore[arg-type]


# -- what a page says ----------------------------------------------------------------------------


def test_a_page_shows_all_known_facts(tmp_path: Path) -> None:
    text = page(project(tmp_path / "p"))
    assert text.startswith("# Configuration options\n\n<!-- Made by `conflens docs`;")
    assert "\n## system property\n\n### `pool`\n\n#### `pool.secret`\n" in text
    assert re.fullmatch(
        r"How many are kept \\\| \\\*at most\\\*\.\n\n"
        r"- Type: whole number\n"
        r"- Default: `4` or `8`\n"
        r"- Read in: `Größe\.a` \(src/a/Größe\.java\), `Größe\.b` \(src/a/Größe\.java\)",
        block(text, "pool.size"),
    )
    assert "- Documented in: `docs/guide.md`\n" in block(text, "pool.wait")


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    for form in ("markdown", "asciidoc", "json"):
        text = page(project(tmp_path / "p"), "--format", form)
        assert "pool.secret" in text
        assert "s3cr3t" not in text
    password = option("a.key", read('Integer.getInteger("pool.size", 8)', '"pool.size"', "8"))
    made = entries(analysis(), [attrs.evolve(password, type=OptionType.PASSWORD)], False)
    assert (made[0].secret, made[0].defaults) == (True, ())


def test_limits_units_and_deprecation() -> None:
    made = attrs.evolve(
        option("a.b"),
        type=OptionType.TIME,
        unit="ms",
        limits=Limits(minimum=1, maximum=100),
        deprecated="use `a.c`",
    )
    text = "\n".join(reference_markdown.lines(entries(analysis(), [made], False)))
    assert (
        "- Deprecated: use \\`a.c\\`\n- Type: time in milliseconds\n- Allowed: from 1 to 100"
        in text
    )


def test_line_numbers_are_shown_on_request(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    assert "`Größe.a` (src/a/Größe.java:7)" in page(folder, "--lines")
    assert ".java:" not in page(folder)


def test_long_content_is_cut() -> None:
    sites = tuple(Site(f"A.m{n}", "A.java") for n in range(MAX_READS + 5))
    text = "\n".join(reference_markdown.lines([entry(reads=sites)]))
    assert text.count("A.java") == MAX_READS
    assert text.endswith(" and 5 more")
    long = attrs.evolve(option("a"), defaults=(Default("x" * 9999, place("POOL")),))
    [made] = entries(analysis(), [long], False)
    assert len(made.defaults[0]) == MAX_TEXT


@pytest.mark.parametrize(
    ("name", "namespace"),
    [
        ("a", ""),
        ("a.b", "a"),
        ("a.b.c", "a"),
        ("org.example.a.b", "org.example.a"),
        ("org.a", "org"),
        ("", ""),
        ("A_B", ""),
    ],
)
def test_namespaces(name: str, namespace: str) -> None:
    assert namespace_of(name) == namespace


def test_a_selection_of_options(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")

    def names(*arguments: str) -> list[str]:
        found = json.loads(page(folder, "--format", "json", *arguments))
        return [one["name"] for one in found["options"]]

    assert names() == ["pool.secret", "pool.size", "pool.wait", "quiet.mode"]
    assert names("--only", "documented") == ["pool.size", "pool.wait"]
    assert names("--only", "undocumented") == ["pool.secret", "quiet.mode"]
    assert set(names("--only", "sensitive")) < set(names())
    assert names("--name", "pool.s*", "--name", "quiet.mode", "--domain", "system-property") == [
        "pool.secret",
        "pool.size",
        "quiet.mode",
    ]


# -- the same input, the same bytes --------------------------------------------------------------


@pytest.mark.parametrize("form", ["markdown", "asciidoc", "json"])
def test_file_order_and_edits_elsewhere_do_not_matter(tmp_path: Path, form: str) -> None:
    other = 'package a; class Z { int z = Integer.getInteger("pool.size", 8); }\n'
    first = project(tmp_path / "p", **{"src/a/Z.java": other})
    second = tmp_path / "q"
    project(second, **{"src/a/Z.java": other})
    moved = second / "src/a/Größe.java"
    moved.write_text(
        "// a line\n\n\n" + JAVA.replace("String all()", "int no; String all()"), "utf-8"
    )
    assert page(first, "--format", form) == page(second, "--format", form)


def test_a_committed_page_is_not_documentation(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    committed = folder / PAGE
    before = page(folder)
    for text in (before, before.replace("whole number", "anything")):
        committed.write_text(text, encoding="utf-8")
        assert page(folder) == before
        names = page(folder, "--format", "json", "--only", "undocumented")
        assert "quiet.mode" in names


# -- --check -------------------------------------------------------------------------------------


def check(folder: Path, *arguments: str) -> int:
    given = ["docs", str(folder), "--workers", "0", "--output", str(folder / PAGE), "--check"]
    return main([*given, *arguments])


def test_check_reports_a_stale_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = project(tmp_path / "p")
    assert check(folder) == 1
    assert "does not exist" in capsys.readouterr().out
    assert not (folder / PAGE).exists()

    assert main(["docs", str(folder), "--workers", "0", "--output", str(folder / PAGE)]) == 0
    assert check(folder) == 0
    assert capsys.readouterr().out == ""

    committed = (folder / PAGE).read_bytes()
    (folder / PAGE).write_bytes(committed.replace(b"\n", b"\r\n"))
    assert check(folder) == 0

    (folder / PAGE).write_bytes(committed)
    java = JAVA.replace('"pool.wait", 100', '"pool.wait", 200')
    (folder / "src/a/Größe.java").write_text(java, encoding="utf-8")
    assert check(folder) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("options.md is not up to date; write it anew without --check")
    line = committed.decode().splitlines().index("- Default: `100`") + 1
    assert said[1:] == [f"line {line}:", "-- Default: `100`", "+- Default: `200`"]
    assert (folder / PAGE).read_bytes() == committed


def test_a_large_difference_is_summarized(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project(tmp_path / "p")
    (folder / PAGE).write_text("".join(f"-- {n}\n" for n in range(300)))
    assert check(folder) == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 22
    assert said[-1].startswith("and ")
    (folder / PAGE).write_text("x\n" * 5000)
    assert check(folder) == 1
    assert "from line 1 on: 5,000 lines there" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--check",), "--check needs the page"),
        (("--output", "nowhere/a.md"), "there is no folder nowhere"),
        (("--name", "pool.sise"), "did you mean 'pool.size'?"),
        (("--domain", "system-propery"), "did you mean 'system-property'?"),
        (("--only", "some"), "invalid choice"),
        (("extra",), "unrecognized arguments: extra"),
        (("--output", ".", "--check"), "Is a directory"),
    ],
)
def test_bad_input_gives_one_line(
    tmp_path: Path, arguments: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["docs", str(project(tmp_path / "p")), "--workers", "0", *arguments]
    assert main(given) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert reason in said


def test_a_process_chooses_the_format_by_file_name(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    output = tmp_path / "options.adoc"
    done = conflens(tmp_path, "docs", str(folder), "--output", str(output))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert output.read_text(encoding="utf-8").startswith("= Configuration options\n\n// Made")


# -- escaping ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_shows_any_text_literally(text: str) -> None:
    made = entry(
        name=text,
        description=((False, text),),
        defaults=(text,),
        deprecated=text,
        reads=(Site(text, text),),
    )
    shown = (
        MarkdownIt("commonmark")
        .enable(["table", "strikethrough"])
        .render("\n".join(reference_markdown.lines([made])))
    )
    plain = html.escape(text, quote=False).replace('"', "&quot;")
    assert f"<h4><code>{plain}</code></h4>" in shown
    assert f"<p>{plain}</p>" in shown
    assert f"<li>Default: <code>{plain}</code></li>" in shown
    assert f"<li>Deprecated: {plain}</li>" in shown
    assert f"<li>Read in: <code>{plain}</code> ({plain})</li>" in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_asciidoc_escapes_all_markup(text: str) -> None:
    made = entry(
        name=text, description=((False, text), (True, text), (False, "s")), deprecated=text
    )
    lines = list(reference_asciidoc.lines([made]))
    heading = next(line for line in lines if line.startswith("==== ")).removeprefix("==== ")
    if heading.startswith("`+"):
        assert heading == f"`+{text}+`"
        assert not {"`", "+", "\\"} & set(text)
    else:
        assert re.fullmatch(r"``(?:\w|&#\d+;| )*``", heading)
        assert html.unescape(heading[2:-2]) == text
    said = next(line for line in lines if line.startswith("* Deprecated: "))
    told = said.removeprefix("* Deprecated: ")
    assert html.unescape(told) == text
    bare = re.sub(r"&#\d+;", "", told)
    assert not set(bare) & set("`*#^~+[]{}<>|\\&'\"")
    assert not re.search(r"--|\.\.|::|//|\(C\)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", told)
    paragraph = lines[lines.index(f"==== {heading}") + 2]
    assert re.match(r"[A-Za-z0-9&]", paragraph)
    assert not re.match(r"(?:\d+|[a-zA-Z])\.\s", paragraph)


def test_code_next_to_a_word_is_still_code() -> None:
    said = ((False, "the"), (True, "x"), (False, "es and "), (True, "y"), (False, "."))
    text = "\n".join(reference_asciidoc.lines([entry(description=said)]))
    assert "the``+x+``es and `+y+`." in text
    assert code("x") in "\n".join(reference_markdown.lines([entry(description=said)]))
