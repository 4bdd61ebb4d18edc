"""Classes that implement an abstract one: its abstract methods without parameters are values."""

from __future__ import annotations

from conflens.program.implied.shapes import Shape
from conflens.program.implied.writing import Writer


def write(shape: Shape, inner: dict[str, Shape], writer: Writer) -> None:
    """Write the class that implements ``shape``."""
