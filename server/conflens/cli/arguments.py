"""The arguments of all commands, and the checks on them that need no analysis.

Only the standard library is imported here.  Short lists, such as the words of ``--fail-on``, are checked
here; longer ones by the command.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import NoReturn

from typing_extensions import override

from conflens.cli import argument_types as types
from conflens.cli.errors import FAIL_ON, BadInputError


class _Parser(argparse.ArgumentParser):
    """Reports a wrong argument in one line."""

    @override
    def error(self, message: str) -> NoReturn:
        raise BadInputError(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    """Prints the version; the package's metadata is only looked up here."""

    @override
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        metadata = importlib.import_module("importlib.metadata")
        try:
            version = metadata.version("conflens")
        except metadata.PackageNotFoundError:
            version = "unknown (not installed)"
        importlib.import_module("conflens.cli.output").emit_lines([f"conflens {version}"])
        parser.exit()


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed arguments; raise :class:`BadInputError`.

    FILEs may also follow options, as ``check PATH --fail-on error FILE``, which argparse alone does not take.
    """
    top = parser()
    chosen, rest = top.parse_known_args(arguments)
    if rest and "files" in chosen and not any(word.startswith("-") for word in rest):
        chosen.files += rest
    elif rest:
        top.error(f"unrecognized arguments: {' '.join(rest)}")
    return chosen


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; a parsed result has ``module``, the command's module."""
    top = _Parser(
        prog="conflens",
        description="Finds the configuration options of a Java project and shows how they affect its performance.",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    scan = commands.add_parser("scan", help="list the options that a project reads")
    scan.set_defaults(module="scan.scan")
    _project(scan, ("table", "json", "markdown"))
    scan.add_argument(
        "--all-paths",
        action="store_true",
        help="print all stored paths of a flow, not only the most certain one (json)",
    )
    scan.add_argument(
        "--limit",
        type=types.positive,
        metavar="N",
        help="show at most N options per domain (table and markdown)",
    )
    scan.add_argument(
        "--fail-on",
        type=types.findings,
        default=frozenset(),
        metavar="WHAT[,WHAT]",
        help=f"exit with 1 if the scan reports any of: {', '.join(FAIL_ON)}, any",
    )

    _flows(commands.add_parser("flows", help="show how options reach performance operations"))

    _sensitivity(
        commands.add_parser(
            "sensitivity", help="rank options by how likely they are to affect performance"
        )
    )

    _diagnose(commands.add_parser("diagnose", help="find the options that explain a slow run"))
    _record(commands.add_parser("record", help="record a running JVM"))

    _train(
        commands.add_parser("train", help="add a project's labelled options to a training table")
    )
    _evaluate(
        commands.add_parser("evaluate", help="measure the accuracy of the performance verdicts")
    )

    _check(commands.add_parser("check", help="check code, config files and documentation"))
    _docs(commands.add_parser("docs", help="write a reference page of all options"))
    _space(commands.add_parser("space", help="write a search space for a tuner"))

    serve = commands.add_parser("serve", help="run the language server")
    serve.set_defaults(module="tools.serve")
    transport = serve.add_mutually_exclusive_group()
    transport.add_argument(
        "--stdio", action="store_true", help="use standard input and output (default)"
    )
    transport.add_argument(
        "--tcp",
        type=types.address,
        metavar="HOST:PORT",
        help="listen on HOST:PORT for a TCP connection",
    )
    transport.add_argument(
        "--ws",
        type=types.address,
        metavar="HOST:PORT",
        help="listen on HOST:PORT for a WebSocket connection",
    )
    access = serve.add_mutually_exclusive_group()
    access.add_argument(
        "--token",
        metavar="TOKEN",
        help="token that a TCP or WebSocket client must present (default: the environment variable"
        " CONFLENS_TOKEN, or else a random token, which is printed)",
    )
    access.add_argument(
        "--no-token",
        action="store_true",
        help="accept any program on this machine as a client",
    )

    stats = commands.add_parser(
        "stats",
        help="count files, options and flows, and show the time and memory that the scan took",
    )
    stats.set_defaults(module="scan.stats")
    _project(stats, ("table", "json"))

    dump = commands.add_parser("dump-facts", help="print what is extracted from one Java file")
    dump.set_defaults(module="tools.dump_facts")
    dump.add_argument("file", metavar="FILE")
    return top


def _flows(flows: argparse.ArgumentParser) -> None:
    flows.set_defaults(module="flows.flows")
    flows.description = (
        "Shows which performance operations an option reaches, and each path step by step: from the"
        " read of the option to the code that spends time or memory."
    )
    flows.epilog = (
        "An option reaches an operation directly (its value is an argument), through a branch (its value controls"
        " whether the operation runs) or through a loop (its value controls how often it runs)."
    )
    _project(flows, ("table", "json", "markdown", "sarif"))
    flows.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME",
        help="name of an option, or a glob such as 'pool.*'; can be repeated;"
        " without it, table and markdown print only counts",
    )
    flows.add_argument("--domain", metavar="D", help="show only options of this domain")
    flows.add_argument(
        "--dependency",
        type=types.dependencies,
        default=(),
        metavar="D[,D]",
        help=f"show only flows with these dependencies: {', '.join(types.DEPENDENCIES)}",
    )
    flows.add_argument(
        "--kind",
        type=types.words,
        default=frozenset(),
        metavar="K[,K]",
        help="show only operations of these kinds: memory, io, lock, thread, compute, or your own",
    )
    flows.add_argument(
        "--min-confidence",
        choices=("high", "medium", "low"),
        default="low",
        help="hide flows with lower confidence (default: low)",
    )
    flows.add_argument(
        "--paths",
        type=types.paths,
        default=1,
        metavar="N|all",
        help="show up to N paths per flow, most certain first (default: 1)",
    )


