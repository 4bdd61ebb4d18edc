"""Renaming an option: the texts of all files after it, or the one sentence that refuses it."""

from __future__ import annotations

import pytest

from checking.keys_support import PROPERTIES, analyse
from conflens.ide.rename.edits import Part
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.rename import Renamed, renamed, subject_at
from ide.toy import CURSOR, Project, project

KEYS = 'class Keys { static final String K = "net.timeout"; }'
READ = "class A { int a = Integer.getInteger(Keys.K, 5); }"


def done(files: dict[str, str], new: str, only: tuple[Part, ...] = tuple(Part)) -> dict[str, str]:
    """The files that differ after the rename at the cursor, with their new texts."""
    found = project(files)
    result = renamed(found.analysis, found.path, found.offset, new)
    assert result is not None
    return applied(found, files, result, only)


def applied(
    found: Project, files: dict[str, str], result: Renamed, only: tuple[Part, ...] = tuple(Part)
) -> dict[str, str]:
    texts = {path: text.replace(CURSOR, "").encode() for path, text in files.items()}
    before = dict(texts)
    for edit in sorted(result.edits, reverse=True):
        if edit.part in only:
            text, place = texts[edit.place.path], edit.place
            texts[place.path] = text[: place.start] + edit.text.encode() + text[place.end :]
    return {path: text.decode() for path, text in texts.items() if text != before[path]}


def refused(files: dict[str, str], new: str = "net.limit") -> str:
    found = project(files)
    with pytest.raises(RefusedError) as error:
        renamed(found.analysis, found.path, found.offset, new)
    assert "\n" not in str(error.value)
    return str(error.value)


def cursor(text: str, at: str) -> str:
    assert at in text
    return text.replace(at, f"{at[:1]}{CURSOR}{at[1:]}", 1)


def test_a_constant_its_reads_and_a_config_file() -> None:
    files = {
        "Keys.java": cursor(KEYS, "net.t"),
        "A.java": READ,
        "B.java": 'class B { int a = Integer.getInteger("net.timeout"); }',
        "app.properties": "# 😀\r\nnet.timeout = 5\r\nother=${net.timeout:7}s\r\n",
    }
    assert done(files, "net.limit") == {
        "Keys.java": 'class Keys { static final String K = "net.limit"; }',
        "B.java": 'class B { int a = Integer.getInteger("net.limit"); }',
        "app.properties": "# 😀\r\nnet.limit = 5\r\nother=${net.limit:7}s\r\n",
    }


@pytest.mark.parametrize(
    ("path", "at"),
    [("B.java", "net.t"), ("app.properties", "net.timeout ="), ("app.properties", "net.timeout:")],
)
def test_from_any_place_the_name_is_written(path: str, at: str) -> None:
    files = {
        "Keys.java": KEYS,
        "A.java": READ,
        "B.java": 'class B { int a = Integer.getInteger("net.timeout"); }',
        "app.properties": "net.timeout = 5\nother=${net.timeout:7}s\n",
    }
    after = done({**files, "Keys.java": cursor(KEYS, "net.t")}, "x.y")
    files[path] = cursor(files[path], at)
    found = project(files)
    subject = subject_at(found.analysis, found.path, found.offset)
    assert subject is not None
    assert found.show(subject.place).endswith(" net.timeout")
    assert done(files, "x.y") == after
    assert len(after) == 3


def test_identifiers_and_other_names_are_left_to_java() -> None:
    for text in (cursor(KEYS, "K ="), 'class A { String s = "so<|>me"; }', "cl<|>ass B { }"):
        found = project({"Keys.java": text, "A.java": READ})
        assert subject_at(found.analysis, found.path, found.offset) is None
        assert renamed(found.analysis, found.path, found.offset, "x.y") is None


def test_yaml_keys_move_across_parents() -> None:
    files = {
        "Keys.java": KEYS,
        "A.java": READ,
        "app.yml": "net:\n  # how long 😀\n  time<|>out: 5\n  port: 1\n",
    }
    after = done(files, "io.limit")
    assert after["Keys.java"] == KEYS.replace("net.timeout", "io.limit")
    text = after["app.yml"]
    assert "timeout" not in text and "limit: 5" in text and "port: 1" in text


def test_a_key_shared_by_an_alias_is_refused() -> None:
    files = {
        "Keys.java": cursor(KEYS, "net.t"),
        "A.java": READ,
        "app.yml": "base: &b\n  timeout: 5\nnet:\n  <<: *b\n",
    }
    assert refused(files) == "app.yml:2 sets it through an alias, which others use as well."


def test_a_key_in_several_documents_changes_in_each() -> None:
    files = {
        "Keys.java": cursor(KEYS, "net.t"),
        "A.java": READ,
        "app.yml": "net:\n  timeout: 5\n---\nnet: {timeout: 6}\n---\nnet.timeout: 7\n",
    }
    text = done(files, "net.limit")["app.yml"]
    assert text == "net:\n  limit: 5\n---\nnet: {limit: 6}\n---\nnet.limit: 7\n"


def test_other_spellings_of_a_relaxed_name() -> None:
    files = {
        "Keys.java": cursor(KEYS, "net.t"),
        "A.java": READ,
        ".env": "NET_TIMEOUT=5\n",
        "app.properties": "Net.Timeout=6\nx=${NET_TIMEOUT}\n",
    }
    found = project(files, domain="relaxed")
    result = renamed(found.analysis, found.path, found.offset, "net.limit-ms")
    assert result is not None
    assert applied(found, files, result) == {
        "Keys.java": KEYS.replace("net.timeout", "net.limit-ms"),
        ".env": "NET_LIMIT_MS=5\n",
        "app.properties": "net.limit-ms=6\nx=${NET_LIMIT_MS}\n",
    }


