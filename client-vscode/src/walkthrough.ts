/**
 * What the walkthrough and the legend need: their commands, and the context keys by which the
 * editor ticks off a step of the walkthrough that was done.
 *
 * Terms: a *first* is something that a person has seen for the first time in this window.
 */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

import { legend } from "./core/heat.js";
import type { Pages } from "./view.js";

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

/** Notes the first hover and the first completion that are not empty. */
export function firsts(): Middleware {
  return {
    provideHover: async (document, position, token, next) => {
      const hover = await next(document, position, token);
      if (hover !== undefined && hover !== null) {
        first("conflens.hovered");
      }
      return hover;
    },
    provideCompletionItem: async (document, position, context, token, next) => {
      const found = await next(document, position, context, token);
      const items = Array.isArray(found) ? found : (found?.items ?? []);
      if (items.length > 0) {
        first("conflens.completed");
      }
      return found;
    },
  };
}

const seen = new Set<string>();

function first(key: string): void {
  if (!seen.has(key)) {
    seen.add(key);
    void vscode.commands.executeCommand("setContext", key, true);
  }
}
