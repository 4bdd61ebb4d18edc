"""Members that no code declares: which there are, how they are called, where they stand."""

from __future__ import annotations

import pytest

from conflens.facts.lower import lower
from conflens.facts.model import FileFacts, Modifier
from conflens.models.generators import ImpliedSettingsRow
from conflens.program.implied.complete import Generators
from conflens.program.implied.styles import PLAIN, Style, Styles
from conflens.program.program import Program
from session.support import models, table

IMPORTS = (
    "import lombok.*; import lombok.experimental.*; import lombok.Value; import java.util.*;\n"
)


def complete(java: str, styles: Styles | None = None) -> FileFacts:
    return Generators(models().implied, styles).complete("A.java", lower(java.encode()))


def implied(java: str, styles: Styles | None = None) -> list[str]:
    """What is added to a source, as ``Type.name(parameters): result``."""
    facts = complete(IMPORTS + java, styles)
    return [
        f"{facts.types[member.owner].name}.{member.key}: {member.type}"
        for member in facts.members
        if member.modifiers & Modifier.IMPLIED
    ]


@pytest.mark.parametrize(
    ("java", "wanted"),
    [
        ("class A { @Getter int a; int b; }", ["A.getA(): int"]),
        ("class A { @Getter static int a; }", ["A.getA(): int"]),
        (
            "@Getter class A { static int a; boolean b; Boolean c; }",
            ["A.isB(): boolean", "A.getC(): Boolean"],
        ),
        (
            "@Getter class A { boolean isOpen; boolean issue; }",
            ["A.isOpen(): boolean", "A.isIssue(): boolean"],
        ),
        ("@Setter class A { final int a = 1; boolean isOpen; }", ["A.setOpen(boolean): void"]),
        ("@Setter class A { int a; void seta(int x) { } }", []),
        ("@Getter class A { @Getter(AccessLevel.NONE) int a; int $b; }", []),
        ("@Data class A { @Setter(AccessLevel.NONE) int a; A(int b) { } }", ["A.getA(): int"]),
        ("@Data @NoArgsConstructor class A { final int a; }", ["A.getA(): int", "A.<init>(): "]),
        (
            "@Value class A { int a; @NonFinal int b = 2; }",
            ["A.getA(): int", "A.getB(): int", "A.<init>(int,int): "],
        ),
        ("@Value class A { int a = 1; static int b; }", ["A.getA(): int", "A.<init>(): "]),
        (
            "@FieldDefaults(makeFinal = true) @RequiredArgsConstructor class A { int a; }",
            ["A.<init>(int): "],
        ),
        (
            "@FieldDefaults(makeFinal = false) @RequiredArgsConstructor class A { int a; }",
            ["A.<init>(): "],
        ),
        (
            '@AllArgsConstructor(staticName = "of") class A { int a; }',
            ["A.<init>(int): ", "A.of(int): A"],
        ),
        ("@AllArgsConstructor(access = AccessLevel.NONE) class A { int a; }", []),
        ("@AllArgsConstructor class A { int a; A(int b) { } }", []),
        ("@Setter @Accessors(chain = true) class A { int a; }", ["A.setA(int): A"]),
        (
            '@Getter @Accessors(prefix = {"m_", "f"}) class A { int m_a; int fB; int far; int x; }',
            ["A.getA(): int", "A.getB(): int"],
        ),
        (
            "class A { @Getter @Accessors(fluent = true) int a; @Getter int b; }",
            ["A.a(): int", "A.getB(): int"],
        ),
        (
            "@With class A { int a; int b = 1; boolean isC; }",
            ["A.withA(int): A", "A.withB(int): A", "A.withC(boolean): A"],
        ),
        ("@Getter enum A { ONE(1); final int a; A(int a) { this.a = a; } }", ["A.getA(): int"]),
        ("@Getter interface A { int a = 1; }", []),
        (
            "record A(int a, String b) { static int c; }",
            ["A.a(): int", "A.b(): String", "A.<init>(int,String): "],
        ),
        ("record A(int a) { A { } public int a() { return 1; } }", []),
        ("record A(int a) { A(String text) { this(1); } }", ["A.a(): int", "A.<init>(int): "]),
    ],
)
def test_members(java: str, wanted: list[str]) -> None:
    assert implied(java) == wanted


def test_a_builder() -> None:
    assert implied(
        '@Builder(builderMethodName = "make", buildMethodName = "done", setterPrefix = "with") class A { int a; }'
    ) == [
        "A.<init>(int): ",
        "ABuilder.a(): int",
        "ABuilder.withA(int): ABuilder",
        "ABuilder.done(): A",
        "A.make(): ABuilder",
    ]


def test_a_builder_that_is_written_in_part() -> None:
    java = "@Builder class A { int a; int b; static class ABuilder { int a; ABuilder a(int x) { return this; } } }"
    assert implied(java) == [
        "A.<init>(int,int): ",
        "ABuilder.b(): int",
        "ABuilder.b(int): ABuilder",
        "ABuilder.build(): A",
        "A.builder(): ABuilder",
    ]


def test_values_that_are_collected() -> None:
    java = '@Builder class A { @Singular List<String> entries; @Singular("one") Map<String, List<Integer>> all; }'
    assert [item for item in implied(java) if "Builder." in item] == [
        "ABuilder.entries(): List<String>",
        "ABuilder.entry(String): ABuilder",
        "ABuilder.entries(java.util.Collection): ABuilder",
        "ABuilder.all(): Map<String,List<Integer>>",
        "ABuilder.one(String,List<Integer>): ABuilder",
        "ABuilder.all(java.util.Map): ABuilder",
        "ABuilder.build(): A",
    ]


