/**
 * When a view asks the server again: while it can be seen, one request at a time, and once for a
 * burst of changes. A view that shows something while it is hidden, too, asks then as well, but
 * seldom.
 *
 * Terms: what a view shows is *stale* from the moment in which it may differ until it was asked for
 * with success. Invariant: what is stale and can be seen is asked for; a failed request is not
 * repeated by itself, but by the next change or the next time the view is opened.
 */

/** How long a burst of changes may last; shorter than a person notices. */
const BURST_MS = 100;

export type Later = (run: () => void, milliseconds: number) => unknown;

export interface RenewalOptions {
  /** How long a hidden view waits before it asks again; one without never asks while it is hidden. */
  readonly hiddenMs?: () => number | undefined;
  readonly later?: Later;
}

export class Renewal {
  private isVisible = false;
  private isStale = true;
  private isPlanned = false;
  private isAsking = false;

  /** `ask` says whether it had an answer; it never throws. */
  constructor(
    private readonly ask: () => Promise<boolean>,
    private readonly options: RenewalOptions = {},
  ) {}

  /** What is shown may differ from now on. */
  changed(): void {
    this.isStale = true;
    this.plan();
  }

  setVisible(isVisible: boolean): void {
    this.isVisible = isVisible;
    if (isVisible && this.isStale && !this.isAsking) {
      void this.run();
    }
  }

  private plan(): void {
    const pause = this.pause();
    if (pause !== undefined && !this.isPlanned && !this.isAsking) {
      this.isPlanned = true;
      (this.options.later ?? setTimeout)(() => {
        this.isPlanned = false;
        if (this.pause() !== undefined && this.isStale && !this.isAsking) {
          void this.run();
        }
      }, pause);
    }
  }

  /** How long to wait before asking; undefined for a view that is not to ask now. */
  private pause(): number | undefined {
    return this.isVisible ? BURST_MS : this.options.hiddenMs?.();
  }

  private async run(): Promise<void> {
    this.isAsking = true;
    this.isStale = false;
    const isAnswered = await this.ask();
    this.isAsking = false;
    if (this.isStale) {
      this.plan();
    }
    this.isStale ||= !isAnswered;
  }
}
