/**
 * The flows of the option under the cursor, as a page and as a tree in the editor's References view.
 *
 * Absent on purpose: a call hierarchy provider. The editor asks only one for each document, and
 * must find the Java extension's.
 */

import * as vscode from "vscode";

import { parseCalls, parseItems, parsePage, type FlowItem } from "./core/flows.js";
import type { Session } from "./session.js";
import type { Pages } from "./view.js";

const NOTHING = "ConfLens knows no flows of an option here.";

/** The part of the References extension's interface that is used. */
interface SymbolTree {
  setInput(input: SymbolTreeInput): void;
}

interface SymbolTreeInput {
  readonly title: string;
  readonly location: vscode.Location;
  readonly contextValue: string;
  resolve(): { message: string | undefined; provider: vscode.TreeDataProvider<FlowItem> };
  with(location: vscode.Location): SymbolTreeInput;
}

export async function showFlowPage(session: Session, pages: Pages): Promise<void> {
  const page = parsePage(await session.ask("conflens/flows", cursor()));
  if (page === undefined) {
    vscode.window.setStatusBarMessage(NOTHING, 5000);
    return;
  }
  await pages.show(page.title, page.markdown);
}

export async function showFlowTree(session: Session): Promise<void> {
  const roots = parseItems(await session.ask("textDocument/prepareCallHierarchy", cursor()));
  const [first] = roots;
  const view = vscode.extensions.getExtension<SymbolTree>("vscode.references-view");
  if (first === undefined || view === undefined) {
    vscode.window.setStatusBarMessage(NOTHING, 5000);
    return;
  }
  const provider = new Tree(session, roots);
  const input = (location: vscode.Location): SymbolTreeInput => ({
    title: first.isOperation ? "Options" : "Flows",
    location,
    contextValue: "conflens",
    resolve: () => ({ message: undefined, provider }),
    with: input,
  });
  (await view.activate()).setInput(input(editorLocation(first)));
}

/** Options open into their steps, an operation into the steps that lead to it. */
class Tree implements vscode.TreeDataProvider<FlowItem> {
  constructor(
    private readonly session: Session,
    private readonly roots: FlowItem[],
  ) {}

  getTreeItem(item: FlowItem): vscode.TreeItem {
    const isRoot = this.roots.includes(item);
    const isLeaf = item.isOperation && !isRoot;
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const shown = new vscode.TreeItem(item.name, isLeaf ? None : isRoot ? Expanded : Collapsed);
    const { uri, range } = editorLocation(item);
    shown.description = item.detail;
    shown.command = {
      title: "Open",
      command: "vscode.open",
      arguments: [uri, { selection: range, preserveFocus: true }],
    };
    return shown;
  }

  async getChildren(item?: FlowItem): Promise<FlowItem[]> {
    if (item === undefined) {
      return this.roots;
    }
    const isBackward = this.roots[0]?.isOperation === true;
    const method = isBackward ? "callHierarchy/incomingCalls" : "callHierarchy/outgoingCalls";
    const answer = await this.session.ask(method, { item: item.raw });
    return parseCalls(answer, isBackward ? "from" : "to");
  }
}

function cursor(): unknown {
  const editor = vscode.window.activeTextEditor;
  const position = editor?.selection.active;
  return {
    textDocument: { uri: editor?.document.uri.toString() ?? "" },
    position: { line: position?.line ?? 0, character: position?.character ?? 0 },
  };
}

function editorLocation({ location }: FlowItem): vscode.Location {
  const { start, end } = location.range;
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  return new vscode.Location(vscode.Uri.parse(location.uri, true), range);
}
