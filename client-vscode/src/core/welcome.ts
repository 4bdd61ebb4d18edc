/**
 * What a view that is empty says: one word for the context key `conflens.state`, by which the
 * manifest chooses the text and its buttons.
 */

import type { Status } from "./status.js";

/** `problem` is the server's own, which still answers; `failed` says that there is none that runs. */
export type Welcome =
  "missing" | "installing" | "reading" | "noJava" | "noOptions" | "ready" | "problem" | "failed";

export function welcomeOf({ phase, counts }: Status): Welcome {
  switch (phase) {
    case "missing":
    case "installing":
      return phase;
    case "starting":
    case "indexing":
      return "reading";
    case "error":
      return counts === undefined ? "failed" : "problem";
    case "ready":
      return counts?.files === 0 ? "noJava" : counts?.options === 0 ? "noOptions" : "ready";
  }
}
