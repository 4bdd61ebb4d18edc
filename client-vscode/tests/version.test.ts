import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  formatVersion,
  isAtLeast,
  MINIMUM_PYTHON,
  parsePythonVersion,
  parseServerVersion,
} from "../src/core/version.js";

describe("version of Python", () => {
  test("a release", () => {
    assert.deepEqual(parsePythonVersion("Python 3.12.1\n"), { major: 3, minor: 12, patch: 1 });
  });

  test("a pre-release and a version without a patch level", () => {
    assert.deepEqual(parsePythonVersion("Python 3.14.0rc2+"), { major: 3, minor: 14, patch: 0 });
    assert.deepEqual(parsePythonVersion("Python 3.13"), { major: 3, minor: 13, patch: 0 });
  });

  test("a warning before it", () => {
    const output = "pyenv: cannot rehash\r\nPython 3.11.9\r\n";
    assert.deepEqual(parsePythonVersion(output), { major: 3, minor: 11, patch: 9 });
  });

  test("other text is not a version", () => {
    assert.equal(parsePythonVersion(""), undefined);
    assert.equal(parsePythonVersion("Python was not found; run without arguments"), undefined);
    assert.equal(parsePythonVersion("IronPython 3.4.1"), undefined);
  });

  for (const [text, expected] of [
    ["Python 2.7.18", false],
    ["Python 3.9.20", false],
    ["Python 3.10.99", false],
    ["Python 3.11.0", true],
    ["Python 3.20.0", true],
    ["Python 4.0.0", true],
  ] as const) {
    test(`${text} is ${expected ? "new enough" : "too old"}`, () => {
      const version = parsePythonVersion(text);
      assert.ok(version !== undefined);
      assert.equal(isAtLeast(version, MINIMUM_PYTHON), expected);
      assert.equal(`Python ${formatVersion(version)}`, text);
    });
  }

  test("the patch level decides last", () => {
    const minimum = { major: 3, minor: 11, patch: 4 };
    assert.equal(isAtLeast({ major: 3, minor: 11, patch: 3 }, minimum), false);
    assert.equal(isAtLeast({ major: 3, minor: 11, patch: 4 }, minimum), true);
    assert.equal(isAtLeast({ major: 3, minor: 12, patch: 0 }, minimum), true);
  });
});

describe("version of the server", () => {
  test("the ways of printing it", () => {
    assert.equal(parseServerVersion("conflens 0.1.0\n"), "0.1.0");
    assert.equal(parseServerVersion("ConfLens, version 1.2.0rc1\r\n"), "1.2.0rc1");
    assert.equal(parseServerVersion("warning: x\nconflens 0.2.0.dev3+g1a2b\n"), "0.2.0.dev3+g1a2b");
  });

  test("another program is not taken for the server", () => {
    assert.equal(parseServerVersion("conf-lens 0.1.0"), undefined);
    assert.equal(parseServerVersion("0.1.0"), undefined);
    assert.equal(parseServerVersion("No module named conflens"), undefined);
  });
});
