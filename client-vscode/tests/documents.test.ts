import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { CONFIG_FILES, namedFiles } from "../src/core/documents.js";

/** The few forms of patterns that are used, as the editor reads them: `**` also goes into hidden folders. */
const expression = (pattern: string): RegExp => {
  const source = pattern
    .replace(/[.]/g, "\\.")
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.split(",").join("|")})`)
    .replace(/\*\*\/|\*\*|\*/g, (stars) =>
      stars === "*" ? "[^/]*" : stars === "**" ? ".*" : "(?:.*/)?",
    );
  return new RegExp(`^${source}$`);
};

const isMatch = (patterns: readonly string[], file: string): boolean =>
  patterns.some((pattern) => expression(pattern).test(file));
const matches = (file: string): boolean => isMatch(CONFIG_FILES, file);

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
      "conf/broker.conf",
      "deploy/app.config",
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

  test("but for what the user names", () => {
    const named = namedFiles([
      "deploy/*.settings",
      "/broker",
      "legacy/",
      "!other",
      "# note",
      "",
      3,
    ]);
    for (const file of ["deploy/a.settings", "x/deploy/a.settings", "broker", "legacy/a/b.txt"]) {
      assert.ok(isMatch(named, file), file);
    }
    for (const file of ["a.settings", "brokers", "other", "legacy.txt"]) {
      assert.ok(!isMatch(named, file), file);
    }
    assert.deepEqual(namedFiles(undefined), []);
  });
});
