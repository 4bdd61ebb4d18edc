/**
 * The options of the workspace folders as the server lists them, and the tree that the view shows of
 * them: folders, if there are several, groups, options. It knows no editor.
 *
 * Invariants: one level of the tree is made at a time, so that the number of options does not
 * matter. The id of a node depends only on what it stands for, so that the editor keeps what is
 * open and selected when the rows are renewed.
 */

import type * as protocol from "./protocol.js";
import { quantity } from "./status.js";

export type Grouping = "namespace" | "file";
export type Sorting = "sensitivity" | "name";

/** A row with what the server leaves out. */
export type Option = Required<protocol.OptionRow>;

export interface FolderOptions extends protocol.FolderOptions {
  readonly options: readonly Option[];
}

export interface Filter {
  /** Words that a name has to contain, all of them. */
  readonly text: string;
  readonly isSensitive: boolean;
  readonly isUndocumented: boolean;
}

export interface Shape {
  readonly grouping: Grouping;
  readonly sorting: Sorting;
  readonly filter: Filter;
}

export interface Node {
  readonly id: string;
  readonly kind: "folder" | "group" | "option";
  readonly label: string;
  readonly description: string;
  readonly isExpanded: boolean;
  /** The options below, in no order; of an option only itself. */
  readonly options: readonly Option[];
  readonly folder: FolderOptions;
  /** The option's name, to be copied. */
  readonly name: string | undefined;
}

export interface Look {
  readonly icon: string;
  readonly color: string;
  /** What the icon says, for those who do not see it; perhaps empty. */
  readonly words: string;
}

export interface Badge {
  readonly value: number;
  readonly tooltip: string;
}

export const NO_FILTER: Filter = { text: "", isSensitive: false, isUndocumented: false };

/** So many options at most are opened at once for a person who looks for something. */
const FEW = 50;
const MAX_DEFAULT = 40;
const LABELS: readonly protocol.Label[] = ["sensitive", "unknown", "insensitive"];
const LOOKS: Readonly<Record<protocol.Label, Look>> = {
  sensitive: { icon: "zap", color: "charts.yellow", words: "performance-sensitive" },
  insensitive: { icon: "circle-outline", color: "disabledForeground", words: "" },
  unknown: { icon: "question", color: "disabledForeground", words: "sensitivity unknown" },
};
const UNJUDGED: Look = { icon: "circle-outline", color: "disabledForeground", words: "" };
const LOUD: Look = {
  icon: "zap",
  color: "charts.red",
  words: "performance-sensitive and undocumented",
};

const EMPTY = {
  namespace: "",
  probability: null,
  sentence: "",
  type: "",
  default: "",
  documented: false,
  undocumented: false,
  description: "",
  effect: "",
  reads: 0,
  location: null,
  file: "",
} as const;

/** The answer of `conflens/options`, with what its rows leave out. */
export function optionsOf({ folders }: protocol.OptionsAnswer): FolderOptions[] {
  return folders.map((folder) => ({
    ...folder,
    options: folder.options.map((row) => ({ ...EMPTY, ...row })),
  }));
}

// -- the tree --------------------------------------------------------------------------------------

/** The nodes below `node`, or the outermost ones; none if no option fits the filter. */
export function children(
  folders: readonly FolderOptions[],
  shape: Shape,
  node: Node | undefined,
): Node[] {
  if (node === undefined) {
    const shown = folders
      .map((folder) => ({ folder, options: folder.options.filter(fits(shape.filter)) }))
      .filter(({ options }) => options.length > 0);
    return folders.length < 2
      ? shown.flatMap(({ folder, options }) => groups(folder, options, shape))
      : shown.map((found) => folderNode(found.folder, found.options));
  }
  switch (node.kind) {
    case "folder":
      return groups(node.folder, node.options, shape);
    case "group":
      return optionNodes(node.folder, node.options, shape);
    case "option":
      return [];
  }
}

export function isFiltered({ text, isSensitive, isUndocumented }: Filter): boolean {
  return wordsOf(text).length > 0 || isSensitive || isUndocumented;
}

