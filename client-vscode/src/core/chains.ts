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
  /** One sentence on why this is a step. */
  readonly why: string;
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
const MAX_LOOKED_AT = 20;

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

/** The first chain of each option, which explains most; the others are gone on to from it. */
export function firstOfEach(keys: readonly ChainKey[]): ChainKey[] {
  const first = new Map<string, ChainKey>();
  for (const key of keys) {
    const option = JSON.stringify(key.option);
    if (!first.has(option)) {
      first.set(option, key);
    }
  }
  return [...first.values()];
}

/** The next chain of the same option, after the last one the first. */
export function nextChain(key: ChainKey, chain: Chain): ChainKey {
  return { ...key, cause: (key.cause + 1) % chain.causes };
}

/** The answer of `conflens/chainSteps`; undefined when there is no such chain. */
export function parseChain(answer: unknown): Chain | undefined {
  const { title, causes, steps } = (answer ?? {}) as Record<string, unknown>;
  if (typeof title !== "string" || !Array.isArray(steps)) {
    return undefined;
  }
  const found = steps.flatMap((step: unknown): Step[] => {
    const { location, role, text, method, why } = (step ?? {}) as Record<string, unknown>;
    return isLocation(location) && typeof role === "string"
      ? [{ location, role, text: textOf(text), method: textOf(method), why: textOf(why) }]
      : [];
  });
  if (found.length === 0) {
    return undefined;
  }
  return { title, causes: typeof causes === "number" && causes > 0 ? causes : 1, steps: found };
}

export interface Found {
  readonly key: ChainKey;
  readonly chain: Chain;
}

/**
 * The chain `before` as it is now. Another diagnosis may have given its number to another one; then
 * the one that goes the same way is looked for, and without success the number decides. `null` when
 * there is none, undefined without an answer.
 */
export async function foundAgain(
  { key, chain: before }: Found,
  ask: (key: ChainKey) => Promise<unknown>,
): Promise<Found | null | undefined> {
  const answer = await ask(key);
  const chain = parseChain(answer);
  if (answer === undefined || chain === undefined) {
    return answer === undefined ? undefined : null;
  }
  const number = goesLike(chain, before) ? 0 : Math.min(chain.causes, MAX_LOOKED_AT);
  for (let cause = 0; cause < number; cause += 1) {
    const other = cause === key.cause ? undefined : parseChain(await ask({ ...key, cause }));
    if (other !== undefined && goesLike(other, before)) {
      return { key: { ...key, cause }, chain: other };
    }
  }
  return { key, chain };
}

function goesLike(one: Chain, other: Chain): boolean {
  const way = ({ steps }: Chain): string =>
    JSON.stringify(steps.map(({ role, method }) => [role, method]));
  return way(one) === way(other);
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
