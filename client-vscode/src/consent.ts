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
import { describePythonProblem, findPython, pythonCandidates, type Python } from "./core/python.js";
import { formatVersion } from "./core/version.js";
import { activePython, probeOptions, variables } from "./environment.js";

const INSTALL = "Install";
const LATER = "Not Now";
const SETTINGS = "Open Settings";
const OUTPUT = "Show Output";
const AGAIN = "Try Again";

export interface OfferContext {
  readonly storage: string;
  readonly serverPackage: ServerPackage | undefined;
  readonly log: vscode.LogOutputChannel;
  /** Told `true` when an installation begins and `false` when it fails or is cancelled. */
  readonly onInstalling: (isInstalling: boolean) => void;
  /** Aborted when the extension ends. */
  readonly signal: AbortSignal;
}

let installing: Promise<string | undefined> | undefined;

/** True when the environment has been created. Messages to the user are shown here. */
export async function offerInstall(context: OfferContext): Promise<boolean> {
  if (installing !== undefined) {
    return (await installing) === undefined;
  }
  const { serverPackage, storage, log } = context;
  if (serverPackage === undefined) {
    return showProblem(
      "This build of ConfLens carries no server. Set conflens.server.command.",
      context,
    );
  }
  const probe = probeOptions(storage);
  const candidates = pythonCandidates(await activePython(log), process.platform);
  const search = await findPython(candidates, (command) => runCommand(command, probe));
  if (search.kind !== "found") {
    return showProblem(describePythonProblem(search), context);
  }
  if (!(await hasEnvironment(storage)) && !(await agreed(search.python))) {
    return false;
  }
  // Another offer of this window may have been accepted while this one was open.
  installing ??= installWithProgress(search.python, serverPackage, context).finally(() => {
    installing = undefined;
  });
  const reason = await installing;
  return reason === undefined || (reason !== "" && (await showProblem(reason, context)));
}

async function agreed(python: Python): Promise<boolean> {
  const answer = await vscode.window.showInformationMessage(
    "ConfLens reads this project with a server, which comes with this extension. Install it in a " +
      `private environment with Python ${formatVersion(python.version)}? pip downloads the ` +
      "libraries it needs (about 65 MB).",
    INSTALL,
    LATER,
    SETTINGS,
  );
  if (answer === SETTINGS) {
    await openSettings();
  }
  return answer === INSTALL;
}

/** Undefined when it succeeded, else why not; an empty text when it was cancelled. */
async function installWithProgress(
  python: Python,
  serverPackage: ServerPackage,
  context: OfferContext,
): Promise<string | undefined> {
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
        serverPackage,
        storage: context.storage,
        platform: process.platform,
        variables: variables(),
        run: runCommand,
        signal: AbortSignal.any([abort.signal, context.signal]),
        onStep: (message) => {
          log.info(`Private environment: ${message}`);
          progress.report({ message });
        },
        onOutput: (text) => log.debug(text.trimEnd()),
      });
    },
  );
  if (result.kind === "installed") {
    return undefined;
  }
  context.onInstalling(false);
  if (result.kind === "cancelled") {
    return "";
  }
  log.error(result.reason);
  return result.reason;
}

/** Tells what went wrong, and starts over if the user asks for that; true when it then succeeded. */
async function showProblem(message: string, context: OfferContext): Promise<boolean> {
  const answer = await vscode.window.showErrorMessage(message, AGAIN, SETTINGS, OUTPUT);
  if (answer === AGAIN) {
    return offerInstall(context);
  }
  if (answer === SETTINGS) {
    await openSettings();
  } else if (answer === OUTPUT) {
    context.log.show();
  }
  return false;
}

async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", "conflens.server.command");
}
