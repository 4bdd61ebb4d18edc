"""Variables of templates: after an edit of the code that knows them a session says what a new one says."""

from __future__ import annotations

import pytest

from incremental.one_edit import Edit, names_before

TOPICS = (
    "import org.springframework.beans.factory.annotation.Value; class Topics {"
    ' @Value("${app.topic}") String topic; String of(String user) { return topic.replace("${username}", user); } }'
)
FILES = {
    "src/main/java/Topics.java": TOPICS,
    "src/main/resources/application.yml": "app:\n  topic: t-${username}-${jobId}\n",
}


@pytest.mark.parametrize(
    "edit",
    [
        ("src/main/java/Topics.java", "username", "jobId"),
        ("src/main/java/Topics.java", '"${username}"', '"x"'),
        ("src/main/resources/application.yml", "username", "user"),
    ],
)
def test_an_edit_says_what_a_new_session_says(edit: Edit) -> None:
    names = names_before(FILES, edit)
    assert "jobId" in names
    assert "username" not in names
