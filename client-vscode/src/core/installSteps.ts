/**
 * What is run to build a private environment, and what is told meanwhile and when it fails.
 *
 * Invariants: libraries are exactly those that the extension names, pinned by hash, and come as
 * wheels, so that nothing is compiled and no code of theirs runs; the server itself comes from the
 * extension and from nowhere else. What the user has set for pip (mirror, certificate, proxy)
 * holds; what would put packages elsewhere than into the environment does not.
 */

import * as path from "node:path";

import { isolatedModule, withArguments, type Command } from "./command.js";
import { failureOf, type RunResult } from "./process.js";
import { parseServerVersion } from "./version.js";

export interface Step {
  readonly title: string;
  readonly command: Command;
  readonly timeoutMs: number;
  /** What to tell the user when this step fails, before the reason. */
  readonly failure: string;
  /** Whether the output of a successful run is the expected one; any output is when absent. */
  readonly accepts?: (output: string) => boolean;
}

/** What is installed: both files lie in the extension. */
export interface Parts {
  readonly wheel: string;
  /** Every library that the wheel needs, with version and hashes. */
  readonly requirements: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

const MINUTE_MS = 60 * 1000;

/** The interpreter of a virtual environment. */
export function environmentPython(folder: string, platform: NodeJS.Platform): string {
  return platform === "win32"
    ? path.win32.join(folder, "Scripts", "python.exe")
    : path.posix.join(folder, "bin", "python");
}

export function installSteps(
  python: Command,
  folder: string,
  parts: Parts,
  platform: NodeJS.Platform,
): readonly Step[] {
  const inside = environmentPython(folder, platform);
  const pip = (...args: string[]): Command =>
    withArguments(isolatedModule(inside, "pip"), "install", "--progress-bar", "off", ...args);
  return [
    {
      title: "creating the environment",
      command: withArguments(python, "-m", "venv", folder),
      timeoutMs: 5 * MINUTE_MS,
      failure: "The environment for the server could not be created.",
    },
    {
      title: "downloading libraries",
      command: pip(
        "--retries",
        "2",
        "--only-binary",
        ":all:",
        "--require-hashes",
        "--requirement",
        parts.requirements,
      ),
      timeoutMs: 30 * MINUTE_MS,
      failure: "The libraries of the server could not be installed.",
    },
    {
      title: "installing the server",
      command: pip("--no-index", "--no-deps", parts.wheel),
      timeoutMs: 5 * MINUTE_MS,
      failure: "The server could not be installed.",
    },
    checkStep(inside),
  ];
}

/** Whether an environment holds a server that runs. */
export function checkStep(inside: string): Step {
  return {
    title: "checking the server",
    command: withArguments(isolatedModule(inside, "conflens"), "--version"),
    timeoutMs: MINUTE_MS,
    failure: "The server was installed but does not run.",
    accepts: (output) => parseServerVersion(output) !== undefined,
  };
}

/** Variables that would lead Python or pip out of the environment that is being built. */
const LEADING_AWAY = [
  "PYTHONHOME",
  "PYTHONPATH",
  "PIP_CONSTRAINT",
  "PIP_PREFIX",
  "PIP_REQUIREMENT",
  "PIP_REQUIRE_HASHES",
  "PIP_ROOT",
  "PIP_TARGET",
];

/**
 * The variables under which the steps run. The editor's proxy is for pip too, unless the variables
 * name one; it goes in here and not into the arguments, where other users could read a password.
 */
export function installVariables(given: Variables, proxy: string | undefined): Variables {
  const kept = Object.entries(given).filter(([name]) => !LEADING_AWAY.includes(name.toUpperCase()));
  const hasProxy = kept.some(([name, value]) => /^(https?|all)_proxy$/i.test(name) && value !== "");
  const proxies =
    proxy === undefined || proxy === "" || hasProxy
      ? {}
      : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  return {
    ...Object.fromEntries(kept),
    ...proxies,
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    PIP_NO_INPUT: "1",
    PIP_USER: "0",
    PYTHONIOENCODING: "utf-8",
    PYTHONNOUSERSITE: "1",
  };
}

/** Turns what pip prints into what to tell about it: which library of how many it is at. */
export function libraryProgress(requirements: string): (chunk: string) => string | undefined {
  const total = [...requirements.matchAll(/^[A-Za-z0-9][\w.-]*==/gm)].length;
  let count = 0;
  let rest = "";
  return (chunk) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    let message: string | undefined;
    for (const line of lines) {
      const name = /^Collecting ([A-Za-z0-9][\w.-]*)/.exec(line)?.[1];
      if (name !== undefined) {
        count += 1;
        message = `downloading libraries (${Math.min(count, total)} of ${total}): ${name}`;
      } else if (line.startsWith("Installing collected packages")) {
        message = "installing libraries";
      }
    }
    return message;
  };
}

/** What is known to go wrong, by what is printed then; the first that fits is told. */
const REASONS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/No space left on device|\[Errno 28\]|ENOSPC|not enough space/i, () => "The disk is full."],
  [
    /apt(?:-get)? install (\S+)/,
    (match) => `This Python cannot create environments. Run: apt install ${match[1]}`,
  ],
  [
    /No module named '?(?:venv|ensurepip)|ensurepip is (?:not available|disabled)/,
    () => "This Python lacks the module venv or ensurepip. Install it or use another Python.",
  ],
  [/DO NOT MATCH THE HASHES/, () => "A downloaded package does not match its expected hash."],
  [
    /CERTIFICATE_VERIFY_FAILED|SSLError|SSLCertVerificationError/,
    () =>
      "The certificate of the package index is not trusted. If your proxy uses its own certificate, " +
      "run: pip config set global.cert FILE",
  ],
  [
    /ProxyError|Cannot connect to proxy|407 Proxy/i,
    () => "The proxy rejected pip. Check the setting http.proxy and the variable HTTPS_PROXY.",
  ],
  [
    /NewConnectionError|ConnectTimeout|ReadTimeout|NameResolutionError|Temporary failure in name resolution|getaddrinfo failed|Network is unreachable|Connection (?:refused|reset|broken|aborted)|Read timed out/i,
    () =>
      "pip could not reach the package index. Connect to the internet or configure a mirror for " +
      "pip; behind a proxy, set http.proxy or HTTPS_PROXY.",
  ],
  [
    /Permission denied|\[Errno 13\]|Access is denied|Read-only file system/i,
    () => "Files could not be written.",
  ],
  [
    /No matching distribution found for (\S+)|Could not find a version that satisfies the requirement (\S+)/,
    (match) =>
      `There is no ${match[1] ?? match[2]} for this version of Python on this system. Try another ` +
      "one from 3.11 to 3.14.",
  ],
];

/** Why a step failed, for a person: a known reason in a sentence, else the tool's own last line. */
export function describeFailure(step: Step, result: RunResult): string {
  for (const [pattern, reason] of result.failure === undefined ? REASONS : []) {
    const match = pattern.exec(result.output);
    if (match !== null) {
      return `${step.failure} ${reason(match)}`;
    }
  }
  return `${step.failure} (${failureOf(result) ?? "unexpected output"})`;
}
