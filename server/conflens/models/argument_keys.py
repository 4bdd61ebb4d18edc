"""Which keys of a row are places of arguments of its call, so that they must lie below how many it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conflens.models import schema

INDEX_KEYS: Mapping[type[schema.Row], Sequence[str]] = {
    schema.ReadRow: ("name", "default", "class_argument", "unit_argument", "supertype"),
    schema.PrefixRow: ("argument",),
    schema.DefinitionRow: (
        "type_argument",
        "class_argument",
        "default",
        "documentation",
        "validator",
        "minimum",
        "maximum",
    ),
    schema.BindingRow: ("argument", "prefix"),
    schema.CheckRow: ("argument",),
    schema.RangeRow: ("argument",),
    schema.SecretRow: ("argument",),
    schema.DeprecationRow: ("old", "new"),
    schema.ValueRow: ("argument", "unit_argument"),
    schema.OperationRow: ("sized", "held", "content"),
    schema.AmountRow: ("argument", "unit_argument"),
    schema.CallbackRow: ("argument",),
    schema.ConversionRow: ("default", "from_unit_argument", "to_unit_argument"),
}
