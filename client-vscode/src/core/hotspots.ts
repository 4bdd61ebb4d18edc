/**
 * What the view *Diagnosis* shows: the options that explain the cost of the compared runs, and the
 * hotspots, the methods where that cost is spent. It knows no editor.
 *
 * Invariant: the id of a node depends only on what it stands for, so that the editor keeps what is
 * open and selected when another diagnosis comes.
 */

import type { Location } from "vscode-languageserver-types";

import type { ChainKey } from "./chains.js";
import type { FolderHotspots, HotspotOption, HotspotRow, SuspectRow } from "./protocol.js";
import { quantity } from "./status.js";

export interface Node {
  readonly id: string;
  readonly context: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: string;
  readonly color: string | undefined;
  /** What a screen reader says. */
  readonly spoken: string;
  readonly isExpanded: boolean;
  readonly children: readonly Node[];
  /** What Enter does: the chain is opened, else the place is shown. */
  readonly chain: ChainKey | undefined;
  readonly location: Location | null;
  /** Or the report is opened. */
  readonly isReport: boolean;
  /** The option's name, to be copied. */
  readonly name: string | undefined;
}

/** Shares from which a hotspot is drawn hotter. */
const HOTTEST = 0.2;
/** So many hotspots are in sight; the others are folded. */
const FEW = 5;
const HOT = 0.05;

/** The lines of the view; nothing while no snapshots are compared. */
export function tree(folders: readonly FolderHotspots[]): Node[] {
  const shown = folders.filter(
    ({ hotspots, options }) => hotspots.length > 0 || options.length > 0,
  );
  if (folders.length < 2) {
    return shown.flatMap(folderNodes);
  }
  return shown.map((folder) => ({
    ...blank(`${folder.folder} folder`),
    context: "folder",
    label: folder.name,
    tooltip: folder.text,
    icon: "folder",
    spoken: folder.name,
    isExpanded: true,
    children: folderNodes(folder),
  }));
}

/**
 * The line above the tree: what is going on, what failed, or why a comparison has no lines. Empty
 * when the lines speak for themselves, or where the view says instead what to do.
 */
export function messageOf(folders: readonly FolderHotspots[]): string {
  const shown = folders.filter(
    ({ state, hotspots, options }) =>
      state === "running" ||
      state === "failed" ||
      (state === "ready" && hotspots.length === 0 && options.length === 0),
  );
  return shown.map(({ name, text }) => (folders.length > 1 ? `${name}: ${text}` : text)).join("\n");
}

/** The options first: they are the answer, and the hotspots its evidence. */
function folderNodes(folder: FolderHotspots): Node[] {
  const { hotspots, options, compared, more } = folder;
  const nodes: Node[] = [];
  if (options.length > 0) {
    nodes.push({
      ...group(folder, "options", compared ? "Likely Causes" : "Options", options.length),
      tooltip: "Options that control whether, how often or on what data the hotspots run.",
      children: options.map((suspect) => suspectNode(folder, suspect)),
    });
  }
  if (hotspots.length > 0) {
    const ids = new Map<string, number>();
    nodes.push({
      ...group(folder, "hotspots", "Hotspots", hotspots.length + more),
      tooltip: compared
        ? "Methods whose own cost grew from the baseline to the slow run."
        : "Methods with the highest cost of their own. Add a baseline to see which ones grew.",
      children: folded(
        folder,
        hotspots.map((hotspot) => hotspotNode(folder, hotspot, ids)),
      ),
    });
  }
  return nodes;
}

function group({ folder }: FolderHotspots, kind: string, label: string, count: number): Node {
  return {
    ...blank(`${folder} ${kind}`),
    context: "group",
    label,
    description: count.toLocaleString("en-US"),
    spoken: `${label}, ${count}`,
    isExpanded: true,
  };
}

