/**
 * The manifest is read by the editor before any code runs, so its promises are tested as data.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { describe, test } from "node:test";

// Compiled tests lie in out/check/tests.
const root = path.resolve(__dirname, "..", "..", "..");
const text = (name: string): string => readFileSync(path.join(root, name), "utf8");

interface Section {
  readonly title: string;
  readonly properties: Readonly<Record<string, { readonly scope: string }>>;
}

interface Color {
  readonly id: string;
  readonly defaults: Readonly<Record<string, string>>;
}

interface Walkthrough {
  readonly id: string;
  readonly steps: readonly {
    readonly description: string;
    readonly media: { readonly image: Readonly<Record<string, string>>; readonly altText: string };
    readonly completionEvents: readonly string[];
  }[];
}

interface MenuItem {
  readonly command: string;
  readonly when?: string;
}

const manifest = JSON.parse(text("package.json")) as {
  readonly version: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly name: string;
  readonly publisher: string;
  readonly repository: { readonly url: string; readonly directory: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly browser?: string;
  readonly extensionKind: readonly string[];
  readonly activationEvents: readonly string[];
  readonly capabilities: Readonly<Record<string, { readonly supported: boolean }>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings: readonly MenuItem[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly colors: readonly Color[];
    readonly walkthroughs: readonly Walkthrough[];
    readonly viewsWelcome: readonly { readonly contents: string }[];
    readonly configuration: readonly Section[];
  };
};

// What the settings are is the server's to say: tests/reference holds the manifest against that.
describe("settings", () => {
  const { configuration } = manifest.contributes;
  const settings = Object.assign(
    {},
    ...configuration.map(({ properties }) => properties),
  ) as Section["properties"];

  test("the client reads settings that exist", () => {
    const sources = readdirSync(path.join(root, "src")).filter((name) => name.endsWith(".ts"));
    const read = sources.flatMap((name) => [
      ...text(path.join("src", name)).matchAll(
        /getConfiguration\("conflens"[^)]*\)\s*\.get(?:<\w+>)?\("([^"]+)"/g,
      ),
    ]);
    const names = read.map((match) => `conflens.${match[1]}`);
    assert.ok(names.includes("conflens.server.command"));
    assert.deepEqual(
      names.filter((name) => !(name in settings)),
      [],
    );
  });

  test("a workspace can set all but the command, which needs trust of the machine", () => {
    const beyond = Object.entries(settings).filter(
      ([, { scope }]) => scope !== "resource" && scope !== "window",
    );
    assert.deepEqual(
      beyond.map(([name]) => name),
      ["conflens.server.command"],
    );
  });
});

test("it stays off in untrusted and virtual workspaces", () => {
  assert.equal(manifest.capabilities.untrustedWorkspaces?.supported, false);
  assert.equal(manifest.capabilities.virtualWorkspaces?.supported, false);
});

test("it runs where the files are, and never in a browser", () => {
  assert.deepEqual(manifest.extensionKind, ["workspace"]);
  assert.equal(manifest.browser, undefined);
});

test("it asks no host and counts nobody", () => {
  const files = ["src", path.join("src", "core")].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => path.join(folder, name)),
  );
  const talking =
    /telemetry(?!\.)\w*\(|TelemetryLogger|node:(?:https?|net|dgram|tls)\b|\bfetch\(|XMLHttpRequest|WebSocket/;
  assert.deepEqual(
    files.filter((name) => talking.test(text(name))),
    [],
  );
});

test("it wakes for Java, for the workspace file, and for config files beside a Java build", () => {
  assert.deepEqual(manifest.activationEvents, [
    "onLanguage:java",
    "workspaceContains:.conflens.toml",
    "workspaceContains:pom.xml",
    "workspaceContains:build.gradle",
    "workspaceContains:build.gradle.kts",
    "workspaceContains:settings.gradle",
    "workspaceContains:settings.gradle.kts",
    "workspaceContains:build.xml",
    "workspaceContains:*/pom.xml",
  ]);
});

const offered = manifest.contributes.commands.map(({ command }) => command);

