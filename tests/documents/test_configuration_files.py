"""Configuration files as documentation: what is an entry, what its comment and default are."""

from textwrap import dedent

import pytest

from conflens.documents import TooDeepError, harvest
from documents.support import entries, shown, texts


def check(path: str, text: str, *expected: str) -> None:
    assert shown(path, dedent(text).removeprefix("\n")) == list(expected)


def test_a_property_of_a_default_file_states_name_default_and_description() -> None:
    check(
        "conf/core-default.xml",
        """
        <configuration>
        <property>
          <name>cache.size</name>
          <value>4096</value>
          <description>Bytes kept &amp; reused,
            for each <b>thread</b>.</description>
        </property>
        </configuration>
        """,
        "3:9 cache.size = 4096 # Bytes kept & reused, for each thread .",
    )


def test_a_site_file_sets_values_and_states_no_defaults() -> None:
    text = "<configuration><property><name>a.b</name><value>1</value></property></configuration>"
    (mention,) = harvest("a-site.xml", text).mentions
    assert (mention.default, mention.value) == (None, "1")


def test_properties_count_when_commented_out_truncated_or_without_a_value() -> None:
    assert entries(
        "x-default.xml",
        "<configuration><!-- <property><name>off.one</name></property> -->"
        "<property><name> spaced.name </name><property><name>a.b</name><value>1",
    ) == ["off.one", "spaced.name", "a.b"]


def test_a_value_in_a_comment_does_not_replace_the_value() -> None:
    text = "<property><name>a.b</name><value>1</value><!-- <value>2</value> --></property>"
    assert shown("x-default.xml", text) == ["1:17 a.b = 1"]


def test_two_names_in_one_property_are_two_entries() -> None:
    text = (
        "<property><name>a.b</name><value>1</value><name>c.d</name><value>2</value>"
        "<description>Of the second.</description></property>"
    )
    assert shown("x-default.xml", text) == ["1:17 a.b = 1", "1:49 c.d = 2 # Of the second."]


def test_placeholders_in_names_become_stars() -> None:
    text = (
        "<property><name>fs.&lt;scheme&gt;.impl</name></property><property><name>a.[b c].d</name>"
    )
    assert entries("x-default.xml", text.replace("[b c]", "[b_c]")) == ["fs.*.impl", "a.*.d"]


def test_xml_properties_files() -> None:
    text = '<properties><entry key="pool.max">8</entry><entry key="pool.min"/></properties>'
    assert entries("conf/x.xml", text) == ["pool.max", "pool.min"]


def test_bean_properties_of_other_xml_are_not_entries() -> None:
    assert entries("conf/x.xml", "<build><properties><a.b>1</a.b></properties></build>") == []


def test_the_comment_above_a_key_is_its_description_and_a_commented_value_the_default() -> None:
    check(
        "app.properties",
        """
        # The port to listen on.
        # Defaults to 80.
        port=8080

        # How many at once
        #pool.size=16
        #pool.max = 32
        ! Language
        language : en
        """,
        "3:1 port = 80 # The port to listen on. Defaults to 80.",
        "6:2 pool.size = 16 # How many at once",
        "7:2 pool.max = 32",
        "9:1 language # Language",
    )


def test_separators_and_blank_lines_end_a_comment() -> None:
    check(
        "app.properties",
        """
        # Far away

        #---------
        # Section
        #---------
        a.b=1
        """,
        "6:1 a.b",
    )


def test_continuation_lines_are_values_and_escapes_belong_to_keys() -> None:
    check(
        "app.properties",
        "long.value=one,\\\n  two.three=4\\\n  ,five\nwith\\ space=1\nke\\u0079.a=2\n",
        "1:1 long.value",
        "4:1 with space",
        "5:1 key.a",
    )


def test_an_even_number_of_backslashes_does_not_continue_a_line() -> None:
    assert entries("a.properties", "a.path=C:\\\\\nb.path=1\n") == ["a.path", "b.path"]


