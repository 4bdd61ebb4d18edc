import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  added,
  messageOf,
  pathTo,
  processGroups,
  secondsProblem,
  sidesOf,
  summary,
  totalText,
  tree,
  used,
  without,
  type FolderListing,
  type Node,
} from "../src/core/snapshots.js";
import type { DiagnosisState, RecordingRow, SnapshotRow } from "../src/core/protocol.js";

const row: SnapshotRow = {
  id: "a",
  name: "good.jfr",
  path: "/runs/good.jfr",
  format: "JFR",
  role: "baseline",
  takenAt: "2026-01-02T03:04:05Z",
  age: "3 h ago",
  seconds: 12.5,
  kinds: [
    { kind: "cpu", unit: "nanoseconds", total: 3.14e9 },
    { kind: "allocation", unit: "bytes", total: 2.4e9 },
    { kind: "lock", unit: "nanoseconds", total: 5e6 },
  ],
  notes: ["Stacks are cut at 64 frames."],
  values: 29,
  stale: false,
};
const slow: SnapshotRow = {
  ...row,
  id: "b",
  name: "slow.jfr",
  role: "violation",
  stale: true,
  notes: [],
};
const again = { ...slow, id: "c", name: "slow-2.jfr" };
const rest: SnapshotRow = {
  ...row,
  id: "d",
  name: "old.collapsed",
  role: null,
  format: "collapsed stacks",
};
const diagnosis: DiagnosisState = { state: "ready", text: "good.jfr → slow.jfr: one option." };

function listed(
  snapshots: readonly SnapshotRow[],
  recording: RecordingRow | null = null,
): FolderListing {
  return {
    folder: "file:///w",
    name: "w",
    listing: { snapshots, diagnosis, recording, paired: null },
  };
}

/** The tree as text, two blanks for each level; details are left out. */
function drawn(nodes: readonly Node[], indent = ""): string[] {
  return nodes.flatMap((node) =>
    node.context === "detail"
      ? []
      : [`${indent}${node.label} [${node.description}]`, ...drawn(node.children, `${indent}  `)],
  );
}

describe("sides", () => {
  const sides = sidesOf(listed([row, slow, again, rest]).listing);

  test("are read from the rows", () => {
    assert.deepEqual(sides, { baseline: ["a"], violation: ["b", "c"] });
  });

  test("using a snapshot replaces its side and takes it from the other", () => {
    assert.deepEqual(used(sides, "baseline", ["b"]), { baseline: ["b"], violation: ["c"] });
    assert.deepEqual(used(sides, "violation", ["d"]), { baseline: ["a"], violation: ["d"] });
  });

  test("a repetition joins its side", () => {
    assert.deepEqual(added(sides, "baseline", ["c", "d"]), {
      baseline: ["a", "c", "d"],
      violation: ["b"],
    });
    assert.deepEqual(added(sides, "violation", ["b"]), { baseline: ["a"], violation: ["c", "b"] });
  });

  test("what is left out is on neither", () => {
    assert.deepEqual(without(sides, ["a", "c"]), { baseline: [], violation: ["b"] });
  });
});

