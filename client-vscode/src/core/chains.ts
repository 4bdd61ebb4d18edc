/**
 * Cause-effect chains as the server gives them: those that a code lens lets choose from, and the
 * steps of one, from the read of an option to the hotspot.
 */

import type { ChainAnswer, ChainChoice, ChainStep } from "./protocol.js";

/** A chain to ask for. */
export interface ChainKey extends ChainChoice {
  readonly folder: string;
}

export type Step = Omit<ChainStep, "label">;

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
  hold: "decides here",
};
const MAX_TEXT = 60;
const MAX_LOOKED_AT = 20;

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
  ask: (key: ChainKey) => Promise<ChainAnswer | null | undefined>,
): Promise<Found | null | undefined> {
  const chain = await ask(key);
  if (chain === undefined || chain === null) {
    return chain;
  }
  const number = goesLike(chain, before) ? 0 : Math.min(chain.causes, MAX_LOOKED_AT);
  for (let cause = 0; cause < number; cause += 1) {
    const other = cause === key.cause ? undefined : await ask({ ...key, cause });
    if (other !== undefined && other !== null && goesLike(other, before)) {
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
