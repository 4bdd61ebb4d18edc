"""Parts of the protocol layer by themselves: URIs, edits, plain text, the writer, addresses."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from conflens.base.cancel import CancelToken
from conflens.base.text import Encoding
from conflens.lsp.scheduling.writer import MAX_DELAY, TYPING_DELAY, Writer
from conflens.lsp.server import loopback
from conflens.lsp.wire.convert import plain_text
from conflens.lsp.wire.uris import Root, below, file_path, file_uri
from conflens.lsp.workspace.documents import Edit, edited, encode
from conflens.lsp.workspace.view import Shift


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///users/me/A.java", "/users/me/A.java"),
        ("file:///users/me/my%20pr%C3%B6ject/A.java", "/users/me/my pröject/A.java"),
        ("file:///users/me/my pröject/A.java", "/users/me/my pröject/A.java"),
        ("FILE:///a", "/a"),
        ("file:///a/", "/a"),
        ("file:///", "/"),
        ("file:///a%23b/c%3Fd", "/a#b/c?d"),
        ("file:///a#b/c?d", "/a#b/c?d"),
        ("file:///100%", "/100%"),
        ("file:///c%3A/Work/A.java", "c:/Work/A.java"),
        ("file:///C:/Work/A.java", "c:/Work/A.java"),
        ("file:///c:", "c:"),
        ("file://server/share/A.java", "//server/share/A.java"),
        ("file://localhost/a", "/a"),
        ("untitled:Untitled-1", None),
        ("jdt://contents/rt.jar", None),
        ("/users/me/A.java", None),
        ("file:", None),
        ("file://[x", None),
        ("", None),
    ],
)
def test_file_paths(uri: str, path: str | None) -> None:
    assert file_path(uri) == path


@given(st.text(st.characters(exclude_characters="\0/\\", exclude_categories=["Cs"]), min_size=1))
def test_every_name_survives_a_round_trip(name: str) -> None:
    root = Root.of("file:///c%3A/my%20work")
    assert root is not None
    path = file_path(root.uri_of(name))
    assert path is not None
    assert below(path, root.path) == name.rstrip("/")
    assert file_path(file_uri(f"/x/{name}")) == f"/x/{name}"


def test_paths_below_a_folder() -> None:
    assert below("/a/b/c", "/a/b") == "c"
    assert below("/a/bc", "/a/b") is None
    assert below("/a/b", "/a/b") == ""
    assert below("/a/b", "/") == "a/b"
    assert below("c:/a", "/") == "c:/a"
    assert below("c:/a/b", "c:/a") == "b"


PIECES = st.sampled_from(["a", "ä", "€", "😀", "\n", "\r\n", "\r", "\t", " "])
TEXT = st.lists(PIECES, max_size=12).map("".join)
WIDTHS = {
    Encoding.UTF8: lambda char: len(char.encode()),
    Encoding.UTF16: lambda char: len(char.encode("utf-16-le")) // 2,
    Encoding.UTF32: lambda char: 1,
}


def corner(text: str, index: int, encoding: Encoding) -> tuple[int, int]:
    """Line and column of a character, found the slow way."""
    line = column = 0
    for at, char in enumerate(text[:index]):
        if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
            line, column = line + 1, 0
        elif char != "\r":
            column += WIDTHS[encoding](char)
    return line, column


@given(TEXT, TEXT, st.data(), st.sampled_from(list(Encoding)))
def test_an_edit_replaces_exactly_its_range(
    text: str, new: str, data: st.DataObject, encoding: Encoding
) -> None:
    legal = [i for i in range(len(text) + 1) if text[i - 1 : i + 1] != "\r\n"]
    one, two = sorted(data.draw(st.tuples(st.sampled_from(legal), st.sampled_from(legal))))
    edit = Edit(corner(text, one, encoding), corner(text, two, encoding), new)
    result = edited(text.encode(), [edit], encoding)
    assert result.decode() == text[:one] + new + text[two:]


NUMBER = st.integers(-3, 2**31)


@given(TEXT, st.tuples(NUMBER, NUMBER), st.tuples(NUMBER, NUMBER), st.sampled_from(list(Encoding)))
def test_an_inconsistent_client_never_raises(
    text: str, start: tuple[int, int], end: tuple[int, int], encoding: Encoding
) -> None:
    result = edited(text.encode(), [Edit(start, end, "x"), Edit(end, start, "y")], encoding)
    assert b"y" in result


@given(TEXT, TEXT, TEXT, TEXT)
def test_a_shift_moves_everything_outside_the_edit(
    head: str, old: str, new: str, tail: str
) -> None:
    before, after = (head + old + tail).encode(), (head + new + tail).encode()
    shift = Shift.of(before, after)
    assert before[: shift.start] == after[: shift.start]
    assert before[shift.old_end :] == after[shift.new_end :]
    assert shift.start <= min(shift.old_end, shift.new_end)
    longest = max(len(before), len(after)) - len((head + tail).encode())
    assert max(shift.old_end, shift.new_end) - shift.start <= max(longest, 0)
    for offset in range(len(after) + 1):
        origin = shift.to_old(offset)
        if origin is not None:
            assert shift.to_new(origin) == offset
    assert all(0 <= shift.to_new(offset) <= len(after) for offset in range(len(before) + 1))


def test_lone_surrogates_keep_their_width() -> None:
    assert encode("a\ud83db") == b"a?b"


def test_plain_text() -> None:
    markdown = "**`a.b`** · x\n\nSee [A\\_b.java:3](file:///a#L3) and \\[not\\](a link)."
    assert plain_text(markdown) == "a.b · x\n\nSee A_b.java:3 and [not](a link)."


class Owner:
    """Counts what the writer does."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.rebuilt: list[float] = []
        self.errors: list[BaseException] = []
        self.polls = 0
        self.rests: list[CancelToken] = []
        self.rebuilt_before: list[int] = []
        self.rested = threading.Semaphore(0)
        self.endless = False
        self.done = threading.Semaphore(0)

    def rebuild(self, token: CancelToken) -> None:
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            token.check()
            time.sleep(0.005)
        self.rebuilt.append(time.monotonic())
        self.done.release()

    def afterwards(self, token: CancelToken) -> None:
        self.rests.append(token)
        self.rebuilt_before.append(len(self.rebuilt))
        self.rested.release()
        while self.endless:
            token.check()
            time.sleep(0.005)

    def failed(self, error: BaseException) -> None:
        self.errors.append(error)
        self.done.release()

    def poll(self) -> bool:
        self.polls += 1
        return False


