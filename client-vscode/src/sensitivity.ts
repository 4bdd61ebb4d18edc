/**
 * The list of options by sensitivity, and what a person's verdict needs of the editor.
 */

import * as vscode from "vscode";

import type { Page } from "./core/protocol.js";
import { isWorkspaceFile } from "./core/sensitivity.js";
import type { Session } from "./session.js";
import type { Pages } from "./view.js";

const NOTHING = "No options to list yet.";

export async function showSensitivity(session: Session, pages: Pages): Promise<void> {
  const params = { command: "conflens.listSensitivity", arguments: [{ show: false }] };
  const page = await session.askFor<Page>("workspace/executeCommand", params);
  if (page === undefined) {
    vscode.window.setStatusBarMessage(NOTHING, 5000);
    return;
  }
  await pages.show("Options by sensitivity", page.markdown);
}

/**
 * Saves the workspace file after a code action has changed it: the editor leaves it unsaved, and a
 * verdict counts once it is on disk. The server asks for this only if nothing else was unsaved.
 */
export async function saveWorkspaceFile(uri: unknown): Promise<void> {
  if (!isWorkspaceFile(uri)) {
    return;
  }
  const wanted = vscode.Uri.parse(uri, true).toString();
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === wanted,
  );
  await open?.save();
}
