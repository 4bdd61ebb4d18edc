"""Files of beans: what packaged files say of what they ask for, and what is kept quiet in them."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from conflens.checking.check import findings
from conflens.checking.packaged import packaged_values
from conflens.session.analysis import Analysis
from session.support import session

STORE = "package app; public class Store { public void setSize(int size) { } public void setUrl(String url) { } }"
BEANS = """<beans xmlns="http://www.springframework.org/schema/beans">
  <bean class="app.Store"><property name="size" value="${store.max-size:8}"/><property name="url" value="x${store.url-part}"/></bean>
  <bean class="app.Store"><property name="size" value="${store.max-size:8}"/><property name="url" value="y${store.url-part}"/></bean>
</beans>
"""
POM = "<project><groupId>g</groupId><artifactId>{}</artifactId>{}</project>"
ON = "<dependencies><dependency><groupId>g</groupId><artifactId>lib</artifactId></dependency></dependencies>"
FILES = {
    "lib/pom.xml": POM.format("lib", ""),
    "lib/src/main/java/app/Store.java": STORE,
    "main/pom.xml": POM.format("main", ON),
    "main/src/main/resources/beans.xml": BEANS,
    "main/src/main/resources/store.properties": "store.max-size=32\nstore.url-part=h2\n",
}


def analysed() -> Analysis:
    return session(MemorySystem({path: text.encode() for path, text in FILES.items()})).scan()


def test_a_packaged_file_beside_beans_says_what_users_get() -> None:
    values = packaged_values(analysed().recognised)
    assert [one.text for one in values["spring", "store.max-size"]] == ["32"]


def test_a_property_of_two_beans_is_not_set_twice() -> None:
    analysis = analysed()
    assert list(findings(analysis, "main/src/main/resources/beans.xml")) == []
