"""Makes the kept recordings of one JDK: ``python make_golden.py 17 [JAVA_HOME]``.

The expected figures come from what that JDK's ``jfr`` prints, not from the reader that is tested.
"""

import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from conflens.profiling.jfr.binary_reader import jfr_command
from conflens.profiling.jfr.json_reader import read_jfr_json
from profiling.jfr.recordings import jdk, record
from profiling.jfr.test_real import GOLDEN, summary

_CPU_TIME = ("+jdk.CPUTimeSample#enabled=true", "+jdk.CPUTimeSample#throttle=10ms")


def main(version: str, home: str) -> None:
    if home:
        os.environ["PATH"] = f"{home}/bin{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        more = _CPU_TIME if int(version) >= 25 else ()
        made = record(Path(folder), "-Djobs=3", "-Xmx256m", more=more)
        printed = subprocess.run(
            jfr_command(jdk("jfr"), str(made)), check=True, capture_output=True
        ).stdout
        theirs = read_jfr_json(io.BytesIO(printed), "printed", lambda _: None)
        GOLDEN.mkdir(exist_ok=True)
        with (GOLDEN / f"jdk{version}.jfr.gz").open("wb") as out:
            out.write(gzip.compress(made.read_bytes(), 9, mtime=0))
    text = json.dumps(summary(theirs), indent=1, ensure_ascii=False)
    (GOLDEN / f"jdk{version}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
