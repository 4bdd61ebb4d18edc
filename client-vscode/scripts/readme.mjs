/**
 * Writes the README that is packed: without pictures, because an installed extension shows none
 * that have a relative address.
 *
 * Usage: node scripts/readme.mjs OUT
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";

const [out] = process.argv.slice(2);
const text = readFileSync("README.md", "utf8").replace(/^<picture>.*?<\/picture>\n\n/gms, "");
mkdirSync(path.dirname(out), { recursive: true });
writeFileSync(out, text);
