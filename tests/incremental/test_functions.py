"""Functions that read options: after an edit of what they are, or of what calls them, a session says what a new one says."""

from __future__ import annotations

import pytest

from incremental.one_edit import names_before

FILES = {
    "p/Helper.java": (
        "package p; class Helper { static int number(java.util.function.Function<String, String> source, String key) {"
        ' String text = source.apply("a." + key); return text == null ? 3 : Integer.parseInt(text); } }'
    ),
    "p/User.java": (
        'package p; class User { int size() { return Helper.number(System::getProperty, "size"); } }'
    ),
    "p/Held.java": (
        "package p; class Held { private final java.util.function.Function<String, String> source;"
        " Held(java.util.function.Function<String, String> source) { this.source = source; }"
        ' String host() { return source.apply("HOST"); } }'
    ),
    "p/Main.java": "package p; class Main { String host() { return new Held(System::getenv).host(); } }",
    "p/Local.java": (
        "package p; class Local { java.util.function.Function<String, String> get = key -> System.getProperty(key);"
        ' String depth() { return get.apply("depth"); } }'
    ),
}
EDITS = {
    "the helper's prefix": ("p/Helper.java", '"a."', '"b."'),
    "the helper's default": ("p/Helper.java", "? 3", "? 4"),
    "the helper calls nothing": ("p/Helper.java", "source.apply(", "String.valueOf("),
    "what is passed": ("p/User.java", "System::getProperty", "System::getenv"),
    "the key that is passed": ("p/User.java", '"size"', '"length"'),
    "what the constructor is given": ("p/Main.java", "System::getenv", "System::getProperty"),
    "the constructor is given nothing": ("p/Main.java", "System::getenv", "String::trim"),
    "the key of a field": ("p/Held.java", '"HOST"', '"PORT"'),
    "the key of a lambda": ("p/Local.java", '"depth"', '"height"'),
    "the lambda is not called": ("p/Local.java", "get.apply(", "get.compose("),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_gives_what_a_fresh_session_gives(edit: str) -> None:
    assert names_before(FILES, EDITS[edit]) == {"a.size", "HOST", "depth"}
