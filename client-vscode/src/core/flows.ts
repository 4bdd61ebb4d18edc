/**
 * The flows of an option as the server gives them: its page, and items of its tree, which are those
 * of a call hierarchy.
 */

import type { CallHierarchyItem, Location } from "vscode-languageserver-types";

import type { Page } from "./protocol.js";

const PROPERTY = 7;
const EVENT = 24;

/** The name of the option that a page is about. */
export function titleOf({ uri }: Page): string {
  return decodeURIComponent(/\/([^/?]*)\.md(\?|$)/.exec(uri)?.[1] ?? "");
}

export function isOperation({ kind }: CallHierarchyItem): boolean {
  return kind === EVENT;
}

export function isOption({ kind }: CallHierarchyItem): boolean {
  return kind === PROPERTY;
}

export function placeOf({ uri, selectionRange }: CallHierarchyItem): Location {
  return { uri, range: selectionRange };
}
