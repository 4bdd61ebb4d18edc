/**
 * Commands: an executable and its arguments, never a line for a shell.
 *
 * A *base command* runs ConfLens itself (`conflens`, `python -m conflens`); the *serve command*
 * is a base command with the arguments that start the language server on stdio.
 */

import * as path from "node:path";

export interface Command {
  readonly executable: string;
  readonly args: readonly string[];
}

/** What the placeholders of the setting stand for. */
export interface Surroundings {
  readonly workspaceFolder: string | undefined;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type SettingCommand =
  | { readonly kind: "unset" }
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "invalid"; readonly reason: string };

const SERVE = ["serve", "--stdio"] as const;

/**
 * The base command of the setting `conflens.server.command`: a path, or a list of executable and
 * arguments. A text is one path as a whole, because paths may hold blanks.
 */
export function commandFromSetting(value: unknown, surroundings: Surroundings): SettingCommand {
  if (value === undefined || value === null || value === "") {
    return { kind: "unset" };
  }
  const parts: unknown = typeof value === "string" ? [value] : value;
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) {
    return { kind: "invalid", reason: "expected a path or a list of strings" };
  }
  if (parts.length === 0) {
    return { kind: "unset" };
  }
  const expanded: string[] = [];
  for (const part of parts) {
    const result = expand(part, surroundings);
    if (result.missing !== undefined) {
      return { kind: "invalid", reason: `${result.missing} is not set` };
    }
    expanded.push(result.text);
  }
  const [first = "", ...args] = expanded;
  if (first.trim() === "") {
    return { kind: "invalid", reason: "the executable is empty" };
  }
  return { kind: "command", command: { executable: located(first, surroundings), args } };
}

/** The command that serves; a base command that already names `serve` is taken as it is. */
export function serveCommand(base: Command): Command {
  return base.args.includes("serve") ? base : withArguments(base, ...SERVE);
}

export function moduleCommand(python: string): Command {
  return { executable: python, args: ["-m", "conflens"] };
}

/**
 * A module of a private environment: variables such as `PYTHONPATH`, and packages of the user, are
 * left out, so that only what was installed there is imported.
 */
export function isolatedModule(python: string, module: string): Command {
  return { executable: python, args: ["-I", "-m", module] };
}

export function withArguments(command: Command, ...more: readonly string[]): Command {
  return { executable: command.executable, args: [...command.args, ...more] };
}

export function sameCommand(left: Command, right: Command): boolean {
  return (
    left.executable === right.executable &&
    left.args.length === right.args.length &&
    left.args.every((arg, index) => arg === right.args[index])
  );
}

/** For people to read: parts with blanks are quoted. Not meant for a shell. */
export function displayCommand(command: Command): string {
  return [command.executable, ...command.args]
    .map((part) => (part === "" || /\s/.test(part) ? `"${part}"` : part))
    .join(" ");
}

function expand(text: string, surroundings: Surroundings): { text: string; missing?: string } {
  let missing: string | undefined;
  const replaced = text.replace(/\$\{([^}]+)\}/g, (placeholder, name: string) => {
    const value = placeholderValue(name, surroundings);
    if (value === undefined) {
      missing ??= placeholder;
      return placeholder;
    }
    return value;
  });
  const home = /^~(?=$|[\\/])/;
  // A function as replacement, because "$&" in a folder's name must stay as it is.
  const result = replaced.replace(home, () => surroundings.home);
  return missing === undefined ? { text: result } : { text: result, missing };
}

function placeholderValue(name: string, surroundings: Surroundings): string | undefined {
  if (name === "workspaceFolder") {
    return surroundings.workspaceFolder;
  }
  if (name === "userHome") {
    return surroundings.home;
  }
  return name.startsWith("env:") ? surroundings.env[name.slice("env:".length)] : undefined;
}

/**
 * A bare name is looked up on PATH by the system; a relative path starts at the workspace folder,
 * because the server's working directory is not the workspace.
 */
function located(executable: string, surroundings: Surroundings): string {
  const isBareName = !/[\\/]/.test(executable);
  if (isBareName || path.isAbsolute(executable) || surroundings.workspaceFolder === undefined) {
    return executable;
  }
  return path.join(surroundings.workspaceFolder, executable);
}
