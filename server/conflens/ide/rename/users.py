"""Which files would have to change with an option's name.

Absent: what is to change in them (``rename``).
"""

from __future__ import annotations

from conflens.ide.targets.mentions import occurrences
from conflens.session.analysis import Analysis


def files_using(analysis: Analysis, name: str) -> list[str]:
    """Return the paths of code and config files in which options of a name are read, declared or set, and of documents that name them."""
    options = [option for option in analysis.options.options if option.name == name]
    found = {read.place.path for option in options for read in option.reads}
    found |= {one.place.path for option in options for one in option.declarations}
    for path in analysis.recognised.config_files() if options else ():
        match = analysis.recognised.match(path)
        if match is not None and match.options.get(name):
            found.add(path)
    papers = {*analysis.documents.harvests, *analysis.config_files} if options else set[str]()
    for path in papers - found:
        if next(occurrences(analysis.document_text(path) or b"", name), None) is not None:
            found.add(path)
    return sorted(found)
