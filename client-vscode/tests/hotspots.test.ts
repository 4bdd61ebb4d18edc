import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { messageOf, tree, type Node } from "../src/core/hotspots.js";
import type { FolderHotspots, HotspotRow, SuspectRow } from "../src/core/protocol.js";

const location = {
  uri: "file:///w/src/Store.java",
  range: { start: { line: 39, character: 8 }, end: { line: 39, character: 13 } },
};
const behind = {
  option: ["properties", "jobs"] as const,
  name: "jobs",
  text: "loop · 12 %",
  cause: 1,
};
const flush: HotspotRow = {
  method: "Store.flush",
  file: "src/Store.java",
  location,
  share: 0.34,
  change: 0.21,
  kind: "CPU",
  text: "34 % CPU, +21 %",
  options: [behind, { ...behind, option: ["properties", "block"], name: "block", cause: 0 }],
};
const library: HotspotRow = {
  ...flush,
  method: "Arrays.copyOf",
  file: "",
  location: null,
  share: 0.06,
  options: [],
};
const jobs: SuspectRow = {
  option: ["properties", "jobs"],
  name: "jobs",
  text: "explains 63 %, 4 → 64",
  accused: true,
  share: 0.63,
  before: "4",
  after: "64",
  causes: 2,
  location,
};
const innocent: SuspectRow = {
  ...jobs,
  option: ["properties", "block"],
  name: "block",
  accused: false,
  causes: 0,
};
const folder: FolderHotspots = {
  folder: "file:///w",
  name: "w",
  state: "ready",
  text: "slow against good: one option.",
  compared: true,
  hotspots: [flush, library],
  options: [jobs, innocent],
  more: 0,
};

function drawn(nodes: readonly Node[], indent = ""): string[] {
  return nodes.flatMap((node) => [
    `${indent}${node.label} [${node.description}]`,
    ...drawn(node.children, `${indent}  `),
  ]);
}

function find(nodes: readonly Node[], label: string): Node {
  const all = (inside: readonly Node[]): Node[] =>
    inside.flatMap((node) => [node, ...all(node.children)]);
  const found = all(nodes).find((node) => node.label === label);
  assert.ok(found !== undefined, label);
  return found;
}

describe("the view", () => {
  test("options that explain the difference, then hotspots with their options", () => {
    assert.deepEqual(drawn(tree([folder])), [
      "Likely Causes [2]",
      "  jobs [explains 63 %, 4 → 64]",
      "  block [explains 63 %, 4 → 64]",
      "Hotspots [2]",
      "  Store.flush [34 % CPU, +21 %]",
      "    jobs [loop · 12 %]",
      "    block [loop · 12 %]",
      "  Arrays.copyOf [34 % CPU, +21 %]",
    ]);
  });

  test("few hotspots are in sight, and those left out are in the report", () => {
    const many = Array.from({ length: 10 }, (_, number) => ({ ...library, method: `m${number}` }));
    const [, group] = tree([{ ...folder, hotspots: many, more: 7 }]);
    assert.equal(group?.description, "17");
    const others = group?.children.at(-1);
    assert.equal(group?.children.length, 6);
    assert.equal(others?.label, "12 more");
    assert.equal(others?.isExpanded, false);
    assert.deepEqual(
      others?.children.map(({ label, isReport }) => [label, isReport]),
      [...many.slice(5).map(({ method }) => [method, false]), ["7 more in the report", true]],
    );
  });

  test("one more hotspot is shown rather than folded", () => {
    const many = Array.from({ length: 6 }, (_, number) => ({ ...library, method: `m${number}` }));
    assert.deepEqual(
      tree([{ ...folder, hotspots: many }])[1]?.children.map(({ label }) => label),
      many.map(({ method }) => method),
    );
  });

  test("without a baseline nothing is called a cause", () => {
    const lines = drawn(tree([{ ...folder, compared: false }]));
    assert.ok(lines.includes("Options [2]"));
    assert.doesNotMatch(find(tree([{ ...folder, compared: false }]), "jobs").spoken, /difference/);
  });

  test("has a line for each of several folders that has something to show", () => {
    const other = { ...folder, folder: "file:///v", name: "v", options: [], hotspots: [library] };
    const none = { ...folder, folder: "file:///u", name: "u", options: [], hotspots: [] };
    const lines = drawn(tree([{ ...folder, hotspots: [] }, other, none]));
    assert.deepEqual(lines, [
      "w []",
      "  Likely Causes [2]",
      "    jobs [explains 63 %, 4 → 64]",
      "    block [explains 63 %, 4 → 64]",
      "v []",
      "  Hotspots [1]",
      "    Arrays.copyOf [34 % CPU, +21 %]",
    ]);
  });

  test("ids differ, also of equal rows, and are the same when the figures have changed", () => {
    const ids = (nodes: readonly Node[]): string[] =>
      nodes.flatMap((node) => [node.id, ...ids(node.children)]);
    const same = { ...folder, hotspots: [flush, flush, { ...flush, kind: "lock" }] };
    const before = ids(tree([same, { ...same, folder: "file:///v" }]));
    assert.equal(new Set(before).size, before.length);
    const later = { ...folder, hotspots: [{ ...flush, share: 0.1, text: "10 %" }, library] };
    assert.deepEqual(ids(tree([folder])), ids(tree([later])));
  });
});

