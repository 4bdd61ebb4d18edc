/**
 * What ConfLens draws in editors can be hidden with one command, and shown again: hints, lenses,
 * squiggles, and the marks of `heat.ts` and `path.ts`. A setting shows hints on the line of the
 * cursor only.
 *
 * The choice is kept for the workspace. Hovers, completion and navigation stay, because they appear
 * only when they are asked for. Invariants: while hidden, the server goes on as before; showing
 * again needs no new analysis.
 */

import * as vscode from "vscode";
import type { LanguageClient, Middleware } from "vscode-languageclient/node";

import { CURRENT_LINE, CursorLine, onLine } from "./core/cursorLine.js";

const HIDDEN = "conflens.hidden";
/** For so long the cursor rests on a line before its hints are asked for. */
const REST_MS = 150;

export class Visuals implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  private readonly asked = new vscode.EventEmitter<vscode.TextDocument>();
  /** The editor asks for the lenses of a document: it was opened or edited, or there is news. */
  readonly onDidAsk = this.asked.event;
  private hidden: boolean;
  /** Brings what the client in use has given in step. */
  private renewGiven: () => void = () => undefined;
  /** Has the editor ask the client in use for hints again. */
  private renewHints: () => void = () => undefined;
  private readonly cursor = new CursorLine();
  private rest: NodeJS.Timeout | undefined;
  private readonly subscriptions = [
    vscode.commands.registerCommand("conflens.toggleVisuals", () => this.toggle()),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor !== undefined) {
        this.follow(editor);
      }
    }),
  ];

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
    this.renewHints = () => askAgain(client, hintsOf);
  }

  /** Tells that the lenses of a document are asked for. */
  tellAsked(document: vscode.TextDocument): void {
    this.asked.fire(document);
  }

  dispose(): void {
    clearTimeout(this.rest);
    vscode.Disposable.from(...this.subscriptions, this.changed, this.asked).dispose();
  }

  /** Has hints follow the cursor where they are shown on its line only. */
  private follow({ document, selection }: vscode.TextEditor): void {
    if (
      isLineOnly(document) &&
      !this.hidden &&
      this.cursor.isNew(document.uri.toString(), selection.active.line)
    ) {
      clearTimeout(this.rest);
      this.rest = setTimeout(() => this.renewHints(), REST_MS);
    }
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
      provideInlayHints: async (document, range, token, next) => {
        const hints = visuals.isHidden ? [] : await next(document, range, token);
        return isLineOnly(document) ? onLine(hints ?? [], cursorIn(document)) : hints;
      },
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
    askAgain(client, hintsOf, lensesOf);
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

/** Whether hints are shown on the line of the cursor only. */
function isLineOnly(document: vscode.TextDocument): boolean {
  const settings = vscode.workspace.getConfiguration("conflens", document);
  return settings.get<string>("annotations.show") === CURRENT_LINE;
}

/** The line of the cursor in the document, if it is there. */
function cursorIn(document: vscode.TextDocument): number | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document === document ? editor.selection.active.line : undefined;
}

/** What makes the editor ask again for something in a document. */
type News = (
  client: LanguageClient,
  document: vscode.TextDocument,
) => vscode.EventEmitter<void> | undefined;

const hintsOf: News = (client, document) =>
  client.getFeature("textDocument/inlayHint").getProvider(document)?.onDidChangeInlayHints;

const lensesOf: News = (client, document) =>
  client.getFeature("textDocument/codeLens").getProvider(document)?.onDidChangeCodeLensEmitter;

function askAgain(client: LanguageClient, ...news: readonly News[]): void {
  if (!client.isRunning()) {
    return;
  }
  // One event makes the editor ask again for all documents of a provider.
  const events = new Set(
    vscode.workspace.textDocuments.flatMap((document) => news.map((of) => of(client, document))),
  );
  events.forEach((event) => event?.fire());
}