class Patient(Owner):
    """An owner whose first rebuild goes on until it is urged."""

    def __init__(self) -> None:
        super().__init__()
        self.began = threading.Semaphore(0)
        self.urged = threading.Event()

    @override
    def rebuild(self, token: CancelToken) -> None:
        self.began.release()
        while not token.urged:
            token.check()
            time.sleep(0.005)
        self.urged.set()


def test_fast_typing_is_rebuilt_together_but_not_delayed_without_bound() -> None:
    writer, owner = Writer(), Owner()
    jobs: list[int] = []
    began = time.monotonic()
    while time.monotonic() - began < 0.6:
        writer.submit(owner, lambda: jobs.append(1), TYPING_DELAY)
        time.sleep(0.002)
    assert owner.done.acquire(timeout=5)
    time.sleep(0.2)
    writer.stop(5)
    assert owner.rebuilt[0] - began < MAX_DELAY + 0.25
    assert 2 <= len(owner.rebuilt) <= len(jobs) // 4


def test_hasten_skips_the_delay_and_does_nothing_without_changes() -> None:
    writer, owner = Writer(), Owner()
    writer.hasten(owner)
    writer.submit(owner, lambda: None, 30.0)
    writer.hasten(owner)
    assert owner.done.acquire(timeout=5)
    writer.stop(5)
    assert len(owner.rebuilt) == 1


