/**
 * The profiler snapshots of a workspace folder as the server lists them, and what the view shows of
 * them: a tree of labels, which knows no editor.
 *
 * Terms: a *side* is what a snapshot is compared as, baseline or slow run (`violation` in messages);
 * several snapshots of one side are repetitions of one run.
 */

import type { JavaProcess, KindTotal, Role, SnapshotRow, SnapshotsAnswer } from "./protocol.js";
import { quantity } from "./status.js";

export type Side = Role;
export type Listing = Omit<SnapshotsAnswer, "folder">;

export interface Sides {
  readonly baseline: readonly string[];
  readonly violation: readonly string[];
}

/** One line of the view; `context` is what its menus ask for. */
export interface Node {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: string;
  readonly color: string | undefined;
  readonly context: string;
  readonly isExpanded: boolean;
  readonly children: readonly Node[];
  readonly folder: string;
  readonly side: Side | undefined;
  readonly snapshot: SnapshotRow | undefined;
}

export interface FolderListing {
  /** The URI of the folder as the editor writes it. */
  readonly folder: string;
  readonly name: string;
  readonly listing: Listing;
}

export const MAX_SECONDS = 3600;

/** What can have been sampled, for formats that do not say. */
export const KINDS: Readonly<Record<string, string>> = {
  cpu: "CPU",
  wall: "wall clock",
  allocation: "allocation",
  lock: "lock",
  wait: "wait",
  sleep: "sleep",
  io: "I/O",
};

const SIDES: Readonly<
  Record<Side, { label: string; icon: string; color: string; tooltip: string }>
> = {
  baseline: {
    label: "Baseline",
    icon: "pass",
    color: "charts.green",
    tooltip: "The run to compare with. Without one, costs are shown but not compared.",
  },
  violation: {
    label: "Slow run",
    icon: "dashboard",
    color: "charts.red",
    tooltip: "The run to explain. Its costs are shown in the editor.",
  },
};
/** Formats that do not say what was sampled. */
const UNTYPED: readonly string[] = ["collapsed stacks", "speedscope"];
const STALE = "Sources have changed since this run; lines are matched by method.";

// -- sides -----------------------------------------------------------------------------------------

export function sidesOf(listing: Listing): Sides {
  const of = (side: Side): string[] =>
    listing.snapshots.filter(({ role }) => role === side).map(({ id }) => id);
  return { baseline: of("baseline"), violation: of("violation") };
}

/** The sides once `ids` alone are `side`. */
export function used(sides: Sides, side: Side, ids: readonly string[]): Sides {
  return { ...without(sides, ids), [side]: [...ids] };
}

/** The sides once `ids` are repetitions of `side` as well. */
export function added(sides: Sides, side: Side, ids: readonly string[]): Sides {
  const rest = without(sides, ids);
  return { ...rest, [side]: [...rest[side], ...ids] };
}

export function without({ baseline, violation }: Sides, ids: readonly string[]): Sides {
  const rest = (side: readonly string[]): string[] => side.filter((id) => !ids.includes(id));
  return { baseline: rest(baseline), violation: rest(violation) };
}

// -- what the view shows ---------------------------------------------------------------------------

/** The lines of the view; nothing while there is neither a snapshot nor a recording. */
export function tree(listings: readonly FolderListing[]): Node[] {
  const shown = listings.filter(
    ({ listing }) => listing.snapshots.length > 0 || listing.recording !== null,
  );
  if (listings.length < 2) {
    return shown.flatMap(folderNodes);
  }
  return shown.map((item) => ({
    ...blank(item.folder, "folder"),
    label: item.name,
    description: item.listing.diagnosis.text,
    tooltip: item.listing.diagnosis.text,
    icon: "folder",
    isExpanded: true,
    children: folderNodes(item),
  }));
}

const TO_COMPARE = "To compare, choose a baseline: click ✓ next to a faster run.";

/**
 * The message above the tree: the diagnosis, where there is one folder, and what to do with runs that
 * are there but not compared with.
 */
export function messageOf(listings: readonly FolderListing[]): string {
  const [first, ...others] = listings;
  if (first === undefined || others.length > 0 || first.listing.snapshots.length === 0) {
    return "";
  }
  const { diagnosis, snapshots } = first.listing;
  const has = (role: Side | null): boolean => snapshots.some((each) => each.role === role);
  const isAlone = has("violation") && !has("baseline") && has(null);
  return [diagnosis.text, isAlone ? TO_COMPARE : ""].filter((part) => part !== "").join(" ");
}

/** The snapshot with an id as the view shows it, and the lines above it, outermost first. */
export function pathTo(nodes: readonly Node[], id: string): Node[] | undefined {
  for (const node of nodes) {
    if (node.snapshot?.id === id) {
      return [node];
    }
    const below = pathTo(node.children, id);
    if (below !== undefined) {
      return [node, ...below];
    }
  }
  return undefined;
}

/** Running programs in the order of the server, those of the project apart from the others. */
export function processGroups(
  processes: readonly JavaProcess[],
): readonly { readonly title: string; readonly processes: readonly JavaProcess[] }[] {
  const groups = [
    { title: "This project", processes: processes.filter(({ own }) => own) },
    { title: "Other programs", processes: processes.filter(({ own }) => !own) },
  ];
  return groups.filter((group) => group.processes.length > 0);
}

