/**
 * The entry point: registers commands and views and keeps one server session.
 *
 * Absent on purpose: analysis of any kind, and telemetry. The manifest keeps the extension off in
 * untrusted workspaces, so that no command of a workspace setting runs there.
 */

import * as path from "node:path";

import * as vscode from "vscode";

import { Chains } from "./chains.js";
import { serverPackage } from "./core/privateEnvironment.js";
import { editorReferences, parseReferences } from "./core/references.js";
import { onActivePythonChange } from "./environment.js";
import { showFlowPage, showFlowTree } from "./flows.js";
import { saveWorkspaceFile, showSensitivity } from "./sensitivity.js";
import { Session } from "./session.js";
import { SnapshotsView } from "./snapshots.js";
import { Pages, StatusItem } from "./view.js";

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("ConfLens", { log: true });
  const item = new StatusItem();
  const pages = new Pages();
  const manifest = context.extension.packageJSON as { readonly version: string };
  const started = new Session({
    storage: context.globalStorageUri.fsPath,
    serverPackage: await serverPackage(
      path.join(context.extensionPath, "server"),
      manifest.version,
    ),
    log,
    onStatus: (status) => {
      item.show(status);
      snapshots.setServing(status.phase === "indexing" || status.phase === "ready");
    },
    onSnapshots: (params) => {
      void snapshots.onChanged(params);
      void chains.renew();
    },
  });
  session = started;
  const snapshots = new SnapshotsView(started, pages);
  const chains = new Chains(started, log);
  context.subscriptions.push(
    log,
    item,
    pages,
    snapshots,
    chains,
    vscode.commands.registerCommand("conflens.restart", () => started.restart()),
    vscode.commands.registerCommand("conflens.showStatus", async () =>
      pages.show("ConfLens status", await started.describe()),
    ),
    vscode.commands.registerCommand("conflens.showFlows", () => showFlowPage(started, pages)),
    vscode.commands.registerCommand("conflens.showFlowTree", () => showFlowTree(started)),
    vscode.commands.registerCommand("conflens.showSensitivity", () =>
      showSensitivity(started, pages),
    ),
    vscode.commands.registerCommand("conflens.saveWorkspaceFile", (uri: unknown) =>
      saveWorkspaceFile(uri),
    ),
    vscode.commands.registerCommand("conflens.showReferences", (...args: readonly unknown[]) =>
      showReferences(args, log),
    ),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("conflens.server")) {
        void started.restart();
      }
    }),
  );
  // Neither is awaited: activation ends at once, and the status item tells how far the start is.
  void started.restart();
  void onActivePythonChange(() => void started.reconsider()).then((subscription) => {
    if (subscription !== undefined) {
      context.subscriptions.push(subscription);
    }
  });
}

export async function deactivate(): Promise<void> {
  await session?.stop();
  session = undefined;
}

async function showReferences(
  args: readonly unknown[],
  log: vscode.LogOutputChannel,
): Promise<void> {
  const references = parseReferences(args);
  if (references === undefined) {
    log.warn("References that do not fit the contract were left out.", JSON.stringify(args));
    return;
  }
  const editorArguments = editorReferences(references, {
    uri: (text) => vscode.Uri.parse(text, true),
    position: (line, character) => new vscode.Position(line, character),
    location: (uri, start, end) => new vscode.Location(uri, new vscode.Range(start, end)),
  });
  await vscode.commands.executeCommand("editor.action.showReferences", ...editorArguments);
}
