/**
 * Stepping through a cause-effect chain or a flow: which one is open, which step is the current one,
 * and the commands that move. `path.ts` shows it.
 *
 * Invariants: at most one is open. Its steps follow edits. Those of a chain are asked for again
 * before each move, too, because another diagnosis can change or end them.
 */

import * as vscode from "vscode";

import {
  firstOfEach,
  foundAgain,
  moved,
  nextChain,
  roleWord,
  stepMessage,
  type Chain,
  type ChainKey,
  type Found,
} from "./core/chains.js";
import { followed, rowOf } from "./core/path.js";
import type { ChainAnswer, ChainChoice } from "./core/protocol.js";
import { locationOf } from "./places.js";
import type { Session } from "./session.js";
import type { Visuals } from "./visuals.js";

const GONE = "This chain no longer exists: the diagnosis has changed.";
const CHOICE = "Select an option to step through its chain";
const OPEN = "conflens.chainOpen";
const ONE_OF_SEVERAL = "conflens.chainOneOfSeveral";

export interface Walk {
  /** The same for all steps of one opening. */
  readonly opening: object;
  /** What a chain is asked for by; a flow has none. */
  readonly key: ChainKey | undefined;
  readonly chain: Chain;
  readonly index: number;
}

interface Choice extends vscode.QuickPickItem {
  readonly run: () => Promise<void>;
}

