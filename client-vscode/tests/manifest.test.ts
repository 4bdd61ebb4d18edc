/**
 * The manifest is read by the editor before any code runs, so its promises are tested as data.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { describe, test } from "node:test";

// Compiled tests lie in out/check/tests.
const root = path.resolve(__dirname, "..", "..", "..");
const text = (name: string): string => readFileSync(path.join(root, name), "utf8");

interface Setting {
  readonly type: string | readonly string[];
  readonly default: unknown;
  readonly scope: string;
  readonly enum?: readonly string[];
}

interface MenuItem {
  readonly command: string;
  readonly when?: string;
}

const manifest = JSON.parse(text("package.json")) as {
  readonly version: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly capabilities: Readonly<Record<string, { readonly supported: boolean }>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings: readonly MenuItem[];
    readonly viewsWelcome: readonly { readonly contents: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
};
const settings = manifest.contributes.configuration.properties;

describe("settings", () => {
  test("names and defaults are those the server reads", () => {
    const defaults = Object.entries(settings).map(([name, { default: value }]) => [name, value]);
    assert.deepEqual(Object.fromEntries(defaults), {
      "conflens.server.command": [],
      "conflens.trace.server": "off",
      "conflens.hover.enabled": true,
      "conflens.inlayHints.enabled": true,
      "conflens.inlayHints.flows": true,
      "conflens.inlayHints.profile": true,
      "conflens.inlayHints.placeholders": true,
      "conflens.inlayHints.onlySensitive": false,
      "conflens.codeLens.enabled": true,
      "conflens.codeLens.flows": true,
      "conflens.codeLens.profile": true,
      "conflens.codeLens.configFiles": true,
      "conflens.completion.enabled": true,
      "conflens.symbols.enabled": true,
      "conflens.diagnostics.enabled": true,
      "conflens.diagnostics.conflictingDefault": "warning",
      "conflens.diagnostics.unusedRead": "hint",
      "conflens.diagnostics.undocumented": "hint",
      "conflens.diagnostics.sensitiveUndocumented": "information",
      "conflens.diagnostics.flows": "off",
      "conflens.diagnostics.defaultMismatch": "information",
      "conflens.diagnostics.typeMismatch": "warning",
      "conflens.diagnostics.deadOption": "hint",
      "conflens.diagnostics.deprecatedOption": "hint",
      "conflens.diagnostics.unusedOption": "information",
      "conflens.diagnostics.unknownOption": "warning",
      "conflens.diagnostics.invalidValue": "warning",
      "conflens.diagnostics.duplicateKey": "warning",
      "conflens.diagnostics.overriddenKey": "information",
      "conflens.diagnostics.placeholder": "warning",
      "conflens.documentation.paths": [],
      "conflens.configFiles.paths": [],
      "conflens.exclude": [],
      "conflens.profiles.watch": [],
      "conflens.profiles.threshold": 5,
    });
  });

  test("the severities", () => {
    const names = Object.keys(settings).filter((name) => name.startsWith("conflens.diagnostics."));
    for (const name of names.filter((each) => each !== "conflens.diagnostics.enabled")) {
      assert.deepEqual(settings[name]?.enum, ["off", "hint", "information", "warning", "error"], name);
    }
  });

  test("the command belongs to the machine", () => {
    assert.equal(settings["conflens.server.command"]?.scope, "machine-overridable");
    assert.deepEqual(settings["conflens.server.command"]?.type, ["array", "string"]);
  });

  test("the README describes each of them", () => {
    const readme = text("README.md");
    const absent = Object.keys(settings).filter((name) => !readme.includes(`\`${name}\``));
    assert.deepEqual(absent, []);
  });
});

test("it stays off in untrusted and virtual workspaces", () => {
  assert.equal(manifest.capabilities["untrustedWorkspaces"]?.supported, false);
  assert.equal(manifest.capabilities["virtualWorkspaces"]?.supported, false);
});

test("it wakes for Java, for the workspace file, and for config files beside a Java build", () => {
  assert.deepEqual(manifest.activationEvents, [
    "onLanguage:java",
    "workspaceContains:.conflens.toml",
    "workspaceContains:pom.xml",
    "workspaceContains:build.gradle",
    "workspaceContains:build.gradle.kts",
  ]);
});

const offered = manifest.contributes.commands.map(({ command }) => command);

test("every command of the manifest is registered", () => {
  const sources = readdirSync(path.join(root, "src")).filter((name) => name.endsWith(".ts"));
  const source = sources.map((name) => text(path.join("src", name))).join("\n");
  const registered = [...source.matchAll(/\b(?:registerCommand|on)\(\s*"(conflens\.[^"]+)"/g)];
  const internal = ["conflens.showReferences", "conflens.saveWorkspaceFile", "conflens.showChain"];
  assert.deepEqual(registered.map((match) => match[1]).sort(), [...offered, ...internal].sort());
});

test("menus, keys and the welcome offer commands that exist", () => {
  const { menus, keybindings, viewsWelcome } = manifest.contributes;
  const linked = viewsWelcome.flatMap(({ contents }) =>
    [...contents.matchAll(/\(command:([^)]+)\)/g)].map((match) => match[1]),
  );
  const named = [...Object.values(menus).flat(), ...keybindings].map(({ command }) => command);
  assert.deepEqual([...named, ...linked].filter((name) => !offered.includes(name ?? "")), []);
});

test("commands of a line of the view are not in the palette", () => {
  const { menus } = manifest.contributes;
  const hidden = menus["commandPalette"]?.filter(({ when }) => when === "false");
  const lines = menus["view/item/context"]?.map(({ command }) => command);
  assert.deepEqual(new Set(hidden?.map(({ command }) => command)), new Set(lines));
});

test("the README describes what the palette offers", () => {
  const readme = text("README.md");
  const hidden = manifest.contributes.menus["commandPalette"]
    ?.filter(({ when }) => when === "false")
    .map(({ command }) => command);
  const absent = manifest.contributes.commands
    .filter(({ command }) => hidden?.includes(command) === false)
    .map(({ title }) => `ConfLens: ${title.replace("…", "")}`)
    .filter((title) => !readme.includes(title));
  assert.deepEqual(absent, []);
});

test("the types are not newer than the oldest editor", () => {
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies["@types/vscode"]}`);
});

test("the changelog names this version", () => {
  assert.match(text("CHANGELOG.md"), new RegExp(`^## ${manifest.version}`, "m"));
});

test("the lock file names no registry", () => {
  assert.doesNotMatch(text("package-lock.json"), /"resolved"/);
});

test("the core does not know the editor", () => {
  const core = readdirSync(path.join(root, "src", "core"));
  assert.ok(core.length > 0);
  const offenders = core.filter((name) =>
    /from "(vscode|vscode-languageclient)/.test(text(path.join("src", "core", name))),
  );
  assert.deepEqual(offenders, []);
});
