/**
 * Runs a short-lived command and gathers what it prints. Never throws and never uses a shell.
 */

import { spawn, type ChildProcess } from "node:child_process";

import type { Command } from "./command.js";

/** `code` is undefined when the command did not run to its end; `failure` then says why. */
export interface RunResult {
  readonly code: number | undefined;
  readonly output: string;
  readonly failure: string | undefined;
}

export interface RunOptions {
  readonly cwd: string;
  /** All variables of the command; those of this process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

export type Run = (command: Command, options: RunOptions) => Promise<RunResult>;

/** Enough for a full error of pip; what came earlier is dropped. */
const OUTPUT_LIMIT = 64 * 1024;
/** How long the end of a command that was killed is waited for. */
const END_MS = 3000;

export const runCommand: Run = (command, options) =>
  new Promise((resolve) => {
    let output = "";
    let settled = false;
    const finish = (code: number | undefined, failure: string | undefined): void => {
      if (settled) {
        return;
      }
      settled = true;
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", cancel);
      resolve({ code, output, failure });
    };
    const child = spawn(command.executable, [...command.args], {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      // A group of its own, so that what the command has started ends with it.
      detached: process.platform !== "win32",
    });
    let stopped: string | undefined;
    const stop = (reason: string): void => {
      stopped ??= reason;
      killTree(child);
      // What the command wrote may be removed as soon as this settles, so its end is waited for.
      setTimeout(() => finish(undefined, reason), END_MS).unref();
    };
    const cancel = (): void => stop("cancelled");
    const timer = setTimeout(
      () => stop(`no answer within ${options.timeoutMs / 1000} s`),
      options.timeoutMs,
    );
    const gather = (chunk: string): void => {
      output = (output + chunk).slice(-OUTPUT_LIMIT);
      options.onOutput?.(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", gather);
    child.stderr.setEncoding("utf8").on("data", gather);
    child.on("error", (error: NodeJS.ErrnoException) =>
      finish(undefined, error.code === "ENOENT" ? "not found" : error.message),
    );
    child.on("close", (code, signal) => {
      const failure = stopped ?? (code === null ? `ended by ${signal}` : undefined);
      finish(failure === undefined ? (code ?? undefined) : undefined, failure);
    });
    if (options.signal?.aborted === true) {
      cancel();
    } else {
      options.signal?.addEventListener("abort", cancel);
    }
  });

function killTree(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) {
    return;
  }
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
      "error",
      () => child.kill("SIGKILL"),
    );
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

/** Why a run did not succeed, in one line; undefined when it did. */
export function failureOf(result: RunResult): string | undefined {
  if (result.failure !== undefined) {
    return result.failure;
  }
  if (result.code === 0) {
    return undefined;
  }
  const last = lastLine(result.output);
  return last === "" ? `exit code ${result.code}` : `exit code ${result.code}: ${last}`;
}

export function lastLine(text: string): string {
  return text.trimEnd().split(/\r?\n/).at(-1)?.trim() ?? "";
}
