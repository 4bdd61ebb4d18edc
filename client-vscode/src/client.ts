/**
 * One client of the protocol: which documents it serves, how its process is started, and what of
 * its events reaches the session.
 *
 * Invariant: a client that is no longer current reports nothing and is not started again.
 */

import { randomUUID } from "node:crypto";

import type { LogOutputChannel } from "vscode";
import {
  CloseAction,
  LanguageClient,
  LSPErrorCodes,
  ResponseError,
  RevealOutputChannelOn,
  State,
  WorkDoneProgress,
  type ClientCapabilities,
  type ErrorHandler,
  type LanguageClientOptions,
  type StaticFeature,
} from "vscode-languageclient/node";

import type { Command } from "./core/command.js";
import { CONFIG_FILES, namedFiles, WORKSPACE_FILE } from "./core/documents.js";
import type { Notifications, Requests } from "./core/protocol.js";
import { statusOf, type Status } from "./core/status.js";
import type { Progress } from "./progress.js";
import { Veil, type Visuals } from "./visuals.js";
import { stepMiddleware } from "./walkthrough.js";

/** What the server is told that we listen to. */
const NOTIFICATIONS: readonly (keyof Notifications)[] = [
  "conflens/status",
  "conflens/snapshotsChanged",
];

/**
 * What this client can do beyond the protocol, and what it leaves to others: the editor asks only
 * one extension for call hierarchies, and that must stay the Java one (`flows.ts` shows ours).
 */
const OWN_WAYS: StaticFeature = {
  fillClientCapabilities: (capabilities: ClientCapabilities) => {
    delete capabilities.textDocument?.callHierarchy;
    const own = {
      commands: {
        commands: ["conflens.showReferences", "conflens.saveWorkspaceFile", "conflens.showChain"],
      },
      conflens: { notifications: NOTIFICATIONS },
    };
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), ...own };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

export interface ClientContext {
  readonly command: Command;
  readonly cwd: string;
  /** What the user names as config files; asked for again when the setting changes, by a restart. */
  readonly configFiles: readonly unknown[];
  readonly log: LogOutputChannel;
  readonly visuals: Visuals;
  readonly isCurrent: (client: LanguageClient) => boolean;
  readonly onStatus: (status: Status) => void;
  readonly onSnapshots: (params: Notifications["conflens/snapshotsChanged"]) => void;
  readonly onOptions: () => void;
  readonly onState: (state: ClientState) => void;
}

export type ClientState = "starting" | "running" | "stopped";

const STATES: Readonly<Record<State, ClientState>> = {
  [State.Starting]: "starting",
  [State.Running]: "running",
  [State.Stopped]: "stopped",
  [State.StartFailed]: "stopped",
};

/** A client that has not been started. */
export function createClient(context: ClientContext): LanguageClient {
  const { command, log, visuals } = context;
  const veil = new Veil(visuals);
  // The transport stays unset, because with one the client adds a second `--stdio`.
  const server = {
    command: command.executable,
    args: [...command.args],
    options: { cwd: context.cwd },
  };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "java" },
      { scheme: "file", pattern: WORKSPACE_FILE },
      ...[...CONFIG_FILES, ...namedFiles(context.configFiles)].map((pattern) => ({
        scheme: "file",
        pattern,
      })),
    ],
    synchronize: { configurationSection: "conflens" },
    middleware: { ...stepMiddleware(), ...veil.middleware },
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // The status item shows the problem; the default would open a second message for it.
    initializationFailedHandler: () => false,
    errorHandler: {
      // The status item says what is wrong; a message box for each would say it again.
      error: async (...args) => ({ ...(await standard.error(...args)), handled: true }),
      // The library would start a crashed server again and show raw errors if that fails; the session
      // starts it again, and says so in plain words.
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
    stdioOptions: {
      stdout: (input) => void input.resume(),
      // The server's log lines; the default would mark each of them as an error.
      stderr: (input, channel) => {
        input.setEncoding("utf8").on("data", (text: string) => channel.info(text.trimEnd()));
      },
    },
  };
  const client = new LanguageClient("conflens", "ConfLens", server, options);
  client.registerFeature(OWN_WAYS);
  visuals.cover(client, veil);
  const standard: ErrorHandler = client.createDefaultErrorHandler();
  const on = <M extends keyof Notifications>(
    method: M,
    run: (params: Notifications[M]) => void,
  ): void => {
    client.onNotification(method, (params: Notifications[M]) => {
      if (context.isCurrent(client)) {
        run(params);
      }
    });
  };
  on("conflens/status", (params) => context.onStatus(statusOf(params)));
  on("conflens/snapshotsChanged", (params) => context.onSnapshots(params));
  on("conflens/optionsChanged", () => context.onOptions());
  client.onDidChangeState(({ newState }) => {
    if (newState !== State.Running) {
      veil.forget();
    }
    if (context.isCurrent(client)) {
      context.onState(STATES[newState]);
    }
  });
  return client;
}

/** Sends a request that reports how far it is and can be cancelled; undefined when it was. */
export async function requestWithProgress<M extends keyof Requests>(
  client: LanguageClient,
  method: M,
  params: Requests[M]["params"],
  progress: Progress,
): Promise<Requests[M]["result"] | undefined> {
  const workDoneToken = randomUUID();
  const reports = client.onProgress(WorkDoneProgress.type, workDoneToken, progress.report);
  try {
    const asked = { ...params, workDoneToken };
    return await client.sendRequest<Requests[M]["result"]>(method, asked, progress.token);
  } catch (error) {
    if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
      return undefined;
    }
    throw error;
  } finally {
    reports.dispose();
  }
}
