"""Renaming options as they are really discovered: every way in which code spells a name."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.rename import renamed, subject_at
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import Session

CURSOR = "<|>"


def analysed(texts: dict[str, str]) -> tuple[Analysis, str, int]:
    options = SessionOptions(cache=False, workers=0)
    plain = {path: text.replace(CURSOR, "") for path, text in texts.items()}
    analysis = Session(MemorySystem(plain), load_models(), jdk.packaged(), options).rebuild()
    path = next(path for path, text in texts.items() if CURSOR in text)
    return analysis, path, len(texts[path][: texts[path].index(CURSOR)].encode())


def after(texts: dict[str, str], new: str) -> dict[str, str]:
    """The files that differ after the rename at the cursor."""
    analysis, path, offset = analysed(texts)
    found = renamed(analysis, path, offset, new)
    assert found is not None
    before = {path: text.replace(CURSOR, "").encode() for path, text in texts.items()}
    changed = dict(before)
    for edit in sorted(found.edits, reverse=True):
        text, place = changed[edit.place.path], edit.place
        changed[place.path] = text[: place.start] + edit.text.encode() + text[place.end :]
    return {path: text.decode() for path, text in changed.items() if text != before[path]}


def refused(texts: dict[str, str], new: str) -> str:
    with pytest.raises(RefusedError) as error:
        after(texts, new)
    return str(error.value)


KEYS = (
    'class Keys { static final String P = "net."; static final String K = P + "time<|>out"; %s }'
)
READ = "class A { int a = Integer.getInteger(Keys.K, 5); }"


def test_a_concatenation_changes_in_its_own_literal() -> None:
    files = {"Keys.java": KEYS % 'static final String H = P + "host";', "A.java": READ}
    files["B.java"] = "class B { String h = System.getProperty(Keys.H); }"
    assert after(files, "net.limit") == {
        "Keys.java": 'class Keys { static final String P = "net."; static final String K = P + "limit"; '
        'static final String H = P + "host"; }'
    }


def test_a_part_shared_by_other_options_is_refused() -> None:
    files = {"Keys.java": KEYS % 'static final String H = P + "host";', "A.java": READ}
    files["B.java"] = "class B { String h = System.getProperty(Keys.H); }"
    assert refused(files, "io.timeout") == (
        "The part of the name that A.java:1 would change also belongs to net.host."
    )
    assert refused(files, "io.limit") == (
        "A.java:1 joins the name from several texts, and the change touches more than one of them."
    )


def test_the_shared_part_itself_is_refused_immediately() -> None:
    files = {
        "Keys.java": 'class Keys { static final String P = "ne<|>t."; }',
        "A.java": 'class A { int a = Integer.getInteger(Keys.P + "timeout", 5); '
        'String h = System.getProperty(Keys.P + "host"); }',
    }
    analysis, path, offset = analysed(files)
    with pytest.raises(RefusedError, match=r"part of the names of several options, net\.host and"):
        subject_at(analysis, path, offset)


def test_a_wrapper_that_adds_a_part() -> None:
    files = {
        "A.java": 'class A { int get(String key) { return Integer.getInteger("net." + key, 5); } '
        'int a = get("time<|>out"); int b = get("host"); }'
    }
    assert after(files, "net.limit") == {
        "A.java": 'class A { int get(String key) { return Integer.getInteger("net." + key, 5); } '
        'int a = get("limit"); int b = get("host"); }'
    }
    said = refused(files, "io.limit")
    assert (
        said == "A.java:1 adds 'net.' to the name in another place, so the new name must keep it."
    )


def test_a_local_a_choice_and_a_literal() -> None:
    files = {
        "A.java": 'class A { int a(boolean b) { String k = "net.timeout"; return Integer.getInteger(k); } '
        'int b(boolean b) { return Integer.getInteger(b ? "net.<|>timeout" : "net.host"); } }'
    }
    assert after(files, "net.limit") == {
        "A.java": 'class A { int a(boolean b) { String k = "net.limit"; return Integer.getInteger(k); } '
        'int b(boolean b) { return Integer.getInteger(b ? "net.limit" : "net.host"); } }'
    }


CLI = (
    "import org.apache.commons.cli.*; class A {"
    ' Options o = new Options().addOption("s", "%s", true, "it").addOption("i", "idle", true, "x");'
    ' String m(CommandLine c) { return c.getOptionValue("%s") + c.getOptionValue("s") + c.hasOption(\'s\'); } }'
)


@pytest.mark.parametrize("new", ["resize", "limit", "sizes", "si"])
def test_the_short_name_of_an_option_stays(new: str) -> None:
    files = {"A.java": (CLI % ("si<|>ze", "size"))}
    assert after(files, new) == {"A.java": CLI % (new, new)}


def test_a_literal_that_merely_begins_as_the_name_is_no_part_of_it() -> None:
    wrapper = 'class A { int get(String key) { return Integer.getInteger(key + "ize", 5); } int a = get("s"); }'
    said = refused(
        {"A.java": wrapper, "B.java": 'class B { int b = Integer.getInteger("si<|>ze"); }'},
        "resize",
    )
    assert "is computed by" in said


def test_an_annotation_with_a_placeholder() -> None:
    value = "import org.springframework.beans.factory.annotation.Value;\n"
    files = {
        "A.java": value + 'class A { @Value("${net.t<|>imeout:5}") int x; }',
        "application.properties": "net.timeout=7\n",
        "B.java": value + 'class B { @Value("${net.timeout}") int x; }',
    }
    assert after(files, "net.limit") == {
        "A.java": value + 'class A { @Value("${net.limit:5}") int x; }',
        "B.java": value + 'class B { @Value("${net.limit}") int x; }',
        "application.properties": "net.limit=7\n",
    }


def test_one_constant_for_two_domains() -> None:
    files = {
        "Keys.java": 'class Keys { static final String K = "NET_<|>TIMEOUT"; }',
        "A.java": "class A { String a = System.getProperty(Keys.K); String b = System.getenv(Keys.K); }",
    }
    analysis, path, offset = analysed(files)
    found = renamed(analysis, path, offset, "NET_LIMIT")
    assert found is not None
    assert len(found.domains) == 2
    assert [edit.text for edit in found.edits] == ['"NET_LIMIT"']


def test_a_name_built_at_run_time_is_reported() -> None:
    files = {
        "A.java": 'class A { int a = Integer.getInteger("net.<|>timeout"); }',
        "B.java": 'class B { int b = Integer.getInteger("NET.TIMEOUT".toLowerCase()); }',
    }
    said = refused(files, "net.limit")
    assert said == (
        'Can\'t rename: the name net.timeout is computed by `"NET.TIMEOUT".toLowerCase()` (B.java:1).'
    )


def test_a_method_that_returns_it_and_a_list_that_contains_it() -> None:
    files = {
        "A.java": 'class A { int a = Integer.getInteger("net.<|>timeout"); }',
        "B.java": "class B { int b = Integer.getInteger(name()); "
        'static String name() { return "net.timeout"; } '
        'void c() { for (String k : new String[] {"net.timeout", "net.host"}) Integer.getInteger(k); } }',
    }
    changed = after(files, "net.limit")
    assert changed == {
        path: text.replace(CURSOR, "").replace("net.timeout", "net.limit")
        for path, text in files.items()
    }


def test_a_pattern_is_refused() -> None:
    files = {
        "A.java": 'class A { String a(String x) { return System.getProperty("net.<|>" + x + ".host"); } '
        'String b = a(String.valueOf(System.nanoTime())); }'
    }  # fmt: skip
    analysis, path, offset = analysed(files)
    with pytest.raises(RefusedError, match="is a pattern"):
        subject_at(analysis, path, offset)


def test_changelogs_are_not_edited_and_files_of_tests_not_without_asking() -> None:
    files = {
        "A.java": 'class A { int a = Integer.getInteger("net.<|>timeout"); }',
        "CHANGELOG.md": "`net.timeout` is new\n",
        "README.md": "\ufeff`net.timeout` is\r\n😀 `net.timeout`\r\n",
        "src/test/resources/app.properties": "net.timeout=5\n",
    }
    assert after(files, "net.limit") == {
        "A.java": 'class A { int a = Integer.getInteger("net.limit"); }',
        "README.md": "\ufeff`net.limit` is\r\n😀 `net.limit`\r\n",
        "src/test/resources/app.properties": "net.limit=5\n",
    }
    found = renamed(*analysed(files), "net.limit")
    assert found is not None
    assert [one.place.path for one in found.edits if one.sure] == ["A.java"]


def test_a_string_with_escapes_is_written_with_escapes() -> None:
    files = {"A.java": 'class A { int a = Integer.getInteger("net.<|>timeout"); }'}
    changed = after(files, 'net."q"')
    assert changed == {"A.java": 'class A { int a = Integer.getInteger("net.\\"q\\""); }'}
