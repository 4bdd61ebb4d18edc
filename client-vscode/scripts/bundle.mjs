/**
 * Bundles the extension into two files: `out/extension.js`, and `out/languageclient.js`, which is the
 * protocol's library alone. The second one is five times as large and is read only when a server
 * starts, so that the editor does not wait for it while it activates the extension.
 *
 * `out/meta.json` names the inputs of both, for the notices.
 */

import { writeFileSync } from "node:fs";
import { build } from "esbuild";

const LIBRARY = "vscode-languageclient/node";
const SHARED = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  minify: true,
  keepNames: true,
  metafile: true,
  logLevel: "warning",
};

const libraryApart = {
  name: "library apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^vscode-languageclient/ }, ({ path }) =>
      path === LIBRARY
        ? { path: "./languageclient.js", external: true }
        : { errors: [{ text: `import ${LIBRARY} instead of ${path}` }] },
    );
  },
};

const made = await Promise.all([
  build({
    ...SHARED,
    entryPoints: ["src/extension.ts"],
    external: ["vscode"],
    plugins: [libraryApart],
    outfile: "out/extension.js",
  }),
  build({
    ...SHARED,
    entryPoints: [LIBRARY],
    external: ["vscode"],
    outfile: "out/languageclient.js",
  }),
]);
const inputs = Object.assign({}, ...made.map(({ metafile }) => metafile.inputs));
writeFileSync("out/meta.json", JSON.stringify({ inputs }));
