import type { Observation, ObservedMessage } from './observation.ts';

/**
 * Sends the observations of a thread to the host. All observations of one event loop iteration are sent in a single
 * message.
 */
export class Outbox {
  readonly #post: (message: ObservedMessage) => void;
  readonly #waiting = new Map<string, Observation[]>();

  constructor(post: (message: ObservedMessage) => void) {
    this.#post = post;
  }

  add(clusterId: string, observation: Observation): void {
    if (this.#waiting.size === 0) setImmediate(() => this.flush());
    const waiting = this.#waiting.get(clusterId);
    if (waiting === undefined) this.#waiting.set(clusterId, [observation]);
    else waiting.push(observation);
  }

  flush(): void {
    for (const [clusterId, observations] of this.#waiting) {
      this.#post({ kind: 'observed', clusterId, observations });
    }
    this.#waiting.clear();
  }
}
