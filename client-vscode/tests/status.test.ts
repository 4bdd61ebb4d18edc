import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { clientReport, parseStatus, previewLinks, quantity, statusView } from "../src/core/status.js";

const counts = { files: 1234, options: 312, seconds: 4.26 };

describe("notification conflens/status", () => {
  test("a good one", () => {
    assert.deepEqual(parseStatus({ state: "ready", ...counts }), { phase: "ready", counts });
    assert.deepEqual(parseStatus({ state: "error", ...counts, message: "bad file" }), {
      phase: "error",
      counts,
      message: "bad file",
    });
  });

  test("an empty message is no message", () => {
    assert.deepEqual(parseStatus({ state: "indexing", ...counts, message: "" }), {
      phase: "indexing",
      counts,
    });
  });

  for (const params of [
    undefined,
    null,
    "ready",
    {},
    { state: "starting", ...counts },
    { state: "ready", ...counts, options: "312" },
    { state: "ready", ...counts, files: -1 },
    { state: "ready", ...counts, seconds: Number.NaN },
    { state: "ready", files: 1, options: 1 },
  ]) {
    test(`${JSON.stringify(params)} does not fit`, () => {
      assert.equal(parseStatus(params), undefined);
    });
  }
});

describe("status item", () => {
  test("starting", () => {
    assert.deepEqual(statusView({ phase: "starting" }), {
      text: "$(loading~spin) ConfLens",
      tooltip: "ConfLens is starting.",
      isError: false,
    });
  });

  test("indexing, before and after the first count", () => {
    assert.equal(statusView({ phase: "indexing" }).text, "$(sync~spin) ConfLens: indexing");
    const view = statusView({ phase: "indexing", counts });
    assert.equal(view.text, "$(sync~spin) ConfLens: 1,234 files");
    assert.equal(view.tooltip, "ConfLens is reading the project: 1,234 files so far.");
  });

  test("ready with the number of options", () => {
    const view = statusView({ phase: "ready", counts });
    assert.equal(view.text, "$(settings) ConfLens: 312 options");
    assert.equal(view.tooltip, "ConfLens found 312 options in 1,234 files, in 4.3 s.");
    assert.equal(view.isError, false);
  });

  test("ready in a project without options", () => {
    const none = { files: 0, options: 0, seconds: 0 };
    assert.equal(statusView({ phase: "ready", counts: none }).text, "$(settings) ConfLens: 0 options");
  });

  test("an error with its message", () => {
    assert.deepEqual(statusView({ phase: "error", message: "No server was found." }), {
      text: "$(error) ConfLens",
      tooltip: "ConfLens has a problem. No server was found.",
      isError: true,
    });
  });

  test("one and many", () => {
    assert.equal(quantity(1, "option"), "1 option");
    assert.equal(quantity(0, "file"), "0 files");
  });
});

describe("report without a server", () => {
  test("what was tried and what to do", () => {
    const report = clientReport({
      status: { phase: "error", message: "No server was found." },
      command: undefined,
      attempts: [{ source: "path", command: "conflens --version", problem: "not found" }],
    });
    assert.match(report, /^# ConfLens\n\nConfLens has a problem\. No server was found\.\n/);
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
    assert.doesNotMatch(report, /looked for/);
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
