/**
 * What a person sees of the editor, and what they do: hints, lenses, hovers, squiggles, trees, lists,
 * the keyboard and the mouse.
 *
 * Only what is in view is in the page, so texts are looked for after they were scrolled to. Everything
 * is awaited by asking again (`until`); nothing sleeps for a guess.
 *
 * Invariant: what depends on how the editor draws its page is in this file.
 */

import { setTimeout as sleep } from "node:timers/promises";

import type { Page } from "playwright-core";

// Long enough for a busy machine; only a failure takes so long.
const WAIT_MS = 90_000;
/** For so long the pointer rests before it is moved again. */
const REST_MS = 4000;
const SETTLED_MS = 400;
/** What a line has above and below its letters. */
const EDGE = 3;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Row {
  readonly label: string;
  readonly description: string;
  readonly level: number;
  /** What a screen reader says. */
  readonly spoken: string;
  readonly expanded: boolean | undefined;
}

/** Asks again until there is an answer that is not empty, and says for what it has waited in vain. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | false | undefined | null | "">,
  milliseconds = WAIT_MS,
): Promise<T> {
  const limit = Date.now() + milliseconds;
  for (;;) {
    let problem = "";
    try {
      const found = await probe();
      if (found !== false && found !== undefined && found !== null && found !== "") {
        return found;
      }
    } catch (error) {
      problem = ` (${error instanceof Error ? error.message : String(error)})`;
    }
    if (Date.now() > limit) {
      throw new Error(`Not seen within ${milliseconds / 1000} s: ${what}${problem}`);
    }
    await sleep(40);
  }
}

const OURS = "conflens.conflens.conflens.status";

export class Workbench {
  constructor(
    readonly page: Page,
    readonly origin: string,
    private readonly folder: string,
  ) {}

  // -- files ---------------------------------------------------------------------------------------

  /** Loads the page, with a file if one is named. */
  async load(file?: string): Promise<void> {
    const query = new URLSearchParams({ folder: this.folder });
    if (file !== undefined) {
      const authority = this.origin.replace("http://", "");
      const uri = `vscode-remote://${authority}${this.folder}/${file}`;
      query.set("payload", JSON.stringify([["openFile", uri]]));
    }
    await this.page.goto(`${this.origin}/?${query.toString()}`, { waitUntil: "commit" });
    const first = file === undefined ? ".monaco-workbench .part.statusbar" : ".view-line";
    await this.page.locator(first).first().waitFor({ timeout: 60_000 });
  }

  /** Opens a file by its path, or shows a line of it. */
  async open(file: string, line?: number): Promise<void> {
    const name = file.split("/").at(-1) ?? file;
    await this.page.keyboard.press("Control+P");
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await input.fill(file);
    await until(`${file} among the files`, async () => (await this.picks())[0]?.startsWith(name));
    if (line !== undefined) {
      await input.fill(`${file}:${line}`);
      await until(`line ${line} of ${file}`, async () => (await this.picks())[0]?.startsWith(name));
    }
    await this.page.keyboard.press("Enter");
    await until(`${name} in the editor`, async () => (await this.activeFile()) === name);
  }

  /** Throws away what was changed in the active file. */
  async revert(): Promise<void> {
    await this.command("File: Revert File");
    await until(
      "a file without changes",
      async () =>
        (await this.page.locator(".editor-group-container.active .tab.active.dirty").count()) === 0,
    );
  }

  async activeFile(): Promise<string> {
    const tab = this.page.locator(".editor-group-container.active .tab.active");
    return (await tab.count()) === 0
      ? ""
      : ((await tab.first().getAttribute("data-resource-name")) ?? "");
  }

  /** The line of the cursor, 1-based. */
  async cursorLine(): Promise<number> {
    const text = await this.page.locator('[id="status.editor.selection"]').innerText();
    return Number(/Ln (\d+)/.exec(text)?.[1] ?? 0);
  }

  // -- text ----------------------------------------------------------------------------------------

  /** The lines in view from top to bottom, with hints in them. */
  async lines(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".editor-instance .view-line")]
        .sort((left, right) => left.getBoundingClientRect().y - right.getBoundingClientRect().y)
        .map((line) => (line.textContent ?? "").replaceAll("\u00a0", " ")),
    );
  }

  /** Where a text of a line in view is drawn; `within` tells lines apart. */
  async place(text: string, within = ""): Promise<Box> {
    return until(`the text “${text}”`, () =>
      this.page.evaluate(
        ([wanted, around]) => {
          const plain = (value: string): string => value.replaceAll("\u00a0", " ");
          for (const line of document.querySelectorAll<HTMLElement>(
            ".editor-instance .view-line",
          )) {
            const whole = plain(line.textContent ?? "");
            const start = whole.indexOf(wanted ?? "");
            if (start < 0 || !whole.includes(around ?? "")) {
              continue;
            }
            const range = document.createRange();
            const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            let offset = 0;
            let hasStart = false;
            for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
              const length = node.textContent?.length ?? 0;
              if (!hasStart && start < offset + length) {
                range.setStart(node, start - offset);
                hasStart = true;
              }
              const end = start + (wanted ?? "").length;
              if (hasStart && end <= offset + length) {
                range.setEnd(node, end - offset);
                const { x, y, width, height } = range.getBoundingClientRect();
                return { x, y, width, height };
              }
              offset += length;
            }
          }
          return undefined;
        },
        [text, within],
      ),
    );
  }

  async clickText(text: string, within?: string): Promise<void> {
    const { x, y, width, height } = await this.place(text, within);
    await this.page.mouse.click(x + width / 2, y + height / 2);
  }

  /** Inlay hints in view, whole: the parts of one are joined. */
  async hints(): Promise<string[]> {
    return this.page.evaluate(() => {
      const found: string[] = [];
      for (const line of document.querySelectorAll(".editor-instance .view-line > span")) {
        let text = "";
        for (const part of line.children) {
          if (part.className.includes("dyn-rule-")) {
            text += part.textContent ?? "";
          } else if (text !== "") {
            found.push(text);
            text = "";
          }
        }
        found.push(text);
      }
      return found
        .map((text) => text.replaceAll("\u00a0", " ").replaceAll("\u200d", "").trim())
        .filter((text) => text !== "");
    });
  }

  async lenses(): Promise<string[]> {
    const texts = await this.page
      .locator(".editor-instance .codelens-decoration a")
      .allInnerTexts();
    return texts.map(plain);
  }

  /** Clicks a lens, once the editor has drawn all of them: a lens that is drawn anew loses a click. */
  async lens(text: string): Promise<void> {
    const all = this.page.locator(".editor-instance .codelens-decoration");
    const drawn = (): Promise<string> =>
      all.evaluateAll((lenses) =>
        lenses.map((lens) => `${lens.getBoundingClientRect().y} ${lens.textContent}`).join("\n"),
      );
    await until("lenses that stay", async () => {
      const before = await drawn();
      await sleep(SETTLED_MS);
      return before !== "" && (await drawn()) === before;
    });
    await all.locator("a", { hasText: text }).first().click({ timeout: WAIT_MS });
  }

  /**
   * Rests the pointer on a text until the hover says something that fits. An answer that came before
   * the server had one is asked for again by moving the pointer, as a person does.
   */
  async hover(text: string, wanted: RegExp, within?: string): Promise<string> {
    let moved = 0;
    return until(`a hover with ${wanted}`, async () => {
      if (Date.now() - moved > REST_MS) {
        // On a slow machine the hover of another line may open on the way there, and cover the text.
        await this.rest();
        const { x, y, width, height } = await this.place(text, within);
        await this.page.mouse.move(x + width / 2 - 1, y + height / 2);
        await this.page.mouse.move(x + width / 2, y + height / 2);
        moved = Date.now();
      }
      const texts = await this.page.locator(".monaco-hover:visible").allInnerTexts();
      return texts.map(plain).find((found) => wanted.test(found));
    });
  }

  /** Takes the pointer away, so that no hover is open. */
  async rest(): Promise<void> {
    await this.page.mouse.move(2, 2);
    await until(
      "no hover",
      async () => (await this.page.locator(".monaco-hover:visible").count()) === 0,
    );
  }

  /** The lines in view that are tinted as hot, with the width of their bar in pixels. */
  async hotLines(): Promise<{ readonly text: string; readonly bar: number }[]> {
    return this.page.evaluate(() => {
      const lines = [...document.querySelectorAll<HTMLElement>(".editor-instance .view-line")];
      return (
        [...document.querySelectorAll<HTMLElement>(".editor-instance .view-overlays .cdr")]
          .filter((mark) => /\bced-/.test(mark.className))
          .map((mark) => ({ mark, style: getComputedStyle(mark) }))
          // The mark of a step has a border all around.
          .filter(({ style }) => style.borderLeftWidth !== "0px" && style.borderTopWidth === "0px")
          .map(({ mark, style }) => {
            const { y } = mark.getBoundingClientRect();
            const line = lines.find((each) => Math.abs(each.getBoundingClientRect().y - y) < 4);
            return {
              text: (line?.textContent ?? "").replaceAll("\u00a0", " ").trim(),
              bar: Number.parseFloat(style.borderLeftWidth),
            };
          })
      );
    });
  }

  /** Squiggles in view, of one severity. */
  async squiggles(severity: "error" | "warning" | "info" | "hint"): Promise<number> {
    return this.page.locator(`.editor-instance .view-overlays .squiggly-${severity}`).count();
  }

  /** The title of the peek view that is open, with the file it shows. */
  async peeked(): Promise<string> {
    const title = this.page.locator(".peekview-widget:visible .peekview-title");
    return (await title.count()) === 0 ? "" : plain(await title.first().innerText());
  }

  /** Presses keys one after the other. */
  async type(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** The part of the editor from a line to another, with line numbers and the lens above the first. */
  async code(first: string, last: string, width: number): Promise<Box> {
    const { x } = await this.shownBox(".editor-instance .monaco-editor");
    const [top, bottom] = [await this.place(first), await this.place(last)];
    const lenses = this.page.locator(".editor-instance .codelens-decoration");
    const boxes = await lenses.evaluateAll((all) =>
      all.map((lens) => lens.getBoundingClientRect().y),
    );
    const lens = boxes.find((each) => each < top.y && each > top.y - 2 * top.height);
    const y = (lens ?? top.y) - EDGE;
    return { x, y, width, height: bottom.y + bottom.height + EDGE - y };
  }

  /** Where something is drawn that a selector finds, once it stays there. */
  async shownBox(selector: string): Promise<Box> {
    const found = this.page.locator(selector).first();
    return until(`a place of ${selector}`, async () => {
      const before = await found.boundingBox();
      await sleep(SETTLED_MS);
      const now = await found.boundingBox();
      return JSON.stringify(before) === JSON.stringify(now) && now;
    });
  }

  // -- lists ---------------------------------------------------------------------------------------

  /**
   * Runs a command by its title, as it stands in the palette. The palette closes when something else
   * takes the focus, which an editor that is still starting does; it is opened again, as a person does.
   */
  async command(title: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input[type=text]");
    const row = this.page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ has: this.page.locator(".label-name").getByText(title, { exact: true }) });
    await until(`the command “${title}”`, async () => {
      if (!(await input.isVisible())) {
        await this.page.keyboard.press("F1");
        await input.waitFor({ state: "visible", timeout: REST_MS });
      }
      await input.fill(`>${title}`, { timeout: REST_MS });
      await row.first().waitFor({ state: "visible", timeout: REST_MS });
      return true;
    });
    await row.first().click({ timeout: WAIT_MS });
  }

  /** The rows of the list that is open at the top, each with its description. */
  async picks(): Promise<string[]> {
    const rows = this.page.locator(
      ".quick-input-widget:visible .quick-input-list .monaco-list-row",
    );
    return (await rows.allInnerTexts()).map((text) => plain(text).replaceAll("\n", " · "));
  }

  /** Types into the box that is open at the top. */
  async fill(text: string): Promise<void> {
    await this.page.locator(".quick-input-widget:visible input[type=text]").fill(text);
  }

  /** Rows of the suggestions at the cursor. */
  async suggestions(): Promise<string[]> {
    const rows = this.page.locator(".suggest-widget.visible .monaco-list-row .label-name");
    return (await rows.allInnerTexts()).map(plain);
  }

  /** Rows of a menu: code actions, or a context menu. */
  async menu(): Promise<string[]> {
    const rows = this.page.locator(
      ".action-widget .monaco-list-row.action, .context-view .action-item:not(.disabled) .action-label",
    );
    return (await rows.allInnerTexts()).map(plain).filter((text) => text !== "");
  }

  /**
   * Awaits an action at the cursor. A menu that was opened before the server had the action is opened
   * again, as a person does.
   */
  async awaitAction(title: string): Promise<void> {
    await until(`the action “${title}”`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+.");
      const limit = Date.now() + REST_MS;
      while (Date.now() < limit) {
        if ((await this.menu()).includes(title)) {
          return true;
        }
        await sleep(40);
      }
      return false;
    });
  }

  async chooseFromMenu(text: string): Promise<void> {
    await until(`“${text}” in the menu`, async () => (await this.menu()).includes(text));
    await this.page
      .locator(".action-widget .monaco-list-row.action, .context-view .action-item")
      .filter({ hasText: text })
      .first()
      .click();
  }

  /** The text of the page that is open as a preview, once it fits. */
  async preview(wanted: RegExp): Promise<string> {
    return until(`a page with ${wanted}`, async () => {
      for (const frame of this.page.frames()) {
        const body = frame.locator("body.vscode-body");
        if ((await body.count()) > 0) {
          const text = plain(await body.first().innerText());
          if (wanted.test(text)) {
            return text;
          }
        }
      }
      return undefined;
    });
  }

  /** The upper part of such a page. */
  async previewBox(height: number): Promise<Box> {
    const box = await this.shownBox(".editor-group-container.active .editor-container");
    return { ...box, height: Math.min(box.height, height) };
  }

  /** The changes that a rename previews, once there are more than `least`, as far as they are in view. */
  async changes(least: number): Promise<string[]> {
    return until("the changes", async () => {
      const rows = await this.page.locator(".bulk-edit-panel .monaco-list-row").allInnerTexts();
      return rows.length > least && rows.map(plain);
    });
  }

  /** Ticks all changes of each file, named in the order of the list, and applies what is ticked. */
  async applyChanges(...files: readonly string[]): Promise<void> {
    const panel = this.page.locator(".bulk-edit-panel");
    for (const file of files) {
      const row = panel.locator(".monaco-list-row", { hasText: file }).first();
      await until(`the changes of ${file}`, async () => {
        if ((await row.count()) > 0) {
          return true;
        }
        await panel.locator(".monaco-list").hover();
        await this.page.mouse.wheel(0, 40);
        return false;
      });
      await row.locator(".monaco-checkbox, input").first().click();
    }
    await panel.locator(".monaco-button", { hasText: "Apply" }).click();
  }

  // -- around the editor ---------------------------------------------------------------------------

  /** What the status bar says of an item, whose id is that of the extension and its own. */
  async status(id: string): Promise<string> {
    const item = this.page.locator(`[id="${id}"]`);
    return (await item.count()) === 0 ? "" : plain(await item.first().innerText());
  }

  /** Our own item in the status bar. */
  ours(): Promise<string> {
    return this.status(OURS);
  }

  /** Does something, and awaits that our own item has said something since, however briefly. */
  async awaitOursAfter(work: () => Promise<void>, wanted: RegExp): Promise<void> {
    const said = await this.page.evaluateHandle((id) => {
      const texts: string[] = [];
      const bar = document.querySelector(".part.statusbar");
      new MutationObserver(() => {
        texts.push(document.getElementById(id)?.innerText ?? "");
      }).observe(bar ?? document.body, {
        attributes: true,
        characterData: true,
        childList: true,
        subtree: true,
      });
      return texts;
    }, OURS);
    await work();
    await until(`${wanted} in the status bar, if only for a moment`, async () =>
      (await said.jsonValue()).some((text) => wanted.test(plain(text))),
    );
  }

  /** Awaits that our own item says something, such as how many options there are. */
  async awaitOurs(wanted: RegExp, milliseconds?: number): Promise<string> {
    return until(
      `${wanted} in the status bar`,
      async () => {
        const text = await this.ours();
        return wanted.test(text) && text;
      },
      milliseconds,
    );
  }

  async toasts(): Promise<string[]> {
    const texts = this.page.locator(".notifications-toasts .notification-list-item-message");
    return (await texts.allInnerTexts()).map(plain);
  }

  toastButton(text: string): Promise<void> {
    return this.page
      .locator(".notifications-toasts .monaco-button", { hasText: text })
      .first()
      .click({ timeout: WAIT_MS });
  }

  /** The labels of a notification's buttons. */
  async toastButtons(): Promise<string[]> {
    const buttons = this.page.locator(
      ".notifications-toasts .notification-list-item .monaco-button",
    );
    return (await buttons.allInnerTexts()).map(plain).filter((text) => text !== "");
  }

  private ourIcon(): ReturnType<Page["locator"]> {
    return this.page.locator(".part.activitybar .action-item", {
      has: this.page.locator('.action-label[aria-label^="ConfLens"]'),
    });
  }

  /** The number on our icon; empty without one. */
  async badge(): Promise<string> {
    const badge = this.ourIcon().locator(".badge-content");
    return (await badge.count()) === 0 ? "" : plain(await badge.first().innerText());
  }

  /** Shows our views in the side bar. */
  async showViews(): Promise<void> {
    const title = this.page.locator(".part.sidebar .composite.title h2");
    if (!(await title.allInnerTexts()).some((text) => /^conflens/i.test(text))) {
      // Not the label, over which a number may lie.
      await this.ourIcon().click();
    }
    await until("our views", async () =>
      (await title.allInnerTexts()).some((text) => /^conflens/i.test(text)),
    );
  }

  /** Makes the side bar wider, or narrower, by pulling at its edge. */
  async widenViews(by: number): Promise<void> {
    const { x, y, width, height } = await this.shownBox(".part.sidebar");
    await this.page.mouse.move(x + width, y + height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(x + width + by, y + height / 2, { steps: 4 });
    await this.page.mouse.up();
    await this.rest();
  }

  /** The rows of one of our trees that are in view. */
  async rows(view: string): Promise<Row[]> {
    const rows = this.view(view).locator(".monaco-list-row");
    return rows.evaluateAll((elements) =>
      elements.map((element) => {
        const text = (selector: string): string =>
          (element.querySelector(selector)?.textContent ?? "").replaceAll("\u00a0", " ");
        const expanded = element.getAttribute("aria-expanded");
        return {
          label: text(".label-name"),
          description: text(".label-description"),
          level: Number(element.getAttribute("aria-level")),
          spoken: element.getAttribute("aria-label") ?? "",
          expanded: expanded === null ? undefined : expanded === "true",
        };
      }),
    );
  }

  /** A row of a tree, by the text of its label. */
  row(view: string, label: string): ReturnType<Page["locator"]> {
    return this.view(view)
      .locator(".monaco-list-row")
      .filter({ has: this.page.locator(".label-name", { hasText: label }) })
      .first();
  }

  /** Presses one of the buttons that a row shows under the pointer. */
  async pressInRow(view: string, label: string, button: string): Promise<void> {
    await this.row(view, label).hover({ timeout: WAIT_MS });
    await this.row(view, label)
      .locator(`.action-label[aria-label^="${button}"]`)
      .click({ timeout: WAIT_MS });
  }

  /** Opens or closes one of our views. */
  async foldView(name: string): Promise<void> {
    const header = this.view(name).locator(".pane-header");
    const before = await header.getAttribute("aria-expanded");
    await header.click({ timeout: WAIT_MS });
    await until(
      `${name} folded`,
      async () => (await header.getAttribute("aria-expanded")) !== before,
    );
  }

  /** The part of the side bar that a tree and its title lie in. */
  view(name: string): ReturnType<Page["locator"]> {
    return this.page.locator(".part.sidebar .pane").filter({
      has: this.page.locator(`.pane-header[aria-label^="${name} "]`),
    });
  }
}

function plain(text: string): string {
  return text.replaceAll("\u00a0", " ").replaceAll("\u200d", "").trim();
}
