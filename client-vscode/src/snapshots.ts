/**
 * The view of profiler snapshots and its commands: import, record, choose sides, remove, report.
 *
 * Invariant: what is shown is what the server listed last. Commands change nothing here; the server
 * tells when its snapshots have changed, and is asked again.
 */

import * as vscode from "vscode";

import {
  added,
  KINDS,
  MAX_SECONDS,
  messageOf,
  pathTo,
  processGroups,
  secondsProblem,
  sidesOf,
  summary,
  tree,
  used,
  without,
  type FolderListing,
  type Listing,
  type Node,
  type Side,
  type Sides,
} from "./core/snapshots.js";
import type {
  EventKind,
  ImportAnswer,
  ImportParams,
  Pairing,
  Requests,
  SnapshotRow,
  SnapshotsChangedParams,
} from "./core/protocol.js";
import { withProgress } from "./progress.js";
import type { Session } from "./session.js";
import type { Pages } from "./view.js";

const VIEW = "conflens.snapshots";
const SERVING = "conflens.serving";
const REPORT = "Diagnosis";
const SWAP = "Swap";
const REMOVE = "Remove";
const ONE_LOST = "ConfLens recorded it itself, so it cannot be imported again.";
const SECONDS = 30;
const PROFILES = [
  "jfr",
  "json",
  "xml",
  "csv",
  "txt",
  "collapsed",
  "folded",
  "pprof",
  "pb",
  "gz",
  "xz",
];
const NO_LISTING: Listing = {
  snapshots: [],
  diagnosis: { state: "none", text: "" },
  recording: null,
  paired: null,
};

interface ProcessItem extends vscode.QuickPickItem {
  readonly pid: number | undefined;
}

