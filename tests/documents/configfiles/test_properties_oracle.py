"""``java.util.Properties`` itself says what a properties file means: one run over generated and chosen texts."""

import base64
import random
import subprocess
from pathlib import Path

import pytest

from conflens.documents.configfiles import properties
from conflens.documents.configfiles.model import Assignment
from conflens.session.snapshots.capture import find_tool

PIECES = [
    *"ab=: \t\f\\#!\n\r",
    *["\r\n", "\\\n", "\\\r\n", "\\\r", "\\\n  ", "\\u0041", "\\u00e9", "\\ud83d\\ude00"],
    *[
        "\\=",
        "\\:",
        "\\ ",
        "\\\\",
        "\\t",
        "\\n",
        "key",
        "key=value",
        " = ",
        "\n# x\n",
        "\n! x\\\n",
    ],
    *["é", "😀", "\u2028", "\x0b", "\x85", "\\é", "\n\n", "a.b-c", "\\U0041", "\\\\u00g1"],
]
CHOSEN = [
    "a=b\\",
    "a=b\\\n",
    "a\\\n",
    "\\\n#a=b\nc=d",
    "a=\\\n\nb=c",
    "a=1\\\n#b=2\nc=3",
    "a\\ b\\=c\\:d=e",
    "a = = b",
    "a : = b",
    "  a\t\t=\t\tb\t\t",
    "a=\\u00\\\n41",
    "a=\\\n   \\\n   b",
    "\\#a=b\n\\!c=d",
    "#a\\\nb=c",
    "a=b # no comment",
    "=b",
    ":b",
    "a",
    "",
    ".a=b\n[c]=d\n'e'=f",
    'map.[a.b].c=1\nmap."[d.e]"=2',
    "a=b\x1a",
    "a=\\ud83d\\ude00",
    "a=b\t",
    "a=\t",
    "\t",
]


@pytest.mark.seeds(1)
def test_a_text_means_the_same_as_to_properties_load(seed: int) -> None:
    chance = random.Random(seed)
    broken = [*PIECES, "\\u20", "\\u", "\\uu0041"]
    texts = CHOSEN + [
        "".join(chance.choice(PIECES) for _ in range(chance.randrange(1, 24))) for _ in range(2000)
    ]
    texts += [
        "".join(chance.choice(broken) for _ in range(chance.randrange(1, 24))) for _ in range(1000)
    ]
    command = [find_tool("java"), "-Xshare:auto", str(Path(__file__).parent / "Oracle.java")]
    given = "".join(base64.b64encode(text.encode()).decode() + "\n" for text in texts)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(texts)
    failed = 0
    for text, answer in zip(texts, answers, strict=True):
        parsed = properties.parse(text)
        if answer == "fails":
            failed += 1
            assert parsed.faults, text
            continue
        assert parsed.faults == (), text
        expected = [tuple(map(_decoded, put.split("="))) for put in answer.split(" ")[1:]]
        assert [_put(one) for one in parsed.assignments] == [put for put in expected if put[0]], (
            text
        )
    assert 100 < failed < 1500


def _put(one: Assignment) -> tuple[str, str]:
    assert one.key.text == one.name
    return one.path[0].text, one.value.text if one.value else ""


def _decoded(coded: str) -> str:
    data = base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4))
    return data.decode("utf-16-le", "replace")
