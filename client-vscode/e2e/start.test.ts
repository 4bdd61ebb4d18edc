/**
 * The first minutes: the extension is installed, there is no server. What is offered, what is built
 * after consent, and the walkthrough.
 *
 * The private environment is built as a user's is: pip fetches the libraries from the package index.
 */

import * as assert from "node:assert/strict";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import * as path from "node:path";
import { after, before, describe, it } from "node:test";

import type { Frame } from "playwright-core";

import { Editor } from "./editor.js";
import { until } from "./page.js";
import { IMAGES, PYTHON } from "./places.js";
import { store } from "./projects.js";

const REPOSITORY = "https://github.com/conflens/conflens";
const INSTALL_MS = 120_000;

describe("the first start", () => {
  let editor: Editor;

  before(async () => {
    editor = await Editor.open({
      name: "start",
      folder: store("start"),
      file: "src/org/example/store/StoreConfig.java",
      server: null,
      isFresh: true,
      environment: { PATH: pathWithoutServer() },
    });
  });

  after(() => editor.close());

  it("has pictures on its page", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      // Where the repository would be asked, the pictures of this tree answer.
      await page
        .context()
        .route(`${REPOSITORY}/raw/HEAD/client-vscode/images/*`, (route) =>
          route.fulfill({ path: path.join(IMAGES, path.basename(route.request().url())) }),
        );
      await workbench.command("Extensions: Show Installed Extensions");
      await page
        .locator(".extensions-viewlet .extension-list-item", { hasText: "ConfLens" })
        .click();
      await until("pictures", async () => {
        const widths = await Promise.all(page.frames().map(widthsOf));
        return widths.flat().length >= 5 && widths.flat().every((width) => width > 100);
      });
      await workbench.command("View: Close Editor");
    }));

  it("asks before it installs anything", () =>
    editor.during(async (workbench) => {
      const text = await until("the offer", async () =>
        (await workbench.toasts()).find((toast) =>
          toast.includes("ConfLens reads this project with a server"),
        ),
      );
      assert.match(text, /Install it in a private environment with Python 3\.\d+/);
      assert.deepEqual(environments(editor.home), []);
    }));

  it("builds a private environment after consent, and shows the first hint", (context) =>
    editor.during(async (workbench) => {
      const began = Date.now();
      await workbench.toastButton("Install");
      await until("progress", async () =>
        (await workbench.toasts()).some((toast) => /environment|server/.test(toast)),
      );
      await workbench.awaitOurs(/^ConfLens: 29 options$/, INSTALL_MS);
      await until("hints", async () => (await workbench.hints()).length > 0);
      const seconds = ((Date.now() - began) / 1000).toFixed(0);
      context.diagnostic(
        `from consent to the first hint, private environment included: ${seconds} s`,
      );
      assert.equal(environments(editor.home).length, 1);
    }));

  it("has a walkthrough with pictures", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      await workbench.command("ConfLens: Open Walkthrough");
      const steps = page.locator(".gettingStartedContainer .step-title");
      const titles = await until("the steps", async () => {
        const found = await steps.allInnerTexts();
        return found.length >= 4 && found;
      });
      assert.equal(titles[0], "Look at an option in the code");
      for (const title of titles) {
        await steps.getByText(title, { exact: true }).click();
        await until(`the picture of “${title}”`, () =>
          page
            .locator(".gettingStartedContainer .getting-started-media img")
            .evaluateAll((images) =>
              images.some((image) => (image as HTMLImageElement).naturalWidth > 100),
            ),
        );
      }
    }));
});

/** How wide the pictures of the repository are that a frame shows. */
function widthsOf(frame: Frame): Promise<number[]> {
  return frame
    .locator(`body img[src^="${REPOSITORY}/"]`)
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
}

/** The search path without folders that hold a server, and with the Python of the house. */
function pathWithoutServer(): string {
  const folders = (process.env.PATH ?? "").split(":");
  const python = path.dirname(realpathSync(PYTHON));
  return [python, ...folders]
    .filter((folder) => !existsSync(path.join(folder, "conflens")))
    .join(":");
}

/** The private environments in the extension's storage. */
function environments(home: string): string[] {
  const storage = path.join(home, "d", "User", "globalStorage", "conflens.conflens");
  return existsSync(storage)
    ? readdirSync(storage).filter((name) => name.startsWith("server-"))
    : [];
}
