/**
 * The view *Path*: the steps of the chain or flow that is open, with why each is one; and their
 * marks in the editors that can be seen.
 *
 * Invariants: the current step is the one selected. Opening a chain brings the view into sight; a
 * move from the editor does not, so that who has closed it is left alone. The focus stays.
 */

import * as vscode from "vscode";

import type { Chains } from "./chains.js";
import { stepLabel, type Step } from "./core/chains.js";
import { headline, rowOf } from "./core/path.js";
import { rangeOf, uriOf } from "./places.js";
import type { Visuals } from "./visuals.js";

const VIEW = "conflens.path";
/** How many characters a step may have whose label stands behind it. */
const MAX_SHORT = 40;

/** What a label looks like. */
const BADGE: vscode.ThemableDecorationAttachmentRenderOptions = {
  margin: "0 0.5em",
  color: new vscode.ThemeColor("badge.foreground"),
  backgroundColor: new vscode.ThemeColor("badge.background"),
  // Only this tells it from code in a high contrast theme.
  border: "1px solid",
  borderColor: new vscode.ThemeColor("conflens.currentStepBorder"),
};

/** A row of the view: the number of a step, as an object because the editor tells rows apart by it. */
interface Row {
  readonly index: number;
}

export class PathView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: readonly Row[] = [];
  private shouldReveal = false;
  private readonly step = markOf("conflens.step");
  private readonly currentStep = markOf("conflens.currentStep", "editorWarning.foreground");
  private readonly label = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly view: vscode.TreeView<Row>;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(
    private readonly chains: Chains,
    private readonly visuals: Visuals,
  ) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this });
    this.subscriptions = [
      this.changed,
      this.view,
      this.step,
      this.currentStep,
      this.label,
      this.chains.onDidOpen(() => {
        this.shouldReveal = true;
      }),
      this.chains.onDidChange(() => void this.show()),
      this.view.onDidChangeVisibility(({ visible }) => void (visible && this.select())),
      vscode.window.onDidChangeVisibleTextEditors(() => this.paint()),
      visuals.onDidChange(() => this.paint()),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  getChildren(row?: Row): Row[] {
    return row === undefined ? [...this.rows] : [];
  }

  /** The editor asks for it before it selects a row. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem({ index }: Row): vscode.TreeItem {
    const { walk } = this.chains;
    const item = new vscode.TreeItem("");
    if (walk === undefined) {
      return item;
    }
    const row = rowOf(walk.chain, index);
    item.id = String(index);
    item.label = row.label;
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.accessibilityInformation = { label: row.spoken };
    item.iconPath = new vscode.ThemeIcon(index === walk.index ? "debug-stackframe" : "blank");
    item.command = { title: "Go to Step", command: "conflens.goToChainStep", arguments: [index] };
    return item;
  }

  private async show(): Promise<void> {
    const { walk } = this.chains;
    const count = walk?.chain.steps.length ?? 0;
    if (this.rows.length !== count) {
      this.rows = Array.from({ length: count }, (_, index) => ({ index }));
    }
    const view = this.view as { message: string | undefined; description: string | undefined };
    view.message = walk === undefined ? undefined : headline(walk.chain, walk.index);
    view.description = walk?.chain.title;
    this.changed.fire(undefined);
    this.paint();
    await this.select();
  }

  private async select(): Promise<void> {
    const row = this.rows[this.chains.walk?.index ?? -1];
    if (row === undefined || !(this.view.visible || this.shouldReveal)) {
      return;
    }
    this.shouldReveal = false;
    try {
      await this.view.reveal(row, { select: true, focus: false });
    } catch {
      // The rows have changed meanwhile, and the change selects for itself.
    }
  }

  /** Marks the steps in the editors that show their files, the current one stronger. */
  private paint(): void {
    const walk = this.visuals.isHidden ? undefined : this.chains.walk;
    for (const editor of vscode.window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      const steps = (walk?.chain.steps ?? []).map((step, index) => ({ step, index }));
      const here = steps.filter(({ step }) => uriOf(step.location).toString() === uri);
      const isCurrent = ({ index }: { index: number }): boolean => index === walk?.index;
      const options = ({
        step,
        index,
      }: {
        step: Step;
        index: number;
      }): vscode.DecorationOptions => ({
        range: editor.document.validateRange(rangeOf(step.location.range)),
        hoverMessage: walk === undefined ? "" : hoverOf(step, stepLabel(walk.chain, index)),
      });
      const current = here.filter(isCurrent);
      editor.setDecorations(this.step, here.filter((each) => !isCurrent(each)).map(options));
      editor.setDecorations(this.currentStep, current.map(options));
      editor.setDecorations(
        this.label,
        current.map((each) => {
          const { start, end } = options(each).range;
          const text = walk === undefined ? "" : ` ${stepLabel(walk.chain, each.index)} `;
          const label = { contentText: text.replaceAll(" ", "\u00a0") };
          // Behind a word, but before what may end out of sight.
          const isShort = start.line === end.line && end.character - start.character <= MAX_SHORT;
          return isShort
            ? {
                range: new vscode.Range(end, end),
                renderOptions: { after: { ...label, ...BADGE } },
              }
            : {
                range: new vscode.Range(start, start),
                renderOptions: { before: { ...label, ...BADGE } },
              };
        }),
      );
    }
  }
}

function hoverOf({ why }: Step, label: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendText(why === "" ? label : `${label}: ${why}`);
  return text;
}

/** A mark in the theme colours `<name>Background` and `<name>Border`. */
function markOf(name: string, ruler?: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor(`${name}Background`),
    borderColor: new vscode.ThemeColor(`${name}Border`),
    borderStyle: "solid",
    borderWidth: "1px",
    overviewRulerColor: new vscode.ThemeColor(ruler ?? `${name}Border`),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}
