"""Which files are searched for options."""

import pytest

from conflens.documents import Format, format_of, is_document


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "README",
        "docs/configuration/options.adoc",
        "doc/source/config.rst",
        "docs/generated/options.html",
        "docs/security.html",
        "src/main/resources/hdfs-default.xml",
        "conf/hdfs-site.xml.template",
        "conf/zoo_sample.cfg",
        "conf/cassandra.yaml",
        "conf/spark-defaults.conf.template",
        "bin/jmeter.properties",
        "config/server.properties",
        "config/kafka_aws.properties",
        "src/main/resources/application-prod.yml",
        "src/main/resources/META-INF/additional-spring-configuration-metadata.json",
        "src/main/resources/META-INF/spring-configuration-metadata.json",
        "src/main/resources/reference.conf",
        "xdocs/usermanual/properties_reference.xml",
        "etc/app-env.sh",
        "conf/jvm.options",
        "bin/nodetool",
        "NEWS.txt",
        "bin\\start.bat",
        "./docs/a.md",
        "docs/latest-default.xml",
        "src/main/resources/messages.properties",
        "i18n/app.properties",
    ],
)
def test_documents(path: str) -> None:
    assert is_document(path)


@pytest.mark.parametrize(
    "path",
    [
        "LICENSE",
        "LICENSE.txt",
        "META-INF/NOTICE.txt",
        "CHANGELOG.md",
        "CHANGES.txt",
        "docs/release-notes-3.1.html",
        "docs/3.1-release-notes.md",
        "site/release_notes/3.1.md",
        "docs/changelog/2024.md",
        "NEWS.md",
        "docs/changelog.html",
        "src/main/resources/messages_de.properties",
        "res/help_pt_BR.properties",
        "res/_messages_zh_CN.properties",
        "i18n/app_de.properties",
        "src/test/i18n/app.properties",
        "src/test/resources/application.properties",
        "target/classes/core-default.xml",
        "node_modules/x/README.md",
        ".github/workflows/ci.yml",
        "docs/.hidden.md",
        "pom.xml",
        "src/main/resources/log4j2.properties",
        "src/main/resources/logback.xml",
        "gradle/wrapper/gradle-wrapper.properties",
        "docker-compose.yml",
        "docs/apidocs/index.html",
        "src/main/webapp/beans.xml",
        "src/main/java/A.java",
        "package.json",
        "data.csv",
        "",
        "/",
        "Makefile",
    ],
)
def test_files_that_are_not_searched(path: str) -> None:
    assert not is_document(path)


def test_the_format_follows_the_name_without_its_template_suffix() -> None:
    assert format_of("a/b.YAML") is Format.YAML
    assert format_of("a/core-site.xml.template") is Format.XML
    assert format_of("x.properties.sample") is Format.PROPERTIES
    assert format_of("noextension") is None
