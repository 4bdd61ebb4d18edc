import assert from "node:assert/strict";
import { test } from "node:test";

import { isWorkspaceFile } from "../src/core/sensitivity.js";

test("only the workspace file is saved for the server", () => {
  assert.equal(isWorkspaceFile("file:///ws/my%20project/.conflens.toml"), true);
  for (const other of [
    "file:///ws/A.java",
    "file:///ws/x.conflens.toml",
    "http://ws/.conflens.toml",
  ]) {
    assert.equal(isWorkspaceFile(other), false);
  }
  assert.equal(isWorkspaceFile(undefined), false);
  assert.equal(isWorkspaceFile(["file:///ws/.conflens.toml"]), false);
});
