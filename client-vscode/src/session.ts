/**
 * The life of the server process: resolve, start, watch, stop. One server serves all workspace
 * folders.
 *
 * Invariant: starts and stops run one after the other in a queue, because a client must not be
 * stopped while it is starting. Nothing in the queue waits for the user: an offer to install runs
 * beside it and asks for a restart when it was accepted.
 */

import * as fs from "node:fs/promises";

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { displayCommand, sameCommand, type Command } from "./core/command.js";
import { Crashes } from "./core/crashes.js";
import {
  installedPython,
  markUsed,
  tidy,
  USE_MS,
  type ServerPackage,
} from "./core/privateEnvironment.js";
import { runCommand } from "./core/process.js";
import { resolveServer, SOURCE_LABELS, type Attempt, type Resolution } from "./core/resolution.js";
import type { Notifications, Requests } from "./core/protocol.js";
import { clientReport, type Status } from "./core/status.js";
import type { ClientState } from "./client.js";
import { offerInstall } from "./consent.js";
import {
  activePython,
  commandSetting,
  configFilesSetting,
  probeOptions,
  surroundings,
} from "./environment.js";
import type { Progress } from "./progress.js";
import type { Visuals } from "./visuals.js";

const STOP_TIMEOUT_MS = 3000;
const MISSING = "No server was found.";
const RESTART = "Restart";
const SHOW_LOG = "Show Log";

export interface SessionContext {
  /** The extension's own folder for data; also the working directory of the server. */
  readonly storage: string;
  /** What the extension carries of the server; read while the editor goes on. */
  readonly serverPackage: Promise<ServerPackage | undefined>;
  readonly log: vscode.LogOutputChannel;
  readonly visuals: Visuals;
  readonly onStatus: (status: Status) => void;
  readonly onSnapshots: (params: Notifications["conflens/snapshotsChanged"]) => void;
  /** `conflens/optionsChanged`. */
  readonly onOptions: () => void;
  /** The server was installed and starts for the first time. */
  readonly onSetUp: () => void;
  /** A person has agreed to install the server. */
  readonly onAgreed: () => void;
}

export class Session {
  /** The client in use; one that is being given up is not here any more. */
  private client: LanguageClient | undefined;
  /** Whether `client` waits for the first answer of its server. */
  private isStarting = false;
  private command: Command | undefined;
  private attempts: readonly Attempt[] = [];
  private status: Status = { phase: "starting" };
  private readonly crashes = new Crashes();
  private queue: Promise<void> = Promise.resolve();
  private disposed = false;
  private readonly ending = new AbortController();
  private uses: NodeJS.Timeout | undefined;

  constructor(private readonly context: SessionContext) {}

  /** Stops the server if there is one, resolves again, starts, or offers to install one. */
  restart(): Promise<void> {
    this.crashes.forget();
    return this.restartWith(() => void this.offer());
  }

  /** Installs the server if the person agrees once more, and starts it. */
  setUp(): Promise<void> {
    return this.offer(true);
  }

  /** Restarts only if another server would be chosen now. Offers nothing. */
  reconsider(): Promise<void> {
    return this.enqueue(async () => {
      const resolution = await this.resolve();
      const isSame =
        resolution.kind === "found" &&
        this.client !== undefined &&
        this.command !== undefined &&
        sameCommand(resolution.command, this.command);
      if (!isSame) {
        await this.stopClient();
        await this.start(resolution, () => undefined);
      }
    });
  }

  async stop(): Promise<void> {
    this.disposed = true;
    this.ending.abort();
    clearInterval(this.uses);
    this.abandonStart();
    await this.queue;
    await this.stopClient();
  }

  /** Markdown that describes the state: the server's own words, else what the client knows. */
  async describe(): Promise<string> {
    const page = await this.ask("conflens/status", {});
    if (page !== undefined) {
      return page.markdown;
    }
    const command = this.command === undefined ? undefined : displayCommand(this.command);
    return clientReport({ status: this.status, command, attempts: this.attempts });
  }

