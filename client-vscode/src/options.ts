/**
 * The view of options: a tree with a filter, two orders and two groupings, and what can be done with
 * a line of it.
 *
 * Invariants: what is shown is what the server listed last; while the view is hidden it is asked
 * seldom, for the number on the icon (`Renewal`). Order and grouping are remembered for the workspace; a filter is not, because
 * nobody would look for what is missing days later.
 */

import * as vscode from "vscode";
import type { Location } from "vscode-languageserver-types";

import { titleOf } from "./core/flows.js";
import {
  badgeOf,
  children,
  filterText,
  highlights,
  isFiltered,
  isLoud,
  lookOf,
  matches,
  mostSensitive,
  NO_FILTER,
  optionOf,
  optionsOf,
  spoken,
  spokenGroup,
  tooltip,
  type Filter,
  type FolderOptions,
  type Grouping,
  type Node,
  type Option,
  type Shape,
  type Sorting,
} from "./core/options.js";
import { Renewal } from "./core/renewal.js";
import { quantity } from "./core/status.js";
import { locationOf, openCommand, positionOf, rangeOf, uriOf } from "./places.js";
import type { Session } from "./session.js";
import type { Pages } from "./view.js";

const VIEW = "conflens.options";
const GROUPING = "conflens.optionsGrouping";
const SORTING = "conflens.optionsSorting";
const FILTERED = "conflens.optionsFiltered";
const BADGE = "conflens.options.badge";
/** The scheme of lines that are drawn louder; nothing can be opened by it. */
const LOUD = "conflens-option";
const NO_FLOWS = "No flows found for this option.";
const NONE_SENSITIVE = "No performance-sensitive option found.";
/** How often a hidden view asks for the number on its icon, and how often before it is known. */
const HIDDEN_MS = 30_000;
const UNKNOWN_MS = 500;
const TYPING_MS = 150;

interface FilterItem extends vscode.QuickPickItem {
  /** Absent for the line that ends the choice. */
  readonly change?: (filter: Filter) => Filter;
}