def test_prose_in_comments_is_not_a_commented_out_key() -> None:
    check(
        "app.properties",
        """
        # prefix=Namespace
        # Example: the following
        # Note: this = that and much more of it than a value
        # java.io.IOException: broken pipe
        # see https://example.org/?a=b
        #real.key=1
        """,
        "6:2 real.key = 1 # prefix=Namespace Example: the following Note: this = that and much more"
        " of it than a value java.io.IOException: broken pipe see https://example.org/?a=b",
    )


def test_without_tight_keys_a_space_after_the_marker_means_commented_out() -> None:
    assert entries("a.properties", "# timeout = 5\nother=1\n") == ["timeout", "other"]


def test_sections_prefix_keys_and_bare_keys_count_too() -> None:
    found = entries("a.ini", "[cache]\nsize = 1\n; depth = 2\n")
    assert sorted(found) == ["cache.depth", "cache.size", "depth", "size"]


def test_toml_tables() -> None:
    assert "server.tls.key-file" in entries("a.toml", '[server.tls]\nkey-file = "x"\n')


def test_hocon_blocks_nest() -> None:
    check(
        "reference.conf",
        """
        akka {
          actor {
            # Time to wait
            ask-timeout = 5s
          }
          // Off by default
          debug = off
        }
        top.level = 1
        """,
        "4:5 akka.actor.ask-timeout # Time to wait",
        "7:3 akka.debug # Off by default",
        "9:1 top.level",
    )


def test_columns_separated_by_whitespace() -> None:
    assert entries("spark-defaults.conf", "# spark.master    local\nspark.ui.port  4040\n") == [
        "spark.master",
        "spark.ui.port",
    ]


def test_environment_variables_of_scripts() -> None:
    check(
        "app-env.sh",
        """
        #!/bin/sh
        # Heap in MB.
        # export APP_HEAP=512
        APP_OPTS=${APP_OPTS:-fast}
        exec java -Dapp.mode=x -Dport=80
        """,
        "3:10 APP_HEAP = 512 # Heap in MB.",
        "4:1 APP_OPTS = fast",
    )
    assert {"app.mode", "port"} <= texts("run.sh", "exec java -Dapp.mode=x -Dport=80")


def test_yaml_keys_nest_and_comments_describe() -> None:
    check(
        "app.yaml",
        """
        # Name of the cluster.
        cluster_name: 'Test'

        seeds:
          # Who provides them.
          - class_name: Simple
            parameters:
              - hosts: "127.0.0.1"
        depth: 3  # Levels. Default: 2.
        """,
        "2:1 cluster_name # Name of the cluster.",
        "4:1 seeds",
        "6:5 seeds.class_name # Who provides them.",
        "7:5 seeds.parameters",
        "8:9 seeds.parameters.hosts",
        "9:1 depth = 2 # Levels. Default: 2.",
    )


def test_commented_out_yaml_keys_count_with_their_nesting() -> None:
    check(
        "app.yaml",
        """
        # Where hints go.
        # hints_directory: /var/hints

        #compression:
        #   - class_name: LZ4
        #     parameters:

        role:
          name: x
          # limit: 4
        after: 1
        """,
        "2:3 hints_directory = /var/hints # Where hints go.",
        "4:2 compression",
        "5:7 compression.class_name = LZ4",
        "6:7 compression.parameters",
        "8:1 role",
        "9:3 role.name",
        "10:5 role.limit = 4",
        "11:1 after",
    )


def test_prose_with_colons_in_yaml_comments_is_a_description() -> None:
    check(
        "app.yaml",
        """
        # Enables it. Note: this needs care.
        # Min unit: ms
        # Default: true
        # NOTE: nothing
        # the reason is this: it is
        # enabled: false
        """,
        "6:3 enabled = true # Enables it. Note: this needs care. Min unit: ms Default: true"
        " NOTE: nothing the reason is this: it is",
    )


def test_an_indented_example_in_a_yaml_comment_belongs_to_the_description() -> None:
    check(
        "app.yaml",
        """
        validity: 2000

        # Parameters of the form:
        #   parameters:
        #     key: value
        backend:
          class: A
        # Another
        #  class: B
        """,
        "1:1 validity",
        "6:1 backend # Parameters of the form: parameters: key: value",
        "7:3 backend.class",
        "9:4 backend.class = B # Another",
    )


