/**
 * Profiles of a good and of a slow run: import, choice of sides, hot lines, hotspots, the path from
 * an option to a hotspot, and all of it hidden and shown again.
 */

import * as assert from "node:assert/strict";
import { utimesSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { after, before, describe, it } from "node:test";

import { Editor } from "./editor.js";
import { until, type Box, type Workbench } from "./page.js";
import { picture } from "./pictures.js";
import { store } from "./projects.js";

const FOLDER = "profile";
const CHAIN = "conflens.conflens.conflens.chain";

describe("profiles", () => {
  let editor: Editor;
  let folder = "";

  before(async () => {
    folder = store(FOLDER);
    editor = await Editor.open({
      name: FOLDER,
      folder,
      file: "src/org/example/store/Compressor.java",
      viewport: { width: 1400, height: 960 },
    });
  });

  after(() => editor.close());

  it("says in empty views what to do next", () =>
    editor.during(async (workbench) => {
      await workbench.awaitOurs(/^ConfLens: 29 options$/);
      await workbench.showViews();
      for (const [view, text] of [
        ["Diagnosis", "import a profiler snapshot"],
        ["Snapshots", "Import Profiler Snapshots"],
      ] as const) {
        const welcome = workbench.view(view).locator(".welcome-view-content");
        await until(`what to do in ${view}`, async () =>
          (await welcome.allInnerTexts()).join(" ").includes(text),
        );
      }
    }));

  it("leads the hotspots of one run with work, not with threads that are idle", () =>
    editor.during(async (workbench) => {
      const file = path.join(folder, "profiles", "idle.json");
      writeFileSync(file, JSON.stringify(recording()));
      await importRun(workbench, file);
      const rows = await until("hotspots", async () => {
        const found = await workbench.rows("Diagnosis");
        return found.some(({ label }) => label === "Inflater.inflate") && found;
      });
      assert.ok(!rows.some(({ label }) => /sleep|follow/.test(label)), JSON.stringify(rows));
      await workbench.pressInRow("Snapshots", "idle.json", "Remove");
      await until("no run", async () => (await workbench.rows("Snapshots")).length === 0);
    }));

  it("compares two imported runs at once, and swaps them on request", () =>
    editor.during(async (workbench) => {
      await workbench.foldView("Options");
      await workbench.widenViews(190);
      for (const name of ["good.cpu.collapsed", "slow.cpu.collapsed"]) {
        await importRun(workbench, path.join(folder, "profiles", name));
      }
      // Its content is the same, so that it has not changed since the run.
      const now = new Date();
      utimesSync(path.join(folder, "src/org/example/store/Compressor.java"), now, now);
      const comparing =
        /^Comparing slow\.cpu\.collapsed \(slow run, .* with good\.cpu\.collapsed \(baseline/;
      await until("the comparison", async () =>
        (await workbench.toasts()).some((toast) => comparing.test(toast)),
      );
      const sides = async (): Promise<string> =>
        (await workbench.rows("Snapshots")).map(({ label }) => label).join(" ");
      const compared = "Baseline good.cpu.collapsed Slow run slow.cpu.collapsed";
      await until("both sides", async () => (await sides()) === compared);
      await workbench.toastButton("Swap");
      await until("the sides swapped", async () =>
        (await sides()).startsWith("Baseline slow.cpu.collapsed Slow run good.cpu.collapsed"),
      );
      await workbench.pressInRow("Snapshots", "good.cpu", "Use as Baseline");
      await until("the baseline", async () =>
        (await sides()).startsWith("Baseline good.cpu.collapsed"),
      );
      await workbench.pressInRow("Snapshots", "slow.cpu", "Use as Slow Run");
      const text = await until("a diagnosis", async () => {
        const shown = await workbench.view("Snapshots").innerText();
        return shown.includes("costs 474 % more CPU time") && shown;
      });
      assert.match(text, /Likely cause: store\.index\.enabled \(all of the\s+added CPU time/);
      await until("both snapshots", async () => (await workbench.rows("Snapshots")).length === 4);
      await workbench.rest();
      const box = await workbench.view("Snapshots").boundingBox();
      assert.ok(box !== null);
      const last = await workbench.row("Snapshots", "slow.cpu").boundingBox();
      assert.ok(last !== null);
      await picture(workbench, "snapshots", {
        ...box,
        height: Math.min(box.height, last.y + last.height + 12 - box.y),
      });
    }));

  it("marks hot lines and says above a hot method what is behind it", () =>
    editor.during(async (workbench) => {
      await workbench.open("Compressor.java", 37);
      const lens = await until("a lens with an option", async () =>
        (await workbench.lenses()).find((text) => text.includes("store.index.enabled")),
      );
      assert.equal(lens, "85 % CPU (681 of 803 samples), new · likely cause: store.index.enabled");
      const hot = await until("a hot line", async () => {
        const lines = await workbench.hotLines();
        return lines.length >= 4 && lines;
      });
      const hottest = hot.filter(({ bar }) => bar === 5).map(({ text }) => text);
      assert.ok(
        hottest.some((text) => text.startsWith("filled += inflater.inflate(")),
        hottest.join("\n"),
      );
      assert.ok((await workbench.hints()).some((text) => text.includes("% CPU")));
    }));

  it("lists the likely causes above the hotspots, each with an icon of its own", () =>
    editor.during(async (workbench) => {
      const rows = await until("hotspots", async () => {
        const found = await workbench.rows("Diagnosis");
        return found.some(({ label }) => label === "Inflater.inflate") && found;
      });
      const labels = rows.map(({ label }) => label);
      assert.deepEqual(labels.slice(0, 2), ["Likely Causes", "store.index.enabled"]);
      assert.ok(labels.indexOf("Hotspots") > 1, labels.join("\n"));
      const hotspot = rows.find(({ label }) => label === "Inflater.inflate");
      assert.equal(hotspot?.description, "84 % CPU (672 of 803 samples), new");
      assert.match(
        hotspot?.spoken ?? "",
        /^Inflater\.inflate, 84 % CPU \(672 of 803 samples\), new, 1 option/,
      );
      const icons = (label: string, icon: string): Promise<number> =>
        workbench.row("Diagnosis", label).locator(`.codicon-${icon}`).count();
      assert.equal(await icons("store.index.enabled", "settings"), 1);
      assert.equal(await icons("Inflater.inflate", "flame"), 1);
      await workbench.row("Diagnosis", "Inflater.inflate").locator(".monaco-tl-twistie").click();
      await until("the option behind it", async () =>
        (await workbench.rows("Diagnosis")).some(
          ({ label, level }) => level === 3 && label === "store.index.enabled",
        ),
      );
      await workbench.open("Compressor.java", 50);
      await until("a lens", async () => (await workbench.lenses()).length > 0);
      await workbench.foldView("Snapshots");
      await workbench.rest();
      await picture(workbench, "walkthrough-hotspots", await withCode(workbench, "return raw;"));
      await workbench.foldView("Snapshots");
    }));

  it("goes through the path from the option to the hotspot, step by step", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      await workbench.foldView("Options");
      await workbench.lens("store.index.enabled");
      await until("the first step", async () => (await workbench.status(CHAIN)).startsWith("1/9 "));
      await until("the read", async () => (await workbench.activeFile()) === "StoreConfig.java");
      await until("line 32", async () => (await workbench.cursorLine()) === 32);
      const steps = await until("the path", async () => {
        const rows = await workbench.rows("Path");
        return rows.length === 9 && rows;
      });
      // All steps are in sight at once, although other views are open.
      const pane = await workbench.shownBox(
        '.part.sidebar .pane:has(.pane-header[aria-label^="Path "])',
      );
      const last = await workbench.row("Path", steps[8]?.label ?? "").boundingBox();
      assert.ok(last !== null && last.y + last.height <= pane.y + pane.height + 1);
      assert.match(
        steps[3]?.spoken ?? "",
        /^Step 4 of 9, .*the branch controls whether the call below runs\.$/,
      );
      assert.match(steps[8]?.label ?? "", /hotspot/);
      const wanted = ["StoreConfig.java", "Store.java", "Store.java"];
      for (const [index, file] of wanted.entries()) {
        await page.keyboard.press("F4");
        await until(`step ${index + 2}`, async () =>
          (await workbench.status(CHAIN)).startsWith(`${index + 2}/9 `),
        );
        await until(file, async () => (await workbench.activeFile()) === file);
      }
      await until("line 174", async () => (await workbench.cursorLine()) === 174);
      await until("why it is a step", async () =>
        (await workbench.view("Path").innerText()).includes("4 of 9: The value is compared here"),
      );
      await workbench.rest();
      await picture(workbench, "path", await withCode(workbench, "found.add(entry.getKey());"));
      await page.keyboard.press("Shift+F4");
      await until("the step before", async () =>
        (await workbench.status(CHAIN)).startsWith("3/9 "),
      );
      await workbench.command("ConfLens: Close Chain");
      await until("no path", async () => (await workbench.status(CHAIN)) === "");
    }));

  it("hides everything in the editors, and shows it again", () =>
    editor.during(async (workbench) => {
      await workbench.open("Compressor.java", 37);
      await until(
        "marks",
        async () =>
          (await workbench.hotLines()).length > 0 &&
          (await workbench.lenses()).length > 0 &&
          (await workbench.hints()).length > 0,
      );
      await workbench.command("ConfLens: Toggle Annotations");
      await until(
        "no marks",
        async () =>
          (await workbench.hotLines()).length === 0 &&
          (await workbench.lenses()).length === 0 &&
          (await workbench.hints()).length === 0,
      );
      await until("the status", async () => (await workbench.ours()) === "ConfLens: hidden");
      await workbench.command("ConfLens: Toggle Annotations");
      await until(
        "marks again",
        async () =>
          (await workbench.hotLines()).length > 0 &&
          (await workbench.lenses()).length > 0 &&
          (await workbench.hints()).length > 0,
      );
    }));

  it("shows the diagnosis as a page", () =>
    editor.during(async (workbench) => {
      await workbench.command("ConfLens: Open Diagnosis Report");
      const page = await workbench.preview(/store\.index\.enabled/);
      assert.match(page, /costs 474 % more CPU time/);
      await picture(workbench, "diagnosis", await workbench.previewBox(560));
      // A source that was only written again does not make a run old.
      assert.equal(await workbench.view("Snapshots").locator(".codicon-warning").count(), 0);
    }));
});

async function importRun(workbench: Workbench, file: string): Promise<void> {
  const name = path.basename(file);
  await workbench.command("ConfLens: Import Profiler Snapshots…");
  await until("files", async () => (await workbench.picks()).length > 0);
  await workbench.fill(file);
  await until(name, async () => (await workbench.picks()).includes(name));
  await workbench.page.keyboard.press("Enter");
  await until(`${name} in the view`, async () =>
    (await workbench.rows("Snapshots")).some(({ label }) => label === name),
  );
}

type Frame = readonly [type: string, method: string, line: number];

/** A flight recording as `jfr print --json` writes it: a thread that mostly sleeps, and some work. */
function recording(): object {
  const frame = ([type, method, lineNumber]: Frame): object => ({
    method: { type: { name: type }, name: method, descriptor: "()V" },
    lineNumber,
    bytecodeIndex: 0,
    type: "Interpreted",
  });
  const events = (type: string, count: number, more: object, frames: readonly Frame[]): object[] =>
    Array.from({ length: count }, (_, index) => ({
      type,
      values: {
        startTime: new Date(Date.UTC(2026, 0, 1) + 20 * index).toISOString(),
        ...more,
        stackTrace: { truncated: false, frames: frames.map(frame) },
      },
    }));
  const thread: Frame = ["java/lang/Thread", "run", 840];
  return {
    recording: {
      events: [
        ...events("jdk.ThreadSleep", 400, { duration: "PT0.02S" }, [
          ["java/lang/Thread", "sleep", 450],
          ["org/example/store/ChangeFeed", "follow", 52],
          thread,
        ]),
        ...events("jdk.ExecutionSample", 100, { state: "STATE_RUNNABLE" }, [
          ["java/util/zip/Inflater", "inflate", 378],
          ["org/example/store/Compressor", "unpack", 44],
          ["org/example/store/Segments", "read", 66],
          thread,
        ]),
      ],
    },
  };
}

/** The views and the code beside them, down to a line. */
async function withCode(workbench: Workbench, last: string): Promise<Box> {
  const { x, y } = await workbench.shownBox(".part.sidebar");
  const line = await workbench.place(last);
  return { x, y, width: 1230, height: line.y + line.height + 3 - y };
}
