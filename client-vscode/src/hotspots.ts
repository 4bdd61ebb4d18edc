/**
 * The view *Diagnosis*: the options that explain the cost of the compared runs, and the hotspots.
 *
 * Invariant: what is shown is what the server listed last, and it is asked only while the view can
 * be seen (`Renewal`).
 */

import * as vscode from "vscode";

import { messageOf, tree, type Node } from "./core/hotspots.js";
import type { FolderHotspots } from "./core/protocol.js";
import { Renewal } from "./core/renewal.js";
import { openCommand } from "./places.js";
import type { Session } from "./session.js";

const VIEW = "conflens.hotspots";

export class HotspotsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private nodes: readonly Node[] = [];
  private readonly renewal = new Renewal(() => this.ask());
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly session: Session) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.subscriptions = [
      this.changed,
      this.view,
      this.view.onDidChangeVisibility(({ visible }) => this.renewal.setVisible(visible)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.renewal.changed()),
      vscode.commands.registerCommand("conflens.goToSuspectRead", (node?: Node) =>
        this.goTo(node ?? this.view.selection[0]),
      ),
    ];
    this.renewal.setVisible(this.view.visible);
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const state = node.children.length === 0 ? None : node.isExpanded ? Expanded : Collapsed;
    const item = new vscode.TreeItem(node.label, state);
    item.id = node.id;
    item.description = node.description;
    item.tooltip = node.tooltip;
    item.contextValue = node.context;
    item.accessibilityInformation = { label: node.spoken, role: "treeitem" };
    if (node.icon !== "") {
      const color = node.color === undefined ? undefined : new vscode.ThemeColor(node.color);
      item.iconPath = new vscode.ThemeIcon(node.icon, color);
    }
    const command = commandOf(node);
    if (command !== undefined) {
      item.command = command;
    }
    return item;
  }

  getChildren(node?: Node): Node[] {
    return [...(node?.children ?? this.nodes)];
  }

  /** What `conflens/snapshotsChanged` says, and that there is a server to ask. */
  onChanged(): void {
    this.renewal.changed();
  }

  /** Without a server nothing is known of the snapshots. */
  onFailed(): void {
    if (this.nodes.length > 0) {
      this.renewal.changed();
      this.show([]);
    }
  }

  private async ask(): Promise<boolean> {
    const answer = await this.session.ask("conflens/hotspots", {});
    if (answer === undefined) {
      return false;
    }
    this.show(answer.folders);
    return true;
  }

  private show(folders: readonly FolderHotspots[]): void {
    this.nodes = tree(folders);
    const message = messageOf(folders);
    // An empty message would hide what the view offers while it is empty.
    (this.view as { message: string | undefined }).message = message === "" ? undefined : message;
    this.changed.fire(undefined);
  }

  private async goTo(node: Node | undefined): Promise<void> {
    if (node?.location !== undefined && node.location !== null) {
      const { command, arguments: args = [] } = openCommand(node.location, "Open", false);
      await vscode.commands.executeCommand(command, ...(args as unknown[]));
    }
  }
}

function commandOf({ isReport, chain, location }: Node): vscode.Command | undefined {
  if (isReport) {
    return { title: "Open Report", command: "conflens.openDiagnosis" };
  }
  if (chain !== undefined) {
    const { folder, ...choice } = chain;
    return { title: "Show Chain", command: "conflens.showChain", arguments: [folder, [choice]] };
  }
  return location === null ? undefined : openCommand(location, "Open", true);
}