export class SnapshotsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private listings: readonly FolderListing[] = [];
  private nodes: readonly Node[] = [];
  private refreshing: Promise<void> | undefined;
  private again = false;
  private isServing = false;
  /** The addresses of the reports that were opened, by title. */
  private readonly reports = new Map<string, string>();
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(
    private readonly session: Session,
    private readonly pages: Pages,
  ) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this,
      canSelectMany: true,
      showCollapseAll: false,
    });
    const on = (
      name: string,
      run: (...args: readonly never[]) => Promise<void>,
    ): vscode.Disposable =>
      vscode.commands.registerCommand(name, (...args: readonly never[]) =>
        reported(() => run(...args)),
      );
    this.subscriptions = [
      this.changed,
      this.view,
      // Ages are words of the moment in which they were asked for.
      this.view.onDidChangeVisibility(({ visible }) => void (visible && this.refresh())),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.refresh()),
      on("conflens.importSnapshot", (uri?: vscode.Uri, uris?: readonly vscode.Uri[]) =>
        this.importFiles(uri, uris),
      ),
      on("conflens.recordSnapshot", () => this.record()),
      on("conflens.diagnose", () => this.diagnose()),
      on("conflens.chooseSnapshots", () => this.chooseBoth()),
      on("conflens.nameConfigFiles", () => this.nameConfigFiles()),
      on("conflens.openDiagnosis", () => this.openReport()),
      on("conflens.addRuns", (node?: Node) => this.addRuns(node)),
      on("conflens.useAsBaseline", (...nodes) => this.change(nodes, "baseline", used)),
      on("conflens.useAsViolation", (...nodes) => this.change(nodes, "violation", used)),
      on("conflens.addToBaseline", (...nodes) => this.change(nodes, "baseline", added)),
      on("conflens.addToViolation", (...nodes) => this.change(nodes, "violation", added)),
      on("conflens.leaveOut", (...nodes) =>
        this.change(nodes, "baseline", (sides, _, ids) => without(sides, ids)),
      ),
      on("conflens.setSampleType", (node?: Node) => this.setSampleType(node)),
      on("conflens.dropSnapshot", (...nodes) => this.remove(nodes)),
    ];
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
    if (node.icon !== "") {
      const color = node.color === undefined ? undefined : new vscode.ThemeColor(node.color);
      item.iconPath = new vscode.ThemeIcon(node.icon, color);
    }
    return item;
  }

  getChildren(node?: Node): Node[] {
    return [...(node?.children ?? this.nodes)];
  }

  getParent(node: Node): Node | undefined {
    const id = node.snapshot?.id;
    return id === undefined ? undefined : pathTo(this.nodes, id)?.at(-2);
  }

  /** Whether there is a server to ask decides whether the view is there at all. */
  setServing(isServing: boolean): void {
    if (isServing !== this.isServing) {
      this.isServing = isServing;
      void vscode.commands.executeCommand("setContext", SERVING, isServing);
      void this.refresh();
    }
  }

  /** After `conflens/snapshotsChanged`. */
  onChanged({ folder, paired }: SnapshotsChangedParams): void {
    void this.refresh();
    this.announce(folder, paired);
  }

  /** Asks again; calls that come meanwhile share one more round. */
  private refresh(): Promise<void> {
    if (this.refreshing !== undefined) {
      this.again = true;
      return this.refreshing;
    }
    this.refreshing = this.askAll().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async askAll(): Promise<void> {
    do {
      this.again = false;
      const folders = vscode.workspace.workspaceFolders ?? [];
      this.listings = await Promise.all(
        folders.map(async ({ uri, name }) => {
          const folder = uri.toString();
          const answer = await this.session.ask("conflens/snapshots", { folder });
          return { folder, name, listing: answer ?? NO_LISTING };
        }),
      );
    } while (this.again);
    this.nodes = tree(this.listings);
    const message = messageOf(this.listings);
    // An empty message would hide what the view offers while it is empty.
    (this.view as { message: string | undefined }).message = message === "" ? undefined : message;
    const hasSnapshots = this.listings.some(({ listing }) => listing.snapshots.length > 0);
    void vscode.commands.executeCommand("setContext", "conflens.hasSnapshots", hasSnapshots);
    const isReady = this.listings.some(({ listing }) => listing.diagnosis.state === "ready");
    void vscode.commands.executeCommand("setContext", "conflens.diagnosed", isReady);
    this.changed.fire(undefined);
    await this.renewReports();
  }

  // -- import and record ---------------------------------------------------------------------------

  private async importFiles(uri?: vscode.Uri, uris?: readonly vscode.Uri[]): Promise<void> {
    // From the view's title there is no file, and what comes instead is no URI.
    const given = [...(uris ?? []), uri].filter((item) => item instanceof vscode.Uri);
    const unique = new Map(given.map((item) => [item.toString(), item]));
    const files = unique.size > 0 ? [...unique.values()] : await chooseFiles("Import");
    const folder = files.length > 0 ? await this.folderOf(files[0]) : undefined;
    if (folder === undefined) {
      return;
    }
    const rows = await this.importAll(folder, files, {});
    await this.show(rows.at(-1));
    this.announce(folder, rows.at(-1)?.paired);
  }

  private async addRuns(node?: Node): Promise<void> {
    if (node?.side === undefined) {
      return;
    }
    const files = await chooseFiles(
      node.side === "baseline" ? "Add to Baseline" : "Add to Slow Run",
    );
    const rows = await this.importAll(node.folder, files, { role: null });
    if (rows.length > 0) {
      await this.refresh();
      const sides = sidesOf(this.listingOf(node.folder));
      await this.choose(
        node.folder,
        added(
          sides,
          node.side,
          rows.map(({ id }) => id),
        ),
      );
      await this.show(rows.at(-1));
    }
  }

  private async importAll(
    folder: string,
    files: readonly vscode.Uri[],
    more: Pick<ImportParams, "role" | "kind">,
  ): Promise<ImportAnswer[]> {
    const rows: ImportAnswer[] = [];
    for (const file of files) {
      const name = file.path.split("/").at(-1) ?? "";
      const params = { folder, uri: file.toString(), ...more };
      const row = await this.working(`Importing ${name}`, "conflens/importSnapshot", params);
      if (row === undefined) {
        break;
      }
      rows.push(row);
    }
    return rows;
  }

  private async record(): Promise<void> {
    const folder = await this.folderOf(undefined);
    if (folder === undefined) {
      return;
    }
    const title = "Record a Running JVM";
    const chosen = await vscode.window.showQuickPick(this.processes(), {
      title,
      placeHolder: "Select a Java process",
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (chosen?.pid === undefined) {
      return;
    }
    const answer = await vscode.window.showInputBox({
      title,
      prompt: `Recording time in seconds (1 to ${MAX_SECONDS})`,
      value: `${SECONDS}`,
      validateInput: secondsProblem,
    });
    if (answer === undefined) {
      return;
    }
    const params = { folder, pid: chosen.pid, seconds: Number(answer) };
    const row = await this.working(`Recording ${chosen.label}`, "conflens/record", params);
    await this.show(row);
    this.announce(folder, row?.paired);
  }

  private async processes(): Promise<ProcessItem[]> {
    const found = (await this.session.request("conflens/javaProcesses", {})) ?? [];
    if (found.length === 0) {
      return [{ label: "No Java process is running.", pid: undefined }];
    }
    return processGroups(found).flatMap(({ title, processes }) => [
      { label: title, kind: vscode.QuickPickItemKind.Separator, pid: undefined },
      ...processes.map(({ pid, name, arguments: given }) => ({
        label: name,
        description: `process ${pid}`,
        ...(given === "" ? {} : { detail: given }),
        pid,
      })),
    ]);
  }

  /** What can be done about a slow run, as a list to choose from. */
  private async diagnose(): Promise<void> {
    const choices = [
      { label: "$(add) Import Profiler Snapshots…", command: "conflens.importSnapshot" },
      { label: "$(record) Record a Running JVM…", command: "conflens.recordSnapshot" },
    ];
    if (this.listings.some(({ listing }) => listing.snapshots.length > 0)) {
      choices.push({
        label: "$(git-compare) Select Runs to Compare…",
        command: "conflens.chooseSnapshots",
      });
    }
    const title = "Diagnose a Slow Run";
    const placeHolder =
      "ConfLens needs a snapshot of the slow run, and one of a normal run to compare";
    const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder });
    if (chosen !== undefined) {
      await vscode.commands.executeCommand(chosen.command);
    }
  }

  /** Says that two runs are compared although nobody has chosen their sides. */
  private announce(folder: string, paired: Pairing | null | undefined): void {
    if (paired === null || paired === undefined) {
      return;
    }
    const { baseline, violation, text } = paired;
    void vscode.window
      .showInformationMessage(text, SWAP)
      .then((answer) =>
        answer === SWAP
          ? reported(() => this.choose(folder, { baseline: [violation], violation: [baseline] }))
          : undefined,
      );
  }

  private async setSampleType(node?: Node): Promise<void> {
    const path = node?.snapshot?.path;
    if (node === undefined || path === undefined || path === null) {
      return;
    }
    const items = Object.entries(KINDS).map(([name, label]) => ({ label, name }));
    const chosen = await vscode.window.showQuickPick(items, {
      title: `Select what was sampled in ${node.label}`,
    });
    if (chosen !== undefined) {
      await this.importAll(node.folder, [vscode.Uri.file(path)], {
        kind: chosen.name as EventKind,
      });
    }
  }

  /** A request that gives a snapshot, with its progress and a way to cancel it. */
  private async working<M extends "conflens/importSnapshot" | "conflens/record">(
    title: string,
    method: M,
    params: Requests[M]["params"],
  ): Promise<ImportAnswer | undefined> {
    const row = await withProgress(title, (progress) =>
      this.session.request(method, params, progress),
    );
    await this.refresh();
    return row;
  }

  private async show(row: SnapshotRow | undefined): Promise<void> {
    const node = row === undefined ? undefined : pathTo(this.nodes, row.id)?.at(-1);
    if (node !== undefined) {
      await this.view.reveal(node, { select: true, focus: false });
    }
  }

  // -- sides ---------------------------------------------------------------------------------------

  private async chooseBoth(): Promise<void> {
    const folder = await this.folderOf(undefined);
    if (folder === undefined) {
      return;
    }
    const { snapshots } = this.listingOf(folder);
    if (snapshots.length === 0) {
      void vscode.window.showInformationMessage("Import or record a snapshot first.");
      return;
    }
    const baseline = await pickRuns("Select the Baseline (Optional)", snapshots, "baseline");
    if (baseline === undefined) {
      return;
    }
    const rest = snapshots.filter(({ id }) => !baseline.includes(id));
    const violation = await pickRuns("Select the Slow Run", rest, "violation");
    if (violation !== undefined) {
      await this.choose(folder, { baseline, violation });
    }
  }

  /** Asks for the config file that the runs of each side had. */
  private async nameConfigFiles(): Promise<void> {
    const folder = await this.folderOf(undefined);
    if (folder === undefined) {
      return;
    }
    const { baseline, violation } = sidesOf(this.listingOf(folder));
    if (baseline.length === 0 || violation.length === 0) {
      void vscode.window.showInformationMessage("Select a baseline and a slow run first.");
      return;
    }
    const before = await chooseConfigFiles("Config Files of the Baseline", folder);
    const after =
      before.length === 0 ? [] : await chooseConfigFiles("Config Files of the Slow Run", folder);
    if (after.length > 0) {
      const params = { folder, baseline: before, violation: after };
      await this.session.request("conflens/nameConfigFiles", params);
    }
  }

  private async change(
    given: readonly unknown[],
    side: Side,
    how: (sides: Sides, side: Side, ids: readonly string[]) => Sides,
  ): Promise<void> {
    const nodes = this.chosen(given);
    const [first] = nodes;
    if (first !== undefined) {
      const ids = nodes.filter(({ folder }) => folder === first.folder).map(idOf);
      await this.choose(first.folder, how(sidesOf(this.listingOf(first.folder)), side, ids));
    }
  }

  private async choose(folder: string, sides: Sides): Promise<void> {
    await this.session.request("conflens/chooseSnapshots", { folder, ...sides });
    await this.refresh();
  }

  private async remove(given: readonly unknown[]): Promise<void> {
    const nodes = this.chosen(given);
    const lost = nodes.filter(({ snapshot }) => snapshot?.path === null);
    if (lost.length > 0) {
      const what = lost.length === 1 ? `“${lost[0]?.label}”` : `${lost.length} recordings`;
      const detail = "ConfLens recorded them itself, so they cannot be imported again.";
      const options = { modal: true, detail: lost.length === 1 ? ONE_LOST : detail };
      const question = `Remove ${what}?`;
      if ((await vscode.window.showWarningMessage(question, options, REMOVE)) !== REMOVE) {
        return;
      }
    }
    for (const node of nodes) {
      await this.session.request("conflens/dropSnapshot", { id: idOf(node) });
    }
    await this.refresh();
  }

  /** The snapshots that a command of the view is about: one, the selected ones if it is among them. */
  private chosen([node, nodes]: readonly unknown[]): Node[] {
    const several = Array.isArray(nodes) ? (nodes as Node[]) : [];
    const selected = node === undefined ? this.view.selection : several;
    const found = selected.length > 0 ? selected : [node as Node];
    return found.filter((item) => item?.snapshot !== undefined);
  }

  // -- the report ----------------------------------------------------------------------------------

  private async openReport(): Promise<void> {
    const folder = await this.folderOf(undefined);
    if (folder === undefined) {
      return;
    }
    const uri = (await this.session.request("conflens/diagnosisReport", { folder }))?.uri;
    const text = uri === undefined ? undefined : await this.pageText(uri);
    if (uri !== undefined && text !== undefined) {
      this.reports.set(this.titleOf(folder), uri);
      await this.pages.show(this.titleOf(folder), text);
    }
  }

  private async renewReports(): Promise<void> {
    for (const [title, uri] of this.reports) {
      const text = this.pages.isOpen(title) ? await this.pageText(uri) : undefined;
      if (text !== undefined) {
        this.pages.renew(title, text);
      }
    }
  }

  private async pageText(uri: string): Promise<string | undefined> {
    const method = "workspace/textDocumentContent";
    return (await this.session.askFor<{ text: string }>(method, { uri }))?.text;
  }

  // -- folders -------------------------------------------------------------------------------------

  private titleOf(folder: string): string {
    const found = this.listings.find((item) => item.folder === folder);
    return this.listings.length < 2 || found === undefined ? REPORT : `${REPORT} of ${found.name}`;
  }

  private listingOf(folder: string): Listing {
    return this.listings.find((item) => item.folder === folder)?.listing ?? NO_LISTING;
  }

  /** The folder that a file lies in, else the only one, else the one that is chosen. */
  private async folderOf(file: vscode.Uri | undefined): Promise<string | undefined> {
    const around = file === undefined ? undefined : vscode.workspace.getWorkspaceFolder(file);
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (folders.length === 0) {
      throw new Error("Open a folder with a Java project first.");
    }
    const found =
      around ?? (folders.length === 1 ? folders[0] : await vscode.window.showWorkspaceFolderPick());
    return found?.uri.toString();
  }
}