def _sensitivity(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="sensitivity.sensitivity")
    command.description = "Ranks the options of a project by how likely they are to affect performance, and gives the reasons."
    _project(command, ("table", "markdown", "json"))
    command.add_argument(
        "--only",
        choices=("sensitive", "insensitive", "unknown"),
        help="show only options with this verdict",
    )
    command.add_argument("--domain", metavar="D", help="show only options of this domain")
    command.add_argument(
        "--names",
        metavar="FILE",
        help="show only the options listed in FILE: one per line, or the keys of a YAML, properties,"
        " .conf or Hadoop XML file; a name that the program does not read is listed as unknown",
    )
    command.add_argument(
        "--output", metavar="FILE", help="write to FILE (UTF-8) instead of standard output"
    )


def _check(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="check.check")
    command.description = (
        "Compares code, config files and documentation. Reports keys that no code reads, values that the code does"
        " not accept, undocumented options and conflicting defaults. The editor shows the same findings."
    )
    command.epilog = (
        "To suppress a finding, write the comment 'conflens: ignore CODE' at the end of its line or alone on the"
        " line above. 'conflens: ignore-file CODE' in the first 20 lines applies to the whole file. The [check]"
        " section of .conflens.toml suppresses findings by option name, sets severities and specifies a baseline."
    )
    _project(command, ("table", "json", "sarif"))
    command.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="report findings only in these files and folders; the whole project is still read",
    )
    command.add_argument(
        "--code",
        type=types.words,
        default=frozenset(),
        metavar="C[,C]",
        help="report only findings with these codes",
    )
    command.add_argument(
        "--fail-on",
        type=types.words,
        default=frozenset(),
        metavar="WHAT[,WHAT]",
        help="exit with 1 if there is a finding of at least this severity (error, warning, information, hint)"
        " or with this code, or a problem (a mistake in .conflens.toml)",
    )
    command.add_argument(
        "--baseline",
        metavar="FILE",
        help="do not report findings listed in FILE (default: the baseline set in .conflens.toml)",
    )
    command.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="write all current findings to FILE as the new baseline and report nothing",
    )
    command.add_argument(
        "--only-new",
        action="store_true",
        help="require a baseline, and omit its findings from SARIF output too (otherwise they are marked there as"
        " suppressed)",
    )
    command.add_argument(
        "--output", metavar="FILE", help="write to FILE (UTF-8) instead of standard output"
    )


