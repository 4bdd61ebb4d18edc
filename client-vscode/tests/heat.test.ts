import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { BAR_WIDTHS, legend, LEVELS, parseHotLines } from "../src/core/heat.js";

const range = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };
const line = { range, level: 2, share: 0.12, change: null, text: "12 % CPU" };

describe("hot lines", () => {
  test("a good row", () => {
    assert.deepEqual(parseHotLines({ compared: true, lines: [line] }), [
      { range, level: 2, text: "12 % CPU" },
    ]);
  });

  test("a row without words has none", () => {
    assert.equal(parseHotLines({ lines: [{ ...line, text: 3 }] })?.[0]?.text, "");
  });

  test("no line is an answer, too, and clears what was painted", () => {
    assert.deepEqual(parseHotLines({ lines: [] }), []);
  });

  for (const row of [
    null,
    "12 %",
    { ...line, level: 0 },
    { ...line, level: 4 },
    { ...line, level: "2" },
    { ...line, range: null },
    { ...line, range: { start: range.start, end: { line: -1, character: 0 } } },
  ]) {
    test(`${JSON.stringify(row)} is left out`, () => {
      assert.deepEqual(parseHotLines({ lines: [row, line] })?.length, 1);
    });
  }

  for (const answer of [undefined, null, {}, [], { lines: null }]) {
    test(`${JSON.stringify(answer)} is no answer`, () => {
      assert.equal(parseHotLines(answer), undefined);
    });
  }

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
      "sensitive",
      "default 8",
      "loop·io",
      "gates",
      "repeats",
      "sizes",
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
