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
const INSTALL_MS = 240_000;

describe("the first start", () => {
  let editor: Editor;

  before(async () => {
    editor = await Editor.open({
      name: "start",
      folder: store("start"),
      file: "src/org/example/store/StoreConfig.java",
      server: null,
      isFresh: true,
      opensWalkthrough: true,
      environment: { PATH: pathWithoutServer() },
    });
  });

  after(() => editor.close());

  it("asks before it installs anything, until it is answered", () =>
    editor.during(async (workbench) => {
      const offer = /^ConfLens needs to set up its analysis server\..* private Python 3\.\d+/;
      const isOffered = async (): Promise<boolean> =>
        (await workbench.toasts()).some((toast) => offer.test(toast));
      await until("the offer", isOffered);
      assert.deepEqual(await workbench.toastButtons(), ["Set Up", "Not Now"]);
      assert.deepEqual(environments(editor.home), []);
      assert.equal(await workbench.ours(), "ConfLens: Set Up");
      await workbench.showViews();
      const buttons = workbench.page.locator(".part.sidebar .welcome-view-content .monaco-button");
      await until("one button", async () => (await buttons.allInnerTexts()).join() === "Set Up");
      // The editor hides a notification after a while; it comes back with the next file.
      await until("no offer", async () => !(await isOffered()));
      assert.equal(await workbench.ours(), "ConfLens: Set Up");
      const files = ["Store.java", "StoreConfig.java"];
      await until("the offer again", async () => {
        await workbench.open(files.reverse()[0] ?? "");
        return isOffered();
      });
    }));

  it("builds a private environment after consent, and says what was found", (context) =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      const began = Date.now();
      await workbench.toastButton("Set Up");
      await until("progress", async () =>
        (await workbench.toasts()).some((toast) => /environment|server/.test(toast)),
      );
      await until(
        "the walkthrough",
        async () => (await page.locator(".gettingStartedContainer .step-title").count()) >= 4,
      );
      await workbench.awaitOurs(/^ConfLens: 29 options$/, INSTALL_MS);
      assert.equal(environments(editor.home).length, 1);
      const found = /^ConfLens found 29 options; \d+ may affect performance\.$/;
      await until(
        "what was found",
        async () => (await workbench.toasts()).some((toast) => found.test(toast)),
        INSTALL_MS,
      );
      const seconds = ((Date.now() - began) / 1000).toFixed(0);
      context.diagnostic(
        `from consent to the first verdicts, private environment included: ${seconds} s`,
      );
      assert.deepEqual(await workbench.toastButtons(), ["Show Options", "Take the Tour"]);
      await workbench.toastButton("Show Options");
      await until("options", async () => (await workbench.rows("Options")).length > 8);
    }));

  it("opens the walkthrough by itself only once", () =>
    editor.during(async (workbench) => {
      const steps = workbench.page.locator(".gettingStartedContainer .step-title");
      await workbench.command("View: Close All Editors");
      await until("no walkthrough", async () => (await steps.count()) === 0);
      await workbench.command("ConfLens: Restart Server");
      await workbench.awaitOurs(/^ConfLens(?!: 29)/);
      await workbench.awaitOurs(/^ConfLens: 29 options$/);
      assert.equal(await steps.count(), 0);
    }));

  it("has a walkthrough with pictures, which leads to the most sensitive option", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      await workbench.command("ConfLens: Open Walkthrough");
      const steps = page.locator(".gettingStartedContainer .step-title");
      const titles = await until("the steps", async () => {
        const found = await steps.allInnerTexts();
        return found.length >= 4 && found;
      });
      assert.equal(titles[0], "See what an option does");
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
      await steps.getByText(titles[0] ?? "", { exact: true }).click();
      await page
        .locator(".gettingStartedContainer .monaco-button", {
          hasText: "Go to the Most Sensitive Option",
        })
        .click();
      await until("its hover", async () =>
        (await page.locator(".monaco-hover:visible").allInnerTexts()).some((text) =>
          text.includes("store."),
        ),
      );
    }));

  it("has pictures on its page", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      // Where the repository would be asked, the pictures of this tree answer.
      await page
        .context()
        .route(`${REPOSITORY}/raw/HEAD/client-vscode/images/*`, (route) =>
          route.fulfill({ path: path.join(IMAGES, path.basename(route.request().url())) }),
        );
      await workbench.command("View: Show Extensions");
      await page
        .locator(".extensions-viewlet .extension-list-item", { hasText: "ConfLens" })
        .click();
      await until("pictures", async () => {
        const widths = await Promise.all(page.frames().map(widthsOf));
        return widths.flat().length >= 5 && widths.flat().every((width) => width > 100);
      });
      await workbench.command("View: Close Editor");
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
