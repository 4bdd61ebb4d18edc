import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CallHierarchyItem } from "vscode-languageserver-types";

import { isOperation, isOption, placeOf, titleOf } from "../src/core/flows.js";

const range = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };
const item: CallHierarchyItem = {
  name: "net.buffer",
  detail: "system property",
  kind: 7,
  uri: "file:///ws/A.java",
  range: { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } },
  selectionRange: range,
};

describe("flows", () => {
  test("a page is titled after its option", () => {
    const uri = "conflens:/flows/system-property/net.b%C3%BCffer.md?%2Fws";
    assert.equal(titleOf({ uri, markdown: "# x" }), "net.büffer");
  });

  test("an item is an option, an operation or a step between", () => {
    assert.deepEqual([isOption(item), isOperation(item)], [true, false]);
    const operation: CallHierarchyItem = { ...item, kind: 24 };
    assert.deepEqual([isOption(operation), isOperation(operation)], [false, true]);
    const step: CallHierarchyItem = { ...item, kind: 13 };
    assert.deepEqual([isOption(step), isOperation(step)], [false, false]);
  });

  test("an item is shown at its name", () => {
    assert.deepEqual(placeOf(item), { uri: item.uri, range });
  });
});
