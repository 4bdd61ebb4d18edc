/**
 * The private environment: a virtual environment with the server, in the extension's own storage.
 *
 * Terms: a *package* is what the extension carries of the server, its wheel and the list of its
 * libraries. The environment's folder is named after their content, so another version gets
 * another folder and never changes one that a running server uses.
 *
 * Invariants: a folder with its final name is complete, and one that works is never touched. It is
 * built under a name of its own and renamed at the end, so neither a crash nor a second window
 * leaves half an environment behind. Python finds its environment from its own place, so a renamed
 * one works as long as the server is started as a module and not through a script that pip wrote.
 *
 * Absent on purpose: asking for consent. Callers do that before they call `install`.
 */

import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import type { Command } from "./command.js";
import {
  checkStep,
  describeFailure,
  environmentPython,
  installSteps,
  libraryProgress,
  type Parts,
  type Step,
} from "./installSteps.js";
import { failureOf, type Run } from "./process.js";

export interface ServerPackage extends Parts {
  readonly folderName: string;
}

export interface InstallRequest {
  readonly python: Command;
  readonly serverPackage: ServerPackage;
  readonly storage: string;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly run: Run;
  readonly signal: AbortSignal;
  readonly onStep: (title: string) => void;
  readonly onOutput: (text: string) => void;
}

export type InstallResult =
  | { readonly kind: "installed"; readonly python: string }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly reason: string };

const PREFIX = "server-";
const PARTIAL = ".partial-";
const HOUR_MS = 60 * 60 * 1000;
/** How often a window says that it uses an environment. */
export const USE_MS = 6 * HOUR_MS;
/** Long enough that no open window still runs a server from the folder. */
const UNUSED_MS = 3 * 24 * HOUR_MS;
const RENAME_TRIES = 5;

/** The newest ConfLens wheel among file names; undefined when there is none. */
export function chooseWheel(names: readonly string[]): string | undefined {
  return names
    .filter((name) => /^conflens-\d.*\.whl$/.test(name))
    .sort((left, right) => left.localeCompare(right, "en", { numeric: true }))
    .at(-1);
}

/**
 * What `folder` of the extension holds of the server; undefined when it is not all there. The
 * folder name carries the content, because two builds may share one version.
 */
export async function serverPackage(folder: string): Promise<ServerPackage | undefined> {
  const name = chooseWheel(await namesIn(folder));
  if (name === undefined) {
    return undefined;
  }
  const wheel = path.join(folder, name);
  const requirements = path.join(folder, "requirements.txt");
  try {
    const digest = createHash("sha256")
      .update(await fs.readFile(wheel))
      .update(await fs.readFile(requirements))
      .digest("hex");
    const version = name.split("-")[1] ?? "0";
    return { wheel, requirements, folderName: `${PREFIX}${version}-${digest.slice(0, 12)}` };
  } catch {
    return undefined;
  }
}

/** The interpreter of the package's environment, if that has been created. */
export async function installedPython(
  storage: string,
  wanted: ServerPackage | undefined,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  if (wanted === undefined) {
    return undefined;
  }
  const folder = path.join(storage, wanted.folderName);
  return (await exists(folder)) ? environmentPython(folder, platform) : undefined;
}

/** Whether an environment of any package exists, which only happens after the user's consent. */
export async function hasEnvironment(storage: string): Promise<boolean> {
  return (await namesIn(storage)).some(isComplete);
}

/** Creates the environment, unless one of the same name is there and works. */
export async function install(request: InstallRequest): Promise<InstallResult> {
  const { storage, serverPackage: wanted, platform } = request;
  const target = path.join(storage, wanted.folderName);
  const installed = { kind: "installed", python: environmentPython(target, platform) } as const;
  let partial: string | undefined;
  try {
    await fs.mkdir(storage, { recursive: true });
    if (await works(target, request)) {
      return installed;
    }
    await tidy(storage, wanted);
    partial = await fs.mkdtemp(path.join(storage, wanted.folderName + PARTIAL));
    const requirements = await fs.readFile(wanted.requirements, "utf8");
    const progress = libraryProgress(requirements);
    for (const step of installSteps(request.python, partial, wanted, platform)) {
      request.onStep(step.title);
      const reason = await runStep(step, request, (text) => {
        const message = progress(text);
        if (message !== undefined) {
          request.onStep(message);
        }
      });
      if (request.signal.aborted) {
        return { kind: "cancelled" };
      }
      if (reason !== undefined) {
        return { kind: "failed", reason };
      }
    }
    await moveIn(partial, target, request);
    return installed;
  } catch (error) {
    return { kind: "failed", reason: describeError(error, storage) };
  } finally {
    if (partial !== undefined) {
      await remove(partial);
    }
  }
}

