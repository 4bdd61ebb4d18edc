/**
 * A real VS Code with the packaged extension: code-server on a free port of the loopback interface,
 * and a headless Chromium that shows its page.
 *
 * Terms: the *home* of an editor is its own scratch folder with settings, extensions, caches and
 * temporary files, so that nothing of the user counts and nothing is shared between editors.
 *
 * Invariants: `close` ends every process that the editor has started and fails if one does not end
 * when asked. Nothing is tried twice.
 */

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import * as path from "node:path";

import { chromium, type Browser } from "playwright-core";

import { Workbench } from "./page.js";
import { CODE_SERVER, KEPT, MARK, needed, NODE, scratch, SERVER, VSIX } from "./places.js";
import { ended, kill, marked, type Process } from "./processes.js";

const START_MS = 90_000;
/** The extension host lives up to five seconds longer than the window it belongs to. */
const STOP_MS = 45_000;

export interface EditorOptions {
  /** Names the editor's scratch folder and what is kept of it; one word. */
  readonly name: string;
  readonly folder: string;
  /** The file that is open at the start, relative to `folder`. */
  readonly file?: string;
  /** The server's command; the one of the house unless told, none if null. */
  readonly server?: readonly string[] | null;
  /** Whether the page is left for the test to load. */
  readonly isBlank?: boolean;
  /** Whether folders have to be trusted by the user. */
  readonly trust?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether the walkthrough may open by itself. */
  readonly opensWalkthrough?: boolean;
  /** Whether the server keeps its cache apart, and so starts with nothing. */
  readonly isFresh?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** Quiet and alike at every start; both themes are there, and the page's colour scheme chooses. */
const SETTINGS = {
  "breadcrumbs.enabled": false,
  "chat.disableAIFeatures": true,
  "editor.fontSize": 13,
  // So that the lines above, with their hints, stay in sight.
  "editor.hover.above": false,
  "editor.minimap.enabled": false,
  "editor.overviewRulerBorder": false,
  "editor.scrollbar.horizontal": "hidden",
  "editor.scrollbar.vertical": "hidden",
  "editor.stickyScroll.enabled": false,
  "extensions.autoUpdate": false,
  // In a browser the editor saves by itself unless told otherwise.
  "files.autoSave": "off",
  "files.simpleDialog.enable": true,
  "git.enabled": false,
  "telemetry.telemetryLevel": "off",
  "window.autoDetectColorScheme": true,
  "workbench.preferredDarkColorTheme": "Default Dark Modern",
  "workbench.preferredLightColorTheme": "Default Light Modern",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  // It lies over rows that the pointer is to reach.
  "workbench.tree.enableStickyScroll": false,
};

export class Editor {
  private constructor(
    private readonly options: EditorOptions,
    readonly home: string,
    readonly workbench: Workbench,
    private readonly browser: Browser,
    private readonly server: ChildProcess,
    private readonly printed: () => string,
  ) {}

  static async open(options: EditorOptions): Promise<Editor> {
    const home = scratch(options.name);
    const data = path.join(home, "d");
    const extensions = path.join(home, "e");
    for (const folder of ["d/User", "d/Machine", "e", "t", "h"]) {
      mkdirSync(path.join(home, folder), { recursive: true });
    }
    const { server = [SERVER] } = options;
    write(path.join(data, "User", "settings.json"), { ...SETTINGS, ...options.settings });
    // A setting of machine scope counts from here only.
    write(path.join(data, "Machine", "settings.json"), {
      ...(server === null ? {} : { "conflens.server.command": server }),
      // Else it opens over the file that a test looks at.
      "workbench.welcomePage.walkthroughs.openOnInstall": options.opensWalkthrough === true,
    });
    // What the server learns of sensitivity takes some seconds once, and is the same for all.
    const cache = options.isFresh === true ? {} : { CONFLENS_CACHE_DIR: scratch("cache") };
    const env = environment(home, { ...cache, ...options.environment });
    const places = ["--user-data-dir", data, "--extensions-dir", extensions];
    const installed = spawnSync(
      NODE,
      [CODE_SERVER, ...places, "--install-extension", needed(VSIX)],
      { env, encoding: "utf8", timeout: START_MS },
    );
    if (installed.status !== 0) {
      throw new Error(
        `The extension could not be installed.\n${installed.stdout}${installed.stderr}`,
      );
    }
    const child = spawn(
      NODE,
      [
        CODE_SERVER,
        ...["--bind-addr", "127.0.0.1:0", "--auth", "none"],
        ...["--disable-telemetry", "--disable-update-check", "--disable-proxy"],
        ...["--disable-getting-started-override", "--ignore-last-opened"],
        ...(options.trust === true ? [] : ["--disable-workspace-trust"]),
        ...places,
      ],
      { env, stdio: ["ignore", "pipe", "pipe"] },
    );
    let printed = "";
    const listen = (chunk: Buffer): void => void (printed += chunk.toString());
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    let browser: Browser | undefined;
    try {
      const origin = await address(child, () => printed);
      browser = await launch(env);
      const page = await browser.newPage({
        viewport: options.viewport ?? { width: 1280, height: 800 },
        deviceScaleFactor: 2,
        colorScheme: "dark",
        reducedMotion: "reduce",
      });
      page.on("console", (message) => {
        printed += `page ${message.type()}: ${message.text()}\n`;
      });
      const workbench = new Workbench(page, origin, options.folder);
      const editor = new Editor(options, home, workbench, browser, child, () => printed);
      if (options.isBlank !== true) {
        await workbench.load(options.file);
      }
      return editor;
    } catch (error) {
      keep(options.name, printed);
      await browser?.close().catch(() => undefined);
      await stop(child, env);
      throw error;
    }
  }

