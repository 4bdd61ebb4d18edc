"""Beside a Java server: whose message it is, short hovers, actions of our own only, a calm line while it is typed, lenses
that stay where they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e.client import NEVER, STDIO, TYPING_PAUSE, Client
from forests import planted
from patience import until

NEAR = 'class A {\n  void a() { String s = System.getProperty("net.host"); use(s);\n\n  }\n}\n'
GUIDE = "Set `net.host` to the host.\n"
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
UNUSED = "net.por has no effect: its value is read, but never used."
READ = '    System.getProperty("net.por");'
EVERY_OPTION = {"annotations": {"show": "all"}}


def opened(client: Client, folder: Path, text: str = NEAR, **changes: Any) -> str:
    """Start on a project with one file, with hints and lenses of every option; return its URI."""
    (folder / "A.java").write_text(text)
    (folder / "GUIDE.md").write_text(GUIDE)
    client.start({"demo": folder.as_uri()}, settings=EVERY_OPTION, **changes)
    uri = (folder / "A.java").as_uri()
    client.open(uri, text)
    client.diagnostics(uri, 1)
    client.ready()
    return uri


def typed(client: Client, uri: str, line: int, column: int, text: str, version: int) -> int:
    """Type a text key by key; return the document's version."""
    for number, key in enumerate(text):
        version += 1
        client.change(uri, version, (line, column + number, line, column + number, key))
    return version


def shown(client: Client, uri: str, version: int) -> list[list[str]]:
    """What was published for a version, one list for each time."""
    return [
        [item["message"] for item in message["params"]["diagnostics"]]
        for message in client.notifications
        if message["method"] == "textDocument/publishDiagnostics"
        and (message["params"]["uri"], message["params"]["version"]) == (uri, version)
    ]


def hints(client: Client, uri: str) -> list[tuple[int, str]]:
    params = {"textDocument": {"uri": uri}, "range": WHOLE}
    return [
        (hint["position"]["line"], hint["label"])
        for hint in client.request("textDocument/inlayHint", params)
    ]


def told(client: Client, uri: str, version: int, message: str) -> None:
    client.told(
        "textDocument/publishDiagnostics",
        lambda params: (
            (params["uri"], params["version"]) == (uri, version)
            and any(item["message"] == message for item in params["diagnostics"])
        ),
    )


def test_a_statement_that_is_being_typed_is_reported_after_a_pause(tmp_path: Path) -> None:
    with Client(limits={TYPING_PAUSE: 0.05}) as client:
        uri = opened(client, tmp_path)
        version = typed(client, uri, 2, 0, READ, 1)
        told(client, uri, version, UNUSED)
        assert client.end() == 0


def test_a_statement_being_typed_is_not_reported_before_a_pause(tmp_path: Path) -> None:
    with Client(limits={TYPING_PAUSE: NEVER}) as client:
        uri = opened(client, tmp_path)
        version = typed(client, uri, 2, 0, READ, 1)
        client.diagnostics(uri, version)
        assert shown(client, uri, version) == [[]]
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        told(client, uri, version, UNUSED)
        assert len(shown(client, uri, version)) == 2
        # What stands there is not taken back by the next key.
        client.change(uri, version + 1, (2, len(READ), 2, len(READ), " "))
        client.diagnostics(uri, version + 1)
        assert UNUSED in shown(client, uri, version + 1)[0]
        assert client.end() == 0


@pytest.mark.parametrize("how", ["save", "elsewhere"])
def test_saving_or_typing_elsewhere_ends_the_delay(tmp_path: Path, how: str) -> None:
    with Client(limits={TYPING_PAUSE: NEVER}) as client:
        uri = opened(client, tmp_path)
        version = typed(client, uri, 2, 0, READ, 1)
        if how == "save":
            client.diagnostics(uri, version)
            client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        else:
            version += 1
            client.change(uri, version, (0, 0, 0, 0, " "))
        told(client, uri, version, UNUSED)
        if how == "elsewhere":
            assert shown(client, uri, version) == [[UNUSED]]
        assert client.end() == 0


def test_pasted_text_is_reported_at_once(tmp_path: Path) -> None:
    with Client() as client:
        uri = opened(client, tmp_path)
        client.change(uri, 2, (2, 0, 2, 0, f"\n{READ}\n"))
        assert [item["message"] for item in client.diagnostics(uri, 2)] == [UNUSED]
        client.change(uri, 3, (3, 0, 3, 0, "  "), (1, 0, 1, 0, " "))
        assert [item["message"] for item in client.diagnostics(uri, 3)] == [UNUSED]
        assert client.end() == 0


def test_no_hint_shifts_the_text_being_typed(tmp_path: Path) -> None:
    key, read = 'static final String K = "net.host";', "int n = Integer.getInteger(K, 1); }"
    text = f"class A {{\n  {key}\n\n  void a() {{ {read}\n}}\n"
    behind = text.splitlines()[3].index(";")
    with Client(limits={TYPING_PAUSE: NEVER}) as client:
        uri = opened(
            client,
            tmp_path,
            text,
            workspace={"configuration": True, "inlayHint": {"refreshSupport": True}},
        )
        assert hints(client, uri) == [(3, "net.host")]
        # A hint that was there stays when something is typed behind it.
        client.change(uri, 2, (3, behind, 3, behind, " "))
        assert hints(client, uri) == [(3, "net.host")]
        unfinished = f"  void b() {{ {read.removesuffix(' }')}"
        client.change(uri, 3, (2, 0, 2, 0, unfinished))
        assert hints(client, uri) == [(3, "net.host")]
        client.change(uri, 4, (2, len(unfinished), 2, len(unfinished), " }"))
        assert hints(client, uri) == [(3, "net.host")]
        client.asked.clear()
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        refresh = "workspace/inlayHint/refresh"

        def all_shown() -> bool:
            return any(one["method"] == refresh for one in client.asked) and (
                hints(client, uri) == [(2, "net.host"), (3, "net.host")]
            )

        until(all_shown, "all hints, when typing is over")
        assert client.end() == 0