def test_only_the_annotations_of_the_generator_count() -> None:
    assert not complete("import my.Getter; class A { @Getter int a; }").calls
    assert len(complete("class A { @Getter int a; }").members) == 1
    assert len(complete("class A { @lombok.Getter int a; }").members) == 2
    assert len(complete("package lombok; class A { @Getter int a; }").members) == 2
    assert (
        len(
            complete("import org.spring.Value; import lombok.*; @Value class A { int a; }").members
        )
        == 1
    )


def test_members_stand_on_the_name_of_their_field() -> None:
    java = f"{IMPORTS}@Data class A {{ /* é */ private final int size; }}"
    facts = complete(java)
    at = java.encode().index(b"size")
    for member in facts.members:
        if member.kind == "method":
            assert (member.at, member.end, member.name_end) == (at, at + 4, at + 4)


def test_what_is_added_is_added_once() -> None:
    facts = complete(f"{IMPORTS}@Data class A {{ int a; }}")
    assert Generators(models().implied).complete("A.java", facts) is facts
    plain = lower(b"class A { @Deprecated int a; }")
    assert Generators(models().implied).complete("A.java", plain) is plain


def test_the_surface_tells_what_is_added() -> None:
    """A value that a field is given changes which constructor there is."""
    before = complete(f"{IMPORTS}@RequiredArgsConstructor class A {{ @NonNull String a; }}")
    after = complete(f'{IMPORTS}@RequiredArgsConstructor class A {{ @NonNull String a = ""; }}')
    assert before.surface != after.surface


def test_a_class_of_any_size_costs_in_proportion_to_it() -> None:
    def size(count: int) -> int:
        fields = " ".join(f"int f{number};" for number in range(count))
        return len(implied(f"@Data @With @Builder class A {{ {fields} }}"))

    assert size(100) == 100 * 5 + 3
    assert size(2000) == 2000 * 2, "no constructor takes so many"


@pytest.mark.parametrize(
    "java",
    [
        "@Data class",
        "@Getter(AccessLevel. class A { int a; }",
        "@Accessors(prefix = ) @Data class A { int a",
        "@Builder class A { int ; @Singular List< x; @Singular int y; }",
        "@SuperBuilder class A extends { int a; }",
        "@Builder @Value record A(int",
        "class A { @Builder A( { } @Builder static void m(int a) { } @Builder int[] n(int... b) { } }",
        "@Data class { boolean is; String x; }",
        "record (int a) { }",
        '@Accessors(fluent = X.Y, chain = 1 + 2, prefix = {A, "b"}) @Data class A { int ba; }',
    ],
)
def test_half_typed_classes(java: str) -> None:
    program = Program.build(
        {"A.java": lower((IMPORTS + java).encode())},
        table(),
        generators=Generators(models().implied),
    )
    for number in range(len(program.files["A.java"].members)):
        program.body(program.ref("A.java", number))


def test_a_generated_class_whose_source_is_there_is_what_it_says() -> None:
    files = {
        "A.java": "import org.immutables.value.Value; @Value.Immutable interface A { int a(); }",
        "gen/ImmutableA.java": "class ImmutableA implements A { public int a() { return 1; } int more; }",
    }
    facts = {path: lower(text.encode()) for path, text in files.items()}
    program = Program.build(facts, table(), generators=Generators(models().implied))
    assert list(program.own_fields("ImmutableA")) == ["more"]


ROW = ImpliedSettingsRow(
    file="a.config",
    keys={
        "stop": "stop",
        "fluent": "fluent",
        "chain": "chain",
        "prefixes": "prefix",
        "plain-booleans": "plain",
        "class": "builder",
    },
    provenance="test",
)


def styles(**files: str) -> Styles:
    """Settings files by their folder, ``_`` for a slash; ``root`` is the root."""
    texts = {
        f"{'' if folder == 'root' else folder.replace('_', '/') + '/'}a.config": text.encode()
        for folder, text in files.items()
    }
    return Styles.of(texts, [ROW])


def test_settings_hold_below_their_folder() -> None:
    found = styles(
        root="FLUENT = True # yes\nprefix += m_\n",
        a="chain=false\nprefix += f\n",
        a_b="stop=true\nplain = true",
    )
    assert found.at("A.java") == Style(fluent=True, prefixes=("m_",))
    assert found.at("a/A.java") == Style(fluent=True, chain=False, prefixes=("m_", "f"))
    assert found.at("a/b/c/A.java") == Style(plain_booleans=True)
    assert found.at("ab/A.java") == found.at("A.java")


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("clear prefix", PLAIN),
        ("prefix += a\nprefix += b\nprefix -= a", Style(prefixes=("b",))),
        ("prefix = a\nclear prefix", PLAIN),
        ("fluent =", PLAIN),
        ("fluent", PLAIN),
        ("unknown = true\n= true\nfluent = yes", Style(fluent=False)),
        ("builder = *Maker", Style(builder="*Maker")),
        ("\xff\0", PLAIN),
        (
            "".join(f"prefix += p{number}\n" for number in range(5000)),
            Style(prefixes=tuple(f"p{number}" for number in range(100))),
        ),
    ],
)
def test_lines_of_settings(text: str, style: Style) -> None:
    assert styles(root=text).at("A.java") == style


def test_settings_change_what_is_added() -> None:
    found = styles(root="fluent = true\nbuilder = Maker")
    assert implied("@Builder @Getter class A { int a; }", found) == [
        "A.a(): int",
        "A.<init>(int): ",
        "Maker.a(): int",
        "Maker.a(int): Maker",
        "Maker.build(): A",
        "A.builder(): Maker",
    ]
    assert styles().digest == ""
    assert found.digest != styles(root="fluent = true").digest != ""
