"""stub"""
from __future__ import annotations
import attrs
from conflens.models import schema
@attrs.frozen(kw_only=True)
class WorkspaceModel:
    reads: tuple[schema.ReadRow, ...] = ()
    field_reads: tuple[schema.FieldReadRow, ...] = ()
    parameter_reads: tuple[schema.ParameterReadRow, ...] = ()
    operations: tuple[schema.OperationRow, ...] = ()
    flows: tuple[schema.ConversionRow, ...] = ()
    barriers: tuple[schema.BarrierRow, ...] = ()
    digest: str = ""