function idOf({ snapshot }: Node): string {
  return snapshot?.id ?? "";
}

/** Where files were chosen last; runs seldom lie beside the sources. */
let place: vscode.Uri | undefined;

async function chooseFiles(openLabel: string): Promise<vscode.Uri[]> {
  const defaultUri = place ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const files = await vscode.window.showOpenDialog({
    ...(defaultUri === undefined ? {} : { defaultUri }),
    canSelectMany: true,
    openLabel,
    title: "Profiler Snapshots",
    filters: { "Profiler snapshots": PROFILES, "All files": ["*"] },
  });
  const [first] = files ?? [];
  place = first === undefined ? place : vscode.Uri.joinPath(first, "..");
  return files ?? [];
}

async function chooseConfigFiles(title: string, folder: string): Promise<string[]> {
  const files = await vscode.window.showOpenDialog({
    defaultUri: vscode.Uri.parse(folder),
    canSelectMany: true,
    openLabel: "Select",
    title,
  });
  return (files ?? []).map((file) => file.toString());
}

async function pickRuns(
  title: string,
  snapshots: readonly SnapshotRow[],
  side: Side,
): Promise<string[] | undefined> {
  const items = snapshots.map((snapshot) => ({
    label: snapshot.name,
    description: summary(snapshot),
    picked: snapshot.role === side,
    id: snapshot.id,
  }));
  const options = {
    title,
    canPickMany: true as const,
    placeHolder: "Select several if they are repeated runs",
  };
  return (await vscode.window.showQuickPick(items, options))?.map(({ id }) => id);
}

/** Runs a command and shows why it failed. */
async function reported(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}
