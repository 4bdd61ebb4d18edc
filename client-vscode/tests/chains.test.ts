import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  firstOfEach,
  foundAgain,
  moved,
  nextChain,
  roleWord,
  stepLabel,
  stepMessage,
  type Step,
} from "../src/core/chains.js";
import type { ChainAnswer, ChainStep } from "../src/core/protocol.js";

const range = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };
const location = { uri: "file:///ws/A.java", range };
const step = (role: string, text = "size > limit"): ChainStep & Step => ({
  location,
  role,
  text,
  method: "A.run",
  label: "",
  why: `${role} is why`,
});
const answer: ChainAnswer = {
  title: "jobs → A.run by loop",
  cause: 0,
  causes: 2,
  steps: [step("read", 'get("jobs")'), step("guard"), step("hotspot", "")],
};

describe("steps of a chain", () => {
  const chain = answer;

  test("are walked through to the ends", () => {
    assert.equal(chain.steps.length, 3);
    assert.equal(chain.causes, 2);
    assert.equal(moved(chain, 0, 1), 1);
    assert.equal(moved(chain, 2, 1), 2);
    assert.equal(moved(chain, 0, -1), 0);
    assert.equal(moved(chain, 7, 0), 2);
  });

  test("are told by number and role", () => {
    assert.equal(stepLabel(chain, 1), "2/3 condition");
    assert.equal(stepMessage(chain, 1), "2/3 condition: size > limit");
    assert.equal(stepMessage(chain, 2), "3/3 hotspot: A.run");
    assert.equal(roleWord("teleport"), "teleport");
  });

  test("a long text is cut", () => {
    const long = { ...answer, steps: [step("read", "x".repeat(200))] };
    assert.equal(stepMessage(long, 0).length, "1/1 read: ".length + 60);
  });
});

describe("several chains", () => {
  const [jobs, size] = [
    { folder: "file:///ws", option: ["d", "jobs"] as const, cause: 0, text: "" },
    { folder: "file:///ws", option: ["d", "size"] as const, cause: 0, text: "" },
  ];

  test("the first of each option stands for the option", () => {
    const keys = [jobs, { ...jobs, cause: 1 }, size, { ...jobs, cause: 2 }];
    assert.deepEqual(firstOfEach(keys), [jobs, size]);
  });

  test("the next one comes after it, and the first after the last", () => {
    assert.equal(nextChain(jobs, answer).cause, 1);
    assert.equal(nextChain({ ...jobs, cause: 1 }, answer).cause, 0);
  });
});

describe("a chain after another diagnosis", () => {
  const here = { folder: "file:///ws", option: ["d", "jobs"] as const, cause: 0, text: "" };
  const other = { ...answer, steps: [step("read"), step("hotspot")] };
  const before = answer;
  const askedFrom =
    (answers: readonly (ChainAnswer | null)[]) =>
    async ({ cause }: { cause: number }) =>
      answers[cause];

  test("is the one of its number, wherever its steps are now", async () => {
    const moved = { ...answer, title: "jobs → A.run by loop, 3 %" };
    const found = await foundAgain({ key: here, chain: before }, askedFrom([moved, other]));
    assert.equal(found?.key.cause, 0);
    assert.equal(found?.chain.title, moved.title);
  });

  test("is looked for where another one has its number", async () => {
    const found = await foundAgain({ key: here, chain: before }, askedFrom([other, answer]));
    assert.equal(found?.key.cause, 1);
    assert.equal(found?.chain.steps.length, 3);
  });

  test("is the one of its number if none goes the same way", async () => {
    const found = await foundAgain({ key: here, chain: before }, askedFrom([other, null]));
    assert.equal(found?.key.cause, 0);
    assert.equal(found?.chain.steps.length, 2);
  });

  test("is gone, or not known without an answer", async () => {
    assert.equal(await foundAgain({ key: here, chain: before }, askedFrom([null])), null);
    assert.equal(await foundAgain({ key: here, chain: before }, askedFrom([])), undefined);
  });
});
