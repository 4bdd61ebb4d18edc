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

const SET_UP = "Set Up";
const LATER = "Not Now";
const SETTINGS = "Open Settings";
const LOG = "Show Log";
const AGAIN = "Try Again";
/** After this time the editor hides a notification that has not been answered. */
const HIDDEN_MS = 15_000;

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

/**
 * True when the environment has been created. Messages to the user are shown here. `isWanted`: a
 * person has asked for it, and is asked in a dialog.
 */
export async function offerInstall(context: OfferContext, isWanted = false): Promise<boolean> {
  if (installing !== undefined) {
    return (await installing) === undefined;
  }
  const { serverPackage, storage, log } = context;
  if (serverPackage === undefined) {
    return showProblem(
      "This build of ConfLens contains no server. Set conflens.server.command to use your own.",
      context,
    );
  }
  const probe = probeOptions(storage);
  const candidates = pythonCandidates(await activePython(log), process.platform);
  const search = await findPython(candidates, (command) => runCommand(command, probe));
  if (search.kind !== "found") {
    return showProblem(describePythonProblem(search), context);
  }
  if (!(await hasEnvironment(storage)) && !(await agreed(search.python, isWanted))) {
    return false;
  }
  // Another offer of this window may have been accepted while this one was open.
  installing ??= installWithProgress(search.python, serverPackage, context).finally(() => {
    installing = undefined;
  });
  const reason = await installing;
  return reason === undefined || (reason !== "" && (await showProblem(reason, context)));
}

/**
 * The answer to the offer. The editor hides a notification after a while, so an offer without an
 * answer comes again when another file is opened; the status item and the view offer it all the time.
 */
async function agreed(python: Python, isWanted: boolean): Promise<boolean> {
  const message =
    "ConfLens needs to set up its analysis server. This happens once and downloads about 65 MB " +
    `into a private Python ${formatVersion(python.version)} environment.`;
  if (isWanted) {
    const options = { modal: true };
    return (await vscode.window.showInformationMessage(message, options, SET_UP)) === SET_UP;
  }
  for (;;) {
    const reminder = remind(HIDDEN_MS);
    const answer = await Promise.race([
      vscode.window.showInformationMessage(message, SET_UP, LATER),
      reminder.due,
    ]);
    reminder.dispose();
    if (answer !== REMIND) {
      return answer === SET_UP;
    }
  }
}

const REMIND = Symbol("another file was opened");

/** Is due when another file is opened, but not before some time has passed. */
function remind(milliseconds: number): vscode.Disposable & { due: Promise<typeof REMIND> } {
  const began = Date.now();
  let subscription: vscode.Disposable | undefined;
  const due = new Promise<typeof REMIND>((resolve) => {
    subscription = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor !== undefined && Date.now() - began > milliseconds) {
        resolve(REMIND);
      }
    });
  });
  return { due, dispose: () => void subscription?.dispose() };
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

/** Shows what went wrong, and starts over if the user asks for that; true when it then succeeded. */
async function showProblem(message: string, context: OfferContext): Promise<boolean> {
  const answer = await vscode.window.showErrorMessage(message, AGAIN, SETTINGS, LOG);
  if (answer === AGAIN) {
    return offerInstall(context);
  }
  if (answer === SETTINGS) {
    await openSettings();
  } else if (answer === LOG) {
    context.log.show();
  }
  return false;
}

async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", "conflens.server.command");
}
