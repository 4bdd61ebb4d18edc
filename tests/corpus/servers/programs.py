"""The programs of the corpus: Maven coordinates, workloads, and what is set wrong.

``SEEN`` are those that mending may look at; ``SET_ASIDE`` are scored once at the end.  See ``README.md`` for the lot.
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


SEEN = (
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
            Wrong("store.transactional", "false", "true"),
            Wrong("store.lifespan", "3600000", "10"),
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
            Wrong("batch.builder.shared", "true", "false"),
            Wrong("batch.input.buffer", "8192", "16"),
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
    Program(
        "mail",
        "MailApp",
        "1000",
        ("org.subethamail:subethasmtp:3.1.7", "org.slf4j:slf4j-nop:1.7.36"),
        ("subethasmtp",),
        (
            Wrong("mail.memory.bytes", "1000000", "1000"),
            Wrong("mail.scan.bytes", "200", "6000"),
        ),
    ),
)

SET_ASIDE = (
    Program(
        "hikari",
        "HikariApp",
        "40000",
        (
            "com.zaxxer:HikariCP:5.1.0",
            "org.xerial:sqlite-jdbc:3.45.1.0",
            "org.slf4j:slf4j-nop:2.0.9",
        ),
        ("HikariCP",),
        (
            Wrong("db.pool.size", "6", "1"),
            Wrong("db.pool.leak", "0", "5000"),
            Wrong("com.zaxxer.hikari.aliveBypassWindowMs", "500", "0"),
            Wrong("db.commit.rows", "250", "1"),
        ),
    ),
    Program(
        "undertow",
        "UndertowApp",
        "200",
        ("io.undertow:undertow-core:2.3.10.Final",),
        ("undertow-core", "xnio-api", "xnio-nio"),
        (
            Wrong("web.buffer.bytes", "16384", "128"),
            Wrong("web.pack.level", "1", "9"),
            Wrong("web.files.largest", "100000", "10"),
            Wrong("web.threads.work", "8", "1"),
            Wrong("web.requests.dumped", "false", "true"),
        ),
    ),
    Program(
        "jgroups",
        "JGroupsApp",
        "50000",
        ("org.jgroups:jgroups:5.3.4.Final",),
        ("jgroups",),
        (
            Wrong("group.bundler", "transfer-queue", "no-bundler"),
            Wrong("group.part.bytes", "30000", "400"),
            Wrong("group.packed.least", "1000000", "100"),
            Wrong("group.credit.all", "2000000", "80000"),
        ),
    ),
    Program(
        "tomcat",
        "TomcatApp",
        "120",
        ("org.apache.tomcat.embed:tomcat-embed-core:10.1.19",),
        ("tomcat-embed-core",),
        (
            Wrong("shop.files.cached", "true", "false"),
            Wrong("shop.session.bytes", "16", "4096"),
            Wrong("shop.keepalive.requests", "100", "1"),
            Wrong("shop.threads.max", "8", "1"),
        ),
    ),
    Program(
        "activemq",
        "ActiveMqApp",
        "8000",
        (
            "org.apache.activemq:activemq-broker:5.18.3",
            "org.apache.activemq:activemq-kahadb-store:5.18.3",
            "org.slf4j:slf4j-nop:2.0.9",
        ),
        ("activemq-broker", "activemq-client", "activemq-kahadb-store"),
        (
            Wrong("mq.stored", "false", "true"),
            Wrong("mq.packed", "false", "true"),
            Wrong("mq.commit.messages", "50", "1"),
        ),
    ),
)

PROGRAMS = SEEN + SET_ASIDE
