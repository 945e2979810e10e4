/** Calls that wait until a thread has reported its statistics or has ended. */
export class Waiters {
  #resolves: Array<() => void> = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#resolves.push(resolve));
  }

  resolveAll(): void {
    for (const resolve of this.#resolves.splice(0)) resolve();
  }
}
