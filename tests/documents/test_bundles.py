"""Descriptions of options among the texts of a user interface."""

import pytest

from conflens.documents.configfiles.policy import may_be_config
from documents.support import shown

TEXTS = """\
login.title=Log in to the server
system_property.cache.max.size=How many entries are kept
system_property.cache.none=
system_property.title=Properties of the system
app.settings.mail.retryDelay.description=How long to wait
error.cache.timeout=The cache has timed out
option.mail.port=Port
tip.option=mail.host is the one to use
"""


def test_only_texts_about_options_are_entries() -> None:
    assert shown("src/main/resources/messages.properties", TEXTS) == [
        "2:17 cache.max.size # How many entries are kept",
        "5:14 mail.retryDelay # How long to wait",
    ]


@pytest.mark.parametrize("path", ["i18n/app.properties", "src/main/resources/messages.properties"])
def test_texts_are_no_configuration(path: str) -> None:
    assert not may_be_config(path)
