"""The status page."""

from __future__ import annotations

from conflens.ide.pages.status import Cost, server_cost, status
from conflens.render.phrases import Wording
from ide.toy import project


def test_a_page() -> None:
    found = project(
        {
            "A.java": 'class A { String s = System.getProperty("a.b"); }',
            "Config.java": "class Config { /*bound*/ int size = 64; }",
        }
    )
    assert (
        status("demo", found.analysis, Wording(), "")
        == """## demo

2 options with 1 read in 2 files (2 lines).

Last update: 0.25 s, 0 files from the cache, 50 MB at most.

| kind | options |
| --- | ---: |
| system property | 1 |
| yaml | 1 |
"""
    )


def test_before_the_first_analysis_and_after_a_failure() -> None:
    assert status("demo", None, Wording(), "").endswith("The project is being read.\n")
    assert "The last update failed: KeyError: 'x'" in status(
        "demo", None, Wording(), "KeyError: 'x'"
    )
    found = project({"A.java": "class A { }"}, complete=False)
    assert "The project is still being read." in status("demo", found.analysis, Wording(), "")


def test_the_cost_line() -> None:
    found = project({"A.java": "class A { }"}).analysis
    page = status("demo", found, Wording(), "", Cost(4.21, 18_400_000))
    assert (
        "First scan: 4.21 s. Last update: 0.25 s, 0 files from the cache, 50 MB at most.\n"
        "Cache on disk: 18 MB.\n"
    ) in page
    assert "Cache on disk: 0.1 MB." in status("demo", found, Wording(), "", Cost(0, 900))
    assert server_cost(330_400_000) == "The server uses 330 MB of memory."
    assert server_cost(1_250_000_000) == "The server uses 1,250 MB of memory."
    assert server_cost(0) == ""
