"""What is taken of an answer of ``javap``, and how the file is written."""

from __future__ import annotations

import tomllib

from corpus.library_keys import TARGET, Table, constants, supertypes, written

SAID = """Compiled from "Config.java"
public class org.acme.Config<T> extends org.acme.Base<java.lang.String, T> implements org.acme.Keys, java.io.Serializable {
  public static final java.lang.String SIZE_CONFIG = "pool.size";
  public static final java.lang.String SIZE_DOC = "How large.";
  public static final java.lang.String SAID = "two words";
  public static final int SIZE_DEFAULT = 16;
  public static final long WAIT_DEFAULT = 5l;
  public static final boolean LAZY_DEFAULT = true;
  public static final java.util.List<java.lang.String> ALL;
  protected static final java.lang.String INNER = "inner.key";
}
"""


def test_keys_and_defaults_are_taken_and_texts_for_people_are_not() -> None:
    assert dict(constants(SAID)) == {
        "SIZE_CONFIG": "pool.size",
        "SIZE_DEFAULT": "16",
        "WAIT_DEFAULT": "5",
        "LAZY_DEFAULT": "true",
    }


def test_supertypes_but_for_those_of_the_jdk() -> None:
    assert supertypes(SAID) == ("org.acme.Base", "org.acme.Keys")
    assert supertypes("public interface a.B extends a.C, a.D {\n}") == ("a.C", "a.D")
    assert supertypes("public class a.B {\n}") == ()


def test_the_file_is_what_would_be_written() -> None:
    rows = tomllib.loads(TARGET.read_text(encoding="utf-8"))["key"]
    found = {
        row["type"]: Table(
            row["provenance"].removeprefix("constants of ").split(", "),
            row.get("supers", []),
            row.get("texts", {}),
        )
        for row in rows
    }
    assert written(found) == TARGET.read_text(encoding="utf-8")
