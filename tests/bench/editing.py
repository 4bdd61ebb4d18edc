"""An open document of a measuring client: its text, changed by ranges as an editor does, and kept in step with the server's."""

from __future__ import annotations

from pathlib import Path

from bench.lsp_client import Client


class Document:
    """A file that is, or may be, open.  Columns count characters below U+10000."""

    def __init__(
        self, client: Client, path: Path, language: str, lines: list[str] | None = None
    ) -> None:
        """Take the file's lines, or those that are given; the server hears nothing yet."""
        self.path = path
        self.uri = path.as_uri()
        self.lines = path.read_text(encoding="utf-8").split("\n") if lines is None else [*lines]
        self._client = client
        self._language = language
        self._version = 1

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(self.lines)

    def open(self) -> None:
        """Open the document."""
        document = {
            "uri": self.uri,
            "languageId": self._language,
            "version": self._version,
            "text": self.text,
        }
        self._client.notify("textDocument/didOpen", {"textDocument": document})

    def close(self) -> None:
        """Close the document."""
        self._client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def save(self) -> None:
        """Write the file, and say so as an editor that watches files does."""
        self.path.write_text(self.text, encoding="utf-8")
        self._client.notify("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        changes = [{"uri": self.uri, "type": 2}]
        self._client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def line_of(self, part: str) -> int:
        """Return the first line that has ``part``."""
        return next(number for number, line in enumerate(self.lines) if part in line)

    def insert(self, line: int, column: int, text: str) -> None:
        """Put ``text`` in at a place."""
        self.replace(line, column, line, column, text)

    def replace(self, line: int, column: int, end_line: int, end_column: int, text: str) -> None:
        """Replace a stretch."""
        before, after = self.lines[line][:column], self.lines[end_line][end_column:]
        self.lines[line : end_line + 1] = f"{before}{text}{after}".split("\n")
        self._version += 1
        stretch = {
            "start": {"line": line, "character": column},
            "end": {"line": end_line, "character": end_column},
        }
        change = {"range": stretch, "text": text}
        document = {"uri": self.uri, "version": self._version}
        params = {"textDocument": document, "contentChanges": [change]}
        self._client.notify("textDocument/didChange", params)
