import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as os from "node:os";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import { failureOf, runCommand } from "../src/core/process.js";

const options = { cwd: os.tmpdir(), timeoutMs: 20_000 };

function node(script: string): { executable: string; args: readonly string[] } {
  return { executable: process.execPath, args: ["-e", script] };
}

/** A process that ended may be listed until somebody asks for its exit code; Linux then calls it Z. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH" && process.platform !== "linux";
  }
}

describe("running a command", () => {
  test("output of both streams and the exit code", async () => {
    const seen: string[] = [];
    const script = "console.log('one'); console.error('two'); process.exitCode = 3";
    const result = await runCommand(node(script), {
      ...options,
      onOutput: (text) => seen.push(text),
    });
    assert.equal(result.code, 3);
    assert.equal(result.failure, undefined);
    assert.deepEqual(result.output.trim().split("\n").sort(), ["one", "two"]);
    assert.equal(seen.join(""), result.output);
  });

  test("arguments reach the program unchanged", async () => {
    const command = {
      executable: process.execPath,
      args: ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", "a b", "$HOME", '"'],
    };
    const result = await runCommand(command, options);
    assert.deepEqual(JSON.parse(result.output), ["a b", "$HOME", '"']);
  });

  test("a missing program", async () => {
    const result = await runCommand({ executable: "conflens-no-such-program", args: [] }, options);
    assert.equal(result.code, undefined);
    assert.equal(failureOf(result), "not found");
  });

  test("a program that does not end", async () => {
    const started = Date.now();
    const result = await runCommand(node("setInterval(() => {}, 1000)"), {
      ...options,
      timeoutMs: 300,
    });
    assert.equal(failureOf(result), "no answer within 0.3 s");
    assert.ok(Date.now() - started < 10_000);
  });

  test("cancelling, during and before", async () => {
    const abort = new AbortController();
    const script = "console.log('up'); setInterval(() => {}, 1000)";
    const result = await runCommand(node(script), {
      ...options,
      signal: abort.signal,
      onOutput: () => abort.abort(),
    });
    assert.equal(result.failure, "cancelled");
    const late = await runCommand(node(script), { ...options, signal: abort.signal });
    assert.equal(late.failure, "cancelled");
  });

  test("what a command has started ends with it", async () => {
    const abort = new AbortController();
    const inner = "console.log(process.pid); setInterval(() => {}, 1000)";
    const script =
      `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner)}], ` +
      `{ stdio: "inherit" }); setInterval(() => {}, 1000)`;
    let started = 0;
    const result = await runCommand(node(script), {
      ...options,
      signal: abort.signal,
      onOutput: (text) => {
        started = Number(text);
        abort.abort();
      },
    });
    assert.equal(result.failure, "cancelled");
    assert.ok(started > 0);
    // Ending takes a moment of its own.
    for (let waited = 0; isAlive(started) && waited < 5000; waited += 20) {
      await delay(20);
    }
    assert.equal(isAlive(started), false);
  });

  test("variables of its own", async () => {
    const env = { ...process.env, CONFLENS_TEST: "yes" };
    const result = await runCommand(node("console.log(process.env.CONFLENS_TEST)"), {
      ...options,
      env,
    });
    assert.equal(result.output.trim(), "yes");
  });

  test("only the end of long output is kept", async () => {
    const result = await runCommand(
      node("process.stdout.write('x'.repeat(200000) + 'end')"),
      options,
    );
    assert.equal(result.output.length, 64 * 1024);
    assert.ok(result.output.endsWith("xend"));
  });
});

test("a failure is told by the last line", () => {
  const failed = { code: 2, output: "Collecting\nERROR: no match\n\n", failure: undefined };
  assert.equal(failureOf(failed), "exit code 2: ERROR: no match");
  assert.equal(failureOf({ ...failed, output: "" }), "exit code 2");
  assert.equal(failureOf({ ...failed, code: 0 }), undefined);
});
