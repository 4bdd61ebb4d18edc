import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  clientReport,
  LINKED,
  previewLinks,
  quantity,
  statusOf,
  statusView,
} from "../src/core/status.js";

const counts = { files: 1234, options: 312, seconds: 4.26 };

describe("notification conflens/status", () => {
  test("becomes the phase with its counts", () => {
    assert.deepEqual(statusOf({ state: "ready", ...counts }), { phase: "ready", counts });
    assert.deepEqual(statusOf({ state: "error", ...counts, message: "bad file" }), {
      phase: "error",
      counts,
      message: "bad file",
    });
  });
});

describe("status item", () => {
  test("starting", () => {
    assert.deepEqual(statusView({ phase: "starting" }), {
      text: "$(loading~spin) ConfLens",
      tooltip:
        "ConfLens is starting.\n\n" +
        "[Show status](command:conflens.showStatus) · [Restart](command:conflens.restart)",
      spoken: "ConfLens is starting.",
      command: "conflens.showStatus",
      isError: false,
      isWaiting: false,
    });
  });

  test("indexing, before and after the first count", () => {
    assert.equal(statusView({ phase: "indexing" }).text, "$(sync~spin) ConfLens: indexing");
    const view = statusView({ phase: "indexing", counts });
    assert.equal(view.text, "$(sync~spin) ConfLens: 1,234 files");
    assert.equal(view.spoken, "ConfLens is reading the project: 1,234 files so far.");
  });

  test("ready with the number of options, and what they cost", () => {
    const view = statusView({ phase: "ready", counts: { ...counts, memory: 212_400_000 } });
    assert.equal(view.text, "$(settings) ConfLens: 312 options");
    assert.equal(view.spoken, "ConfLens found 312 options in 1,234 files.");
    const [found, costs] = view.tooltip.split("\n\n");
    assert.equal(found, "ConfLens found 312 options in 1,234 files.");
    assert.equal(costs, "The last update took 4.3 s. The server uses 212 MB of memory.");
    assert.equal(view.isError, false);
  });

  test("ready, with verdicts to follow or missing", () => {
    const waiting = statusView({ phase: "ready", counts: { ...counts, verdicts: "waiting" } });
    assert.equal(
      waiting.spoken,
      "ConfLens found 312 options in 1,234 files. Performance verdicts are being computed.",
    );
    assert.equal(waiting.text, "$(settings) ConfLens: 312 options");
    const failed = statusOf({
      state: "ready",
      ...counts,
      verdicts: "failed",
      message: "No process.",
    });
    assert.equal(statusView(failed).text, "$(warning) ConfLens: 312 options");
    assert.equal(
      statusView(failed).spoken,
      "ConfLens found 312 options in 1,234 files. No process.",
    );
  });

  test("a server that does not tell its memory", () => {
    const { tooltip } = statusView({ phase: "ready", counts: { ...counts, seconds: 0.02 } });
    assert.match(tooltip, /^The last update took less than 0\.1 s\.$/m);
    assert.doesNotMatch(tooltip, /memory/);
  });

  test("ready in a project without options", () => {
    const none = { files: 0, options: 0, seconds: 0 };
    assert.equal(
      statusView({ phase: "ready", counts: none }).text,
      "$(settings) ConfLens: 0 options",
    );
  });

  test("an error with its message, which is no markup", () => {
    const view = statusView({ phase: "error", message: "[x](command:y) failed." });
    assert.equal(view.text, "$(error) ConfLens");
    assert.equal(view.spoken, "ConfLens has a problem. [x](command:y) failed.");
    assert.doesNotMatch(view.tooltip, /\[x\]\(command:y\)/);
    assert.equal(view.isError, true);
  });

  test("hidden says so, and offers to show", () => {
    const view = statusView({ phase: "ready", counts }, { isHidden: true });
    assert.equal(view.text, "$(eye-closed) ConfLens: hidden");
    assert.match(view.spoken, /hidden in this workspace/);
    assert.match(view.tooltip, /\[Show annotations\]\(command:conflens\.toggleVisuals\)/);
    assert.match(statusView({ phase: "ready", counts }).tooltip, /\[Hide annotations\]/);
  });

  test("a problem is told even while hidden", () => {
    const view = statusView({ phase: "error", message: "The server ended." }, { isHidden: true });
    assert.equal(view.text, "$(error) ConfLens");
  });

  test("a server that is not installed yet is no error, and waits for a person", () => {
    const view = statusView({ phase: "missing" });
    assert.equal(view.text, "$(cloud-download) ConfLens: Set Up");
    assert.equal(view.isError, false);
    assert.match(view.tooltip, /\[Set up\]\(command:conflens\.setUp\)/);
    assert.equal(view.command, "conflens.setUp");
    assert.equal(view.isWaiting, true);
    assert.equal(statusView({ phase: "installing" }).text, "$(loading~spin) ConfLens: setting up");
    const report = clientReport({ status: { phase: "missing" }, command: undefined, attempts: [] });
    assert.match(report, /\*\*ConfLens: Set Up\*\* to install the server/);
  });

  test("a note is told quietly", () => {
    const note = "A profile was not imported. It is empty.";
    const view = statusView({ phase: "ready", counts }, { note });
    assert.equal(view.text, "$(warning) ConfLens: 312 options");
    assert.match(view.spoken, /A profile was not imported/);
    assert.match(view.tooltip, /A profile was not imported/);
    assert.equal(view.isError, false);
  });

  test("it links to nothing but what the editor lets it run", () => {
    const views = [
      statusView({ phase: "ready", counts }, { isHidden: true }),
      statusView({ phase: "missing" }),
    ];
    const linked = views.flatMap(({ tooltip }) =>
      [...tooltip.matchAll(/\(command:([^)]+)\)/g)].map((match) => match[1]),
    );
    assert.deepEqual([...new Set(linked)].sort(), [...LINKED].sort());
  });

  test("one and many", () => {
    assert.equal(quantity(1, "option"), "1 option");
    assert.equal(quantity(0, "file"), "0 files");
  });
});

describe("report without a server", () => {
  test("what was tried and what to do", () => {
    const report = clientReport({
      status: { phase: "error", message: "The server ended." },
      command: undefined,
      attempts: [{ source: "path", command: "conflens --version", problem: "not found" }],
    });
    assert.match(report, /^# ConfLens\n\nConfLens has a problem\. The server ended\.\n/);
    assert.match(report, /^- PATH: `conflens --version`: not found$/m);
    assert.match(report, /Restart Server/);
  });

  test("a server that is starting needs no advice", () => {
    const report = clientReport({
      status: { phase: "starting" },
      command: "conflens serve --stdio",
      attempts: [],
    });
    assert.match(report, /Server command: `conflens serve --stdio`/);
    assert.doesNotMatch(report, /Restart Server/);
    assert.doesNotMatch(report, /were tried/);
  });
});

describe("links of the status page", () => {
  const same = (uri: string): string => uri;
  test("start at the first workspace folder", () => {
    const page = "- [A.java:7](file:///w/a%20b/A.java#L7): why\n- [x](https://example.org/)";
    assert.equal(
      previewLinks(page, "file:///w", same),
      "- [A.java:7](/a%20b/A.java#L7): why\n- [x](https://example.org/)",
    );
  });

  test("elsewhere are words", () => {
    assert.equal(previewLinks("[A.java:7](file:///www/A.java#L7)", "file:///w", same), "A.java:7");
    assert.equal(previewLinks("[A.java:7](file:///w/A.java#L7)", undefined, same), "A.java:7");
  });
});
