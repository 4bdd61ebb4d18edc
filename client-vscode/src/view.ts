/**
 * The status item and the read-only page that `conflens.showStatus` opens.
 */

import * as vscode from "vscode";

import { previewLinks, statusView, type Status } from "./core/status.js";

const SCHEME = "conflens";
const DOCUMENT = vscode.Uri.from({ scheme: SCHEME, path: "/ConfLens status.md" });

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "conflens.status",
    vscode.StatusBarAlignment.Right,
    // Left of the cursor position and the language, which the editor keeps at 100.
    101,
  );

  constructor() {
    this.item.name = "ConfLens";
    this.item.command = "conflens.showStatus";
  }

  show(status: Status): void {
    const view = statusView(status);
    this.item.text = view.text;
    this.item.tooltip = view.tooltip;
    this.item.backgroundColor = view.isError
      ? new vscode.ThemeColor("statusBarItem.errorBackground")
      : undefined;
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

export class StatusDocument implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  // After `onDidChange`, because the editor reads that once, when the provider is registered.
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(
    SCHEME,
    this,
  );
  private markdown = "";

  provideTextDocumentContent(): string {
    return this.markdown;
  }

  async show(markdown: string): Promise<void> {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
    this.markdown = previewLinks(markdown, root, (uri) => vscode.Uri.parse(uri).toString());
    this.changed.fire(DOCUMENT);
    try {
      await vscode.commands.executeCommand("markdown.showPreview", DOCUMENT);
    } catch {
      // The editor's Markdown extension can be switched off.
      const document = await vscode.workspace.openTextDocument(DOCUMENT);
      await vscode.window.showTextDocument(document, { preview: true });
    }
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
