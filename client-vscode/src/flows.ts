/**
 * The flows of the option under the cursor: as a page, as a tree in the editor's References view,
 * and one of them step by step.
 *
 * Absent on purpose: a call hierarchy provider. The editor asks only one for each document, and
 * must find the Java extension's.
 */

import * as vscode from "vscode";

import type { Chains } from "./chains.js";
import { parseCalls, parseItems, parsePage, type FlowItem } from "./core/flows.js";
import { chainOfFlow, distinct, waysFrom } from "./core/path.js";
import type { Session } from "./session.js";
import type { Pages } from "./view.js";

const NOTHING = "ConfLens knows no flows of an option here.";
const LIMITS = { ways: 50, questions: 300 };

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

/**
 * Opens one flow step by step: the one that an item of the tree ends, or one of those of the option
 * or operation under the cursor, the one chosen if there are several.
 */
export async function stepThroughFlow(
  session: Session,
  chains: Chains,
  item: unknown,
): Promise<void> {
  const given = wayTo(item as FlowItem);
  const way = given ?? (await chooseWay(session));
  const chain = way === undefined ? undefined : chainOfFlow(way);
  if (chain !== undefined) {
    await chains.openFlow(chain);
  }
}

async function chooseWay(session: Session): Promise<readonly FlowItem[] | undefined> {
  const roots = parseItems(await session.ask("textDocument/prepareCallHierarchy", cursor()));
  const found = await Promise.all(
    roots.map((root) => waysFrom(root, (item) => below(session, item, root.isOperation), LIMITS)),
  );
  const ways = distinct(found.flat());
  if (ways.length < 2) {
    if (ways.length === 0) {
      vscode.window.setStatusBarMessage(NOTHING, 5000);
    }
    return ways[0];
  }
  const names = new Set(ways.map(([first]) => first?.name));
  const items = ways.map((way) => {
    const last = way.at(-1);
    const from = names.size > 1 ? `${way[0]?.name} → ` : "";
    return { label: `${from}${last?.name}`, description: last?.detail ?? "", way };
  });
  const options = {
    title: "Flows",
    placeHolder: "The flow to step through",
    matchOnDescription: true,
  };
  return (await vscode.window.showQuickPick(items, options))?.way;
}

async function below(session: Session, item: FlowItem, isBackward: boolean): Promise<FlowItem[]> {
  const method = isBackward ? "callHierarchy/incomingCalls" : "callHierarchy/outgoingCalls";
  const answer = await session.ask(method, { item: item.raw });
  return parseCalls(answer, isBackward ? "from" : "to");
}

/** The items above each one of the tree that is shown. */
const above = new WeakMap<FlowItem, FlowItem>();

/** The way from the root down to an item of the tree; undefined for anything else. */
function wayTo(item: FlowItem): readonly FlowItem[] | undefined {
  const way: FlowItem[] = [];
  for (let at: FlowItem | undefined = item; at !== undefined; at = above.get(at)) {
    way.unshift(at);
    if (!(at instanceof Object)) {
      return undefined;
    }
  }
  return way.length < 2 ? undefined : way[0]?.isOperation === true ? way.toReversed() : way;
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
    const isEnd = !isRoot && (item.isOperation || item.isOption);
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const shown = new vscode.TreeItem(item.name, isLeaf ? None : isRoot ? Expanded : Collapsed);
    const { uri, range } = editorLocation(item);
    shown.description = item.detail;
    shown.tooltip = `${item.name}\n${item.detail}`;
    shown.contextValue = isEnd ? "conflens.flow" : "conflens.flowStep";
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
    const items = await below(this.session, item, this.roots[0]?.isOperation === true);
    items.forEach((each) => above.set(each, item));
    return items;
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
