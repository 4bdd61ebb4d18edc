import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { CursorLine, onLine } from "../src/core/cursorLine.js";

const hints = [
  { position: { line: 3 }, label: "sizes a buffer" },
  { position: { line: 7 }, label: "85 % CPU" },
  { position: { line: 7 }, label: "sizes a thread pool" },
];

describe("annotations on the line of the cursor", () => {
  test("at most one is shown, the first of the line", () => {
    assert.deepEqual(
      onLine(hints, 7).map(({ label }) => label),
      ["85 % CPU"],
    );
    assert.deepEqual(onLine(hints, 4), []);
  });

  test("none is shown in a document without the cursor", () => {
    assert.deepEqual(onLine(hints, undefined), []);
  });

  test("another line or document counts as new, moving within the line does not", () => {
    const cursor = new CursorLine();
    assert.deepEqual(
      [
        cursor.isNew("a", 1),
        cursor.isNew("a", 1),
        cursor.isNew("a", 2),
        cursor.isNew("b", 2),
        cursor.isNew("a", 2),
      ],
      [true, false, true, true, true],
    );
  });
});
