/** Those who wait until a thread has told what it knows, or is gone. */
export class Told {
  #waiting: Array<() => void> = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  now(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
