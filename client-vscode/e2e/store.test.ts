/**
 * Java code and config files of a service: hints, hovers, squiggles with fixes, completion, lenses,
 * and the tree of options.
 */

import * as assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { after, before, describe, it } from "node:test";

import { Editor } from "./editor.js";
import { until } from "./page.js";
import { around, picture } from "./pictures.js";
import { store } from "./projects.js";

/** What makes an option sensitive is learnt once, on a busy machine for a while. */
const LEARNT_MS = 180_000;
const CONFIG = "conf/store.properties";

describe("code and config files", () => {
  let editor: Editor;
  let folder = "";

  before(async () => {
    folder = store("store");
    editor = await Editor.open({
      name: "store",
      folder,
      file: "src/org/example/store/StoreConfig.java",
      viewport: { width: 1360, height: 800 },
    });
  });

  after(() => editor.close());

  it("says behind a read what its option does to performance", () =>
    editor.during(async (workbench) => {
      const hints = await until(
        "an effect",
        async () => {
          const found = await workbench.hints();
          return found.some((text) => text.startsWith("bounds ")) && found;
        },
        LEARNT_MS,
      );
      assert.ok(hints.includes("bounds how many elements are collected"), hints.join("\n"));
      await until("the status", async () => (await workbench.ours()) === "ConfLens: 29 options");
    }));

  it("shows one annotation on the line of the cursor only, if that is set", () =>
    editor.during(async (workbench) => {
      const settings = path.join(folder, ".vscode", "settings.json");
      mkdirSync(path.dirname(settings));
      writeFileSync(settings, JSON.stringify({ "conflens.annotations.show": "currentLine" }));
      await workbench.open("StoreConfig.java", 30);
      await until(
        "the hint of the line",
        async () => (await workbench.hints()).join() === "bounds how many elements are collected",
      );
      await workbench.type("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
      await until("no hint", async () => (await workbench.hints()).length === 0);
      await workbench.open(CONFIG, 8);
      await until(
        "the words of a lens as a hint",
        async () => (await workbench.hints()).join() === "sizes a thread pool · 1 read",
      );
      assert.deepEqual(await workbench.lenses(), []);
      writeFileSync(settings, "{}");
      await until("lenses", async () => (await workbench.lenses()).length > 1);
      await until("no hints", async () => (await workbench.hints()).length === 0);
      await workbench.open("StoreConfig.java", 30);
      await until("all hints", async () => (await workbench.hints()).length > 1);
    }));

  it("counts on its icon what to document, although its view was never open", () =>
    editor.during(async (workbench) => {
      await until("a badge", async () => /^[1-9]\d?$/.test(await workbench.badge()), LEARNT_MS);
    }));

  it("tells in a hover what an option does", () =>
    editor.during(async (workbench) => {
      await workbench.open("StoreConfig.java", 30);
      const text = await workbench.hover(
        "store.batch.size",
        /store\.batch\.size · system property/,
      );
      assert.match(text, /Affects performance: it bounds how many elements are collected/);
      assert.match(text, /Default 64\./);
      assert.match(text, /Documented in store\.properties:11\./);
      const code = await workbench.code("static StoreConfig from", "config.batch", 970);
      const hover = await workbench.shownBox(".monaco-hover:visible");
      await picture(workbench, "walkthrough-hover", around([code, hover]));
      await workbench.rest();
    }));

  it("leads from a config file to the read", () =>
    editor.during(async (workbench) => {
      await workbench.open(CONFIG);
      const lens = "sizes a thread pool · 1 read";
      await until("a lens", async () => (await workbench.lenses()).includes(lens));
      await workbench.lens(lens);
      await until("the read", async () => (await workbench.peeked()).includes("Service.java"));
      await workbench.page.keyboard.press("Enter");
      await until("a jump", async () => (await workbench.activeFile()) === "Service.java");
      await until("line 41", async () => (await workbench.cursorLine()) === 41);
    }));

  it("underlines a typo in a config file, and fixes it", () =>
    editor.during(async (workbench) => {
      await workbench.open(CONFIG, 9);
      await workbench.type("End", ...Array<string>(6).fill("ArrowLeft"), "Backspace");
      await until("a squiggle", async () => (await workbench.squiggles("warning")) === 1);
      const text = await workbench.hover("strips", /Did you mean/);
      assert.match(text, /Unknown option 'store\.lock\.strips'\. Did you mean 'stripes'\?/);
      const code = await workbench.code("store.workers", "store.journal.sync", 640);
      const hover = await workbench.shownBox(".monaco-hover:visible");
      await picture(workbench, "walkthrough-config", around([code, hover]));
      await workbench.rest();
      await workbench.awaitAction("Change to store.lock.stripes");
      await workbench.chooseFromMenu("Change to store.lock.stripes");
      await until("no squiggle", async () => (await workbench.squiggles("warning")) === 0);
      assert.equal((await workbench.lines())[8], "store.lock.stripes = 32");
    }));

  it("underlines a value that its option cannot take", () =>
    editor.during(async (workbench) => {
      await workbench.open(CONFIG, 8);
      await workbench.type("End", "Backspace");
      await workbench.page.keyboard.type("eight");
      await until("a squiggle", async () => (await workbench.squiggles("warning")) === 1);
      const text = await workbench.hover("eight", /eight/);
      assert.match(text, /"eight" is not a whole number/);
      await workbench.rest();
      await workbench.revert();
    }));

  it("completes keys and values in a config file", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      await workbench.open(CONFIG, 17);
      await workbench.type("End", "Enter");
      await page.keyboard.type("store.che");
      // The list that opened at the dot narrows as more is typed.
      const keys = await until("the key that was begun", async () => {
        const found = await workbench.suggestions();
        return found[0] === "store.checksum.reads" && found;
      });
      // A key that is set already is not offered again.
      assert.ok(!keys.includes("store.cache.entries"), keys.join(" "));
      const list = await workbench.shownBox(".suggest-widget.visible .monaco-list-row");
      const code = await workbench.code("store.journal.sync", "store.validation", 680);
      await picture(workbench, "completion", around([code, list]));
      await page.keyboard.press("Enter");
      const line = await until("the key", async () =>
        (await workbench.lines()).find((text) => text.startsWith("store.checksum.reads")),
      );
      if (!line.includes("=")) {
        await page.keyboard.type(" = ");
      }
      await workbench.type("Control+Space");
      const values = await until("values", async () => {
        const found = await workbench.suggestions();
        return found.includes("false") && found;
      });
      assert.deepEqual(values.slice(0, 2), ["false", "true"]);
      await page.keyboard.press("Escape");
      await workbench.revert();
    }));

  it("marks an option by an action as sensitive or not", () =>
    editor.during(async (workbench) => {
      await workbench.open("StoreConfig.java", 33);
      await workbench.clickText("store.history.length");
      const title = "Mark store.history.length as performance-sensitive";
      await workbench.awaitAction(title);
      const code = await workbench.code("config.writeBuffer", "return config;", 970);
      const menu = await workbench.shownBox(".action-widget");
      await picture(workbench, "action", around([code, menu]));
      await workbench.chooseFromMenu(title);
      const line = /settings\.number\("store\.history\.length", 4\)[a-z]+ /;
      await until("the verdict", async () =>
        (await workbench.lines()).some((text) => line.test(text.replaceAll(/\u200d| {2,}/g, ""))),
      );
    }));

  it("lists the options of the project in a tree", () =>
    editor.during(async (workbench) => {
      await workbench.open("StoreConfig.java", 30);
      await workbench.showViews();
      const rows = await until("options", async () => {
        const found = await workbench.rows("Options");
        return found.length > 8 && found;
      });
      const row = rows.find(({ label }) => label === "store.batch.size");
      assert.equal(row?.description, "= 64");
      assert.match(row?.spoken ?? "", /^store\.batch\.size, performance-sensitive, /);
      await workbench.foldView("Diagnosis");
      await workbench.foldView("Snapshots");
      await workbench.command("ConfLens: Sort Options by Name");
      await until(
        "the order of names",
        async () => (await workbench.rows("Options"))[0]?.label === "store.banner",
      );
      await workbench.command("ConfLens: Sort Options by Sensitivity");
      const first = await until("the sensitive ones first", async () => {
        const [top] = await workbench.rows("Options");
        return top?.spoken.includes("performance-sensitive") === true && top;
      });
      await workbench.rest();
      const views = await workbench.shownBox(".part.sidebar");
      const last = await workbench
        .view("Options")
        .locator(".monaco-list-row")
        .nth(15)
        .boundingBox();
      assert.ok(last !== null);
      const height = last.y + last.height - views.y;
      await picture(workbench, "walkthrough-options", { ...views, height });
      await workbench.row("Options", first.label).click();
      await until("the read", async () =>
        (await workbench.lines()).some((line) => line.includes(`"${first.label}"`)),
      );
    }));

  it("finds an option in the tree", () =>
    editor.during(async (workbench) => {
      await workbench.command("ConfLens: Filter Options…");
      await until(
        "the filter",
        async () => (await workbench.page.locator(".quick-input-widget:visible").count()) > 0,
      );
      await workbench.fill("log");
      await workbench.page.keyboard.press("Enter");
      await until("three options", async () => {
        const labels = (await workbench.rows("Options")).map(({ label }) => label);
        return labels.length === 3 && labels.every((label) => label.includes("log"));
      });
      await workbench.command("ConfLens: Show All Options");
      await until("all options", async () => (await workbench.rows("Options")).length > 8);
    }));

  it("tells in a page where an option's value goes", () =>
    editor.during(async (workbench) => {
      await workbench.open("StoreConfig.java", 26);
      await workbench.clickText("store.write.buffer");
      await workbench.command("ConfLens: Show Flows of Option");
      assert.match(await workbench.preview(/store\.write\.buffer/), /memory/);
      await picture(workbench, "flows", await workbench.previewBox(520));
    }));

  it("tells in a page what the index is and what it costs", () =>
    editor.during(async (workbench) => {
      await workbench.command("ConfLens: Show Status");
      assert.match(await workbench.preview(/29 options/), /\d+ MB/);
    }));

  it("adds an entry for an undocumented option as soon as that is chosen", () =>
    editor.during(async (workbench) => {
      await workbench.open("EventLog.java");
      await until("its mark", async () => (await workbench.squiggles("hint")) > 0);
      await workbench.clickText("store.log.prefix");
      const title = "Add an entry for store.log.prefix to store.properties";
      await workbench.awaitAction(title);
      await workbench.chooseFromMenu(title);
      // It is in the file at once, with nothing to confirm; saving is left to the user, as of any edit.
      await workbench.open(CONFIG);
      await workbench.type("Control+End");
      await until("the entry", async () =>
        (await workbench.lines()).some((line) => line.startsWith("#store.log.prefix = store")),
      );
      await workbench.revert();
    }));

  it("offers flows in the context menu of this remote window", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      await workbench.open("StoreConfig.java", 30);
      const { x, y, width, height } = await workbench.place("store.batch.size");
      await page.mouse.click(x + width / 2, y + height / 2, { button: "right" });
      await until("the entry", async () =>
        (await workbench.menu()).includes("Show Flows of Option"),
      );
      await page.keyboard.press("Escape");
    }));
});