def _docs(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="docs.docs")
    command.description = (
        "Writes a reference page of a project's options: type, default, allowed values, meaning, effect on"
        " performance, and where they are read. You can commit the page: the output is deterministic, and"
        " unrelated edits hardly change it."
    )
    command.epilog = "In CI: conflens docs PATH --output docs/options.md --check"
    command.add_argument(
        "--format",
        choices=("markdown", "asciidoc", "json"),
        help="default: inferred from the extension of --output, otherwise markdown",
    )
    _analysed(command)
    command.add_argument(
        "--output", metavar="FILE", help="write to FILE (UTF-8) instead of standard output"
    )
    command.add_argument(
        "--check",
        action="store_true",
        help="write nothing; if the --output FILE is out of date, print the differences and exit with 1",
    )
    command.add_argument(
        "--only",
        choices=("documented", "undocumented", "sensitive"),
        help="include only documented, undocumented or performance-sensitive options",
    )
    command.add_argument("--domain", metavar="D", help="show only options of this domain")
    command.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="include only the option with this name, or a glob such as 'pool.*'; can be repeated",
    )
    command.add_argument(
        "--lines",
        action="store_true",
        help="also print line numbers of reads (they change with every edit)",
    )


def _space(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="space.space")
    command.description = (
        "Writes a search space of the performance-sensitive options for a tuner, most likely to matter first: types,"
        " ranges that the code accepts, special values, and combinations that it rejects."
    )
    command.epilog = "For example: conflens space . --top 12 --for optuna --output space.py"
    command.add_argument(
        "--for",
        dest="form",
        choices=("json", "optuna", "configspace", "mlos", "vizier"),
        default="json",
        help="format: plain JSON (default), a Python module for Optuna, JSON for ConfigSpace and SMAC3, MLOS or Vizier",
    )
    _analysed(command)
    command.add_argument(
        "--top",
        type=types.positive,
        metavar="N",
        help="write only the N options most likely to matter",
    )
    command.add_argument(
        "--all", action="store_true", help="also write options that are not performance-sensitive"
    )
    command.add_argument("--domain", metavar="D", help="write only options of this domain")
    command.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="write only the option with this name, or a glob such as 'pool.*'; can be repeated",
    )
    command.add_argument(
        "--heap",
        type=types.size,
        metavar="SIZE",
        help="upper bound for options that are sizes in bytes, such as 2g",
    )
    command.add_argument(
        "--output", metavar="FILE", help="write to FILE (UTF-8) instead of standard output"
    )


def _diagnose(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="diagnose.diagnose")
    command.description = (
        "Finds the options that explain the cost of a slow run. For each option, shows the chain from the read of the"
        " option to the hotspot, including the point where its value controls what runs."
    )
    command.epilog = (
        "Snapshots: JFR recordings and the output of `jfr print --json`, collapsed stacks of async-profiler,"
        " XML and CSV exports of JProfiler, pprof, speedscope. Several snapshots per side are treated as"
        " repeated runs."
    )
    _analysed(command, nargs="?")
    command.add_argument(
        "--violation",
        "--snapshot",
        nargs="+",
        action="extend",
        required=True,
        metavar="SNAPSHOT",
        help="profiles of the slow run; without --baseline, ConfLens explains the total cost instead of the difference",
    )
    command.add_argument(
        "--baseline",
        nargs="+",
        action="extend",
        default=[],
        metavar="SNAPSHOT",
        help="profiles of a run to compare it with",
    )
    for side, of in (("baseline", "baseline"), ("violation", "slow run")):
        command.add_argument(
            f"--{side}-config",
            nargs="+",
            action="extend",
            default=[],
            metavar="FILE",
            help=f"config files that the {of} had; keys that differ between both sides come first",
        )
    command.add_argument(
        "--format",
        choices=("table", "json", "markdown", "html", "speedscope", "sarif"),
        help="default: inferred from the extension of --output, otherwise table",
    )
    command.add_argument(
        "--output", metavar="FILE", help="write to FILE (UTF-8) instead of standard output"
    )
    command.add_argument(
        "--threshold",
        type=types.percent,
        default=0.05,
        metavar="PERCENT",
        help="smallest difference to report (default: 5)",
    )
    command.add_argument(
        "--scale",
        choices=("work", "time", "share"),
        default="work",
        help="what the runs have in common: they did the same work, ran for the same time, or neither, in which case"
        " shares of the total are compared (default: work)",
    )
    command.add_argument(
        "--kind",
        type=types.kinds,
        default=(),
        metavar="K[,K]",
        help=f"read only events of these kinds: {', '.join(types.KINDS)}; a file that does not specify a kind"
        " (collapsed stacks) is assigned the first one",
    )
    command.add_argument(
        "--unit",
        choices=("samples", "nanoseconds", "bytes"),
        help="unit of the weights in a file that does not specify one",
    )
    command.add_argument(
        "--ignore-values",
        action="store_true",
        help="ignore option values found in recordings; use only the cost of the runs",
    )
    command.add_argument(
        "--top",
        type=types.positive,
        metavar="N",
        help="show N options and hotspots (default: depends on the format)",
    )
    command.add_argument(
        "--fail-on",
        type=types.failures,
        default=frozenset(),
        metavar="WHAT[,WHAT]",
        help="exit with 1 if an option is a likely cause (likely), or if a kind of cost differs by more than noise"
        " (violation)",
    )