export class OptionsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private folders: readonly FolderOptions[] = [];
  private shape: Shape;
  /** The ids of what a person has opened: the editor forgets it of lines that a filter hides. */
  private readonly opened = new Set<string>();
  private readonly listed = new vscode.EventEmitter<readonly FolderOptions[]>();
  /** The server has listed the options. */
  readonly onDidList = this.listed.event;
  private readonly renewal = new Renewal(() => this.ask(), {
    hiddenMs: () => this.hiddenMs(),
  });
  /** Whether somebody waits for the list although the view may be hidden. */
  private isWanted = false;
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(
    private readonly session: Session,
    private readonly pages: Pages,
    private readonly memory: vscode.Memento,
  ) {
    this.shape = {
      grouping: memory.get<Grouping>(GROUPING) === "file" ? "file" : "namespace",
      sorting: memory.get<Sorting>(SORTING) === "name" ? "name" : "sensitivity",
      filter: NO_FILTER,
    };
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    const on = vscode.commands.registerCommand;
    this.subscriptions = [
      this.changed,
      this.view,
      this.listed,
      this.view.onDidChangeVisibility(() => this.watch()),
      this.view.onDidExpandElement(({ element }) => this.opened.add(element.id)),
      this.view.onDidCollapseElement(({ element }) => this.opened.delete(element.id)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.renewal.changed()),
      vscode.window.registerFileDecorationProvider({
        provideFileDecoration: ({ scheme }) =>
          scheme === LOUD
            ? new vscode.FileDecoration(
                "!",
                "undocumented",
                new vscode.ThemeColor("list.warningForeground"),
              )
            : undefined,
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(BADGE)) {
          this.renewal.changed();
          this.show();
        }
      }),
      on("conflens.browseOptions", () => vscode.commands.executeCommand(`${VIEW}.focus`)),
      on("conflens.goToMostSensitive", () => this.goToMostSensitive()),
      on("conflens.filterOptions", () => this.chooseFilter()),
      on("conflens.clearOptionsFilter", () => this.setFilter(NO_FILTER)),
      on("conflens.sortOptionsByName", () => this.setShape({ sorting: "name" })),
      on("conflens.sortOptionsBySensitivity", () => this.setShape({ sorting: "sensitivity" })),
      on("conflens.groupOptionsByNamespace", () => this.setShape({ grouping: "namespace" })),
      on("conflens.groupOptionsByFile", () => this.setShape({ grouping: "file" })),
      on("conflens.peekOptionReads", (node?: Node) => this.peekReads(this.chosen(node))),
      on("conflens.showOptionFlows", (node?: Node) => this.showFlows(this.chosen(node))),
      on("conflens.copyOptionName", (node?: Node) => this.copyName(node)),
    ];
    this.setContexts();
    this.watch();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const option = optionOf(node);
    return option === undefined
      ? groupItem(node, this.opened.has(node.id))
      : this.itemOf(node, option);
  }

  getChildren(node?: Node): Node[] {
    return children(this.folders, this.shape, node);
  }

  /** A tooltip is made when it is looked at. */
  resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
    const option = optionOf(node);
    if (option !== undefined) {
      item.tooltip = new vscode.MarkdownString(tooltip(option));
    }
    return item;
  }

  /** What `conflens/optionsChanged` says, and that there is a server to ask. */
  onChanged(): void {
    this.renewal.changed();
  }

  /** Asks without delay from now on, although the view may be hidden, or no more. */
  setWanted(isWanted: boolean): void {
    this.isWanted = isWanted;
    this.watch();
  }

  /** Until the number on the icon is known it is asked for often. */
  private hiddenMs(): number | undefined {
    const isKnown = this.folders.length > 0 && this.folders.every(({ ready }) => ready);
    return hasBadge() ? (isKnown ? HIDDEN_MS : UNKNOWN_MS) : undefined;
  }

  private watch(): void {
    this.renewal.setVisible(this.view.visible || this.isWanted);
  }

  /** Without a server nothing is known of the options. */
  onFailed(): void {
    if (this.folders.length > 0) {
      this.folders = [];
      this.renewal.changed();
      this.show();
    }
  }

  private async ask(): Promise<boolean> {
    const answer = await this.session.ask("conflens/options", {});
    if (answer === undefined) {
      return false;
    }
    this.folders = optionsOf(answer);
    this.show();
    this.listed.fire(this.folders);
    return true;
  }

  private show(): void {
    const { filter } = this.shape;
    this.view.badge = hasBadge() ? badgeOf(this.folders) : undefined;
    // An empty description would leave a gap behind the title.
    (this.view as { description: string | undefined }).description = isFiltered(filter)
      ? filterText(filter)
      : undefined;
    this.changed.fire(undefined);
  }

  // -- order, grouping, filter ---------------------------------------------------------------------

  private async setShape(change: Partial<Shape>): Promise<void> {
    this.shape = { ...this.shape, ...change };
    this.setContexts();
    this.show();
    await this.memory.update(GROUPING, this.shape.grouping);
    await this.memory.update(SORTING, this.shape.sorting);
  }

  private setFilter(filter: Filter): void {
    this.shape = { ...this.shape, filter };
    this.setContexts();
    this.show();
  }

  private setContexts(): void {
    const { grouping, sorting, filter } = this.shape;
    const tell = (name: string, value: unknown): unknown =>
      vscode.commands.executeCommand("setContext", name, value);
    tell(GROUPING, grouping);
    tell(SORTING, sorting);
    tell(FILTERED, isFiltered(filter));
  }

  /** The tree follows what is typed and chosen; ending the choice in any way keeps it. */
  private async chooseFilter(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`, { preserveFocus: true });
    const pick = vscode.window.createQuickPick<FilterItem>();
    let typing: NodeJS.Timeout | undefined;
    const apply = (change: (filter: Filter) => Filter = (filter) => filter): void => {
      clearTimeout(typing);
      typing = undefined;
      this.setFilter(change({ ...this.shape.filter, text: pick.value }));
      pick.items = this.filterItems();
    };
    pick.title = "Filter Options";
    pick.placeholder = "Filter by name";
    pick.value = this.shape.filter.text;
    pick.items = this.filterItems();
    pick.onDidChangeValue(() => {
      clearTimeout(typing);
      typing = setTimeout(apply, TYPING_MS);
    });
    pick.onDidAccept(() => {
      const change = pick.activeItems[0]?.change;
      if (change === undefined) {
        pick.hide();
      } else {
        apply(change);
      }
    });
    pick.onDidHide(() => {
      if (typing !== undefined) {
        apply();
      }
      pick.dispose();
    });
    pick.show();
  }

  private filterItems(): FilterItem[] {
    const { filter } = this.shape;
    const { found, all } = matches(this.folders, filter);
    const shown = isFiltered(filter)
      ? `Show ${found.toLocaleString("en-US")} of ${quantity(all, "option")}`
      : `Show all ${quantity(all, "option")}`;
    const box = (isOn: boolean): string => (isOn ? "$(check)" : "$(blank)");
    const items: FilterItem[] = [
      { label: `$(list-tree) ${shown}` },
      {
        label: `${box(filter.isSensitive)} Only performance-sensitive options`,
        change: (typed) => ({ ...typed, isSensitive: !typed.isSensitive }),
      },
      {
        label: `${box(filter.isUndocumented)} Only undocumented options`,
        change: (typed) => ({ ...typed, isUndocumented: !typed.isUndocumented }),
      },
    ];
    // What is typed filters the tree and not these lines.
    return items.map((item) => ({ ...item, alwaysShow: true }));
  }

  // -- commands on a line --------------------------------------------------------------------------

  /** The option a command is about: that of its line, or from the keyboard the selected one. */
  private chosen(node: Node | undefined): Option | undefined {
    const about = node ?? this.view.selection[0];
    return about === undefined ? undefined : optionOf(about);
  }

  private async peekReads(option: Option | undefined): Promise<void> {
    const first = option?.location;
    if (first === undefined || first === null) {
      return;
    }
    const { uri, range } = first;
    const answer = await this.session.askFor<Location[] | null>("textDocument/references", {
      textDocument: { uri },
      position: range.start,
      context: { includeDeclaration: false },
    });
    // A reference is also a key of a config file or a word of a document.
    const kind = uri.slice(uri.lastIndexOf("."));
    const found = (answer ?? []).filter((place) => place.uri.endsWith(kind));
    const locations = (found.length > 0 ? found : [first]).map(locationOf);
    const command = "editor.action.peekLocations";
    const start = positionOf(range.start);
    await vscode.commands.executeCommand(command, uriOf(first), start, locations);
  }

  private async goToMostSensitive(): Promise<void> {
    const answer = await this.session.ask("conflens/options", {});
    const location = answer === undefined ? undefined : mostSensitive(optionsOf(answer))?.location;
    if (location === undefined || location === null) {
      void vscode.window.showInformationMessage(NONE_SENSITIVE);
      return;
    }
    const editor = await vscode.window.showTextDocument(uriOf(location), {
      selection: rangeOf(location.range),
    });
    editor.revealRange(rangeOf(location.range), vscode.TextEditorRevealType.InCenter);
    await vscode.commands.executeCommand("editor.action.showHover");
  }

  private async showFlows(option: Option | undefined): Promise<void> {
    if (option === undefined || option.location === null) {
      return;
    }
    const { uri, range } = option.location;
    const params = { textDocument: { uri }, position: range.start };
    const page = await this.session.ask("conflens/flows", params);
    if (page === undefined || page === null) {
      vscode.window.setStatusBarMessage(NO_FLOWS, 5000);
      return;
    }
    await this.pages.show(titleOf(page), page.markdown);
  }

  /** Of a line of this view, or of one of the hotspots. */
  private async copyName(node: { readonly name: string | undefined } | undefined): Promise<void> {
    const name = (node ?? this.view.selection[0])?.name;
    if (name !== undefined) {
      await vscode.env.clipboard.writeText(name);
    }
  }

  private itemOf(node: Node, option: Option): vscode.TreeItem {
    const { ready } = node.folder;
    const { icon, color } = lookOf(option, ready);
    const item = new vscode.TreeItem({
      label: node.label,
      highlights: highlights(node.label, this.shape.filter),
    });
    item.id = node.id;
    item.description = node.description;
    item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
    item.accessibilityInformation = { label: spoken(option, ready), role: "treeitem" };
    item.contextValue = option.location === null ? "option" : "option read";
    if (isLoud(option)) {
      item.resourceUri = vscode.Uri.from({ scheme: LOUD, path: `/${option.name}` });
    }
    if (option.location !== null) {
      item.command = openCommand(option.location, "Open First Read", true);
    }
    return item;
  }
}

function hasBadge(): boolean {
  return vscode.workspace.getConfiguration("conflens").get<boolean>("options.badge") !== false;
}

function groupItem(node: Node, isOpened: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const state = node.isExpanded || isOpened ? Expanded : Collapsed;
  const item = new vscode.TreeItem(node.label, state);
  item.id = node.id;
  item.description = node.description;
  item.contextValue = node.kind;
  if (node.kind === "folder") {
    item.iconPath = new vscode.ThemeIcon("folder");
  }
  item.accessibilityInformation = { label: spokenGroup(node), role: "treeitem" };
  return item;
}
