"""Small training tables: rows with all features at zero but those that are named."""

from conflens.sensitivity.features import features
from conflens.sensitivity.table import Label, Row, Table
from conflens.sensitivity.vocabulary import packaged

NAMES = tuple(feature.name for feature in features(packaged()))


def row(
    system: str,
    option: str,
    sensitive: bool,
    how: str = "measured",
    found: bool = True,
    held_out: float = 0.5,
    **values: float,
) -> Row:
    """``operations=3`` sets that feature; names with other characters go through ``with_values``."""
    return Row(
        Label(system, option, sensitive, how, "made up"),
        found,
        tuple(float(values.get(name, 0.0)) for name in NAMES),
        held_out,
    )


def table(*rows: Row) -> Table:
    return Table(NAMES, rows)


def systems(*names: str, how: str = "measured") -> list[Row]:
    """Six options of each system, the three sensitive ones with more operations."""
    return [
        row(
            name,
            f"option{number}",
            number % 2 == 1,
            how,
            held_out=0.3 + 0.4 * (number % 2) + 0.02 * number,
            operations=4.0 * (number % 2) + number,
        )
        for name in names
        for number in range(6)
    ]
