"""``python -m corpus.scores [PROJECT ...] [--misses] [--false] [--names] [--declared] [--types]``

Scans projects that have a truth table, scores them and prints: one line for each project, then what was asked
for, each as ``path:line`` so that an editor can jump to it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from corpus.fetch import FetchError
from corpus.scan import Scanned, scan
from corpus.scoring import Report, Score
from corpus.truth_tables import Row
from corpus.type_scoring import LEFT_OUT, RIGHT, UNKNOWN, WRONG, TypeScore

PROJECTS = ("h2", "zookeeper", "kafka", "hdfs", "cassandra", "jmeter")


def main() -> int:
    """Scan, score, print; return 2 when a project cannot be had."""
    parser = argparse.ArgumentParser(prog="corpus.scores", description=__doc__)
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help=", ".join(PROJECTS))
    for name, meaning in (
        ("misses", "reads of the truth that were not found"),
        ("false", "reported places that read no option"),
        ("names", "reads whose name is wrong"),
        ("declared", "declarations of the truth that were not found"),
        ("types", "options whose type is wrong or unknown"),
    ):
        parser.add_argument(f"--{name}", action="store_true", help=meaning)
    arguments = parser.parse_args()
    unknown = set(arguments.projects) - set(PROJECTS)
    if unknown:
        parser.error(f"no truth for {', '.join(sorted(unknown))}")
    types = []
    for name in arguments.projects or PROJECTS:
        try:
            found = scan(name)
        except FetchError as error:
            print(error, file=sys.stderr)
            return 2
        types.append(found.types)
        for line in _lines(found, arguments):
            print(line, flush=True)
    total = TypeScore(tuple(result for one in types for result in one.results))
    print(_types_line("all", total))
    return 0


def _lines(found: Scanned, arguments: argparse.Namespace) -> Iterator[str]:
    result = found.score
    stats = found.analysis.stats
    yield (
        f"{found.project:<10} recall {result.recall:.3f}  names {result.names:.3f}"
        f"  precision {result.precision:.3f}  declared {result.declarations:.3f}"
        f"  (reads {len(result.hits)}/{len(result.hits) + len(result.misses)},"
        f" reported {result.reported}, rejected {len(result.rejected)},"
        f" unlisted {len(result.unlisted)}; {len(found.analysis.options.options)} options,"
        f" {stats.seconds:.1f} s)"
    )
    for domain, (part, whole) in result.by_domain().items():
        yield f"    {domain or '(none)':<18} {part:>4} of {whole:>4}"
    if found.types.results:
        yield _types_line(found.project, found.types)
    if arguments.misses:
        yield from (f"  miss  {_row(row)}" for row in result.misses)
    if arguments.false:
        yield from _false(result)
    if arguments.names:
        for row, names in result.wrong_names:
            yield f"  name  {_row(row)}  reported {', '.join(sorted(names))}"
    if arguments.declared:
        yield from (f"  undeclared  {_row(row)}" for row in result.undeclared)
    if arguments.types:
        yield from _types(found.types)


def _row(row: Row) -> str:
    return f"{row.path}:{row.line}:{row.column}  {'|'.join(row.names)}  {row.domain} {row.api}"


def _false(result: Score) -> Iterator[str]:
    for report, site in result.rejected:
        kinds = "/".join(sorted({row.kind for row in site.rows}))
        yield f"  {kinds}  {_report(report)}"
    for report in result.unlisted:
        yield f"  unlisted  {_report(report)}"


def _report(report: Report) -> str:
    named = ", ".join(f"{name} ({domain})" for domain, name in report.options)
    place = f"{report.read.place.path}:{report.line}:{report.column}"
    return f"{place}  {named}  {report.read.kind} {report.read.api}"


def _types_line(project: str, score: TypeScore) -> str:
    right, units = score.units
    return (
        f"    types of {project}: right {score.share(RIGHT):.3f}  wrong {score.share(WRONG):.3f}"
        f"  unknown {score.share(UNKNOWN):.3f}  of {score.total}"
        f" ({score.count(LEFT_OUT)} left out), units {right} of {units}"
    )


def _types(score: TypeScore) -> Iterator[str]:
    for result in score.results:
        if result.verdict not in (WRONG, UNKNOWN):
            continue
        option = result.option
        given = (
            f"{option.type.value} {option.unit} because {option.why}" if option else "not found"
        )
        yield (
            f"  {result.verdict}  {result.row.name}: {result.row.type} {result.row.unit}"
            f" ({result.row.why}), inferred {given}"
        )


if __name__ == "__main__":
    sys.exit(main())
