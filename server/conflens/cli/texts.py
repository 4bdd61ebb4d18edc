"""Text files that a user names on the command line."""

from __future__ import annotations

from conflens.cli.errors import BadInputError


def text_of(file: str, most: int) -> str:
    """Return the text of a file of at most ``most`` bytes; raise :class:`BadInputError`."""
    try:
        with open(file, "rb") as stream:
            content = stream.read(most + 1)
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror or error}") from error
    if len(content) > most:
        raise BadInputError(f"{file}: has more than {most:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{file}: is not UTF-8 text") from error
