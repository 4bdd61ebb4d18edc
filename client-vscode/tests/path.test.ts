import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CallHierarchyItem } from "vscode-languageserver-types";

import type { Chain } from "../src/core/chains.js";
import { chainOfFlow, distinct, followed, headline, pathsFrom, rowOf } from "../src/core/path.js";

const location = { uri: "file:///ws/A.java", range: span(3, 4, 9) };

function span(line: number, from: number, to: number): Chain["steps"][number]["location"]["range"] {
  return { start: { line, character: from }, end: { line, character: to } };
}

const chain: Chain = {
  title: "jobs → A.run",
  causes: 1,
  steps: [
    { location, role: "guard", text: "size > limit", method: "A.run", why: "It is compared here." },
    { location, role: "hotspot", text: "A.run", method: "A.run", why: "" },
    { location, role: "call", text: "", method: "A.go", why: "" },
  ],
};

describe("rows", () => {
  test("tell role, text and method, and to a screen reader all of it", () => {
    assert.deepEqual(rowOf(chain, 0), {
      label: "1 condition",
      description: "size > limit · A.run",
      tooltip: "It is compared here.\nsize > limit\nA.run",
      spoken: "Step 1 of 3, condition: size > limit, in A.run. It is compared here.",
    });
  });

  test("tell a method once", () => {
    assert.equal(rowOf(chain, 1).description, "A.run");
    assert.equal(rowOf(chain, 1).spoken, "Step 2 of 3, hotspot: A.run.");
    assert.equal(rowOf(chain, 2).description, "A.go");
  });

  test("a row that is not there any more is empty", () => {
    assert.equal(rowOf(chain, 7).label, "");
    assert.equal(headline(chain, 7), "");
  });

  test("the line above them says why, or at least what", () => {
    assert.equal(headline(chain, 0), "1 of 3: It is compared here.");
    assert.equal(headline(chain, 1), "2 of 3: hotspot");
  });
});

const KINDS = { option: 7, step: 13, operation: 24 } as const;
const item = (name: string, detail: string, kind: keyof typeof KINDS): CallHierarchyItem => ({
  name,
  detail,
  kind: KINDS[kind],
  uri: location.uri,
  range: location.range,
  selectionRange: location.range,
});
const option = item("net.buffer", "system property", "option");
const load = item("size", "load · A.size", "step");
const write = item("out.write", "io, loop (loop-bound), 1 call level below · A.run", "operation");
const lock = item("lock.lock", "lock, branch (branch-constant) · A.run", "operation");

describe("a flow as a chain", () => {
  test("begins at the read and ends at the operation", () => {
    const found = chainOfFlow([option, load, write]);
    assert.equal(found?.title, "net.buffer → out.write");
    assert.deepEqual(
      found?.steps.map(({ role, text, method }) => [role, text, method]),
      [
        ["read", "net.buffer", ""],
        ["load", "size", "A.size"],
        ["operation", "out.write", "A.run"],
      ],
    );
    assert.equal(found?.steps[2]?.why, "The value controls how often out.write runs.");
    const branch = chainOfFlow([option, lock]);
    assert.equal(branch?.steps[1]?.why, "The value controls whether lock.lock runs.");
    assert.deepEqual(
      found?.steps.filter(({ why }) => why === ""),
      [],
    );
  });

  test("begins at the declaration if its read comes after it", () => {
    const read = item('get("net.buffer")', "read · A.size", "step");
    assert.equal(chainOfFlow([option, read, write])?.steps[0]?.role, "option");
  });

  test("is none without an operation", () => {
    assert.equal(chainOfFlow([]), undefined);
    assert.equal(chainOfFlow([option]), undefined);
    assert.equal(chainOfFlow([option, load]), undefined);
    assert.equal(chainOfFlow([write]), undefined);
  });
});

describe("paths from a root", () => {
  const below = new Map<CallHierarchyItem, CallHierarchyItem[]>([
    [option, [lock, load]],
    [load, [write]],
    [write, [load]],
  ]);
  const children = async (each: CallHierarchyItem): Promise<CallHierarchyItem[]> =>
    below.get(each) ?? [];

  test("lead to each operation, nearest first", async () => {
    const paths = await pathsFrom(option, children, { paths: 9, questions: 9 });
    assert.deepEqual(paths, [
      [option, lock],
      [option, load, write],
    ]);
  });

  test("from an operation lead up to options, and are given from there on", async () => {
    const above = async (each: CallHierarchyItem): Promise<CallHierarchyItem[]> =>
      each === write ? [load] : each === load ? [option] : [];
    assert.deepEqual(await pathsFrom(write, above, { paths: 9, questions: 9 }), [
      [option, load, write],
    ]);
  });

  test("that look alike are one", () => {
    const twin = { ...option, detail: "environment variable" };
    assert.deepEqual(
      distinct([
        [option, write],
        [twin, write],
        [option, lock],
      ]),
      [
        [option, write],
        [option, lock],
      ],
    );
  });

  test("end, however deep the tree is", async () => {
    let asked = 0;
    const forever = async (): Promise<CallHierarchyItem[]> => {
      asked += 1;
      return [item("step", "assign · A.run", "step"), item("step", "assign · A.run", "step")];
    };
    assert.deepEqual(await pathsFrom(option, forever, { paths: 9, questions: 50 }), []);
    assert.equal(asked, 50);
    assert.equal((await pathsFrom(option, children, { paths: 1, questions: 9 })).length, 1);
  });
});

describe("steps follow edits", () => {
  const flow: Chain = { title: "", causes: 1, steps: chain.steps.slice(0, 1) };
  const after = (start: [number, number], end: [number, number], text: string): unknown => {
    const edit = {
      start: { line: start[0], character: start[1] },
      end: { line: end[0], character: end[1] },
      text,
    };
    return followed(flow, location.uri, [edit]).steps[0]?.location.range;
  };

  test("above them", () => {
    assert.deepEqual(after([1, 0], [1, 0], "\n\n"), span(5, 4, 9));
    assert.deepEqual(after([0, 0], [2, 0], ""), span(1, 4, 9));
  });

  test("on their line", () => {
    assert.deepEqual(after([3, 0], [3, 2], "abcd"), span(3, 6, 11));
    assert.deepEqual(after([2, 5], [3, 1], "x"), span(2, 9, 14));
    assert.deepEqual(after([3, 4], [3, 4], "a\nbc"), span(4, 2, 7));
    assert.deepEqual(after([3, 6], [3, 7], ""), span(3, 4, 8));
  });

  test("not behind them, nor in another document", () => {
    assert.deepEqual(after([3, 9], [3, 9], "more"), span(3, 4, 9));
    assert.deepEqual(after([4, 0], [5, 0], ""), span(3, 4, 9));
    const edit = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 }, text: "\n" };
    const elsewhere = followed(flow, "file:///ws/B.java", [edit]);
    assert.deepEqual(elsewhere.steps[0]?.location.range, span(3, 4, 9));
  });

  test("what was edited away is at its place", () => {
    assert.deepEqual(after([2, 0], [4, 0], ""), span(2, 0, 0));
  });

  test("several edits, one after the other", () => {
    const edits = [1, 2].map((line) => ({
      start: { line, character: 0 },
      end: { line, character: 0 },
      text: "\n",
    }));
    assert.deepEqual(followed(flow, location.uri, edits).steps[0]?.location.range, span(5, 4, 9));
  });
});