test("every command of the manifest is registered", () => {
  const sources = readdirSync(path.join(root, "src")).filter((name) => name.endsWith(".ts"));
  const source = sources.map((name) => text(path.join("src", name))).join("\n");
  const registered = [...source.matchAll(/\b(?:registerCommand|on)\(\s*"(conflens\.[^"]+)"/g)];
  const internal = [
    "conflens.showReferences",
    "conflens.saveWorkspaceFile",
    "conflens.showChain",
    "conflens.goToChainStep",
  ];
  assert.deepEqual(registered.map((match) => match[1]).sort(), [...offered, ...internal].sort());
});

test("menus, keys and the welcome offer commands that exist", () => {
  const { menus, keybindings, viewsWelcome } = manifest.contributes;
  const linked = viewsWelcome.flatMap(({ contents }) =>
    [...contents.matchAll(/\(command:([^)]+)\)/g)].map((match) => match[1]),
  );
  const named = [...Object.values(menus).flat(), ...keybindings].map(({ command }) => command);
  const own = [...named, ...linked].filter((name) => name !== "vscode.openFolder");
  assert.deepEqual(
    own.filter((name) => !offered.includes(name ?? "")),
    [],
  );
});

test("commands of a line of our views are not in the palette", () => {
  const { menus } = manifest.contributes;
  const hidden = menus.commandPalette?.filter(({ when }) => when === "false");
  const lines = menus["view/item/context"]
    ?.filter(({ when }) => when?.includes("view == conflens."))
    .map(({ command }) => command);
  assert.deepEqual(new Set(hidden?.map(({ command }) => command)), new Set(lines));
});

describe("the extension's page", () => {
  const pictures = (markdown: string): string[] =>
    [...markdown.matchAll(/<img [^>]*\bsrc="([^"]+)"/g)].map((match) => match[1] ?? "");

  test("has the pictures of the README, which are in the repository", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "readme-"));
    const out = path.join(folder, "README.md");
    const run = spawnSync(process.execPath, ["scripts/readme.mjs", out], { cwd: root });
    assert.equal(run.status, 0, String(run.stderr));
    const packed = readFileSync(out, "utf8");
    rmSync(folder, { recursive: true });
    assert.deepEqual(pictures(packed), pictures(text("README.md")));
    assert.ok(pictures(packed).length > 0);
    const files = readdirSync(path.join(root, "images")).map((name) => `images/${name}`);
    assert.deepEqual(
      pictures(packed).filter((name) => !files.includes(name)),
      [],
    );
    assert.doesNotMatch(packed, /<picture|<source/);
  });

  test("takes them from the repository of the manifest", () => {
    const { repository, scripts } = manifest;
    const address = repository.url.replace(/\.git$/, "");
    const base = `--baseImagesUrl ${address}/raw/HEAD/${repository.directory} `;
    assert.ok(`${scripts.package} `.includes(base), scripts.package);
  });
});

test("the README describes what the palette offers", () => {
  const readme = text("README.md");
  const hidden = manifest.contributes.menus.commandPalette
    ?.filter(({ when }) => when === "false")
    .map(({ command }) => command);
  const absent = manifest.contributes.commands
    .filter(({ command }) => hidden?.includes(command) === false)
    .map(({ title }) => `ConfLens: ${title.replace("…", "")}`)
    .filter((title) => !readme.includes(title));
  assert.deepEqual(absent, []);
});

