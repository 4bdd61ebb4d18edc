"""Properties files: documents, profiles, what a cursor touches, and what is written."""

import pytest

from conflens.documents.configfiles import properties
from documents.configfiles.line_support import applied, at_cursor, completed, shown, told


def test_keys_values_and_places() -> None:
    text = "# c\r\n  a\\ b : 1 \\\r\n   2 \r\nc=\r\nd\r\n"
    first, second, third = properties.parse(text).assignments
    assert (first.name, first.value and first.value.text) == ("a b", "1 2 ")
    assert text[first.key.start : first.key.end] == "a\\ b"
    assert first.value and text[first.value.start : first.value.end] == "1 \\\r\n   2 "
    assert text[first.start : first.end] == "  a\\ b : 1 \\\r\n   2 \r\n"
    assert second.value and (second.value.text, second.value.start) == ("", text.index("c=") + 2)
    assert third.value is None


def test_an_escape_that_java_rejects_is_an_error() -> None:
    text = "a=b\nc=\\u12x4\n"
    (fault,) = properties.parse(text).faults
    assert text[fault.start : fault.end] == "\\u"
    assert shown(properties, text) == ["a = b", "c = u12x4"]


def test_spring_documents_and_their_profiles() -> None:
    text = (
        "a=1\n#---\nspring.config.activate.on-profile=prod\na=2\n"
        "!---\nspring.profiles: dev\n%x.a=3\n#---  \na=4\n"
    )
    assert shown(properties, text) == [
        "a = 1",
        "spring.config.activate.on-profile = prod [1] {prod}",
        "a = 2 [1] {prod}",
        "spring.profiles = dev [2] {dev}",
        "a = 3 [2] {dev & x}",
        "a = 4 [3]",
    ]


@pytest.mark.parametrize(
    "middle",
    ["#---\n# Box\n#---\n", "# text\n#---\n", " #---\n", "#----\n", "#--- x\n", "# ---\n"],
)
def test_a_separator_in_a_comment_starts_no_document(middle: str) -> None:
    assert shown(properties, f"a=1\n{middle}b=2\n") == ["a = 1", "b = 2"]


def test_a_quarkus_profile_is_not_part_of_the_name() -> None:
    text = "%dev.quarkus.http.port=1\n%dev,test.a.b=2\n%.c=3\n%=4\n"
    found = properties.parse(text).assignments
    assert shown(properties, text) == [
        "quarkus.http.port = 1 {dev}",
        "a.b = 2 {dev,test}",
        "%.c = 3",
        "% = 4",
    ]
    assert text[found[0].key.start : found[0].key.end] == "quarkus.http.port"
    assert applied(text, *(properties.renamed(text, found[0], "q.port") or ())).startswith(
        "%dev.q.port=1\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a=b\t", ["a = b\t"]),
        ("a=\t", ["a = "]),
        ("a\t", ["a"]),
        ("\t", []),
        (".a=b\n.=c", [".a = b", ". = c"]),
        ("v=@project.version@", ["v = @project.version@"]),
        ('m[a.b]=1\nm.[c.d].e=2\nm."f.g"=3', ["m[a.b] = 1", "m.[c.d].e = 2", 'm."f.g" = 3']),
        ("# ${x}\na=${b.${c}}/${H:8080}", ["a = ${b.${c}}/${H:8080}"]),
        ("# a=1\n#b=2\nc=3", ["c = 3"]),
    ],
)
def test_cases_reported_by_users(text: str, expected: list[str]) -> None:
    assert shown(properties, text) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("<|>", "key '' for ''"),
        ("a=1\n<|>", "key '' for ''"),
        ("ser<|>ver", "key 'ser' for 'server'"),
        ("ser<|>ver.port = 1", "key 'ser' for 'server.port' ="),
        ("<|>server=1", "key '' for 'server' ="),
        ("a.b=<|>", "value of a.b '' for ''"),
        ("a.b=x<|>y", "value of a.b 'x' for 'xy'"),
        ("a.b = <|>xy", "value of a.b '' for 'xy'"),
        ("a.b=x\\\n   y<|>z\nc=1", "value of a.b 'xy' for 'x\\\\\\n   yz'"),
        ("a.b=\\u0041<|>", "value of a.b 'A' for '\\\\u0041'"),
        ("# a<|>=b", "neither '' for ''"),
        ("<|># a=b", "neither '' for ''"),
        ("%dev.se<|>r=1", "key 'se' for 'ser' ="),
        ("%d<|>ev.ser=1", "neither '' for ''"),
        ("a=1\r\nb<|>\r\nc=2", "key 'b' for 'b'"),
        ("a\\\n<|>b=1", "key 'a' for 'a\\\\\\nb' ="),
    ],
)
def test_the_entry_at_a_cursor(marked: str, expected: str) -> None:
    assert told(properties, marked) == expected


def test_the_document_at_a_cursor() -> None:
    text, found = at_cursor(properties, "a=1\n#---\nb=2\n#---\nc<|>")
    assert found.document == 2
    assert properties.context(text, 1).document == 0
    assert properties.context(text, text.index("b")).document == 1


def test_a_key_is_written_with_the_separator_of_the_file() -> None:
    assert completed(properties, "a = 1\nb = 2\nse<|>", "server.port") == (
        "a = 1\nb = 2\nserver.port = "
    )
    assert completed(properties, "se<|>", "a b:c", " x") == "a\\ b\\:c=\\ x"
    assert completed(properties, "se<|>r=1", "server") == "server=1"
    assert completed(properties, "<|>", "") is None


def test_an_assignment_is_added_next_to_its_neighbours() -> None:
    text = "# of a\na.b=1\n\n# of c\nc.d = 2"
    assert applied(text, properties.added(text, "a.c", "x\ny", "Why\n\nso")) == (
        "# of a\na.b=1\n# Why\n#\n# so\na.c=x\\ny\n\n# of c\nc.d = 2"
    )
    assert applied(text, properties.added(text, "z", "1")) == text + "\nz=1\n"
    assert applied("a=1\r\n", properties.added("a=1\r\n", "b", "2")) == "a=1\r\nb=2\r\n"
    assert applied("a=b\\", properties.added("a=b\\", "c", "2")) == "a=b\\\n\nc=2\n"


def test_an_assignment_is_added_where_it_applies_unconditionally() -> None:
    text = "a.b=1\n#---\nspring.profiles=x\na.b=2\n"
    assert applied(text, properties.added(text, "a.c", "3")).startswith("a.b=1\na.c=3\n#---\n")
    assert applied(text, properties.added(text, "z", "3")).startswith("a.b=1\nz=3\n#---\n")


def test_many_lines() -> None:
    text = "".join(
        f"# Comment\nserver.group{n % 50}.option-{n} = value {n}\n" for n in range(1500)
    )
    assert len(properties.parse(text).assignments) == 1500
