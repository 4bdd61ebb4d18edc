"""Formats are told by content, and what is unknown is named."""

import gzip
import random
from io import BytesIO

import pytest

from conflens.profiling.importing import Hints, read_snapshot
from conflens.profiling.model import ImportFailure
from profiling.support import golden, imported, nothing

JSON = b'{"$schema":"x","shared":{"frames":[{"name":"a/B.m"}]},"profiles":[{"type":"sampled","name":"","unit":"none",'
JSON += b'"startValue":0,"endValue":1,"samples":[[0]],"weights":[1]}]}'


@pytest.mark.parametrize(
    ("data", "known"),
    [
        (golden("async-profiler/default.collapsed.gz"), "collapsed stacks"),
        (golden("jprofiler/hotspots.xml"), "JProfiler XML"),
        (golden("jprofiler/comparison.csv"), "JProfiler comparison CSV"),
        (golden("jprofiler/hotspots.csv"), "hot spot CSV"),
        (golden("async-profiler/lock.pb"), "pprof"),
        (golden("async-profiler/cpu.pb.gz"), "pprof"),
        (golden("speedscope/py-spy.speedscope.json"), "speedscope"),
        (b"  \n" + JSON, "speedscope"),
        (b"\xef\xbb\xbf" + JSON, "speedscope"),
    ],
)
def test_the_content_decides_the_format(data: bytes, known: str) -> None:
    for name in ("a.jfr", "b.xml"):
        assert imported(data, name).format == known
        assert imported(gzip.compress(data), name).format == known
        assert imported(data, name).name == name


def test_a_recording_printed_as_xml_is_refused_with_a_remedy() -> None:
    with pytest.raises(ImportFailure) as failure:
        imported(b'<?xml version="1.0"?>\n<recording>\n<events>\n', "run.xml")
    assert str(failure.value) == (
        "run.xml: is a recording printed as XML, which is not read; import the .jfr file, or print it with `jfr print --json`"
    )


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is empty"),
        (b" \n\n ", "is empty"),
        (b"PK\x03\x04abc", "a ZIP archive"),
        (b"\x28\xb5\x2f\xfdabc", "Zstandard"),
        (b"JAVA PROFILE 1.0.2\0", "a heap dump"),
        (b"\xff\xfea\0", "UTF-16"),
        (b"<!DOCTYPE html><html><body></body></html>", "a web page"),
        (b'<?xml version="1.0"?><svg xmlns="x"/>', "a picture"),
        (b"<?xml", 'the root element ""'),
        (b'{"traceEvents":[]}', "a profile of a browser"),
        (b'{"resourceProfiles":[]}', "an OTLP profile"),
        (b'{"a":1}', 'JSON with the first key "a"'),
        (b'{"a\nb":1}', 'JSON with the first key "a b"'),
        (b"{", 'JSON with the first key ""'),
        (b'[{"ph":"X"}]', "a list in JSON"),
        (b"2026-01-01 12:00:00\nFull thread dump OpenJDK\n", "a thread dump"),
        (b"\x00\x01\x02\x03\x00\x7f\x00\x11\x00", "binary data"),
        (b"Some text\nof a person.\n", "text of another kind"),
    ],
)
def test_an_unknown_format_is_named(data: bytes, what: str) -> None:
    with pytest.raises(ImportFailure) as failure:
        imported(data, "dir name.bin")
    text = str(failure.value)
    assert text.startswith("dir name.bin: ")
    assert what in text
    assert "\n" not in text
    assert ("pprof, speedscope" in text) == ("empty" not in text)


def test_a_compressed_recording_needs_scratch_space() -> None:
    data = gzip.compress(b"FLR\0" + b"\0" * 100)
    with pytest.raises(ImportFailure, match="is a compressed recording; unpack it first"):
        imported(data)
    with pytest.raises(ImportFailure, match=r"version 0\.0 is not read"):
        read_snapshot(BytesIO(data), "file", nothing, Hints(scratch=BytesIO))


@pytest.mark.parametrize("stacks", [10, 5_000, 60_000])
def test_a_packed_file_of_any_size_is_read_to_its_end(stacks: int) -> None:
    drawn = random.Random(1)
    lines = [";".join(f"m{drawn.getrandbits(20):x}" for _ in range(4)) for _ in range(stacks)]
    plain = "".join(f"{line} 1\n" for line in lines).encode()
    packed, unpacked = (imported(data, "run") for data in (gzip.compress(plain), plain))
    assert [one.total for one in packed.series] == [one.total for one in unpacked.series]
