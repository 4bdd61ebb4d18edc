/**
 * When a view asks the server again: only while it can be seen, one request at a time, and once for
 * a burst of changes.
 *
 * Terms: what a view shows is *stale* from the moment in which it may differ until it was asked for
 * with success. Invariant: what is stale and can be seen is asked for; a failed request is not
 * repeated by itself, but by the next change or the next time the view is opened.
 */

/** How long a burst of changes may last; shorter than a person notices. */
const BURST_MS = 100;

export type Later = (run: () => void, milliseconds: number) => unknown;

export class Renewal {
  private isVisible = false;
  private isStale = true;
  private isPlanned = false;
  private isAsking = false;

  /** `ask` tells whether it had an answer; it never throws. */
  constructor(
    private readonly ask: () => Promise<boolean>,
    private readonly later: Later = setTimeout,
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
    if (this.isVisible && !this.isPlanned && !this.isAsking) {
      this.isPlanned = true;
      this.later(() => {
        this.isPlanned = false;
        if (this.isVisible && this.isStale && !this.isAsking) {
          void this.run();
        }
      }, BURST_MS);
    }
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
