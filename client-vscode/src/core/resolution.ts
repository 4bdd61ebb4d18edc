/**
 * Which server to start: the first of setting, active Python environment, PATH and private
 * environment that works. Every candidate that was tried is kept as an *attempt*, so that a
 * missing server can be explained.
 *
 * Invariant: a setting that is present decides alone. A wrong setting is an error and never falls
 * through to another server than the one the user asked for.
 */

import {
  commandFromSetting,
  displayCommand,
  isolatedModule,
  moduleCommand,
  serveCommand,
  withArguments,
  type Command,
  type Surroundings,
} from "./command.js";
import { failureOf, type RunResult } from "./process.js";
import { parseServerVersion } from "./version.js";

export type Source = "setting" | "environment" | "path" | "private";

export interface Attempt {
  readonly source: Source;
  readonly command: string;
  readonly problem: string;
}

export type Resolution =
  | {
      readonly kind: "found";
      readonly source: Source;
      /** Starts the language server. */
      readonly command: Command;
      /** Undefined for a setting, which is taken at its word. */
      readonly version: string | undefined;
    }
  | { readonly kind: "missing"; readonly attempts: readonly Attempt[] }
  | { readonly kind: "invalid"; readonly reason: string };

export interface ResolutionInputs {
  readonly setting: unknown;
  readonly surroundings: Surroundings;
  /** The interpreter of the active environment; asked only when no setting is present. */
  readonly activePython: () => Promise<string | undefined>;
  /** The interpreter of the private environment, if that has been created. */
  readonly privatePython: () => Promise<string | undefined>;
  readonly run: (command: Command) => Promise<RunResult>;
}

export const SOURCE_LABELS: Readonly<Record<Source, string>> = {
  setting: "setting conflens.server.command",
  environment: "active Python environment",
  path: "PATH",
  private: "private environment",
};

export async function resolveServer(inputs: ResolutionInputs): Promise<Resolution> {
  const setting = commandFromSetting(inputs.setting, inputs.surroundings);
  if (setting.kind === "invalid") {
    return {
      kind: "invalid",
      reason: `Invalid setting conflens.server.command: ${setting.reason}.`,
    };
  }
  if (setting.kind === "command") {
    const command = serveCommand(setting.command);
    return { kind: "found", source: "setting", command, version: undefined };
  }

  const candidates: readonly (readonly [Source, () => Promise<Command | undefined>])[] = [
    ["environment", async () => moduleOf(await inputs.activePython())],
    ["path", async () => ({ executable: "conflens", args: [] })],
    ["private", async () => privateModule(await inputs.privatePython())],
  ];
  const attempts: Attempt[] = [];
  for (const [source, find] of candidates) {
    const base = await find();
    if (base === undefined) {
      continue;
    }
    const asked = withArguments(base, "--version");
    const result = await inputs.run(asked);
    const version = parseServerVersion(result.output);
    const failure = failureOf(result);
    if (failure === undefined && version !== undefined) {
      return { kind: "found", source, command: serveCommand(base), version };
    }
    const problem = failure ?? "it does not print a ConfLens version";
    attempts.push({ source, command: displayCommand(asked), problem });
  }
  return { kind: "missing", attempts };
}

function privateModule(python: string | undefined): Command | undefined {
  return python === undefined ? undefined : isolatedModule(python, "conflens");
}

function moduleOf(python: string | undefined): Command | undefined {
  return python === undefined ? undefined : moduleCommand(python);
}
