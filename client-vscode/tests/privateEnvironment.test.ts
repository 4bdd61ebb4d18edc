import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";

import type { Command } from "../src/core/command.js";
import {
  chooseWheel,
  hasEnvironment,
  install,
  installedPython,
  leftOvers,
  markUsed,
  serverPackage,
  tidy,
  type InstallResult,
  type ServerPackage,
} from "../src/core/privateEnvironment.js";
import type { RunResult } from "../src/core/process.js";

const PYTHON: Command = { executable: "py", args: ["-3"] };
const DAY_MS = 24 * 60 * 60 * 1000;
const GOOD: RunResult = { code: 0, output: "conflens 0.1.0\n", failure: undefined };
const BAD: RunResult = { code: 1, output: "boom\n", failure: undefined };

let scratch = "";
let storage = "";
let wanted: ServerPackage;

beforeEach(async () => {
  scratch = await fs.mkdtemp(path.join(os.tmpdir(), "conflens-client-"));
  storage = path.join(scratch, "storage");
  const requirements = path.join(scratch, "requirements.txt");
  await fs.writeFile(requirements, "attrs==1 \\\n    --hash=sha256:0\nrich==2\n");
  wanted = {
    wheel: "/ext/conflens-0.1.0-py3-none-any.whl",
    requirements,
    folderName: "server-0.1.0-abc",
  };
});

afterEach(async () => {
  await fs.rm(scratch, { recursive: true, force: true });
});

interface Trial {
  /** The result of the step of that number, from 0; a good one when absent. */
  readonly answer?: (step: number) => RunResult | Promise<RunResult>;
  readonly abort?: AbortController;
  readonly printed?: string;
}

/** Installs with a stand-in for Python: an interpreter works if its file says so. */
async function installWith(
  trial: Trial = {},
): Promise<{ result: InstallResult; titles: string[] }> {
  const titles: string[] = [];
  let step = 0;
  const result = await install({
    python: PYTHON,
    serverPackage: wanted,
    storage,
    platform: "linux",
    variables: { HTTPS_PROXY: "http://proxy" },
    run: async (command, options) => {
      assert.equal(options.cwd, storage);
      assert.equal(options.env?.HTTPS_PROXY, "http://proxy");
      const target = path.join(storage, wanted.folderName);
      if (command.executable.startsWith(target + path.sep)) {
        return (await read(command.executable)) === "works" ? GOOD : BAD;
      }
      options.onOutput?.(trial.printed ?? "");
      const given = (await trial.answer?.(step)) ?? GOOD;
      step += 1;
      if (command.args.includes("venv") && given.code === 0) {
        await write(command.args.at(-1) ?? "", "works");
      }
      return given;
    },
    signal: (trial.abort ?? new AbortController()).signal,
    onStep: (title) => titles.push(title),
    onOutput: () => undefined,
  });
  return { result, titles };
}

async function write(folder: string, text: string): Promise<void> {
  await fs.mkdir(path.join(folder, "bin"), { recursive: true });
  await fs.writeFile(path.join(folder, "bin", "python"), text);
}

const read = (file: string): Promise<string> => fs.readFile(file, "utf8").catch(() => "");
const target = (): string => path.join(storage, wanted.folderName);
const inside = (): string => path.join(target(), "bin", "python");
const reasonOf = (result: InstallResult): string => (result.kind === "failed" ? result.reason : "");

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

  test("without a wheel, or without its list of libraries, there is none", async () => {
    assert.equal(await serverPackage(path.join(scratch, "absent")), undefined);
    const folder = path.join(scratch, "server");
    await fs.mkdir(folder);
    await fs.writeFile(path.join(folder, "conflens-0.1.0-py3-none-any.whl"), "");
    assert.equal(await serverPackage(folder), undefined);
    assert.equal(await installedPython(storage, undefined, "linux"), undefined);
  });

  test("another server, or another library, gets another folder", async () => {
    const wheel = path.join(scratch, "conflens-0.1.0-py3-none-any.whl");
    const names = new Set<string | undefined>();
    for (const [server, libraries] of [
      ["1", "a"],
      ["2", "a"],
      ["2", "b"],
      ["2", "b"],
    ] as const) {
      await fs.writeFile(wheel, server);
      await fs.writeFile(wanted.requirements, libraries);
      const found = await serverPackage(scratch);
      assert.equal(found?.wheel, wheel);
      assert.match(found?.folderName ?? "", /^server-0\.1\.0-[0-9a-f]{12}$/);
      names.add(found?.folderName);
    }
    assert.equal(names.size, 3);
  });
});