  /** Sends a request of our own; undefined while there is no server to ask. */
  ask<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
  ): Promise<Requests[M]["result"] | undefined> {
    return this.askFor<Requests[M]["result"]>(method, params);
  }

  /** Sends a request of the protocol, whose answer is a `T`; undefined while there is no server. */
  async askFor<T>(method: string, params: object): Promise<T | undefined> {
    if (this.client?.isRunning() !== true) {
      return undefined;
    }
    try {
      return await this.client.sendRequest<T>(method, params);
    } catch (error) {
      this.context.log.warn(`The server did not answer ${method}.`, String(error));
      return undefined;
    }
  }

  /**
   * Sends a request that a person asked for. Throws what the person should read when it cannot be
   * fulfilled; undefined when it was cancelled.
   */
  async request<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
    progress?: Progress,
  ): Promise<Requests[M]["result"] | undefined> {
    const { client } = this;
    if (client?.isRunning() !== true) {
      throw new Error("ConfLens is not running.");
    }
    try {
      if (progress === undefined) {
        return await client.sendRequest<Requests[M]["result"]>(method, params);
      }
      const { requestWithProgress } = await this.library();
      return await requestWithProgress(client, method, params, progress);
    } catch (error) {
      if (client.isRunning()) {
        throw error;
      }
      this.context.log.warn(`The server stopped during ${method}.`, String(error));
      throw new Error("The ConfLens server stopped before it answered.", { cause: error });
    }
  }

  /**
   * The protocol's library, and what needs it. It is read when the first server starts, because it
   * takes longer than an editor should wait for an extension.
   */
  private library(): Promise<typeof import("./client.js")> {
    return import("./client.js");
  }

  private restartWith(onMissing: () => void): Promise<void> {
    this.abandonStart();
    return this.enqueue(async () => {
      const resolution = await this.resolve();
      await this.stopClient();
      await this.start(resolution, onMissing);
    });
  }

  /** A server that never answers would hold up the queue; killing it lets its start fail. */
  private abandonStart(): void {
    if (this.isStarting && this.client !== undefined) {
      const { serverProcess } = this.client;
      this.client = undefined;
      serverProcess?.kill("SIGKILL");
    }
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(async () => {
      if (this.disposed) {
        return;
      }
      try {
        await work();
      } catch (error) {
        this.fail(error instanceof Error ? error.message : String(error));
      }
    });
    return this.queue;
  }

  private async resolve(): Promise<Resolution> {
    const { storage, serverPackage, log } = this.context;
    await fs.mkdir(storage, { recursive: true });
    const probe = probeOptions(storage);
    return resolveServer({
      setting: commandSetting(),
      surroundings: surroundings(),
      activePython: () => activePython(log),
      privatePython: async () => installedPython(storage, await serverPackage, process.platform),
      run: (command) => runCommand(command, probe),
    });
  }

  private async start(resolution: Resolution, onMissing: () => void): Promise<void> {
    const { storage, serverPackage, log, visuals } = this.context;
    this.command = undefined;
    this.attempts = [];
    if (this.disposed) {
      return;
    }
    if (resolution.kind === "invalid") {
      this.fail(resolution.reason);
      return;
    }
    if (resolution.kind === "missing") {
      this.attempts = resolution.attempts;
      for (const { source, command, problem } of resolution.attempts) {
        log.info(`No server from ${SOURCE_LABELS[source]}: ${command}: ${problem}`);
      }
      log.warn(MISSING);
      this.report({ phase: "missing" });
      onMissing();
      return;
    }
    const { command, source, version } = resolution;
    log.info(
      `Server${version === undefined ? "" : ` ${version}`} from ${SOURCE_LABELS[source]}: ` +
        displayCommand(command),
    );
    if (source === "private") {
      this.use(storage, await serverPackage);
    }
    this.command = command;
    this.report({ phase: "starting" });
    const { createClient } = await this.library();
    const client = createClient({
      command,
      cwd: storage,
      configFiles: configFilesSetting(),
      log,
      visuals,
      isCurrent: (asking) => asking === this.client,
      onStatus: (reported) => this.report(reported),
      onSnapshots: (params) => this.context.onSnapshots(params),
      onOptions: () => this.context.onOptions(),
      onState: (state) => this.onClientState(state),
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      // The failure of a start that was given up is expected and not the user's concern.
      if (client === this.client) {
        this.client = undefined;
        log.error(String(error));
        this.fail(`The server did not start: ${displayCommand(command)}`);
        this.complain("The ConfLens server did not start.");
      }
      return;
    }
    if (client !== this.client) {
      // Given up before its process existed, so that there was nothing to kill.
      await this.end(client);
    }
  }

  /** Tells other windows, again and again, that a private environment is in use, and clears others away. */
  private use(storage: string, used: ServerPackage | undefined): void {
    clearInterval(this.uses);
    const mark = (): void => void markUsed(storage, used);
    mark();
    this.uses = setInterval(mark, USE_MS).unref();
    void tidy(storage, used);
  }

  private onClientState(state: ClientState): void {
    const wasStarting = this.isStarting;
    this.isStarting = state === "starting";
    if (state === "starting") {
      this.report({ phase: "starting" });
    } else if (state === "running" && this.status.phase === "starting") {
      this.report({ phase: "indexing" });
    } else if (state === "stopped" && !wasStarting) {
      this.onCrash();
    }
  }

  /** Starts a server again that ended by itself, unless it keeps doing so. */
  private onCrash(): void {
    this.client = undefined;
    this.context.log.error("The server stopped unexpectedly.");
    if (this.crashes.note()) {
      this.report({ phase: "starting" });
      void this.restartWith(() => undefined);
      return;
    }
    const times = `${this.crashes.count} times within a few minutes`;
    this.fail(`The server stopped unexpectedly ${times}.`);
    this.complain(`The ConfLens server stopped unexpectedly ${times}.`);
  }

  /** Shows a problem with ways out of it. */
  private complain(message: string): void {
    void vscode.window.showErrorMessage(message, RESTART, SHOW_LOG).then((answer) => {
      if (answer === RESTART) {
        void this.restart();
      } else if (answer === SHOW_LOG) {
        this.context.log.show();
      }
    });
  }

  private async stopClient(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.isStarting = false;
    if (client?.needsStop() === true) {
      await this.end(client);
    }
  }

  private async end(client: LanguageClient): Promise<void> {
    const { serverProcess } = client;
    try {
      await client.dispose(STOP_TIMEOUT_MS);
    } catch (error) {
      this.context.log.warn("The server did not stop when asked.", String(error));
      serverProcess?.kill("SIGKILL");
    }
  }

  private async offer(isWanted = false): Promise<void> {
    try {
      const { storage, serverPackage, log } = this.context;
      const onInstalling = (isInstalling: boolean): void => this.showInstalling(isInstalling);
      const { signal } = this.ending;
      const offered = { storage, serverPackage: await serverPackage, log, onInstalling, signal };
      if (await offerInstall(offered, isWanted)) {
        // No second offer, because an installed server that is not found would go round for ever.
        await this.restartWith(() => undefined);
        this.context.onSetUp();
      }
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** Until the server is installed, by consent, that it is missing is no error. */
  private showInstalling(isInstalling: boolean): void {
    if (isInstalling) {
      this.context.onAgreed();
    }
    if (this.client === undefined) {
      this.report({ phase: isInstalling ? "installing" : "missing" });
    }
  }

  private fail(message: string): void {
    this.context.log.error(message);
    this.report({ phase: "error", message });
  }

  private report(status: Status): void {
    this.status = status;
    if (!this.disposed) {
      this.context.onStatus(status);
    }
  }
}
