/** The listeners of a value outside React, which changes by an event of the window, or when `notify` is called. */
export class Listeners {
  readonly #all = new Set<() => void>();

  constructor(event: 'hashchange' | 'storage') {
    addEventListener(event, () => this.notify());
  }

  /** Adds a listener. Returns a function that removes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  };

  /** Calls all listeners at once, so that React removes a page before the page sees the value for the next one. */
  readonly notify = (): void => {
    for (const listener of this.#all) listener();
  };
}
