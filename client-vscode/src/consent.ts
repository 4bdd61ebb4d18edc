/**
 * Creates the private environment with the user's consent.
 *
 * Invariant: nothing is written or downloaded before the user has agreed once; an environment that
 * exists is the record of that, and later versions of it are created without a question.
 */

import * as vscode from "vscode";

import {
  hasEnvironment,
  install,
  type InstallResult,
  type ServerPackage,
} from "./core/privateEnvironment.js";
import { runCommand } from "./core/process.js";
import {
  describePythonProblem,
  findPython,
  pythonCandidates,
  type Python,
} from "./core/python.js";
import { formatVersion } from "./core/version.js";
import { activePython, probeOptions } from "./environment.js";

const INSTALL = "Install";
const SETTINGS = "Open Settings";
const OUTPUT = "Show Output";

export interface OfferContext {
  readonly storage: string;
  readonly serverPackage: ServerPackage;
  readonly log: vscode.LogOutputChannel;
  /** Told `true` when an installation begins and `false` when it fails or is cancelled. */
  readonly onInstalling: (isInstalling: boolean) => void;
}

let installing: Promise<boolean> | undefined;

/** True when the environment has been created. Messages to the user are shown here. */
export async function offerInstall(context: OfferContext): Promise<boolean> {
  if (installing !== undefined) {
    return installing;
  }
  const probe = probeOptions(context.storage);
  const candidates = pythonCandidates(await activePython(context.log), process.platform);
  const search = await findPython(candidates, (command) => runCommand(command, probe));
  if (search.kind !== "found") {
    await showProblem(describePythonProblem(search), context.log);
    return false;
  }
  if (!(await hasEnvironment(context.storage)) && !(await agreed(search.python, context))) {
    return false;
  }
  // Another window's or an earlier offer may have been accepted while this one was open.
  installing ??= installWithProgress(search.python, context).finally(() => {
    installing = undefined;
  });
  return installing;
}

async function agreed(python: Python, { serverPackage }: OfferContext): Promise<boolean> {
  const origin = serverPackage.isBundled
    ? "The server comes with this extension; pip downloads the libraries it needs."
    : "pip downloads it and the libraries it needs.";
  const answer = await vscode.window.showInformationMessage(
    "ConfLens found no server. Create a private environment with Python " +
      `${formatVersion(python.version)} and install the server there? ${origin}`,
    INSTALL,
    SETTINGS,
  );
  if (answer === SETTINGS) {
    await openSettings();
  }
  return answer === INSTALL;
}

async function installWithProgress(python: Python, context: OfferContext): Promise<boolean> {
  const { log } = context;
  context.onInstalling(true);
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: "ConfLens",
    cancellable: true,
  };
  const result = await vscode.window.withProgress<InstallResult>(
    options,
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return install({
        python: python.command,
        serverPackage: context.serverPackage,
        storage: context.storage,
        platform: process.platform,
        run: runCommand,
        signal: abort.signal,
        onStep: (message) => {
          log.info(`Private environment: ${message}`);
          progress.report({ message });
        },
        onOutput: (text) => log.debug(text.trimEnd()),
      });
    },
  );
  if (result.kind !== "installed") {
    context.onInstalling(false);
  }
  if (result.kind === "failed") {
    log.error(result.reason);
    await showProblem(result.reason, log);
  }
  return result.kind === "installed";
}

async function showProblem(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const answer = await vscode.window.showErrorMessage(message, SETTINGS, OUTPUT);
  if (answer === SETTINGS) {
    await openSettings();
  } else if (answer === OUTPUT) {
    log.show();
  }
}

async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", "conflens.server.command");
}