  /** Runs a test; of one that fails the page is kept as a picture, with what was printed. */
  async during(work: (workbench: Workbench) => Promise<void>): Promise<void> {
    try {
      await work(this.workbench);
    } catch (error) {
      keep(this.options.name, this.printed());
      const picture = path.join(KEPT, `${this.options.name}.png`);
      await this.workbench.page.screenshot({ path: picture }).catch(() => undefined);
      throw new Error(
        `${error instanceof Error ? error.message : String(error)}\n(see ${picture})`,
        {
          cause: error,
        },
      );
    }
  }

  /** The processes that the editor has started, its own among them. */
  processes(): Process[] {
    return owned(this.home);
  }

  async close(): Promise<void> {
    await this.browser.close();
    const left = await stop(this.server, { HOME: path.join(this.home, "h") });
    if (left.length > 0) {
      throw new Error(
        `Still there after the editor was closed:\n${left.map(({ command }) => command).join("\n")}`,
      );
    }
  }
}

function environment(home: string, more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(NODE_OPTIONS|NODE_TEST_|npm_|XDG_|CONFLENS_CACHE|VSCODE_|CODE_SERVER_|VIRTUAL_ENV)/.test(
        name,
      ),
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: path.join(home, "h"),
    TMPDIR: path.join(home, "t"),
    LANG: "C.UTF-8",
    // Otherwise extensions are looked up in a gallery.
    EXTENSIONS_GALLERY: "{}",
    [MARK]: needed(MARK),
    ...more,
  };
}

function write(file: string, settings: object): void {
  writeFileSync(file, JSON.stringify(settings, undefined, 2));
}

async function address(child: ChildProcess, printed: () => string): Promise<string> {
  const limit = Date.now() + START_MS;
  while (Date.now() < limit && child.exitCode === null) {
    const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(printed());
    if (found?.[1] !== undefined) {
      return found[1];
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The editor did not start.\n${printed()}`);
}

function launch(env: NodeJS.ProcessEnv): Promise<Browser> {
  const folders = (process.env.PATH ?? "").split(":");
  const executablePath = ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => existsSync(file));
  if (executablePath === undefined) {
    throw new Error("There is no Chromium on PATH: install the package chromium.");
  }
  return chromium.launch({
    executablePath,
    env: env,
    timeout: START_MS,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Pages of an editor in the background would be slowed down.
      "--disable-renderer-backgrounding",
    ],
  });
}

/** The processes whose home lies in `home`. */
function owned(home: string): Process[] {
  return marked(needed(MARK)).filter((process) => process.home.startsWith(`${home}/`));
}

function keep(name: string, printed: string): void {
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(path.join(KEPT, `${name}.log`), printed);
}

async function stop(child: ChildProcess, env: NodeJS.ProcessEnv): Promise<Process[]> {
  const home = path.dirname(env.HOME ?? "");
  const find = (): Process[] => owned(home);
  child.kill("SIGTERM");
  const left = await ended(find, STOP_MS);
  left.forEach((process) => kill(process, "SIGKILL"));
  await ended(find, STOP_MS);
  return left;
}
