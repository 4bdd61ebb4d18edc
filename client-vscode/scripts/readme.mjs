/**
 * Writes the README that is packed. A page of an extension shows pictures from https addresses only
 * and knows no `<picture>`, so of the two pictures for light and dark themes the light one stays, as
 * an `<img>` whose relative address `vsce` completes with that of the repository.
 *
 * Usage: node scripts/readme.mjs OUT
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";

const [out] = process.argv.slice(2);
const text = readFileSync("README.md", "utf8").replace(
  /<picture>.*?(<img [^>]*>).*?<\/picture>/gs,
  (_, image) => image,
);
mkdirSync(path.dirname(out), { recursive: true });
writeFileSync(out, text);
