/**
 * What the server says about the flows of an option: its page, and items of its tree, which are
 * those of a call hierarchy. Checked here, since they come from another process.
 */

import type { Location } from "./references.js";

/** One item; `raw` is what the server wants back. */
export interface FlowItem {
  readonly name: string;
  readonly detail: string;
  readonly isOperation: boolean;
  readonly isOption: boolean;
  readonly location: Location;
  readonly raw: unknown;
}

const PROPERTY = 7;
const EVENT = 24;

/** The page's Markdown and the name of its option; undefined when there is no page. */
export function parsePage(answer: unknown): { title: string; markdown: string } | undefined {
  const page = answer as { uri?: unknown; markdown?: unknown } | null | undefined;
  if (typeof page?.uri !== "string" || typeof page.markdown !== "string") {
    return undefined;
  }
  const title = /\/([^/?]*)\.md(\?|$)/.exec(page.uri)?.[1] ?? "";
  return { title: decodeURIComponent(title), markdown: page.markdown };
}

/** Items as `textDocument/prepareCallHierarchy` gives them. */
export function parseItems(answer: unknown): FlowItem[] {
  return Array.isArray(answer) ? answer.flatMap(parseItem) : [];
}

/** Items as `callHierarchy/outgoingCalls` (`to`) and `incomingCalls` (`from`) give them. */
export function parseCalls(answer: unknown, end: "to" | "from"): FlowItem[] {
  if (!Array.isArray(answer)) {
    return [];
  }
  return answer.flatMap((call: unknown) =>
    parseItem((call as Record<string, unknown> | null)?.[end]),
  );
}

function parseItem(raw: unknown): FlowItem[] {
  const item = raw as
    | { name?: unknown; detail?: unknown; kind?: unknown; uri?: unknown; selectionRange?: unknown }
    | null
    | undefined;
  const range = item?.selectionRange as Location["range"] | undefined;
  if (
    typeof item?.name !== "string" ||
    typeof item.uri !== "string" ||
    typeof range?.start?.line !== "number" ||
    typeof range.end?.line !== "number"
  ) {
    return [];
  }
  const detail = typeof item.detail === "string" ? item.detail : "";
  const location = { uri: item.uri, range };
  const [isOperation, isOption] = [item.kind === EVENT, item.kind === PROPERTY];
  return [{ name: item.name, detail, isOperation, isOption, location, raw }];
}
