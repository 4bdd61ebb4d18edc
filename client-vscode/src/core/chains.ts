/**
 * Cause-effect chains as the server gives them: those that a code lens lets choose from, and the
 * steps of one, from the read of an option to the hotspot.
 */

import { isLocation, type Location } from "./references.js";

/** A chain to ask for: number `cause` of an option, and a line to choose it by. */
export interface ChainKey {
  readonly folder: string;
  readonly option: readonly [string, string];
  readonly cause: number;
  readonly text: string;
}

export interface Step {
  readonly location: Location;
  readonly role: string;
  readonly text: string;
  readonly method: string;
}

export interface Chain {
  readonly title: string;
  /** How many chains the option has. */
  readonly causes: number;
  readonly steps: readonly Step[];
}

const ROLES: Readonly<Record<string, string>> = {
  assign: "assignment",
  store: "stored",
  load: "loaded",
  argument: "passed on",
  return: "returned",
  compute: "computed",
  guard: "condition",
  hold: "takes hold",
};
const MAX_TEXT = 60;

/** The arguments of `conflens.showChain`; undefined when they do not fit the contract. */
export function parseChains(args: readonly unknown[]): ChainKey[] | undefined {
  const [folder, chains] = args;
  if (typeof folder !== "string" || !Array.isArray(chains)) {
    return undefined;
  }
  const keys = chains.flatMap((chain: unknown): ChainKey[] => {
    const { option, cause, text } = (chain ?? {}) as Record<string, unknown>;
    const [domain, name] = Array.isArray(option) ? (option as unknown[]) : [];
    return typeof domain === "string" && typeof name === "string" && typeof cause === "number"
      ? [{ folder, option: [domain, name], cause, text: typeof text === "string" ? text : name }]
      : [];
  });
  return keys.length > 0 && keys.length === chains.length ? keys : undefined;
}

/** The answer of `conflens/chainSteps`; undefined when there is no such chain. */
export function parseChain(answer: unknown): Chain | undefined {
  const { title, causes, steps } = (answer ?? {}) as Record<string, unknown>;
  if (typeof title !== "string" || !Array.isArray(steps)) {
    return undefined;
  }
  const found = steps.flatMap((step: unknown): Step[] => {
    const { location, role, text, method } = (step ?? {}) as Record<string, unknown>;
    return isLocation(location) && typeof role === "string"
      ? [{ location, role, text: textOf(text), method: textOf(method) }]
      : [];
  });
  if (found.length === 0) {
    return undefined;
  }
  return { title, causes: typeof causes === "number" ? causes : 1, steps: found };
}

/** The step `by` further, kept within the chain. */
export function moved(chain: Chain, index: number, by: number): number {
  return Math.min(Math.max(index + by, 0), chain.steps.length - 1);
}

/** What a step is, in a word or two. */
export function roleWord(role: string): string {
  return ROLES[role] ?? role;
}

/** `3/9 condition`, for the line of the step itself. */
export function stepLabel(chain: Chain, index: number): string {
  const role = chain.steps[index]?.role ?? "";
  return `${index + 1}/${chain.steps.length} ${roleWord(role)}`;
}

/** `3/9 condition: size > limit`, for where the step's own line is not seen. */
export function stepMessage(chain: Chain, index: number): string {
  const step = chain.steps[index];
  const text = step?.text === "" ? step.method : (step?.text ?? "");
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
  return shown === "" ? stepLabel(chain, index) : `${stepLabel(chain, index)}: ${shown}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
