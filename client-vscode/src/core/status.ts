/**
 * What the status item and the status document say.
 *
 * The server reports its own state in the notification `conflens/status`; the phases `starting`,
 * `stopped` and the errors of a server that never came up are the client's.
 */

import { SOURCE_LABELS, type Attempt } from "./resolution.js";

export type Phase = "starting" | "indexing" | "ready" | "error" | "stopped";

export interface Status {
  readonly phase: Phase;
  /** Absent as long as the server has not reported any. */
  readonly counts?: Counts;
  readonly message?: string;
}

export interface Counts {
  readonly files: number;
  readonly options: number;
  readonly seconds: number;
}

export interface StatusView {
  readonly text: string;
  readonly tooltip: string;
  readonly isError: boolean;
}

/** What is known when there is no server to ask. */
export interface ClientReport {
  readonly status: Status;
  readonly command: string | undefined;
  readonly attempts: readonly Attempt[];
}

const ICONS: Readonly<Record<Phase, string>> = {
  starting: "$(loading~spin)",
  indexing: "$(sync~spin)",
  ready: "$(settings)",
  error: "$(error)",
  stopped: "$(circle-slash)",
};

/** The parameters of `conflens/status`, checked; undefined when they do not fit the contract. */
export function parseStatus(params: unknown): Status | undefined {
  if (typeof params !== "object" || params === null) {
    return undefined;
  }
  const { state, files, options, seconds, message } = params as Record<string, unknown>;
  if (state !== "indexing" && state !== "ready" && state !== "error") {
    return undefined;
  }
  if (!isCount(files) || !isCount(options) || !isCount(seconds)) {
    return undefined;
  }
  const status: Status = { phase: state, counts: { files, options, seconds } };
  return typeof message === "string" && message !== "" ? { ...status, message } : status;
}

export function statusView(status: Status): StatusView {
  return {
    text: `${ICONS[status.phase]} ConfLens${suffix(status)}`,
    tooltip: tooltip(status),
    isError: status.phase === "error",
  };
}

/** Markdown for `conflens.showStatus` when the server cannot be asked. */
export function clientReport(report: ClientReport): string {
  const lines = ["# ConfLens", "", tooltip(report.status), ""];
  if (report.command !== undefined) {
    lines.push(`Server command: \`${report.command}\``, "");
  }
  if (report.attempts.length > 0) {
    lines.push("## Where a server was looked for", "");
    for (const { source, command, problem } of report.attempts) {
      lines.push(`- ${SOURCE_LABELS[source]}: \`${command}\`: ${problem}`);
    }
    lines.push("");
  }
  if (report.status.phase === "error" || report.status.phase === "stopped") {
    lines.push(
      "Run **ConfLens: Restart Server** to try again, set `conflens.server.command`, " +
        "or read the output channel **ConfLens** for details.",
      "",
    );
  }
  return lines.join("\n");
}

export function quantity(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

function suffix({ phase, counts }: Status): string {
  if (phase === "ready" && counts !== undefined) {
    return `: ${quantity(counts.options, "option")}`;
  }
  if (phase === "indexing" && counts !== undefined && counts.files > 0) {
    return `: ${quantity(counts.files, "file")}`;
  }
  return phase === "indexing" ? ": indexing" : "";
}

function tooltip(status: Status): string {
  const headline = headlineOf(status);
  return status.message === undefined ? headline : `${headline} ${status.message}`;
}

function headlineOf({ phase, counts }: Status): string {
  switch (phase) {
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
            `${quantity(counts.files, "file")}, in ${counts.seconds.toFixed(1)} s.`;
    case "error":
      return "ConfLens has a problem.";
    case "stopped":
      return "ConfLens is not running.";
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
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