function hotspotNode(folder: FolderHotspots, hotspot: HotspotRow, ids: Map<string, number>): Node {
  const { method, file, location, share, kind, text, options } = hotspot;
  const [icon, color] = heatOf(share);
  const [spent, caller] = method.split(" in ", 2);
  const line = location === null ? "" : `:${location.range.start.line + 1}`;
  // The same method can be hot in two kinds, and two overloads can share a name.
  const key = `${folder.folder} hotspot ${kind} ${file} ${method}`;
  const number = ids.get(key) ?? 0;
  ids.set(key, number + 1);
  const id = number === 0 ? key : `${key} ${number}`;
  const count = options.length === 0 ? "" : `, ${quantity(options.length, "option")}`;
  const place = location === null ? "not in this workspace" : `${file}${line}`;
  return {
    ...blank(id),
    context: "hotspot",
    // Of "write in Archive.put" a person knows the latter, and can go there.
    label: caller ?? method,
    description: caller === undefined ? text : `${text} · ${spent}`,
    tooltip: [method, text, place].filter((part) => part !== "").join("\n"),
    icon,
    color,
    spoken: `${method}, ${text}${count}`,
    children: options.map((option, index) => causeNode(folder, id, option, index)),
    location,
  };
}

/** The first few hotspots, and a line with the others below it. */
function folded({ folder, more }: FolderHotspots, nodes: readonly Node[]): Node[] {
  const rest = nodes.slice(FEW);
  if (rest.length + more < 2) {
    return [...nodes];
  }
  const last = {
    ...blank(`${folder} more`),
    context: "more",
    ...words(`${more.toLocaleString("en-US")} more in the report`),
    isReport: true,
  };
  const others = {
    ...blank(`${folder} others`),
    context: "others",
    ...words(`${(rest.length + more).toLocaleString("en-US")} more`),
    children: more > 0 ? [...rest, last] : rest,
  };
  return [...nodes.slice(0, FEW), others];
}

function words(label: string): { label: string; tooltip: string; spoken: string } {
  return { label, tooltip: label, spoken: label };
}

function causeNode(folder: FolderHotspots, above: string, row: HotspotOption, index: number): Node {
  const { option, name, text } = row;
  return {
    ...blank(`${above} option ${index} ${option[0]} ${option[1]} ${row.cause}`),
    context: "cause option",
    label: name,
    description: text,
    tooltip: [name, text, "Press Enter to step through the chain to the hotspot."]
      .filter((part) => part !== "")
      .join("\n"),
    icon: "settings",
    color: "descriptionForeground",
    spoken: [name, text].filter((part) => part !== "").join(", "),
    chain: { folder: folder.folder, option, cause: row.cause, text: name },
    name: option[1],
  };
}

function suspectNode(folder: FolderHotspots, suspect: SuspectRow): Node {
  const { option, name, text, accused, causes, location } = suspect;
  return {
    ...blank(`${folder.folder} suspect ${option[0]} ${option[1]}`),
    context: location === null ? "suspect option" : "suspect option read",
    label: name,
    description: text,
    tooltip: [name, text, causes > 1 ? `${quantity(causes, "chain")} to hotspots.` : ""]
      .filter((part) => part !== "")
      .join("\n"),
    icon: accused ? "settings" : "circle-outline",
    color: accused ? "charts.red" : "descriptionForeground",
    spoken: [name, accused ? "likely cause" : "", text].filter((part) => part !== "").join(", "),
    chain: causes > 0 ? { folder: folder.folder, option, cause: 0, text: name } : undefined,
    location,
    name: option[1],
  };
}

function heatOf(share: number): [string, string] {
  if (share >= HOTTEST) {
    return ["flame", "charts.red"];
  }
  return ["flame", share >= HOT ? "charts.yellow" : "disabledForeground"];
}

function blank(id: string): Node {
  return {
    id,
    context: "",
    label: "",
    description: "",
    tooltip: "",
    icon: "",
    color: undefined,
    spoken: "",
    isExpanded: false,
    children: [],
    chain: undefined,
    location: null,
    isReport: false,
    name: undefined,
  };
}
