/**
 * The walkthrough and the legend: their commands, the one time that the walkthrough opens by itself,
 * and the context keys by which the editor ticks off a step that was done.
 */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

import { legend } from "./core/heat.js";
import type { Pages } from "./view.js";

/** The key of the extension's memory. */
const OPENED = "conflens.walkthroughOpened";
const WALKTHROUGH = "conflens.conflens#conflens.start";

export function walkthroughCommands(pages: Pages): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand("conflens.openWalkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false),
    ),
    vscode.commands.registerCommand("conflens.showLegend", () =>
      pages.show("ConfLens legend", legend()),
    ),
  ];
}

/** Opens the walkthrough once, on first use, unless a setting of the editor forbids it. */
export async function openWalkthroughOnce(memory: vscode.Memento): Promise<void> {
  const settings = vscode.workspace.getConfiguration("workbench.welcomePage.walkthroughs");
  if (memory.get(OPENED) === true || settings.get<boolean>("openOnInstall") === false) {
    return;
  }
  await memory.update(OPENED, true);
  await vscode.commands.executeCommand("conflens.openWalkthrough");
}

/** Ticks off the steps about a hover and a completion with the first one that is not empty. */
export function stepMiddleware(): Middleware {
  return {
    provideHover: async (document, position, token, next) => {
      const hover = await next(document, position, token);
      if (hover !== undefined && hover !== null) {
        tick("conflens.hovered");
      }
      return hover;
    },
    provideCompletionItem: async (document, position, context, token, next) => {
      const found = await next(document, position, context, token);
      const items = Array.isArray(found) ? found : (found?.items ?? []);
      if (items.length > 0) {
        tick("conflens.completed");
      }
      return found;
    },
  };
}

const done = new Set<string>();

function tick(key: string): void {
  if (!done.has(key)) {
    done.add(key);
    void vscode.commands.executeCommand("setContext", key, true);
  }
}