/** Marks the environment as in use, so that it is not taken for a left-over. */
export async function markUsed(storage: string, wanted: ServerPackage | undefined): Promise<void> {
  if (wanted !== undefined) {
    const now = new Date();
    await fs.utimes(path.join(storage, wanted.folderName), now, now).catch(() => undefined);
  }
}

/** Removes what no window uses any more. */
export async function tidy(storage: string, wanted: ServerPackage | undefined): Promise<void> {
  const folders: StoredFolder[] = [];
  for (const name of await namesIn(storage)) {
    const stat = await fs.stat(path.join(storage, name)).catch(() => undefined);
    if (stat?.isDirectory() === true) {
      folders.push({ name, modifiedMs: stat.mtimeMs });
    }
  }
  for (const name of leftOvers(folders, wanted?.folderName, Date.now())) {
    await remove(path.join(storage, name));
  }
}

export interface StoredFolder {
  readonly name: string;
  readonly modifiedMs: number;
}

/** Folders to delete: unfinished ones after an hour, complete ones that nobody has used for days. */
export function leftOvers(
  folders: readonly StoredFolder[],
  keep: string | undefined,
  nowMs: number,
): readonly string[] {
  return folders
    .filter(({ name, modifiedMs }) => {
      const age = nowMs - modifiedMs;
      if (!name.startsWith(PREFIX) || name === keep) {
        return false;
      }
      return isComplete(name) ? age > UNUSED_MS : age > HOUR_MS;
    })
    .map(({ name }) => name);
}

/** Why a step failed; undefined when it did not. */
async function runStep(
  step: Step,
  request: InstallRequest,
  onOutput: (text: string) => void,
): Promise<string | undefined> {
  const result = await request.run(step.command, {
    cwd: request.storage,
    env: request.variables,
    timeoutMs: step.timeoutMs,
    signal: request.signal,
    onOutput: (text) => {
      request.onOutput(text);
      onOutput(text);
    },
  });
  const isGood = failureOf(result) === undefined && step.accepts?.(result.output) !== false;
  return isGood ? undefined : describeFailure(step, result);
}

/** Whether there is an environment, and its server runs. */
async function works(folder: string, request: InstallRequest): Promise<boolean> {
  const inside = environmentPython(folder, request.platform);
  return (
    (await exists(folder)) &&
    (await runStep(checkStep(inside), request, () => undefined)) === undefined
  );
}

/** Gives a finished folder its name; another window may have been faster, and then its folder stays. */
async function moveIn(partial: string, target: string, request: InstallRequest): Promise<void> {
  if (await works(target, request)) {
    return;
  }
  if (await exists(target)) {
    const broken = await fs.mkdtemp(target + PARTIAL);
    await renamed(target, path.join(broken, "broken"));
    await remove(broken);
  }
  try {
    await renamed(partial, target);
  } catch (error) {
    if (!(await works(target, request))) {
      throw error;
    }
  }
}

/** On Windows a scanner may hold new files for a moment, so this is tried more than once. */
async function renamed(from: string, to: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await fs.rename(from, to);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (tried === RENAME_TRIES || !["EPERM", "EACCES", "EBUSY"].includes(code)) {
        throw error;
      }
      await pause(200 * tried);
    }
  }
}

function describeError(error: unknown, storage: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return "The environment for the server could not be stored. The disk is full.";
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return `The environment for the server could not be stored. ${storage} cannot be written.`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return `The environment for the server could not be stored. (${message})`;
}

function isComplete(name: string): boolean {
  return name.startsWith(PREFIX) && !name.includes(PARTIAL);
}

async function remove(folder: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 } as const;
  // A file in use cannot be deleted on Windows; the folder then stays for a later clean-up.
  await fs.rm(folder, options).catch(() => undefined);
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return fs.readdir(folder).catch(() => []);
}
