/**
 * What the editor knows and the resolution of the server needs: the setting, the workspace folder,
 * the active Python environment and the extension's own storage.
 */

import * as os from "node:os";

import * as vscode from "vscode";

import type { Surroundings } from "./core/command.js";
import { installVariables } from "./core/installSteps.js";
import type { RunOptions } from "./core/process.js";

/** The part of the API of the Python extension that is used here. */
interface PythonApi {
  readonly ready?: Promise<void>;
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly id: string; readonly path: string };
    resolveEnvironment(environment: {
      readonly id: string;
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const PYTHON_EXTENSION = "ms-python.python";
const PYTHON_API_TIMEOUT_MS = 15_000;
const PROBE_TIMEOUT_MS = 20_000;

export function commandSetting(): unknown {
  return vscode.workspace.getConfiguration("conflens").get<unknown>("server.command");
}

/** The patterns of config files that the user names, in any folder of the workspace. */
export function configFilesSetting(): readonly unknown[] {
  const folders = vscode.workspace.workspaceFolders ?? [undefined];
  return folders.flatMap((folder) => {
    const paths = vscode.workspace.getConfiguration("conflens", folder).get("configFiles.paths");
    return Array.isArray(paths) ? (paths as readonly unknown[]) : [];
  });
}

export function surroundings(): Surroundings {
  return {
    workspaceFolder: firstFolder()?.fsPath,
    home: os.homedir(),
    env: process.env,
  };
}

/**
 * How programs are started to ask for their version. The working directory is never the workspace,
 * because `python -m` imports from there first.
 */
export function probeOptions(storage: string): RunOptions {
  return { cwd: storage, timeoutMs: PROBE_TIMEOUT_MS };
}

/** The variables under which a private environment is built. */
export function variables(): Readonly<Record<string, string | undefined>> {
  const proxy = vscode.workspace.getConfiguration("http").get<unknown>("proxy");
  return installVariables(process.env, typeof proxy === "string" ? proxy : undefined);
}

/** The interpreter that is active in the Python extension, if that is installed and answers. */
export async function activePython(log: vscode.LogOutputChannel): Promise<string | undefined> {
  try {
    const api = await withTimeout(pythonApi(), PYTHON_API_TIMEOUT_MS);
    if (api === undefined) {
      return undefined;
    }
    const active = api.environments.getActiveEnvironmentPath(firstFolder());
    const resolving = api.environments.resolveEnvironment(active);
    const environment = await withTimeout(resolving, PYTHON_API_TIMEOUT_MS);
    return environment?.executable.uri?.fsPath;
  } catch (error) {
    log.warn("The Python extension could not be asked for its environment.", String(error));
    return undefined;
  }
}

/** Calls back when another Python environment becomes active; does nothing without the extension. */
export async function onActivePythonChange(
  callback: () => void,
): Promise<vscode.Disposable | undefined> {
  const api = await pythonApi().catch(() => undefined);
  return api?.environments.onDidChangeActiveEnvironmentPath(callback);
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const api = await vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION)?.activate();
  await api?.ready;
  return api;
}

function firstFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri;
}

async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    const message = `no answer within ${milliseconds / 1000} s`;
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