export class Chains implements vscode.Disposable {
  private current: Walk | undefined;
  private readonly opened = new vscode.EventEmitter<undefined>();
  /** Another chain or flow was opened, and not only another step. */
  readonly onDidOpen = this.opened.event;
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  private readonly item = vscode.window.createStatusBarItem(
    "conflens.chain",
    vscode.StatusBarAlignment.Left,
    0,
  );
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(
    private readonly session: Session,
    private readonly visuals: Visuals,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.item.name = "ConfLens chain";
    this.item.command = "conflens.listChainSteps";
    this.subscriptions = [
      this.opened,
      this.changed,
      this.item,
      vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)),
      vscode.commands.registerCommand(
        "conflens.showChain",
        (folder: string, choices: readonly ChainChoice[]) => this.open(folder, choices),
      ),
      vscode.commands.registerCommand("conflens.nextChainStep", () => this.move(1)),
      vscode.commands.registerCommand("conflens.previousChainStep", () => this.move(-1)),
      vscode.commands.registerCommand("conflens.goToChainStep", (index: unknown) =>
        this.jump(index),
      ),
      vscode.commands.registerCommand("conflens.listChainSteps", () => this.list()),
      vscode.commands.registerCommand("conflens.nextChain", () => this.next()),
      vscode.commands.registerCommand("conflens.peekChainSteps", () => this.peek()),
      vscode.commands.registerCommand("conflens.closeChain", () => this.close()),
    ];
  }

  get walk(): Walk | undefined {
    return this.current;
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** After another diagnosis: the chain that is open is brought up to date, or closed if it is gone. */
  async renew(): Promise<void> {
    const before = this.current;
    if (before === undefined) {
      return;
    }
    const found = await this.found(before);
    const now = this.current;
    // Another chain that came meanwhile has asked for itself.
    if (found === undefined || now?.opening !== before.opening) {
      return;
    }
    if (found === null) {
      this.close();
    } else {
      this.set({ ...now, ...found, index: moved(found.chain, now.index, 0) });
    }
  }

  /** Opens a flow at its first step. */
  async openFlow(chain: Chain): Promise<void> {
    this.opened.fire(undefined);
    await this.goTo({ opening: {}, key: undefined, chain, index: 0 });
  }

  /** Opens the first chain of a code lens; of several options, that of the one chosen. */
  private async open(folder: string, choices: readonly ChainChoice[]): Promise<void> {
    const keys = choices.map((choice) => ({ ...choice, folder }));
    const firsts = firstOfEach(keys);
    const [first, ...others] = firsts;
    const items = firsts.map((key) => ({ label: key.text, key }));
    const key =
      others.length === 0
        ? first
        : (
            await vscode.window.showQuickPick(items, {
              title: "Cause-Effect Chains",
              placeHolder: CHOICE,
            })
          )?.key;
    if (key !== undefined) {
      await this.start(key);
    }
  }

  private async start(key: ChainKey): Promise<void> {
    const chain = await this.steps(key);
    if (chain === undefined || chain === null) {
      vscode.window.setStatusBarMessage(GONE, 5000);
      return;
    }
    this.opened.fire(undefined);
    await this.goTo({ opening: {}, key, chain, index: 0 });
  }

  private async next(): Promise<void> {
    const { key, chain } = this.current ?? {};
    if (key !== undefined && chain !== undefined) {
      await this.start(nextChain(key, chain));
    }
  }

  private async move(by: number): Promise<void> {
    const before = this.current;
    const walk = before === undefined ? undefined : await this.renewed(before);
    if (before !== undefined && walk !== undefined) {
      // Of moves that overlap each starts where the one before has led to.
      const now = this.current?.opening === before.opening ? this.current : before;
      await this.goTo({ ...walk, index: moved(walk.chain, now.index, by) });
    }
  }

  /** Goes to a step of the view, which keeps the focus. */
  private async jump(index: unknown): Promise<void> {
    const walk = this.current === undefined ? undefined : await this.renewed(this.current);
    if (walk !== undefined && typeof index === "number") {
      await this.goTo({ ...walk, index: moved(walk.chain, index, 0) }, true);
    }
  }

  /** With the steps where they are now; closes a chain that is gone. */
  private async renewed(walk: Walk): Promise<Walk | undefined> {
    const found = await this.found(walk);
    if (found === null) {
      this.close();
      vscode.window.setStatusBarMessage(GONE, 5000);
      return undefined;
    }
    // No answer at all: the server is being started again.
    return { ...walk, ...found };
  }

  private async found({ key, chain }: Walk): Promise<Found | null | undefined> {
    return key === undefined ? undefined : foundAgain({ key, chain }, (asked) => this.steps(asked));
  }

  private async list(): Promise<void> {
    const walk = this.current;
    if (walk === undefined) {
      return;
    }
    const { key, chain } = walk;
    const choices: Choice[] = chain.steps.map((step, index) => ({
      label: `${index === walk.index ? "$(arrow-right)" : "$(blank)"} ${index + 1} ${roleWord(step.role)}`,
      description: rowOf(chain, index).description,
      run: () => this.goTo({ ...walk, index }),
    }));
    if (key !== undefined && chain.causes > 1) {
      const next = nextChain(key, chain);
      choices.push({
        label: "$(arrow-swap) Next Chain of This Option",
        description: `${next.cause + 1} of ${chain.causes}`,
        run: () => this.start(next),
      });
    }
    choices.push({ label: "$(close) Close Chain", run: async () => this.close() });
    const title = chain.title;
    await (await vscode.window.showQuickPick(choices, { title, matchOnDescription: true }))?.run();
  }

  /** All steps in the editor's peek, from the current one. */
  private async peek(): Promise<void> {
    const walk = this.current === undefined ? undefined : await this.renewed(this.current);
    const step = walk?.chain.steps[walk.index];
    if (walk === undefined || step === undefined) {
      return;
    }
    await this.goTo(walk);
    const places = walk.chain.steps.map(({ location }) => locationOf(location));
    const { uri, range } = locationOf(step.location);
    const command = "editor.action.peekLocations";
    await vscode.commands.executeCommand(command, uri, range.start, places, "peek");
  }

  private close(): void {
    this.set(undefined);
  }

  private set(walk: Walk | undefined): void {
    this.current = walk;
    if (walk === undefined) {
      this.item.hide();
    } else {
      this.item.text = `$(git-commit) ${stepMessage(walk.chain, walk.index)}`;
      this.item.tooltip = `${walk.chain.title}\nClick to list all steps.`;
      this.item.show();
    }
    void vscode.commands.executeCommand("setContext", OPEN, walk !== undefined);
    const isOneOfSeveral = walk?.key !== undefined && walk.chain.causes > 1;
    void vscode.commands.executeCommand("setContext", ONE_OF_SEVERAL, isOneOfSeveral);
    this.changed.fire(undefined);
  }

  private async goTo(walk: Walk, preserveFocus = false): Promise<void> {
    const step = walk.chain.steps[walk.index];
    if (step === undefined) {
      return;
    }
    this.set(walk);
    const { uri, range } = locationOf(step.location);
    // Where nothing is marked, the selection shows the step.
    const selection = this.visuals.isHidden ? range : new vscode.Range(range.start, range.start);
    try {
      const editor = await vscode.window.showTextDocument(uri, {
        selection,
        preserveFocus,
      });
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    } catch (error) {
      this.log.warn("A step of a chain could not be opened.", String(error));
    }
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const walk = this.current;
    if (walk === undefined || contentChanges.length === 0) {
      return;
    }
    const edits = contentChanges.map(({ range: { start, end }, text }) => ({ start, end, text }));
    // Nobody is told, because what is shown stays the same, and the editor moves its marks itself.
    this.current = { ...walk, chain: followed(walk.chain, document.uri.toString(), edits) };
  }

  private steps({ folder, option, cause }: ChainKey): Promise<ChainAnswer | null | undefined> {
    return this.session.ask("conflens/chainSteps", { folder, option, cause });
  }
}
