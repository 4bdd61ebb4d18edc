"""The arguments of all commands, and how they are checked as far as that needs no analysis.

Only the standard library is imported here; what ``--fail-on`` and the like can name is checked here where
it is few words, and by the command where it is more.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import NoReturn

from typing_extensions import override

from conflens.cli.errors import FAIL_ON, BadInputError

_DEPENDENCIES = ("direct", "branch", "loop")
_KINDS = ("cpu", "wall", "allocation", "lock", "wait", "sleep", "io")
_ACCUSATIONS = ("accused", "violation")


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
        description="Finds the configuration options of a Java project and what is known of them.",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    scan = commands.add_parser("scan", help="list the options that a project reads")
    scan.set_defaults(module="scan.scan")
    _project(scan, ("table", "json", "markdown"))
    scan.add_argument(
        "--all-paths",
        action="store_true",
        help="give all paths of a flow that are kept, not only the surest (json)",
    )
    scan.add_argument(
        "--limit",
        type=_positive,
        metavar="N",
        help="show at most N options of each domain (table and markdown)",
    )
    scan.add_argument(
        "--fail-on",
        type=_findings,
        default=frozenset(),
        metavar="WHAT[,WHAT]",
        help=f"exit with 1 when there is one of: {', '.join(FAIL_ON)}, any",
    )

    _flows(commands.add_parser("flows", help="show how options reach performance operations"))

    _sensitivity(
        commands.add_parser("sensitivity", help="list options, performance-sensitive ones first")
    )

    _diagnose(
        commands.add_parser(
            "diagnose", help="show which options are behind what a profiler measured"
        )
    )
    _record(commands.add_parser("record", help="record a running JVM for a while"))

    _train(
        commands.add_parser("train", help="add a project's labelled options to a training table")
    )
    _evaluate(commands.add_parser("evaluate", help="measure the sensitivity model"))

    _check(commands.add_parser("check", help="check code, config files and documents"))
    _docs(commands.add_parser("docs", help="write a reference of all options"))

    serve = commands.add_parser("serve", help="run the language server")
    serve.set_defaults(module="tools.serve")
    transport = serve.add_mutually_exclusive_group()
    transport.add_argument(
        "--stdio", action="store_true", help="standard input and output (default)"
    )
    transport.add_argument("--tcp", type=_address, metavar="HOST:PORT", help="listen for TCP")
    transport.add_argument("--ws", type=_address, metavar="HOST:PORT", help="listen for WebSocket")
    access = serve.add_mutually_exclusive_group()
    access.add_argument(
        "--token",
        metavar="TOKEN",
        help="token that a TCP or WebSocket client must present (default: CONFLENS_TOKEN, or a"
        " random one, which is printed)",
    )
    access.add_argument(
        "--no-token",
        action="store_true",
        help="accept any program on this machine as the client",
    )

    stats = commands.add_parser("stats", help="count what a project holds and what it cost")
    stats.set_defaults(module="scan.stats")
    _project(stats, ("table", "json"))

    dump = commands.add_parser("dump-facts", help="print the facts of one Java file")
    dump.set_defaults(module="tools.dump_facts")
    dump.add_argument("file", metavar="FILE")
    return top


def _flows(flows: argparse.ArgumentParser) -> None:
    flows.set_defaults(module="flows.flows")
    flows.description = (
        "Shows which performance operations options reach, and each way there step by step:"
        " from where the option is read to where time or memory is spent."
    )
    flows.epilog = (
        "An option reaches an operation directly (its value is an argument), by a branch (it decides"
        " whether the operation runs) or by a loop (it decides how often)."
    )
    _project(flows, ("table", "json", "markdown", "sarif"))
    flows.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME",
        help="an option's name or a glob such as 'pool.*', may be given more than once;"
        " without it, table and markdown only count",
    )
    flows.add_argument("--domain", metavar="D", help="only options of this domain")
    flows.add_argument(
        "--dependency",
        type=_dependencies,
        default=(),
        metavar="D[,D]",
        help=f"only flows by: {', '.join(_DEPENDENCIES)}",
    )
    flows.add_argument(
        "--kind",
        type=_words,
        default=frozenset(),
        metavar="K[,K]",
        help="only operations of these kinds: memory, io, lock, thread, compute, or your own",
    )
    flows.add_argument(
        "--min-confidence",
        choices=("high", "medium", "low"),
        default="low",
        help="leave out flows that are less sure (default: low)",
    )
    flows.add_argument(
        "--paths",
        type=_paths,
        default=1,
        metavar="N|all",
        help="show up to N paths of each flow, the surest first (default: 1)",
    )


def _sensitivity(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="sensitivity.sensitivity")
    command.description = (
        "Lists the options of a project, those that most likely change what the program costs first,"
        " each with the reasons."
    )
    _project(command, ("table", "markdown", "json"))
    command.add_argument(
        "--only", choices=("sensitive", "insensitive", "unknown"), help="only options judged so"
    )
    command.add_argument("--domain", metavar="D", help="only options of this domain")
    command.add_argument(
        "--names",
        metavar="FILE",
        help="only the options that FILE names: one a line, or the keys of a YAML, properties,"
        " .conf or Hadoop XML file; a name that the program does not read is listed as unknown",
    )
    command.add_argument("--output", metavar="FILE", help="write to FILE, as UTF-8")


def _check(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="check.check")
    command.description = (
        "Checks what options, config files and documents say against each other: keys that nothing reads,"
        " values that cannot be right, options that are documented nowhere, defaults that differ. Findings"
        " are those that the editor shows."
    )
    command.epilog = (
        "A comment 'conflens: ignore CODE' on a finding's line or alone on the line above suppresses it,"
        " 'conflens: ignore-file CODE' in the first 20 lines does so for a file; [check] in .conflens.toml"
        " does so for names, sets severities and names a baseline."
    )
    _project(command, ("table", "json", "sarif"))
    command.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="report findings in these files and folders only; the whole project is read all the same",
    )
    command.add_argument(
        "--code",
        type=_words,
        default=frozenset(),
        metavar="C[,C]",
        help="only findings of these codes",
    )
    command.add_argument(
        "--fail-on",
        type=_words,
        default=frozenset(),
        metavar="WHAT[,WHAT]",
        help="exit with 1 when there is one of: error, warning, information, hint (that or louder), a"
        " code, problem (a mistake in .conflens.toml)",
    )
    command.add_argument(
        "--baseline",
        metavar="FILE",
        help="do not report findings that FILE knows (default: the baseline that .conflens.toml names)",
    )
    command.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="write all present findings to FILE as the new baseline, and report nothing",
    )
    command.add_argument(
        "--only-new",
        action="store_true",
        help="insist on a baseline, and leave what it knows out of sarif as well, where it is otherwise"
        " marked as suppressed",
    )
    command.add_argument("--output", metavar="FILE", help="write to FILE, as UTF-8")


def _docs(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="docs.docs")
    command.description = (
        "Writes a reference of a project's options: type, default, allowed values, meaning, what they do to"
        " the program's cost, where they are read. It is made to be committed: equal projects give equal"
        " bytes, and edits elsewhere change little."
    )
    command.epilog = "In CI: conflens docs PATH --output docs/options.md --check"
    command.add_argument(
        "--format",
        choices=("markdown", "asciidoc", "json"),
        help="default: by the name of --output, else markdown",
    )
    _analysed(command)
    command.add_argument("--output", metavar="FILE", help="write to FILE, as UTF-8")
    command.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 and show what differs when FILE of --output is not up to date",
    )
    command.add_argument(
        "--only",
        choices=("documented", "undocumented", "sensitive"),
        help="only options that are described somewhere or nowhere, or that are performance-sensitive",
    )
    command.add_argument("--domain", metavar="D", help="only options of this domain")
    command.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="only an option with this name, or a glob such as 'pool.*'; may be given more than once",
    )
    command.add_argument(
        "--lines",
        action="store_true",
        help="tell the lines of reads, which edits of the code change, and not only their methods",
    )


def _diagnose(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="diagnose.diagnose")
    command.description = (
        "Shows which options are behind what a profiler measured, and how: from the option over the place"
        " where it takes hold, and the calls from there, to the method that costs."
    )
    command.epilog = (
        "Snapshots: JFR recordings and what `jfr print` makes of them, collapsed stacks of async-profiler,"
        " JProfiler's XML and CSV exports, pprof, speedscope. Several on a side are repetitions of one run."
    )
    _analysed(command, nargs="?")
    command.add_argument(
        "--violation",
        "--snapshot",
        nargs="+",
        action="extend",
        required=True,
        metavar="SNAPSHOT",
        help="of the slow run; without --baseline what it costs is explained, not what it costs more",
    )
    command.add_argument(
        "--baseline",
        nargs="+",
        action="extend",
        default=[],
        metavar="SNAPSHOT",
        help="of the run to compare with",
    )
    command.add_argument(
        "--format",
        choices=("table", "json", "markdown", "html", "speedscope", "sarif"),
        help="default: by the name of --output, else table",
    )
    command.add_argument("--output", metavar="FILE", help="write to FILE, as UTF-8")
    command.add_argument(
        "--threshold",
        type=_percent,
        default=0.05,
        metavar="PERCENT",
        help="the variation that counts (default: 5)",
    )
    command.add_argument(
        "--scale",
        choices=("work", "time", "share"),
        default="work",
        help="what makes the runs comparable: they did the same work, ran for the same time, or neither"
        " (default: work)",
    )
    command.add_argument(
        "--kind",
        type=_kinds,
        default=(),
        metavar="K[,K]",
        help=f"only events of these kinds: {', '.join(_KINDS)}; a file that does not say its kind"
        " (collapsed stacks) is taken to be of the first",
    )
    command.add_argument(
        "--unit",
        choices=("samples", "nanoseconds", "bytes"),
        help="the unit of weights in a file that does not say it",
    )
    command.add_argument(
        "--ignore-values",
        action="store_true",
        help="go by what the runs cost alone, not by the values that a recording tells",
    )
    command.add_argument(
        "--top",
        type=_positive,
        metavar="N",
        help="show N options and hotspots (default: by format)",
    )
    command.add_argument(
        "--fail-on",
        type=_accusations,
        default=frozenset(),
        metavar="WHAT[,WHAT]",
        help="exit with 1 when there is one of: accused (an option that explains enough), violation",
    )


def _record(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="diagnose.record")
    command.description = "Records a running JVM with the JDK's flight recorder, and leaves no recording behind in it."
    command.add_argument(
        "process",
        nargs="?",
        metavar="PID|NAME",
        help="the JVM's process id, or (a part of) the name that --list shows",
    )
    command.add_argument("--list", action="store_true", help="list the JVMs that can be recorded")
    command.add_argument("--seconds", type=_positive, default=30, metavar="N", help="default: 30")
    command.add_argument(
        "--output", metavar="FILE", help="default: NAME-TIME.jfr in the present folder"
    )


def _train(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="sensitivity.train")
    command.description = (
        "Writes a training table: the labelled options of a project with their features, beside those"
        " of a base table. Labels are those of a file and the verdicts in the project's .conflens.toml."
    )
    _analysed(command)
    command.add_argument(
        "--labels",
        metavar="CSV",
        help="columns option, sensitive (1 or 0), and where wanted how (measured, judged or person),"
        " source, domain, aliases (separated by |), system (rows of another than NAME are left out)",
    )
    command.add_argument(
        "--name",
        metavar="NAME",
        help="what the project is called in the table (default: its folder)",
    )
    command.add_argument(
        "--base",
        metavar="TABLE",
        help="the table to add to (default: the packaged one; none: an empty one)",
    )
    command.add_argument(
        "--output", metavar="FILE", help="default: conflens-training.csv in the project's folder"
    )


def _evaluate(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="sensitivity.evaluate")
    command.description = (
        "Measures the sensitivity model on systems that it was not trained on, beside trivial rules and"
        " DiagConfig's features, over several seeds."
    )
    command.add_argument(
        "--table", metavar="FILE", help="a training table (default: the packaged one)"
    )
    command.add_argument(
        "--seeds", type=_positive, metavar="N", help="default: 20; 5 with --ablation"
    )
    command.add_argument(
        "--ablation", action="store_true", help="tell what each group of features is worth instead"
    )
    command.add_argument(
        "--format", choices=("text", "markdown", "json"), default="text", help="default: text"
    )
    command.add_argument("--output", metavar="FILE", help="write to FILE, as UTF-8")


def _project(command: argparse.ArgumentParser, formats: tuple[str, ...]) -> None:
    command.add_argument("--format", choices=formats, default=formats[0], help="default: table")
    _analysed(command)


def _analysed(command: argparse.ArgumentParser, nargs: str | None = None) -> None:
    command.add_argument("path", metavar="PATH", nargs=nargs, help="the project's folder")
    command.add_argument("--spec", metavar="FILE", help="a further .conflens.toml to go by")
    command.add_argument(
        "--no-cache", action="store_true", help="neither use nor keep stored facts"
    )
    command.add_argument(
        "--workers", type=_count, metavar="N", help="at most N processes; 0: only this one"
    )
    command.add_argument(
        "--include-tests", action="store_true", help="analyse test sources as well"
    )


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return int(text)


def _positive(text: str) -> int:
    number = _count(text)
    if number == 0:
        raise argparse.ArgumentTypeError("0 is not above 0")
    return number


def _findings(text: str) -> frozenset[str]:
    named = {item.strip() for item in text.split(",") if item.strip()}
    unknown = named - {*FAIL_ON, "any"}
    if unknown or not named:
        wrong = ", ".join(sorted(unknown)) or "nothing"
        raise argparse.ArgumentTypeError(f"{wrong} is none of {', '.join(FAIL_ON)}, any")
    return frozenset(FAIL_ON) if "any" in named else frozenset(named)


def _words(text: str) -> frozenset[str]:
    named = frozenset(item.strip() for item in text.split(",") if item.strip())
    if not named:
        raise argparse.ArgumentTypeError("nothing is named")
    return named


def _dependencies(text: str) -> frozenset[str]:
    return _among(text, _DEPENDENCIES)


def _accusations(text: str) -> frozenset[str]:
    return _among(text, _ACCUSATIONS)


def _kinds(text: str) -> tuple[str, ...]:
    _among(text, _KINDS)
    return tuple(dict.fromkeys(item.strip() for item in text.split(",") if item.strip()))


def _among(text: str, known: tuple[str, ...]) -> frozenset[str]:
    named = _words(text)
    unknown = sorted(named.difference(known))
    if unknown:
        wrong = ", ".join(unknown)
        raise argparse.ArgumentTypeError(f"{wrong} is none of {', '.join(known)}")
    return named


def _percent(text: str) -> float:
    """Return a percentage above 0 as a share."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = 0.0
    if not 0 < number <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a percentage above 0")
    return number / 100


def _paths(text: str) -> int | None:
    return None if text == "all" else _positive(text)


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)
