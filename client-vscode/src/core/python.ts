/**
 * Finds a Python that is new enough to hold the server's private environment.
 */

import { displayCommand, withArguments, type Command } from "./command.js";
import type { RunResult } from "./process.js";
import {
  formatVersion,
  isAtLeast,
  MINIMUM_PYTHON,
  parsePythonVersion,
  type Version,
} from "./version.js";

export interface Python {
  readonly command: Command;
  readonly version: Version;
}

export type PythonSearch =
  | { readonly kind: "found"; readonly python: Python }
  | { readonly kind: "tooOld"; readonly newest: Python }
  | { readonly kind: "absent" };

/**
 * What to try, in order: the user's active interpreter, the usual names, then names that carry a
 * version, for systems whose `python3` is too old. `py` is the launcher of Windows. On macOS the
 * plain names come last, because those that the system brings open a dialog that offers tools.
 */
export function pythonCandidates(
  active: string | undefined,
  platform: NodeJS.Platform,
): readonly Command[] {
  const named = (executable: string, ...args: string[]): Command => ({ executable, args });
  const versioned = ["3.14", "3.13", "3.12", "3.11"].map((version) => named(`python${version}`));
  const plain = [named("python3"), named("python")];
  let usual: readonly Command[];
  if (platform === "win32") {
    usual = [named("py", "-3"), named("python"), named("python3")];
  } else {
    usual = platform === "darwin" ? [...versioned, ...plain] : [...plain, ...versioned];
  }
  return active === undefined ? usual : [named(active), ...usual];
}

/** The first candidate that is new enough; else the newest that is not. */
export async function findPython(
  candidates: readonly Command[],
  run: (command: Command) => Promise<RunResult>,
): Promise<PythonSearch> {
  let newest: Python | undefined;
  for (const command of candidates) {
    const result = await run(withArguments(command, "--version"));
    const version = result.code === 0 ? parsePythonVersion(result.output) : undefined;
    if (version === undefined) {
      continue;
    }
    if (isAtLeast(version, MINIMUM_PYTHON)) {
      return { kind: "found", python: { command, version } };
    }
    if (newest === undefined || isAtLeast(version, newest.version)) {
      newest = { command, version };
    }
  }
  return newest === undefined ? { kind: "absent" } : { kind: "tooOld", newest };
}

/** What to tell the user when no Python can be used. */
export function describePythonProblem(search: Exclude<PythonSearch, { kind: "found" }>): string {
  const needed = `${MINIMUM_PYTHON.major}.${MINIMUM_PYTHON.minor}`;
  const advice = `Install Python ${needed} or newer, or set conflens.server.command.`;
  if (search.kind === "absent") {
    return `ConfLens needs Python ${needed} or newer, but no Python was found. ${advice}`;
  }
  const { command, version } = search.newest;
  return (
    `ConfLens needs Python ${needed} or newer, but the newest one found is ` +
    `${formatVersion(version)} (${displayCommand(command)}). ${advice}`
  );
}
