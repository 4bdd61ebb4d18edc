/**
 * From nothing to the first hint on H2's sources: no cache, no index, nothing read before.
 */

import { after, before, describe, it } from "node:test";

import { Editor } from "./editor.js";
import { until } from "./page.js";
import { published } from "./projects.js";

const MINUTE = 60_000;

describe("H2, 220,000 lines", () => {
  let editor: Editor;

  before(async () => {
    // The page is loaded by the test, so that the clock starts with it.
    editor = await Editor.open({
      name: "h2",
      folder: published("h2"),
      isFresh: true,
      isBlank: true,
    });
  });

  after(() => editor.close());

  it("shows the first hint", (context) =>
    editor.during(async (workbench) => {
      const began = Date.now();
      const told: [string, number][] = [];
      const tell = (what: string): void => void told.push([what, (Date.now() - began) / 1000]);
      await workbench.load("org/h2/engine/SysProperties.java");
      tell("the file is shown");
      await workbench.open("SysProperties.java", 255);
      await workbench.awaitOurs(/^ConfLens/, MINUTE);
      tell("the extension runs");
      await workbench.awaitOurs(/file|indexing|option/, MINUTE);
      tell("the server reads the project");
      const first = async (): Promise<void> => {
        await until(
          "a hint or a lens",
          async () => {
            const [hints, lenses] = [await workbench.hints(), await workbench.lenses()];
            return [...hints, ...lenses].length > 0;
          },
          MINUTE,
        );
        tell("the first hint");
      };
      const all = async (): Promise<void> => {
        await workbench.awaitOurs(/^ConfLens: \d+ options$/, MINUTE);
        tell("all options are known");
      };
      await Promise.all([first(), all()]);
      context.diagnostic("from nothing to the first hint on H2's sources, in seconds:");
      for (const [what, seconds] of told.sort((a, b) => a[1] - b[1])) {
        context.diagnostic(`${seconds.toFixed(1).padStart(6)}  ${what}`);
      }
      await until("the status", async () =>
        /^ConfLens: \d{2,} options$/.test(await workbench.ours()),
      );
    }));
});