describe("the view", () => {
  test("groups snapshots by side", () => {
    assert.deepEqual(drawn(tree([listed([row, slow, again, rest])])), [
      "Baseline []",
      "  good.jfr [3.1 s CPU · 3 h ago]",
      "Slow run [2 runs]",
      "  slow.jfr [3.1 s CPU · 3 h ago]",
      "  slow-2.jfr [3.1 s CPU · 3 h ago]",
      "Not compared []",
      "  old.collapsed [3.1 s CPU · 3 h ago]",
    ]);
  });

  test("a side unfolds when it gets its first run", () => {
    const [empty] = tree([listed([slow])]);
    const [filled] = tree([listed([row, slow])]);
    assert.notEqual(empty?.id, filled?.id);
    assert.equal(filled?.isExpanded, true);
  });

  test("a side without runs is there to be filled", () => {
    assert.deepEqual(drawn(tree([listed([slow])])), [
      "Baseline [none]",
      "Slow run []",
      "  slow.jfr [3.1 s CPU · 3 h ago]",
    ]);
  });

  test("is empty without snapshots, so that the editor shows what to do", () => {
    assert.deepEqual(tree([listed([])]), []);
    assert.equal(messageOf([listed([])]), "");
    assert.equal(messageOf([listed([row])]), diagnosis.text);
  });

  test("tells how to compare with a run that lies beside", () => {
    const other: SnapshotRow = { ...row, id: "other", role: null };
    assert.match(messageOf([listed([slow, other])]), /To compare, choose a baseline/);
    for (const rows of [[slow], [row], [other], [row, slow, other]]) {
      assert.doesNotMatch(messageOf([listed(rows)]), /To compare/);
    }
  });

  test("tells of a recording that runs", () => {
    const nodes = tree([listed([], { pid: 7, name: "Load", seconds: 30, startedAt: null })]);
    assert.deepEqual(drawn(nodes), ["Recording Load [for 30 s]"]);
  });

  test("has a line for each of several folders", () => {
    const other = { ...listed([slow]), folder: "file:///v", name: "v" };
    assert.deepEqual(drawn(tree([listed([]), other])), [
      `v [${diagnosis.text}]`,
      "  Baseline [none]",
      "  Slow run []",
      "    slow.jfr [3.1 s CPU · 3 h ago]",
    ]);
    assert.equal(messageOf([listed([row]), other]), "");
  });

  test("marks what is older than the sources, and says what else there is to know", () => {
    const nodes = tree([listed([row, slow])]);
    const good = pathTo(nodes, "a")?.at(-1);
    const stale = pathTo(nodes, "b")?.at(-1);
    assert.equal(good?.icon, "graph");
    assert.deepEqual(
      good?.children.map(({ label }) => label),
      [
        "3.1 s CPU",
        "2.4 GB allocation",
        "5 ms lock",
        "JFR, 3 h ago, 13 s of recording",
        "29 values of the run's configuration",
        "Stacks are cut at 64 frames.",
      ],
    );
    assert.equal(stale?.icon, "warning");
    assert.match(stale?.children[0]?.label ?? "", /Sources have changed/);
    assert.match(stale?.tooltip ?? "", /^\/runs\/good\.jfr\n.*Sources have changed/);
  });

  test("ids are unique, and parents are found", () => {
    const nodes = tree([listed([row, slow, again, rest])]);
    const ids = (of: readonly Node[]): string[] => of.flatMap((n) => [n.id, ...ids(n.children)]);
    assert.equal(new Set(ids(nodes)).size, ids(nodes).length);
    assert.deepEqual(
      pathTo(nodes, "c")?.map(({ label }) => label),
      ["Slow run", "slow-2.jfr"],
    );
    assert.equal(pathTo(nodes, "x"), undefined);
  });

  test("a menu offers what can be done", () => {
    const context = (rows: readonly SnapshotRow[], id: string): string =>
      pathTo(tree([listed(rows)]), id)?.at(-1)?.context ?? "";
    assert.equal(context([row, slow], "a"), "snapshot baseline joins-violation ");
    assert.equal(context([row], "a"), "snapshot baseline ");
    assert.equal(context([row, rest], "d"), "snapshot rest joins-baseline untyped ");
    assert.equal(context([{ ...rest, path: null }], "d"), "snapshot rest ");
  });
});

test("Java processes of the project stand apart from others", () => {
  const process = (pid: number, own: boolean) => ({ pid, name: "Main", arguments: "", own });
  const mixed = [process(1, true), process(2, false), process(3, true)];
  assert.deepEqual(
    processGroups(mixed).map(({ title, processes }) => [title, processes.map(({ pid }) => pid)]),
    [
      ["This project", [1, 3]],
      ["Other programs", [2]],
    ],
  );
  assert.equal(processGroups([process(2, false)]).length, 1);
});

describe("words", () => {
  for (const [kind, unit, total, text] of [
    ["cpu", "samples", 1, "1 sample CPU"],
    ["cpu", "samples", 81234, "81,234 samples CPU"],
    ["wall", "nanoseconds", 125e9, "2.1 min wall clock"],
    ["sleep", "nanoseconds", 41.6e6, "42 ms sleep"],
    ["io", "nanoseconds", 0, "0 ns I/O"],
    ["allocation", "bytes", 512, "512 B allocation"],
    ["gpu", "furlongs", 3, "3 furlongs gpu"],
  ] as const) {
    test(text, () => assert.equal(totalText({ kind, unit, total }), text));
  }

  test("a snapshot without events has its age", () => {
    assert.equal(summary({ ...row, kinds: [] }), "3 h ago");
  });

  test("seconds to record", () => {
    assert.equal(secondsProblem("30"), undefined);
    assert.equal(secondsProblem(" 3600 "), undefined);
    for (const answer of ["", "0", "3601", "1.5", "-1", "1e2", "ten"]) {
      assert.match(secondsProblem(answer) ?? "", /from 1 to 3600/);
    }
  });
});
