"""The format of a config file by its name, and by its content where the name does not decide."""

from __future__ import annotations

import pytest

from conflens.documents.configfiles.detection import detect, is_blank, named_format
from conflens.documents.configfiles.model import Format
from conflens.documents.configfiles.parsing import UNKNOWN_FORMAT, read
from documents.configfiles.test_hocon import AKKA
from documents.configfiles.torn import mutations

ROCKETMQ = """# Licensed to the Apache Software Foundation
brokerClusterName = DefaultCluster
brokerId = 0
deleteWhen = 04
flushDiskType = ASYNC_FLUSH
namesrvAddr=127.0.0.1:9876;192.168.0.1:9876
"""
PULSAR = """### --- General broker settings --- ###

# Zookeeper quorum connection string
metadataStoreUrl=
brokerServicePort=6650
webServicePort=8080
brokerServicePortTls=
advertisedAddress=
exposeTopicLevelMetricsInPrometheus=true
"""
SPARK = """# Default system properties
spark.master                     spark://master:7077
spark.eventLog.enabled           true
spark.executor.extraJavaOptions  -XX:+PrintGCDetails -Dkey=value -Dnumbers="one two three"
"""
KARAF = """org.apache.felix.fileinstall.enableConfigSave = true
featuresRepositories = \\
    mvn:org.apache.karaf/standard, \\
    mvn:org.apache.karaf/spring
"""


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (ROCKETMQ, Format.PROPERTIES),
        (PULSAR, Format.PROPERTIES),
        (SPARK, Format.PROPERTIES),
        (KARAF, Format.PROPERTIES),
        ("a.b=1\n", Format.PROPERTIES),
        ("! note\na: b\n", Format.PROPERTIES),
        ("app.home=${user.home}/app\n", Format.PROPERTIES),
        (AKKA, Format.HOCON),
        ('akka.loglevel = "INFO"\nakka.timeout = 5 s\n', Format.HOCON),
        ("play.http.port = 9000\nplay.key = ${?KEY}\n", Format.HOCON),
        ("a {\n  b = c:d\n", None),
        ("a {\n  b = 1\n  c", Format.HOCON),
        ('{"a": {"b": 1}}', Format.HOCON),
        ("a:\n  b: 1\n  c: x\n", Format.YAML),
        ("a:\n- b\n- c\n", Format.YAML),
        ("---\na: b\n", Format.YAML),
        ('[server]\nport = 8080\nname = "x"\n', Format.TOML),
        ("[section]\nkey = value\n", None),
        ("key = value\n[section]\nother = value\n", None),
        ("export A=b\nJAVA_OPTS=-Da=b\n", Format.ENVIRONMENT),
        ("#!/bin/sh\nexec java -Da=b Main\n", Format.ARGUMENTS),
        ("-Xmx1g\n-Da.b=c\n", Format.ARGUMENTS),
        (
            "<?xml version='1.0'?>\n<configuration>\n</configuration>\n",
            Format.XML,
        ),
        ("<Directory />\n  Options None\n</Directory>\n", None),
        ("worker_processes 1;\nhttp {\n  listen 80;\n  root = /x;\n}\n", None),
        ("port 6379\nsave 900 1\nappendonly no\n", None),
        ("Listen 80\nServerName x\nTimeout = 3\n", None),
        ("some words that say\nnothing at all\n", None),
        ("[1, 2, 3]\n", None),
        ("", None),
        ("# a note\n\n", None),
    ],
)
def test_the_format_is_detected_by_content(text: str, format: Format | None) -> None:
    assert detect(text) is format
    assert detect(text.replace("\n", "\r\n")) is format


@pytest.mark.parametrize(
    ("path", "format"),
    [
        ("application.yml", Format.YAML),
        ("conf/app.properties", Format.PROPERTIES),
        ("conf/app.properties.template", Format.PROPERTIES),
        ("conf/app.hocon", Format.HOCON),
        (".env.local", Format.ENVIRONMENT),
        (".mvn/jvm.config", Format.ARGUMENTS),
        ("conf/broker.conf", None),
        ("conf/zoo.cfg", None),
        ("conf/app.config", None),
        ("conf/broker", None),
        ("deploy/broker.settings", None),
    ],
)
def test_the_format_is_detected_by_name_where_possible(path: str, format: Format | None) -> None:
    assert named_format(path) is format


def test_a_conf_file_in_properties_syntax_can_be_read_and_written() -> None:
    file = read("distribution/conf/broker.conf", ROCKETMQ.encode())
    assert file.format is Format.PROPERTIES
    values = {one.name: one.value.text for one in file.assignments if one.value}
    assert values["flushDiskType"] == "ASYNC_FLUSH"
    assert values["namesrvAddr"] == "127.0.0.1:9876;192.168.0.1:9876"


def test_a_file_of_unknown_format_is_reported_as_such() -> None:
    ini = read("conf/app.conf", b"[section]\nkey = value\n")
    assert ini.assignments == () and ini.unread == UNKNOWN_FORMAT
    pom = read(
        "conf/other.xml",
        b'<project xmlns="http://maven.apache.org/POM/4.0.0"><name>x</name></project>',
    )
    assert pom.assignments == () and pom.unread == UNKNOWN_FORMAT
    for path in ("conf/new.conf", "conf/core-site.xml"):
        assert read(path, b"").unread == ""
    assert read("conf/site.xml", b"<configuration>\n</configuration>\n").unread == ""


def test_blank_files() -> None:
    assert is_blank(" \n# a\n; b\n! c\n// d\n")
    assert not is_blank("# a\nb")


@pytest.mark.parametrize("text", [ROCKETMQ, PULSAR, SPARK, AKKA])
def test_a_line_being_typed_does_not_change_the_format(text: str) -> None:
    format = detect(text)
    lines = text.splitlines(keepends=True)
    for number in range(len(lines)):
        for typed in ("x", "x =", "x.y", 'x = "', "x {"):
            there = [*lines[: number + 1], f"{typed}\n", *lines[number + 1 :]]
            if format is Format.PROPERTIES or typed in ("x", "x ="):
                if '"""' in lines[number]:
                    continue
                assert detect("".join(there)) is format, (number, typed)


@pytest.mark.seeds(1)
def test_any_text_is_accepted(seed: int) -> None:
    for text in mutations(ROCKETMQ + AKKA, 300, seed):
        detect(text)


def test_long_lines_take_linear_time() -> None:
    for text in (
        "a" * 200_000,
        "a " * 100_000,
        "[" * 200_000,
        'a="b"' + " " * 199_000 + "x",
        "\\" * 200_000,
    ):
        detect(text)
