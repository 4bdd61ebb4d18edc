"""A profile at the keys of configuration files: the same paragraph as at a read of the option.

Only keys that define something (entries of a harvest) count, not what a text mentions; lines and columns are those of
harvests, 1-based, in characters.
"""

from __future__ import annotations

from conflens.documents.mention import MentionKind
from conflens.documents.names import canonical
from conflens.ide.hover import describe
from conflens.ide.profile import Profile
from conflens.ide.profile_hover import option_paragraph
from conflens.ide.words import Wording
from conflens.session.analysis import Analysis

_MAX_OPTIONS = 3


def key_hover(
    analysis: Analysis, profile: Profile, path: str, line: int, column: int, wording: Wording
) -> str | None:
    """Return what the profile says of the options with the key at a position, as Markdown; ``None`` for nothing."""
    harvest = analysis.documents.harvests.get(path)
    if harvest is None:
        return None
    names = {
        mention.name
        for mention in harvest.mentions
        if mention.kind is MentionKind.ENTRY
        and mention.line == line
        and mention.column <= column <= mention.column + len(mention.name)
    }
    paragraphs: list[str] = []
    for option in analysis.options.options if names else ():
        if canonical(option.name) in names and len(paragraphs) < 2 * _MAX_OPTIONS:
            measured = option_paragraph(profile, option.key)
            if measured:
                paragraphs += [describe(analysis, option, wording), measured]
    return "\n\n".join(paragraphs) or None
