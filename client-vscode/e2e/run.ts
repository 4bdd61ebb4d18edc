/**
 * Runs the tests in one scratch folder and leaves nothing behind.
 *
 * Usage: node out/e2e/run.js VSIX [--pictures FOLDER] [WORD...]; words choose test files by name.
 *
 * The tests have `LIMIT_MS` in all. Whatever happens, at the end no process of the run is there and
 * the scratch folder is gone; a process that had to be killed for that makes the run fail.
 */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parseArgs } from "node:util";

import { IMAGES, KEPT, MARK, NODE, PICTURES, VSIX } from "./places.js";
import { ended, kill, marked } from "./processes.js";

const LIMIT_MS = 1_500_000;
const TEST_MS = 300_000;
const END_MS = 10_000;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { pictures: { type: "string" } },
    allowPositionals: true,
  });
  const [vsix = "", ...words] = positionals;
  const files = readdirSync(__dirname)
    .filter((name) => name.endsWith(".test.js"))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
    .sort()
    .map((name) => path.join(__dirname, name));
  if (files.length === 0) {
    throw new Error(`No test file is called like ${words.join(" or ")}.`);
  }
  rmSync(KEPT, { recursive: true, force: true });
  const root = mkdtempSync(path.join(os.tmpdir(), "ce-"));
  const pictures = path.resolve(values.pictures ?? path.join(root, "pictures"));
  mkdirSync(pictures, { recursive: true });
  const began = Date.now();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    [MARK]: root,
    [VSIX]: path.resolve(vsix),
    [PICTURES]: pictures,
  };
  const tests = spawn(
    NODE,
    [
      "--test",
      "--test-concurrency=1",
      `--test-timeout=${TEST_MS}`,
      "--test-reporter=spec",
      ...files,
    ],
    { env, stdio: ["ignore", "inherit", "inherit"] },
  );
  let problem = "";
  const give = (why: string) => (): void => {
    problem = why;
    tests.kill("SIGTERM");
  };
  const timer = setTimeout(give(`not done after ${LIMIT_MS / 1000} s`), LIMIT_MS);
  process.once("SIGINT", give("interrupted"));
  process.once("SIGTERM", give("terminated"));
  let code = await new Promise<number>((resolve) =>
    tests.on("exit", (status) => resolve(status ?? 1)),
  );
  clearTimeout(timer);
  if (code === 0 && words.length === 0) {
    problem ||= strangers(pictures);
  }
  const find = (): ReturnType<typeof marked> => marked(root);
  const left = await ended(find, END_MS);
  for (const process of left) {
    kill(process, "SIGKILL");
  }
  await ended(find, END_MS);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  if (left.length > 0) {
    problem ||= "processes were left behind";
    left.forEach(({ command }) => console.log(`left behind: ${command}`));
  }
  if (problem !== "") {
    console.log(`e2e FAILED: ${problem}`);
    code = 1;
  }
  console.log(`e2e: ${((Date.now() - began) / 1000).toFixed(0)} s`);
  return code;
}

/** What is wrong with the names of the pictures: those that were made and those of the sources. */
function strangers(made: string): string {
  const [now, there] = [made, IMAGES].map((folder) => readdirSync(folder));
  const lacking = (now ?? []).filter((name) => there?.includes(name) !== true);
  const idle = (there ?? []).filter((name) => now?.includes(name) !== true);
  return [
    lacking.length > 0 ? `run \`make pictures\`, images lacks ${lacking.join(", ")}` : "",
    idle.length > 0 ? `no test makes ${idle.join(", ")} of images` : "",
  ]
    .filter((text) => text !== "")
    .join("; ");
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
