import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";

import { displayCommand, type Command } from "../src/core/command.js";
import {
  chooseWheel,
  environmentPython,
  hasEnvironment,
  install,
  installedPython,
  installSteps,
  leftOvers,
  serverPackage,
  type InstallResult,
  type ServerPackage,
} from "../src/core/privateEnvironment.js";
import type { RunResult } from "../src/core/process.js";

const PYTHON: Command = { executable: "py", args: ["-3"] };
const WANTED: ServerPackage = {
  requirement: "/ext/server/conflens-0.1.0-py3-none-any.whl",
  isBundled: true,
  folderName: "server-0.1.0-abc",
};
const DAY_MS = 24 * 60 * 60 * 1000;
const GOOD: RunResult = { code: 0, output: "conflens 0.1.0\n", failure: undefined };

let storage = "";

beforeEach(async () => {
  storage = await fs.mkdtemp(path.join(os.tmpdir(), "conflens-client-"));
});

afterEach(async () => {
  await fs.rm(storage, { recursive: true, force: true });
});

/** Installs with a stand-in for Python; `answer` gives the result of the step of that number. */
async function installWith(
  answer: (step: number) => RunResult,
  abort = new AbortController(),
): Promise<{ result: InstallResult; titles: string[] }> {
  const titles: string[] = [];
  let step = 0;
  const result = await install({
    python: PYTHON,
    serverPackage: WANTED,
    storage,
    platform: "linux",
    run: async (command, options) => {
      assert.equal(options.cwd, storage);
      const given = answer(step++);
      const folder = command.args.at(-1) ?? "";
      if (command.args.includes("venv") && given.code === 0) {
        await fs.mkdir(path.join(folder, "bin"), { recursive: true });
        await fs.writeFile(path.join(folder, "bin", "python"), "new");
      }
      return given;
    },
    signal: abort.signal,
    onStep: (title) => titles.push(title),
    onOutput: () => undefined,
  });
  return { result, titles };
}

describe("package", () => {
  test("the newest ConfLens wheel, by number and not by letter", () => {
    const names = [
      "conflens-0.9.0-py3-none-any.whl",
      "conflens-0.10.0-py3-none-any.whl",
      "conflens_extras-9.0-py3-none-any.whl",
      "notes.txt",
    ];
    assert.equal(chooseWheel(names), "conflens-0.10.0-py3-none-any.whl");
    assert.equal(chooseWheel(["notes.txt"]), undefined);
  });

  test("without a wheel it is the package of that name", async () => {
    assert.deepEqual(await serverPackage(path.join(storage, "absent"), "0.4.2"), {
      requirement: "conflens",
      isBundled: false,
      folderName: "server-0.4.2",
    });
  });

  test("another content of one version gets another folder", async () => {
    const wheel = path.join(storage, "conflens-0.1.0-py3-none-any.whl");
    await fs.writeFile(wheel, "first");
    const first = await serverPackage(storage, "9");
    await fs.writeFile(wheel, "second");
    const second = await serverPackage(storage, "9");
    assert.equal(first.requirement, wheel);
    assert.equal(first.isBundled, true);
    assert.match(first.folderName, /^server-0\.1\.0-[0-9a-f]{12}$/);
    assert.notEqual(first.folderName, second.folderName);
  });
});

describe("steps", () => {
  test("create, install from the wheel, check", () => {
    const steps = installSteps(PYTHON, "/s/p", WANTED, "linux");
    assert.deepEqual(
      steps.map(({ command }) => displayCommand(command)),
      [
        "py -3 -m venv /s/p",
        "/s/p/bin/python -m pip install --disable-pip-version-check --no-input " +
          WANTED.requirement,
        "/s/p/bin/python -m conflens --version",
      ],
    );
  });

  test("Windows keeps the interpreter elsewhere", () => {
    assert.equal(environmentPython("C:\\s", "win32"), "C:\\s\\Scripts\\python.exe");
  });
});

describe("installation", () => {
  test("a success leaves the complete folder and nothing else", async () => {
    assert.equal(await installedPython(storage, WANTED, "linux"), undefined);
    assert.equal(await hasEnvironment(storage), false);
    const { result, titles } = await installWith(() => GOOD);
    const python = path.join(storage, WANTED.folderName, "bin", "python");
    assert.deepEqual(result, { kind: "installed", python });
    assert.deepEqual(titles, [
      "creating the environment",
      "installing the server",
      "checking the server",
    ]);
    assert.deepEqual(await fs.readdir(storage), [WANTED.folderName]);
    assert.equal(await fs.readFile(python, "utf8"), "new");
    assert.equal(await installedPython(storage, WANTED, "linux"), python);
    assert.equal(await hasEnvironment(storage), true);
  });

  test("a broken environment of the same name is replaced", async () => {
    const bin = path.join(storage, WANTED.folderName, "bin");
    await fs.mkdir(bin, { recursive: true });
    await fs.writeFile(path.join(bin, "python"), "old");
    const { result } = await installWith(() => GOOD);
    assert.equal(result.kind, "installed");
    assert.equal(await fs.readFile(path.join(bin, "python"), "utf8"), "new");
  });

  const failures: readonly (readonly [number, RegExp])[] = [
    [0, /python3-venv.*exit code 1: boom/],
    [1, /could not be installed.*exit code 1: boom/],
    [2, /does not run.*exit code 1: boom/],
  ];
  for (const [failing, expected] of failures) {
    test(`a failure of step ${failing + 1} says why and leaves nothing`, async () => {
      const { result, titles } = await installWith((step) =>
        step === failing ? { code: 1, output: "boom\n", failure: undefined } : GOOD,
      );
      assert.equal(result.kind, "failed");
      assert.match(result.kind === "failed" ? result.reason : "", expected);
      assert.equal(titles.length, failing + 1);
      assert.deepEqual(await fs.readdir(storage), []);
    });
  }

  test("a server that prints something else is refused", async () => {
    const { result } = await installWith(() => ({ ...GOOD, output: "hello" }));
    assert.equal(result.kind, "failed");
    assert.deepEqual(await fs.readdir(storage), []);
  });

  test("cancelling stops after the running step and leaves nothing", async () => {
    const abort = new AbortController();
    const { result, titles } = await installWith((step) => {
      if (step === 1) {
        abort.abort();
        return { code: undefined, output: "", failure: "cancelled" };
      }
      return GOOD;
    }, abort);
    assert.deepEqual(result, { kind: "cancelled" });
    assert.equal(titles.length, 2);
    assert.deepEqual(await fs.readdir(storage), []);
  });

  test("an unfinished folder of an earlier run does not count as an environment", async () => {
    await fs.mkdir(path.join(storage, `${WANTED.folderName}.partial-x`));
    assert.equal(await hasEnvironment(storage), false);
    assert.equal(await installedPython(storage, WANTED, "linux"), undefined);
  });
});

test("left-overs: old unfinished folders and environments long unused, never the wanted one", () => {
  const now = 100 * DAY_MS;
  const folder = (name: string, days: number) => ({ name, modifiedMs: now - days * DAY_MS });
  const folders = [
    folder("server-wanted", 90),
    folder("server-other", 10),
    folder("server-forgotten", 31),
    folder("server-wanted.partial-new", 0),
    folder("server-wanted.partial-old", 1),
    folder("someone-else", 90),
  ];
  assert.deepEqual(leftOvers(folders, "server-wanted", now), [
    "server-forgotten",
    "server-wanted.partial-old",
  ]);
});
