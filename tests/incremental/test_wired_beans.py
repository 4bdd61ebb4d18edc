"""Beans that files wire: after an edit of the file or of the class a session says what a new one says."""

from __future__ import annotations

import pytest

from incremental.one_edit import Edit, names_before

STORE = "package app; public class Store { int size; public void setSize(int size) { this.size = size; } }"
BEANS = """<beans xmlns="http://www.springframework.org/schema/beans">
  <bean id="store" class="app.Store"><property name="size" value="${store.size:16}"/></bean>
</beans>
"""
FILES = {"src/main/java/app/Store.java": STORE, "src/main/resources/beans.xml": BEANS}


@pytest.mark.parametrize(
    "edit",
    [
        ("src/main/resources/beans.xml", "store.size", "store.length"),
        ("src/main/resources/beans.xml", ":16", ":32"),
        ("src/main/resources/beans.xml", "app.Store", "app.Other"),
        ("src/main/resources/beans.xml", "${store.size:16}", "16"),
        ("src/main/java/app/Store.java", "setSize", "setLength"),
        ("src/main/java/app/Store.java", "Store {", "Other {"),
    ],
)
def test_an_edit_says_what_a_new_session_says(edit: Edit) -> None:
    assert "store.size" in names_before(FILES, edit)
