/**
 * Work of the server that reports how far it is and can be cancelled.
 */

import * as vscode from "vscode";

/** How a request reports, and how it is cancelled. */
export interface Progress {
  readonly token: vscode.CancellationToken;
  readonly report: (value: unknown) => void;
}

const SHOWN_AFTER_MS = 1000;

/**
 * Shows the server's progress, which counts in percent of the whole, with a way to cancel; nothing
 * for what is soon done.
 */
export async function withProgress<T>(
  title: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  let last: unknown;
  let report: Progress["report"] = () => undefined;
  const result = work({
    token: source.token,
    report: (value) => {
      last = value;
      report(value);
    },
  });
  const shown = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (progress, token) => {
      token.onCancellationRequested(() => source.cancel());
      report = reporter(progress);
      report(last);
      // What went wrong is shown by who asked for the work.
      await result.catch(() => undefined);
    });
  }, SHOWN_AFTER_MS);
  try {
    return await result;
  } finally {
    clearTimeout(shown);
    source.dispose();
  }
}

function reporter(
  progress: vscode.Progress<{ message?: string; increment?: number }>,
): (value: unknown) => void {
  let done = 0;
  return (value) => {
    const { message, percentage } = (value ?? {}) as { message?: string; percentage?: number };
    const now = Math.max(done, percentage ?? done);
    progress.report({ ...(message === undefined ? {} : { message }), increment: now - done });
    done = now;
  };
}
