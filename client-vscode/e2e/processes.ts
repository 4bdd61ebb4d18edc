/**
 * The processes of a run: who is still there, and how they are ended.
 *
 * A process belongs to a run if its environment carries the run's mark, whoever its parent is by now.
 * Chromium clears the environment of some of its processes; they end with their parent.
 */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { MARK } from "./places.js";

export interface Process {
  readonly pid: number;
  readonly command: string;
  /** The home folder in its environment. */
  readonly home: string;
}

/** All processes that carry the mark `value`, without this one. */
export function marked(value: string): Process[] {
  const wanted = `${MARK}=${value}`;
  const found: Process[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) {
      continue;
    }
    try {
      const environment = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      // What has ended and waits for its parent has no program any more.
      if (environment.includes(wanted) && readlinkSync(`/proc/${name}/exe`) !== "") {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        const home = environment.find((entry) => entry.startsWith("HOME="))?.slice(5) ?? "";
        found.push({ pid, command, home });
      }
    } catch {
      // It has ended meanwhile, or is another user's.
    }
  }
  return found;
}

/** Waits until `find` finds no process, at most `milliseconds`; returns those that are left. */
export async function ended(find: () => Process[], milliseconds: number): Promise<Process[]> {
  const limit = Date.now() + milliseconds;
  let left = find();
  while (left.length > 0 && Date.now() < limit) {
    await sleep(50);
    left = find();
  }
  return left;
}

export function kill({ pid }: Process, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
