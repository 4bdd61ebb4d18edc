"""The client's protocol types cover every message of our own, as the server declares it."""

from __future__ import annotations

import re

from conflens.lsp.requests import REQUESTS
from conflens.lsp.wire import messages
from reference.protocol import protocol


def declaration(name: str) -> str:
    found = re.search(
        rf"export (?:interface {name}\b.*?\n}}|type {name}\b.*?;)\n", protocol(), re.DOTALL
    )
    assert found is not None, name
    return found[0]


def test_every_custom_request_has_its_types() -> None:
    own = {each.method for each in REQUESTS if each.method.startswith("conflens/")}
    assert own == set(messages.REQUESTS)
    assert all(f'"{method}": {{' in declaration("Requests") for method in own)


def test_omissible_fields_are_optional_and_missing_values_are_null() -> None:
    row = declaration("OptionRow")
    assert "readonly name: string;" in row
    assert "readonly domainWords: string;" in row
    assert "readonly reads?: number;" in row
    assert "readonly path: string | null;" in declaration("SnapshotRow")
    assert "readonly role?: Role | null;" in declaration("ImportParams")


def test_an_enumeration_is_the_union_of_its_values() -> None:
    assert declaration("Role") == 'export type Role = "baseline" | "violation";\n'


def test_places_are_the_types_of_the_protocol() -> None:
    text = protocol()
    assert "interface Location" not in text and "interface Range" not in text
    assert "readonly range: Range;" in declaration("HotLine")
    assert "params: { textDocument: TextDocumentIdentifier; position: Position };" in text
