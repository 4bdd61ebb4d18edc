import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { parseCalls, parseItems, parsePage } from "../src/core/flows.js";

const range = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };
const item = {
  name: "net.buffer",
  detail: "system property",
  kind: 7,
  uri: "file:///ws/A.java",
  range,
  selectionRange: range,
  data: { option: ["system-property", "net.buffer"] },
};

describe("flows", () => {
  test("a page is titled after its option", () => {
    const uri = "conflens:/flows/system-property/net.b%C3%BCffer.md?%2Fws";
    assert.deepEqual(parsePage({ uri, markdown: "# x" }), {
      title: "net.büffer",
      markdown: "# x",
    });
    assert.equal(parsePage(null), undefined);
    assert.equal(parsePage({ uri }), undefined);
  });

  test("items keep what the server wants back, and know operations", () => {
    const [option] = parseItems([item]);
    assert.equal(option?.raw, item);
    assert.equal(option?.isOperation, false);
    assert.equal(option?.isOption, true);
    assert.deepEqual(option?.location, { uri: item.uri, range });
    const operation = { ...item, kind: 24 };
    assert.equal(parseItems([operation])[0]?.isOperation, true);
    assert.equal(parseItems([operation])[0]?.isOption, false);
  });

  test("calls are read from their end, and what does not fit is left out", () => {
    assert.equal(parseCalls([{ to: item, fromRanges: [range] }], "to").length, 1);
    assert.equal(parseCalls([{ from: item, fromRanges: [range] }], "to").length, 0);
    assert.equal(
      parseCalls([{ from: item }, null, { from: { ...item, uri: 3 } }], "from").length,
      1,
    );
    assert.deepEqual(parseItems(null), []);
    assert.deepEqual(parseItems([{ ...item, selectionRange: {} }, "x", null]), []);
  });
});
