/**
 * The flows of the option under the cursor: as a page, as a tree in the editor's References view,
 * and one of them step by step.
 *
 * Absent on purpose: a call hierarchy provider. The editor asks only one for each document, and
 * must find the Java extension's.
 */

import * as vscode from "vscode";
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
} from "vscode-languageserver-types";

import type { Chains } from "./chains.js";
import { isOperation, isOption, placeOf, titleOf } from "./core/flows.js";
import { chainOfFlow, distinct, pathsFrom } from "./core/path.js";
import type { Requests } from "./core/protocol.js";
import { locationOf, openCommand } from "./places.js";
import type { Session } from "./session.js";
import type { Pages } from "./view.js";

const NOTHING = "No flows of an option at the cursor.";
const LIMITS = { paths: 50, questions: 300 };

/** The part of the References extension's interface that is used. */
interface SymbolTree {
  setInput(input: SymbolTreeInput): void;
}

interface SymbolTreeInput {
  readonly title: string;
  readonly location: vscode.Location;
  readonly contextValue: string;
  resolve(): { message: string | undefined; provider: vscode.TreeDataProvider<CallHierarchyItem> };
  with(location: vscode.Location): SymbolTreeInput;
}

export async function showFlowPage(session: Session, pages: Pages): Promise<void> {
  const page = await session.ask("conflens/flows", cursor());
  if (page === undefined || page === null) {
    vscode.window.setStatusBarMessage(NOTHING, 5000);
    return;
  }
  await pages.show(titleOf(page), page.markdown);
}

export async function showFlowTree(session: Session): Promise<void> {
  const roots = await rootsAt(session);
  const [first] = roots;
  const view = vscode.extensions.getExtension<SymbolTree>("vscode.references-view");
  if (first === undefined || view === undefined) {
    vscode.window.setStatusBarMessage(NOTHING, 5000);
    return;
  }
  const provider = new Tree(session, roots);
  const input = (location: vscode.Location): SymbolTreeInput => ({
    title: isOperation(first) ? "Options" : "Flows",
    location,
    contextValue: "conflens",
    resolve: () => ({ message: undefined, provider }),
    with: input,
  });
  (await view.activate()).setInput(input(locationOf(placeOf(first))));
}

/**
 * Opens one flow step by step: the one that an item of the tree ends, or one of those of the option
 * or operation under the cursor, the one chosen if there are several.
 */
export async function stepThroughFlow(
  session: Session,
  chains: Chains,
  item: CallHierarchyItem | undefined,
): Promise<void> {
  const path = item === undefined ? await choosePath(session) : pathTo(item);
  const chain = path === undefined ? undefined : chainOfFlow(path);
  if (chain !== undefined) {
    await chains.openFlow(chain);
  }
}

async function choosePath(session: Session): Promise<readonly CallHierarchyItem[] | undefined> {
  const roots = await rootsAt(session);
  const found = await Promise.all(
    roots.map((root) => pathsFrom(root, (item) => below(session, item, isOperation(root)), LIMITS)),
  );
  const paths = distinct(found.flat());
  if (paths.length < 2) {
    if (paths.length === 0) {
      vscode.window.setStatusBarMessage(NOTHING, 5000);
    }
    return paths[0];
  }
  const names = new Set(paths.map(([first]) => first?.name));
  const items = paths.map((path) => {
    const last = path.at(-1);
    const from = names.size > 1 ? `${path[0]?.name} → ` : "";
    return { label: `${from}${last?.name}`, description: last?.detail ?? "", path };
  });
  const options = {
    title: "Flows",
    placeHolder: "Select a flow to step through",
    matchOnDescription: true,
  };
  return (await vscode.window.showQuickPick(items, options))?.path;
}

async function rootsAt(session: Session): Promise<CallHierarchyItem[]> {
  const method = "textDocument/prepareCallHierarchy";
  return (await session.askFor<CallHierarchyItem[] | null>(method, cursor())) ?? [];
}

async function below(
  session: Session,
  item: CallHierarchyItem,
  isBackward: boolean,
): Promise<CallHierarchyItem[]> {
  if (isBackward) {
    const method = "callHierarchy/incomingCalls";
    const calls = await session.askFor<CallHierarchyIncomingCall[] | null>(method, { item });
    return (calls ?? []).map(({ from }) => from);
  }
  const method = "callHierarchy/outgoingCalls";
  const calls = await session.askFor<CallHierarchyOutgoingCall[] | null>(method, { item });
  return (calls ?? []).map(({ to }) => to);
}

/** The item above each one of the tree that is shown. */
const parents = new WeakMap<CallHierarchyItem, CallHierarchyItem>();

/** The path from the root of the tree to an item, from the option on; undefined for a root. */
function pathTo(item: CallHierarchyItem): readonly CallHierarchyItem[] | undefined {
  const path: CallHierarchyItem[] = [];
  for (let each: CallHierarchyItem | undefined = item; each; each = parents.get(each)) {
    path.unshift(each);
  }
  return path.length < 2 ? undefined : path.slice(0, 1).some(isOperation) ? path.reverse() : path;
}

/** Options open into their steps, an operation into the steps that lead to it. */
class Tree implements vscode.TreeDataProvider<CallHierarchyItem> {
  constructor(
    private readonly session: Session,
    private readonly roots: CallHierarchyItem[],
  ) {}

  getTreeItem(item: CallHierarchyItem): vscode.TreeItem {
    const isRoot = this.roots.includes(item);
    const isLeaf = isOperation(item) && !isRoot;
    const isEnd = !isRoot && (isOperation(item) || isOption(item));
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const shown = new vscode.TreeItem(item.name, isLeaf ? None : isRoot ? Expanded : Collapsed);
    shown.description = item.detail ?? "";
    shown.tooltip = `${item.name}\n${item.detail ?? ""}`;
    shown.contextValue = isEnd ? "conflens.flow" : "conflens.flowStep";
    shown.command = openCommand(placeOf(item), "Open", true);
    return shown;
  }

  async getChildren(item?: CallHierarchyItem): Promise<CallHierarchyItem[]> {
    if (item === undefined) {
      return this.roots;
    }
    const items = await below(this.session, item, this.roots.slice(0, 1).some(isOperation));
    items.forEach((each) => parents.set(each, item));
    return items;
  }
}

function cursor(): Requests["conflens/flows"]["params"] {
  const editor = vscode.window.activeTextEditor;
  const position = editor?.selection.active;
  return {
    textDocument: { uri: editor?.document.uri.toString() ?? "" },
    position: { line: position?.line ?? 0, character: position?.character ?? 0 },
  };
}
