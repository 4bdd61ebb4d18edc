/**
 * What the status item and the status document say.
 *
 * The server reports its own state in the notification `conflens/status`; the phases `starting`,
 * `missing` (there is no server yet, which is no error), `installing` and the errors of a
 * server that never came up are the client's.
 */

import type { StatusParams } from "./protocol.js";
import { SOURCE_LABELS, type Attempt } from "./resolution.js";

export type Phase = "missing" | "installing" | "starting" | "indexing" | "ready" | "error";

export interface Status {
  readonly phase: Phase;
  /** Absent as long as the server has not reported any. */
  readonly counts?: Counts;
  readonly message?: string;
}

export type Counts = Omit<StatusParams, "state" | "message">;

export interface StatusView {
  readonly text: string;
  /** The command that a click runs. */
  readonly command: string;
  /** Markdown, with links to commands. */
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly spoken: string;
  readonly isError: boolean;
  /** Whether it waits for a person. */
  readonly isWaiting: boolean;
}

/** What the status item says beside the state of the index. */
export interface Beside {
  readonly isHidden?: boolean;
  readonly note?: string;
}

/** What is known when there is no server to ask. */
export interface ClientReport {
  readonly status: Status;
  readonly command: string | undefined;
  readonly attempts: readonly Attempt[];
}

const HIDDEN = "ConfLens annotations are hidden in this workspace.";

/** Commands that the hover of the status item links to. */
export const LINKED = [
  "conflens.showStatus",
  "conflens.options.focus",
  "conflens.showLegend",
  "conflens.toggleVisuals",
  "conflens.restart",
  "conflens.setUp",
] as const;

const MEGABYTE = 1_000_000;

const ICONS: Readonly<Record<Phase, string>> = {
  missing: "$(cloud-download)",
  installing: "$(loading~spin)",
  starting: "$(loading~spin)",
  indexing: "$(sync~spin)",
  ready: "$(settings)",
  error: "$(error)",
};

/** What the notification of the server says. */
export function statusOf({ state, message, ...counts }: StatusParams): Status {
  return { phase: state, counts, ...(message === undefined ? {} : { message }) };
}

export function statusView(status: Status, beside: Beside = {}): StatusView {
  const { isHidden = false, note = "" } = beside;
  const isFine = status.phase === "ready";
  const hasWarning = note !== "" || status.counts?.verdicts === "failed";
  const icon = isFine && hasWarning ? "$(warning)" : ICONS[status.phase];
  return {
    text:
      isHidden && isFine ? "$(eye-closed) ConfLens: hidden" : `${icon} ConfLens${suffix(status)}`,
    tooltip: tooltip(status, isHidden, note),
    spoken: [summary(status), note, isHidden ? HIDDEN : ""].filter((part) => part !== "").join(" "),
    command: status.phase === "missing" ? "conflens.setUp" : "conflens.showStatus",
    isError: status.phase === "error",
    isWaiting: status.phase === "missing",
  };
}

/** Markdown for `conflens.showStatus` when the server cannot be asked. */
export function clientReport(report: ClientReport): string {
  const lines = ["# ConfLens", "", summary(report.status), ""];
  if (report.command !== undefined) {
    lines.push(`Server command: \`${report.command}\``, "");
  }
  if (report.attempts.length > 0) {
    lines.push("## Servers that were tried", "");
    for (const { source, command, problem } of report.attempts) {
      lines.push(`- ${SOURCE_LABELS[source]}: \`${command}\`: ${problem}`);
    }
    lines.push("");
  }
  if (report.status.phase === "missing") {
    lines.push(
      "Run **ConfLens: Set Up** to install the server, or set `conflens.server.command` to use " +
        "your own.",
      "",
    );
  }
  if (report.status.phase === "error") {
    lines.push(
      "Run **ConfLens: Restart Server** to try again, or **ConfLens: Show Log** for details.",
      "",
    );
  }
  return lines.join("\n");
}

export function quantity(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

function suffix({ phase, counts }: Status): string {
  if (phase === "missing") {
    return ": Set Up";
  }
  if (phase === "installing") {
    return ": setting up";
  }
  if (phase === "ready" && counts !== undefined) {
    return `: ${quantity(counts.options, "option")}`;
  }
  if (phase === "indexing" && counts !== undefined && counts.files > 0) {
    return `: ${quantity(counts.files, "file")}`;
  }
  return phase === "indexing" ? ": indexing" : "";
}

/** State, costs and links, each a paragraph. */
function tooltip(status: Status, isHidden: boolean, note: string): string {
  const { phase, counts } = status;
  const [show, options, legend, toggle, restart, setUp] = LINKED.map((name) => `command:${name}`);
  const isServing = phase === "ready" || phase === "indexing";
  const links = [
    ...(phase === "missing" ? [`[Set up](${setUp})`] : []),
    `[Show status](${show})`,
    ...(isServing ? [`[Options](${options})`, `[Legend](${legend})`] : []),
    ...(isServing ? [`[${isHidden ? "Show annotations" : "Hide annotations"}](${toggle})`] : []),
    ...(phase === "missing" || phase === "installing" ? [] : [`[Restart](${restart})`]),
  ];
  return [
    escaped(summary(status)),
    ...(phase === "ready" && counts !== undefined ? [costs(counts)] : []),
    ...(note === "" ? [] : [escaped(note)]),
    ...(isHidden ? [HIDDEN] : []),
    links.join(" · "),
  ].join("\n\n");
}

function costs({ seconds, memory }: Counts): string {
  const held = memory === undefined ? "" : ` The server uses ${megabytes(memory)} of memory.`;
  return `The last update took ${duration(seconds)}.${held}`;
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / MEGABYTE)).toLocaleString("en-US")} MB`;
}

function duration(seconds: number): string {
  return seconds < 0.1 ? "less than 0.1 s" : `${seconds.toFixed(1)} s`;
}

function summary(status: Status): string {
  const headline = headlineOf(status);
  return status.message === undefined ? headline : `${headline} ${status.message}`;
}

/** A text in which Markdown finds no markup. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~$&]/g, "\\$&");
}

function headlineOf({ phase, counts }: Status): string {
  switch (phase) {
    case "missing":
      return "ConfLens is not set up yet.";
    case "installing":
      return "ConfLens is being set up.";
    case "starting":
      return "ConfLens is starting.";
    case "indexing":
      return counts === undefined
        ? "ConfLens is reading the project."
        : `ConfLens is reading the project: ${quantity(counts.files, "file")} so far.`;
    case "ready":
      return counts === undefined
        ? "ConfLens is ready."
        : `ConfLens found ${quantity(counts.options, "option")} in ` +
            `${quantity(counts.files, "file")}.` +
            (counts.verdicts === "waiting" ? " Performance verdicts are being computed." : "");
    case "error":
      return "ConfLens has a problem.";
  }
}

/**
 * Links to files as the editor's Markdown preview takes them: it shows no `file:` link, but follows
 * a path that starts at the first workspace folder, `root`. A link elsewhere keeps its words only.
 * `canonical` writes a URI the way `root` is written.
 */
export function previewLinks(
  markdown: string,
  root: string | undefined,
  canonical: (uri: string) => string,
): string {
  return markdown.replace(
    /\[([^\]]*)\]\((file:[^)#]*)(#[^)]*)?\)/g,
    (_, label: string, file: string, fragment: string | undefined) => {
      const uri = canonical(file);
      const inside = root !== undefined && uri.startsWith(`${root}/`);
      return inside ? `[${label}](${uri.slice(root.length)}${fragment ?? ""})` : label;
    },
  );
}
