/**
 * A server that ends unexpectedly is started again without a word; one that keeps ending is described
 * in one sentence, with a way out.
 */

import * as assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { Editor } from "./editor.js";
import { until } from "./page.js";
import { kill, type Process } from "./processes.js";
import { store } from "./projects.js";

const READY = /^ConfLens: 29 options$/;
const NOT_READY = /^ConfLens(?!: 29)/;
/** So many crashes are overcome. */
const OVERCOME = 4;

describe("a server that crashes", () => {
  let editor: Editor;

  before(async () => {
    editor = await Editor.open({
      name: "crash",
      folder: store("crash"),
      file: "src/org/example/store/StoreConfig.java",
    });
  });

  after(() => editor.close());

  const servers = (): Process[] =>
    editor.processes().filter(({ command }) => /conflens.* serve --stdio/.test(command));

  /** Kills the server and awaits that its process is gone. */
  const crash = async (): Promise<void> => {
    const pids = servers().map(({ pid }) => pid);
    assert.ok(pids.length > 0);
    servers().forEach((server) => kill(server, "SIGKILL"));
    await until("no old server", async () => !servers().some(({ pid }) => pids.includes(pid)));
  };

  it("is started again without a word", () =>
    editor.during(async (workbench) => {
      for (let number = 0; number < OVERCOME; number += 1) {
        await workbench.awaitOurs(READY);
        await workbench.awaitOursAfter(crash, NOT_READY);
      }
      await workbench.awaitOurs(READY);
      assert.deepEqual(await workbench.toasts(), []);
    }));

  it("is given up with one sentence after many crashes, and comes back on request", () =>
    editor.during(async (workbench) => {
      await crash();
      const toasts = await until("the message", async () => {
        const found = await workbench.toasts();
        return found.length > 0 && found;
      });
      assert.deepEqual(toasts, [
        "The ConfLens server stopped unexpectedly 5 times within a few minutes.",
      ]);
      assert.deepEqual(await workbench.toastButtons(), ["Restart", "Show Log"]);
      await workbench.toastButton("Restart");
      await workbench.awaitOurs(READY);
    }));
});
