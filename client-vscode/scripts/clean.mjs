// Removes the given folders, so that a test whose source is gone cannot run from an old build.
import { rmSync } from "node:fs";

for (const folder of process.argv.slice(2)) {
  rmSync(folder, { recursive: true, force: true });
}
