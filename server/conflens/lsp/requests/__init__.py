"""The requests that are answered: one file per family, each converts in, asks ``ide``, converts
out."""

from conflens.lsp.registry import Request
from conflens.lsp.requests.call_hierarchy import (
    incoming_calls,
    outgoing_calls,
    prepare_call_hierarchy,
)
from conflens.lsp.requests.capture import java_processes, record
from conflens.lsp.requests.chain_steps import chain_steps
from conflens.lsp.requests.code_action import code_action
from conflens.lsp.requests.code_lens import code_lens, resolve_code_lens
from conflens.lsp.requests.completion import completion, resolve_completion
from conflens.lsp.requests.diagnosis import diagnosis_report
from conflens.lsp.requests.diagnostic import diagnostic
from conflens.lsp.requests.flows import flows, open_page, text_document_content
from conflens.lsp.requests.hot_lines import hot_lines
from conflens.lsp.requests.hotspots import hotspots
from conflens.lsp.requests.hover import hover
from conflens.lsp.requests.inlay_hint import inlay_hint, resolve_inlay_hint
from conflens.lsp.requests.navigation import definition, document_highlight, references
from conflens.lsp.requests.options import options
from conflens.lsp.requests.places import open_places
from conflens.lsp.requests.rename import prepare_rename, rename
from conflens.lsp.requests.sensitivity import list_sensitivity
from conflens.lsp.requests.snapshots import (
    choose_snapshots,
    drop_snapshot,
    import_snapshot,
    name_config_files,
    snapshots,
)
from conflens.lsp.requests.status import status
from conflens.lsp.requests.symbols import document_symbol, workspace_symbol

REQUESTS: tuple[Request, ...] = (
    hover,
    diagnostic,
    completion,
    resolve_completion,
    inlay_hint,
    resolve_inlay_hint,
    code_lens,
    resolve_code_lens,
    definition,
    references,
    document_highlight,
    prepare_rename,
    rename,
    document_symbol,
    workspace_symbol,
    status,
    prepare_call_hierarchy,
    outgoing_calls,
    incoming_calls,
    flows,
    chain_steps,
    text_document_content,
    open_page,
    open_places,
    code_action,
    list_sensitivity,
    snapshots,
    import_snapshot,
    drop_snapshot,
    choose_snapshots,
    name_config_files,
    java_processes,
    record,
    diagnosis_report,
    options,
    hotspots,
    hot_lines,
)

__all__ = ["REQUESTS"]