def test_clients_without_refresh_get_hints_at_once(tmp_path: Path) -> None:
    with Client(limits={TYPING_PAUSE: NEVER}) as client:
        uri = opened(
            client,
            tmp_path,
            NEAR,
            workspace={"configuration": True, "inlayHint": {"refreshSupport": False}},
        )
        text = '  static final String K = "net.host";\n  int a = Integer.getInteger(K, 1);'
        client.change(uri, 2, (2, 0, 2, 0, text))
        assert hints(client, uri) == [(3, "net.host")]
        assert client.end() == 0


FIELDS = "".join(
    f'    /** The {name}. */\n    static final String {name.upper()} = "pool.{name}";\n'
    for name in ("size", "limit", "wait", "name")
)
KEYS = f"class Keys {{\n    int first = 1;\n\n{FIELDS}}}\n"
USES = """class Uses {
    int size = Integer.getInteger(Keys.SIZE, 5);
    int limit = Integer.getInteger(Keys.LIMIT, 5);
    int other = Integer.getInteger(Keys.LIMIT, 6);
    long wait = Long.getLong(Keys.WAIT, 5);
    void run() { for (int i = 0; i < size + limit + other + wait; i++) { new byte[size].clone(); } }
}
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One for all tests, with a fitted forest."""
    return str(planted(tmp_path_factory.mktemp("cache")))


def judged(client: Client) -> bool:
    """Whether the model has judged the options: its verdicts are among the words of lenses."""
    params = {"command": "conflens.listSensitivity", "arguments": [{"show": False}]}
    return bool(client.request("workspace/executeCommand", params)["ready"])


def lenses(client: Client, uri: str) -> list[tuple[int, str]]:
    """Lines and titles, in the client's order."""
    found = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    resolved = [client.request("codeLens/resolve", lens) for lens in found]
    return [(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in resolved]


@pytest.mark.parametrize(
    "written", ['    static final String X = "a.b";', "    void m(int a) {", '    @A("']
)
def test_lenses_stay_while_text_is_typed_above_them(
    tmp_path: Path, cache: str, written: str
) -> None:
    with Client(STDIO, CONFLENS_CACHE_DIR=cache) as client:
        (tmp_path / "project").mkdir()
        (tmp_path / "project" / "Uses.java").write_text(USES)
        uri = opened(client, tmp_path / "project", KEYS)
        until(lambda: judged(client), "the verdicts of the model")
        before = lenses(client, uri)
        assert sum("read" in title for _, title in before) == 3
        assert any("sizes" in title for _, title in before)
        assert all(title for _, title in before)
        version = 1
        for column, key in enumerate(written):
            version += 1
            client.change(uri, version, (2, column, 2, column, key))
            client.diagnostics(uri, version)
            # An option that was away while a text was open is judged again at once.
            until(
                lambda: lenses(client, uri)[: len(before)] == before,
                f"the lenses behind {written[: column + 1]!r}",
            )
        # A line more above moves them by a line, all at once.
        client.change(uri, version + 1, (1, 0, 1, 0, "\n"))
        moved = [(line + 1, title) for line, title in before]
        assert lenses(client, uri)[: len(before)] == moved
        assert client.end() == 0


def test_messages_name_their_source_and_fixes_apply_only_to_them(tmp_path: Path) -> None:
    text = NEAR.replace("\n\n", f"\n{READ}\n")
    with Client() as client:
        uri = opened(client, tmp_path, text)
        (ours,) = client.diagnostics(uri, 1)
        assert ours["source"] == "conflens"
        javas = {**ours, "source": "Java", "code": "536871362"}

        def actions(*diagnostics: object, **context: object) -> list[dict[str, Any]]:
            params = {
                "textDocument": {"uri": uri},
                "range": ours["range"],
                "context": {"diagnostics": list(diagnostics), **context},
            }
            return client.request("textDocument/codeAction", params) or []

        kinds = {action["kind"] for action in actions(ours, javas)}
        assert {"quickfix"} <= kinds <= {"quickfix", "refactor.rewrite"}
        assert {action["kind"] for action in actions(javas)} <= {"refactor.rewrite"}
        for only in ("source", "source.organizeImports", "refactor.extract", "refactor.inline"):
            assert actions(ours, only=[only]) == []
        titles = [action["title"] for action in actions(ours)]
        assert len(set(titles)) == len(titles)
        # Each says what it is about: an option, a document, or a message of ours.
        assert all("net.por" in title or "dead-option" in title for title in titles)
        assert client.end() == 0


def test_a_hover_stays_short_however_much_there_is_to_show(tmp_path: Path) -> None:
    reads = "".join(
        f'  int r{n} = Integer.getInteger("net.host", {n}); // <- net.host loop io\n'
        for n in range(60)
    )
    doc = "Says a lot of things about it. " * 200
    head = f'class B {{\n  /** {doc}*/ static final String K = "net.host";\n'
    (tmp_path / "B.java").write_text(f"{head}{reads}}}\n")
    for number in range(30):
        (tmp_path / f"doc{number}.md").write_text(GUIDE)
    with Client() as client:
        uri = opened(client, tmp_path)
        value = client.request("textDocument/hover", client.at(uri, 1, 48))["contents"]["value"]
        seen = [line for line in value.splitlines() if line.strip()]
        assert len(seen) <= 12
        words = " ".join(seen)
        assert "net.host" in seen[0] and len(words) < 3000, len(words)
        assert client.end() == 0
