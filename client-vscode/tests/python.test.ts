import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { displayCommand } from "../src/core/command.js";
import {
  describePythonProblem,
  findPython,
  pythonCandidates,
  type PythonSearch,
} from "../src/core/python.js";

async function findAmong(printed: Readonly<Record<string, string>>): Promise<PythonSearch> {
  return findPython(pythonCandidates(undefined, "linux"), async (command) => {
    const output = printed[displayCommand(command)];
    return output === undefined
      ? { code: undefined, output: "", failure: "not found" }
      : { code: 0, output, failure: undefined };
  });
}

describe("candidates", () => {
  test("the active interpreter comes first", () => {
    const [first] = pythonCandidates("/env/bin/python", "linux");
    assert.deepEqual(first, { executable: "/env/bin/python", args: [] });
  });

  test("Windows has its launcher", () => {
    const lines = pythonCandidates(undefined, "win32").map(displayCommand);
    assert.deepEqual(lines, ["py -3", "python", "python3"]);
  });

  test("macOS: the system's own names come last", () => {
    const lines = pythonCandidates(undefined, "darwin").map(displayCommand);
    assert.deepEqual(lines.slice(-2), ["python3", "python"]);
    assert.ok(lines.includes("python3.11"));
  });
});

describe("search", () => {
  test("the first that is new enough", async () => {
    const search = await findAmong({
      "python3 --version": "Python 3.9.2",
      "python --version": "Python 2.7.18",
      "python3.12 --version": "Python 3.12.4",
      "python3.11 --version": "Python 3.11.1",
    });
    assert.equal(search.kind, "found");
    assert.equal(search.kind === "found" && search.python.command.executable, "python3.12");
  });

  test("too old: the newest is named", async () => {
    const search = await findAmong({
      "python3 --version": "Python 3.9.2",
      "python --version": "Python 2.7.18",
    });
    assert.equal(search.kind, "tooOld");
    assert.ok(search.kind === "tooOld");
    const text = describePythonProblem(search);
    assert.match(text, /3\.11 or newer/);
    assert.match(text, /3\.9\.2 \(python3\)/);
    assert.match(text, /conflens\.server\.command/);
  });

  test("absent", async () => {
    const search = await findAmong({ "python3 --version": "Python was not found" });
    assert.equal(search.kind, "absent");
    assert.ok(search.kind === "absent");
    assert.match(describePythonProblem(search), /no Python was found/);
  });
});
