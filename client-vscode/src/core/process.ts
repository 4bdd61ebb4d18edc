/**
 * Runs a short-lived command and gathers what it prints. Never throws and never uses a shell.
 */

import { spawn } from "node:child_process";

import type { Command } from "./command.js";

/** `code` is undefined when the command did not run to its end; `failure` then says why. */
export interface RunResult {
  readonly code: number | undefined;
  readonly output: string;
  readonly failure: string | undefined;
}

export interface RunOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

export type Run = (command: Command, options: RunOptions) => Promise<RunResult>;

/** Enough for a full error of pip; what came earlier is dropped. */
const OUTPUT_LIMIT = 64 * 1024;

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
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const stop = (reason: string): void => {
      child.kill("SIGKILL");
      finish(undefined, reason);
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
    child.on("close", (code, signal) =>
      code === null ? finish(undefined, `ended by ${signal}`) : finish(code, undefined),
    );
    if (options.signal?.aborted === true) {
      cancel();
    } else {
      options.signal?.addEventListener("abort", cancel);
    }
  });

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
