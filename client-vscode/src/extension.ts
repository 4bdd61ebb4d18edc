/**
 * The entry point: registers commands and views and keeps one server session.
 *
 * Absent on purpose: analysis of any kind, and telemetry. The manifest keeps the extension off in
 * untrusted workspaces, so that no command of a workspace setting runs there.
 */

import * as path from "node:path";

import * as vscode from "vscode";
import type { CallHierarchyItem, Location, Position } from "vscode-languageserver-types";

import { Chains } from "./chains.js";
import { serverPackage } from "./core/privateEnvironment.js";
import { foundText } from "./core/options.js";
import { welcomeOf, type Welcome } from "./core/welcome.js";
import { onActivePythonChange } from "./environment.js";
import { showFlowPage, showFlowTree, stepThroughFlow } from "./flows.js";
import { Heat } from "./heat.js";
import { HotspotsView } from "./hotspots.js";
import { OptionsView } from "./options.js";
import { PathView } from "./path.js";
import { locationOf, positionOf, uriOf } from "./places.js";
import { saveWorkspaceFile, showSensitivity } from "./sensitivity.js";
import { Session } from "./session.js";
import { SnapshotsView } from "./snapshots.js";
import { Pages, StatusItem } from "./view.js";
import { Visuals } from "./visuals.js";
import { openWalkthroughOnce, walkthroughCommands } from "./walkthrough.js";

const SHOW = "Show Options";
const TOUR = "Take the Tour";

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("ConfLens", { log: true });
  const visuals = new Visuals(context.workspaceState);
  const item = new StatusItem(visuals);
  const pages = new Pages();
  const started = new Session({
    storage: context.globalStorageUri.fsPath,
    serverPackage: serverPackage(path.join(context.extensionPath, "server")),
    log,
    visuals,
    onStatus: (status) => {
      item.show(status);
      snapshots.setServing(status.phase === "indexing" || status.phase === "ready");
      setState(welcomeOf(status));
      if (status.phase === "ready") {
        heat.renew();
        if ((status.counts?.options ?? 0) > 0) {
          void openWalkthroughOnce(context.globalState);
        }
      }
    },
    onSnapshots: (params) => {
      // A comparison is shown as a message of its own.
      item.note(params.paired ? "" : (params.message ?? ""));
      snapshots.onChanged(params);
      hotspots.onChanged();
      heat.renew();
      void chains.renew();
    },
    onOptions: () => {
      options.onChanged();
      // Another analysis has also moved the methods.
      hotspots.onChanged();
    },
    onAgreed: () => void openWalkthroughOnce(context.globalState),
    onSetUp: () => announce(options),
  });
  session = started;
  const options = new OptionsView(started, pages, context.workspaceState);
  const hotspots = new HotspotsView(started);
  const snapshots = new SnapshotsView(started, pages);
  const heat = new Heat(started, visuals);
  const chains = new Chains(started, visuals, log);
  let state: Welcome | undefined;
  /** What empty views say, and whether the others have a server to ask. */
  const setState = (now: Welcome): void => {
    if (now === state) {
      return;
    }
    state = now;
    void vscode.commands.executeCommand("setContext", "conflens.state", now);
    for (const view of [options, hotspots]) {
      if (now === "failed" || now === "missing") {
        view.onFailed();
      } else {
        view.onChanged();
      }
    }
  };
  context.subscriptions.push(
    log,
    visuals,
    item,
    pages,
    options,
    hotspots,
    snapshots,
    heat,
    chains,
    new PathView(chains, visuals),
    ...walkthroughCommands(pages),
    vscode.commands.registerCommand("conflens.restart", () => started.restart()),
    vscode.commands.registerCommand("conflens.setUp", () => started.setUp()),
    vscode.commands.registerCommand("conflens.showLog", () => log.show()),
    vscode.commands.registerCommand("conflens.showStatus", async () =>
      pages.show("ConfLens status", await started.describe()),
    ),
    vscode.commands.registerCommand("conflens.showFlows", () => showFlowPage(started, pages)),
    vscode.commands.registerCommand("conflens.showFlowTree", () => showFlowTree(started)),
    vscode.commands.registerCommand("conflens.stepThroughFlow", (flow?: CallHierarchyItem) =>
      stepThroughFlow(started, chains, flow),
    ),
    vscode.commands.registerCommand("conflens.showSensitivity", () =>
      showSensitivity(started, pages),
    ),
    vscode.commands.registerCommand("conflens.saveWorkspaceFile", (uri: unknown) =>
      saveWorkspaceFile(uri),
    ),
    vscode.commands.registerCommand("conflens.showReferences", showReferences),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (
        event.affectsConfiguration("conflens.server") ||
        // Which documents a client sends is settled when it starts.
        event.affectsConfiguration("conflens.configFiles.paths")
      ) {
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

/** Says once what was found, as soon as sensitivity has been judged. */
function announce(options: OptionsView): void {
  const subscription = options.onDidList((folders) => {
    const text = foundText(folders);
    if (text === undefined) {
      return;
    }
    subscription.dispose();
    options.setWanted(false);
    void vscode.window.showInformationMessage(text, SHOW, TOUR).then((answer) => {
      if (answer !== undefined) {
        const command = answer === SHOW ? "conflens.browseOptions" : "conflens.openWalkthrough";
        void vscode.commands.executeCommand(command);
      }
    });
  });
  options.setWanted(true);
}

async function showReferences(
  uri: string,
  position: Position,
  locations: readonly Location[],
): Promise<void> {
  const command = "editor.action.showReferences";
  const shown = [uriOf({ uri }), positionOf(position), locations.map(locationOf)] as const;
  await vscode.commands.executeCommand(command, ...shown);
}
