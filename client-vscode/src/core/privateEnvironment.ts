/**
 * The private environment: a virtual environment with the server, in the extension's own storage.
 *
 * Terms: a *package* is what pip installs, either the wheel that came with the extension or a name
 * in the user's package index. The environment's folder is named after the package, so another
 * package gets another folder and never changes one that a running server uses.
 *
 * Invariant: a folder with its final name is complete. It is built under a name of its own and
 * renamed at the end, so neither a crash nor a second window leaves half an environment behind.
 * Python finds its environment from its own place, so a renamed one works as long as the server
 * is started as a module and not through a script that pip wrote.
 *
 * Absent on purpose: asking for consent. Callers do that before they call `install`.
 */

import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import * as path from "node:path";

import { moduleCommand, withArguments, type Command } from "./command.js";
import { failureOf, type Run } from "./process.js";
import { parseServerVersion } from "./version.js";

export interface ServerPackage {
  /** What pip is asked to install: the path of a wheel, or a name. */
  readonly requirement: string;
  readonly isBundled: boolean;
  readonly folderName: string;
}

export interface Step {
  readonly title: string;
  readonly command: Command;
  /** What to tell the user when this step fails, before the tool's own last line. */
  readonly failure: string;
  /** Whether the output of a successful run is the expected one; any output is when absent. */
  readonly accepts?: (output: string) => boolean;
}

export interface InstallRequest {
  readonly python: Command;
  readonly serverPackage: ServerPackage;
  readonly storage: string;
  readonly platform: NodeJS.Platform;
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
const STEP_TIMEOUT_MS = 10 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
/** Long enough that no open window still runs a server from the folder. */
const UNUSED_MS = 30 * 24 * HOUR_MS;

/** The newest ConfLens wheel among file names; undefined when there is none. */
export function chooseWheel(names: readonly string[]): string | undefined {
  return names
    .filter((name) => /^conflens-\d.*\.whl$/.test(name))
    .sort((left, right) => left.localeCompare(right, "en", { numeric: true }))
    .at(-1);
}

/**
 * The package to install: the wheel in `wheelFolder`, else the package `conflens`. The folder name
 * carries the wheel's content, because two builds may share one version.
 */
export async function serverPackage(
  wheelFolder: string,
  extensionVersion: string,
): Promise<ServerPackage> {
  const wheel = chooseWheel(await namesIn(wheelFolder));
  if (wheel === undefined) {
    const folderName = `${PREFIX}${extensionVersion}`;
    return { requirement: "conflens", isBundled: false, folderName };
  }
  const requirement = path.join(wheelFolder, wheel);
  const digest = createHash("sha256").update(await fs.readFile(requirement)).digest("hex");
  const version = wheel.split("-")[1] ?? extensionVersion;
  const folderName = `${PREFIX}${version}-${digest.slice(0, 12)}`;
  return { requirement, isBundled: true, folderName };
}

/** The interpreter of a virtual environment. */
export function environmentPython(folder: string, platform: NodeJS.Platform): string {
  return platform === "win32"
    ? path.win32.join(folder, "Scripts", "python.exe")
    : path.posix.join(folder, "bin", "python");
}

/** The interpreter of the package's environment, if that has been created. */
export async function installedPython(
  storage: string,
  wanted: ServerPackage,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  const folder = path.join(storage, wanted.folderName);
  return (await exists(folder)) ? environmentPython(folder, platform) : undefined;
}

/** Whether an environment of any package exists, which only happens after the user's consent. */
export async function hasEnvironment(storage: string): Promise<boolean> {
  return (await namesIn(storage)).some(isComplete);
}

export function installSteps(
  python: Command,
  folder: string,
  wanted: ServerPackage,
  platform: NodeJS.Platform,
): readonly Step[] {
  const inside = environmentPython(folder, platform);
  const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input"];
  return [
    {
      title: "creating the environment",
      command: withArguments(python, "-m", "venv", folder),
      failure:
        "The virtual environment could not be created. On Debian and Ubuntu this needs the " +
        "package python3-venv.",
    },
    {
      title: "installing the server",
      command: { executable: inside, args: [...pip, wanted.requirement] },
      failure: "The server could not be installed.",
    },
    {
      title: "checking the server",
      command: withArguments(moduleCommand(inside), "--version"),
      failure: "The server was installed and does not run.",
      accepts: (output) => parseServerVersion(output) !== undefined,
    },
  ];
}

/** Creates the environment, replacing one of the same name that is there. */
export async function install(request: InstallRequest): Promise<InstallResult> {
  const { storage, serverPackage: wanted, platform } = request;
  const target = path.join(storage, wanted.folderName);
  let partial: string | undefined;
  try {
    await fs.mkdir(storage, { recursive: true });
    await removeLeftOvers(storage, wanted.folderName);
    partial = await fs.mkdtemp(path.join(storage, wanted.folderName + PARTIAL));
    for (const step of installSteps(request.python, partial, wanted, platform)) {
      request.onStep(step.title);
      const result = await request.run(step.command, {
        cwd: storage,
        timeoutMs: STEP_TIMEOUT_MS,
        signal: request.signal,
        onOutput: request.onOutput,
      });
      if (request.signal.aborted) {
        return { kind: "cancelled" };
      }
      const failure = failureOf(result);
      if (failure !== undefined) {
        return { kind: "failed", reason: `${step.failure} (${failure})` };
      }
      if (step.accepts?.(result.output) === false) {
        return { kind: "failed", reason: `${step.failure} (unexpected output)` };
      }
    }
    await remove(target);
    await fs.rename(partial, target);
    return { kind: "installed", python: environmentPython(target, platform) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "failed", reason: `The environment could not be stored. (${message})` };
  } finally {
    if (partial !== undefined) {
      await remove(partial);
    }
  }
}

/** Marks the environment as in use, so that it is not taken for a left-over. */
export async function markUsed(storage: string, wanted: ServerPackage): Promise<void> {
  const now = new Date();
  await fs.utimes(path.join(storage, wanted.folderName), now, now).catch(() => undefined);
}

export interface StoredFolder {
  readonly name: string;
  readonly modifiedMs: number;
}

/** Folders to delete: unfinished ones after an hour, complete ones that nobody has used for long. */
export function leftOvers(
  folders: readonly StoredFolder[],
  keep: string,
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

function isComplete(name: string): boolean {
  return name.startsWith(PREFIX) && !name.includes(PARTIAL);
}

async function removeLeftOvers(storage: string, keep: string): Promise<void> {
  const folders: StoredFolder[] = [];
  for (const name of await namesIn(storage)) {
    const stat = await fs.stat(path.join(storage, name)).catch(() => undefined);
    if (stat?.isDirectory() === true) {
      folders.push({ name, modifiedMs: stat.mtimeMs });
    }
  }
  for (const name of leftOvers(folders, keep, Date.now())) {
    await remove(path.join(storage, name));
  }
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
