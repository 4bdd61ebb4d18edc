/**
 * A real project, Velocity: lenses above constants, and an option renamed in code, config files and
 * documents after its changes were looked at.
 */

import * as assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { after, before, describe, it } from "node:test";

import { Editor } from "./editor.js";
import { until } from "./page.js";
import { picture } from "./pictures.js";
import { published } from "./projects.js";

const RUNTIME = "org/apache/velocity/runtime";
const DEFAULTS = `${RUNTIME}/defaults/velocity.properties`;
const CONSTANTS = `${RUNTIME}/RuntimeConstants.java`;
const GUIDE = "docs/configuration.md";
const OLD = "parser.pool.size";
const NEW = "parser.pool.idle";

describe("a real project", () => {
  let editor: Editor;
  let folder = "";

  before(async () => {
    folder = published("velocity");
    mkdirSync(path.join(folder, "docs"));
    writeFileSync(
      path.join(folder, GUIDE),
      `# Configuration\n\n| Option | Default |\n|---|---|\n| \`${OLD}\` | 20 |\n`,
    );
    editor = await Editor.open({
      name: "velocity",
      folder,
      file: CONSTANTS,
      viewport: { width: 1280, height: 960 },
    });
  });

  after(() => editor.close());

  it("shows above constants how often an option is read and what it does", () =>
    editor.during(async (workbench) => {
      await workbench.awaitOurs(/^ConfLens: \d\d options$/, 60_000);
      await workbench.open(CONSTANTS, 90);
      await until("lenses", async () => {
        const found = await workbench.lenses();
        return (
          found.some((text) => / · \d+ reads in \d+ files$/.test(text)) &&
          found.some((text) => text.startsWith("controls "))
        );
      });
      const [first, last] = [
        "/** Maximum allowed number of loops. */",
        "String CHECK_EMPTY_OBJECTS",
      ];
      await picture(workbench, "lens", await workbench.code(first, last, 760));
    }));

  it("renames an option everywhere, after its changes were confirmed", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      const line = lineOf(path.join(folder, DEFAULTS), `${OLD} =`);
      await workbench.open(DEFAULTS, line);
      await workbench.hover(OLD, /parser\.pool\.size/, " = ");
      await workbench.rest();
      await workbench.clickText(OLD, " = ");
      await page.keyboard.press("F2");
      const box = page.locator(".rename-box:visible input");
      await box.waitFor();
      await box.fill(NEW);
      await page.keyboard.press("Enter");
      const changes = await workbench.changes(4);
      assert.ok(
        changes.some((text) => text.includes("configuration.md")),
        changes.join("\n"),
      );
      await picture(workbench, "rename", {
        ...(await workbench.shownBox(".part.panel")),
        width: 760,
      });
      // What stands in a document, or in a constant that others can use, is changed only if it is ticked.
      await workbench.applyChanges("configuration.md", path.basename(CONSTANTS));
      await workbench.command("File: Save All Files");
      await until("the new name in all files", async () =>
        [DEFAULTS, CONSTANTS, GUIDE].every((file) => read(folder, file).includes(NEW)),
      );
      assert.ok(!read(folder, GUIDE).includes(OLD));
      assert.match(read(folder, CONSTANTS), /String PARSER_POOL_SIZE = "parser\.pool\.idle";/);
    }));
});

function read(folder: string, file: string): string {
  return readFileSync(path.join(folder, file), "utf8");
}

function lineOf(file: string, start: string): number {
  return (
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((line) => line.startsWith(start)) + 1
  );
}