def test_edits_in_documents_comments_and_texts_need_confirmation() -> None:
    files = {
        "Keys.java": "/** See net.timeout. */ " + KEYS,
        "A.java": 'class A { /* net.timeout */ int a = Integer.getInteger(Keys.K, 5); '
        'String s = "net.timeout > 0, not net.timeout.ms"; String t = net.timeout; }',
        "app.properties": "# net.timeout in s\nnet.t<|>imeout = 5\n#net.timeout=7\n",
        "GUIDE.md": "# `net.timeout` 😀\n\nThe net.timeout and -Dnet.timeout=5, twice net.timeout.\n"
        "Not a.net.timeout, not net.timeout.ms.\n",
        "conf/x-default.xml": "<configuration><property><name>net.timeout</name>"
        "<value>5</value></property></configuration>",
        "run.sh": 'exec java -Dnet.timeout=5 -jar x.jar\n',
    }  # fmt: skip
    sure = done(files, "net.limit", (Part.CODE, Part.CONFIG))  # found by analysis
    assert "GUIDE.md" not in sure and "A.java" not in sure
    assert sure["app.properties"] == "# net.timeout in s\nnet.limit = 5\n#net.timeout=7\n"
    assert "run.sh" not in sure
    assert "<name>net.limit</name>" in sure["conf/x-default.xml"]
    after = done(files, "net.limit")
    assert after["app.properties"] == "# net.limit in s\nnet.limit = 5\n#net.limit=7\n"
    assert after["GUIDE.md"] == (
        "# `net.limit` 😀\n\nThe net.limit and -Dnet.limit=5, twice net.limit.\n"
        "Not a.net.timeout, not net.timeout.ms.\n"
    )
    assert after["run.sh"] == "exec java -Dnet.limit=5 -jar x.jar\n"
    assert after["Keys.java"].startswith("/** See net.limit. */")
    assert after["A.java"] == (
        'class A { /* net.limit */ int a = Integer.getInteger(Keys.K, 5); '
        'String s = "net.limit > 0, not net.timeout.ms"; String t = net.timeout; }'
    )  # fmt: skip


def test_spring_metadata_is_a_document() -> None:
    metadata = "additional-spring-configuration-metadata.json"
    files = {
        "Keys.java": cursor(KEYS, "net.t"),
        "A.java": READ,
        metadata: '{"properties": [{"name": "net.timeout", "type": "x"}]}',
    }
    after = done(files, "net.limit")
    assert after[metadata] == '{"properties": [{"name": "net.limit", "type": "x"}]}'


def test_refusals_and_their_reasons() -> None:
    files = {"Keys.java": cursor(KEYS, "net.t"), "A.java": READ}
    assert refused(files, "") == "An option needs a name."
    assert refused(files, " ") == "An option needs a name."
    assert refused(files, "a b") == "'a b' cannot be the name of an option."
    assert refused(files, "a.*") == "'a.*' cannot be the name of an option."
    assert refused(files, "x" * 300).endswith("is too long.")
    other = {**files, "B.java": 'class B { String a = System.getProperty("net.limit"); }'}
    assert refused(other) == "There is an option net.limit already, in B.java:1."
    taken = {**files, "app.properties": "net.timeout=5\nnet.limit=6\n"}
    assert refused(taken) == "app.properties:2 sets net.limit already."


def test_a_rename_to_another_spelling_of_a_relaxed_name() -> None:
    analysis = analyse(
        {
            "A.java": "import org.springframework.beans.factory.annotation.Value; class A {"
            ' @Value("${shop.region}") String a; @Value("${shop.max-items}") int b; }',
            PROPERTIES: "shop.region=eu\n",
        }
    )
    with pytest.raises(RefusedError) as error:
        renamed(analysis, PROPERTIES, 3, "shop.max_items")
    assert str(error.value) == "There is an option shop.max-items already, in A.java:1."
    respelled = renamed(analysis, PROPERTIES, 3, "shop.Region")
    assert respelled is not None
    assert [edit.place.path for edit in respelled.edits] == ["A.java", PROPERTIES]


def test_many_places_in_one_file_are_each_edited_once() -> None:
    keys = "".join(f"k{number}=${{net.timeout}}\n" for number in range(2_000))
    files = {
        "Keys.java": cursor(KEYS, "net.t"),
        "A.java": READ,
        "app.properties": f"net.timeout=5\n{keys}# net.timeout\n",
    }
    assert done(files, "net.limit")["app.properties"] == files["app.properties"].replace(
        "net.timeout", "net.limit"
    )


def test_a_read_only_format_refuses() -> None:
    files = {
        "Keys.java": cursor(KEYS, "net.t"),
        "A.java": READ,
        "conf/app.conf": 'net.timeout = "5"\n',
    }
    assert refused(files) == ("The name net.limit cannot be written in conf/app.conf:1.")


def test_an_incomplete_analysis_refuses() -> None:
    found = project({"Keys.java": cursor(KEYS, "net.t"), "A.java": READ}, complete=False)
    with pytest.raises(RefusedError, match="Not all files have been read yet"):
        renamed(found.analysis, found.path, found.offset, "x.y")


def test_the_same_name_changes_nothing() -> None:
    files = {"Keys.java": cursor(KEYS, "net.t"), "A.java": READ}
    assert done(files, "net.timeout") == {}


def test_a_bound_field_refuses() -> None:
    files = {
        "Config.java": "class Config { /*bound*/ int max_size = 5; }",
        "A.java": "class A { Config config; int a() { return config.max_size; } }",
        "app.yaml": "max_s<|>ize: 7\n",
    }
    assert "Config.java:1" in refused(files) or "A.java:1" in refused(files)
