/**
 * The status item and the read-only pages that commands open.
 */

import * as vscode from "vscode";

import { LINKED, previewLinks, statusView, type Status } from "./core/status.js";
import type { Visuals } from "./visuals.js";

// Not `conflens`: documents of that scheme come from the server.
const SCHEME = "conflens-page";

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "conflens.status",
    vscode.StatusBarAlignment.Right,
    // Left of the cursor position and the language, which the editor keeps at 100.
    101,
  );

  private status: Status | undefined;
  private noted = "";
  private readonly toggled: vscode.Disposable;

  constructor(private readonly visuals: Visuals) {
    this.item.name = "ConfLens";
    this.toggled = visuals.onDidChange(() => this.renew());
  }

  show(status: Status): void {
    this.status = status;
    this.renew();
  }

  /** What went wrong beside the index; empty takes it back. */
  note(text: string): void {
    this.noted = text;
    this.renew();
  }

  dispose(): void {
    this.toggled.dispose();
    this.item.dispose();
  }

  private renew(): void {
    if (this.status === undefined) {
      return;
    }
    const view = statusView(this.status, { isHidden: this.visuals.isHidden, note: this.noted });
    const tooltip = new vscode.MarkdownString(view.tooltip, true);
    tooltip.isTrusted = { enabledCommands: LINKED };
    this.item.text = view.text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: view.spoken, role: "button" };
    this.item.command = view.command;
    const kind = view.isError ? "error" : view.isWaiting ? "warning" : undefined;
    this.item.backgroundColor =
      kind === undefined ? undefined : new vscode.ThemeColor(`statusBarItem.${kind}Background`);
    this.item.show();
  }
}

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  // After `onDidChange`, because the editor reads that once, when the provider is registered.
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(
    SCHEME,
    this,
  );
  private readonly markdown = new Map<string, string>();

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.markdown.get(uri.path) ?? "";
  }

  /** Shows Markdown under a title, which is what tells pages apart. */
  async show(title: string, markdown: string): Promise<void> {
    const page = pageOf(title);
    this.renew(title, markdown);
    try {
      await vscode.commands.executeCommand("markdown.showPreview", page);
    } catch {
      // The editor's Markdown extension can be switched off.
      const document = await vscode.workspace.openTextDocument(page);
      await vscode.window.showTextDocument(document, { preview: true });
    }
  }

  /** Gives a page that may be open another text. */
  renew(title: string, markdown: string): void {
    const page = pageOf(title);
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
    const text = previewLinks(markdown, root, (uri) => vscode.Uri.parse(uri).toString());
    if (this.markdown.get(page.path) !== text) {
      this.markdown.set(page.path, text);
      this.changed.fire(page);
    }
  }

  isOpen(title: string): boolean {
    const page = pageOf(title).toString();
    return vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === page);
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

function pageOf(title: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title.replaceAll("/", " ")}.md` });
}