/** What is shown only, in words: `“pool” · sensitive`. */
export function filterText({ text, isSensitive, isUndocumented }: Filter): string {
  return [
    wordsOf(text).length > 0 ? `“${text.trim()}”` : "",
    isSensitive ? "sensitive" : "",
    isUndocumented ? "undocumented" : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** The options that fit a filter, and all there are. */
export function matches(
  folders: readonly FolderOptions[],
  filter: Filter,
): { readonly found: number; readonly all: number } {
  const options = folders.flatMap((folder) => folder.options);
  return { found: options.filter(fits(filter)).length, all: options.length };
}

/** The number on the view's icon: options that a person should document; undefined for none. */
export function badgeOf(folders: readonly FolderOptions[]): Badge | undefined {
  const value = folders.flatMap((folder) => folder.options).filter(isLoud).length;
  const tooltip = quantity(value, "undocumented performance-sensitive option");
  return value === 0 ? undefined : { value, tooltip };
}

/** The option that matters most for performance and can be shown; undefined if none does. */
export function mostSensitive(folders: readonly FolderOptions[]): Option | undefined {
  const found = folders
    .flatMap((folder) => folder.options)
    .filter(({ label, location }) => label === "sensitive" && location !== null);
  return found.reduce<Option | undefined>(
    (best, option) =>
      best === undefined || (option.probability ?? 0) > (best.probability ?? 0) ? option : best,
    undefined,
  );
}

/** What the set-up has led to, in one sentence; undefined before sensitivity has been judged. */
export function foundText(folders: readonly FolderOptions[]): string | undefined {
  if (folders.length === 0 || !folders.every(({ ready }) => ready)) {
    return undefined;
  }
  const options = folders.flatMap((folder) => folder.options);
  const found = `ConfLens found ${quantity(options.length, "option")}`;
  const sensitive = sensitiveIn(options);
  return sensitive === 0
    ? `${found}.`
    : `${found}; ${sensitive.toLocaleString("en-US")} may affect performance.`;
}

function groups(folder: FolderOptions, options: readonly Option[], shape: Shape): Node[] {
  const isFile = shape.grouping === "file";
  const found = new Map<string, Option[]>();
  for (const option of options) {
    const key = isFile ? option.file : `${option.domain} ${option.namespace}`;
    const group = found.get(key);
    if (group === undefined) {
      found.set(key, [option]);
    } else {
      group.push(option);
    }
  }
  // One group that holds everything would only be in the way.
  if (found.size === 1) {
    return optionNodes(folder, options, shape);
  }
  const isExpanded = isFiltered(shape.filter) && options.length <= FEW;
  const names = new Map<string, number>();
  for (const [first] of found.values()) {
    const name = first?.namespace ?? "";
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  const ranked = [...found].map(([key, inside]) => {
    const [first] = inside;
    const isShared = first !== undefined && (names.get(first.namespace) ?? 0) > 1;
    const [label, more] = isFile ? fileLabel(key) : namespaceLabel(first, isShared);
    // The editor remembers by id what is open: a group that was opened by a filter is another one.
    const isLast = isFile ? key === "" : first?.namespace === "";
    const id = `${folder.folder} ${shape.grouping} ${isExpanded ? "found" : "group"} ${key}`;
    const description = [groupText(inside), more].filter((part) => part !== "").join(" · ");
    const node: Node = {
      id,
      kind: "group",
      label,
      description,
      isExpanded,
      options: inside,
      folder,
      name: undefined,
    };
    return { node, isLast, rank: shape.sorting === "name" ? 0 : -sensitiveIn(inside) };
  });
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      Number(a.isLast) - Number(b.isLast) ||
      compare(a.node.label, b.node.label) ||
      compare(a.node.id, b.node.id),
  );
  return ranked.map(({ node }) => node);
}

function folderNode(folder: FolderOptions, options: readonly Option[]): Node {
  return {
    id: `${folder.folder} folder`,
    kind: "folder",
    label: folder.name,
    description: groupText(options),
    isExpanded: true,
    options,
    folder,
    name: undefined,
  };
}

function optionNodes(folder: FolderOptions, options: readonly Option[], shape: Shape): Node[] {
  const byName = (a: Option, b: Option): number =>
    compare(a.name, b.name) || compare(a.domain, b.domain);
  const bySensitivity = (a: Option, b: Option): number =>
    LABELS.indexOf(a.label) - LABELS.indexOf(b.label) ||
    percentOf(b) - percentOf(a) ||
    byName(a, b);
  return [...options]
    .sort(shape.sorting === "sensitivity" ? bySensitivity : byName)
    .map((option) => ({
      id: `${folder.folder} option ${option.domain} ${option.name}`,
      kind: "option",
      label: option.name,
      description: shortValue(option),
      isExpanded: false,
      options: [option],
      folder,
      name: option.name,
    }));
}

/** What an order can be seen to follow: whole percents, and none among those that are not sensitive. */
function percentOf({ label, probability }: Option): number {
  return label === "insensitive" ? 0 : Math.round(100 * (probability ?? 0));
}

function namespaceLabel(option: Option | undefined, isShared: boolean): [string, string] {
  const words = option?.domainWords ?? "";
  if (option === undefined || option.namespace === "") {
    return [words === "" ? "Other options" : capital(words), ""];
  }
  return [option.namespace, isShared ? words : ""];
}

function fileLabel(file: string): [string, string] {
  const at = file.lastIndexOf("/");
  return file === ""
    ? ["Not in Java code", ""]
    : [file.slice(at + 1), file.slice(0, Math.max(at, 0))];
}

function groupText(options: readonly Option[]): string {
  const sensitive = sensitiveIn(options);
  const all = options.length.toLocaleString("en-US");
  return sensitive === 0 ? all : `${sensitive.toLocaleString("en-US")} of ${all} sensitive`;
}

function sensitiveIn(options: readonly Option[]): number {
  return options.filter(({ label }) => label === "sensitive").length;
}

function fits({ text, isSensitive, isUndocumented }: Filter): (option: Option) => boolean {
  const words = wordsOf(text);
  return ({ name, label, undocumented }) => {
    const lower = name.toLowerCase();
    return (
      (!isSensitive || label === "sensitive") &&
      (!isUndocumented || undocumented) &&
      words.every((word) => lower.includes(word))
    );
  };
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

// -- one option ------------------------------------------------------------------------------------

export function optionOf({ kind, options }: Node): Option | undefined {
  return kind === "option" ? options[0] : undefined;
}

/** What a person should act on: it matters for performance, and no document says so. */
export function isLoud({ label, undocumented }: Option): boolean {
  return label === "sensitive" && undocumented;
}

export function lookOf(option: Option, ready: boolean): Look {
  if (isLoud(option)) {
    return LOUD;
  }
  return ready || option.label !== "unknown" ? LOOKS[option.label] : UNJUDGED;
}

/** The parts of a name that a filter has found, as offsets of start and end. */
export function highlights(name: string, { text }: Filter): [number, number][] {
  const lower = name.toLowerCase();
  const found: [number, number][] = [];
  const places = wordsOf(text).map((word) => ({ start: lower.indexOf(word), word }));
  for (const { start, word } of places.sort((a, b) => a.start - b.start)) {
    const end = start + word.length;
    const last = found.at(-1);
    if (last !== undefined && start < last[1]) {
      last[1] = Math.max(last[1], end);
    } else if (start >= 0) {
      found.push([start, end]);
    }
  }
  return found;
}

/** What fits beside a name: the default tells the type as well. */
export function shortValue(option: Option): string {
  return option.default === "" ? option.type : valueText({ ...option, type: "" });
}

/** `int = 5`, `int`, `= 5`. */
export function valueText(option: Option): string {
  const value = option.default.length > MAX_DEFAULT ? shortened(option.default) : option.default;
  return [option.type, value === "" ? "" : `= ${value}`].filter((part) => part !== "").join(" ");
}

/** What a screen reader says of a folder or a group. */
export function spokenGroup({ label, options }: Node): string {
  const sensitive = sensitiveIn(options);
  const all = `${label}, ${quantity(options.length, "option")}`;
  return sensitive === 0 ? all : `${all}, ${sensitive} performance-sensitive`;
}

/** What a screen reader says of an option. */
export function spoken(option: Option, ready: boolean): string {
  return [
    option.name,
    lookOf(option, ready).words,
    option.undocumented && !isLoud(option) ? "undocumented" : "",
    valueText(option).replace("= ", "default "),
    readsText(option),
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** The tooltip as Markdown. */
export function tooltip(option: Option): string {
  const { name, domainWords, sentence, effect, description, undocumented } = option;
  const value = valueText(option);
  const paragraphs = [
    `**${escaped(name)}**${domainWords === "" ? "" : ` · ${escaped(domainWords)}`}`,
    escaped(sentence),
    escaped(effect === "" ? "" : ended(capital(effect))),
    escaped(description),
    [
      value === "" ? "" : code(value),
      undocumented ? "undocumented" : "",
      escaped(readsText(option)),
    ]
      .filter((part) => part !== "")
      .join(" · "),
  ];
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

function readsText({ reads, file, location }: Option): string {
  const line = location === null ? "" : `:${location.range.start.line + 1}`;
  const place = file === "" ? "" : `${file.slice(file.lastIndexOf("/") + 1)}${line}`;
  if (place === "") {
    return reads === 0 ? "not read" : quantity(reads, "read");
  }
  if (reads === 0) {
    return `not read, declared in ${place}`;
  }
  return reads === 1 ? `read in ${place}` : `${quantity(reads, "read")}, first in ${place}`;
}

// -- words -----------------------------------------------------------------------------------------

const COLLATOR = new Intl.Collator("en", { numeric: true });

function compare(a: string, b: string): number {
  return COLLATOR.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>|~$&]/g, "\\$&").replace(/\s+/g, " ");
}

function code(text: string): string {
  const fence = "`".repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const space = text.includes("`") ? " " : "";
  return `${fence}${space}${text.replace(/\s+/g, " ")}${space}${fence}`;
}

function shortened(text: string): string {
  return `${text.slice(0, MAX_DEFAULT - 1)}…`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ended(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
