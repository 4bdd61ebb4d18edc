/**
 * A workspace that is not trusted: no server before its owner says so.
 */

import * as assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Editor } from "./editor.js";
import { until } from "./page.js";
import { store } from "./projects.js";

describe("workspace trust", () => {
  let editor: Editor;

  before(async () => {
    editor = await Editor.open({
      name: "trust",
      folder: store("trust"),
      file: "src/org/example/store/StoreConfig.java",
      trust: true,
    });
  });

  after(() => editor.close());

  const servers = (): string[] =>
    editor
      .processes()
      .map(({ command }) => command)
      .filter((command) => /conflens.* serve/.test(command));

  it("starts no server in Restricted Mode", () =>
    editor.during(async (workbench) => {
      await until("the banner", async () =>
        (await workbench.page.locator(".part.banner").innerText()).includes("Restricted Mode"),
      );
      // By now extensions that may run here have been started: the editor's own colour the text.
      await until(
        "colours",
        async () => (await workbench.page.locator(".view-line .mtk6").count()) > 0,
      );
      assert.deepEqual(servers(), []);
      assert.equal(await workbench.ours(), "");
      assert.deepEqual(await workbench.hints(), []);
    }));

  it("starts it as soon as the workspace is trusted", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      await page.locator(".part.banner").getByText("Manage").click();
      await page
        .locator(".workspace-trust-editor")
        .getByRole("button", { name: "Trust", exact: true })
        .click();
      await page.keyboard.press("Escape");
      await workbench.awaitOurs(/^ConfLens: 29 options$/, 60_000);
      assert.equal(servers().length > 0, true);
      await until("hints", async () => (await workbench.hints()).length > 0);
    }));
});
