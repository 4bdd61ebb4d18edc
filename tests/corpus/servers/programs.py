"""The programs of the corpus: Maven coordinates, workloads, and what is set wrong.

Only those of the seen half are here; see ``README.md`` for the lot.
"""

from __future__ import annotations

from typing import NamedTuple


class Wrong(NamedTuple):
    """An option with a value that makes a run slow."""

    option: str
    good: str
    bad: str


class Program(NamedTuple):
    """``artifacts`` are what the workload needs, with all they need; ``sources`` the beginnings of the names of jars that are
    read as the program's source."""

    name: str
    main: str
    size: str
    """How much work a run does, in units of the workload."""
    artifacts: tuple[str, ...]
    sources: tuple[str, ...]
    wrong: tuple[Wrong, ...]


PROGRAMS = (
    Program(
        "jetty",
        "JettyApp",
        "30",
        (
            "org.eclipse.jetty:jetty-server:11.0.20",
            "org.eclipse.jetty:jetty-servlet:11.0.20",
            "org.slf4j:slf4j-nop:2.0.9",
        ),
        ("jetty-server", "jetty-servlet", "jetty-http", "jetty-io", "jetty-util"),
        (
            Wrong("site.gzip.level", "1", "9"),
            Wrong("site.output.buffer", "32768", "32"),
        ),
    ),
    Program(
        "infinispan",
        "InfinispanApp",
        "150000",
        ("org.infinispan:infinispan-core:14.0.27.Final",),
        ("infinispan-core", "infinispan-commons"),
        (
            Wrong("store.entries.max", "10000", "500"),
            Wrong("store.serialized", "false", "true"),
        ),
    ),
    Program(
        "xalan",
        "XmlApp",
        "1500",
        ("xalan:xalan:2.7.3", "xalan:serializer:2.7.3", "xerces:xercesImpl:2.12.2"),
        ("xercesImpl",),
        (
            Wrong("batch.validate", "false", "true"),
            Wrong("batch.sheet.shared", "true", "false"),
        ),
    ),
    Program(
        "ftpserver",
        "FtpApp",
        "15",
        (
            "org.apache.ftpserver:ftpserver-core:1.2.0",
            "org.slf4j:slf4j-nop:1.7.36",
            "commons-net:commons-net:3.10.0",
        ),
        ("ftpserver-core", "ftplet-api", "mina-core"),
        (
            Wrong("ftp.passwords", "clear", "salted"),
            Wrong("ftp.transfer.rate", "0", "300000"),
        ),
    ),
)
