/**
 * Projects to open: copies in the scratch folder, so that a test may change them.
 */

import { cpSync, existsSync } from "node:fs";
import * as path from "node:path";

import { CORPUS, PROFILES, scratch, STORE } from "./places.js";

/** The document store of the living example, with the profiles of a good and of a slow run. */
export function store(name: string): string {
  const folder = path.join(scratch("ws", name), "store");
  cpSync(STORE, folder, { recursive: true });
  cpSync(PROFILES, path.join(folder, "profiles"), { recursive: true });
  return folder;
}

/** The published sources of a project of the corpus. */
export function published(project: string): string {
  const sources = path.join(CORPUS, project);
  if (!existsSync(sources)) {
    throw new Error(`The sources of ${project} are not in build/corpus: run \`make e2e\`.`);
  }
  const folder = path.join(scratch("ws"), project);
  cpSync(sources, folder, { recursive: true });
  return folder;
}