/** `3.1 s CPU · 2 h ago`: the first kind, which the server holds to be the main one. */
export function summary({ kinds, age }: SnapshotRow): string {
  return [...kinds.slice(0, 1).map(totalText), age].filter((part) => part !== "").join(" · ");
}

/** `3.1 s CPU`, `812 samples CPU`, `2.4 GB allocation`. */
export function totalText({ kind, unit, total }: KindTotal): string {
  return `${amount(total, unit)} ${KINDS[kind] ?? kind}`;
}

/** Why an answer is no number of seconds to record; undefined when it is one. */
export function secondsProblem(answer: string): string | undefined {
  const isWhole = /^\d{1,5}$/.test(answer.trim());
  const seconds = Number(answer);
  return isWhole && seconds >= 1 && seconds <= MAX_SECONDS
    ? undefined
    : `Enter a whole number from 1 to ${MAX_SECONDS}.`;
}

function folderNodes({ folder, listing }: FolderListing): Node[] {
  const nodes: Node[] = [];
  const { recording } = listing;
  if (recording !== null) {
    nodes.push({
      ...blank(folder, "recording"),
      label: `Recording ${recording.name}`,
      description: `for ${recording.seconds} s`,
      tooltip: `Recording ${recording.name}, process ${recording.pid}, for ${recording.seconds} s.`,
      icon: "loading~spin",
    });
  }
  if (listing.snapshots.length > 0) {
    nodes.push(sideNode(folder, listing, "baseline"), sideNode(folder, listing, "violation"));
  }
  const rest = listing.snapshots.filter(({ role }) => role === null);
  if (rest.length > 0) {
    nodes.push({
      ...blank(folder, "rest"),
      label: "Not compared",
      icon: "archive",
      isExpanded: true,
      children: rest.map((snapshot) => snapshotNode(folder, listing, snapshot)),
    });
  }
  return nodes;
}

function sideNode(folder: string, listing: Listing, side: Side): Node {
  const { label, icon, color, tooltip } = SIDES[side];
  const of = listing.snapshots.filter(({ role }) => role === side);
  return {
    // An empty side is another line, so that the editor unfolds it when it gets its first run.
    ...blank(folder, of.length === 0 ? `${side} empty` : side),
    label,
    description: of.length === 0 ? "none" : of.length === 1 ? "" : quantity(of.length, "run"),
    tooltip,
    icon,
    color,
    context: "side",
    isExpanded: true,
    children: of.map((snapshot) => snapshotNode(folder, listing, snapshot)),
    side,
  };
}

function snapshotNode(folder: string, listing: Listing, snapshot: SnapshotRow): Node {
  const { id, name, role, stale } = snapshot;
  const details = detailsOf(snapshot);
  const sides = sidesOf(listing);
  // A side that holds no other snapshot is used, not added to.
  const joins = (["baseline", "violation"] as const).filter(
    (side) => role !== side && sides[side].some((other) => other !== id),
  );
  const isUntyped = snapshot.path !== null && UNTYPED.includes(snapshot.format);
  const context = [
    "snapshot",
    role ?? "rest",
    ...joins.map((side) => `joins-${side}`),
    ...(isUntyped ? ["untyped"] : []),
  ];
  return {
    ...blank(folder, `snapshot ${id}`),
    label: name,
    description: summary(snapshot),
    tooltip: [snapshot.path ?? `${name}, recorded by ConfLens`, ...details].join("\n"),
    icon: stale ? "warning" : "graph",
    color: stale ? "list.warningForeground" : undefined,
    context: `${context.join(" ")} `,
    children: details.map((label, number) => ({
      ...blank(folder, `detail ${id} ${number}`),
      label,
      tooltip: label,
    })),
    snapshot,
  };
}

function detailsOf(snapshot: SnapshotRow): string[] {
  const { kinds, seconds, values, stale, notes, age } = snapshot;
  const ran = seconds > 0 ? `${amount(seconds * 1e9, "nanoseconds")} of recording` : "";
  const taken = [snapshot.format, age, ran].filter((part) => part !== "").join(", ");
  return [
    ...(stale ? [STALE] : []),
    ...kinds.map(totalText),
    ...(taken === "" ? [] : [taken]),
    ...(values > 0 ? [`${quantity(values, "value")} of the run's configuration`] : []),
    ...notes,
  ];
}

function blank(folder: string, id: string): Node {
  return {
    id: `${folder} ${id}`,
    label: "",
    description: "",
    tooltip: "",
    icon: "",
    color: undefined,
    context: id.split(" ", 1)[0] ?? "",
    isExpanded: false,
    children: [],
    folder,
    side: undefined,
    snapshot: undefined,
  };
}

function amount(total: number, unit: string): string {
  switch (unit) {
    case "nanoseconds":
      return scaled(total, [
        [60e9, "min"],
        [1e9, "s"],
        [1e6, "ms"],
        [1e3, "µs"],
        [1, "ns"],
      ]);
    case "bytes":
      return scaled(total, [
        [1e9, "GB"],
        [1e6, "MB"],
        [1e3, "kB"],
        [1, "B"],
      ]);
    case "samples":
      return quantity(Math.round(total), "sample");
    default:
      return `${short(total)} ${unit}`.trimEnd();
  }
}

function scaled(total: number, units: readonly (readonly [number, string])[]): string {
  const found = units.find(([size]) => total >= size) ?? units.at(-1);
  const [size, unit] = found ?? [1, ""];
  return `${short(total / size)} ${unit}`;
}

function short(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: number < 10 ? 1 : 0 });
}
