/**
 * The path view's rows: one for each step of the chain or flow that is open; and flows as chains, so
 * that both are gone through alike.
 *
 * Terms: a *flow* leads from an option to a performance operation, and has no hotspot; its steps are
 * the items of the flow tree from the root to a leaf. The server is not asked for them again after
 * an edit; `followed` moves them along.
 */

import type { CallHierarchyItem, Position } from "vscode-languageserver-types";

import { roleWord, type Chain, type Step } from "./chains.js";
import { isOperation, isOption, placeOf } from "./flows.js";

export interface Row {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly spoken: string;
}

/** A piece of a document that was replaced. */
export interface Edit {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

const OPERATION = "operation";
const OPTION = "option";
const SEPARATOR = " · ";

const WHY: Readonly<Record<string, string>> = {
  option: "The option is declared here.",
  read: "The option is read here.",
  assign: "The value is assigned to a variable.",
  store: "The value is stored in a field.",
  load: "The value is loaded from the field.",
  argument: "The value is passed as an argument.",
  return: "The value is returned to the caller.",
  compute: "Another value is computed from it.",
  guard: "The value controls whether, or how often, this code runs.",
  call: "The value controls this call.",
};

/** How an option affects an operation, by its dependency. */
const EFFECTS: Readonly<Record<string, (name: string) => string>> = {
  direct: (name) => `The value is passed to ${name}.`,
  branch: (name) => `The value controls whether ${name} runs.`,
  loop: (name) => `The value controls how often ${name} runs.`,
};

export function rowOf(chain: Chain, index: number): Row {
  const step = chain.steps[index];
  if (step === undefined) {
    return { label: "", description: "", tooltip: "", spoken: "" };
  }
  const role = roleWord(step.role);
  const text = step.text === "" ? step.method : step.text;
  const where = text === step.method ? "" : step.method;
  return {
    label: `${index + 1} ${role}`,
    description: where === "" ? text : `${text}${SEPARATOR}${where}`,
    tooltip: [step.why, text, where].filter((part) => part !== "").join("\n"),
    spoken: [
      `Step ${index + 1} of ${chain.steps.length}, ${role}: ${text}${where === "" ? "" : `, in ${where}`}.`,
      step.why,
    ]
      .filter((part) => part !== "")
      .join(" "),
  };
}

/** Why the current step is one, for the line above the rows. */
export function headline(chain: Chain, index: number): string {
  const step = chain.steps[index];
  if (step === undefined) {
    return "";
  }
  const why = step.why === "" ? roleWord(step.role) : step.why;
  return `${index + 1} of ${chain.steps.length}: ${why}`;
}

/** The items from an option down to an operation as a chain; undefined when they are none. */
export function chainOfFlow(items: readonly CallHierarchyItem[]): Chain | undefined {
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined || !isOperation(last) || items.length < 2) {
    return undefined;
  }
  const steps = items.map((item, index): Step => {
    const parts = (item.detail ?? "").split(SEPARATOR);
    const location = placeOf(item);
    if (index === 0) {
      // The root is the read where the tree begins at one, and then has no step of its own.
      const role = items[1] !== undefined && roleOf(items[1]) === "read" ? OPTION : "read";
      return { location, role, text: item.name, method: "", why: WHY[role] ?? "" };
    }
    const method = parts.at(-1) ?? "";
    if (isOperation(item)) {
      const how = parts.slice(0, -1).join(SEPARATOR);
      const dependency = /\b(direct|branch|loop)\b/.exec(how)?.[1] ?? "";
      const why = EFFECTS[dependency]?.(item.name) ?? "";
      return { location, role: OPERATION, text: item.name, method, why };
    }
    const role = roleOf(item);
    return { location, role, text: item.name, method, why: WHY[role] ?? "" };
  });
  return { title: `${first.name} → ${last.name}`, causes: 1, steps };
}

/** How far the paths from a root are followed. */
export interface Limits {
  readonly paths: number;
  readonly questions: number;
}

/**
 * The paths from the root of a flow tree to its ends, nearest first: from an option to operations,
 * or from an operation up to options. Each is given from the option on.
 */
export async function pathsFrom(
  root: CallHierarchyItem,
  children: (item: CallHierarchyItem) => Promise<readonly CallHierarchyItem[]>,
  limits: Limits,
): Promise<(readonly CallHierarchyItem[])[]> {
  const isLast = isOperation(root) ? isOption : isOperation;
  const isEnd = (path: readonly CallHierarchyItem[]): boolean => path.slice(-1).some(isLast);
  const found: (readonly CallHierarchyItem[])[] = [];
  let questions = 0;
  for (let level = [[root]]; level.length > 0 && found.length < limits.paths;) {
    const asked = level.slice(0, Math.max(0, limits.questions - questions));
    questions += asked.length;
    const longer = await Promise.all(
      asked.map(async (path) =>
        (await children(path.at(-1) ?? root)).map((next) => [...path, next]),
      ),
    );
    found.push(...longer.flat().filter(isEnd));
    level = longer.flat().filter((path) => !isEnd(path));
  }
  return found.slice(0, limits.paths).map((path) => (isOperation(root) ? path.toReversed() : path));
}

/** Paths that differ to the eye: one read of two options, from two sources, begins the same ones. */
export function distinct(
  paths: readonly (readonly CallHierarchyItem[])[],
): (readonly CallHierarchyItem[])[] {
  const first = new Map<string, readonly CallHierarchyItem[]>();
  for (const path of paths) {
    const key = JSON.stringify(path.map((item) => [item.name, placeOf(item)]));
    first.set(key, first.get(key) ?? path);
  }
  return [...first.values()];
}

/** The chain after edits of the document at `uri`; a step that was edited away is at its place. */
export function followed(chain: Chain, uri: string, edits: readonly Edit[]): Chain {
  const steps = chain.steps.map((step): Step => {
    if (step.location.uri !== uri) {
      return step;
    }
    let { start, end } = step.location.range;
    for (const edit of edits) {
      // What is written right behind a step is no part of it.
      const stays = !isBefore(end, edit.start) && !isBefore(edit.start, end);
      [start, end] = [moved(start, edit), stays ? end : moved(end, edit)];
    }
    return { ...step, location: { uri, range: { start, end } } };
  });
  return { ...chain, steps };
}

function roleOf({ detail }: CallHierarchyItem): string {
  return (detail ?? "").split(SEPARATOR)[0] ?? "";
}

function moved(position: Position, { start, end, text }: Edit): Position {
  if (isBefore(position, end)) {
    return isBefore(position, start) ? position : start;
  }
  const lines = text.split("\n");
  const tail = lines.at(-1)?.length ?? 0;
  const line = position.line - end.line + start.line + lines.length - 1;
  if (position.line > end.line) {
    return { line, character: position.character };
  }
  const behind = position.character - end.character;
  return { line, character: behind + tail + (lines.length === 1 ? start.character : 0) };
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