def test_a_job_expedites_the_rebuild_it_waits_for() -> None:
    writer, owner = Writer(), Patient()
    writer.submit(owner, lambda: None, 0.0)
    assert owner.began.acquire(timeout=5)
    writer.hasten(owner)
    assert not owner.urged.is_set()
    writer.submit(owner, lambda: None, 0.0)
    assert owner.urged.wait(5)
    writer.stop(5)


def test_a_failing_job_is_reported_and_the_next_one_runs() -> None:
    writer, owner = Writer(), Owner()
    writer.submit(owner, lambda: 1 // 0, 0.0)
    writer.submit(owner, lambda: None, 0.0)
    assert owner.done.acquire(timeout=5)
    assert owner.done.acquire(timeout=5)
    writer.stop(5)
    assert [type(error) for error in owner.errors] == [ZeroDivisionError]
    assert owner.rebuilt


def test_a_forgotten_session_is_not_rebuilt_and_its_last_job_runs() -> None:
    writer, slow, other = Writer(), Owner(30.0), Owner()
    ended = threading.Event()
    writer.submit(slow, lambda: None, 0.0)
    time.sleep(0.05)
    writer.submit(slow, lambda: None, 0.0)
    writer.forget(slow, ended.set)
    writer.submit(other, lambda: None, 0.0)
    assert other.done.acquire(timeout=5)
    writer.stop(5)
    assert ended.is_set()
    assert slow.rebuilt == [] and slow.errors == []


def test_follow_up_work_waits_for_edits_and_is_cancelled_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("conflens.lsp.scheduling.writer.PAUSE", 0.05)
    writer, owner, other = Writer(), Owner(), Owner()
    writer.submit(owner, lambda: None, 0.3)
    writer.afterwards(owner, 0.0)
    assert owner.done.acquire(timeout=5)
    assert owner.rested.acquire(timeout=5)
    assert owner.rebuilt_before == [1]
    owner.endless = True
    writer.afterwards(owner, 0.0)
    assert owner.rested.acquire(timeout=5)
    writer.hasten(owner)  # nothing is pending: that disturbs nobody
    writer.submit(other, lambda: None, 0.0)
    assert other.done.acquire(timeout=5)
    assert owner.rests[1].cancelled
    owner.endless = False
    assert owner.rested.acquire(timeout=5)  # it is tried again
    assert not owner.rests[2].cancelled
    writer.stop(5)
    assert owner.errors == []


def test_follow_up_work_is_announced_once_and_dropped_with_its_session() -> None:
    writer, owner, other = Writer(), Owner(), Owner()
    for _ in range(3):
        writer.afterwards(owner, 0.05)
    assert owner.rested.acquire(timeout=5)
    owner.endless = True
    writer.afterwards(owner, 0.0)
    assert owner.rested.acquire(timeout=5)
    ended = threading.Event()
    writer.forget(owner, ended.set)
    assert ended.wait(5)
    writer.afterwards(other, 0.0)
    assert other.rested.acquire(timeout=5)
    writer.stop(5)
    assert len(owner.rests) == 2


def test_follow_up_work_may_fail_and_ends_with_the_writer() -> None:
    writer, owner, other = Writer(), Owner(), Owner()
    owner.afterwards = lambda _: 1 // 0  # type: ignore[method-assign, assignment]
    writer.afterwards(owner, 0.0)
    other.endless = True
    writer.afterwards(other, 0.0)
    assert other.rested.acquire(timeout=5)
    writer.stop(5)
    assert other.rests[0].cancelled


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_loopback_addresses(host: str) -> None:
    assert loopback(host) in ("127.0.0.1", "::1")


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", ""])
def test_other_addresses_are_refused(host: str) -> None:
    with pytest.raises(ValueError, match=r"loopback|not known"):
        loopback(host)