describe("installation", () => {
  test("a success leaves the complete folder and nothing else", async () => {
    assert.equal(await installedPython(storage, wanted, "linux"), undefined);
    assert.equal(await hasEnvironment(storage), false);
    const { result, titles } = await installWith();
    assert.deepEqual(result, { kind: "installed", python: inside() });
    assert.deepEqual(titles, [
      "creating the environment",
      "downloading libraries",
      "installing the server",
      "checking the server",
    ]);
    assert.deepEqual(await fs.readdir(storage), [wanted.folderName]);
    assert.equal(await installedPython(storage, wanted, "linux"), inside());
    assert.equal(await hasEnvironment(storage), true);
  });

  test("it tells which library it is at", async () => {
    const { titles } = await installWith({ printed: "Collecting rich==2 (from x)\n" });
    assert.ok(titles.includes("downloading libraries (1 of 2): rich"));
  });

  test("a broken environment of the same name is replaced", async () => {
    await write(target(), "broken");
    const { result } = await installWith();
    assert.equal(result.kind, "installed");
    assert.equal(await read(inside()), "works");
    assert.deepEqual(await fs.readdir(storage), [wanted.folderName]);
  });

  test("one that works is not touched, whoever made it, also not while this one is made", async () => {
    const marker = path.join(target(), "of another window");
    const other = async (): Promise<RunResult> => {
      await write(target(), "works");
      await fs.writeFile(marker, "");
      return GOOD;
    };
    const late = await installWith({ answer: (step) => (step === 2 ? other() : GOOD) });
    assert.equal(late.result.kind, "installed");
    await fs.access(marker);
    assert.deepEqual(await fs.readdir(storage), [wanted.folderName]);
    const again = await installWith({ answer: () => BAD });
    assert.equal(again.result.kind, "installed");
    assert.deepEqual(again.titles, []);
    await fs.access(marker);
  });

  test("two windows at once: both have a server, and one folder stays", async () => {
    const both = await Promise.all([installWith(), installWith()]);
    assert.deepEqual(
      both.map(({ result }) => result.kind),
      ["installed", "installed"],
    );
    assert.deepEqual(await fs.readdir(storage), [wanted.folderName]);
    assert.equal(await read(inside()), "works");
  });

  const failures: readonly (readonly [number, RegExp])[] = [
    [0, /could not be created\. \(exit code 1: boom\)/],
    [1, /libraries.*could not be installed\. \(exit code 1: boom\)/],
    [2, /server could not be installed\. \(exit code 1: boom\)/],
    [3, /does not run\. \(exit code 1: boom\)/],
  ];
  for (const [failing, expected] of failures) {
    test(`a failure of step ${failing + 1} says why and leaves nothing`, async () => {
      const { result, titles } = await installWith({
        answer: (step) => (step === failing ? BAD : GOOD),
      });
      assert.match(reasonOf(result), expected);
      assert.equal(titles.length, failing + 1);
      assert.deepEqual(await fs.readdir(storage), []);
    });
  }

  test("a server that prints something else is refused", async () => {
    const { result } = await installWith({ answer: () => ({ ...GOOD, output: "hello" }) });
    assert.match(reasonOf(result), /does not run\. \(unexpected output\)/);
    assert.deepEqual(await fs.readdir(storage), []);
  });

  test("cancelling stops after the running step and leaves nothing", async () => {
    const abort = new AbortController();
    const { result, titles } = await installWith({
      abort,
      answer: (step) => {
        if (step === 1) {
          abort.abort();
          return { code: undefined, output: "", failure: "cancelled" };
        }
        return GOOD;
      },
    });
    assert.deepEqual(result, { kind: "cancelled" });
    assert.equal(titles.length, 2);
    assert.deepEqual(await fs.readdir(storage), []);
  });

  test("a folder that cannot be made is told", async () => {
    await fs.writeFile(storage, "a file in its place");
    const { result } = await installWith();
    assert.match(reasonOf(result), /could not be stored\. \(.*EEXIST/);
  });

  test("an unfinished folder of an earlier run does not count as an environment", async () => {
    await fs.mkdir(path.join(storage, `${wanted.folderName}.partial-x`), { recursive: true });
    assert.equal(await hasEnvironment(storage), false);
    assert.equal(await installedPython(storage, wanted, "linux"), undefined);
  });
});

describe("left-overs", () => {
  test("old unfinished folders and environments unused for days, never the wanted one", () => {
    const now = 100 * DAY_MS;
    const folder = (name: string, days: number) => ({ name, modifiedMs: now - days * DAY_MS });
    const folders = [
      folder("server-wanted", 90),
      folder("server-other", 2),
      folder("server-forgotten", 4),
      folder("server-wanted.partial-new", 0),
      folder("server-wanted.partial-old", 1),
      folder("someone-else", 90),
    ];
    assert.deepEqual(leftOvers(folders, "server-wanted", now), [
      "server-forgotten",
      "server-wanted.partial-old",
    ]);
  });

  test("the environment of another version goes when no window marks it any more", async () => {
    const old = { ...wanted, folderName: "server-0.0.9-old" };
    const before = new Date(Date.now() - 10 * DAY_MS);
    for (const { folderName } of [old, wanted]) {
      await write(path.join(storage, folderName), "works");
      await fs.utimes(path.join(storage, folderName), before, before);
    }
    await markUsed(storage, old);
    await tidy(storage, wanted);
    assert.equal((await fs.readdir(storage)).length, 2);
    await fs.utimes(path.join(storage, old.folderName), before, before);
    await tidy(storage, wanted);
    assert.deepEqual(await fs.readdir(storage), [wanted.folderName]);
  });
});
