/**
 * What ConfLens draws in editors can be hidden with one command, and shown again: hints, lenses,
 * squiggles, and the marks of `heat.ts` and `path.ts`.
 *
 * The choice is kept for the workspace. Hovers, completion and navigation stay, because they appear
 * only when they are asked for. Invariants: while hidden, the server goes on as before; showing
 * again needs no new analysis.
 */

import * as vscode from "vscode";
import type { LanguageClient, Middleware } from "vscode-languageclient/node";

const HIDDEN = "conflens.hidden";

export class Visuals implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  private readonly asked = new vscode.EventEmitter<vscode.TextDocument>();
  /** The editor asks for the lenses of a document: it was opened or edited, or there is news. */
  readonly onDidAsk = this.asked.event;
  private hidden: boolean;
  /** Brings what the client in use has given in step. */
  private renewGiven: () => void = () => undefined;
  private readonly command = vscode.commands.registerCommand("conflens.toggleVisuals", () =>
    this.toggle(),
  );

  constructor(private readonly memory: vscode.Memento) {
    this.hidden = memory.get(HIDDEN) === true;
    void vscode.commands.executeCommand("setContext", HIDDEN, this.hidden);
  }

  get isHidden(): boolean {
    return this.hidden;
  }

  /** From now on `client` is the one in use; its middleware is that of `veil`. */
  cover(client: LanguageClient, veil: Veil): void {
    this.renewGiven = () => veil.renew(client);
  }

  /** Tells that the lenses of a document are asked for. */
  tellAsked(document: vscode.TextDocument): void {
    this.asked.fire(document);
  }

  dispose(): void {
    this.command.dispose();
    this.changed.dispose();
    this.asked.dispose();
  }

  private async toggle(): Promise<void> {
    this.hidden = !this.hidden;
    void vscode.commands.executeCommand("setContext", HIDDEN, this.hidden);
    this.renewGiven();
    this.changed.fire(undefined);
    await this.memory.update(HIDDEN, this.hidden || undefined);
  }
}

type NextDiagnostics = (uri: vscode.Uri, diagnostics: vscode.Diagnostic[]) => void;

interface Given {
  readonly uri: vscode.Uri;
  readonly diagnostics: vscode.Diagnostic[];
  readonly next: NextDiagnostics;
}

/** Between one client and the editor: what is hidden is answered with nothing, and kept. */
export class Veil {
  private readonly given = new Map<string, Given>();
  readonly middleware: Middleware;

  constructor(private readonly visuals: Visuals) {
    this.middleware = {
      provideInlayHints: (document, range, token, next) =>
        visuals.isHidden ? [] : next(document, range, token),
      provideCodeLenses: (document, token, next) => {
        visuals.tellAsked(document);
        return visuals.isHidden ? [] : next(document, token);
      },
      handleDiagnostics: (uri, diagnostics, next) => this.take({ uri, diagnostics, next }),
    };
  }

  /** Shows or takes back what was given, and has the editor ask again for the rest. */
  renew(client: LanguageClient): void {
    for (const { uri, diagnostics, next } of this.given.values()) {
      next(uri, this.visuals.isHidden ? [] : diagnostics);
    }
    if (!client.isRunning()) {
      return;
    }
    // One event makes the editor ask again for all documents of a provider.
    const hints = client.getFeature("textDocument/inlayHint");
    const lenses = client.getFeature("textDocument/codeLens");
    const events = new Set<vscode.EventEmitter<void> | undefined>();
    for (const document of vscode.workspace.textDocuments) {
      events.add(hints.getProvider(document)?.onDidChangeInlayHints);
      events.add(lenses.getProvider(document)?.onDidChangeCodeLensEmitter);
    }
    events.forEach((event) => event?.fire());
  }

  /** What a server gave that has ended is not shown again. */
  forget(): void {
    this.given.clear();
  }

  private take(given: Given): void {
    const { uri, diagnostics, next } = given;
    if (diagnostics.length === 0) {
      this.given.delete(uri.toString());
    } else {
      this.given.set(uri.toString(), given);
    }
    next(uri, this.visuals.isHidden ? [] : diagnostics);
  }
}
