import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { editorReferences, parseReferences } from "../src/core/references.js";

const uri = "file:///ws/src/Keys.java";
const position = { line: 3, character: 24 };
const location = {
  uri: "file:///ws/src/Server%20A.java",
  range: { start: { line: 10, character: 4 }, end: { line: 10, character: 31 } },
};

describe("arguments of a code lens", () => {
  test("each part becomes the editor's own", () => {
    const references = parseReferences([uri, position, [location]]);
    assert.ok(references !== undefined);
    const converted = editorReferences(references, {
      uri: (text) => ({ isUri: text }),
      position: (line, character) => `${line}:${character}`,
      location: (place, start, end) => ({ place, start, end }),
    });
    assert.deepEqual(converted, [
      { isUri: uri },
      "3:24",
      [{ place: { isUri: location.uri }, start: "10:4", end: "10:31" }],
    ]);
  });

  test("no locations is a valid answer", () => {
    assert.deepEqual(parseReferences([uri, position, []])?.locations, []);
  });

  for (const [name, args] of [
    ["nothing", []],
    ["no uri", [7, position, [location]]],
    ["no position", [uri, undefined, [location]]],
    ["a negative line", [uri, { line: -1, character: 0 }, [location]]],
    ["a position that is no number", [uri, { line: "3", character: 0 }, [location]]],
    ["no list", [uri, position, location]],
    ["a location without a range", [uri, position, [{ uri }]]],
    ["a location without an end", [uri, position, [{ uri, range: { start: position } }]]],
    ["one bad location among good ones", [uri, position, [location, null]]],
  ] as const) {
    test(`${name} does not fit`, () => {
      assert.equal(parseReferences(args), undefined);
    });
  }
});
