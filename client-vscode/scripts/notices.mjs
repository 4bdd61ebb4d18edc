// Writes the licences of all packages that the bundle contains, as their terms ask for.
// Input: the metafile of esbuild. A package without a licence file is an error.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const [metafile, target] = process.argv.slice(2);
const { inputs } = JSON.parse(readFileSync(metafile, "utf8"));

const folders = new Set();
for (const input of Object.keys(inputs)) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (match !== null) {
    folders.add(match[1]);
  }
}

const notices = [...folders].sort().map((folder) => {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(folder, "package.json"), "utf8"),
  );
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) {
    throw new Error(`${folder} has no licence file`);
  }
  const text = readFileSync(path.join(folder, file), "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
});

writeFileSync(target, notices.join(`\n${"-".repeat(80)}\n\n`));
