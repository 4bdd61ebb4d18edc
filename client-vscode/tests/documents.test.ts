import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { CONFIG_FILES } from "../src/core/documents.js";

/** The few forms of patterns that are used, as the editor reads them: `**` also goes into hidden folders. */
const expression = (pattern: string): RegExp => {
  const source = pattern
    .replace(/[.]/g, "\\.")
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.split(",").join("|")})`)
    .replace(/\*\*\/|\*/g, (stars) => (stars === "*" ? "[^/]*" : "(?:.*/)?"));
  return new RegExp(`^${source}$`);
};

const matches = (file: string): boolean =>
  CONFIG_FILES.some((pattern) => expression(pattern).test(file));

describe("what may be a config file", () => {
  test("is sent to the server", () => {
    for (const file of [
      "application.yml",
      "conf/server.properties",
      "conf/hdfs-site.xml",
      "config/app.toml",
      ".env",
      "deploy/.env.production",
      "deploy/app.env",
      "src/main/resources/reference.conf",
      "bin/start.sh",
      "docker/Dockerfile",
      "docker/Dockerfile.alpine",
      "compose.yaml",
      "conf/jvm.options",
      ".mvn/jvm.config",
      "conf/cassandra.yaml.template",
    ]) {
      assert.ok(matches(file), file);
    }
  });

  test("nothing else is", () => {
    for (const file of ["A.java", "README.md", "package.json", "a.properties.bak", "environment"]) {
      assert.ok(!matches(file), file);
    }
  });
});
