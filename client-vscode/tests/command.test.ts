import assert from "node:assert/strict";
import * as path from "node:path";
import { describe, test } from "node:test";

import {
  commandFromSetting,
  displayCommand,
  moduleCommand,
  sameCommand,
  serveCommand,
  type Surroundings,
} from "../src/core/command.js";

const here: Surroundings = {
  workspaceFolder: path.resolve("/ws"),
  home: path.resolve("/users/me"),
  env: { TOOLS: "/tools" },
};

function commandOf(value: unknown, surroundings = here): readonly string[] {
  const result = commandFromSetting(value, surroundings);
  assert.equal(result.kind, "command");
  return result.kind === "command" ? [result.command.executable, ...result.command.args] : [];
}

function reasonOf(value: unknown, surroundings = here): string {
  const result = commandFromSetting(value, surroundings);
  assert.equal(result.kind, "invalid");
  return result.kind === "invalid" ? result.reason : "";
}

describe("setting conflens.server.command", () => {
  for (const value of [undefined, null, "", []]) {
    test(`${JSON.stringify(value)} is unset`, () => {
      assert.deepEqual(commandFromSetting(value, here), { kind: "unset" });
    });
  }

  test("a text is one path, blanks and all", () => {
    assert.deepEqual(commandOf("/opt/my tools/conflens"), ["/opt/my tools/conflens"]);
  });

  test("a list is an executable and arguments", () => {
    const list = ["/usr/bin/python3", "-m", "conflens"];
    assert.deepEqual(commandOf(list), list);
  });

  test("a bare name stays for the system to look up", () => {
    assert.deepEqual(commandOf("conflens"), ["conflens"]);
  });

  test("a relative path starts at the workspace folder", () => {
    const expected = path.join(path.resolve("/ws"), ".venv/bin/conflens");
    assert.deepEqual(commandOf(".venv/bin/conflens"), [expected]);
    assert.deepEqual(commandOf("./x/y", { ...here, workspaceFolder: undefined }), ["./x/y"]);
  });

  test("placeholders are replaced in every part", () => {
    const list = ["${env:TOOLS}/conflens", "--log", "${workspaceFolder}/a", "${userHome}/b"];
    assert.deepEqual(commandOf(list), [
      "/tools/conflens",
      "--log",
      `${here.workspaceFolder}/a`,
      `${here.home}/b`,
    ]);
  });

  test("the home folder stands for a leading tilde only", () => {
    assert.deepEqual(commandOf("~/bin/conflens"), [`${here.home}/bin/conflens`]);
    assert.deepEqual(commandOf(["conflens", "a~b", "~user"]), ["conflens", "a~b", "~user"]);
  });

  test("a dollar sign in a folder's name stays", () => {
    const odd = { ...here, home: "/home/$&", env: { ODD: "$1" } };
    assert.deepEqual(commandOf("~/x", odd), ["/home/$&/x"]);
    assert.deepEqual(commandOf("/a/${env:ODD}", odd), ["/a/$1"]);
  });

  test("a placeholder without a value is an error that names it", () => {
    assert.match(reasonOf("${env:NOWHERE}/conflens"), /\$\{env:NOWHERE\}/);
    assert.match(reasonOf("${unknown}/conflens"), /\$\{unknown\}/);
    const noFolder = { ...here, workspaceFolder: undefined };
    assert.match(reasonOf(["${workspaceFolder}/x"], noFolder), /\$\{workspaceFolder\}/);
  });

  test("other values are errors", () => {
    assert.match(reasonOf(7), /path or a list/);
    assert.match(reasonOf({ command: "x" }), /path or a list/);
    assert.match(reasonOf(["x", 1]), /path or a list/);
    assert.match(reasonOf([" ", "x"]), /empty/);
  });
});

describe("serve command", () => {
  test("the arguments that serve are added", () => {
    assert.deepEqual(serveCommand(moduleCommand("/py")), {
      executable: "/py",
      args: ["-m", "conflens", "serve", "--stdio"],
    });
  });

  test("a command that already serves is taken as it is", () => {
    const command = { executable: "conflens", args: ["serve", "--stdio", "--verbose"] };
    assert.deepEqual(serveCommand(command), command);
  });
});

test("commands are the same when executable and all arguments are", () => {
  const command = { executable: "a", args: ["b", "c"] };
  assert.equal(sameCommand(command, { executable: "a", args: ["b", "c"] }), true);
  assert.equal(sameCommand(command, { executable: "a", args: ["b"] }), false);
  assert.equal(sameCommand(command, { executable: "a", args: ["c", "b"] }), false);
  assert.equal(sameCommand(command, { executable: "x", args: ["b", "c"] }), false);
});

test("parts with blanks are quoted for display", () => {
  assert.equal(
    displayCommand({ executable: "/my tools/x", args: ["a", ""] }),
    '"/my tools/x" a ""',
  );
});