describe("a line", () => {
  const nodes = tree([folder]);

  test("of a hotspot goes to the method", () => {
    const node = find(nodes, "Store.flush");
    assert.deepEqual(node.location, location);
    assert.equal(node.chain, undefined);
    assert.equal(node.tooltip, "Store.flush\n34 % CPU, +21 %\nsrc/Store.java:40");
    assert.equal(node.spoken, "Store.flush, 34 % CPU, +21 %, 2 options");
    const put = { ...library, method: "FileChannelImpl.write in Archive.put" };
    const [line] = tree([{ ...folder, hotspots: [put] }])[1]?.children ?? [];
    assert.equal(line?.label, "Archive.put");
    assert.equal(line?.description, "34 % CPU, +21 % · FileChannelImpl.write");
    assert.match(line?.spoken ?? "", /^FileChannelImpl\.write in Archive\.put, /);
    assert.match(find(nodes, "Arrays.copyOf").tooltip, /not in this workspace/);
    assert.equal(find(nodes, "Arrays.copyOf").location, null);
  });

  test("of an option below it opens that chain", () => {
    const node = find(find(nodes, "Store.flush").children, "jobs");
    assert.deepEqual(node.chain, {
      folder: "file:///w",
      option: ["properties", "jobs"],
      cause: 1,
      text: "jobs",
    });
    assert.equal(node.name, "jobs");
  });

  test("of a likely cause opens its first chain, or goes to its read", () => {
    const below = nodes[0]?.children ?? [];
    assert.equal(find(below, "jobs").chain?.cause, 0);
    assert.equal(find(below, "block").chain, undefined);
    assert.deepEqual(find(below, "block").location, location);
    assert.notEqual(find(below, "jobs").icon, find(below, "block").icon);
  });
});

describe("the message", () => {
  const empty = { ...folder, hotspots: [], options: [] };

  test("is silent where lines speak, or the view says what to do", () => {
    assert.equal(messageOf([folder]), "");
    assert.equal(messageOf([{ ...empty, state: "none", text: "No snapshot is chosen." }]), "");
    assert.deepEqual(tree([empty]), []);
  });

  test("says what is going on, and why there is nothing", () => {
    assert.equal(
      messageOf([{ ...folder, state: "running", text: "Diagnosing …" }]),
      "Diagnosing …",
    );
    assert.equal(messageOf([{ ...empty, state: "failed", text: "It failed." }]), "It failed.");
    assert.equal(messageOf([{ ...empty, text: "No violation." }]), "No violation.");
    const other = { ...empty, folder: "file:///v", name: "v", text: "No violation." };
    assert.equal(messageOf([folder, other]), "v: No violation.");
  });
});
