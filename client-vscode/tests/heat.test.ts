import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { BAR_WIDTHS, legend, LEVELS } from "../src/core/heat.js";

describe("levels of heat", () => {
  test("a hotter level has a wider bar, for those who do not see its colour", () => {
    const widths = LEVELS.map((level) => BAR_WIDTHS[level]);
    assert.deepEqual(
      widths,
      [...new Set(widths)].sort((one, other) => one - other),
    );
  });
});

describe("legend", () => {
  test("explains what stands in editors", () => {
    for (const word of [
      "affects performance",
      "default 8",
      "sizes a thread pool · 3 reads",
      "bar",
      "F4",
    ]) {
      assert.ok(legend().includes(word), word);
    }
  });

  test("every row of its tables has two cells", () => {
    const rows = legend()
      .split("\n")
      .filter((row) => row.startsWith("|"));
    assert.ok(rows.length > 10);
    assert.deepEqual(
      rows.filter((row) => row.split("|").length !== 4),
      [],
    );
  });
});