def test_a_space_too_many_before_a_commented_out_key_in_yaml_makes_it_a_sibling() -> None:
    check(
        "app.yaml",
        """
        master:
          port: 1
          # The number of threads.
          #  sync-threads: 10
          # The limit, as in
          #  example: 5
          limit: 2
        """,
        "1:1 master",
        "2:3 master.port",
        "4:6 master.sync-threads = 10 # The number of threads.",
        "7:3 master.limit # The limit, as in example: 5",
    )


def test_yaml_block_scalars_contain_no_keys_and_documents_end_nesting() -> None:
    text = "script: |\n  inner: 1\n\n  other: 2\nnext: 1\n---\n  deep: 1\n"
    assert entries("a.yaml", text) == ["script", "next", "deep"]


@pytest.mark.parametrize(
    "text",
    [
        "a:\n\tb: 1\n  : : :\nc: [unclosed\nd: 'open\n",
        "a: &x [*x, *x]\n%%% @@\nb: }{\nc: 1\nd:",
    ],
)
def test_broken_yaml_still_gives_its_keys(text: str) -> None:
    assert {"a", "c", "d"} <= set(entries("a.yaml", text))


def test_yaml_paths_are_bounded_in_depth() -> None:
    text = "".join(f"{' ' * level}k{level}:\n" for level in range(2000))
    assert max(name.count(".") for name in entries("deep.yaml", text)) <= 16


def test_only_the_first_key_of_a_line_counts_and_a_value_over_lines_holds_none() -> None:
    check(
        "app.yaml",
        """
        # Both sides.
        pool: {size: 1, max: 2}
        text: "first
          second: line
          # not: this"
        map: {
          inner: 1
        }
        """,
        "2:1 pool # Both sides.",
        "3:1 text",
        "6:1 map",
        "7:3 map.inner",
    )
    check(
        "app.toml",
        """
        [server]
        # Where to listen.
        hosts = [
          "a", # b = 1
          # "c" = 2
        ]
        limits = { size = 1 }
        """,
        "3:1 hosts # Where to listen.",
        "3:1 server.hosts # Where to listen.",
        "7:1 limits",
        "7:1 server.limits",
    )


def test_commented_out_keys_are_called_by_the_blocks_around_them() -> None:
    assert entries(
        "reference.conf",
        "akka {\n  actor {\n    # size = 1\n  }\n  //debug = on\n}\n# top.level = 1\na.b = { c = 1 }\n",
    ) == ["akka.actor.size", "akka.debug", "top.level", "a.b"]
    assert set(entries("x.toml", "[a.b]\n#c = 1\n#d = [\n#]\n[e]\n#f = 2\n")) == {
        "a.b.c", "c", "d", "e.f", "f",
    }  # fmt: skip


METADATA = """{
  "groups": [{"name": "server.http"}],
  "properties": [
    {"name": "server.http", "type": "x"},
    {"name": "server.port", "description": "Port. Really.", "defaultValue": 8080},
    {"name": "server.ssl", "defaultValue": false},
    {"name": "server.tags", "defaultValue": ["a", "b"]}
  ],
  "hints": [{"name": "server.hint"}]
}"""


def test_spring_metadata_properties_are_entries_and_groups_are_not() -> None:
    check(
        "META-INF/spring-configuration-metadata.json",
        METADATA,
        "4:15 server.http",
        "5:15 server.port = 8080 # Port. Really.",
        "6:15 server.ssl = false",
        "7:15 server.tags = a,b",
    )


@pytest.mark.parametrize("text", [METADATA[:200], "[]", "null", '{"properties": 5}'])
def test_truncated_or_odd_metadata_gives_what_can_be_read(text: str) -> None:
    found = entries("spring-configuration-metadata.json", text)
    assert ("server.port" in found) == ("server.port" in text)


@pytest.mark.parametrize("depth", [40, 600, 100_000])
def test_metadata_that_nests_too_deeply_is_left_out(depth: int) -> None:
    value = "[" * depth + "1" + "]" * depth
    with pytest.raises(TooDeepError):
        entries(
            "spring-configuration-metadata.json",
            f'{{"properties": [{{"name": "a.b", "defaultValue": {value}}}]}}',
        )
