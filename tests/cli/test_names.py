"""Files that name options: lists, and files of settings whose keys are the names."""

from pathlib import Path

import pytest

from conflens.cli.errors import BadInputError
from conflens.cli.sensitivity.name_lists import names_in


def names(tmp_path: Path, file: str, content: str | bytes) -> tuple[str, ...]:
    path = tmp_path / file
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return names_in(str(path))


@pytest.mark.parametrize("file", ["names.txt", "names", "names.list"])
def test_a_list_has_one_name_per_line(tmp_path: Path, file: str) -> None:
    content = (
        "\ufeff# all\r\npool.size\r\n\r\n  --config  # the file\r\npool.size\r\nfs.*.impl\r\na#b"
    )
    assert names(tmp_path, file, content) == ("pool.size", "--config", "fs.*.impl", "a#b")


def test_top_level_yaml_keys_including_commented_out_ones(tmp_path: Path) -> None:
    content = """# The name of the cluster, which is mostly used: to keep nodes apart.
cluster_name: 'Test Cluster'

# This is prose about a key.
# num_tokens: 16
#disk_access_mode: auto
hints_compression:
  - class_name: LZ4Compressor
    parameters:
      - chunk: 1
# commitlog_compression:
#   - class_name: LZ4Compressor
high-availability: none
# high-availability.storage: none
taskmanager.memory: 1
taskmanager.memory.size: 1
seeds:
    # inner: 1
    other: 2
"""
    assert names(tmp_path, "cassandra.yaml", content) == (
        "cluster_name",
        "num_tokens",
        "disk_access_mode",
        "hints_compression",
        "commitlog_compression",
        "high-availability",
        "high-availability.storage",
        "taskmanager.memory",
        "taskmanager.memory.size",
        "seeds",
    )


def test_a_template_is_read_in_the_format_it_produces(tmp_path: Path) -> None:
    assert names(tmp_path, "a.yaml.template", "a_b: 1\nc_d:\n") == ("a_b", "c_d")


def test_keys_of_properties(tmp_path: Path) -> None:
    content = "# What it is for.\nnum.io.threads=8\n#log.flush.interval.ms=1000\nport: 1\n"
    assert names(tmp_path, "server.properties", content) == (
        "num.io.threads",
        "log.flush.interval.ms",
        "port",
    )


def test_names_of_a_hadoop_configuration(tmp_path: Path) -> None:
    content = """<?xml version="1.0"?>
<configuration>
<property><name>dfs.replication</name><value>3</value></property>
<property><name>dfs.blocksize</name><value>1</value></property>
</configuration>
"""
    assert names(tmp_path, "hdfs-default.xml", content) == ("dfs.replication", "dfs.blocksize")


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("names.txt", "# none\n\n", "names no option"),
        ("names.yaml", "# Nothing here.\n", "names no option"),
        ("names.txt", b"a\n\xff\xfe\n", "is not UTF-8 text"),
        ("names.txt", "pool.size\npool size\n", ":2: not one name: 'pool size'"),
        ("names.csv", "option,sensitive\n", ":1: not one name"),
        ("names.txt", "pool.size=4\n", ":1: not one name"),
        ("names.txt", "a" * 2_000_001, "has more than 2,000,000 bytes"),
    ],
)
def test_a_file_without_names_is_bad_input(
    tmp_path: Path, file: str, content: str | bytes, reason: str
) -> None:
    with pytest.raises(BadInputError) as caught:
        names(tmp_path, file, content)
    assert f"{file}" in str(caught.value)
    assert reason in str(caught.value)


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="No such file"):
        names_in(str(tmp_path / "names.txt"))
