"""1,000 mutations of a small file of each format: a snapshot or an ``ImportFailure``, in bounded memory.

JFR has its own (``jfr/``).  Seeds are fixed; a failing mutation is shown by its number.
"""

from __future__ import annotations

import gzip
import lzma
import random
import tracemalloc
from io import BytesIO

import pytest

from conflens.profiling.codec import decode, encode
from conflens.profiling.importing import read_snapshot
from conflens.profiling.model import ImportFailure
from profiling.support import golden, nothing

MUTATIONS = 1_000
MEMORY = 24 * 2**20

CALL_TREE = (
    b'<?xml version="1.0"?><tree type="Call Tree" threadStatus="Runnable" aggregationLevel="Methods">'
    b'<node class="a.B" methodName="m" methodSignature="()V" time="50" count="2" lineNumber="-1">'
    b'<node class="a.C" methodName="n" methodSignature="([B)I" time="20" count="7"/>'
    b'<node time="5" count="1" filtered="true"/></node></tree>'
)
EVENTED = (
    b'{"shared":{"frames":[{"name":"a.B.m"},{"name":"a/C.n:7","line":3}]},"profiles":['
    b'{"type":"evented","name":"t-1","unit":"seconds","startValue":0,"endValue":9,"events":['
    b'{"type":"O","frame":0,"at":1},{"type":"O","frame":1,"at":2.5},{"type":"C","frame":1,"at":3},'
    b'{"type":"C","frame":0,"at":9}]},{"type":"sampled","name":"t-2","unit":"seconds","startValue":0,'
    b'"endValue":1,"samples":[[0,1],[1]],"weights":[1,0.5]}]}'
)

COLLAPSED = b"\n".join(golden("async-profiler/ann_sig_threads.collapsed.gz").split(b"\n")[:40])
TREE = golden("jprofiler/hotspots.xml").partition(b"</hotspot>")[0] + b"</hotspot></tree>"

FILES = {
    "collapsed": COLLAPSED,
    "collapsed, gzip": gzip.compress(COLLAPSED, mtime=0),
    "collapsed, differential": b"a/B.m;a/C.n 10 20\na/B.m 5 0\n[CPU-1];a/B.m 0 3\n",
    "JProfiler hot spots": TREE,
    "JProfiler hot spots, xz": lzma.compress(TREE, preset=0),
    "JProfiler call tree": CALL_TREE,
    "JProfiler comparison": b"".join(golden("jprofiler/comparison.csv").splitlines(True)[:14]),
    "JProfiler table": b"".join(golden("jprofiler/hotspots.csv").splitlines(True)[:12]),
    "pprof": golden("async-profiler/lock.pb"),
    "pprof, gzip": gzip.compress(golden("async-profiler/lock.pb"), mtime=0),
    "speedscope": golden("speedscope/py-spy.speedscope.json"),
    "speedscope, evented": EVENTED,
}

PIECES = (
    b"\0",
    b"\n",
    b"\xff" * 9,
    b"999999999999999999",
    b"-1",
    b"1e308",
    b"<",
    b"</node>",
    b"<node time='1'>" * 50,
    b"]]",
    b"[" * 200,
    b"{" * 200,
    b'"',
    b"&x;",
    b";" * 300,
    b"\xef\xbb\xbf",
    b"$$Lambda$1/",
    b"_[k]",
    b"\x0a\xff\xff\xff\xff\x0f",
)


def mutated(data: bytes, draw: random.Random) -> bytes:
    """Return the data with one to four faults."""
    found = bytearray(data)
    for _ in range(draw.randrange(1, 5)):
        place = draw.randrange(len(found) + 1)
        length = min(draw.choice((1, 1, 2, 8, 64, 512)), len(found) - place)
        choice = draw.randrange(7)
        if choice == 0 and place < len(found):
            found[place] ^= 1 << draw.randrange(8)
        elif choice == 1:
            found[place : place + length] = draw.randbytes(length)
        elif choice == 2:
            del found[place : place + length]
        elif choice == 3:
            found[place:place] = found[place : place + length] * draw.randrange(1, 9)
        elif choice == 4:
            found[place:place] = draw.choice(PIECES)
        elif choice == 5 and draw.random() < 0.3:
            del found[place:]
        else:
            other = draw.randrange(len(found) + 1)
            found[place : place + length] = found[other : other + length]
    return bytes(found)


@pytest.mark.seeds(1)
@pytest.mark.parametrize("name", FILES)
def test_mutations(name: str, seed: int) -> None:
    draw = random.Random(seed)
    data = FILES[name]
    refused = 0
    read_snapshot(BytesIO(data), "file", nothing)
    for number in range(MUTATIONS):
        broken = mutated(data, draw)
        measured = number % 20 == 0
        if measured:
            tracemalloc.start()
        try:
            snapshot = read_snapshot(BytesIO(broken), "file", nothing)
        except ImportFailure as failure:
            assert str(failure).startswith("file: "), number
            assert "\n" not in str(failure), number
            refused += 1
        except Exception as error:
            raise AssertionError(f"mutation {number} of {name}") from error
        else:
            # What an import accepts is sound: everything in it is checked once more.
            decode(encode(snapshot))
        finally:
            if measured:
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                assert peak < MEMORY, number
    # Neither is everything refused at the door nor everything believed.
    packed = name.endswith((", gzip", ", xz"))
    assert 100 < refused <= (MUTATIONS if packed else 0.97 * MUTATIONS)