def _record(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="diagnose.record")
    command.description = (
        "Records a running JVM with the JDK's Flight Recorder for a given number of seconds."
    )
    command.add_argument(
        "process",
        nargs="?",
        metavar="PID|NAME",
        help="process ID of the JVM, or part of its name as shown by --list",
    )
    command.add_argument("--list", action="store_true", help="list the JVMs that can be recorded")
    command.add_argument(
        "--seconds", type=types.positive, default=30, metavar="N", help="default: 30"
    )
    command.add_argument(
        "--output", metavar="FILE", help="default: NAME-TIME.jfr in the current folder"
    )


def _train(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="sensitivity.train")
    command.description = (
        "Writes a training table: the labelled options of a project with their features, added to a base"
        " table. Labels come from a file and from the verdicts in the project's .conflens.toml."
    )
    _analysed(command)
    command.add_argument(
        "--labels",
        metavar="CSV",
        help="columns: option, sensitive (1 or 0); optional: how (measured, judged or person), source, domain,"
        " aliases (separated by |), system (rows of systems other than NAME are skipped)",
    )
    command.add_argument(
        "--name",
        metavar="NAME",
        help="name of the project in the table (default: the name of its folder)",
    )
    command.add_argument(
        "--base",
        metavar="TABLE",
        help="table to extend (default: the bundled one; none: start empty)",
    )
    command.add_argument(
        "--output", metavar="FILE", help="default: conflens-training.csv in the project's folder"
    )


def _evaluate(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="sensitivity.evaluate")
    command.description = (
        "Evaluates the performance verdicts on systems left out of training, over several seeds, and compares them with"
        " trivial rules and with DiagConfig's features."
    )
    command.add_argument(
        "--table", metavar="FILE", help="training table (default: the bundled one)"
    )
    command.add_argument(
        "--seeds", type=types.positive, metavar="N", help="default: 20; 5 with --ablation"
    )
    command.add_argument(
        "--ablation",
        action="store_true",
        help="instead, measure how much each group of features contributes",
    )
    command.add_argument(
        "--format", choices=("text", "markdown", "json"), default="text", help="default: text"
    )
    command.add_argument(
        "--output", metavar="FILE", help="write to FILE (UTF-8) instead of standard output"
    )


def _project(command: argparse.ArgumentParser, formats: tuple[str, ...]) -> None:
    command.add_argument("--format", choices=formats, default=formats[0], help="default: table")
    _analysed(command)


def _analysed(command: argparse.ArgumentParser, nargs: str | None = None) -> None:
    command.add_argument("path", metavar="PATH", nargs=nargs, help="project folder")
    command.add_argument("--spec", metavar="FILE", help="additional file in .conflens.toml format")
    command.add_argument("--no-cache", action="store_true", help="do not read or write the cache")
    command.add_argument(
        "--workers", type=types.whole, metavar="N", help="use at most N worker processes (0: none)"
    )
    command.add_argument("--include-tests", action="store_true", help="also analyse test sources")
