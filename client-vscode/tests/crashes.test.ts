import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Crashes } from "../src/core/crashes.js";

const MINUTE = 60_000;

describe("crashes", () => {
  test("four within three minutes are overcome, the fifth is not", () => {
    let now = 0;
    const crashes = new Crashes(() => now);
    const answers = Array.from({ length: 6 }, () => {
      now += 1000;
      return crashes.note();
    });
    assert.deepEqual(answers, [true, true, true, true, false, false]);
    assert.equal(crashes.count, 6);
  });

  test("those of long ago do not count", () => {
    let now = 0;
    const crashes = new Crashes(() => now);
    for (let round = 0; round < 20; round += 1) {
      now += MINUTE;
      assert.equal(crashes.note(), true);
    }
  });

  test("a person who starts it again has all tries again", () => {
    const crashes = new Crashes(() => 0);
    Array.from({ length: 5 }, () => crashes.note());
    crashes.forget();
    assert.equal(crashes.note(), true);
  });
});
