/**
 * Tints hot lines and names of methods in the editors that can be seen.
 *
 * Invariants: what is painted is what the server told last of a document; the editor moves it along
 * with edits until the next answer. An answer that comes after a newer question is passed over.
 * Absent on purpose: a hover, since the hint on the line says what it costs; only where those hints
 * are off the tint has one.
 */

import * as vscode from "vscode";

import { BAR_WIDTHS, LEVELS, type Level } from "./core/heat.js";
import type { HotLine } from "./core/protocol.js";
import { rangeOf } from "./places.js";
import type { Session } from "./session.js";
import type { Visuals } from "./visuals.js";

const SETTLED_MS = 300;

interface Known {
  /** The number of the last question. */
  asked: number;
  lines: readonly HotLine[];
  timer?: NodeJS.Timeout;
}

export class Heat implements vscode.Disposable {
  private readonly types = new Map(LEVELS.map((level) => [level, decorationOf(level)]));
  private readonly known = new Map<string, Known>();
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(
    private readonly session: Session,
    private readonly visuals: Visuals,
  ) {
    this.subscriptions = [
      ...this.types.values(),
      vscode.window.onDidChangeVisibleTextEditors(() => this.onEditors()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.known.has(keyOf(document))) {
          this.plan(document);
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
      visuals.onDidChange(() => this.paintAll()),
      visuals.onDidAsk((document) => this.plan(document)),
    ];
  }

  /** Snapshots, the choice of them, or the server have changed. */
  renew(): void {
    visibleJava().forEach((document) => this.plan(document));
  }

  dispose(): void {
    this.known.forEach(({ timer }) => clearTimeout(timer));
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private onEditors(): void {
    for (const document of visibleJava()) {
      if (!this.known.has(keyOf(document))) {
        this.plan(document);
      }
    }
    this.paintAll();
  }

  /** Asks soon; a burst of reasons is one question. */
  private plan(document: vscode.TextDocument): void {
    if (document.languageId !== "java" || document.uri.scheme !== "file") {
      return;
    }
    const known = this.known.get(keyOf(document)) ?? { asked: 0, lines: [] };
    this.known.set(keyOf(document), known);
    clearTimeout(known.timer);
    known.timer = setTimeout(() => void this.ask(document, known), SETTLED_MS);
  }

  private async ask(document: vscode.TextDocument, known: Known): Promise<void> {
    const number = ++known.asked;
    const { version } = document;
    const textDocument = { uri: document.uri.toString() };
    const lines = (await this.session.ask("conflens/hotLines", { textDocument }))?.lines;
    // Another version has planned a question of its own.
    if (lines !== undefined && number === known.asked && version === document.version) {
      known.lines = lines;
      this.paintAll(document);
    }
  }

  private forget(document: vscode.TextDocument): void {
    clearTimeout(this.known.get(keyOf(document))?.timer);
    this.known.delete(keyOf(document));
  }

  private paintAll(only?: vscode.TextDocument): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (only === undefined || editor.document === only) {
        this.paint(editor);
      }
    }
  }

  private paint(editor: vscode.TextEditor): void {
    const known = this.known.get(keyOf(editor.document));
    const lines = this.visuals.isHidden ? [] : (known?.lines ?? []);
    const settings = vscode.workspace.getConfiguration("conflens", editor.document);
    const isHinted = settings.get<boolean>("inlayHints.profile") === true;
    for (const [level, type] of this.types) {
      const found = lines.filter((line) => line.level === level);
      editor.setDecorations(
        type,
        found.map(({ range, text }) => ({
          range: rangeOf(range),
          ...(isHinted || text === "" ? {} : { hoverMessage: `ConfLens: ${text}` }),
        })),
      );
    }
  }
}

function decorationOf(level: Level): vscode.TextEditorDecorationType {
  const border = new vscode.ThemeColor(`conflens.hotLine${level}Border`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(`conflens.hotLine${level}Background`),
    borderColor: border,
    borderStyle: "solid",
    borderWidth: `0 0 0 ${BAR_WIDTHS[level]}px`,
    overviewRulerColor: border,
    overviewRulerLane: vscode.OverviewRulerLane.Center,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

function visibleJava(): Set<vscode.TextDocument> {
  const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
  return new Set(documents.filter(({ languageId }) => languageId === "java"));
}

function keyOf(document: vscode.TextDocument): string {
  return document.uri.toString();
}