describe("colours", () => {
  const { colors } = manifest.contributes;
  const kinds = ["dark", "light", "highContrast", "highContrastLight"];

  test("every one has a default for each kind of theme", () => {
    assert.ok(colors.length > 0);
    assert.deepEqual(
      colors.filter(({ defaults }) => !kinds.every((kind) => kind in defaults)),
      [],
    );
  });

  test("those that are used are those that are contributed", () => {
    const source = text(path.join("src", "heat.ts")) + text(path.join("src", "path.ts"));
    const used = [
      ...source.matchAll(/[`"](conflens\.(?:hotLine|step|currentStep)[^`"]*)/g),
    ].flatMap(([, name = ""]) => {
      const levels = name.includes("${level}") ? ["1", "2", "3"] : [""];
      const ends = /(Background|Border)$/.test(name) ? [""] : ["Background", "Border"];
      return levels.flatMap((level) => ends.map((end) => name.replace("${level}", level) + end));
    });
    assert.deepEqual([...new Set(used)].sort(), colors.map(({ id }) => id).sort());
  });

  test("in high contrast themes a border tells, and no tint lies behind the text", () => {
    for (const { id, defaults } of colors.filter((color) => color.id.includes("hotLine"))) {
      const isBorder = id.endsWith("Border");
      for (const kind of ["highContrast", "highContrastLight"]) {
        assert.equal(defaults[kind] !== "#00000000", isBorder, `${id} ${kind}`);
      }
    }
  });
});

describe("walkthrough", () => {
  const [walkthrough] = manifest.contributes.walkthroughs;
  const steps = walkthrough?.steps ?? [];
  const views = Object.values(manifest.contributes.views).flat();
  const runnable = [
    ...offered,
    ...views.map(({ id }) => `${id}.focus`),
    "workbench.action.quickOpen",
  ];

  test("is the one that its command opens", () => {
    const opened = `${manifest.publisher}.${manifest.name}#${walkthrough?.id}`;
    assert.ok(text(path.join("src", "walkthrough.ts")).includes(`"${opened}"`));
  });

  const pictures = steps.flatMap(({ media }) => Object.values(media.image));

  test("has a picture for each kind of theme and words for it in each step", () => {
    assert.ok(steps.length >= 4 && steps.length <= 5);
    const kinds = steps.map(({ media }) => Object.keys(media.image).sort().join(" "));
    assert.deepEqual([...new Set(kinds)], ["dark hc hcLight light"]);
    const files = readdirSync(path.join(root, "images")).map((name) => `images/${name}`);
    assert.deepEqual(
      pictures.filter((name) => !files.includes(name)),
      [],
    );
    assert.deepEqual(
      steps.filter(({ media }) => media.altText.length < 30),
      [],
    );
  });

  test("is packed with its pictures", () => {
    assert.ok(text(".vscodeignore").includes("!images/walkthrough-*.png"));
    assert.deepEqual(
      pictures.filter((name) => !name.startsWith("images/walkthrough-")),
      [],
    );
  });

  test("offers commands that exist, and is ticked off by what exists", () => {
    const linked = steps.flatMap(({ description }) =>
      [...description.matchAll(/\(command:([^)?]+)/g)].map((match) => match[1] ?? ""),
    );
    const events = steps.flatMap(({ completionEvents }) => completionEvents);
    const commands = events.filter((event) => event.startsWith("onCommand:"));
    const named = [...linked, ...commands.map((event) => event.slice("onCommand:".length))];
    assert.deepEqual(
      named.filter((name) => !runnable.includes(name)),
      [],
    );
    const sources = readdirSync(path.join(root, "src")).filter((name) => name.endsWith(".ts"));
    const source = sources.map((name) => text(path.join("src", name))).join("\n");
    const keys = events.filter((event) => event.startsWith("onContext:"));
    const unknown = keys.filter(
      (event) => !source.includes(`"${event.slice("onContext:".length)}"`),
    );
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      steps.filter(({ completionEvents }) => completionEvents.length === 0),
      [],
    );
  });
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
    /from "(?!vscode-languageserver-types")vscode/.test(text(path.join("src", "core", name))),
  );
  assert.deepEqual(offenders, []);
});

test("activation does not wait for the library of the protocol", () => {
  const eager = (module: RegExp): readonly string[] =>
    readdirSync(path.join(root, "src"))
      .filter((name) => name.endsWith(".ts"))
      .filter((name) =>
        // A value is imported by a clause in which not everything is a type.
        [
          ...text(path.join("src", name)).matchAll(/^import (?!type\b)[^;]*? from "([^"]+)";/gm),
        ].some((match) => module.test(match[1] ?? "")),
      );
  assert.deepEqual(eager(/^vscode-languageclient/), ["client.ts"]);
  assert.deepEqual(eager(/^\.\/client\.js$/), []);
});
