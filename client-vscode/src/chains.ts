/**
 * A cause-effect chain that is gone through step by step: the place of a step is shown and marked,
 * and the status bar tells where in the chain that is.
 *
 * Invariants: at most one chain is open. Its steps are asked for again before each move, because
 * edits move them and another diagnosis can end them. Only the current step is marked.
 */

import * as vscode from "vscode";

import {
  moved,
  parseChain,
  parseChains,
  roleWord,
  stepLabel,
  stepMessage,
  type Chain,
  type ChainKey,
  type Step,
} from "./core/chains.js";
import type { Session } from "./session.js";

const GONE = "ConfLens has no such chain any more: there is another diagnosis.";
const OPEN = "conflens.chainOpen";

interface Walk {
  readonly key: ChainKey;
  readonly chain: Chain;
  readonly index: number;
}

interface Choice extends vscode.QuickPickItem {
  readonly run: () => Promise<void>;
}

export class Chains implements vscode.Disposable {
  private walk: Walk | undefined;
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorWarning.foreground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly label = vscode.window.createTextEditorDecorationType({
    after: {
      margin: "0 0.5em",
      color: new vscode.ThemeColor("badge.foreground"),
      backgroundColor: new vscode.ThemeColor("badge.background"),
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly item = vscode.window.createStatusBarItem(
    "conflens.chain",
    vscode.StatusBarAlignment.Left,
    0,
  );
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(
    private readonly session: Session,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.item.name = "ConfLens chain";
    this.item.command = "conflens.listChainSteps";
    this.subscriptions = [
      this.mark,
      this.label,
      this.item,
      vscode.window.onDidChangeVisibleTextEditors(() => this.paint()),
      vscode.commands.registerCommand("conflens.showChain", (...args: readonly unknown[]) =>
        this.open(args),
      ),
      vscode.commands.registerCommand("conflens.nextChainStep", () => this.move(1)),
      vscode.commands.registerCommand("conflens.previousChainStep", () => this.move(-1)),
      vscode.commands.registerCommand("conflens.listChainSteps", () => this.list()),
      vscode.commands.registerCommand("conflens.closeChain", () => this.close()),
    ];
  }

  dispose(): void {
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }

  /** After another diagnosis: the chain that is open is brought up to date, or closed if it is gone. */
  async renew(): Promise<void> {
    const before = this.walk;
    const answer = before === undefined ? undefined : await this.steps(before.key);
    // A move or another chain that came meanwhile has asked for itself.
    if (before === undefined || answer === undefined || this.walk !== before) {
      return;
    }
    const chain = parseChain(answer);
    if (chain === undefined) {
      this.close();
    } else {
      this.walk = { ...before, chain, index: moved(chain, before.index, 0) };
      this.tell(this.walk);
      this.paint();
    }
  }

  /** Opens the chain of a code lens, the one chosen if there are several. */
  private async open(args: readonly unknown[]): Promise<void> {
    const keys = parseChains(args);
    if (keys === undefined) {
      this.log.warn("Chains that do not fit the contract were left out.", JSON.stringify(args));
      return;
    }
    const [first, ...others] = keys;
    const items = keys.map((key) => ({ label: key.text, key }));
    const key =
      others.length === 0
        ? first
        : (await vscode.window.showQuickPick(items, { title: "Cause-Effect Chains" }))?.key;
    if (key !== undefined) {
      await this.start(key);
    }
  }

  private async start(key: ChainKey): Promise<void> {
    const chain = parseChain(await this.steps(key));
    if (chain === undefined) {
      vscode.window.setStatusBarMessage(GONE, 5000);
      return;
    }
    await this.goTo({ key, chain, index: 0 });
  }

  private async move(by: number): Promise<void> {
    const before = this.walk;
    if (before === undefined) {
      return;
    }
    const answer = await this.steps(before.key);
    // No answer at all: the server is being started again.
    const chain = answer === undefined ? before.chain : parseChain(answer);
    if (chain === undefined) {
      this.close();
      vscode.window.setStatusBarMessage(GONE, 5000);
      return;
    }
    // Of moves that overlap each starts where the one before has led to.
    const index = this.walk?.key === before.key ? this.walk.index : before.index;
    await this.goTo({ key: before.key, chain, index: moved(chain, index, by) });
  }

  private async list(): Promise<void> {
    const { walk } = this;
    if (walk === undefined) {
      return;
    }
    const { key, chain } = walk;
    const choices: Choice[] = chain.steps.map((step, index) => ({
      label: `${index === walk.index ? "$(arrow-right)" : "$(blank)"} ${index + 1} ${roleWord(step.role)}`,
      description: step.text === step.method ? step.method : `${step.text} · ${step.method}`,
      run: () => this.goTo({ key, chain, index }),
    }));
    if (chain.causes > 1) {
      const cause = (key.cause + 1) % chain.causes;
      choices.push({
        label: "$(arrow-swap) Another chain of this option",
        description: `${cause + 1} of ${chain.causes}`,
        run: () => this.start({ ...key, cause }),
      });
    }
    choices.push({ label: "$(close) Close chain", run: async () => this.close() });
    const title = chain.title;
    await (await vscode.window.showQuickPick(choices, { title, matchOnDescription: true }))?.run();
  }

  private close(): void {
    this.walk = undefined;
    this.item.hide();
    this.paint();
    void vscode.commands.executeCommand("setContext", OPEN, false);
  }

  private async goTo(walk: Walk): Promise<void> {
    const step = walk.chain.steps[walk.index];
    if (step === undefined) {
      return;
    }
    this.walk = walk;
    this.tell(walk);
    void vscode.commands.executeCommand("setContext", OPEN, true);
    const range = rangeOf(step);
    try {
      const editor = await vscode.window.showTextDocument(uriOf(step), {
        selection: new vscode.Range(range.start, range.start),
      });
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    } catch (error) {
      this.log.warn("A step of a chain could not be opened.", String(error));
    }
    this.paint();
  }

  private tell({ chain, index }: Walk): void {
    this.item.text = `$(git-commit) ${stepMessage(chain, index)}`;
    this.item.tooltip = `${chain.title}\nClick for all steps.`;
    this.item.show();
  }

  /** Marks the current step in the editors that show its file, and nothing in others. */
  private paint(): void {
    const step = this.walk?.chain.steps[this.walk.index];
    for (const editor of vscode.window.visibleTextEditors) {
      const isHere = step !== undefined && editor.document.uri.toString() === uriOf(step).toString();
      if (!isHere || this.walk === undefined) {
        editor.setDecorations(this.mark, []);
        editor.setDecorations(this.label, []);
        continue;
      }
      const { chain, index } = this.walk;
      const range = editor.document.validateRange(rangeOf(step));
      // Beside the mark and not at the end of the line, which may be out of sight.
      const end = range.isSingleLine ? range.end : editor.document.lineAt(range.start).range.end;
      const contentText = ` ${stepLabel(chain, index)} `.replaceAll(" ", "\u00a0");
      editor.setDecorations(this.mark, [{ range, hoverMessage: chain.title }]);
      editor.setDecorations(this.label, [
        { range: new vscode.Range(end, end), renderOptions: { after: { contentText } } },
      ]);
    }
  }

  private steps({ folder, option, cause }: ChainKey): Promise<unknown> {
    return this.session.ask("conflens/chainSteps", { folder, option, cause });
  }
}

function uriOf({ location }: Step): vscode.Uri {
  return vscode.Uri.parse(location.uri, true);
}

function rangeOf({ location: { range } }: Step): vscode.Range {
  const { start, end } = range;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
