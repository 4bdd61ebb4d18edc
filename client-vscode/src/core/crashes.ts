/**
 * How often a server that has crashed is started again: so often within a while, then a person has to
 * decide.
 */

const MOST = 4;
const WITHIN_MS = 3 * 60 * 1000;

export class Crashes {
  private times: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** Notes a crash; whether the server is to be started again without a question. */
  note(): boolean {
    const now = this.now();
    this.times = [...this.times.filter((time) => now - time < WITHIN_MS), now];
    return this.times.length <= MOST;
  }

  /** How many crashes are remembered. */
  get count(): number {
    return this.times.length;
  }

  /** A person has started the server again. */
  forget(): void {
    this.times = [];
  }
}
