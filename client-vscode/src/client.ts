/**
 * One client of the protocol: which documents it serves, how its process is started, and what of
 * its events reaches the session.
 *
 * Invariant: a client that is no longer current reports nothing and is not started again.
 */

import type { LogOutputChannel } from "vscode";
import {
  CloseAction,
  LanguageClient,
  RevealOutputChannelOn,
  type ClientCapabilities,
  type ErrorHandler,
  type LanguageClientOptions,
  type State,
  type StaticFeature,
} from "vscode-languageclient/node";

import type { Command } from "./core/command.js";
import { CONFIG_FILES, WORKSPACE_FILE } from "./core/documents.js";
import { parseStatus, type Status } from "./core/status.js";

/** The notification with the server's state, and the request for it as Markdown. */
export const STATUS = "conflens/status";
const SNAPSHOTS_CHANGED = "conflens/snapshotsChanged";

/**
 * What this client can do beyond the protocol, and what it leaves to others: the editor asks only
 * one extension for call hierarchies, and that must stay the Java one (`flowTree.ts` is our way).
 */
const OWN_WAYS: StaticFeature = {
  fillClientCapabilities: (capabilities: ClientCapabilities) => {
    delete capabilities.textDocument?.callHierarchy;
    const own = {
      commands: {
        commands: ["conflens.showReferences", "conflens.saveWorkspaceFile", "conflens.showChain"],
      },
    };
    capabilities.experimental = Object.assign({}, capabilities.experimental, own);
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

export interface ClientContext {
  readonly command: Command;
  readonly cwd: string;
  readonly log: LogOutputChannel;
  readonly isCurrent: (client: LanguageClient) => boolean;
  readonly onStatus: (status: Status) => void;
  readonly onSnapshots: (params: unknown) => void;
  readonly onState: (state: State) => void;
}

/** A client that has not been started. */
export function createClient(context: ClientContext): LanguageClient {
  const { command, log } = context;
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
      ...CONFIG_FILES.map((pattern) => ({ scheme: "file", pattern })),
    ],
    synchronize: { configurationSection: "conflens" },
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // The status item shows the problem; the default would open a second message for it.
    initializationFailedHandler: () => false,
    errorHandler: {
      error: (...args) => standard.error(...args),
      // The standard answer starts a crashed server again, which must not happen to one that was
      // killed to make room for another.
      closed: () =>
        context.isCurrent(client)
          ? standard.closed()
          : { action: CloseAction.DoNotRestart, handled: true },
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
  const standard: ErrorHandler = client.createDefaultErrorHandler();
  client.onNotification(STATUS, (params: unknown) => {
    const status = parseStatus(params);
    if (status === undefined) {
      log.warn("A status that does not fit the contract was left out.", JSON.stringify(params));
    } else if (context.isCurrent(client)) {
      context.onStatus(status);
    }
  });
  client.onNotification(SNAPSHOTS_CHANGED, (params: unknown) => {
    if (context.isCurrent(client)) {
      context.onSnapshots(params);
    }
  });
  client.onDidChangeState(({ newState }) => {
    if (context.isCurrent(client)) {
      context.onState(newState);
    }
  });
  return client;
}
