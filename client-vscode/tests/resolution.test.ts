import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { displayCommand } from "../src/core/command.js";
import type { RunResult } from "../src/core/process.js";
import { resolveServer, type Resolution } from "../src/core/resolution.js";

interface World {
  readonly setting?: unknown;
  readonly active?: string;
  readonly created?: string;
  /** What a command line prints with exit code 0, or the whole result; others are not found. */
  readonly programs?: Readonly<Record<string, string | RunResult>>;
}

const ACTIVE = "/env/bin/python";
const PRIVATE = "/storage/server-1/bin/python";
const ACTIVE_ASKED = `${ACTIVE} -m conflens --version`;
const PRIVATE_ASKED = `${PRIVATE} -I -m conflens --version`;
const PATH_ASKED = "conflens --version";

async function resolveIn(world: World): Promise<{ resolution: Resolution; asked: string[] }> {
  const asked: string[] = [];
  const resolution = await resolveServer({
    setting: world.setting,
    surroundings: { workspaceFolder: "/ws", home: "/users/me", env: {} },
    activePython: async () => {
      asked.push("active?");
      return world.active;
    },
    privatePython: async () => world.created,
    run: async (command) => {
      const line = displayCommand(command);
      asked.push(line);
      const answer = world.programs?.[line];
      if (answer === undefined) {
        return { code: undefined, output: "", failure: "not found" };
      }
      return typeof answer === "string" ? { code: 0, output: answer, failure: undefined } : answer;
    },
  });
  return { resolution, asked };
}

function chosen(resolution: Resolution): string {
  assert.equal(resolution.kind, "found");
  return resolution.kind === "found"
    ? `${resolution.source}: ${displayCommand(resolution.command)}`
    : "";
}

const everywhere = {
  [ACTIVE_ASKED]: "conflens 0.1.0",
  [PATH_ASKED]: "conflens 0.2.0",
  [PRIVATE_ASKED]: "conflens 0.3.0",
};

describe("order of servers", () => {
  test("the setting wins and nothing else is asked", async () => {
    const { resolution, asked } = await resolveIn({
      setting: ["/my/conflens", "-v"],
      active: ACTIVE,
      created: PRIVATE,
      programs: everywhere,
    });
    assert.equal(chosen(resolution), "setting: /my/conflens -v serve --stdio");
    assert.deepEqual(asked, []);
  });

  test("then the active Python environment", async () => {
    const { resolution, asked } = await resolveIn({
      active: ACTIVE,
      created: PRIVATE,
      programs: everywhere,
    });
    assert.equal(chosen(resolution), `environment: ${ACTIVE} -m conflens serve --stdio`);
    assert.equal(resolution.kind === "found" && resolution.version, "0.1.0");
    assert.deepEqual(asked, ["active?", ACTIVE_ASKED]);
  });

  test("then PATH, when the environment has no ConfLens", async () => {
    const noModule = { code: 1, output: "No module named conflens", failure: undefined };
    const { resolution, asked } = await resolveIn({
      active: ACTIVE,
      created: PRIVATE,
      programs: { ...everywhere, [ACTIVE_ASKED]: noModule },
    });
    assert.equal(chosen(resolution), "path: conflens serve --stdio");
    assert.deepEqual(asked, ["active?", ACTIVE_ASKED, PATH_ASKED]);
  });

  test("then PATH, when no environment is active", async () => {
    const { resolution } = await resolveIn({ created: PRIVATE, programs: everywhere });
    assert.equal(chosen(resolution), "path: conflens serve --stdio");
  });

  test("then the private environment", async () => {
    const { resolution, asked } = await resolveIn({
      created: PRIVATE,
      programs: { [PRIVATE_ASKED]: "conflens 0.3.0" },
    });
    assert.equal(chosen(resolution), `private: ${PRIVATE} -I -m conflens serve --stdio`);
    assert.deepEqual(asked, ["active?", PATH_ASKED, PRIVATE_ASKED]);
  });
});

describe("no server", () => {
  test("every attempt is explained", async () => {
    const { resolution } = await resolveIn({
      active: ACTIVE,
      created: PRIVATE,
      programs: {
        [ACTIVE_ASKED]: { code: 1, output: "x\nNo module named conflens\n", failure: undefined },
        [PATH_ASKED]: "another tool 9",
      },
    });
    assert.deepEqual(resolution, {
      kind: "missing",
      attempts: [
        {
          source: "environment",
          command: ACTIVE_ASKED,
          problem: "exit code 1: No module named conflens",
        },
        {
          source: "path",
          command: PATH_ASKED,
          problem: "it does not print a ConfLens version",
        },
        { source: "private", command: PRIVATE_ASKED, problem: "not found" },
      ],
    });
  });

  test("a version printed by a failing command does not count", async () => {
    const { resolution } = await resolveIn({
      programs: { [PATH_ASKED]: { code: 3, output: "conflens 0.1.0", failure: undefined } },
    });
    assert.equal(resolution.kind, "missing");
  });

  test("a wrong setting is an error and not a reason to look further", async () => {
    const { resolution, asked } = await resolveIn({
      setting: ["${env:NOWHERE}/conflens"],
      programs: everywhere,
    });
    assert.equal(resolution.kind, "invalid");
    assert.match(
      resolution.kind === "invalid" ? resolution.reason : "",
      /server\.command.*NOWHERE/,
    );
    assert.deepEqual(asked, []);
  });
});
